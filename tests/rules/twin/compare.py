"""Between the engine and the plain game: states, actions and chance of the one as those of the other."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.rules.model.actions import (
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    Paid,
    PlaceBid,
    Sell,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.board import Tile
from companion.rules.model.chance import ScriptedChance
from companion.rules.model.components import FAKIR, GOODS, TILE_KINDS, Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, GameState, Hand, Stage, Taken, TurnProgress
from tests.rules.tables import scripted
from tests.rules.twin import bidding
from tests.rules.twin.state import LETTERS

STAGES = {
    "move": Stage.MOVE,
    "sow": Stage.SOW,
    "tribe": Stage.TRIBE,
    "tile": Stage.TILE,
    "end": Stage.CLOSE,
    "sold": Stage.SELL,
    "look": Stage.KEEP,
}


def tribe_of(letter: str) -> Tribe:
    return Tribe(LETTERS.index(letter))


def stage_of(state: dict[str, Any]) -> Stage:
    """The engine's stage for a state of the plain game; without a legal move a turn begins at its close (9.2)."""
    if state["phase"] == "bid":
        return Stage.BID
    if state["phase"] == "end":
        return Stage.END
    turn = state["turn"]
    return Stage.CLOSE if turn["must_skip"] and turn["step"] == "move" else STAGES[turn["step"]]


def mover_of(state: dict[str, Any]) -> str:
    if state["phase"] == "bid":
        return state["to_bid"][0]
    return state["turn"]["colour"] if state["turn"] else None


def engine_tile(tile: dict[str, Any]) -> Tile:
    return Tile(
        TILE_KINDS[tile["kind"]],
        tuple(tile["meeples"][letter] for letter in LETTERS),
        Colour(tile["camel"]) if tile["camel"] else None,
        tile["palms"],
        tile["palaces"],
    )


def engine_player(colour: Colour, player: Any) -> Player:
    return Player(
        Colour(colour),
        gold=player["gold"],
        viziers=player["viziers"],
        elders=player["elders"],
        fakirs=player["cards"][FAKIR],
        goods=tuple(player["cards"][good] for good in GOODS),
        djinns=tuple(player["djinns"]),
    )


def engine_position(state: dict[str, Any]) -> Position:
    """The `Position` of a state of the plain game."""
    bidding_now = state["phase"] == "bid"
    track = bidding.playing_order(state) if bidding_now else state["to_play"]
    mover = mover_of(state)
    return Position(
        board=tuple(map(engine_tile, state["board"])),
        players=tuple(
            engine_player(colour, state["players"][colour]) for colour in Colour if colour in state["players"]
        ),
        row=tuple(state["row"]),
        djinns=tuple(state["face_up"]),
        to_move=Colour(mover) if mover else None,
        phase=Phase(state["phase"]),
        bid_order=tuple(map(Colour, state["to_bid"] if bidding_now else state["moved"])),
        turn_order=tuple(Bid(Colour(colour), price) for colour, price in track),
        discards=tuple(card for card, count in state["discards"].items() for _ in range(count)),
    )


def engine_state(state: dict[str, Any]) -> GameState:
    """The `GameState` of a state of the plain game, at any decision save one about djinns drawn."""
    ending = None
    if state["last_round"]:
        out = any(player["camels"] == 0 for player in state["players"].values())
        ending = Ending.LAST_CAMEL if out else Ending.NO_MOVE
    return GameState(
        position=engine_position(state),
        stage=stage_of(state),
        progress=engine_progress(state),
        hidden=(0,) * len(state["players"]),
        djinn_discards=tuple(state["djinn_discards"]),
        ending=ending,
        promo=state["promo"],
    )


def engine_progress(state: dict[str, Any]) -> TurnProgress:
    turn = state["turn"]
    if turn is None:
        return TurnProgress()
    hand = taken = None
    if turn["step"] == "sow":
        now = turn["sowing"]
        hand = Hand(
            now["start"],
            tuple(square for square, _ in now["drops"]),
            tuple(tribe_of(letter) for _, letter in now["drops"]),
            tuple(now["hand"][letter] for letter in LETTERS),
        )
    if turn["taken"] is not None:
        letter, count = turn["taken"]
        taken = Taken(turn["end"], tribe_of(letter), count)
    factor = 2 if "Echidna" in turn["used"] else 1
    return TurnProgress(used=tuple(turn["used"]), hand=hand, taken=taken, income=turn["builder_coins"], factor=factor)


def snapshot(state: dict[str, Any]) -> dict[str, Any]:
    """Everything that both games know of a state, as plain values: of the plain game."""
    turn = state["turn"]
    stage = stage_of(state)
    return {
        **engine_facts(engine_position(state)),
        "stage": stage,
        "djinn_discards": sorted(state["djinn_discards"]),
        "last_round": state["last_round"],
        "used": sorted(turn["used"]) if turn else [],
        "sowing": engine_progress(state).hand if stage is Stage.SOW else None,
        "taken": engine_progress(state).taken if stage in (Stage.TRIBE, Stage.TILE) else None,
        "drawn": sorted(turn["looking_at"]) if stage is Stage.KEEP else [],
    }


