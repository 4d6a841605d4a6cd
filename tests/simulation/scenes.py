"""Moments in which each clause of rules 5, 6, 7 and 11 can be seen: small tables in the middle of a turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.position import Player
from companion.rules.model.state import GameState, Stage, Taken, TurnProgress
from tests.rules.tables import BLACK, ORANGE, PINK, at_turn, player

RICH = {"elders": 4, "fakirs": 3, "viziers": 2, "goods": {"silk": 2, "fish": 1, "ivory": 1}}
"""What the mover holds, so that he can pay for anything."""


def mover(*djinns: str, **holdings: Any) -> Player:
    return player(PINK, djinns=djinns, **{**RICH, **holdings})


def other(*djinns: str, **holdings: Any) -> Player:
    return player(BLACK, djinns=djinns, **{"viziers": 2, "elders": 1, "fakirs": 1, **holdings})


def acting(
    end: str, tribe: Tribe, count: int, *players: Player, income: int = 0, factor: int = 1, **table: Any
) -> GameState:
    """Before the tribe action of so many meeples taken from an end tile."""
    return _in_turn(Stage.TRIBE, end, tribe, count, *players, income=income, factor=factor, **table)


def on_tile(end: str, *players: Player, **table: Any) -> GameState:
    """Before the tile action of an end tile."""
    return _in_turn(Stage.TILE, end, Tribe.MERCHANT, 1, *players, **table)


def _in_turn(
    stage: Stage,
    end: str,
    tribe: Tribe,
    count: int,
    *players: Player,
    income: int = 0,
    factor: int = 1,
    used: tuple[str, ...] = (),
    **table: Any,
) -> GameState:
    taken = Taken(parse_square(end), tribe, count)
    state = _table(stage, *players, **table)
    return replace(state, progress=TurnProgress(taken=taken, income=income, factor=factor, used=used))


def closing(*players: Player, **table: Any) -> GameState:
    """At the end of a turn: powers and sales."""
    return _table(Stage.CLOSE, *players, **table)


def _table(stage: Stage, *players: Player, **table: Any) -> GameState:
    """A table with three djinns on offer that nobody has."""
    owned = {name for one in players for name in one.djinns or ()}
    offered = tuple(name for name in ("Boaz", "Utug", "Leta", "Sloar", "Enki") if name not in owned)
    return at_turn(*players, stage=stage, **{"djinns": offered[:3], **table})


TOWN: dict[str, Any] = {
    "b2": "V5",
    "c2": "M6:gb",
    "c3": "S6:r",
    "d3": "S10:yw",
    "e3": "O8:g",
    "a1": "M4:b",
    "f5": "V5:w",
    "d4": "M6:gg@K",
}
"""Blue and other tiles with meeples, a camel, and tiles that one kill empties."""

TEN_CAMELS: dict[str, Any] = {name: "M6@P" for name in ["a1", "a2", "a3", "a4", "a5", "b5", "c5", "d5", "e5", "f5"]}
"""All of pink's camels but one."""

CLAUSES: dict[str, GameState] = {
    "5.1 viziers": acting("c3", Tribe.VIZIER, 3, mover(), other(), **TOWN),
    "5.1 elders": acting("c3", Tribe.ELDER, 2, mover(), other(), **TOWN),
    "5.2 merchants": acting("c3", Tribe.MERCHANT, 3, mover(), other(), **TOWN),
    "5.2 more merchants than cards": acting("c3", Tribe.MERCHANT, 4, mover(), row=("fish", "fakir", "fish"), **TOWN),
    "5.2 no card in the row": acting("c3", Tribe.MERCHANT, 2, mover(), row=(), **TOWN),
    "5.3 builders": acting("c3", Tribe.BUILDER, 2, mover(), other(), **TOWN),
    "5.3 builders without a blue tile": acting("a5", Tribe.BUILDER, 2, mover(), **TOWN),
    "5.4 assassins": acting("c3", Tribe.ASSASSIN, 1, mover(), other(), player(ORANGE, viziers=1), **TOWN),
    "5.4 nobody to kill": acting("c5", Tribe.ASSASSIN, 1, mover(), a1="M4:b", a2="M6:b"),
    "5.5 no camel left": acting(
        "c2",
        Tribe.ASSASSIN,
        2,
        mover(),
        c2="M6",
        c3="S6:r",
        **TEN_CAMELS,
        f4="M6@P",
    ),
    "5.5 the last camel": acting(
        "c2",
        Tribe.ASSASSIN,
        2,
        mover(),
        c2="M6",
        c3="S6:r",
        **TEN_CAMELS,
    ),
    "6.1 palm": on_tile("e3", mover(), other(), **TOWN),
    "6.2 palace": on_tile("b2", mover(), other(), **TOWN),
    "6.1 no palm left": on_tile("e3", mover("Lamia"), e3="O8:g", a1="M6^12"),
    "6.2 no palace left": on_tile("b2", mover("Hagis"), other("Monkir"), b2="V5", a1="M6#10"),
    "6.3 small market": on_tile("c2", mover(), **TOWN),
    "6.3 two cards in the row": on_tile("c2", mover(), row=("fish", "fakir"), **TOWN),
    "6.3 no card in the row": on_tile("c2", mover(), row=(), **TOWN),
    "6.4 large market": on_tile("a1", mover(), **TOWN),
    "6.4 one card in the row": on_tile("a1", mover(), row=("fish",), **TOWN),
    "6.5 sacred place": on_tile("c3", mover(), other(), **TOWN),
    "6.5 one djinn on offer": on_tile("c3", mover(), djinns=("Sloar",), **TOWN),
    "7.1 sales": closing(mover(goods={"ivory": 2, "silk": 1, "wheat": 3, "pottery": 1, "gold": 1})),
}
"""By clause."""

