"""Whole turns in a batch: what the readable engine makes of the same actions, with the same luck."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np
import pytest

from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, Drop, EndTurn, KeepDjinn, Lift, Paid, Sell, Sow, Sowing, UsePower
from companion.rules.model.chance import Chance, SampledChance
from companion.rules.model.components import Tribe
from companion.rules.model.state import POWER_STAGES, GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.bridge import pack, unpack
from companion.simulation.from_actions import turn_of
from companion.simulation.layout import DJINN_NAMES, NONE, Index, Ints
from companion.simulation.playing import play_turns
from companion.simulation.turns import LONGEST_HAND, POWERS, SALES, Turns
from tests.rules.tables import PINK
from tests.simulation.acting import join
from tests.simulation.beside import LaneChance, canonical
from tests.simulation.scenes import TOWN, closing, mover, other


@dataclass
class Played:
    """What is left of a turn from some moment on: the state then, the actions, the state before the turn ended."""

    before: GameState
    world: int
    actions: list[Action] = field(default_factory=list)
    after: GameState | None = None

    @property
    def turn(self) -> Turns:
        return turn_of(self.actions, self.before.stage, [player.colour for player in self.before.position.players])

    def has_room(self, action: Action) -> bool:
        """Whether a turn has room for one more such action."""
        most = {UsePower: POWERS, Sell: SALES}.get(type(action), 99)
        return sum(type(other) is type(action) for other in self.actions) < most


def _dearest(drawn: tuple[str, ...]) -> KeepDjinn:
    return KeepDjinn(max(drawn, key=lambda name: EVERY_DJINN[name].vp))


def random_turns(seed: int, games: int) -> list[Played]:
    """Turns of random games, each from a random moment of it on; powers are used more often than chance would."""
    random = Random(seed)
    found: list[Played] = []
    for game in range(games):
        state = new_game(2 + game % 3, random.randrange(10**6), promo=game % 2 > 0)
        chance: Chance = SampledChance(random)
        turn: Played | None = None
        luck = chance
        while not state.is_over:
            if turn is None and state.stage in POWER_STAGES and random.random() < 0.4:
                turn = Played(state, len(found))
                batch = pack([state], [turn.world])
                # A deck that is remade within the turn has no order yet that the rules could be told.
                if min(batch.deck_size[0], batch.djinn_size[0]) < 6:
                    turn = None
                else:
                    luck = LaneChance(batch, 0)
            options = [act for act in legal_actions(state) if turn is None or turn.has_room(act)]
            powers = [act for act in options if isinstance(act, UsePower)]
            if state.stage is Stage.KEEP:
                action: Action = _dearest(state.progress.drawn)
            else:
                action = random.choice(powers if powers and random.random() < 0.4 else options)
            if isinstance(action, EndTurn) and turn is not None:
                turn.after = state
                found.append(turn)
                turn, luck = None, chance
            elif turn is not None:
                turn.actions.append(action)
            state = step(state, action, luck).state
    return found


@pytest.mark.parametrize("seed", range(3))
def test_whole_turns_come_to_the_same(seed: int) -> None:
    played = random_turns(seed, games=6)
    assert len(played) > 100
    batch = pack([one.before for one in played], [one.world for one in played])
    play_turns(batch, np.arange(len(played)), join([one.turn for one in played]))
    for lane, one in enumerate(played):
        assert one.after is not None
        assert unpack(batch, lane, one.before) == canonical(one.after), "; ".join(map(str, one.actions))


def test_lanes_that_are_not_named_stay_as_they_are() -> None:
    played = random_turns(5, games=3)
    batch = pack([one.before for one in played], [one.world for one in played])
    before = batch.data.copy()
    at = np.arange(1, len(played), 2)
    play_turns(batch, at, join([one.turn for one in played[1::2]]))
    assert np.array_equal(batch.data[:, ::2], before[:, ::2])
    for lane in at:
        assert unpack(batch, int(lane), played[lane].before) == canonical(played[lane].after or played[lane].before)


def test_9_2_a_skipped_move_leaves_powers_and_sales() -> None:
    state = closing(mover("Enki", "Sloar"), other(), e3="O8")
    actions: list[Action] = [UsePower(Paid("Enki", 1), 16), UsePower(Paid("Sloar", 0, 1)), Sell(("silk",))]
    batch = pack([state], [3])
    chance = LaneChance(batch, 0)
    play_turns(batch, np.array([0]), turn_of(actions, state.stage, [one.colour for one in state.position.players]))
    for action in actions:
        state = apply(state, action, chance)
    assert unpack(batch, 0, state) == canonical(state)
    assert state.stage is Stage.SELL


def _keep_last(batch: Batch, at: Index) -> Ints:
    return batch.drawn[2, at]


def test_11_sibittis_keeps_the_dearest_or_whom_the_caller_wants() -> None:
    state = closing(mover("Sibittis"), other("Ba'al"), **TOWN)
    turn = join(
        [turn_of([UsePower(Paid("Sibittis", 1, 1))], state.stage, [one.colour for one in state.position.players])] * 40
    )
    worlds = list(range(40))
    batch = pack([state] * 40, worlds)
    drawn = [tuple(DJINN_NAMES[djinn] for djinn in batch.djinn_deck[:3, lane]) for lane in worlds]
    wished = batch.select(worlds)
    play_turns(batch, np.arange(40), turn)
    play_turns(wished, np.arange(40), turn, keep=_keep_last)
    for lane in worlds:
        kept = set(unpack(batch, lane, state).player(PINK).djinns or ()) - {"Sibittis"}
        assert kept == {_dearest(drawn[lane]).djinn}
        assert set(unpack(wished, lane, state).player(PINK).djinns or ()) - {"Sibittis"} == {drawn[lane][2]}


STEPS = Sowing(24, (25,), (Tribe.VIZIER,))


def test_a_sowing_is_the_same_whole_and_step_by_step() -> None:
    whole = turn_of([Sow(STEPS)], Stage.MOVE, [PINK])
    steps = turn_of([Lift(24), Drop(25, Tribe.VIZIER)], Stage.MOVE, [PINK])
    assert np.array_equal(whole.data, steps.data)
    assert (whole.start[0], whole.length[0], whole.path[0, 0], whole.drops[0, 0]) == (24, 1, 25, Tribe.VIZIER)


def test_a_turn_takes_as_many_as_there_is_room_for() -> None:
    actions: list[Action] = [UsePower(Paid("Sloar", 0, 1))] * POWERS
    actions += [Lift(0), *[Drop(1, Tribe.ELDER)] * LONGEST_HAND, *[Sell(("silk",))] * SALES]
    turn = turn_of(actions, Stage.MOVE, [PINK])
    assert (turn.power != NONE).all() and turn.sale.all()
    assert turn.length[0] == LONGEST_HAND
    assert (turn.path == 1).all() and (turn.drops == Tribe.ELDER).all()


@pytest.mark.parametrize(
    ("actions", "what"),
    [
        ([UsePower(Paid("Sloar", 0, 1))] * (POWERS + 1), "4 powers"),
        ([Sell(("silk",))] * (SALES + 1), "3 sales"),
        ([Lift(0), *[Drop(1, Tribe.ELDER)] * 25], "24 steps"),
    ],
)
def test_turns_have_room_for_so_much(actions: list[Action], what: str) -> None:
    with pytest.raises(ValueError, match=f"room for {what}"):
        turn_of(actions, Stage.MOVE, [PINK])
