"""What a seat sees, told at random through whole games: it is always taken, whatever others hold (rules 12.2)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from companion.asking.tapping import tapped_turn
from companion.notation.records.steps import Observation
from companion.rules.engine.decks import cards_known
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.game import legal_actions
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import PlaceBid
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import CARD_COUNTS, COINS_GC, FAKIR, GOODS, Colour
from companion.rules.model.position import Position
from companion.table.games import TableGame, begin_table, bid_placed, ended, open_table, played, refilled
from companion.table.seats import Seat, changed_by_seat, conflicts, visible_game


def other_hands(position: Position, seat: Seat, random: Random) -> Position:
    """The position with other cards and gold in all hands that a seat does not see, as many cards as before."""
    for player in position.players:
        if player.colour is not seat and player.goods is not None:
            cards = [random.choice((FAKIR, *GOODS)) for _ in range(cards_known(player))]
            goods = tuple(cards.count(good) for good in GOODS)
            hand = replace(player, gold=random.randrange(COINS_GC), fakirs=cards.count(FAKIR), goods=goods)
            position = position.with_player(hand)
    return position


def begun(players: int, random: Random) -> TableGame:
    """A game in which everybody has five djinns, fakirs and goods, such as can be had beside what lies open."""
    position = random_setup(players, random.randrange(1000))
    names = [name for name in DJINNS if name not in (position.djinns or ())]
    random.shuffle(names)
    row = position.row or ()
    for place, player in enumerate(position.players):
        goods = tuple(random.randint(0, min(2, CARD_COUNTS[good] - row.count(good))) for good in GOODS)
        hand = replace(player, djinns=tuple(names[5 * place : 5 * place + 5]), gold=150, fakirs=4, goods=goods)
        position = position.with_player(hand)
    return begin_table(position, {}, date="")


def as_seen(game: TableGame, seat: Seat, random: Random) -> TableGame:
    """The game as a seat sees it, which is the same with other hands where it does not look."""
    seen = visible_game(game, seat)
    position = other_hands(game.position, seat, random)
    assert game.playing is not None and seen.state is not None
    state = replace(game.playing.state, position=position)
    twin = visible_game(TableGame(position, replace(game.playing, state=state)), seat)
    assert (twin.position, twin.state) == (seen.position, seen.state)
    return seen


def came(seen: TableGame, random: Random) -> Observation:
    """What may have come in a clean-up by what a seat sees, card after card (rules 8.1)."""
    told = Observation()
    while True:
        try:
            refilled(seen, told)
            return told
        except ChanceNeededError as needed:
            one = random.choice(list(needed.options))
            if needed.wanted == "card":
                told = replace(told, cards=(*told.cards, one))
            else:
                told = replace(told, djinns=(*told.djinns, one))


def turn(seen: TableGame, random: Random) -> str:
    """A turn told by random taps, to its end."""
    taps: list[str] = []
    while True:
        told = tapped_turn(seen, taps)
        if told.line is not None and (told.question is None or random.random() < 0.5):
            return told.line
        assert told.question is not None
        powers = told.question.powers if random.random() < 0.5 else ()
        taps.append(random.choice(powers or told.question.taps or told.question.offered).token)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_all_that_a_seat_can_tell_is_taken(players: int, seed: int) -> None:
    random = Random(f"{players}/{seed}")
    game, told = begun(players, random), 0
    everybody: tuple[Seat, ...] = tuple(Colour)
    assert conflicts(game.position)
    while not game.is_over and told < 40:
        seat = random.choice(everybody) if game.owes_refill else game.mover
        seen = as_seen(game, seat, random)
        if game.owes_refill:
            new = came(seen, random)
            game = changed_by_seat(game, seat, lambda one, new=new: refilled(one, new))  # type: ignore[misc]
        elif game.is_bidding:
            assert seen.state is not None
            bid = random.choice([action for action in legal_actions(seen.state) if isinstance(action, PlaceBid)])
            game = changed_by_seat(game, seat, lambda one, bid=bid: bid_placed(one, bid))  # type: ignore[misc]
        else:
            line = turn(seen, random)
            game = changed_by_seat(game, seat, lambda one, line=line: played(one, line))  # type: ignore[misc]
        told += 1
    again = open_table(game.text)
    assert (again.position, again.state) == (game.position, game.state)


def test_who_sees_all_counts_no_card_as_unseen() -> None:
    game = begun(3, Random(1))
    over = TableGame(ended(game.position))
    assert game.state is not None and game.mover is not None
    seen = [visible_game(game, seat).state for seat in (None, game.mover)]
    assert seen[0] is not None and sum(seen[0].hidden) == sum(game.state.hidden)
    assert seen[1] is not None and sum(seen[1].hidden) > sum(game.state.hidden)
    assert sum(visible_game(over, game.mover).hidden) == 0
