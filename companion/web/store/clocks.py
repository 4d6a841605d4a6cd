"""Turn clocks: how long each player of a game thinks, as the server measures it for all phones alike.

Times are banked in the history again and again, so that a server that was killed has lost seconds at most; a clock
that ran goes on when its game is looked at again, and the time between counts for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from threading import Lock
from typing import Any

from companion.errors import CompanionError, NoSuchGameError
from companion.history.database import History
from companion.history.saved import GameKey, SavedGame, TurnTime, with_time
from companion.notation.records.lines import TurnLine
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from companion.table.games import TableGame

SAVE_EVERY_S = 5.0
"""How often running times are put into the history."""

MAX_TURN_S = 3600.0
"""A turn of an hour is one that nobody plays: its clock pauses."""

SETTING = "clock"


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """What a game's settings hold of its clock.

    `limit_s` is how long a turn should take at most, None for as long as one likes. `turn` names the turn that is
    timed, or was last (`_turn_name`), `before_s` is the time that its player had used before it.
    """

    limit_s: int | None = None
    is_paused: bool = False
    turn: str = ""
    before_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ClockFace:
    """A game's clock at one moment: seconds of each player, whose run now, and those of the turn under way."""

    seconds: Mapping[Colour, float]
    running: Colour | None
    turn_s: float
    limit_s: int | None
    is_paused: bool

    @property
    def is_late(self) -> bool:
        """Whether the turn takes longer than it should."""
        return self.limit_s is not None and self.running is not None and self.turn_s >= self.limit_s


@dataclass(slots=True)
class _Run:
    """A clock that runs: for whom, in which turn, and since when nothing was banked."""

    colour: Colour
    turn: str
    since: float


class TurnClocks:
    """The clocks of all games of a table. `clock` gives seconds that only go up; `may_write` is False for spectators.

    Methods raise what the history raises; they may be called from several threads.
    """

    def __init__(self, history: History, clock: Callable[[], float], *, may_write: bool = True) -> None:
        self._history = history
        self._clock = clock
        self._may_write = may_write
        self._runs: dict[GameKey, _Run] = {}
        self._lock = Lock()

    def update(self, saved: SavedGame, game: TableGame, part: int) -> ClockFace | None:
        """A game's clock as it stands, set to whoever decides now; None where it is off.

        `part` is that of the game's revision.
        """
        if setting_of(saved) is None:
            return None
        with self._lock:
            # Somebody else may have set it since.
            saved = self._history.game(saved.key)
            setting = setting_of(saved)
            if setting is None:
                return None
            if self._may_write:
                # A clock that cannot be saved just now keeps nobody from the game.
                with suppress(CompanionError):
                    saved, setting = self._set_to(saved, setting, game, part)
            return self._face(saved, setting)

    def switch(self, key: GameKey, *, on: bool, limit_s: int | None = None) -> None:
        """Switch a game's clock on, with a limit or without, or off; times that were measured are saved."""
        with self._lock:
            saved = self._stopped(key)
            before = setting_of(saved) or ClockSetting()
            if on:
                self._store(saved, replace(before, limit_s=limit_s, is_paused=False))
            else:
                self._store(saved, None, _timed(before, saved))

    def pause(self, key: GameKey, *, paused: bool) -> None:
        """Stop a game's clock, or let it go on; nothing where it is off."""
        with self._lock:
            saved = self._stopped(key)
            if (setting := setting_of(saved)) is not None:
                self._store(saved, replace(setting, is_paused=paused))

    def save(self) -> list[GameKey]:
        """Put all running times into the history. Games that were paused for nobody played are given back."""
        with self._lock:
            return [key for key in list(self._runs) if self._save(key)]

    def _set_to(
        self, saved: SavedGame, setting: ClockSetting, game: TableGame, part: int
    ) -> tuple[SavedGame, ClockSetting]:
        """The clock of whoever decides now runs, and no other; the turn before, if it is over, is noted."""
        wanted, turn = (None, "") if setting.is_paused or game.is_over else (game.mover, _turn_name(game, part))
        run = self._runs.get(saved.key)
        if run is not None and (run.colour, run.turn) != (wanted, turn):
            saved = self._stopped(saved.key)
            setting, run = setting_of(saved) or setting, None
        if run is None and wanted is not None:
            self._runs[saved.key] = _Run(wanted, turn, self._clock())
        if run is None and (wanted is not None or game.is_over) and setting.turn != turn:
            timed = _timed(setting, saved)
            setting = replace(setting, turn=turn, before_s=0.0 if wanted is None else saved.clock.get(wanted, 0.0))
            self._store(saved, setting, timed)
        return saved, setting

    def _stopped(self, key: GameKey) -> SavedGame:
        """A game whose clock does not run, with its time put into the history."""
        self._save(key)
        self._runs.pop(key, None)
        return self._history.game(key)

    def _face(self, saved: SavedGame, setting: ClockSetting) -> ClockFace:
        seconds = {colour: saved.clock.get(colour, 0.0) for colour in saved.players}
        running, turn_s = None, 0.0
        if (run := self._runs.get(saved.key)) is not None:
            running = run.colour
            seconds[running] = seconds.get(running, 0.0) + self._clock() - run.since
            turn_s = max(0.0, seconds[running] - setting.before_s)
        return ClockFace(seconds, running, turn_s, setting.limit_s, setting.is_paused)

    def _save(self, key: GameKey) -> bool:
        """Put a game's running time into the history; whether it was paused for that."""
        run = self._runs.get(key)
        if run is None:
            return False
        now = self._clock()
        try:
            saved = self._history.game(key)
        except NoSuchGameError:
            # Forgotten meanwhile.
            del self._runs[key]
            return False
        total = saved.clock.get(run.colour, 0.0) + now - run.since
        self._history.set_clock(key, {run.colour: round(total, 3)})
        # What could not be written is banked with the next.
        run.since = now
        setting = setting_of(saved)
        if setting is None or total - setting.before_s < MAX_TURN_S:
            return False
        del self._runs[key]
        self._store(saved, replace(setting, is_paused=True))
        return True

    def _store(self, saved: SavedGame, setting: ClockSetting | None, timed: TurnTime | None = None) -> None:
        changes: dict[str, Any] = {SETTING: None if setting is None else asdict(setting)}
        self._history.change_settings(saved.key, changes if timed is None else changes | with_time(saved, timed))


def setting_of(saved: SavedGame) -> ClockSetting | None:
    """The clock of a game's settings; None where it is off, or where something else stands there."""
    import msgspec

    try:
        return msgspec.convert(saved.settings.get(SETTING), ClockSetting)
    except msgspec.ValidationError:
        return None


def _turn_name(game: TableGame, part: int) -> str:
    """What tells a turn from the next one of the same player, which a game of two knows."""
    lines = () if game.playing is None else game.playing.record.lines
    done = sum(isinstance(line.entry, TurnLine) and not line.entry.open for line in lines)
    return f"{part}/{game.position.phase}/{done}/{game.mover}"


def _timed(setting: ClockSetting, saved: SavedGame) -> TurnTime | None:
    """The turn that a setting names, with its player's time since it began; None where it names none."""
    try:
        part, phase, done, name = setting.turn.split("/")
        colour = Colour(name)
        seconds = max(0.0, saved.clock.get(colour, 0.0) - setting.before_s)
        return TurnTime(int(part), Phase(phase), int(done) + 1, colour, seconds)
    except ValueError:
        return None
