"""A session of `companion score`: what is scored, the questions about it, and what becomes of the sheet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.asking.players import NamedPlayers, check_playing, read_players
from companion.cli.locale import typed_command
from companion.cli.options import reading_option
from companion.cli.output import note
from companion.errors import CompanionError, UnusableInputError, UsageError
from companion.language.phrase import joined, say
from companion.notation.files import format_position, from_document, to_document
from companion.notation.names import check_names, parse_colour
from companion.notation.score_entries import clear_day
from companion.notation.score_sheet import ScoreSheet, format_sheet, parse_sheet
from companion.rules.model.components import Colour
from companion.storage import write_file

if TYPE_CHECKING:
    from companion.cli.dialogue.drafts import DraftStore
    from companion.opening.position import Opened


class ScoreSession:
    """A score sheet from a source, or from nothing, filled in. `date` and `place`, unless None, replace the source's;
    `today` is offered; `saved` is a sheet without a board; `was_asked`: the command lacks the source.
    """

    def __init__(
        self, sources: Sequence[str], *, date: str | None, place: str | None, today: str, was_asked: bool = False
    ) -> None:
        self._sources, self._date, self._place, self._today = sources, date, place, today
        self._typed = (*typed_command(), *sources) if was_asked else ()
        self.saved: ScoreSheet | None = None
        self.sheet = ScoreSheet()

    @cached_property
    def _store(self) -> DraftStore:
        """The draft of these sources; a score that asks nothing does not load it."""
        from companion.cli.dialogue.drafts import DraftStore

        return DraftStore("score", [os.path.realpath(source) for source in self._sources], self._typed)

    def begin(self, opened: Opened | None, names: str | None, *, ask: bool) -> None:
        """Begin with what was opened, if anything; `names` is the option's list. Raises UsageError for names of nobody
        in the game, UnusableInputError if nobody plays.
        """
        with reading_option("--names"):
            named = NamedPlayers() if names is None else read_players(names)
        if self.saved is not None:
            self.sheet = self.saved
        elif opened is not None:
            self._take(opened, ask=ask)
        playing = self.sheet.players
        placed = _placed(named, playing)
        if not ask:
            check_playing(placed, playing)
        players = {**playing, **placed}
        with reading_option("--names"):
            check_names(players.values())
        self.sheet = self._dated(self.sheet.with_players(players))
        if ask:
            sheet, start = self.sheet, dict[str, object](sheet=format_sheet(self.sheet))
            if sheet.position is not None:
                start = {"position": to_document(sheet.position), "players": dict(sheet.players)}
                start |= {"date": sheet.date, "place": sheet.place}
            self._store.begin(start)

    def _dated(self, sheet: ScoreSheet) -> ScoreSheet:
        date = (clear_day(sheet.date) or sheet.date) if self._date is None else self._date
        return replace(sheet, date=date, place=sheet.place if self._place is None else self._place)

    def _take(self, opened: Opened, *, ask: bool) -> None:
        if not ask and not opened.position.colours:
            raise UnusableInputError(
                "nobody plays in this position: it lists no players and the board has no camels. Add "
                "[players.pink] and so on to the file, or use --ask to type what each player has"
            )
        players = {**dict.fromkeys(opened.position.colours, ""), **opened.names}
        position, unseen = opened.position, opened.unseen_in(opened.position)
        if ask:
            # Whoever holds cards that nobody else has seen is asked for the whole hand.
            for colour in unseen:
                position = position.with_player(replace(position.player(colour), fakirs=None, goods=None))
            unseen = {}
        sheet = ScoreSheet(position=position, date=opened.date, place=opened.place, unseen=unseen)
        self.sheet = sheet.with_players(players)

    def resume(self) -> None:
        """Take up the draft of this source. Raises UnusableInputError if there is none, or it is damaged."""
        self._store.resume()
        try:
            self.sheet = self._dated(_first_sheet(self._store.start))
        except (CompanionError, KeyError, TypeError, ValueError, AttributeError):
            raise self._store.damaged() from None

    @contextmanager
    def asked(self) -> Iterator[bool]:
        """Ask for what is not known; False if somebody left. What comes of it is made in the block. Raises as
        `session`.
        """
        from companion.asking.score_questions import score
        from companion.cli.dialogue.drafts import session
        from companion.cli.dialogue.loop import End
        from companion.cli.history_recorder import earlier_names

        with session(score(self.sheet, self._today, earlier_names()), self._store, whole=say("score")) as result:
            self.sheet = result.state.whole()
            yield result.end is End.DONE

    def save(self, path: Path, *, force: bool) -> None:
        """Write the position, or without a board the sheet. Raises UsageError for a sheet not named .toml."""
        position = self.sheet.completed()
        if position is None:
            check_sheet_file(path)
            write_file(path, format_sheet(self.sheet).encode(), force=force)
            note("score sheet written to {path}: companion score {path} shows it, and prints it with --pdf", path=path)
            return
        write_file(path, format_position(position, path.suffix).encode(), force=force)
        note("position written to {path}", path=path)
        if left_out := self.sheet.left_out():
            note("left out, since a position can't hold them: {things}", things=joined(", ", left_out))


def check_sheet_file(path: Path) -> None:
    """Raises UsageError for a name that no score sheet can have."""
    if path.suffix.lower() != ".toml":
        raise UsageError("{path}: a score sheet without a board must be a .toml file", path=path)


def _first_sheet(start: Mapping[str, object]) -> ScoreSheet:
    if isinstance(text := start.get("sheet"), str):
        return parse_sheet(text)
    position, players = start["position"], start["players"]
    if not isinstance(position, dict) or not isinstance(players, dict):
        raise TypeError
    names = {parse_colour(colour): str(name) for colour, name in players.items()}
    sheet = ScoreSheet(position=from_document(position), date=str(start["date"]), place=str(start["place"]))
    return sheet.with_players(names)


def _placed(named: NamedPlayers, playing: Mapping[Colour, str]) -> dict[Colour, str]:
    """The names by colour; names alone go to the players in their order, with a note."""
    with reading_option("--names"):
        placed = named.assumed(playing)
    if named.names:
        note("colours assumed: {players}; --names pink=Anna,… sets them", players=named.given(placed))
    return placed
