"""The loop of all conversations: its words, answers kept at once, drafts taken up and dropped, damaged ones refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial

import pytest

from companion.asking.question import Asking, Conversation, Question, Tap, ask
from companion.asking.taps import About, tap_question
from companion.cli.dialogue import drafts
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.loop import Dialogue, End
from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.language.phrase import say
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.ran import Capsys, Patch

ALL = ("one", "two", "three")


def _word(number: int, said: tuple[str, ...]) -> Question[str]:
    def parse(line: str) -> str:
        if not line.isalpha():
            raise NotationError(f"{line!r} is no word")
        return line

    return Question(
        f"word {number}",
        f"word {number}",
        parse,
        default="none",
        help="a word",
        why=(f"now word {number}",),
        listing=lambda: said,
        commands={"shout": lambda: (word.upper() for word in said)},
    )


def _three_words(said: tuple[str, ...]) -> Asking[tuple[str, ...]]:
    for number in (1, 2, 3):
        word = yield from ask(_word(number, said))
        yield f"heard {word}"
        said = (*said, word)
    return said


def _next_word(said: tuple[str, ...]) -> Asking[tuple[str, ...]]:
    if len(said) == 3:
        return said
    word = yield from ask(_word(len(said) + 1, said))
    yield f"heard {word}"
    return (*said, word)


def three_words() -> Conversation[tuple[str, ...]]:
    """Asks for three words of letters, all in one go."""
    return Conversation((), _three_words, "stops", ("welcome",))


def word_by_word() -> Conversation[tuple[str, ...]]:
    """Asks for three words of letters, each from the state after the one before."""
    return Conversation((), _next_word, "stops", ("welcome",), goes_on=True)


def test_a_number_is_the_answer_where_answers_are_numbers_and_else_a_place_in_the_list() -> None:
    counts = tuple(Tap(str(number), f"{number} fakirs") for number in range(3))
    places = tuple(Tap(place, f"{place}. fish") for place in ("1", "3")) + (Tap("nothing", "Nothing was bought"),)
    djinns = (Tap("Utug", "Utug"), Tap("Leta", "Leta"))

    def asked(_: str, taps: tuple[Tap, ...]) -> Asking[str]:
        return (yield from ask(tap_question(About.OTHER, say("Which?"), taps)))

    for taps, line, answer, shown in (
        (counts, "2", "2", "  2 fakirs\n"),
        (places, "3", "3", "  3. fish\n"),
        (djinns, "2", "Leta", "  2  Leta\n"),
    ):
        terminal = ScriptedTerminal(["list", line])
        assert Dialogue(terminal, Conversation("", partial(asked, taps=taps), "stops")).run().state == answer
        assert terminal.text.count(shown) == 2


BOTH = (three_words, word_by_word)


def store() -> DraftStore:
    return DraftStore("words", ["table"])


def resumed() -> DraftStore:
    kept = store()
    kept.resume()
    return kept


def type_in(monkeypatch: Patch, *lines: str) -> None:
    monkeypatch.setattr(drafts, "open_terminal", lambda console: ScriptedTerminal(lines))


def test_words_of_every_conversation_do_what_they_say() -> None:
    script = ["back", "one", "?", "list", "shout", "2", "Undo", "uno", "two", "<", "dos", "three"]
    for conversation in BOTH:
        terminal = ScriptedTerminal(script)
        result = Dialogue(terminal, conversation(), store()).run()
        assert result.end is End.DONE and result.state == ("uno", "dos", "three") and result.answers == 3
        for shown in ("welcome", "Nothing to undo.", "  a word", "ONE", "  '2' is no word", "  Undone."):
            assert any(shown.strip() in line for line in terminal.shown), shown
        assert terminal.prompts[0] == "word 1 [none]: "
        assert terminal.shown.count("now word 2") == 3, "said once each time it is come to, not after a refusal"
        assert terminal.shown.count("heard one") == 1, "an answer that is given again says nothing"
        assert {"back", "undo", "list", "help", "quit", "shout"} <= set(terminal.offered)


def test_what_was_taken_back_is_offered_again_until_something_else_is_answered() -> None:
    for conversation in BOTH:
        terminal = ScriptedTerminal(["one", "two", "back", "back", "", "zwei", "back", "", "drei"])
        assert Dialogue(terminal, conversation()).run().state == ("one", "zwei", "drei")
        offered = [prompt.partition("[")[2].rstrip("]: ") for prompt in terminal.prompts]
        assert offered == ["none", "none", "none", "two", "one", "two", "none", "zwei", "none"]


def test_nothing_is_lost_however_it_ends() -> None:
    for last, end in (("quit", End.QUIT), ("^C", End.BROKEN_OFF), (None, End.OUT)):
        first = store()
        result = Dialogue(ScriptedTerminal(["one", "two", *([last] if last else [])]), three_words(), first).run()
        assert result.end is end and result.open is not None and result.open.key == "word 3"
        assert "--resume" in first.how_to_go_on
        again, terminal = store(), ScriptedTerminal(["back", "zwei", "drei"])
        dialogue = Dialogue(terminal, three_words(), again)
        again.resume()
        dialogue.resume(again.lines)
        assert terminal.history == ["one", "two"]
        assert dialogue.run().state == ("one", "zwei", "drei")
        again.drop()
        with pytest.raises(UnusableInputError, match="there is no draft"):
            again.resume()


def test_each_answer_is_on_disk_before_the_next_prompt() -> None:
    kept = store()

    class Watching(ScriptedTerminal):
        def ask(self, prompt: str, completions: Iterable[str] = ()) -> str | None:
            lines = json.loads(kept.path.read_text())["lines"] if kept.path.exists() else []
            assert len(lines) == len(self.prompts)
            return super().ask(prompt, tuple(completions))

    assert Dialogue(Watching(ALL), three_words(), kept).run().end is End.DONE
    assert kept.path.stat().st_mode & 0o077 == 0, "a draft is its owner's alone to read"


def test_answers_to_questions_that_are_asked_no_more_are_left_out() -> None:
    dialogue = Dialogue(ScriptedTerminal([]), word_by_word())
    dialogue.resume([("gone", "x"), ("word 1", "one"), ("gone too", "y"), ("word 2", "two"), ("word 9", "z")])
    assert dialogue.state == ("one", "two")


DAMAGED = (
    "",
    "[]",
    '{"draft": 2}',
    '{"draft": 1, "kind": "words", "start": {}, "lines": []}',
    '{"draft": 2, "kind": "poem", "start": {}, "lines": []}',
    '{"draft": 2, "kind": "words", "start": [], "lines": []}',
    '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1"]]}',
    '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1", 3]]}',
    '{"draft": 2, "kind": "words", "start": {}, "lines": [["word 1", "1"]]}',
    "[" * 100_000,
    "\xff\xfe",
)


def test_a_damaged_draft_is_refused_with_its_name(subtests: pytest.Subtests, monkeypatch: Patch) -> None:
    type_in(monkeypatch)
    store().path.parent.mkdir(parents=True)
    for text in DAMAGED:
        with subtests.test(msg=text[:70]):
            store().path.write_bytes(text.encode("latin-1"))
            with pytest.raises(NotationError, match="is damaged"), session(three_words(), resumed()):
                pass


def test_where_no_draft_can_be_kept_the_talk_goes_on(capsys: Capsys) -> None:
    kept = store()
    kept.path.parent.parent.mkdir(parents=True)
    kept.path.parent.write_text("in the way")
    result = Dialogue(ScriptedTerminal(ALL), three_words(), kept).run()
    assert result.end is End.DONE and kept.how_to_go_on == ""
    assert capsys.readouterr().err.count("The draft can't be saved") == 1


def test_an_older_draft_is_mentioned_and_stays_until_something_is_answered(monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "one", "^C")
    with pytest.raises(KeyboardInterrupt), session(three_words(), store()):
        pass
    capsys.readouterr()
    later = store()
    later.begin()
    assert "--resume continues it" in capsys.readouterr().err
    with pytest.raises(CompanionError, match="continue it with --resume"):
        later.check_none()
    type_in(monkeypatch, "quit")
    with session(three_words(), store()):
        pass
    assert resumed().lines == (("word 1", "one"),)
    type_in(monkeypatch, "uno", "back", "quit")
    with session(three_words(), store()):
        pass
    assert not store().is_there, "its first answer has begun a new one, which was taken back"


def test_the_draft_goes_once_something_has_come_of_the_answers(monkeypatch: Patch) -> None:
    type_in(monkeypatch, *ALL)
    with pytest.raises(UnusableInputError, match="the disk is full"), session(three_words(), store()):
        raise UnusableInputError("the disk is full")
    type_in(monkeypatch)
    with session(three_words(), resumed()) as result:
        assert result.end is End.DONE and result.state == ALL and store().is_there
    assert not store().is_there


def test_a_conversation_that_is_left_keeps_its_draft_if_it_must_be_whole(monkeypatch: Patch) -> None:
    for whole in ("", "poem"):
        type_in(monkeypatch, "one", "quit")
        with session(three_words(), store(), whole=whole) as result:
            assert result.end is End.QUIT
        assert store().is_there is bool(whole)
