"""Turns of a batch as actions of the rules."""

from __future__ import annotations

from companion.rules.model.actions import (
    ActTile,
    ActTribe,
    EndTurn,
    Paid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import Stage
from companion.simulation.layout import DJINN_ID, STAGE_ID
from companion.simulation.turn_actions import turns_to_actions
from companion.simulation.turns import VICTIM_IN_FRONT, Turns
from tests.rules.tables import BLACK, PINK, at_turn, player
from tests.simulation.roots import rooted

A1, A2, B1 = parse_square("a1"), parse_square("a2"), parse_square("b1")


def turn(tribe: Tribe, **decided: int | tuple[int, ...]) -> Turns:
    """A turn from a1 to a2 with a single meeple."""
    turns = Turns.blank(1)
    turns.start[:], turns.length[:] = A1, 1
    turns.path[0], turns.drops[0] = A2, tribe
    for name, value in decided.items():
        getattr(turns, name)[..., 0] = value
    return turns


def test_a_turn_is_sowing_tribe_tile_and_its_end() -> None:
    state = at_turn(player(PINK, fakirs=2), a1="M6:b", a2="V5:b")
    actions, open_ended = turns_to_actions(rooted(state), turn(Tribe.BUILDER, fakirs=2), 0, state)
    assert actions == (
        Sow(Sowing(A1, (A2,), (Tribe.BUILDER,))),
        ActTribe(TribeChoice(2)),
        ActTile(TileChoice()),
        EndTurn(),
    )
    assert not open_ended


def test_11_10_two_victims_are_paid_for() -> None:
    state = at_turn(player(PINK, elders=1, djinns=("Iblis",)), player(BLACK, viziers=2), a1="M6:r", a2="V5:r")
    front = VICTIM_IN_FRONT + 0
    turns = turn(Tribe.ASSASSIN, victim=(front, front), victim_tribe=(0, 0), iblis=0)
    actions, _ = turns_to_actions(rooted(state), turns, 0, state)
    vizier = Victim(Tribe.VIZIER, owner=BLACK)
    assert actions[1] == ActTribe(TribeChoice(0, vizier, vizier, Paid("Iblis", 1, 0)))


def test_11_5_a_diversion_names_the_djinn_that_diverts() -> None:
    state = at_turn(player(PINK, fakirs=1, djinns=("Lamia",)), a1="M6:y", a2="O8:y", b1="M6@P")
    actions, _ = turns_to_actions(rooted(state), turn(Tribe.VIZIER, divert=1, onto=B1), 0, state)
    assert actions[2] == ActTile(TileChoice(helper=Paid("Lamia", 0, 1), onto=B1))


def test_powers_come_in_their_stages_and_sales_last() -> None:
    state = at_turn(player(PINK, elders=5, djinns=("Bouraq", "Utug")), a1="M6:y", a2="M6:y", b1="V5:b")
    turns = turn(Tribe.VIZIER, sale=(0b101, 0, 0))
    turns.power[:2, 0] = DJINN_ID["Utug"], DJINN_ID["Bouraq"]
    turns.power_when[:2, 0] = STAGE_ID[Stage.MOVE], STAGE_ID[Stage.CLOSE]
    turns.power_square[:2, 0] = B1, B1
    actions, _ = turns_to_actions(rooted(state), turns, 0, state)
    assert actions[0] == UsePower(Paid("Utug", 2, 0), B1)
    assert actions[4:] == (UsePower(Paid("Bouraq", 1, 0), B1), Sell(("ivory", "gold")), EndTurn())


def test_12_2_nothing_is_told_after_a_draw_that_nobody_has_seen() -> None:
    state = at_turn(player(PINK, fakirs=1, djinns=("Sloar",)), a1="M6:y", a2="M6:y")
    turns = turn(Tribe.VIZIER, sale=(1, 0, 0))
    turns.power[0, 0], turns.power_when[0, 0] = DJINN_ID["Sloar"], STAGE_ID[Stage.CLOSE]
    turns.power_fakirs[0, 0] = 1
    actions, open_ended = turns_to_actions(rooted(state), turns, 0, state)
    assert open_ended
    assert actions[-1] == UsePower(Paid("Sloar", 0, 1))


def test_a_merchant_killed_by_kandichas_owner_draws_a_card() -> None:
    state = at_turn(player(PINK, djinns=("Kandicha",)), a1="M6:r", a2="M6:r", b1="M6:g")
    actions, open_ended = turns_to_actions(
        rooted(state), turn(Tribe.ASSASSIN, victim=(B1, -1), victim_tribe=(Tribe.MERCHANT, -1)), 0, state
    )
    assert open_ended
    assert actions[-1] == ActTribe(TribeChoice(0, Victim(Tribe.MERCHANT, square=B1)))
