"""Players that are judged: the advisor and bots of the arena, through the command itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.advisor.advice import Budget
from companion.lab.__main__ import main
from companion.lab.judging.players import ADVICE, chooser, policies
from companion.lab.judging.positions import kept_positions
from companion.lab.judging.verdicts import ALL, read_verdicts
from companion.rules.model.actions import EndTurn, PlaceBid
from companion.rules.model.state import Stage
from companion.simulation.bridge import sample_worlds
from companion.simulation.layout import STAGE_ID

TURN = next(one for one in kept_positions() if not one.bidding and one.decision / one.decisions > 0.9)
BID = next(one for one in kept_positions() if one.bidding)


@pytest.mark.parametrize("name", [ADVICE, "greedy"])
def test_players_choose_whole_turns_and_bids(name: str) -> None:
    choose = chooser(name, Budget(200))
    turns = choose(TURN.state, 1)
    assert all(isinstance(turn[-1], EndTurn) for turn in turns)
    assert len(turns) > 1 or name != ADVICE
    assert all(isinstance(action, PlaceBid) for bid in choose(BID.state, 1) for action in bid)


def test_policies_play_to_the_end() -> None:
    for play_on in policies(BID.players).values():
        batch = sample_worlds(BID.state, 3, 1)
        play_on(batch)
        assert set(batch.stage.tolist()) == {STAGE_ID[Stage.END]}


def test_the_command_judges_and_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "verdicts.csv"
    quick = ["judge", str(table), "--player", "greedy", "--kind", "bid", "--playings", "8", "--screening", "2"]
    assert main([*quick, "--count", "1"]) == 0
    assert "| greedy | all | bids, all games | 1 |" in capsys.readouterr().out
    first = read_verdicts(table)
    assert {one.judge for one in first} == {ALL, *policies(2)}
    assert main([*quick, "--count", "2"]) == 0
    assert read_verdicts(table)[: len(first)] == first
    assert "2 of 2, bid of 2" in capsys.readouterr().err
    assert main(["judge", str(table), "--player", "nobody"]) == 2
    assert main(["judge", str(table), "--step", "0"]) == 2
    assert "there is no bot 'nobody'" in capsys.readouterr().err
