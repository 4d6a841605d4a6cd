"""States laid out in batches and back, and the decks that a world draws (rules 1.4, 8.1, 12)."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.rules.engine.setup import new_game
from companion.rules.model.components import CARD_COUNTS, Tribe
from companion.rules.model.position import Phase
from companion.rules.model.state import GameState, Stage, Taken, TurnProgress
from companion.simulation.bridge import pack, unpack
from companion.simulation.layout import CARDS, DJINN_ID, DJINN_NAMES, NONE, TILE_VP
from tests.rules.random_games import checked_game
from tests.simulation.beside import canonical


def states_of(players: int, seed: int, *, promo: bool = False) -> list[GameState]:
    """All states of a random game in which no hand is on its way."""
    played = list(checked_game(players, seed, promo=promo))
    states = [played[0][0], *(done.state for _, _, done in played)]
    return [state for state in states if state.stage is not Stage.SOW]


@pytest.mark.parametrize(("players", "promo"), [(2, False), (3, True), (4, False)])
def test_every_state_of_a_game_comes_back_as_it_was(players: int, promo: bool) -> None:
    states = states_of(players, 5, promo=promo)
    batch = pack(states, range(len(states)))
    for lane, state in enumerate(states):
        assert unpack(batch, lane, states[0]) == canonical(state)


def test_a_turn_interrupted_to_keep_a_djinn_comes_back_as_it_was() -> None:
    drawn = ("Utug", "Al-Amin", "Leta")
    for resume, taken in ((Stage.TILE, Taken(7, Tribe.ELDER, 3)), (Stage.CLOSE, None)):
        progress = TurnProgress(used=("Sibittis",), taken=taken, drawn=drawn, resume=resume, income=12, factor=2)
        start = new_game(4, 5)
        position = replace(start.position, djinns=(), phase=Phase.TURN, to_move=start.position.players[1].colour)
        state = replace(start, position=position, stage=Stage.KEEP, progress=progress)
        batch = pack([state], [0])
        assert unpack(batch, 0, state) == state
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


def test_a_world_has_one_order_of_the_decks_and_each_world_its_own() -> None:
    state = new_game(3, 1)
    batch = pack([state] * 3, [7, 8, 7])
    assert (batch.deck[:, 0] == batch.deck[:, 2]).all()
    assert (batch.deck[:, 0] != batch.deck[:, 1]).any()
    assert (batch.djinn_deck[:, 0] != batch.djinn_deck[:, 1]).any()


def test_every_card_is_as_likely_on_top() -> None:
    state = new_game(4, 4)
    worlds = 4000
    batch = pack([state] * worlds, range(worlds))
    left = Counter(CARD_COUNTS)
    left.subtract(state.position.row or ())
    top = Counter(CARDS[card] for card in batch.deck[0])
    for card, count in left.items():
        expected = worlds * count / left.total()
        assert abs(top[card] - expected) < 5 * np.sqrt(expected) + 1


def test_hidden_cards_are_neither_in_the_deck_nor_in_a_hand() -> None:
    state = replace(new_game(3, 1), hidden=(2, 0, 1))
    batch = pack([state], [1])
    assert int(batch.deck_size[0]) == 54 - 9 - 3
    assert int(batch.cards.sum()) == 0
    assert unpack(batch, 0, state).hidden == (2, 0, 1)


def test_the_promo_djinn_is_in_the_deck_only_by_choice() -> None:
    with_promo, without = pack([new_game(2, 1, promo=True)], [1]), pack([new_game(2, 1)], [1])
    assert DJINN_ID["Dhenim"] not in without.djinn_deck
    assert DJINN_ID["Dhenim"] in (*with_promo.djinn_deck[:, 0], *with_promo.face_up[:, 0])


def test_what_follows_from_the_tiles_is_filled_in() -> None:
    state = new_game(2, 3)
    batch = pack([state], [0])
    assert batch.tile_vp[:, 0].tolist() == [tile.kind.vp for tile in state.position.board]
    assert (TILE_VP[batch.kind] == batch.tile_vp).all()
    assert int(batch.blue_around[0, 0]) == sum(state.position.board[square].kind.blue for square in (0, 1, 6, 7))
    assert batch.camels[:, 0].tolist() == [11, 11, 0, 0]


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
