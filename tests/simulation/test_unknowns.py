"""Unknown things are drawn so that everything fits the box, and what is known stays (rules 1, 12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.advisor.search.assume import table_state
from companion.rules.engine.legality import check_position, problems
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.board import Tile, meeples_on
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, MEEPLE_COUNTS, NO_GOODS, Colour, Tribe
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState
from companion.simulation.unknowns import DIVIDED, is_known, sample_unknowns, surely_held, unknown_parts
from tests.strategies import positions

BLUE, PINK, BLACK, ORANGE = Colour.BLUE, Colour.PINK, Colour.BLACK, Colour.ORANGE


def thinned(seed: int, left: int) -> Position:
    """A bare board of blue and pink with about so many meeples left on it."""
    random = Random(seed)
    setup = random_setup(2, seed)
    share = left / 90
    board = tuple(
        Tile(tile.kind, tuple(sum(random.random() < share for _ in range(number)) for number in tile.meeples))
        for tile in setup.board
    )
    return Position(board, players=(Player(BLUE), Player(PINK)), to_move=BLUE)


def bare(seed: int = 1, left: int = 45) -> GameState:
    return table_state(thinned(seed, left)).state


def accounted(state: GameState) -> Counter[str]:
    """Every card that lies somewhere."""
    position = state.position
    cards = Counter((*position.row, *position.discards))
    for player in position.players:
        cards[FAKIR] += player.fakirs
        cards.update(dict(zip(GOODS, player.goods, strict=True)))
    return cards


@settings(max_examples=50)
@given(positions(), st.integers(0, 99))
def test_what_is_drawn_can_stand_on_a_table_and_what_is_known_stays(position: Position, seed: int) -> None:
    if problems(replace(position, bid_order=None, turn_order=None)):
        return
    table = table_state(position)
    if table.state.is_over:
        return
    world = sample_unknowns(table.state, Random(seed))
    # Two that are not blue and pink share four markers all the same, more than fit the tracks (rules 1.5, 2.1).
    ordinary = len(world.position.players) > 2 or position.colours in ((), (BLUE,), (PINK,), (BLUE, PINK))
    check_position(world.position if ordinary else replace(world.position, bid_order=None, turn_order=None))
    assert is_known(world)
    assert world.stage is table.state.stage
    known, drawn = table.state.position, world.position
    for name in ("board", "row", "djinns", "discards", "bid_order", "turn_order", "to_move"):
        if getattr(known, name) is not None:
            assert getattr(drawn, name) == getattr(known, name)
    for before, after in zip(known.players, drawn.players, strict=True):
        for name in ("colour", "gold", "viziers", "elders", "fakirs", "goods", "djinns"):
            if getattr(before, name) is not None:
                assert getattr(after, name) == getattr(before, name)
    markers = Counter(drawn.bid_order)
    markers.update(bid.colour for bid in drawn.turn_order)
    assert set(markers.values()) == {2 if len(drawn.players) == 2 else 1}


def test_a_known_game_is_left_as_it_is() -> None:
    state = new_game(3, 5)
    assert is_known(state)
    assert sample_unknowns(state, Random(0)) == state
    assert surely_held(state) == state


def test_hidden_cards_come_from_those_seen_nowhere() -> None:
    """Rules 12.2: fakirs and goods in hand that nobody else has seen."""
    setup = random_setup(2, 4)
    # Seventeen fakirs are seen, so that one at most is hidden.
    cards = [card for card, number in CARD_COUNTS.items() for _ in range(number) if card != FAKIR]
    state = replace(start_game(replace(setup, row=(FAKIR,) * 9, discards=(FAKIR,) * 8)), hidden=(2, 0))
    assert unknown_parts(state) == {"blue.hidden"}
    drawn = Counter[str]()
    for seed in range(300):
        world = sample_unknowns(state, Random(seed))
        blue, pink = world.position.players
        assert blue.fakirs + sum(blue.goods) == 2
        assert (pink.fakirs, pink.goods, world.hidden) == (0, NO_GOODS, (0, 0))
        assert blue.fakirs <= 1
        drawn["fakir"] += blue.fakirs
        drawn["fish"] += blue.goods[GOODS.index("fish")]
    in_deck = len(cards) + 1
    assert drawn["fakir"] / 600 == pytest.approx(1 / in_deck, abs=0.025)
    assert drawn["fish"] / 600 == pytest.approx(6 / in_deck, abs=0.06)


def test_few_viziers_and_most_elders_are_in_the_bag() -> None:
    """All 16 viziers and 20 elders have left the board; players are alike."""
    board = tuple(Tile(tile.kind) for tile in random_setup(2, 1).board)
    state = replace(bare(), position=replace(bare().position, board=board))
    worlds = [sample_unknowns(state, Random(seed)).position.players for seed in range(1500)]
    viziers, elders = ([[getattr(one, name) for one in world] for world in worlds] for name in ("viziers", "elders"))
    for found, number, (own, bag) in ((viziers, 16, DIVIDED[Tribe.VIZIER]), (elders, 20, DIVIDED[Tribe.ELDER])):
        share = own / (2 * own + 2 * bag)
        for seat in (0, 1):
            assert sum(one[seat] for one in found) / 1500 == pytest.approx(number * share, rel=0.06)
    # Any number is possible, none and nearly all too.
    assert {min(world) for world in viziers} >= {0, 3, 7}
    assert max(max(world) for world in viziers) > 13


def test_hands_hold_somewhat_more_than_a_card_for_each_merchant_that_is_gone() -> None:
    state = bare(left=20)
    gone = MEEPLE_COUNTS[Tribe.MERCHANT] - meeples_on(state.position.board)[Tribe.MERCHANT]
    in_hands = discarded = 0
    for seed in range(300):
        world = sample_unknowns(state, Random(seed))
        in_hands += sum(player.fakirs + sum(player.goods) for player in world.position.players)
        discarded += len(world.position.discards)
        assert not any(number > CARD_COUNTS[card] for card, number in accounted(world).items())
    assert (in_hands + discarded) / 300 == pytest.approx(1.3 * gone, rel=0.02)
    assert in_hands / (in_hands + discarded) == pytest.approx(0.8, abs=0.03)


def test_djinns_are_more_the_longer_the_game_has_gone_on_and_the_fewer_play() -> None:
    def held(state: GameState) -> float:
        worlds = [sample_unknowns(state, Random(seed)).position for seed in range(300)]
        return sum(len(player.djinns) for world in worlds for player in world.players) / 300

    assert held(table_state(replace(thinned(1, 45), board=random_setup(2, 1).board)).state) == 0
    late = bare(left=15)
    two, gone = held(late) / 2, 1 - sum(meeples_on(late.position.board)) / 90
    assert two == pytest.approx(4 * 1.3 * gone / 2, rel=0.1)
    four = table_state(Position(late.position.board, players=tuple(map(Player, Colour)), to_move=BLUE)).state
    assert held(four) / 4 == pytest.approx(two / 2, rel=0.15)


def test_gold_is_as_at_the_start_while_nothing_has_happened_and_spreads_later() -> None:
    def drawn(state: GameState) -> list[int]:
        return [player.gold for seed in range(200) for player in sample_unknowns(state, Random(seed)).position.players]

    start = table_state(replace(thinned(1, 45), board=random_setup(2, 1).board)).state
    assert set(drawn(start)) == {50}
    late = drawn(bare(left=15))
    assert sum(late) / 400 == pytest.approx(50, abs=4)
    assert min(late) < 30 < 70 < max(late)


def test_a_mover_of_unknown_gold_can_pay_what_is_advised() -> None:
    state = bare(left=5)
    assert min(sample_unknowns(state, Random(seed)).position.player(BLUE).gold for seed in range(300)) >= 24


def test_any_place_in_the_round_is_as_likely() -> None:
    """Rules 3.3, 4.1: nothing is known of the tracks in a game of four."""
    state = table_state(Position(random_setup(4, 1).board, players=tuple(map(Player, Colour)), to_move=PINK)).state
    worlds = [sample_unknowns(state, Random(seed)).position for seed in range(1200)]
    played = Counter(len(world.bid_order) for world in worlds)
    next_ = Counter(bid.colour for world in worlds for bid in world.turn_order[:1])
    assert [played[place] / 1200 for place in (1, 2, 3, 4)] == pytest.approx([0.25] * 4, abs=0.05)
    assert [next_[colour] / 1200 for colour in (BLACK, ORANGE, BLUE)] == pytest.approx([0.25] * 3, abs=0.05)


def test_what_is_surely_held_is_nothing_that_is_not_known() -> None:
    state = replace(bare(), hidden=(1, 2))
    sure = surely_held(state)
    assert is_known(sure)
    blue = sure.position.player(BLUE)
    assert (blue.gold, blue.viziers, blue.elders, blue.fakirs, blue.goods, blue.djinns) == (50, 0, 0, 0, NO_GOODS, ())
    assert (sure.position.row, sure.position.djinns) == ((), ())
