"""One sitting: its draft goes when something has come of the answers, and never before."""

from __future__ import annotations

import pytest

from companion.cli.dialogue import sitting as module
from companion.cli.dialogue.journal import Journal
from companion.cli.dialogue.loop import End
from companion.cli.dialogue.sitting import sitting
from companion.errors import UnusableInputError
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.dialogue.test_loop import ThreeWords

ALL = ("one", "two", "three")


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(module, "open_terminal", lambda console: ScriptedTerminal(lines))


def journal() -> Journal:
    return Journal("words", ["table"], "--resume")


def test_the_draft_goes_once_something_has_come_of_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, *ALL)
    with sitting(ThreeWords(), journal()) as talked:
        assert talked.state.said == ALL and journal().is_there
    assert not journal().is_there


def test_the_draft_stays_where_nothing_can_be_made_of_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, *ALL)
    with pytest.raises(UnusableInputError, match="the disk is full"), sitting(ThreeWords(), journal()):
        raise UnusableInputError("the disk is full")
    type_in(monkeypatch)
    again = journal()
    with sitting(ThreeWords(), again, kept=again.resume()) as talked:
        assert talked.end is End.DONE and talked.state.said == ALL
    assert not journal().is_there


@pytest.mark.parametrize("whole", [False, True])
def test_a_conversation_that_is_left_keeps_its_draft_if_it_must_be_whole(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "one", "quit")
    with sitting(ThreeWords(), journal(), whole=whole) as talked:
        assert talked.end is End.QUIT
    assert journal().is_there is whole


def test_a_draft_of_before_stays_until_it_is_taken_up_or_something_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "one", "^C")
    with pytest.raises(KeyboardInterrupt), sitting(ThreeWords(), journal()):
        pass
    type_in(monkeypatch, "quit")
    with sitting(ThreeWords(), journal()):
        pass
    assert journal().resume().lines == (("word 1", "one"),)
    type_in(monkeypatch, "uno", "back", "quit")
    with sitting(ThreeWords(), journal()):
        pass
    assert not journal().is_there, "its first answer has begun a new one, which was taken back"
