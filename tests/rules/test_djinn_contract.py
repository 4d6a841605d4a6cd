"""What holds for every djinn alike, the promo djinn included (rules 11)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.rules
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN, PROMO_DJINNS, Cost, Djinn
from companion.rules.model.components import TileAction

RULES = Path(companion.rules.__file__).parent
# The table of rules 11: VP and cost.
TABLE = {
    "Al-Amin": (5, Cost.NONE),
    "Anun-Nak": (8, Cost.ELDER_OR_FAKIR),
    "Ba'al": (6, Cost.NONE),
    "Boaz": (6, Cost.NONE),
    "Bouraq": (6, Cost.ELDER_OR_FAKIR),
    "Echidna": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Enki": (8, Cost.ELDER_OR_FAKIR),
    "Hagis": (10, Cost.ELDER_OR_FAKIR),
    "Haurvatat": (8, Cost.NONE),
    "Iblis": (8, Cost.ELDER_OR_FAKIR),
    "Jafaar": (6, Cost.NONE),
    "Kandicha": (6, Cost.NONE),
    "Kumarbi": (6, Cost.FAKIRS),
    "Lamia": (10, Cost.ELDER_OR_FAKIR),
    "Leta": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Marid": (6, Cost.NONE),
    "Monkir": (6, Cost.NONE),
    "Nekir": (6, Cost.NONE),
    "Shamhat": (6, Cost.NONE),
    "Sibittis": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Sloar": (8, Cost.FAKIR),
    "Utug": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
}


def test_11_there_are_22_djinns_with_their_worth_and_cost() -> None:
    assert {name: (djinn.vp, djinn.cost) for name, djinn in DJINNS.items()} == TABLE
    assert set(PROMO_DJINNS).isdisjoint(DJINNS)


def hooks(djinn: Djinn) -> int:
    free = (djinn.revalue, djinn.pays, djinn.reaps, djinn.guards or None)
    paid = (djinn.power, djinn.diverts, djinn.kills - 1 or None, djinn.lowers_bids or None)
    return sum(hook is not None for hook in (*free, *paid))


@pytest.mark.parametrize("name", EVERY_DJINN)
def test_11_every_djinn_is_one_hook_paid_for_or_free(name: str) -> None:
    djinn = EVERY_DJINN[name]
    assert hooks(djinn) == 1
    is_free = any((djinn.revalue, djinn.pays, djinn.reaps, djinn.guards))
    assert is_free is (djinn.cost is Cost.NONE)
    assert djinn.diverts in (None, TileAction.OASIS, TileAction.VILLAGE)


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.name)
def test_11_the_turn_names_no_djinn(path: Path) -> None:
    """A 23rd djinn is a hook in `djinns/`: outside it, no code knows one by name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert texts.isdisjoint(EVERY_DJINN)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names.isdisjoint(name.upper().replace("-", "_").replace("'", "") for name in EVERY_DJINN)
