"""What holds for every djinn alike, the promo djinn included (rules 11)."""

from __future__ import annotations

import ast
from pathlib import Path

import companion
from companion.notation.names import fold
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN, PROMO_DJINNS, Cost, Djinn
from companion.rules.model.components import TileAction

PACKAGE = Path(companion.__file__).parent
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


def test_11_every_djinn_is_one_hook_paid_for_or_free() -> None:
    for djinn in EVERY_DJINN.values():
        assert hooks(djinn) == 1, djinn.name
        is_free = any((djinn.revalue, djinn.pays, djinn.reaps, djinn.guards))
        assert is_free is (djinn.cost is Cost.NONE), djinn.name
        assert djinn.diverts in (None, TileAction.OASIS, TileAction.VILLAGE), djinn.name


HOME = "rules/engine/djinns.py"


def named_djinns(path: Path) -> set[str]:
    """Djinns that code names, in texts of their own or in words of an identifier."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in EVERY_DJINN:
            words.add(fold(node.value))
        for name in (getattr(node, field, None) for field in ("id", "attr", "arg", "name")):
            if isinstance(name, str):
                words |= {fold(name), *name.lower().split("_")}
    return {djinn for djinn in EVERY_DJINN if fold(djinn) in words}


def test_11_no_djinn_is_named_outside_the_registry() -> None:
    """A 23rd djinn is a hook in `rules/engine/djinns.py`: no other code has to know it."""
    paths = [path for part in ("rules", "simulation", "advisor") for path in (PACKAGE / part).rglob("*.py")]
    naming = {str(path.relative_to(PACKAGE)) for path in paths if named_djinns(path)}
    assert naming == {HOME}
