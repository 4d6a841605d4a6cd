"""The same random games in the rules and in a batch, compared after every bid and turn (rules 2 to 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.game import END_TURN, legal_actions, step
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.scoring import CATEGORIES, score
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    Paid,
    PlaceBid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.chance import Chance
from companion.rules.model.components import SPOT_PRICES_GC, Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from companion.simulation import decks, evaluation, rounds
from companion.simulation.bridge import pack
from companion.simulation.djinns import DJINN_ID, DJINN_NAMES
from companion.simulation.layout import (
    CARD_ID,
    CARDS,
    MAX_HAND,
    NONE,
    NOT_PAID,
    POWERS,
    SALES,
    STAGE_ID,
    VICTIM_IN_FRONT,
    Batch,
    Index,
    Turns,
)
from companion.simulation.playing import play_turns
from tests.rules.random_games import random_choice
from tests.simulation.starts import huge_hand, odd_position, set_up

MAX_STEPS = 2000
CHANCE = {"deck", "deck_next", "deck_size", "djinn_deck", "djinn_next", "djinn_size", "world", "clock"}
"""Fields that a state of the rules doesn't have."""


class LaneChance(Chance):
    """Chance that gives the rules what a lane of a batch is about to draw."""

    def __init__(self, batch: Batch, lane: int, seen: Counter[str] | None = None) -> None:
        self._batch, self._here = batch.select([lane]), np.zeros(1, dtype=np.intp)
        self._meeples: list[str] = []
        self._seen = Counter() if seen is None else seen

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        """What the lane will draw; a deck that is empty is remade of what can come."""
        batch = self._batch
        if wanted == "card":
            if batch.deck_next[0] == batch.deck_size[0]:
                batch.discards[:, 0] = [options.get(card, 0) for card in CARDS]
                self._seen["deck remade"] += 1
            return CARDS[decks.draw_card(batch, self._here)[0]]
        if wanted == "djinn":
            if batch.djinn_next[0] == batch.djinn_size[0]:
                batch.djinn_discards[:, 0] = [options.get(name, 0) for name in DJINN_NAMES]
                self._seen["djinn deck remade"] += 1
            return DJINN_NAMES[decks.draw_djinn(batch, self._here)[0]]
        if not self._meeples:
            bag = np.array([[options.get(tribe.noun, 0)] for tribe in Tribe], dtype=np.int16)
            counts = decks.pick_meeples(batch, self._here, bag)[:, 0]
            self._meeples = [tribe.noun for tribe in Tribe for _ in range(counts[tribe])]
        return self._meeples.pop(0)


@dataclass
class Game:
    """One game: its name, its state by the rules, and the choices that it is played with."""

    name: str
    state: GameState
    eager: bool = False

    def __post_init__(self) -> None:
        self.random = Random(self.name)

    def play(self, chance: LaneChance) -> list[Action]:
        """Go on by one bid, or by what is left of a turn but for its end, whole sowings as one action."""
        played: list[Action] = []
        if self.state.stage is Stage.BID:
            return [self._take(self._choice(played), chance)]
        while not isinstance(action := self._choice(played), EndTurn):
            self._take(action, chance)
            while (hand := self.state.progress.hand) is not None:
                drop = random_choice(self.random, self.state, legal_actions(self.state), eager=self.eager)
                assert isinstance(drop, Drop)
                self._take(drop, chance)
                action = Sow(Sowing(hand.start, (*hand.path, drop.square), (*hand.drops, drop.tribe)))
            played.append(action)
        return played

    def end_turn(self, chance: LaneChance) -> None:
        self.state = step(self.state, END_TURN, chance).state

    def _choice(self, played: Sequence[Action]) -> Action:
        """An action that `Turns` has room for; of djinns drawn the dearest is kept, as playing a turn keeps it."""
        options = tuple(action for action in legal_actions(self.state) if self._has_room(played, action))
        if self.state.stage is Stage.KEEP:
            keeping = [action for action in options if isinstance(action, KeepDjinn)]
            order = self.state.progress.drawn
            return max(keeping, key=lambda keep: (EVERY_DJINN[keep.djinn].vp, -order.index(keep.djinn)))
        return random_choice(self.random, self.state, options, eager=self.eager)

    def _has_room(self, played: Sequence[Action], action: Action) -> bool:
        if isinstance(action, Lift):
            return sum(self.state.position.board[action.square].meeples) <= MAX_HAND
        most = {UsePower: POWERS, Sell: SALES}.get(type(action), len(played) + 1)
        return sum(type(other) is type(action) for other in played) < most

    def _take(self, action: Action, chance: LaneChance) -> Action:
        self.state = step(self.state, action, chance).state
        return action

    @property
    def is_playable(self) -> bool:
        """Whether it goes on, with a hand that a turn has room for."""
        if self.state.is_over:
            return False
        options = legal_actions(self.state)
        return any(self._has_room((), option) for option in options)


