"""Djinns that kill, and those that are paid for kills and victims (rules 5.4, 11.3, 11.4, 11.10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.djinns import DJINNS, PROMO_DJINNS, Cost
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.model.actions import ActTribe, Paid, Sow, UsePower
from companion.rules.model.board import parse_square
from companion.rules.model.components import FAKIR, Tribe
from companion.rules.model.events import AssassinsKilled, DjinnPaid, Victim
from companion.rules.model.state import GameState, Stage, Taken
from tests.rules.tables import (
    BLACK,
    PINK,
    after,
    at_turn,
    owner,
    parse_sowing,
    player,
    scripted,
    tile,
    tribe,
)

ECHIDNA = UsePower(Paid("Echidna", 1, 1))


def with_assassins(*djinns: str, count: int = 1, **tiles: str) -> GameState:
    """Pink has assassins in hand on c3."""
    others = tiles.pop("others", ())
    state = at_turn(owner(*djinns), *others, stage=Stage.TRIBE, **{"c3": "M6", **tiles})
    return replace(state, progress=replace(state.progress, taken=Taken(14, Tribe.ASSASSIN, count)))


def on(name: str, kind: Tribe) -> Victim:
    return Victim(kind, square=parse_square(name))


def test_11_4_kandichas_builder_earns_by_his_own_tile_and_echidna_doubles_it(subtests: pytest.Subtests) -> None:
    for first in [True, False]:
        with subtests.test(first=first):
            state = with_assassins("Kandicha", "Echidna", d3="V5:b", e4="S6", a1="V5")
            kill = tribe(0, on("d3", Tribe.BUILDER))
            done = after(state, ECHIDNA, kill) if first else after(state, kill, ECHIDNA)
            assert done.player(PINK).gold == 54


# Iblis


IBLIS = Paid("Iblis", 0, 1)


def test_11_iblis_kills_two_on_one_tile() -> None:
    state = with_assassins("Iblis", d3="M4:yg", e3="M6:b")
    done = step(state, tribe(0, on("d3", Tribe.VIZIER), on("d3", Tribe.MERCHANT), IBLIS))
    assert tile(done.state, "d3") == "M4@P"
    assert done.state.player(PINK).fakirs == 1


def test_11_iblis_kills_two_in_front_of_one_opponent() -> None:
    state = with_assassins("Iblis", others=(player(BLACK, viziers=1, elders=2),))
    front = [Victim(kind, owner=BLACK) for kind in (Tribe.VIZIER, Tribe.ELDER)]
    pairs = {action.choice.victims for action in legal_actions(state) if action.choice.helper == IBLIS}
    assert pairs == {(front[0], front[1]), (front[1], front[1])}
    done = after(state, tribe(0, *front, IBLIS))
    assert (done.player(BLACK).viziers, done.player(BLACK).elders) == (0, 1)


def test_11_iblis_not_one_here_and_one_there() -> None:
    state = with_assassins("Iblis", d3="M4:y", b3="M4:g")
    with pytest.raises(IllegalMoveError, match=r"two meeples on one tile.*11\.10"):
        apply(state, tribe(0, on("d3", Tribe.VIZIER), on("b3", Tribe.MERCHANT), IBLIS))


def test_11_10_iblis_kills_one_where_one_is_and_two_where_two_are() -> None:
    state = with_assassins("Iblis", d3="M4:y", b3="M4:gg")
    after(state, tribe(0, on("d3", Tribe.VIZIER), None, IBLIS))
    with pytest.raises(IllegalMoveError, match=r"rules 11, 11\.10"):
        apply(state, tribe(0, on("b3", Tribe.MERCHANT), None, IBLIS))


def test_5_4_without_iblis_exactly_one_is_killed() -> None:
    with pytest.raises(IllegalMoveError, match=r"exactly one meeple \(rules 5\.4\)"):
        apply(with_assassins(b3="M4:gg"), tribe(0, on("b3", Tribe.MERCHANT), on("b3", Tribe.MERCHANT)))


def test_5_4_no_fakirs_for_a_kill_in_front() -> None:
    state = with_assassins(others=(player(BLACK, viziers=1),))
    with pytest.raises(IllegalMoveError, match=r"rules 5\.4"):
        apply(state, tribe(1, Victim(Tribe.VIZIER, owner=BLACK)))


def test_11_iblis_boaz_guards_from_it_too() -> None:
    state = with_assassins("Iblis", d3="M4:y", others=(player(BLACK, viziers=2, djinns=("Boaz",)),))
    killed = {victim for action in legal_actions(state) for victim in action.choice.victims}
    assert killed == {on("d3", Tribe.VIZIER)}


def test_11_3_nekir_pays_once_for_two_and_kandicha_for_each() -> None:
    state = with_assassins("Iblis", "Kandicha", d3="V5:bb", others=(player(BLACK, djinns=("Nekir",)),))
    done = step(state, tribe(0, on("d3", Tribe.BUILDER), on("d3", Tribe.BUILDER), IBLIS))
    assert [event for event in done.events if isinstance(event, DjinnPaid)] == [DjinnPaid(PINK, "Nekir", BLACK, 2)]
    assert sum(isinstance(event, AssassinsKilled) for event in done.events) == 1
    assert (done.state.player(PINK).gold, done.state.player(BLACK).gold) == (52, 52)


def test_11_3_kandicha_draws_a_card_for_each_merchant() -> None:
    state = with_assassins("Iblis", "Kandicha", d3="M4:gg")
    done = step(state, tribe(0, on("d3", Tribe.MERCHANT), on("d3", Tribe.MERCHANT), IBLIS), scripted(["fakir", None]))
    assert (done.state.player(PINK).fakirs, done.state.hidden, done.drawn.cards) == (2, (0, 1), (FAKIR, None))


# The promo djinn


def test_promo_dhenim_pays_for_each_vizier_from_the_board(subtests: pytest.Subtests) -> None:
    for mover, gold in [(PINK, 3), (BLACK, 6)]:
        with subtests.test(mover=mover):
            state = at_turn(owner("Dhenim"), mover=mover, waiting=(), a5="M6:y", b5="M6:yy")
            state = replace(state, promo=True)
            done = after(state, Sow(parse_sowing("a5>b5y")), ActTribe())
            assert done.player(PINK).gold == 50 + gold


def test_promo_dhenim_pays_for_viziers_killed_on_tiles_and_kept_but_not_in_front() -> None:
    state = with_assassins("Dhenim", "Kandicha", d3="M4:y", others=(player(BLACK, viziers=1),))
    assert after(state, tribe(0, on("d3", Tribe.VIZIER))).player(PINK).gold == 51
    assert after(state, tribe(0, Victim(Tribe.VIZIER, owner=BLACK))).player(PINK).gold == 50


def test_promo_dhenim_is_in_the_game_by_choice_alone() -> None:
    assert "Dhenim" not in DJINNS
    dhenim = PROMO_DJINNS["Dhenim"]
    assert (dhenim.vp, dhenim.cost) == (6, Cost.NONE)
