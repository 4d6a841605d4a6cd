"""In which order a screen reader reads prints: as somebody would read them aloud."""

from __future__ import annotations

from functools import cache

from companion.printing.core.kinds import SETUP
from companion.printing.core.template import pick_words
from companion.printing.setup.card import setup_card
from companion.rules.model.board import SQUARE_NAMES
from tests.printing.boxes import squeezed
from tests.printing.checks import Node, read_print, tree
from tests.printing.prints import laid_table

STEPS = ("players", "tiles", "meeples", "bids", "row", "djinns", "reach")


@cache
def _card(language: str) -> Node:
    table = laid_table(4)
    return tree(read_print(setup_card(table.position, seed=table.seed, language=language)))


def _texts(root: Node, tag: str) -> list[str]:
    return [squeezed(node.text) for node in root.all() if node.tag == tag]


def test_a_set_up_card_is_read_step_by_step(language: str = "en") -> None:
    words, root = pick_words(SETUP.load(), language), _card(language)
    assert _texts(root, "H1") == [squeezed(words.title)]
    assert _texts(root, "H2") == [squeezed(f"{n}{words.steps[step]}") for n, step in enumerate(STEPS, 1)]
    everything = "".join(squeezed(node.text, node.alternative) for node in root.all())
    places = [everything.index(squeezed(words.steps[step])) for step in STEPS]
    assert places == sorted(places)
    assert everything.index("QR:") > places[-1], "the code comes last"


def test_the_board_is_a_table_with_its_squares_in_order() -> None:
    table, words = laid_table(4), pick_words(SETUP.load(), "en")
    (board,) = (node for node in _card("en").all() if node.tag == "Table")
    head, *rows = board.held
    assert [cell.text for cell in head.held] == ["", *"abcdef"]
    assert [row.held[0].text for row in rows] == list("12345")
    told = [cell.held[0].alternative for row in rows for cell in row.held[1:]]
    assert len(told) == len(SQUARE_NAMES)
    for said, tile in zip(told, table.position.board, strict=True):
        kind = words.actions[tile.kind.action.name.lower()]
        assert said.startswith(f"{kind} {tile.kind.vp}: "), "rules 1.1"
