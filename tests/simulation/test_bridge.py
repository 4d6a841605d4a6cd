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
from companion.simulation.layout import CARDS, FAKIR_ID, STAGES
from tests.rules.random_games import random_game
from tests.simulation.twin import assert_same


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


def test_what_is_unknown_is_refused() -> None:
    state = new_game(2, 3)
    with pytest.raises(ValueError, match="row"):
        pack([replace(state, position=replace(state.position, row=None))], [0])
    someone = replace(state.position.players[0], gold=None)
    with pytest.raises(ValueError, match="gold"):
        pack([replace(state, position=state.position.with_player(someone))], [0])
    hand = next(before for before, _, _ in random_game(2, 1) if before.stage is Stage.SOW)
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
