"""Positions judged one after the other, regrets without the winner's curse, and the figures over all of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from companion.arena.workers import RunAll, in_this_process
from companion.errors import UnusableInputError
from companion.lab.judging.playing import Chooser, Floats, PlayOn, bid_field, judge, turn_field
from companion.lab.judging.positions import JudgedPosition
from companion.simulation.bridge import sample_worlds

CLOSE_VP = 2.0
"""A turn that loses no more than this counts as good."""
BOOTSTRAPS = 4000


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over positions with its 95% interval, by the bootstrap over games."""

    mean: float
    low: float
    high: float


def regrets(margins: Floats) -> Floats:
    """How much each candidate loses against the best, in VP, [candidates].

    `margins` [candidates, playings-on] were played with the same worlds in the same columns. The best is chosen on the
    even columns and compared on the odd ones, then the other way round; the mean of both is given. It can be below 0:
    where two are equally good, each is the better one half of the time.
    """
    parts = margins[:, ::2], margins[:, 1::2]
    loss = np.zeros(len(margins))
    for chosen_on, taken_on in (parts, parts[::-1]):
        means = taken_on.mean(axis=1)
        loss += (means[int(chosen_on.mean(axis=1).argmax())] - means) / 2
    return loss


def regret_errors(margins: Floats) -> Floats:
    """Standard errors of the differences from the candidate with the best mean, in VP, [candidates]."""
    best = int(margins.mean(axis=1).argmax())
    return np.asarray((margins[best] - margins).std(axis=1, ddof=1) / np.sqrt(margins.shape[1]))


