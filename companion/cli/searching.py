"""Searches of commands: their progress, Ctrl-C, which keeps what was found so far, and the end of it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TypeVar

import typer

from companion.advisor.advice import BidAdvice, Budget, TurnAdvice
from companion.advisor.review import GameReview
from companion.cli.inputs import game_of
from companion.cli.output import note
from companion.cli.progress import Progress, bar, progress
from companion.errors import ExitStatus
from companion.language.phrase import joined, say, say_many
from companion.notation.records.replay import Replayed
from companion.opening.position import Opened
from companion.resources import SEARCH_ADDRESS_SPACE_BYTES, check_address_space
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position

Advice = TypeVar("Advice", TurnAdvice, BidAdvice)


class Thinking:
    """What a search is given to tell how far it is and to learn whether it should stop."""

    def __init__(self, line: Progress) -> None:
        self._line = line
        self._percent = -1
        self.interrupted = False

    def progress(self, share: float) -> None:
        """Show how far the search is, from 0 to 1."""
        percent = int(100 * min(max(share, 0.0), 1.0))
        if percent != self._percent:
            self._percent = percent
            words = say(
                "thinking {bar} {percent}%, Ctrl-C shows the best so far", bar=bar(percent, 100), percent=percent
            )
            self._line.say(words)

    def stop(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self.interrupted

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            # Whoever presses it twice doesn't want to wait for the search.
            raise KeyboardInterrupt
        self.interrupted = True


@contextmanager
def thinking(*, wanted: bool = True) -> Iterator[Thinking]:
    """Watch over a search: its progress on standard error if `wanted`, and the first Ctrl-C only stops it."""
    with progress(say("thinking"), wanted=wanted) as line:
        watch = Thinking(line)
        before = signal.signal(signal.SIGINT, watch._interrupt)
        try:
            yield watch
        finally:
            signal.signal(signal.SIGINT, before)


def leave_if(interrupted: bool) -> None:
    """Leave with the status of an interrupted command, after what was found so far has been shown."""
    if interrupted:
        note("Stopped by Ctrl-C: this is the best so far.")
        raise typer.Exit(int(ExitStatus.INTERRUPTED))


def tell_assumed(sentences: Sequence[str], known: Position, player: Colour | None, *, listed: bool) -> list[str]:
    """Say what wasn't known if it's `listed`, else return it in a few words; a guessed mover is said at once."""
    says_mover = known.phase is Phase.BID and known.bid_order
    if sentences and player is None and known.to_move is None and not says_mover:
        note(sentences[0])
        note("Use --player COLOUR for another player's turn.")
        sentences = sentences[1:]
    if len(sentences) > 1 and not listed:
        return [say_many("{count} thing assumed: --assumed.", "{count} things assumed: --assumed.", len(sentences))]
    if not listed:
        return [*sentences]
    for sentence in sentences:
        note(sentence)
    return []


def tell_last(parts: Sequence[str]) -> None:
    """Say below the answer, in one line, what was unknown and what other options show."""
    if parts:
        note(joined(" ", parts))


def search_turns(
    opened: Opened, known: Position, player: Colour | None, top: int, budget: Budget, seed: int | None, *, quiet: bool
) -> tuple[TurnAdvice, bool]:
    """The best turns, tiles in doubt borne in mind, and whether Ctrl-C cut in; `known` is as for `game_of`."""
    check_address_space(SEARCH_ADDRESS_SPACE_BYTES, say("thinking about a turn"))
    from companion.advisor.search.advise import advise

    alternatives = None if opened.reading is None else opened.reading.alternatives
    search = partial(advise, game_of(opened, known, player), top=top, alternatives=alternatives)
    return _watched(search, player, budget, seed, quiet=quiet)


def search_bids(
    opened: Opened, known: Position, player: Colour | None, budget: Budget, seed: int | None, *, quiet: bool
) -> tuple[BidAdvice, bool]:
    """The bids, best first; else as `search_turns`."""
    check_address_space(SEARCH_ADDRESS_SPACE_BYTES, say("thinking about a turn"))
    from companion.advisor.search.bids import advise_bid

    return _watched(partial(advise_bid, game_of(opened, known, player)), player, budget, seed, quiet=quiet)


def _watched(
    search: Callable[..., Advice], player: Colour | None, budget: Budget, seed: int | None, *, quiet: bool
) -> tuple[Advice, bool]:
    with thinking(wanted=not quiet) as watch:
        advice = search(player=player, budget=budget, seed=seed or 0, progress=watch.progress, stop=watch.stop)
    return advice, watch.interrupted


def reviewed(played: Replayed, playouts: int | None, seed: int) -> GameReview:
    """A game reviewed while its progress is shown; `playouts` are those a decision. Raises as `review_record`."""
    from companion.advisor.search.reviewing import REVIEW_PLAYOUTS, review_record

    with progress(say("looking back")) as line:
        return review_record(
            played,
            playouts=REVIEW_PLAYOUTS if playouts is None else playouts,
            seed=seed,
            progress=lambda text, share: line.say(say("looking back: {share:.0%}, {what}", share=share, what=text)),
        )
