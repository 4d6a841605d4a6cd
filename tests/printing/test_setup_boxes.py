"""Every value of a set-up card stands in its box, in every language and on every paper."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

import pytest

from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES
from companion.language.phrase import counted, term
from companion.notation.codes import encode
from companion.notation.typed import parse_typed_tile
from companion.printing.core.djinn_words import djinn_power
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.page import Document
from companion.printing.core.qr import grouped
from companion.printing.core.typefaces import Fonts
from companion.printing.core.words import with_colour
from companion.printing.setup.card import setup_card
from companion.printing.setup.layout import CardBoxes, lay_out
from companion.printing.setup.pen import Pen
from companion.printing.setup.steps import draw_djinns
from companion.printing.setup.template import SetupWords, load_setup_template
from companion.rules.engine.djinns import DJINNS, Cost
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import COLUMNS
from companion.rules.model.components import FACE_UP_DJINNS, MEEPLE_COUNTS, TILE_KINDS, TileAction, Tribe
from companion.rules.model.position import Position
from tests.printing.boxes import Page, read_page, squeezed
from tests.printing.checks import overlapping_texts, read_print

TEMPLATE = load_setup_template(None)
CARDS = [
    pytest.param(language, paper, 2 + number % 3, id=f"{language}-{paper}")
    for number, (language, paper) in enumerate((language, paper) for language in LANGUAGES for paper in PAPERS)
]
SPREAD = 1.4


@cache
def _card(language: str, paper: str, players: int) -> tuple[Position, Page, CardBoxes, SetupWords]:
    position = random_setup(players, 40 + players)
    pdf = setup_card(position, seed=40 + players, spread=SPREAD, paper=paper, language=language)
    return position, read_page(pdf), lay_out(TEMPLATE, PAPERS[paper]), TEMPLATE.words[language]


def _same(found: str, *wanted: str) -> bool:
    """The letters of all lines, whatever the order in which lines of one height were read."""
    return sorted(found) == sorted(squeezed(*wanted))


def _counted(count: int, key: str, language: str) -> str:
    return translate(counted(count, key), language)


@pytest.mark.parametrize(("language", "paper", "players"), CARDS)
def test_the_board_and_the_bag_are_the_set_up(language: str, paper: str, players: int) -> None:
    position, page, boxes, words = _card(language, paper, players)
    letters = [getattr(words.letters, tribe.noun) for tribe in Tribe]
    for box, tile in zip(boxes.tiles, position.board, strict=True):
        shown = "".join(letter * count for letter, count in zip(letters, tile.meeples, strict=True))
        assert _same(page.text(box), str(tile.kind.vp), shown), "2.3, 2.4: the value and the meeples, and no code"
        assert getattr(TEMPLATE.grounds, tile.kind.action.name.lower()).upper() in page.fills(box)
        for tribe, count in zip(Tribe, tile.meeples, strict=True):
            assert page.fills(box).count(getattr(TEMPLATE.tribes, tribe.noun).upper()) >= count
    for row, box in enumerate(boxes.bag):
        tiles = position.board[row * COLUMNS : (row + 1) * COLUMNS]
        counts = [sum(tile.meeples[tribe] for tile in tiles) for tribe in Tribe]
        parts = [part for letter, count in zip(letters, counts, strict=True) for part in (letter, str(count))]
        assert _same(page.text(box), *parts, "= 18"), "2.4: six tiles of three meeples"
        assert (boxes.tiles[row * COLUMNS].y, boxes.tiles[row * COLUMNS].h) == (box.y, box.h), "beside its row"
    assert [page.text(box) for box in boxes.column_names] == list("abcdef")
    assert [page.text(box) for box in boxes.row_names] == list("12345")


@pytest.mark.parametrize(("language", "paper", "players"), CARDS)
def test_the_steps_have_their_numbers_in_the_order_of_the_rules(language: str, paper: str, players: int) -> None:
    _, page, boxes, words = _card(language, paper, players)
    headings = {
        "players": boxes.players_heading,
        "tiles": boxes.tiles_heading,
        "meeples": boxes.meeples_heading,
        "bids": boxes.bids_heading,
        "row": boxes.row_heading,
        "djinns": boxes.djinns_heading,
        "reach": boxes.reach_heading,
    }
    assert list(headings) == [step.name for step in fields(words.steps)]
    for number, (step, box) in enumerate(headings.items(), 1):
        hint = getattr(words.hints, step) if step in ("tiles", "row", "djinns") else ""
        assert _same(page.text(box), str(number), getattr(words.steps, step), hint), step
    assert page.text(boxes.meeples_hint) == squeezed(words.hints.meeples)
    places = [(round(box.y), box.x) for box in headings.values()]
    assert places == sorted(places), "from top to bottom, and two side by side"


@pytest.mark.parametrize(("language", "paper", "players"), CARDS)
def test_what_each_takes_and_what_lies_ready_is_counted(language: str, paper: str, players: int) -> None:
    position, page, boxes, words = _card(language, paper, players)
    camels, markers = (11, 2) if players == 2 else (8, 1)
    taken = [_counted(camels, "camel", language), _counted(markers, "turn marker", language)]
    coins = f"{_counted(50, 'GC', language)}, {words.hints.players}"
    assert _same(page.text(boxes.players), *taken, coins), "2.1, 2.2"
    tints = [getattr(TEMPLATE.camels, colour.value).upper() for colour in position.colours]
    assert [fill for fill in page.fills(boxes.players) if fill in tints] == tints
    ready = [_counted(12, "palms", language), _counted(10, "palaces", language), words.coins]
    assert _same(page.text(boxes.reach), *ready)


@pytest.mark.parametrize(("language", "paper", "players"), CARDS)
def test_markers_cards_and_djinns_stand_in_their_places(language: str, paper: str, players: int) -> None:
    position, page, boxes, words = _card(language, paper, players)
    assert position.row is not None and position.djinns is not None and position.bid_order is not None
    for number, box in enumerate(boxes.bids):
        if number < len(position.bid_order):
            colour = position.bid_order[number]
            assert _same(page.text(box), str(number + 1), getattr(words.colours, colour.value)), "2.5"
            assert getattr(TEMPLATE.camels, colour.value).upper() in page.fills(box)
        else:
            assert page.text(box) == str(number + 1) and not page.fills(box), "a spot that stays empty"
    for number, (box, card) in enumerate(zip(boxes.row, position.row, strict=True), 1):
        assert _same(page.text(box), str(number), getattr(words.cards, card)), "2.6"
    for box, name in zip(boxes.djinns, position.djinns, strict=True):
        djinn = DJINNS[name]
        cost = getattr(words.costs, djinn.cost.name.lower())
        said = cost if djinn.cost is Cost.NONE else words.use.replace("{cost}", cost)
        points = translate(term("VP"), language)
        assert _same(page.text(box), name, said, djinn_power(name, language), str(djinn.vp), points), "2.7, 11"


@pytest.mark.parametrize(("language", "paper", "players"), CARDS)
def test_legend_head_and_code(language: str, paper: str, players: int) -> None:
    position, page, boxes, words = _card(language, paper, players)
    meeples, tiles = boxes.legend.grid(1, 2)
    for tribe, box in zip(Tribe, meeples.grid(len(Tribe), 1, 2), strict=True):
        name = f"{with_colour(getattr(words.tribes, tribe.noun), tribe, language)} × {MEEPLE_COUNTS[tribe]}"
        assert _same(page.text(box), getattr(words.letters, tribe.noun), name)
    cells = tiles.grid(len(TileAction) + 2, 1, 1.6)
    for action, box in zip(TileAction, cells, strict=False):
        count = sum(kind.count for kind in TILE_KINDS.values() if kind.action is action)
        assert page.text(box) == squeezed(f"{getattr(words.actions, action.name.lower())} × {count}")
    assert [page.text(box) for box in cells[-2:]] == [squeezed(f"{words.red} × 18"), squeezed(f"{words.blue} × 12")]
    decimal = "1.4" if language in ("en", "ko") else "1,4"
    fair = words.fair.replace("{spread}", decimal)
    seed = f"{words.seed}: {40 + players} · {fair}"
    assert page.text(boxes.facts) == squeezed(_counted(players, "player", language), seed)
    assert page.text(boxes.title) == squeezed(words.title, words.subtitle)
    code = squeezed(grouped(encode(position)))
    assert page.text(boxes.code) == code
    assert page.text(boxes.code_heading) == squeezed(words.code)
    assert page.text(boxes.photo) == squeezed(words.photo)
    assert boxes.ruler.w == 50 and page.text(boxes.ruler_text) == squeezed(words.scale)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_power_has_room_in_its_box(language: str) -> None:
    """On a djinn's panel no power of any djinn is cut, in any language."""
    position = random_setup(4, 3)
    for paper, first in zip(PAPERS, (0, 11), strict=True):
        for start in range(first, first + 11, 3):
            names = tuple((list(DJINNS) + list(DJINNS))[start : start + 3])
            laid = Position(board=position.board, players=position.players, row=position.row, djinns=names)
            page = _drawn_djinns(laid, paper, language)
            for name, text in zip(names, page, strict=True):
                assert "…" not in text and squeezed(djinn_power(name, language)) in text, (name, paper)


