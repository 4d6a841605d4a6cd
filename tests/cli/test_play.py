"""`companion play`: a game typed in, what is on the disk after each line, what is refused, and going on."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import companion
from companion.cli.main import main
from companion.errors import CompanionError
from companion.notation.codes import encode
from companion.notation.files import format_position
from companion.notation.records.lines import BidsLine, RefillLine, TurnLine, format_record, parse_record
from companion.notation.records.replay import Replayed, replay
from companion.notation.records.steps import NO_MOVE, observation_phrase, steps_phrase
from companion.notation.wording import bid_words
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import Sow
from companion.rules.model.components import Colour
from companion.rules.model.state import Stage
from companion.table.playing import is_forced, listed, prompt
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.searched import searching
from tests.notation.recorded_games import random_record

CHECKOUT = Path(companion.__file__).resolve().parents[1]
Typing = Callable[[Iterable[str]], None]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: Patch) -> Path:
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "game.txt"


class Typist(io.StringIO):
    """Standard input whose every line comes from a function, asked when it is wanted."""

    def __init__(self, answer: Callable[[], str | None]) -> None:
        super().__init__()
        self._answer = answer

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = self._answer()
        return "" if line is None else line + "\n"


@pytest.fixture
def typing(monkeypatch: Patch) -> Typing:
    """Has lines typed in, each shown after its prompt; then the input ends."""

    def typed(lines: Iterable[str]) -> None:
        left = iter(lines)
        monkeypatch.setattr(sys, "stdin", Typist(lambda: next(left, None)))

    return typed


def on_disk(path: Path) -> Replayed:
    return replay(parse_record(path.read_text(encoding="utf-8")))


def decisions(game: Replayed) -> int:
    """How many decisions were made, each step of a sowing counted."""
    return sum(len(one.action.sowing.path) + 1 if isinstance(one.action, Sow) else 1 for one in game.plays)


def body(path: Path) -> list[str]:
    """The lines of play, blank ones left out."""
    text = path.read_text(encoding="utf-8")
    return [line for line in text[text.index("setup:") :].splitlines()[1:] if line]


def start(path: Path, *options: str, players: int = 2, seed: int = 1) -> int:
    return main(["play", str(path), "--players", str(players), "--seed", str(seed), *options])


def dictated(path_of: Path) -> list[str]:
    """What has to be typed to make the record in a file again: bids, whole turns, refills."""
    typed: list[str] = []
    game = on_disk(path_of)
    before = {one.line: one.before for one in game.plays}
    for line in game.record.lines:
        match line.entry:
            case BidsLine(bids=bids):
                typed += [bid_words(bid) for _, bid in bids]
            case TurnLine(steps=(words,)) if words == NO_MOVE:
                typed += [] if is_forced(before[line.number]) else ["end"]
            case TurnLine(steps=steps):
                typed.append(f"{line.entry.colour}: {steps_phrase(steps)}; end")
            case RefillLine(observation=seen):
                typed.append(observation_phrase(seen))
            case _:
                pass
    return typed


@pytest.mark.slow
def test_a_whole_game_typed_gives_its_record_again(
    record: Path, tmp_path: Path, typing: Typing, capsys: Capsys
) -> None:
    players = 3
    known, state, _ = random_record(players, 2)
    source = tmp_path / "known.txt"
    source.write_text(format_record(known), encoding="utf-8")
    typing(dictated(source))
    assert start(record, players=players, seed=2) == 0
    out = capsys.readouterr().out
    assert "The game is over." in out
    turns = [line for line in known.lines if isinstance(line.entry, TurnLine)]
    assert out.count("points: ") == len(turns), "after every turn, also where the same player has the next one"
    assert body(record) == body(source)
    assert on_disk(record).state == state


def test_every_accepted_decision_is_on_disk_before_the_next_prompt(
    record: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    random = Random(5)
    seen: list[str] = []

    def pick() -> str | None:
        if not seen and not record.exists():
            return "0"
        game = on_disk(record)
        question = capsys.readouterr().out.splitlines()[-1]
        assert question == prompt(game.state, {}, owes_refill=game.owes_refill) + "> "
        seen.append(record.read_text(encoding="utf-8"))
        if game.owes_refill:
            return None
        if game.state.stage is Stage.BID:
            prices = re.findall(r"\d+", question)
            return str(random.choice(prices))
        return random.choice(listed(game.state))[1]

    monkeypatch.setattr(sys, "stdin", Typist(pick))
    assert start(record, players=3) == 0
    assert len(set(seen)) == len(seen) > 15
    assert f"companion play {record} --resume" in capsys.readouterr().out


def test_resume_goes_on_where_it_was_left(record: Path, typing: Typing, monkeypatch: Patch, capsys: Capsys) -> None:
    monkeypatch.chdir(record.parent)
    typing(["5", "quit"])
    assert start(record) == 0
    typing(["0"])
    assert main(["play", str(record), "--resume"]) == 0
    assert re.fullmatch(r"round 1: \w+ 5, \w+ 0", body(record)[-1])
    assert start(record) == 2
    assert "exists already; continue it with --resume" in capsys.readouterr().err
    assert main(["play", str(record.with_name("none.txt")), "--resume"]) == 4
    for words in (["--seed", "3"], ["--place", "Rome"], ["--promo"], ["--names", "Anna,Boris"]):
        assert "leave out --players" in ran(capsys, ["play", str(record), "--resume", *words], 2).err
    for resume in (["--players", "2", "--seed", "5"], ["--resume"]):
        assert "- is not a file" in ran(capsys, ["play", "-", *resume], 2).err


def test_undo_takes_real_decisions_back_to_the_beginning(
    record: Path, tmp_path: Path, typing: Typing, capsys: Capsys
) -> None:
    source = tmp_path / "known.txt"
    source.write_text(format_record(random_record(3, 2)[0]), encoding="utf-8")
    typed = dictated(source)[:5]
    typing([*typed, *["undo"] * 60, *typed, "undo", typed[-1]])
    assert start(record, players=3, seed=2) == 0
    assert "Nothing to undo." in capsys.readouterr().out
    assert body(record) == body(source)[: len(body(record))] != []


def test_refusals_say_the_rule_and_what_is_possible_and_change_nothing(
    record: Path, typing: Typing, capsys: Capsys
) -> None:
    lines = ["4", "18", "18", "seven", "0", "1", "0", "pass", "c3 > c9g", "dance", "99", "a1 > f5g", ""]
    typing([*lines, "# weiß noch nichts"])
    assert start(record) == 0
    out = capsys.readouterr().out
    for words in (
        "can't bid 4",
        "it is taken",
        "'seven' is not a bid",
        "has to move meeples and can't pass (rules 4.6)",
        "possible: ",
        "not a step",
        "there is no number 99",
        "rules 4.2",
    ):
        assert words in out
    assert len(body(record)) == 1
    assert body(record)[0].endswith("  # weiß noch nichts")


def test_what_is_drawn_is_asked_for_and_may_be_unknown(
    record: Path, tmp_path: Path, typing: Typing, capsys: Capsys
) -> None:
    known, state, _ = random_record(2, 1, djinn="Sloar", most=0)
    owner = state.position.players[0].colour
    setup = known.header.tag("setup")
    assert setup is not None
    small, dear = iter(("0", "1", "3")), iter(("18", "12"))
    bids = [next(dear if colour is owner else small) for colour in state.position.bid_order or ()]
    typing(
        [*bids, "use Sloar for fakir", "back", "use Sloar for f", "nonsense", "jewels, jewels", "use Sloar for f", "?"]
    )
    assert "cards drawn, ? where nobody saw it" in ran(capsys, ["play", str(record), "--setup", setup]).out
    assert body(record)[-1] == f"{owner}: use Sloar for fakir: ? ..."
    assert sum(on_disk(record).state.hidden) == 1


def test_a_number_picks_from_the_list_or_the_hints_that_were_shown_last_and_from_nothing_else(
    record: Path, typing: Typing, monkeypatch: Patch, capsys: Capsys
) -> None:
    searching(monkeypatch)
    bids = ["5", "0", "1", "3"]
    typing([*bids, "list", "score", "1", "quit"])
    assert start(record) == 0 and re.search(r"Pick from this list:\n +1  ", capsys.readouterr().out)
    assert body(record) == [line for line in body(record) if line.startswith("round 1:")]
    record.unlink()
    typing([*bids, "list", "dance", "1", "quit"])
    assert start(record) == 0 and len(body(record)) > 1, "a refusal hides no list"
    record.unlink()
    typing(["?", "hint", *bids, "score", "hint", "2", "quit"])
    assert start(record, "--names", "blue=Anna,pink=Bo") == 0
    out = capsys.readouterr().out
    assert "picks from the list" in out and "Best bid for" in out
    second = re.search(r"^ 2\. .*?  take \d \w+ on ([a-f][1-5])", out, re.MULTILINE)
    assert second is not None and re.search(r"Best turns for (Anna|Bo) \((blue|pink)\)", out)
    turn = body(record)[1]
    assert re.search(rf"> {second[1]}[ywbgr]: ", turn), "the second hint was played"
    assert "..." not in turn and re.search(r"points: Anna \d+, Bo \d+", out), "to the end of the turn"
    record.unlink()
    typing([*bids, "list", "1", "2", "2", "quit"])
    assert start(record) == 0
    game = on_disk(record)
    assert decisions(game) == len(bids) + 3, "each list that is shown is counted"


def test_rules_2_1_a_table_set_up_by_hand_is_played_in_the_order_that_names_tell(
    record: Path, tmp_path: Path, typing: Typing, capsys: Capsys
) -> None:
    set_up = random_setup(3, 5)
    table = tmp_path / "table.toml"
    bare = replace(set_up, players=(), phase=None, bid_order=None, turn_order=None)
    table.write_text(format_position(bare, ".toml"), encoding="utf-8")
    typing(["5"])
    err = ran(capsys, ["play", str(record), "--setup", str(table)], 2).err
    assert '--names "black=Anna,orange=Boris,blue=Chiara", or how many there are: --players 3' in err
    assert "table.toml doesn't say who plays" in err and not record.exists()
    typing(["5", "quit"])
    assert main(["play", str(record), "--setup", str(table), "--names", "pink=Anna,black=Bo,orange=Cy"]) == 0
    assert "Anna (pink) bids (0 1 3 5 8 12 18)> 5" in capsys.readouterr().out
    game = on_disk(record)
    assert body(record) == ["round 1: pink 5"] and game.state.position.bid_order == (Colour.BLACK, Colour.ORANGE)
    assert game.state.player(Colour.BLACK).gold == 50 and game.state.position.row == set_up.row
    record.unlink()
    typing([])
    assert main(["play", str(record), "--setup", str(table), "--players", "2"]) == 0
    assert "in this order: blue, pink, blue, pink;" in capsys.readouterr().err
    for names, words in (("pink=A,black=B", "two players are blue and pink"), ("Anna", "2 to 4 players, not for 1")):
        assert main(["play", str(tmp_path / "other.txt"), "--setup", str(table), "--names", names]) == 2
        assert words in capsys.readouterr().err


def test_wrong_usage(record: Path, subtests: pytest.Subtests, capsys: Capsys) -> None:
    cases = {
        "": "say how the game begins",
        "--seed 1 --setup FT1-A": "say how the game begins",
        "--setup -": "standard input is for the lines you type",
        f"--setup {encode(random_setup(2, 1))} --players 2": "--players goes with --seed",
        "--seed 1 --names black=Anna,orange=Boris": "two players are blue and pink (rules 2.1)",
        "--seed 1 --players 2 --names Anna,Boris,Carla": "3 players are named, but --players says 2",
        "--seed 1 --players 2 --names black=Anna": "black is not in this game",
        "--seed 1 --names green=Anna": "no player's colour",
        "--seed 1 --names Anna,anna": "anna is named twice",
        "--seed 1 --names pink=Anna,blue=ANNA": "ANNA is named twice",
    }
    for words, sentence in cases.items():
        with subtests.test(msg=words):
            assert sentence in ran(capsys, ["play", str(record), *words.split()], 2).err and not record.exists()
    assert ran(capsys, ["play", str(record), "--setup", "FT1-A"], 4).err.startswith("companion: 1 letter can't be")
    assert main(["play", str(record / "in" / "nowhere.txt"), "--seed", "1"]) == 2


# Records written by hand, gone on with and written back.


def test_ctrl_c_keeps_the_record(record: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    def interrupted() -> str | None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Typist(interrupted))
    assert start(record) == 130
    assert "Nothing was recorded" in capsys.readouterr().out and not record.exists()


def test_a_hand_typed_record_replays_after_resume_has_written_it(
    record: Path, tmp_path: Path, typing: Typing, capsys: Capsys
) -> None:
    """What replays still replays once `play --resume` has written it, whatever was left out by hand."""
    known, _, _ = random_record(2, 3)
    lines = format_record(known).splitlines()
    start_of_play = next(number for number, line in enumerate(lines) if line.startswith("setup:")) + 1
    shortened = 0
    for last in range(start_of_play + 1, len(lines), 6):
        # The numbers of meeples may be left out where they are plain: "3 builders: 6 GC" as "builders: 6 GC".
        text = "\n".join(re.sub(r"\b\d+ (builders|merchants|viziers|elders)\b", r"\1", line) for line in lines[:last])
        shortened += text != "\n".join(lines[:last])
        record.write_text(text + "\n", encoding="utf-8")
        try:
            before = on_disk(record)
        except CompanionError:
            continue
        typing(["# noted", "quit"])
        assert main(["play", str(record), "--resume"]) == 0, text
        capsys.readouterr()
        after = on_disk(record)
        assert after.state == before.state and after.owes_refill == before.owes_refill
        typing(["undo"])
        assert main(["play", str(record), "--resume"]) == 0
        on_disk(record)
    assert shortened > 1


def test_two_programs_on_one_record_do_not_drop_each_others_lines(
    record: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    inner: list[int] = []

    def answer() -> str | None:
        if not inner:
            # While this program waits at its prompt, another begins on the same record.
            inner.append(main(["play", str(record), "--resume"]))
            return "0"
        # And now something that knows of no lock changes the file.
        record.write_text(record.read_text(encoding="utf-8") + "# a line of another's\n", encoding="utf-8")
        return "1"

    monkeypatch.setattr(sys, "stdin", Typist(answer))
    assert start(record) != 0
    err = capsys.readouterr().err
    assert inner[0] != 0 and "is in use by another companion" in err
    assert "another program has changed" in err
    assert record.read_text(encoding="utf-8").endswith("# a line of another's\n")


def test_what_is_nearly_a_command_is_asked_about_and_a_round_ends_with_the_board(
    record: Path, typing: Typing, capsys: Capsys
) -> None:
    whole = on_disk(CHECKOUT / "samples" / "game.txt")
    first = next(number for number, line in enumerate(whole.record.lines) if isinstance(line.entry, RefillLine))
    record.write_text(format_record(replace(whole.record, lines=whole.record.lines[:first])), encoding="utf-8")
    refill = next(line.entry for line in whole.record.lines if isinstance(line.entry, RefillLine))
    typing(["hnt", observation_phrase(refill.observation), "quitt"])
    assert main(["play", str(record), "--resume"]) == 0
    out = capsys.readouterr().out
    assert "did you mean 'hint'?" in out.partition("\n  refill:")[0]
    assert "did you mean 'quit'?" in out
    shown = out.partition("\n  refill:")[2]
    assert shown.count("┌") == 1 and "1 │" in shown and "Bag" not in shown, "the board as the next round begins"
