"""The loop of all conversations: its words, answers kept at once, drafts taken up, damaged ones refused."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.cli.dialogue.journal import Journal
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.question import Answer, Question, Shown
from companion.cli.dialogue.sitting import check_answered
from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.notation.score_entries import AmbiguousAnswerError
from tests.cli.dialogue.scripted import ScriptedTerminal


@dataclass(frozen=True)
class Words:
    """What was said so far."""

    said: tuple[str, ...] = ()


class ThreeWords:
    """Asks for three words of letters."""

    quitting = "stops"

    def begin(self) -> Answer[Words]:
        return Answer(Words())

    def welcome(self, state: Words) -> Iterable[Shown]:
        return ("welcome",)

    def earlier(self, state: Words) -> Words | None:
        return None

    def question(self, state: Words) -> Question[Words] | None:
        def parse(line: str) -> Answer[Words]:
            if not line.isalpha():
                raise NotationError(f"{line!r} is no word")
            return Answer(Words((*state.said, line)), (f"heard {line}",))

        number = len(state.said) + 1
        if number > 3:
            return None
        return Question(
            f"word {number}",
            f"word {number}",
            parse,
            default="none",
            help="a word",
            intro=(f"now word {number}",),
            listing=lambda: state.said,
            commands={"shout": lambda: (word.upper() for word in state.said)},
        )


def test_words_of_every_conversation_do_what_they_say() -> None:
    script = ["back", "one", "?", "list", "shout", "2", "Undo", "uno", "two", "<", "dos", "three"]
    terminal = ScriptedTerminal(script)
    journal = Journal("words", [], "again")
    talked = Dialogue(terminal, ThreeWords(), journal).run()
    assert talked.end is End.DONE and talked.state.said == ("uno", "dos", "three") and talked.answers == 3
    for shown in ("welcome", "There is nothing to undo.", "  a word", "ONE", "  '2' is no word", "  taken back"):
        assert any(shown.strip() in line for line in terminal.shown), shown
    assert terminal.prompts[0] == "word 1 [none]: "
    assert terminal.shown.count("now word 2") == 3, "said once each time it is come to, not after a refusal"
    assert {"back", "undo", "list", "help", "quit", "shout"} <= set(terminal.offered)


class TwoMeanings(ThreeWords):
    """A word with a stroke in it is one of two, and `x` is none."""

    def question(self, state: Words) -> Question[Words] | None:
        plain = super().question(state)

        def parse(line: str) -> Answer[Words]:
            if "/" in line:
                raise AmbiguousAnswerError(line, tuple((f"the word {word}", word) for word in line.split("/")))
            if line == "x":
                raise NotationError("x is no word")
            assert plain is not None
            return plain.parse(line)

        return plain and replace(plain, parse=parse)


def test_a_reading_that_is_chosen_is_refused_like_any_other_answer() -> None:
    terminal = ScriptedTerminal(["x/one", "1", "x/one", "2", "two", "x/three", "back", "three"], interactive=True)
    talked = Dialogue(terminal, TwoMeanings(), Journal("words", [], "again")).run()
    assert talked.end is End.DONE and talked.state.said == ("one", "two", "three")
    refused = terminal.shown.index("  x is no word")
    assert terminal.shown[refused + 1] == "word 1 [none]: ", "the same question is asked again"


@pytest.mark.parametrize(("last", "end"), [("quit", End.QUIT), ("^C", End.BROKEN_OFF), (None, End.OUT)])
def test_nothing_is_lost_however_it_ends(last: str | None, end: End) -> None:
    journal = Journal("words", ["table"], "go on")
    script = ["one", "two", *([last] if last else [])]
    talked = Dialogue(ScriptedTerminal(script), ThreeWords(), journal).run()
    assert talked.end is end and talked.open is not None and talked.open.key == "word 3"
    assert str(journal.path) in journal.how_to_go_on and "go on with go on" in journal.how_to_go_on
    again, terminal = Journal("words", ["table"], "go on"), ScriptedTerminal(["back", "zwei", "drei"])
    dialogue = Dialogue(terminal, ThreeWords(), again)
    again.take_up(dialogue, again.resume())
    assert terminal.history == ["one", "two"]
    assert dialogue.run().state.said == ("one", "zwei", "drei")
    again.drop()
    with pytest.raises(UnusableInputError, match="there is no draft"):
        again.resume()


def test_each_answer_is_on_disk_before_the_next_prompt() -> None:
    journal = Journal("words", [], "")

    class Watching(ScriptedTerminal):
        def ask(self, prompt: str, completions: Iterable[str] = ()) -> str | None:
            kept = json.loads(journal.path.read_text())["lines"] if journal.path.exists() else []
            assert len(kept) == len(self.prompts)
            return super().ask(prompt, tuple(completions))

    assert Dialogue(Watching(["one", "two", "three"]), ThreeWords(), journal).run().end is End.DONE
    assert journal.path.stat().st_mode & 0o077 == 0, "a draft is its owner's alone to read"


def test_answers_to_questions_that_are_asked_no_more_are_left_out() -> None:
    dialogue = Dialogue(ScriptedTerminal([]), ThreeWords(), Journal("words", [], ""))
    dialogue.resume([("gone", "x"), ("word 1", "one"), ("gone too", "y"), ("word 2", "two"), ("word 9", "z")])
    assert dialogue.state.said == ("one", "two")


def test_answers_that_end_too_early_are_told() -> None:
    journal = Journal("words", [], "--resume")
    talked = Dialogue(ScriptedTerminal(["one"]), ThreeWords(), journal).run()
    with pytest.raises(UnusableInputError, match="ended after 1, at 'word 2', so there is no poem; .*--resume"):
        check_answered(talked, journal, "poem")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"draft": 2}',
        '{"draft": 1, "kind": "words", "start": {}, "lines": []}',
        '{"draft": 2, "kind": "poem", "start": {}, "lines": []}',
        '{"draft": 2, "kind": "words", "start": [], "lines": []}',
        '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1"]]}',
        '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1", 3]]}',
        '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1", "1"]]}',
        '{"draft": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '"' + "x" * 1_100_000 + '"',
        "\xff\xfe",
    ],
    ids=lambda text: text[:24] or "empty",
)
def test_a_damaged_draft_is_refused_with_its_name(text: str) -> None:
    journal = Journal("words", [], "--resume")
    journal.path.parent.mkdir(parents=True)
    journal.path.write_bytes(text.encode("latin-1"))
    with pytest.raises(NotationError, match="is damaged"):
        journal.take_up(Dialogue(ScriptedTerminal([]), ThreeWords(), journal), journal.resume())


def test_where_no_draft_can_be_kept_the_talk_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal("words", [], "")
    journal.path.parent.parent.mkdir(parents=True)
    journal.path.parent.write_text("in the way")
    talked = Dialogue(ScriptedTerminal(["one", "two", "three"]), ThreeWords(), journal).run()
    assert talked.end is End.DONE and journal.how_to_go_on == ""
    assert capsys.readouterr().err.count("No draft can be kept") == 1


def test_an_older_draft_is_told_of_and_stays_until_something_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    Dialogue(ScriptedTerminal(["one"]), ThreeWords(), Journal("words", [], "")).run()
    journal = Journal("words", [], "words --resume")
    journal.begin({})
    assert "words --resume goes on with it" in capsys.readouterr().err
    assert journal.resume().lines == (("word 1", "one"),)
    with pytest.raises(CompanionError, match="go on with words --resume"):
        journal.check_none()


def test_where_no_draft_can_be_looked_for_the_talk_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal("words", [], "")
    journal.keep(None, (("word 1", "one"),))
    looked_at = Path.stat

    def forbidden(path: Path, **options: bool) -> os.stat_result:
        if path == journal.path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return looked_at(path, **options)

    monkeypatch.setattr(Path, "stat", forbidden)
    monkeypatch.setattr(Path, "unlink", lambda path, missing_ok=False: forbidden(path))
    journal.begin({})
    journal.check_none()
    journal.drop()
    assert capsys.readouterr().err == ""