def _drawn_djinns(position: Position, paper: str, language: str) -> list[str]:
    """What is written in the panels of the djinns, without spaces."""
    boxes = lay_out(TEMPLATE, PAPERS[paper])
    page = Document(boxes.paper, Fonts(), title="t", language=language)
    draw_djinns(Pen(page, TEMPLATE, TEMPLATE.words[language], language), boxes, position.djinns or ())
    return [squeezed(*(one.text for one in page.written if _inside(box, one.box))) for box in boxes.djinns]


def _inside(box: Box, other: Box) -> bool:
    return box.inset(-0.1).holds(other)


@pytest.mark.parametrize("sizes", [{}, {"heading_pt": 30, "text_pt": 24}], ids=["usual type", "large type"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lowest_panels_have_a_djinns_power_below_its_name(language: str, sizes: dict[str, float]) -> None:
    """However low a template makes the djinns, name and cost stand over the power, of two lines at most."""
    (low,) = (one.metadata["low"] for one in fields(TEMPLATE.parts) if one.name == "djinns")
    lowest = replace(TEMPLATE.parts, djinns=low)
    template = replace(TEMPLATE, parts=lowest, type=replace(TEMPLATE.type, **sizes))
    boxes = lay_out(template, PAPERS["letter"])
    for first in range(0, len(DJINNS), FACE_UP_DJINNS):
        page = Document(boxes.paper, Fonts(), title="t", language=language)
        pen = Pen(page, template, template.words[language], language)
        draw_djinns(pen, boxes, list(DJINNS)[first : first + FACE_UP_DJINNS])
        assert overlapping_texts(read_print(page.to_bytes())) == []


def test_large_type_leaves_room_for_what_stands_beside_it() -> None:
    """The hint beside a step's heading, and what a power costs beside its djinn's name."""
    words = TEMPLATE.words["en"]
    steps = replace(words.steps, djinns="The djinns of the sultanate that lie face up beside the board for everybody")
    large = replace(TEMPLATE, type=replace(TEMPLATE.type, heading_pt=30), words={"en": replace(words, steps=steps)})
    boxes = lay_out(large, PAPERS["a4"])
    panel = Box(boxes.djinns_heading.x, boxes.djinns_heading.bottom, 80, 25)
    page = Document(boxes.paper, Fonts(), title="t", language="en")
    draw_djinns(
        Pen(page, large, words=large.words["en"], language="en"), replace(boxes, djinns=(panel,)), ["Haurvatat"]
    )
    written = {one.text: one.box for one in page.written}
    for text, room in ((words.hints.djinns, boxes.djinns_heading), (words.costs.none, panel)):
        assert text in written and written[text].right <= room.right


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_on_meeples_are_those_that_people_type(language: str) -> None:
    letters = TEMPLATE.words[language].letters
    for tribe in Tribe:
        typed = parse_typed_tile("O8" + getattr(letters, tribe.noun)).tile
        assert typed.meeples == tuple(int(one is tribe) for one in Tribe)
    assert len({getattr(letters, tribe.noun) for tribe in Tribe}) == len(Tribe)
