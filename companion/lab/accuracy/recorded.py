"""How well whole games are recorded from their photos, with every question answered by the truth."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from operator import or_
from pathlib import Path

from companion.asking.photo_record import begin, chosen, dropped, least, line_of, settled, tap, typed, unasked
from companion.asking.recorded_rounds import bid, read_bids, refill
from companion.asking.recording import Ask, Recording, SeriesPhoto
from companion.asking.taps import SOLD
from companion.errors import CompanionError
from companion.lab.accuracy.photographed import PhotographedTurn, game_in, recorded_turns
from companion.lab.accuracy.report import markdown_table
from companion.lab.accuracy.tracking import read_evidence, true_taps
from companion.notation.records.header import new_header
from companion.notation.records.lines import BidsLine, Record, RefillLine, TurnLine, format_entry
from companion.notation.records.replay import replay
from companion.notation.records.steps import Observation
from companion.rules.model.board import Board
from companion.rules.model.position import Player
from companion.tracking.inference import Verdict

MOST_QUESTIONS = 1500
"""With more questions than this a recording goes nowhere."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """What came of a game: `right` of `turns` leave the true board and hands, and so many `lines` tell the true turn,
    whatever went wrong before; `asked` are questions by kind.
    """

    name: str
    turns: int
    right: int
    lines: int
    unexplained: int
    asked: Counter[Ask]
    cpu_s: float


def game_photos(folder: Path) -> list[SeriesPhoto]:
    """The photos that `photographed_game` wrote into a folder, read."""
    turns = recorded_turns(game_in(folder))
    likelihoods = [read_evidence(folder / f"{turn.photo}.jpg", turn.after.position.board)[0] for turn in turns]
    return [SeriesPhoto(turn.photo, one) for turn, one in zip(turns, likelihoods, strict=True)]


def recorded_game(name: str, truth: Record, photos: Sequence[SeriesPhoto]) -> RecordedGame:
    """A game as its photos record it."""
    turns = recorded_turns(truth)
    start = replay(truth).plays[0].before.position
    began = time.process_time()
    now = begin(Record(new_header(start, {})), photos)
    asked: Counter[Ask] = Counter()
    while now.ask is not None and asked.total() < MOST_QUESTIONS:
        asked[now.ask] += 1
        now = _answered(now, truth, turns)
    right = _alike(_ends(truth), _ends(now.record))
    # Meeples that pass tiles in another order leave the same board.
    lines = sum(map(or_, right, _alike(_lines(truth), _lines(now.record))))
    seconds = time.process_time() - began
    return RecordedGame(name, len(turns), sum(right), lines, len(now.shows(Verdict.UNEXPLAINED)), asked, seconds)


def _alike(true: Sequence[object], recorded: Sequence[object]) -> list[bool]:
    return [one == other for one, other in zip_longest(true, recorded)][: len(true)]


def _ends(record: Record) -> list[tuple[Board, tuple[Player, ...]]]:
    """The boards and what everybody holds at the ends of turns in which meeples were sown."""
    ends = (turn.after.position for turn in recorded_turns(record))
    return [(position.board, position.players) for position in ends]


def _lines(record: Record) -> list[str]:
    """The turns in which meeples were sown, as they are written."""
    lines = [format_entry(line.entry) for line in record.lines if isinstance(line.entry, TurnLine)]
    return [line for line in lines if " > " in line]


def _answered(now: Recording, truth: Record, turns: Sequence[PhotographedTurn]) -> Recording:
    rounds = sum(isinstance(line.entry, BidsLine) for line in now.record.lines)
    turn = _true_turn(now, turns)
    try:
        match now.ask:
            case Ask.BIDS:
                bids = [line.entry for line in truth.lines if isinstance(line.entry, BidsLine)]
                return settled(bid(now, bids[rounds].bids))
            case Ask.REFILL:
                return settled(refill(now, _came(truth, rounds)))
            case Ask.TURN:
                return settled(_chosen(now, truth, turns))
    except CompanionError:
        # A wrong line before: what was is no answer any more.
        return settled(read_bids(now, "") if now.ask is Ask.BIDS else refill(now, None))
    return unasked(now) if turn is None else settled(tap(now, _tapped(now, turn)))


def _true_turn(now: Recording, turns: Sequence[PhotographedTurn]) -> PhotographedTurn | None:
    """The turn that is asked about: the one that begins so, or by the photo where something went wrong before."""
    if not now.photos:
        return None
    shown = next(place for place, turn in enumerate(turns) if turn.photo == now.photos[0].name)
    by_photo = turns[max(shown + 1 - max(len(now.left), 1), 0)]
    return next((one for one in turns if one.before.position == now.game.position), by_photo)


def _came(truth: Record, rounds: int) -> Observation | None:
    """What came in the clean-up after that many rounds."""
    begun = 0
    for line in truth.lines:
        begun += isinstance(line.entry, BidsLine)
        if begun == rounds and isinstance(line.entry, RefillLine):
            return line.entry.observation
    return None


def _chosen(now: Recording, truth: Record, turns: Sequence[PhotographedTurn]) -> Recording:
    """The choice that leaves the true board, or else the true turn as somebody types it; or none where neither goes."""
    played = [format_entry(line.entry) for line in truth.lines if isinstance(line.entry, TurnLine)]
    lines = [_sown(line) for line in played]
    done = sum(isinstance(line.entry, TurnLine) for line in now.record.lines)
    board = next(turn.after.position.board for turn in turns if turn.photo == now.photos[0].name)

    def fits(place: int) -> tuple[bool, bool]:
        shown = now.choices[place][0]
        words = [_sown(line) for line in line_of(now.game, shown.turns).split(" / ")]
        return shown.board == board, words == lines[done : done + len(words)]

    best = max(range(len(now.choices)), key=fits)
    if not fits(best)[0] and done < len(played):
        with suppress(CompanionError):
            return typed(now, played[done])
    return chosen(now, best) if any(fits(best)) else dropped(now)


def _sown(line: str) -> str:
    return line.split(";")[0].split(": claim")[0]


def _tapped(now: Recording, turn: PhotographedTurn) -> str:
    """The answer that the true turn gives; that which changes least where none leads there."""
    assert now.question is not None, "something is asked"
    answers = now.taps[: now.taps.index("sell")] if "sell" in now.taps else now.taps
    true = true_taps(now.game, answers, turn, now.left[0])
    if true is None:
        return least(now.question)
    taps = true.taps
    for sale in turn.sold:
        taps = (*taps, "sell", *sorted(sale.goods), SOLD)
    return taps[len(now.taps)] if len(taps) > len(now.taps) else least(now.question)


def games_table(games: Sequence[RecordedGame]) -> str:
    """Recorded games as a Markdown table, with their sums."""
    head = [
        "game",
        "turns",
        "right",
        "lines right",
        "photos not explained",
        *(ask.name.lower() for ask in Ask),
        "CPU s",
    ]
    rows = []
    for game in games:
        counts = [str(game.asked[ask]) for ask in Ask]
        rows.append([game.name, str(game.turns), str(game.right), str(game.lines), str(game.unexplained), *counts])
        rows[-1].append(f"{game.cpu_s:.0f}")
    whole = sum(game.right == game.turns for game in games)
    sums = [sum(of) for of in zip(*((one.turns, one.right, one.lines, one.unexplained) for one in games), strict=True)]
    asked = [sum(game.asked[ask] for game in games) for ask in Ask]
    mean = sum(game.cpu_s for game in games) / max(len(games), 1)
    rows.append([f"{whole} of {len(games)} right", *map(str, [*sums, *asked]), f"{mean:.0f} each"])
    return markdown_table(head, rows)
