"""What a bot is shown: everything on the table, and of others' hands only what they took in the open (rules 12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from companion.arena.referee import note_unseen, seen_by
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, ActTribe, EndTurn, Paid, Sell, TribeChoice, UsePower
from companion.rules.model.chance import Drawn, SampledChance, ScriptedChance
from companion.rules.model.components import FAKIR, GOODS, Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage, Taken, TurnProgress

BLUE, PINK = Colour.BLUE, Colour.PINK


def _turn(fakirs: int = 0, goods: tuple[int, ...] = (0,) * len(GOODS), djinns: tuple[str, ...] = ()) -> GameState:
    """Blue to close his turn, with these holdings."""
    state = new_game(2, 5)
    player = replace(state.player(BLUE), fakirs=fakirs, goods=goods, djinns=djinns)
    position = replace(state.position, to_move=BLUE, bid_order=(BLUE,), turn_order=()).with_player(player)
    return replace(state, position=position, stage=Stage.CLOSE)


def _goods(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(name, 0) for name in GOODS)


def _draw(state: GameState, card: str) -> tuple[GameState, dict[Colour, Counter[str]]]:
    done = step(state, UsePower(Paid("Sloar", 0, 1)), ScriptedChance(Drawn((card,))))
    return done.state, note_unseen({}, state, done)


def test_a_card_that_sloar_draws_is_known_to_its_owner_alone() -> None:
    state, unseen = _draw(_turn(fakirs=2, goods=_goods(fish=1), djinns=("Sloar",)), "fish")
    assert state.player(BLUE).goods == _goods(fish=2)
    assert unseen == {BLUE: Counter(fish=1)}
    assert seen_by(state, BLUE, unseen) == state
    shown = seen_by(state, PINK, unseen)
    assert shown.player(BLUE).goods == _goods(fish=1)
    assert shown.hidden == (1, 0)
    assert replace(shown, hidden=state.hidden, position=shown.position.with_player(state.player(BLUE))) == state


def test_a_card_that_kandicha_draws_is_hidden() -> None:
    state = _turn(djinns=("Kandicha",))
    tile = replace(state.position.board[8], meeples=(0, 0, 0, 1, 0))
    board = (*state.position.board[:8], tile, *state.position.board[9:])
    state = replace(
        state,
        position=state.position.with_board(board),
        stage=Stage.TRIBE,
        progress=TurnProgress(taken=Taken(8, Tribe.ASSASSIN, 2)),
    )
    done = step(state, ActTribe(TribeChoice(0, Victim(Tribe.MERCHANT, square=8))), ScriptedChance(Drawn(("ivory",))))
    unseen = note_unseen({}, state, done)
    assert unseen == {BLUE: Counter(ivory=1)}
    assert seen_by(done.state, PINK, unseen).player(BLUE).goods == _goods()


def test_seen_cards_are_sold_first() -> None:
    for held, left in ((2, 1), (1, 0)):
        state = _turn(goods=_goods(fish=held))
        done = step(state, Sell(("fish",)))
        assert note_unseen({BLUE: Counter(fish=1)}, state, done)[BLUE] == Counter(fish=left) + Counter()


def test_cards_that_refill_the_row_are_nobody_s() -> None:
    state = _turn()
    state = replace(state, position=replace(state.position, row=(state.position.row or ())[:4]))
    done = step(state, EndTurn(), SampledChance(Random(1)))
    assert len(done.drawn.cards) == 5
    assert note_unseen({}, state, done) == {}


def test_others_know_of_a_hand_what_left_the_row_and_has_not_been_put_away() -> None:
    players, checked = 3, 0
    for seed in range(6):
        random = Random(100 * players + seed)
        state, chance = new_game(players, seed), SampledChance(random)
        unseen: dict[Colour, Counter[str]] = {}
        seen = {colour: Counter[str]() for colour in state.position.colours}
        while not state.is_over:
            options = _eager(legal_actions(state))
            action = options[int(random.random() * len(options))]
            done = step(state, action, chance)
            if len(done.state.position.discards or ()) < len(state.position.discards or ()):
                break
            if state.mover is not None and not isinstance(action, EndTurn):
                taken = Counter(state.position.row) - Counter(done.state.position.row)
                spent = Counter(done.state.position.discards) - Counter(state.position.discards)
                # Both differences leave out what would be negative: a card spent that nobody saw was no seen one.
                seen[state.mover] = seen[state.mover] + taken - spent
            unseen = note_unseen(unseen, state, done)
            state = done.state
            for colour in state.position.colours:
                view = seen_by(state, colour, unseen)
                assert view.player(colour) == state.player(colour)
                for other, hidden in zip(state.position.players, view.hidden, strict=True):
                    if other.colour is not colour:
                        assert _cards(view, other.colour) == seen[other.colour]
                        assert hidden == _cards(state, other.colour).total() - seen[other.colour].total()
                        checked += hidden > 0
    assert checked > 20


def _cards(state: GameState, colour: Colour) -> Counter[str]:
    player = state.player(colour)
    goods = dict(zip(GOODS, player.goods or (), strict=True))
    return Counter({**goods, FAKIR: player.fakirs or 0}) + Counter()


def _eager(options: tuple[Action, ...]) -> tuple[Action, ...]:
    """Sloar's power where it is to be had, so that cards are drawn."""
    return tuple(one for one in options if isinstance(one, UsePower) and one.paid.djinn == "Sloar") or options
