"""Positions for judging, candidates and playing on: what is judged is what players choose, in worlds alike for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.arena.bots.chance import RandomBot
from companion.arena.bots.greedy import GreedyBot
from companion.errors import UnusableInputError, UsageError
from companion.lab.__main__ import main
from companion.lab.judging.playing import (
    BidChoices,
    PlayOn,
    TurnChoices,
    bid_field,
    final_margins,
    gains,
    judge,
    policy_of,
    turn_field,
    whole_turn,
)
from companion.lab.judging.positions import (
    FIRST_SEED,
    JudgedPosition,
    from_text,
    kept_positions,
    of_kind,
)
from companion.lab.judging.verdicts import (
    ALL,
    Effort,
    Verdict,
    figures,
    figures_table,
    judge_into,
    judged,
    read_verdicts,
)
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.scoring import player_points, score
from companion.rules.model.actions import Action, EndTurn, PlaceBid
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.bridge import sample_worlds
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import STAGE_ID

END = STAGE_ID[Stage.END]
LINES = files("companion.lab.judging").joinpath("positions.txt").read_text(encoding="utf-8")
KEPT = kept_positions()
TURNS = [one for one in KEPT if not one.bidding]
BIDS = [one for one in KEPT if one.bidding]


def stop(batch: Batch) -> None:
    """A policy that counts points as they stand."""
    batch.stage[...] = END


def lucky(batch: Batch) -> None:
    """A policy by which the first seat is given what its world says."""
    batch.gold[0] += batch.world % 20


def greedy(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
    return [GreedyBot().decide(state, seed)]


def first_legal_bid(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
    return [legal_actions(state)[:1]]


def stopping(players: int) -> Mapping[str, PlayOn]:
    return {"stop": stop, "lucky": lucky}


def test_kept_positions_are_of_their_own_seeds_and_of_all_kinds() -> None:
    assert len(TURNS) == len(BIDS) == 120
    assert min(one.seed for one in KEPT) >= FIRST_SEED
    for found in (TURNS, BIDS):
        assert {players: sum(one.players == players for one in found) for players in (2, 3, 4)} == {2: 40, 3: 40, 4: 40}
        shares = [one.decision / one.decisions for one in found]
        assert min(shares) < 0.1
        assert max(shares) > 0.9
        assert 0.4 < sum(shares) / len(shares) < 0.6
    assert {one.state.stage for one in TURNS} == {Stage.MOVE}


def test_lines_that_are_no_positions_are_named() -> None:
    line = next(line for line in LINES.splitlines() if not line.startswith("#"))
    with pytest.raises(UnusableInputError, match="line 1 of the positions"):
        from_text("900000 turn 3")
    with pytest.raises(UnusableInputError, match="seed 7 is below 900000"):
        from_text(line.replace(line.split()[0], "7", 1))
    assert len(of_kind(KEPT, "both", 10)) == 20
    assert all(one.bidding for one in of_kind(KEPT, "bid", 5))
    with pytest.raises(UsageError, match="not 'turns'"):
        of_kind(KEPT, "turns", 5)


def test_gains_are_those_of_the_rules() -> None:
    state = TURNS[4].state
    assert state.mover is not None
    worlds = sample_worlds(state, 3, 1)
    turns = whole_turns(worlds.select([0]))
    best = float(gains(worlds, turns).max())
    after = state
    for action in GreedyBot().decide(state, 0)[:-1]:
        after = apply(after, action, SampledChance(Random(0)))
    gained = player_points(after.position, state.mover) - player_points(state.position, state.mover)
    assert best >= gained


@pytest.mark.parametrize("position", TURNS[:6], ids=lambda one: f"{one.seed}/{one.decision}")
def test_a_field_of_turns_has_the_players_choice_and_rivals(position: JudgedPosition) -> None:
    worlds = sample_worlds(position.state, 8, 1)
    field = turn_field(position.state, worlds, {"one": greedy, "two": greedy}, 1)
    assert field.first["one"] == field.first["two"] == 0
    assert 4 <= len(field.choices) <= 12
    columns = {column.tobytes() for column in field.choices.turns.data.T}
    assert len(columns) == len(field.choices)


def test_a_field_of_bids_has_all_that_are_legal() -> None:
    position = BIDS[3]
    field = bid_field(position.state, sample_worlds(position.state, 2, 1), {"first": first_legal_bid}, 1)
    legal = [action for action in legal_actions(position.state) if isinstance(action, PlaceBid)]
    listed = sorted(zip(field.choices.prices.tolist(), field.choices.fakirs.tolist(), strict=True))
    assert listed == sorted((bid.price, bid.fakirs) for bid in legal)
    chosen = field.first["first"]
    assert (int(field.choices.prices[chosen]), int(field.choices.fakirs[chosen])) == (legal[0].price, legal[0].fakirs)


def test_a_turn_that_stops_at_a_draw_is_played_to_its_end() -> None:
    state = TURNS[0].state
    sown = GreedyBot().decide(state, 0)[:1]
    whole = whole_turn(state, sown, 0, GreedyBot().decide)
    assert tuple(whole[:1]) == tuple(sown)
    assert isinstance(whole[-1], EndTurn)


def test_margins_of_a_turn_are_those_of_the_rules() -> None:
    """Played on by nobody: points just after the turn, as the readable engine counts them."""
    state = TURNS[1].state
    assert state.mover is not None
    worlds = sample_worlds(state, 4, 1)
    field = turn_field(state, worlds, {"greedy": greedy}, 1)
    found = final_margins(worlds, field.choices, [0], np.arange(4), [stop])
    after = state
    for action in whole_turn(state, greedy(state, 1)[0], 1, GreedyBot().decide)[:-1]:
        after = apply(after, action, SampledChance(Random(1)))
    totals = {colour: one.total for colour, one in score(after.position).items()}
    others = max(total for colour, total in totals.items() if colour is not state.mover)
    assert found.tolist() == [[totals[state.mover] - others] * 4]


def test_bids_are_paid_and_policies_take_turns_in_pairs() -> None:
    state = replace(BIDS[0].state)
    worlds = sample_worlds(state, 8, 1)
    seat = int(worlds.mover[0])
    choices = BidChoices(np.array([0, 3], dtype=np.int16), np.zeros(2, dtype=np.int16))

    def mark(batch: Batch) -> None:
        batch.gold[seat] += 100

    found = final_margins(worlds, choices, [1, 0], np.arange(8), [stop, mark])
    assert policy_of(8, 2).tolist() == [0, 0, 1, 1, 0, 0, 1, 1]
    assert (found[1] - found[0]).tolist() == [3] * 8
    assert (found[0][2] - found[0][0], found[0][1] - found[0][0], found[0][6] - found[0][2]) == (100, 0, 0)


def test_screening_keeps_the_best_and_the_judged_and_uses_other_worlds() -> None:
    state = TURNS[2].state
    worlds = sample_worlds(state, 12, 1)
    turns = whole_turns(worlds.select([0])).select(list(range(30)))
    seen: list[set[int]] = []

    def watch(batch: Batch) -> None:
        seen.append(set(batch.world.tolist()))
        stop(batch)

    result = judge(worlds, TurnChoices(turns), [7], [watch], screening=4, keep=3)
    assert 7 in result.numbers
    assert set(np.argsort(-result.screened, kind="stable")[:3].tolist()) <= set(result.numbers)
    assert result.margins.shape == (len(result.numbers), 8)
    assert not seen[0] & seen[-1]


def test_players_search_in_other_worlds_than_they_are_judged_in() -> None:
    """Else the luck by which a turn was chosen would speak for it again, and its regret come out too small."""
    searched: set[int] = set()
    played: set[int] = set()

    def searching(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
        searched.update(sample_worlds(state, 100, seed).world.tolist())
        return greedy(state, seed)

    def watching(batch: Batch) -> None:
        played.update(batch.world.tolist())
        stop(batch)

    judged(TURNS[3], {"searching": searching}, lambda players: {"watching": watching}, Effort(24, 8))
    assert len(searched) == 100
    assert len(played) == 32
    assert not searched & played


def test_a_player_of_the_best_has_no_regret_and_of_the_worst_has() -> None:
    """By points just after the turn alone, the greedy turn is the best there is, whatever the luck."""

    numbers = Random(1)

    def random(state: GameState, seed: int) -> Sequence[Sequence[Action]]:
        def rest(now: GameState, _: int) -> Sequence[Action]:
            return RandomBot().decide(now, int(numbers.random() * 10**9))

        return [whole_turn(state, (), seed, rest)]

    regrets = [
        {
            one.player: one.regret
            for one in judged(position, {"greedy": greedy, "random": random}, stopping, Effort(12, 4))
        }
        for position in TURNS[6:14]
    ]
    assert sum(one["greedy"] for one in regrets) / len(regrets) < 1.5
    assert sum(one["random"] for one in regrets) > sum(one["greedy"] for one in regrets) + 20


def judge_by(names: tuple[str, ...]) -> Callable[[JudgedPosition], list[Verdict]]:
    """What judges players who all bid the same, soon."""

    def judge_one(position: JudgedPosition) -> list[Verdict]:
        return judged(position, dict.fromkeys(names, first_legal_bid), stopping, Effort(8, 4, 2))

    return judge_one


def test_verdicts_are_kept_and_not_made_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "verdicts.csv"
    said: list[str] = []

    def run(chosen: Sequence[JudgedPosition]) -> list[Verdict]:
        return judge_into(table, chosen, ["first"], judge_by, said.append)

    first = run(BIDS[:2])
    assert len(said) == 2
    assert {one.judge for one in first} == {ALL, "stop", "lucky"}
    assert read_verdicts(table) == first
    assert run(BIDS[:3])[: len(first)] == first
    assert len(said) == 3
    assert main(["regret", str(table)]) == 0
    shown = capsys.readouterr().out
    assert shown.strip() == figures_table(read_verdicts(table)).strip()
    assert "| first | all | bids, all games | 3 |" in shown
    assert next(figures(first)).positions == 2


def test_players_are_judged_where_a_table_lacks_them(tmp_path: Path) -> None:
    table = tmp_path / "verdicts.csv"
    said: list[str] = []
    judge_into(table, BIDS[:2], ["one"], judge_by, said.append)
    judge_into(table, BIDS[1:2], ["two"], judge_by, said.append)
    said.clear()
    found = judge_into(table, BIDS[:3], ["one", "two"], judge_by, said.append)
    assert found == read_verdicts(table)
    judged_at = [(one.game, one.decision, one.player) for one in found if one.judge == ALL]
    assert sorted(judged_at) == sorted((one.seed, one.decision, name) for one in BIDS[:3] for name in ("one", "two"))
    assert [line.partition(",")[0] for line in said] == ["2 of 3", "3 of 3"]


def test_a_table_that_was_only_begun_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "verdicts.csv"

    def broken_off(names: tuple[str, ...]) -> Callable[[JudgedPosition], list[Verdict]]:
        def judge_one(position: JudgedPosition) -> list[Verdict]:
            # What whoever is stopped now leaves behind.
            begun.append(table.read_text(encoding="utf-8"))
            return judge_by(names)(position)

        return judge_one

    begun: list[str] = []
    first = judge_into(table, BIDS[:1], ["one"], broken_off, begun.append)
    assert begun[0].startswith("game,players,kind,") and len(begun[0].splitlines()) == 1
    for left in ("", begun[0]):
        table.write_text(left, encoding="utf-8")
        assert read_verdicts(table) == []
        assert judge_into(table, BIDS[:1], ["one"], judge_by, begun.append) == first == read_verdicts(table)


def test_figures_are_the_same_in_whatever_order_positions_were_judged() -> None:
    table = Path(__file__).resolve().parents[3] / "docs" / "judging.csv"
    verdicts = read_verdicts(table)
    mixed = Random(3).sample(verdicts, len(verdicts))
    assert sorted(figures_table(mixed).splitlines()) == sorted(figures_table(verdicts).splitlines())


def test_tables_that_are_none_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "other.csv"
    table.write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["regret", str(table)]) == 4
    assert f"{table}: no verdicts" in capsys.readouterr().err
    assert main(["regret", str(tmp_path / "none.csv")]) == 4
    assert "cannot be read" in capsys.readouterr().err
