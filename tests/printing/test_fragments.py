"""Boards and turns as elements of a web page."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring, tostring

import pytest

from companion.advisor.advice import AdviceLevel, AdvisedTurn, Budget
from companion.advisor.search.advise import advise
from companion.drawing import palette
from companion.language.phrase import say
from companion.notation.tokens import parse_tile
from companion.printing.core.board import FOR_SCREENS
from companion.printing.core.icons import CARD_ICONS, CATEGORY_ICONS
from companion.printing.hint import fragments
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import AssassinsKilled, Victim
from companion.rules.model.position import Position
from tests.samples import MID


@pytest.fixture(scope="module")
def position() -> Position:
    return MID


@pytest.fixture(scope="module")
def turn(position: Position) -> AdvisedTurn:
    return advise(position, top=1, budget=Budget(playouts=50)).turns[0]


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


def test_what_two_drawings_of_a_page_call_alike_is_alike(position: Position, turn: AdvisedTurn) -> None:
    drawings = fragments.board_fragment(position.board), fragments.turn_fragment(position.board, turn)
    one, other = (
        {shape.attrib["id"]: tostring(shape) for shape in parsed(each).iter() if "id" in shape.attrib}
        for each in drawings
    )
    both = one.keys() & other.keys()
    assert both and all(one[name] == other[name] for name in both)
    for each, names in zip(drawings, (one, other), strict=True):
        assert set(re.findall(r'href="#([^"]+)"', each)) <= names.keys()


def test_a_tile_shows_whose_it_is(position: Position) -> None:
    owners = {Colour.BLACK: "A", Colour.ORANGE: "BO", Colour.BLUE: "C"}
    drawn = fragments.board_fragment(position.board, owners=owners)
    camels = [tile.camel for tile in position.board if tile.camel is not None]
    for colour in owners:
        assert drawn.count(f'fill="none" stroke="{palette.CAMELS[colour.value]}"') == camels.count(colour)
    assert 'aria-label="BO"' in drawn and 'aria-label="O"' not in drawn
    assert 'aria-label="O"' in fragments.board_fragment(position.board)


def test_a_turn_is_drawn_on_the_whole_board_level_by_level(position: Position, turn: AdvisedTurn) -> None:
    whole = [0, 0, FOR_SCREENS.width * fragments.SIDE, FOR_SCREENS.height * fragments.SIDE]
    nudge, path, full = (
        fragments.turn_fragment(position.board, turn, level=level)
        for level in (AdviceLevel.NUDGE, AdviceLevel.PATH, AdviceLevel.FULL)
    )
    told = turn.explained
    for drawn, title in ((nudge, told.start), (path, told.path), (full, told.headline)):
        assert view(parsed(drawn)) == pytest.approx(whole, abs=0.01)
        assert parsed(drawn).attrib["aria-label"] == title
    # Where it begins; then an arrow for each step; then how many are taken where it ends.
    assert told.sowing is not None and told.taken is not None
    assert nudge.count(f'"{palette.START}"') == 1 and palette.END not in nudge
    assert path.count(f'"{palette.END}"') == 1 and 'class="sign"' not in nudge + path
    arrows = len(told.sowing.path)
    assert path.count("<path") - nudge.count("<path") >= 2 * arrows
    assert f">{told.taken.count}</text>" in full


def test_who_is_killed_has_a_cross(position: Position, turn: AdvisedTurn) -> None:
    square = SQUARE_NAMES.index("f5")
    killed = AssassinsKilled(Colour.BLUE, (Victim(Tribe.VIZIER, square), Victim(Tribe.ELDER, owner=Colour.BLUE)), 0)
    steps = (*turn.explained.steps, (turn.explained.steps[0][0], (killed,)))
    drawn = fragments.turn_fragment(position.board, replace(turn, explained=replace(turn.explained, steps=steps)))
    assert drawn.count(">×</text>") == 1 and "×" not in fragments.turn_fragment(position.board, turn)


def test_where_a_way_can_end_says_what_is_taken(position: Position) -> None:
    e2, e3, e5 = (SQUARE_NAMES.index(name) for name in ("e2", "e3", "e5"))
    drawn = parsed(
        fragments.tapping_fragment(
            position.board,
            links={e3: "/e3", e5: "/e5"},
            others={0: "/a1", e3: "/other"},
            way=[e2],
            ends={e5: {Tribe.VIZIER: 2}, 3: {Tribe.VIZIER: 2, Tribe.ELDER: 3}},
        )
    )
    links = {link.attrib["data-square"]: link for link in drawn.iter("a")}
    assert {name: link.attrib["href"] for name, link in links.items()} == {"a1": "/a1", "e3": "/e3", "e5": "/e5"}
    assert [links[name].attrib["class"] for name in ("a1", "e3")] == ["tile", "tile lit"]
    assert links["e5"].attrib["aria-label"].endswith("; take 2 viziers")
    assert fragments.taken_words({Tribe.VIZIER: 2, Tribe.ELDER: 3}) == "take 2 viziers or 3 elders"
    # On e5 one of them stands already; on d1 nobody does.
    assert ["".join(sign.itertext()) for sign in drawn.iter("g") if sign.attrib.get("class") == "sign"] == ["2"]
    assert sum(group.attrib.get("class") == "end" for group in drawn.iter("g")) == 2
    assert sum(group.attrib.get("class") == "dim" for group in drawn.iter("g")) == 30 - 4


def test_outlines_lie_over_the_tiles_of_a_photo(position: Position) -> None:
    homography = ((100.0, 0.0, 50.0), (0.0, 80.0, 20.0), (0.0, 0.0, 1.0))
    drawn = parsed(
        fragments.outlines_fragment(
            homography,
            (700, 450),
            position.board,
            link=lambda square: f"/{square}",
            doubtful={0: say("not sure")},
            answered=[1],
        )
    )
    # Tiles are some SIDE units wide, whatever the photo's size.
    assert view(drawn) == pytest.approx([0, 0, 210, 135])
    links = {link.attrib["data-square"]: link for link in drawn.iter("a")}
    assert len(links) == 30 and list(links)[-1] == "a1", "what is in doubt lies above all"
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
