"""Games that commands keep in the history: opened where games are kept at all, told of once, never in the way.

A history that cannot be used is told of, and the command goes on without it: the record and the score matter more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.output import note
from companion.errors import CompanionError
from companion.language.phrase import say
from companion.system.local_time import now

if TYPE_CHECKING:
    from companion.history.database import History
    from companion.history.saved import GameKey
    from companion.notation.records.lines import Entry, Record


@contextmanager
def opened_history(path: Path | None = None) -> Iterator[History]:
    """The history in a file, or the user's own, with its notices told. Raises what `open_history` raises."""
    from companion.history.database import open_history
    from companion.history.opening import history_path

    with open_history(path or history_path(os.environ), now=now) as history:
        for sentence in history.notices:
            note(sentence)
        yield history


def is_saved() -> bool:
    """Whether games are kept, which is told the first time. Raises what `write_private` raises."""
    from companion.history.opening import KeepingSetting, load_setting, save_setting

    setting = load_setting(os.environ)
    if setting.keep and not setting.told:
        note(
            "games are saved for companion history, on this computer only; companion history --no-history turns that "
            "off, --forget deletes them"
        )
        save_setting(KeepingSetting(keep=True, told=True))
    return setting.keep


def earlier_names() -> list[str]:
    """The names of who played in the games that are kept, each once, the latest first; none where none can be read."""
    from companion.history.opening import history_path, load_setting

    try:
        if not load_setting(os.environ).keep or not history_path(os.environ).exists():
            return []
        with opened_history() as history:
            return history.names()
    except (CompanionError, OSError):
        return []


def remember_setting(*, keep: bool) -> None:
    """Remember whether games will be saved from now on. Raises what `write_private` raises."""
    from companion.history.opening import KeepingSetting, is_off, save_setting

    save_setting(KeepingSetting(keep=keep, told=True))
    if keep and is_off(os.environ):
        note("games will be saved once COMPANION_HISTORY no longer says off")
        return
    note(
        say("games will be saved from now on")
        if keep
        else say("games will no longer be saved; companion history --keep turns that on again")
    )


class RecordFollower:
    """Keeps the game of a record file in the history, line by line; of one that was `resumed` the game is looked for.
    Whoever uses it holds `storage.lock` of the file.
    """

    def __init__(self, source: Path, *, resumed: bool) -> None:
        self._source = source
        self._resumed = resumed
        self._key: GameKey | None = None
        self._keeps = False
        with self._noting_faults():
            self._keeps = is_saved()

    def follow(self, text: str, summary: str) -> None:
        """Keep the record as it is on disk now; `summary` is its last line."""
        from companion.history.saved_results import TextKind

        if not self._keeps:
            return
        with self._noting_faults(), opened_history() as history:
            if self._key is None and self._resumed:
                self._key = _game_of(history, self._source, text)
            if self._key is None:
                self._key = history.begin(text, summary=summary, source=self._source)
            elif _record_of(history, self._key) != text:
                # A score that was counted since was of the game as it stood before.
                while history.current(self._key).kind is not TextKind.RECORD:
                    history.undo(self._key)
                history.follow(self._key, text, summary=summary)

    def finish(self) -> None:
        """Keep the result: the game is over."""
        if self._keeps and self._key is not None:
            with self._noting_faults(), opened_history() as history:
                history.finish(self._key)

    @contextmanager
    def _noting_faults(self) -> Iterator[None]:
        """A fault of the history is told of once, and then nothing is kept any more."""
        try:
            yield
        except CompanionError as error:
            self._keeps = False
            note("this game isn't being saved in the history: {error}", error=error)


def _game_of(history: History, source: Path, text: str) -> GameKey | None:
    """The game that was played into a record file; None if the text that is there now is of another game."""
    for key in history.at_source(source):
        if _same_game(_record_of(history, key), text, is_over=history.game(key).finished is not None):
            return key
    return None


def _record_of(history: History, key: GameKey) -> str:
    """The record of a game as it was last played, whatever was counted since; "" if it has none."""
    from companion.history.saved_results import TextKind

    return next((part.text for part in reversed(history.parts(key)) if part.kind is TextKind.RECORD), "")


def _text_of(source: str) -> str:
    """The text that a source holds; "" for a photo, and for what cannot be read any more."""
    from companion.opening.source import read_source
    from companion.opening.text import decode_text

    try:
        return decode_text(read_source(source))
    except CompanionError:
        return ""


def _same_game(saved: str, there: str, *, is_over: bool) -> bool:
    """Whether a kept record and the text in its file now are of one game: a set-up may be another's too. While it goes
    on, any line may have been corrected; later none, nor where the heading was.
    """
    from companion.notation.records.lines import parse_record

    try:
        one, other = parse_record(saved), parse_record(there)
    except CompanionError:
        return False
    if one.header.tag("setup") != other.header.tag("setup"):
        return False
    lines, now = _played(one), _played(other)
    if _heading(one) != _heading(other):
        return lines == now != ()
    common = min(len(lines), len(now))
    return not is_over or lines[:common] == now[:common]


def _heading(record: Record) -> dict[str, str]:
    """What stands above the lines of a record, without remarks: names, day, place, set-up."""
    return {key: value for key, value in record.header.tags if key not in ("#", "")}


def _played(record: Record) -> tuple[Entry, ...]:
    """What the lines of a record say, without remarks."""
    from companion.notation.records.lines import Remark

    return tuple(line.entry for line in record.lines if not isinstance(line.entry, Remark))


def save_score(texts: list[str], sources: Sequence[str] = ()) -> None:
    """Keep a game that was scored, once: as that of the record file that was scored, or as a new one."""
    try:
        if not is_saved():
            return
        with opened_history() as history:
            outcome = texts[-1]
            if history.at_outcome(outcome) is not None:
                return
            key = _game_of(history, Path(sources[0]), _text_of(sources[0])) if len(sources) == 1 else None
            if key is None:
                key = history.begin(texts[0], summary="score")
                texts = texts[1:]
            for text in texts:
                history.change(key, text, summary="score", new_part=True)
            history.finish(key)
    except CompanionError as error:
        note("this game isn't being saved in the history: {error}", error=error)