def engine_snapshot(state: GameState) -> dict[str, Any]:
    """The same of the engine's state."""
    progress = state.progress
    return {
        **engine_facts(state.position),
        "stage": state.stage,
        "djinn_discards": sorted(state.djinn_discards),
        "last_round": state.ending is not None,
        "used": sorted(progress.used),
        "sowing": progress.hand if state.stage is Stage.SOW else None,
        "taken": progress.taken if state.stage in (Stage.TRIBE, Stage.TILE) else None,
        "drawn": sorted(progress.drawn) if state.stage is Stage.KEEP else [],
    }


def engine_facts(
    position: Position,
) -> Any:
    """A position as plain values; hands, discards and djinns in front have no order."""
    facts = {
        "board": position.board,
        "players": {
            player.colour: (
                player.gold,
                player.viziers,
                player.elders,
                player.fakirs,
                player.goods,
                sorted(player.djinns),
            )
            for player in position.players
        },
        "row": list(position.row),
        "face_up": list(position.djinns),
        "discards": Counter(position.discards),
        "to_move": position.to_move,
        "phase": position.phase,
    }
    if position.phase is not Phase.END:
        facts["bid_order"] = list(position.bid_order)
        facts["turn_order"] = list(position.turn_order)
    return facts


def differences(state: dict[str, Any], engine: GameState) -> list[object]:
    """What differs between a state of the plain game and the engine's, as lines; empty if nothing does."""
    ours, theirs = snapshot(state), engine_snapshot(engine)
    return [
        f"{name}: plain {ours.get(name)} engine {theirs.get(name)}"
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    ]


def to_sowing(start: int, drops: tuple[tuple[int, str], ...]) -> Sowing:
    return Sowing(start, tuple(square for square, _ in drops), tuple(tribe_of(letter) for _, letter in drops))


def paid(djinn: str, payment: None) -> None:
    return None if payment is None else Paid(djinn, *payment)


def to_engine(state: dict[str, Any], action: tuple[Any, ...]) -> Any:
    """The engine's action for one of the plain game, in the state before it."""
    kind = action[0]
    if kind == "bid":
        return PlaceBid(action[1], action[2])
    if kind == "lift":
        return Lift(action[1])
    if kind == "drop":
        return Drop(action[1], tribe_of(action[2]))
    if kind in ("keep", "take", "build", "kill", "spare"):
        return ActTribe(tribe_choice(action))
    if kind in ("place", "buy", "djinn", "pass"):
        return ActTile(tile_choice(state, action))
    if kind == "sell":
        return Sell(action[1])
    if kind == "keep djinn":
        return KeepDjinn(action[1])
    if kind == "done":
        return EndTurn()
    _, name, payment, square, place, second = action
    helper = {"Bouraq": "Hagis", "Enki": "Lamia"}.get(name)
    return UsePower(Paid(name, *payment), square, paid(helper, second), place if second else None)


def tribe_choice(action: tuple[Any, ...]) -> TribeChoice:
    if action[0] == "build":
        return TribeChoice(fakirs=action[1])
    if action[0] != "kill":
        return TribeChoice()
    _, payment, fakirs, target, letters = action
    if isinstance(target, int):
        victims = [Victim(tribe_of(letter), square=target) for letter in letters]
    else:
        victims = [Victim(tribe_of(letter), owner=Colour(target)) for letter in letters]
    victims.sort(key=lambda victim: victim.tribe)
    return TribeChoice(fakirs, victims[0], victims[1] if len(victims) == 2 else None, paid("Iblis", payment))


def tile_choice(state: dict[str, Any], action: tuple[Any, ...]) -> TileChoice:
    if action[0] == "buy":
        return TileChoice(cards=action[1])
    if action[0] == "djinn":
        return TileChoice(djinn=action[1], with_fakir=action[2] == (1, 1))
    if action[0] == "place" and action[2] is not None:
        letter = state["board"][state["turn"]["end"]]["kind"][0]
        return TileChoice(helper=paid("Hagis" if letter == "V" else "Lamia", action[2]), onto=action[1])
    return TileChoice()


def to_told(action: tuple[Any, ...], chance: list[str] | tuple[list[str], list[str]]) -> ScriptedChance:
    """The engine's chance for what chance gave to an action of the plain game."""
    if action[0] == "done":
        cards, djinns = chance or ((), ())
        return scripted(cards=cards, djinns=djinns)
    if action[0] == "power" and action[1] == "Sibittis":
        return scripted(djinns=chance)
    if action[0] == "power" and action[1] == "Anun-Nak":
        return scripted(meeples=[tribe_of(letter) for letter in chance])
    return scripted(cards=chance)