def play(games: Sequence[Game]) -> Counter[str]:
    """Play games to their ends in both engines; gives how often what happened.

    Raises AssertionError with the game's name where the engines differ.
    """
    batch = pack([game.state for game in games], range(len(games)))
    seen: Counter[str] = Counter(games=len(games))
    compare(batch, games, dict.fromkeys(range(len(games)), "the start"))
    for _ in range(MAX_STEPS):
        lanes = [lane for lane, game in enumerate(games) if game.is_playable]
        if not lanes:
            return seen
        before = {lane: games[lane].state for lane in lanes}
        played = {lane: games[lane].play(LaneChance(batch, lane, seen)) for lane in lanes}
        bids = [lane for lane in lanes if before[lane].stage is Stage.BID]
        turns = [lane for lane in lanes if before[lane].stage is not Stage.BID]
        if bids:
            placed = [action for lane in bids for action in played[lane] if isinstance(action, PlaceBid)]
            prices, fakirs = np.array([(bid.price, bid.fakirs) for bid in placed], dtype=np.int16).T
            rounds.place_bid(batch, np.array(bids), prices, fakirs)
        if turns:
            columns = join([as_turn(before[lane], played[lane]) for lane in turns])
            play_turns(batch, np.array(turns), columns)
        compare(batch, games, {lane: "; ".join(map(str, played[lane])) for lane in lanes})
        seen.update(name for lane in lanes for name in of_note(before[lane], played[lane], games[lane].state))
        for lane in turns:
            games[lane].end_turn(LaneChance(batch, lane, seen))
        rounds.end_turn(batch, np.array(turns, dtype=np.intp))
        compare(batch, games, dict.fromkeys(turns, "the end of the turn"))
    raise AssertionError(f"{[game.name for game in games if game.is_playable]}: no end")


def join(turns: Sequence[Turns]) -> Turns:
    """All columns side by side."""
    return Turns(np.concatenate([one.data for one in turns], axis=1))


def as_turn(before: GameState, actions: Sequence[Action]) -> Turns:
    """What is left of a turn as a column."""
    return actions_to_turns(actions, before.stage, [player.colour for player in before.position.players])


def actions_to_turns(actions: Sequence[Action], stage: Stage, colours: Sequence[Colour]) -> Turns:
    """The actions of a turn, or of what is left of one, as one column; `stage` is where they begin.

    Which djinn is kept of those drawn and the end of the turn have no place in `Turns`.
    """
    turns = Turns.blank(1)
    used = sold = 0
    for action in actions:
        match action:
            case UsePower():
                _set_power(turns, used, action, stage)
                used += 1
            case Sow(sowing):
                turns.start[0] = sowing.start
                for square, tribe in zip(sowing.path, sowing.drops, strict=True):
                    _add_drop(turns, square, tribe)
                stage = Stage.TRIBE
            case Lift(square):
                turns.start[0] = square
                stage = Stage.TRIBE
            case Drop(square, tribe):
                _add_drop(turns, square, tribe)
            case ActTribe(choice):
                _set_tribe_choice(turns, choice, colours)
                stage = Stage.TILE
            case ActTile(choice):
                _set_tile_choice(turns, choice)
                stage = Stage.CLOSE
            case Sell(goods):
                turns.sale[sold, 0] = sum(1 << (CARD_ID[good] - 1) for good in goods)
                sold += 1
            case _:
                pass
    return turns


def _add_drop(turns: Turns, square: int, tribe: int) -> None:
    steps = int(turns.length[0])
    turns.path[steps, 0], turns.drops[steps, 0] = square, tribe
    turns.length[0] += 1


def _square(square: int | None) -> int:
    return NONE if square is None else square


def _fakirs(helper: Paid | None) -> int:
    return NOT_PAID if helper is None else helper.fakirs


def _set_power(turns: Turns, place: int, use: UsePower, stage: Stage) -> None:
    turns.power[place, 0] = DJINN_ID[use.paid.djinn]
    turns.power_when[place, 0] = STAGE_ID[stage]
    turns.power_fakirs[place, 0] = use.paid.fakirs
    turns.power_square[place, 0] = _square(use.square)
    turns.power_divert[place, 0] = _fakirs(use.helper)
    turns.power_onto[place, 0] = _square(use.onto)


