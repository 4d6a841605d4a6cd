"""What is kept of this user: tiles of the own set, games."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import MissingDependencyError, UnusableInputError
from companion.health.findings import Finding, State
from companion.language.phrase import say, say_many


def check_calibration(environment: Mapping[str, str]) -> Finding:
    """Whether photos are read with tiles of the owner's own."""
    part, name = "photos", say("own tiles")
    try:
        from companion.vision.board.owner_tiles import SWITCH, is_switched_off, load_tiles, tiles_path

        tiles = load_tiles(tiles_path())
    except ImportError:
        return Finding(part, name, State.LIMITED, say("unknown without platformdirs"))
    except (MissingDependencyError, UnusableInputError) as error:
        found, _, remedy = str(error).partition(": ")
        return Finding(part, name, State.LIMITED, found, remedy)
    if tiles is None:
        return Finding(part, name, State.OK, say("not learnt: tiles are read as in the printings that are known"))
    if is_switched_off(environment):
        return Finding(part, name, State.OK, say("there, but {switch} switches it off", switch=SWITCH))
    return Finding(part, name, State.OK, say("in use, {path}", path=tiles_path()))


def check_history(environment: Mapping[str, str]) -> Finding:
    """Whether games are kept, where, how many, and whether their file is whole; it is not touched."""
    part, name = "program", say("history")
    try:
        from companion.history.keeping import load_setting
        from companion.history.opening import DamagedHistoryError, history_path, read_only_stats

        path, is_kept = history_path(environment), load_setting(environment).keep
        stats = read_only_stats(path)
    except ImportError as error:
        return Finding(part, name, State.LIMITED, say("unknown without {package}", package=error.name or str(error)))
    except DamagedHistoryError as error:
        what_next = say("companion history keeps the file as it is under another name, and begins a new one")
        return Finding(part, name, State.LIMITED, str(error), what_next)
    except UnusableInputError as error:
        return Finding(part, name, State.LIMITED, str(error), say("COMPANION_HISTORY names another file"))
    except MissingDependencyError as error:
        told, _, remedy = str(error).partition(": ")
        return Finding(part, name, State.LIMITED, told, remedy)
    if stats is None or not stats.games:
        known = say("no game yet, {path}", path=path)
    else:
        known = say_many(
            "{count} game, {finished} finished, {size:.1f} MB, {path}",
            "{count} games, {finished} finished, {size:.1f} MB, {path}",
            stats.games,
            finished=stats.finished,
            size=stats.size / 1e6,
            path=path,
        )
    if not is_kept:
        known = say("none is kept now (companion history --keep); {known}", known=known)
    return Finding(part, name, State.OK, known)