def measured(values: Sequence[float] | Floats, games: Sequence[int], seed: int = 0) -> Measure:
    """The mean of one value a position, with its interval; positions of one game are drawn together.

    `games` says which game each position is from. Raises ValueError without any position.
    """
    if not len(values):
        raise ValueError("nothing was judged")
    array = np.asarray(values, dtype=np.float64)
    _, group = np.unique(np.asarray(games), return_inverse=True)
    sums, counts = np.bincount(group, weights=array), np.bincount(group)
    drawn = np.random.default_rng(seed).integers(0, len(sums), (BOOTSTRAPS, len(sums)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return Measure(float(array.mean()), float(low), float(high))


def share_close(values: Sequence[float], games: Sequence[int], seed: int = 0) -> Measure:
    """The share of regrets within `CLOSE_VP`, as `measured`."""
    return measured([float(value <= CLOSE_VP) for value in values], games, seed)


ALL = "all"
"""The judge that is every policy together."""
_ELSEWHERE = 0x5EED
"""Players draw their worlds by the seed that they are given; the judge's are others, or the luck by which a turn was
chosen would speak for it again.
"""


@dataclass(frozen=True, slots=True)
class Effort:
    """How often is played on: all candidates `screening` times, the best `keep` and those judged `playings` times."""

    playings: int = 600
    screening: int = 60
    keep: int = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one player's first turn or bid at one position loses, in VP.

    `game` and `decision` of `decisions` name the position, `kind` is "turn" or "bid". `regret` is the loss against the
    best of `candidates`, `error` its standard error, `value` the mean final margin of what was judged, all by the
    `playings` of one `judge`: a policy, or `ALL` of them.
    """

    game: int
    players: int
    kind: str
    decision: int
    decisions: int
    player: str
    judge: str
    regret: float
    error: float
    value: float
    candidates: int
    playings: int


HEADER = [field.name for field in fields(Verdict)]
_CONVERT: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "str": str}
_COLUMNS = [_CONVERT[str(field.type)] for field in fields(Verdict)]


@dataclass(frozen=True, slots=True)
class Figures:
    """One player over all positions of a kind: mean regret in VP, and the share of positions within 2 VP."""

    player: str
    kind: str
    judge: str
    positions: int
    regret: Measure
    close: Measure


def judged(
    position: JudgedPosition,
    choosers: Mapping[str, Chooser],
    policies: Callable[[int], Mapping[str, PlayOn]],
    effort: Effort,
) -> list[Verdict]:
    """Verdicts on each player's first choice at a position: by all playings-on, and by those of each policy alone.

    `policies` gives those that play on by name, for a number of players.
    """
    state, seed = position.state, position.seed * 1000 + position.decision
    worlds = sample_worlds(state, effort.screening + effort.playings, seed ^ _ELSEWHERE)
    field = (bid_field if position.bidding else turn_field)(state, worlds, choosers, seed)
    chosen = list(field.first.values())
    playing = policies(position.players)
    result = judge(worlds, field.choices, chosen, tuple(playing.values()), screening=effort.screening, keep=effort.keep)
    parts = {ALL: np.arange(effort.playings)}
    parts.update({name: np.flatnonzero(result.policies == number) for number, name in enumerate(playing)})
    verdicts = []
    for judge_name, columns in parts.items():
        margins = result.margins[:, columns]
        loss, error, value = regrets(margins), regret_errors(margins), margins.mean(axis=1)
        for player, number in field.first.items():
            row = result.numbers.index(number)
            verdicts.append(
                Verdict(
                    game=position.seed,
                    players=position.players,
                    kind=kind_of(position),
                    decision=position.decision,
                    decisions=position.decisions,
                    player=player,
                    judge=judge_name,
                    regret=round(float(loss[row]), 4),
                    error=round(float(error[row]), 4),
                    value=round(float(value[row]), 3),
                    candidates=len(field.choices),
                    playings=len(columns),
                )
            )
    return verdicts


def judge_into(
    table: Path,
    positions: Sequence[JudgedPosition],
    players: Sequence[str],
    judge_by: Callable[[tuple[str, ...]], Callable[[JudgedPosition], list[Verdict]]],
    say: Callable[[str], None],
    run_all: RunAll = in_this_process,
) -> list[Verdict]:
    """Judge, at each of the positions, those of the `players` whom a table lacks there, and give all of the table.

    `judge_by` gives what judges some of them, and `run_all` does it, here or elsewhere; the verdicts of each position
    are written as they come. Raises UnusableInputError if the file is there and no table of verdicts, and what
    `judge_by` and `run_all` raise.
    """
    there = read_verdicts(table) if table.exists() else []
    done = {(verdict.game, verdict.kind, verdict.decision, verdict.player) for verdict in there}
    lacking: dict[tuple[str, ...], list[JudgedPosition]] = {}
    for position in positions:
        names = tuple(
            name for name in players if (position.seed, kind_of(position), position.decision, name) not in done
        )
        if names:
            lacking.setdefault(names, []).append(position)
    with table.open("a", encoding="utf-8") as file:
        if not there:
            file.truncate(0)
            file.write(csv_line(HEADER))
            file.flush()
        judging = chain.from_iterable(run_all(judge_by(names), missing) for names, missing in lacking.items())
        for number, (position, found) in enumerate(judging, len(positions) - sum(map(len, lacking.values())) + 1):
            there += found
            file.write("".join(map(to_csv, found)))
            file.flush()
            losses = ", ".join(f"{verdict.player} {verdict.regret:.2f}" for verdict in found if verdict.judge == ALL)
            say(f"{number} of {len(positions)}, {kind_of(position)} of {position.players}: {losses}")
    return there


def kind_of(position: JudgedPosition) -> str:
    """What is to be decided: "turn" or "bid"."""
    return "bid" if position.bidding else "turn"


def figures(verdicts: Iterable[Verdict]) -> Iterator[Figures]:
    """The figures of every player and kind, in the order in which they come."""
    groups: dict[tuple[str, str, str], list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault((verdict.player, verdict.kind, verdict.judge), []).append(verdict)
    for (player, kind, judge_name), found in groups.items():
        losses, games = [verdict.regret for verdict in found], [verdict.game for verdict in found]
        yield Figures(player, kind, judge_name, len(found), measured(losses, games), share_close(losses, games))


def figures_table(verdicts: Sequence[Verdict]) -> str:
    """The figures as a table in Markdown: over all games by every judge, by all judges for each number of players.

    The order in which positions were judged changes nothing.
    """
    verdicts = sorted(verdicts, key=lambda one: (one.game, one.decision))
    lines = [
        "| player | judged by | on | positions | mean regret, VP (95%) | within 2 VP (95%) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    by_number = {
        n: [verdict for verdict in verdicts if verdict.players == n and verdict.judge == ALL] for n in (2, 3, 4)
    }
    for name, found in (("all games", verdicts), *((f"games of {number}", part) for number, part in by_number.items())):
        for figure in sorted(figures(found), key=lambda figure: (figure.kind, figure.judge != ALL, figure.judge)):
            regret, close = figure.regret, figure.close
            lines.append(
                f"| {figure.player} | {figure.judge} | {figure.kind}s, {name} | {figure.positions} "
                f"| {regret.mean:.2f} ({regret.low:.2f} to {regret.high:.2f}) "
                f"| {close.mean:.0%} ({close.low:.0%} to {close.high:.0%}) |"
            )
    return "\n".join(lines)


def csv_line(values: Sequence[object]) -> str:
    """A line of the table of verdicts, its end included."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()


def to_csv(verdict: Verdict) -> str:
    """A verdict as a line below `HEADER`."""
    return csv_line(astuple(verdict))


def read_verdicts(table: Path) -> list[Verdict]:
    """The verdicts of a file, none if it is empty. Raises UnusableInputError if it cannot be read or is no table."""
    try:
        text = table.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInputError(f"{table} cannot be read: {error}") from error
    try:
        return from_csv(text) if text else []
    except UnusableInputError as error:
        raise UnusableInputError(f"{table}: {error}") from error


def from_csv(text: str) -> list[Verdict]:
    """Verdicts of such lines, the header among them. Raises UnusableInputError for anything else."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or rows[0] != HEADER:
        raise UnusableInputError(f"no verdicts: the first line must be {','.join(HEADER)}")
    found = []
    for number, row in enumerate(rows[1:], 2):
        try:
            values = [convert(text) for convert, text in zip(_COLUMNS, row, strict=True)]
            found.append(Verdict(*values))
        except ValueError as error:
            raise UnusableInputError(f"line {number} is no verdict: {error}") from error
    return found