def _set_tribe_choice(turns: Turns, choice: TribeChoice, colours: Sequence[Colour]) -> None:
    turns.fakirs[0] = choice.fakirs
    for place, victim in enumerate(choice.victims):
        turns.victim[place, 0] = _place_of(victim, colours)
        turns.victim_tribe[place, 0] = victim.tribe
    turns.double_paid[0] = _fakirs(choice.helper)


def _place_of(victim: Victim, colours: Sequence[Colour]) -> int:
    if victim.owner is not None:
        return VICTIM_IN_FRONT + colours.index(victim.owner)
    return _square(victim.square)


def _set_tile_choice(turns: Turns, choice: TileChoice) -> None:
    for place, card in enumerate(choice.cards):
        turns.bought[place, 0] = card
    if choice.djinn is not None:
        turns.djinn[0] = DJINN_ID[choice.djinn]
    turns.djinn_fakir[0] = choice.with_fakir
    turns.divert[0] = _fakirs(choice.helper)
    turns.onto[0] = _square(choice.onto)


def assert_same(batch: Batch, lanes: Sequence[int] | Index, states: Sequence[GameState], what: Sequence[str]) -> None:
    """These lanes hold what the states do, chance apart. Raises AssertionError that says `what` differs and how."""
    wanted = pack(states, [0] * len(states))
    ours = batch.select(list(lanes))
    over = ours.stage == wanted.stage[0] if not len(states) else np.array([state.is_over for state in states])
    for name in Batch.FIELDS:
        if name in CHANCE:
            continue
        here, there = getattr(ours, name), getattr(wanted, name)
        differ = (here != there).reshape(-1, len(states)).any(axis=0)
        if name == "mover":
            differ &= ~over
        for lane in np.flatnonzero(differ):
            raise AssertionError(f"{what[int(lane)]}: {name} {here[..., lane]}, by the rules {there[..., lane]}")


def compare(batch: Batch, games: Sequence[Game], played: Mapping[int, str]) -> None:
    """Everything that both engines know of the games that went on. Raises AssertionError where it differs."""
    if not played:
        return
    states = [games[lane].state for lane in played]
    assert_same(batch, list(played), states, [f"{games[lane].name}, after {what}" for lane, what in played.items()])
    ours = batch.select(list(played))
    everywhere = np.arange(len(ours))
    totals, points = evaluation.totals(ours), evaluation.scores(ours)
    bids, bags = rounds.legal_bids(ours, everywhere), decks.bag(ours, everywhere)
    for place, state in enumerate(states):
        where = list(played.values())[place]
        expected = [score(state.position)[player.colour].total for player in state.position.players]
        assert totals[: len(expected), place].tolist() == expected, f"{where}: points (rules 10)"
        assert not totals[len(expected) :, place].any()
        if state.is_over or state.stage is Stage.BID:
            for seat, result in enumerate(score(state.position).values()):
                categories = [result.points[category] for category in CATEGORIES]
                assert points[:, seat, place].tolist() == categories, f"{where}: points (rules 10)"
        if state.stage is Stage.BID:
            offered = {(bid.price, bid.fakirs) for bid in legal_actions(state) if isinstance(bid, PlaceBid)}
            found = {(SPOT_PRICES_GC[price], int(fakirs)) for price, fakirs in np.argwhere(bids[:, :, place])}
            assert found == offered, f"{where}: bids {found ^ offered} (rules 3)"
        if not state.is_over:
            assert bags[:, place].tolist() == MutableGame.of(state).bag, f"{where}: the bag (rules 11.11)"


def of_note(before: GameState, actions: Sequence[Action], after: GameState) -> Iterator[str]:
    """What happened that a test may want to have met."""
    if after.ending is not None and before.ending is None:
        yield f"ending: {after.ending}"
    for action in actions:
        match action:
            case UsePower():
                yield f"use {action.paid.djinn}"
                if action.helper is not None:
                    yield f"divert by {action.helper.djinn}"
            case ActTribe() | ActTile() if action.choice.helper is not None:
                yield f"use {action.choice.helper.djinn}"
            case PlaceBid() if action.fakirs:
                yield "bid with fakirs"
            case Sow():
                if any("Marid" in (player.djinns or ()) for player in before.position.players):
                    yield "sow with Marid about"
                if len(action.sowing.path) > 12:
                    yield "huge hand"


STARTS: dict[str, Callable[[int], GameState]] = {"game": set_up, "odd": odd_position, "heap": huge_hand}


def play_numbers(kind: str, numbers: Iterable[int]) -> Counter[str]:
    """Games of one kind of start, by number."""
    return play([Game(f"{kind} {number}", STARTS[kind](number), number % 4 > 1) for number in numbers])
