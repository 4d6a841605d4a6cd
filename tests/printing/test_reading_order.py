"""In which order a screen reader reads prints: as somebody would read them aloud."""

from __future__ import annotations

from functools import cache

import pytest

from companion.printing.cards.aids import AIDS
from companion.printing.cards.djinn_card import timing
from companion.printing.cards.sheet import Cutting, cards_pdf
from companion.printing.cards.template import load_cards_template
from companion.printing.core.djinn_words import djinn_key
from companion.printing.setup.card import setup_card
from companion.printing.setup.template import load_setup_template
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.board import SQUARE_NAMES
from tests.printing.boxes import squeezed
from tests.printing.checks import Node, read_print, tree
from tests.printing.prints import laid_table, printed

STEPS = ("players", "tiles", "meeples", "bids", "row", "djinns", "reach")


@cache
def _card(language: str) -> Node:
    table = laid_table(4)
    return tree(read_print(setup_card(table.position, seed=table.seed, language=language)))


def _texts(root: Node, tag: str) -> list[str]:
    return [squeezed(node.text) for node in root.all() if node.tag == tag]


@pytest.mark.parametrize("language", ["en", "uk", "ko"])
def test_a_set_up_card_is_read_step_by_step(language: str) -> None:
    words, root = load_setup_template(None).words[language], _card(language)
    assert _texts(root, "H1") == [squeezed(words.title)]
    assert _texts(root, "H2") == [squeezed(f"{n}{getattr(words.steps, step)}") for n, step in enumerate(STEPS, 1)]
    everything = "".join(squeezed(node.text, node.alternative) for node in root.all())
    places = [everything.index(squeezed(getattr(words.steps, step))) for step in STEPS]
    assert places == sorted(places)
    assert everything.index("QR:") > places[-1], "the code comes last"


def test_the_board_is_a_table_with_its_squares_in_order() -> None:
    table, words = laid_table(4), load_setup_template(None).words["en"]
    (board,) = (node for node in _card("en").all() if node.tag == "Table")
    head, *rows = board.held
    assert [cell.text for cell in head.held] == ["", *"abcdef"]
    assert [row.held[0].text for row in rows] == list("12345")
    told = [cell.held[0].alternative for row in rows for cell in row.held[1:]]
    assert len(told) == len(SQUARE_NAMES)
    for said, tile in zip(told, table.position.board, strict=True):
        kind = getattr(words.actions, tile.kind.action.name.lower())
        assert said.startswith(f"{kind} {tile.kind.vp}: "), "rules 1.1"


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_djinns_card_is_read_from_its_name_to_its_power(language: str) -> None:
    words = load_cards_template(None).words[language]
    root = tree(read_print(cards_pdf(names=["Kumarbi", "Utug"], language=language, cutting=Cutting(backs=False))))
    cards = [node for node in root.held if node.tag == "Sect"]
    for name, card in zip(("Kumarbi", "Utug"), cards, strict=True):
        djinn, key = EVERY_DJINN[name], djinn_key(name)
        wanted = [name, f"{djinn.vp}{words.vp}", getattr(words.timings, timing(djinn))]
        wanted += [getattr(words.costs, djinn.cost.name.lower())]
        wanted += [getattr(words.powers, key), getattr(words.notes, key)]
        assert squeezed("".join(node.text for node in card.all())) == squeezed(*wanted)


def test_the_kit_is_read_page_by_page() -> None:
    words = load_cards_template(None).words["ru"]
    root = tree(read_print(printed("kit", "ru", "letter")))
    headings = [(node.tag, squeezed(node.text)) for node in root.all() if node.tag in ("H1", "H2")]
    titles = [text for tag, text in headings if tag == "H1"]
    assert titles[:3] == [squeezed(page.title) for page in (words.aid, words.table, words.track)]
    assert titles[4 : 4 + len(EVERY_DJINN)] == [squeezed(name) for name in EVERY_DJINN]
    assert titles[-1 - len(AIDS) : -1] == [squeezed(getattr(words, name).title) for name in AIDS]
    below = [text for tag, text in headings if tag == "H2"]
    track = words.track
    assert below[: len(AIDS)] == [squeezed(getattr(words, name).title) for name in AIDS]
    assert below[len(AIDS) :] == [
        squeezed(text) for text in (track.order, track.bids, track.zeros, track.two, track.kumarbi)
    ]
    (djinns, *_) = (node for node in root.all() if node.tag == "Table" and len(node.held) > len(EVERY_DJINN))
    assert [squeezed(row.held[0].text) for row in djinns.held[1:]] == [squeezed(name) for name in EVERY_DJINN]