DJINNS: dict[str, tuple[GameState, ...]] = {
    "Anun-Nak": (closing(mover("Anun-Nak"), other(), **TOWN), acting("c3", Tribe.ELDER, 20, mover("Anun-Nak"), **TOWN)),
    "Ba'al": (
        on_tile("c3", mover("Ba'al"), other(), **TOWN),
        on_tile("c3", mover(), other("Ba'al"), **TOWN),
        on_tile("c3", mover(), other(), player(ORANGE), djinns=("Ba'al", "Utug", "Leta"), **TOWN),
        replace(
            on_tile("a1", mover(), other("Ba'al"), **TOWN),
            stage=Stage.KEEP,
            progress=TurnProgress(drawn=("Lamia", "Echidna", "Hagis"), resume=Stage.MOVE, used=("Sibittis",)),
        ),
        replace(
            on_tile("a1", mover(), other(), **TOWN),
            stage=Stage.KEEP,
            progress=TurnProgress(drawn=("Ba'al", "Hagis"), resume=Stage.CLOSE),
        ),
    ),
    "Boaz": (acting("c3", Tribe.ASSASSIN, 1, mover(), other("Boaz"), player(ORANGE, viziers=1, elders=1), **TOWN),),
    "Bouraq": (
        closing(mover("Bouraq"), other("Monkir"), **TOWN),
        closing(mover("Bouraq", "Hagis", "Monkir", elders=1), other(), **TOWN),
    ),
    "Dhenim": (
        acting("c3", Tribe.VIZIER, 3, mover("Dhenim"), other(), **TOWN),
        acting("c3", Tribe.VIZIER, 3, mover(), other("Dhenim"), **TOWN),
        acting("c3", Tribe.ASSASSIN, 2, mover("Kandicha"), other("Dhenim"), **TOWN),
        acting("c3", Tribe.ASSASSIN, 2, mover("Kandicha", "Dhenim", "Iblis"), other(), c3="S6:yy", d3="S6:yw"),
    ),
    "Echidna": (
        acting("c3", Tribe.BUILDER, 2, mover("Echidna"), other(), **TOWN),
        acting("c3", Tribe.BUILDER, 2, mover("Echidna"), factor=2, used=("Echidna",), **TOWN),
        closing(mover("Echidna"), **TOWN),
        replace(closing(mover("Echidna"), **TOWN), progress=TurnProgress(income=7)),
    ),
    "Enki": (
        closing(mover("Enki"), other("Monkir"), **TOWN),
        closing(mover("Enki", "Lamia", fakirs=1), other(), **TOWN),
    ),
    "Hagis": (
        on_tile("b2", mover("Hagis"), other("Monkir"), **TOWN),
        on_tile("e3", mover("Hagis"), other(), **TOWN),
        closing(mover("Hagis", "Bouraq", fakirs=0), other(), **TOWN),
    ),
    "Iblis": (
        acting("c3", Tribe.ASSASSIN, 2, mover("Iblis"), other("Nekir"), player(ORANGE, elders=2), **TOWN),
        acting("c3", Tribe.ASSASSIN, 2, mover("Iblis", "Kandicha", elders=0), other(viziers=0), **TOWN),
    ),
    "Kandicha": (
        acting("c3", Tribe.ASSASSIN, 2, mover("Kandicha"), other(), **TOWN),
        acting("c3", Tribe.ASSASSIN, 2, mover("Kandicha", "Iblis"), other(), income=3, factor=2, **TOWN),
    ),
    "Lamia": (
        on_tile("e3", mover("Lamia"), other(), **TOWN),
        on_tile("b2", mover("Lamia"), other(), **TOWN),
        closing(mover("Lamia", "Enki", elders=0), other(), **TOWN),
    ),
    "Leta": (closing(mover("Leta"), other(), **TOWN), closing(mover("Leta", fakirs=0), other(), **TOWN)),
    "Monkir": (
        on_tile("b2", mover("Monkir"), other(), **TOWN),
        on_tile("b2", mover(), other("Monkir"), **TOWN),
        closing(mover("Bouraq"), player(ORANGE, djinns=("Monkir",)), **TOWN),
    ),
    "Nekir": (
        acting("c3", Tribe.ASSASSIN, 1, mover("Nekir"), other(), **TOWN),
        acting("c3", Tribe.ASSASSIN, 1, mover("Iblis"), other("Nekir"), **TOWN),
    ),
    "Sibittis": (
        closing(mover("Sibittis"), other("Ba'al"), **TOWN),
        acting("c3", Tribe.VIZIER, 2, mover("Sibittis"), other(), **TOWN),
    ),
    "Sloar": (closing(mover("Sloar"), other(), **TOWN), closing(mover("Sloar", elders=0, fakirs=1), **TOWN)),
    "Utug": (
        closing(mover("Utug"), other(), **TOWN),
        closing(
            mover("Utug"),
            c3="S6:r",
            **TEN_CAMELS,
        ),
    ),
}
"""By the djinn whose power can be seen."""

ELSEWHERE = ("Al-Amin", "Haurvatat", "Jafaar", "Kumarbi", "Marid", "Shamhat")
"""Djinns that bear on scores, bids and steps alone."""
