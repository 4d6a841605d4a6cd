"""States laid out in batches, the decks that a world draws, and whole worlds (rules 1.4, 8.1, 12)."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.search.assume import table_state
from companion.notation.files import parse_position
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.components import CARD_COUNTS, Tribe
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import GameState, Stage, Taken, TurnProgress
from companion.simulation.bridge import WORLD_IDS, Worlds, pack, sample_worlds, world_ids
from companion.simulation.djinns import DJINN_ID, DJINN_NAMES
from companion.simulation.layout import CARDS, FAKIR_ID, NONE, STAGES
from tests.rules.random_games import checked_game
from tests.simulation.twin import assert_same


def states_of(players: int, seed: int, *, promo: bool = False) -> list[GameState]:
    """All states of a random game in which no hand is on its way."""
    played = list(checked_game(players, seed, promo=promo))
    states = [played[0][0], *(done.state for _, _, done in played)]
    return [state for state in states if state.stage is not Stage.SOW]


def test_every_state_of_a_game_is_laid_out_as_it_is() -> None:
    states = states_of(3, 5, promo=True)[::3]
    batch = pack(states, range(len(states)))
    for lane, state in enumerate(states):
        position, colours = state.position, [player.colour for player in state.position.players]
        assert batch.meeples[:, :, lane].tolist() == [list(tile.meeples) for tile in position.board]
        assert [None if seat < 0 else colours[seat] for seat in batch.camel[:, lane]] == [
            tile.camel for tile in position.board
        ]
        assert (batch.palms[:, lane].tolist(), batch.palaces[:, lane].tolist()) == (
            [tile.palms for tile in position.board],
            [tile.palaces for tile in position.board],
        )
        for seat, player in enumerate(position.players):
            held = (int(batch.gold[seat, lane]), int(batch.viziers[seat, lane]), int(batch.elders[seat, lane]))
            assert held == (player.gold, player.viziers, player.elders)
            assert batch.cards[seat, :, lane].tolist() == [player.fakirs, *player.goods]
            assert {DJINN_NAMES[djinn] for djinn in np.flatnonzero(batch.owns[seat, :, lane])} == set(player.djinns)
        assert [CARDS[card] for card in batch.row[:, lane] if card != NONE] == list(position.row)
        assert [DJINN_NAMES[djinn] for djinn in batch.face_up[:, lane] if djinn != NONE] == list(position.djinns)
        assert [colours[seat] for seat in batch.bid_order[:, lane] if seat != NONE] == list(position.bid_order)
        waiting = zip(batch.turn_seat[:, lane], batch.turn_price[:, lane], strict=True)
        assert [(colours[seat], price) for seat, price in waiting if seat != NONE] == [
            (bid.colour, bid.price) for bid in position.turn_order
        ]
        assert Counter(dict(enumerate(batch.discards[:, lane].tolist()))) == Counter(
            map(CARDS.index, position.discards)
        )
        assert STAGES[batch.stage[lane]] is state.stage
        assert state.is_over or colours[batch.mover[lane]] is state.mover


def test_a_turn_interrupted_to_keep_a_djinn_is_laid_out_too() -> None:
    drawn = ("Utug", "Al-Amin", "Leta")
    progress = TurnProgress(
        used=("Sibittis",), taken=Taken(7, Tribe.ELDER, 3), drawn=drawn, resume=Stage.TILE, income=12
    )
    start = new_game(4, 5)
    position = replace(start.position, djinns=(), phase=Phase.TURN, to_move=start.position.players[1].colour)
    batch = pack([replace(start, position=position, stage=Stage.KEEP, progress=progress)], [0])
    assert [DJINN_NAMES[djinn] for djinn in batch.drawn[:, 0]] == list(drawn)
    assert (batch.end[0], batch.tribe[0], batch.count[0], batch.income[0]) == (7, Tribe.ELDER, 3, 12)
    assert STAGES[batch.resume[0]] is Stage.TILE
    assert np.flatnonzero(batch.used[:, 0]).tolist() == [DJINN_ID["Sibittis"]]
    assert not {DJINN_ID[name] for name in drawn} & set(batch.djinn_deck[:, 0].tolist())


def test_decks_hold_what_lies_nowhere_else() -> None:
    for state in states_of(4, 2)[::7]:
        batch = pack([state], [3])
        seen = Counter((*(state.position.row or ()), *(state.position.discards or ())))
        for player in state.position.players:
            seen.update({"fakir": player.fakirs or 0})
            seen.update(dict(zip(CARDS[1:], player.goods or (), strict=True)))
        size = int(batch.deck_size[0])
        seen.update(CARDS[card] for card in batch.deck[:size, 0])
        assert seen == Counter(CARD_COUNTS)
        assert (batch.deck[size:] == NONE).all()
        djinns = [*(state.position.djinns or ()), *state.djinn_discards, *state.progress.drawn]
        for player in state.position.players:
            djinns += player.djinns or ()
        djinns += [DJINN_NAMES[djinn] for djinn in batch.djinn_deck[: int(batch.djinn_size[0]), 0]]
        assert sorted(djinns) == sorted(DJINN_NAMES[:-1])


def test_hidden_cards_are_neither_in_the_deck_nor_in_a_hand() -> None:
    state = replace(new_game(3, 1), hidden=(2, 0, 1))
    batch = pack([state], [1])
    assert int(batch.deck_size[0]) == 54 - 9 - 3
    assert int(batch.cards.sum()) == 0
    assert batch.hidden[:3, 0].tolist() == [2, 0, 1]


def test_the_promo_djinn_is_in_the_deck_only_by_choice() -> None:
    with_promo, without = pack([new_game(2, 1, promo=True)], [1]), pack([new_game(2, 1)], [1])
    assert DJINN_ID["Dhenim"] not in without.djinn_deck
    assert DJINN_ID["Dhenim"] in (*with_promo.djinn_deck[:, 0], *with_promo.face_up[:, 0])


def test_what_is_unknown_is_refused() -> None:
    state = new_game(2, 3)
    with pytest.raises(ValueError, match="row"):
        pack([replace(state, position=replace(state.position, row=None))], [0])
    someone = replace(state.position.players[0], gold=None)
    with pytest.raises(ValueError, match="gold"):
        pack([replace(state, position=state.position.with_player(someone))], [0])
    hand = next(before for before, _, _ in checked_game(2, 1) if before.stage is Stage.SOW)
    with pytest.raises(ValueError, match="on its way"):
        pack([hand], [0])


def test_a_batch_comes_through_a_pickle_with_its_fields_still_views() -> None:
    batch = pack([new_game(2, 3)], [0])
    assert batch.gold[0, 0] == 50
    again = pickle.loads(pickle.dumps(batch))
    again.gold[0, 0] = 7
    assert int((again.data != batch.data).sum()) == 1
    with pytest.raises(AttributeError, match="no field"):
        batch.colour  # noqa: B018


# Worlds.

MID = Path(__file__).resolve().parents[2] / "samples" / "mid.toml"


def test_ids_are_distinct_and_others_for_another_seed() -> None:
    ids = world_ids(3000, 1)
    assert len(set(ids)) == 3000
    assert world_ids(10, 1) == ids[:10]
    assert min(ids) >= 0 and max(ids) < WORLD_IDS
    assert len(set(world_ids(600, 2)) & set(ids[:600])) < 60
    with pytest.raises(ValueError, match="different worlds"):
        world_ids(WORLD_IDS + 1, 0)


def some_state(*, whole: bool) -> GameState:
    return new_game(3, 2) if whole else table_state(Position(random_setup(2, 1).board)).state


def test_the_same_seed_gives_the_same_worlds() -> None:
    for whole in (True, False):
        state = some_state(whole=whole)
        worlds = sample_worlds(state, 12, 5)
        assert len(worlds) == 12
        assert np.array_equal(worlds.data, sample_worlds(state, 12, 5).data)
        assert np.array_equal(worlds.data[:, :4], sample_worlds(state, 4, 5).data)
        assert not np.array_equal(worlds.deck, sample_worlds(state, 12, 6).deck)
        assert len({tuple(deck) for deck in worlds.deck.T.tolist()}) == 12


def test_a_known_game_is_the_same_in_all_worlds_but_for_the_decks() -> None:
    state = table_state(parse_position(MID.read_text(encoding="utf-8"))).state
    assert_same(sample_worlds(state, 5, 0), range(5), [state] * 5, ["a world"] * 5)


def test_worlds_of_a_bare_board_differ_and_hold_every_card_once() -> None:
    worlds = sample_worlds(some_state(whole=False), 40, 3)
    assert len({tuple(row) for row in worlds.row.T.tolist()}) == 40
    for lane in range(40):
        held = Counter(CARDS[card] for card in (*worlds.row[:, lane], *worlds.deck[: worlds.deck_size[lane], lane]))
        assert held == Counter(CARD_COUNTS)
    rows = sample_worlds(some_state(whole=False), 400, 3).row
    assert (rows == FAKIR_ID).mean() == pytest.approx(18 / 54, abs=0.03)


def test_worlds_drawn_when_a_search_comes_to_them_are_those_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.simulation.bridge._FIRST_WORLDS", 2)
    monkeypatch.setattr("companion.simulation.bridge._MOST_MORE", 4)
    for whole in (True, False):
        state = some_state(whole=whole)
        worlds = Worlds.of(state, 5, size=14)
        for count, drawn in ((2, 2), (3, 4), (4, 4), (5, 8), (11, 12), (13, 14), (14, 14)):
            assert len(worlds.draw_up_to(count)) == drawn
        assert np.array_equal(worlds.drawn.data, sample_worlds(state, 14, 5).data)
