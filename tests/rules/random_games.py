"""Random games, checked after every action: what the box holds, and what rules 4.8, 9 and 11 promise.

`python -m tests.rules.random_games 3000` plays that many games of 2, 3 and 4 players in turn.
The checks count from the events alone what the bag, the decks and the purses must hold.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from companion.rules.engine.game import Step, legal_actions, step
from companion.rules.engine.setup import new_game
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model import events as happened
from companion.rules.model.actions import Action, ActTribe, Drop, Lift, UsePower
from companion.rules.model.board import SQUARES
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import CARD_COUNTS, MEEPLE_COUNTS, PALACES, PALMS, Colour, Tribe, camels_in_box
from companion.rules.model.state import Ending, GameState, Stage

TO_THE_BAG = (Tribe.BUILDER, Tribe.MERCHANT, Tribe.ASSASSIN)


def random_choice(random: Random, state: GameState, options: tuple[Action, ...], *, eager: bool = False) -> Action:
    """One of the options; most sowings begin soon, so that not every elder goes into a power at once.

    An eager player claims tiles where he can, which makes games end by a last camel.
    """
    if state.stage is Stage.MOVE and random.random() < 0.5:
        options = tuple(option for option in options if isinstance(option, Lift)) or options
    if eager:
        options = tuple(option for option in options if _claims(state, option)) or options
    return options[int(random.random() * len(options))]


def _claims(state: GameState, option: Action) -> bool:
    """Whether an action empties a tile without a camel, or is likely to lead there."""
    match option:
        case Lift():
            return sum(state.position.board[option.square].meeples) <= 2
        case Drop() if state.progress.hand is not None and sum(state.progress.hand.left) == 1:
            tile = state.position.board[option.square]
            return tile.camel is None and sum(tile.meeples) == tile.meeples[option.tribe]
        case ActTribe() if option.choice.victim is not None and option.choice.victim.square is not None:
            tile = state.position.board[option.choice.victim.square]
            return tile.camel is None and sum(tile.meeples) == len(option.choice.victims)
        case UsePower():
            return option.paid.djinn in ("Leta", "Utug")
        case _:
            return False


@dataclass
class Ledger:
    """What must be where, by what was announced."""

    state: GameState
    bag: list[int] = field(default_factory=lambda: [0] * len(Tribe))
    deck: int = sum(CARD_COUNTS.values()) - 9
    gold: Counter[Colour] = field(default_factory=Counter)
    paid: list[str] = field(default_factory=list)
    must_end: bool = False
    last_discards: int = 0

    def __post_init__(self) -> None:
        self.gold = Counter({player.colour: player.gold or 0 for player in self.state.position.players})

    def note(self, before: GameState, action: Action, done: Step) -> None:
        """Book an action."""
        taken = before.progress.taken
        if isinstance(action, ActTribe) and taken is not None and taken.tribe in TO_THE_BAG:
            self.bag[taken.tribe] += taken.count
        for event in done.events:
            self._book(event)
        self.deck -= len(done.drawn.cards)

    def _book(self, event: happened.Event) -> None:
        match event:
            case happened.TurnBegun():
                self.paid.clear()
            case happened.PowerPaid():
                self.bag[Tribe.ELDER] += event.elders
                self.paid.append(event.djinn)
            case happened.DjinnTaken():
                self.bag[Tribe.ELDER] += event.elders
            case happened.AssassinsKilled():
                for victim in event.victims:
                    self.bag[victim.tribe] += 1
            case happened.VictimReaped():
                self.bag[event.victim.tribe] -= event.kept
                self.gold[event.by] += event.gold
            case happened.MeeplesAdded():
                self.bag = [left - added for left, added in zip(self.bag, event.meeples, strict=True)]
            case happened.BuildersPaid() | happened.IncomeMultiplied():
                self.gold[event.by] += event.gold
            case happened.GoodsSold():
                self.gold[event.by] += event.price
            case happened.CardsTaken():
                self.gold[event.by] -= event.price
            case happened.BidPlaced():
                self.gold[event.by] -= event.paid
            case happened.DjinnPaid():
                self.gold[event.to] += event.gold
            case happened.MoveSkipped():
                self.must_end = True
            case happened.DeckRemade(deck="resource"):
                assert self.deck == 0
                self.deck = self.last_discards
            case _:
                pass


def check(ledger: Ledger, before: GameState, action: Action, done: Step) -> None:
    """Every promise, after one action."""
    state = done.state
    position = state.position
    ledger.last_discards = len(before.position.discards or ())
    if any(isinstance(event, happened.DeckRemade) for event in done.events):
        ledger.last_discards += sum(
            event.fakirs for event in done.events if isinstance(event, (happened.PowerPaid, happened.AssassinsKilled))
        )
    ledger.note(before, action, done)
    in_hand = [0] * len(Tribe)
    if state.progress.hand is not None:
        in_hand = list(state.progress.hand.left)
    if state.stage is Stage.TRIBE or (state.stage is Stage.KEEP and state.progress.resume is Stage.TRIBE):
        assert state.progress.taken is not None
        in_hand[state.progress.taken.tribe] += state.progress.taken.count
    kept = {Tribe.VIZIER: "viziers", Tribe.ELDER: "elders"}
    for tribe in Tribe:
        standing = sum(tile.meeples[tribe] for tile in position.board)
        front = sum(getattr(player, kept[tribe]) for player in position.players) if tribe in kept else 0
        assert ledger.bag[tribe] >= 0, "11.11"
        assert standing + front + in_hand[tribe] + ledger.bag[tribe] == MEEPLE_COUNTS[tribe], "1.2"
    _check_cards(ledger, state)
    _check_djinns(state)
    assert sum(tile.palms for tile in position.board) <= PALMS, "1.3"
    assert sum(tile.palaces for tile in position.board) <= PALACES, "1.3"
    for player in position.players:
        assert player.gold == ledger.gold[player.colour] >= 0, "3.4, 6.3"
        assert min(player.viziers, player.elders, player.fakirs, *player.goods) >= 0, "11"
        placed = sum(tile.camel is player.colour for tile in position.board)
        assert placed <= camels_in_box(player.colour, len(position.players)), "1.5"
        ledger.must_end = ledger.must_end or placed == camels_in_box(player.colour, len(position.players))
    for square in range(SQUARES):
        old = before.position.board[square].camel
        assert old is None or position.board[square].camel is old, "4.8"
    assert len(ledger.paid) == len(set(ledger.paid)), "11"
    _check_end(ledger, before, done)


def _check_cards(ledger: Ledger, state: GameState) -> None:
    position = state.position
    out = Counter((*position.row, *position.discards))
    number = sum(out.values())
    for player in position.players:
        number += player.fakirs + sum(player.goods)
    assert number + ledger.deck == sum(CARD_COUNTS.values()), "1.4"
    assert len(position.row) <= 9, "2.6"


def _check_djinns(state: GameState) -> None:
    everywhere = [*state.position.djinns, *state.djinn_discards, *state.progress.drawn]
    for player in state.position.players:
        everywhere.extend(player.djinns)
    assert len(everywhere) == len(set(everywhere)), "1.5"
    assert len(everywhere) <= 22, "1.5"
    assert len(state.position.djinns) <= 3, "2.7"


def _check_end(ledger: Ledger, before: GameState, done: Step) -> None:
    state = done.state
    begun = [event for event in done.events if isinstance(event, happened.TurnBegun)]
    if begun:
        can_move = next(legal_sowings(state.position.board), None) is not None
        assert (state.stage is Stage.MOVE) is can_move, "4.6, 9.2"
    assert (state.ending is not None) is ledger.must_end, "9.1, 9.2"
    over = ledger.must_end and not before.position.turn_order and state.stage in (Stage.END, Stage.BID)
    assert state.is_over is over, "9.1, 9.2"
    if state.stage is Stage.BID and before.stage is not Stage.BID:
        assert len(state.position.row) == 9 or not (state.position.discards or ledger.deck), "8.1"
        markers = 4 if len(state.position.players) == 2 else len(state.position.players)
        assert len(state.position.bid_order) == markers, "4.1"


def checked_game(players: int, seed: int, *, promo: bool = False) -> Iterator[tuple[GameState, Action, Step]]:
    """Play one random game to its end, checking everything on the way; yields every action with its state before."""
    random = Random(f"{players}/{seed}")
    eager = seed % 4 > 1
    chance = SampledChance(random)
    state = new_game(players, seed, promo=promo)
    ledger = Ledger(state)
    while not state.is_over:
        options = legal_actions(state)
        assert options, "always something to do until the end (4.6, 9.2)"
        action = random_choice(random, state, options, eager=eager)
        done = step(state, action, chance)
        check(ledger, state, action, done)
        yield state, action, done
        state = done.state
    assert not legal_actions(state), "9"
    assert state.ending in Ending, "9"


def main() -> None:
    """Play the number of games named on the command line."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    actions = 0
    endings: Counter[str] = Counter()
    for seed in range(games):
        played = [done for _, _, done in checked_game(2 + seed % 3, seed)]
        actions += len(played)
        endings[str(played[-1].state.ending)] += 1
    print(f"{games} games, {actions} actions, all checks hold; ended by {dict(endings)}")


if __name__ == "__main__":
    main()
