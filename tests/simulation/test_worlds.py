"""Worlds are whole games that fit what was seen, the same for the same seed (rules 12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.advisor.search.assume import table_state
from companion.notation.files import parse_position
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.legality import check_position
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.components import CARD_COUNTS
from companion.rules.model.position import Position
from companion.simulation.bridge import unpack
from companion.simulation.layout import CARD_ID, CARDS, DJINN_NAMES
from companion.simulation.worlds import WORLD_IDS, WorldSupply, sample_worlds, world_ids

MID = Path(__file__).resolve().parents[2] / "samples" / "mid.toml"


def test_ids_are_distinct_and_others_for_another_seed() -> None:
    ids = world_ids(3000, 1)
    assert len(set(ids)) == 3000
    assert world_ids(10, 1) == ids[:10]
    assert min(ids) >= 0 and max(ids) < WORLD_IDS
    assert len(set(world_ids(600, 2)) & set(ids[:600])) < 60
    with pytest.raises(ValueError, match="different worlds"):
        world_ids(WORLD_IDS + 1, 0)


@pytest.mark.parametrize("whole", [True, False])
def test_the_same_seed_gives_the_same_worlds(whole: bool) -> None:
    state = new_game(3, 2) if whole else table_state(Position(random_setup(2, 1).board)).state
    worlds = sample_worlds(state, 12, 5)
    assert len(worlds) == 12
    assert np.array_equal(worlds.data, sample_worlds(state, 12, 5).data)
    assert np.array_equal(worlds.data[:, :4], sample_worlds(state, 4, 5).data)
    assert not np.array_equal(worlds.deck, sample_worlds(state, 12, 6).deck)
    assert len({tuple(deck) for deck in worlds.deck.T.tolist()}) == 12


def test_a_known_game_is_the_same_in_all_worlds_but_for_the_decks() -> None:
    state = table_state(parse_position(MID.read_text(encoding="utf-8"))).state
    worlds = sample_worlds(state, 5, 0)
    for lane in range(5):
        shown = unpack(worlds, lane, state)
        position = replace(shown.position, discards=state.position.discards)
        assert Counter(shown.position.discards) == Counter(state.position.discards)
        assert replace(shown, position=position) == state


def test_decks_hold_what_lies_nowhere_else_in_any_order() -> None:
    """Rules 2.6, 2.7, 12: 20 cards on top, each as likely as it is among those not seen."""
    state = new_game(4, 8)
    left = Counter(CARD_COUNTS)
    left.subtract(state.position.row)
    count = 3000
    worlds = sample_worlds(state, count, 1)
    size = 54 - 9
    assert set(worlds.deck_size.tolist()) == {size}
    for lane in range(50):
        assert Counter(CARDS[card] for card in worlds.deck[:size, lane]) == +left
    for place in (0, 7, size - 1):
        drawn = np.bincount(worlds.deck[place], minlength=len(CARDS))
        expected = np.array([left[card] * count / size for card in CARDS])
        there = expected > 0
        chi = ((drawn[there] - expected[there]) ** 2 / expected[there]).sum()
        # The chi-square of nine degrees of freedom is above 33.7 once in 10,000 times.
        assert chi < 33.7
        assert not drawn[~there].any()
    djinns = [name for name in DJINNS if name not in state.position.djinns]
    on_top = Counter(DJINN_NAMES[djinn] for djinn in worlds.djinn_deck[0])
    assert set(on_top) == set(djinns)
    assert sum((on_top[name] - count / 19) ** 2 / (count / 19) for name in djinns) < 52.4


def test_worlds_of_a_bare_board_are_legal_and_differ() -> None:
    state = table_state(Position(random_setup(2, 1).board)).state
    worlds = sample_worlds(state, 40, 3)
    rows = set()
    for lane in range(40):
        position = unpack(worlds, lane, state).position
        check_position(position)
        rows.add(position.row)
        held = Counter(position.row)
        held.update(CARDS[card] for card in worlds.deck[: worlds.deck_size[lane], lane])
        assert held == Counter(CARD_COUNTS)
    assert len(rows) == 40


def test_a_row_that_is_not_known_is_drawn_from_all_cards() -> None:
    state = table_state(Position(random_setup(2, 1).board)).state
    rows = sample_worlds(state, 400, 3).row
    fakirs = (rows == CARD_ID["fakir"]).mean()
    assert fakirs == pytest.approx(18 / 54, abs=0.03)


@pytest.mark.parametrize("whole", [True, False], ids=["known", "not known"])
def test_worlds_drawn_when_a_search_comes_to_them_are_those_drawn_at_once(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.simulation.worlds._DRAWN_AT_ONCE", 4)
    state = new_game(3, 2) if whole else table_state(Position(random_setup(2, 1).board)).state
    supply = WorldSupply(state, 5, size=14)
    worlds = sample_worlds(state, 2, 5)
    assert supply.up_to(2, worlds) is worlds
    for count, drawn in ((3, 6), (6, 6), (12, 12), (13, 14), (14, 14)):
        worlds = supply.up_to(count, worlds)
        assert len(worlds) == drawn
    assert np.array_equal(worlds.data, sample_worlds(state, 14, 5).data)
