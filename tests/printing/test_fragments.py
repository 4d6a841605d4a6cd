"""Boards and turns as elements of a web page."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from companion.advisor.advice import AdviceLevel, Budget
from companion.advisor.search.advise import advise
from companion.advisor.turn_wording import TurnWords, turn_words
from companion.language.phrase import say
from companion.notation.files import parse_position
from companion.notation.tokens import parse_tile
from companion.printing.core.board import FOR_TURNS
from companion.printing.core.icons import CARD_ICONS, CATEGORY_ICONS
from companion.printing.hint import fragments
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.position import Position

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="module")
def position() -> Position:
    return parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def words(position: Position) -> TurnWords:
    advice = advise(position, top=1, budget=Budget(playouts=50))
    return turn_words(advice.state, advice.turns[0], first=True)


def parsed(fragment: str) -> Element:
    return fromstring(fragment.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ', 1))


def view(drawn: Element) -> list[float]:
    return [float(number) for number in drawn.attrib["viewBox"].split()]


def test_each_tile_is_a_link_that_is_read_out(position: Position) -> None:
    drawn = parsed(fragments.board_fragment(position.board, link=lambda square: f"/tiles/{SQUARE_NAMES[square]}?a&b"))
    links = list(drawn.iter("a"))
    assert [link.attrib["href"] for link in links] == [f"/tiles/{name}?a&b" for name in SQUARE_NAMES]
    assert links[SQUARE_NAMES.index("a2")].attrib["aria-label"] == "a2, oasis 8: 2 merchants, 1 assassin, 2 palms"
    assert drawn.attrib["role"] == "group"
    assert [part.attrib.get("aria-hidden") for part in drawn if part.tag == "g"] == ["true"]


def test_a_doubtful_tile_is_marked_and_said(position: Position) -> None:
    drawn = parsed(
        fragments.board_fragment(position.board, link=lambda square: "/", marked={14: say("not sure")}, language="en")
    )
    (doubtful,) = (link for link in drawn.iter("a") if link.attrib["class"] == "tile doubtful")
    assert doubtful.attrib["data-square"] == "c3"
    assert doubtful.attrib["aria-label"].endswith("; not sure")
    assert "".join(doubtful.itertext()) == "?"


def test_a_board_without_links_is_one_picture(position: Position) -> None:
    drawn = parsed(fragments.board_fragment(position.board, language="it"))
    assert (drawn.attrib["role"], drawn.attrib["aria-label"]) == ("img", "Il tabellone")
    assert not list(drawn.iter("a"))


def test_letters_of_two_drawings_on_a_page_do_not_share_names(position: Position) -> None:
    other = position.with_board(position.board[::-1])
    names = [set(re.findall(r'id="([^"]+)"', fragments.board_fragment(one.board))) for one in (position, other)]
    assert names[0] and not names[0] & names[1]


def test_a_turn_shows_the_part_of_the_board_that_it_touches(position: Position, words: TurnWords) -> None:
    whole = view(parsed(fragments.turn_fragment(position.board, words, whole=True)))
    assert whole == pytest.approx([0, 0, FOR_TURNS.width * fragments.SIDE, FOR_TURNS.height * fragments.SIDE], abs=0.01)
    x, y, w, h = view(parsed(fragments.turn_fragment(position.board, words)))
    assert words.turn.sowing is not None
    for square in (words.turn.sowing.start, *words.turn.sowing.path):
        row, column = divmod(square, 6)
        left, top = (FOR_TURNS.names + at * (1 + FOR_TURNS.grid.gap) for at in (column, row))
        assert x <= left * fragments.SIDE and (left + 1) * fragments.SIDE <= x + w
        assert y <= top * fragments.SIDE and (top + 1) * fragments.SIDE <= y + h
    assert x >= 0 and x + w <= whole[2] + 0.01 and y >= 0 and y + h <= whole[3] + 0.01
    nudge = parsed(fragments.turn_fragment(position.board, words, level=AdviceLevel.NUDGE))
    assert nudge.attrib["aria-label"] == words.start
    assert view(nudge)[2] == pytest.approx(3 * 1.5 * fragments.SIDE)


def test_outlines_lie_over_the_tiles_of_a_photo(position: Position) -> None:
    homography = ((100.0, 0.0, 50.0), (0.0, 80.0, 20.0), (0.0, 0.0, 1.0))
    drawn = parsed(
        fragments.outlines_fragment(
            homography,
            (700, 450),
            position.board,
            link=lambda square: f"/{square}",
            doubtful={0: say("not sure")},
            told=[1],
            shown=2,
        )
    )
    # Tiles are some SIDE units wide, whatever the photo's size.
    assert view(drawn) == pytest.approx([0, 0, 210, 135])
    links = {link.attrib["data-square"]: link for link in drawn.iter("a")}
    assert len(links) == 30 and list(links)[-2:] == ["a1", "c1"], (
        "what is looked at lies above all, then what is in doubt"
    )
    assert "shown" in links["c1"].attrib["class"] and "shown" not in links["a1"].attrib["class"]
    polygon = links["b2"].find("polygon")
    assert polygon is not None and polygon.attrib["points"] == "45.9,30.7 74.1,30.7 74.1,53.3 45.9,53.3"
    assert ["".join(links[name].itertext()) for name in ("a1", "b1", "c1")] == ["?", "✓", ""]
    assert links["a1"].attrib["aria-label"] == "a1, oasis 8: empty; not sure"


def test_tiles_in_words() -> None:
    for token, said in (
        ("S15", "sacred place 15: empty"),
        ("V5:yyr@P#2", "village 5: 2 viziers, 1 assassin, 2 palaces, pink camel"),
        ("O8^1", "oasis 8: 1 palm"),
    ):
        tile = parse_tile(token)
        assert fragments.tile_words(tile) == said
        assert fragments.square_words(29, tile) == f"f5, {said}"
        assert parsed(fragments.tile_fragment(tile)).attrib["aria-label"] == said


def test_ornaments_are_not_read_out() -> None:
    names = [*CATEGORY_ICONS, *(f"card-{card}" for card in CARD_ICONS), *(f"camel-{colour}" for colour in Colour)]
    for name in (*names, *(f"tile-{action}" for action in TileAction)):
        drawn = parsed(fragments.icon_fragment(name))
        assert drawn.attrib["aria-hidden"] == "true" and "role" not in drawn.attrib
        assert list(drawn.iter("path"))


def test_a_tribe_is_told_by_shape_and_letter() -> None:
    shapes = {re.search(r' d="(M[^"]+)" fill="#', fragments.meeple_fragment(tribe))[1] for tribe in Tribe}  # type: ignore[index]
    assert len(shapes) == len(Tribe)
    assert all(f'aria-label="{tribe.letter.upper()}"' in fragments.meeple_fragment(tribe) for tribe in Tribe)
    with pytest.raises(KeyError):
        fragments.icon_fragment("toast")
