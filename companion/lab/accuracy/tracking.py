"""How well turns are named from photos: on turns made backwards from photos with truth, and on whole games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import eq
from pathlib import Path
from random import Random

from companion.asking.photo_turns import known_taps
from companion.asking.tapping import turn_beginning
from companion.asking.taps import About
from companion.asking.turn_questions import TurnQuestions
from companion.errors import CompanionError
from companion.lab.accuracy.photographed import PhotographedTurn, game_in, recorded_turns
from companion.lab.accuracy.report import markdown_table
from companion.lab.accuracy.turn_cases import turn_before
from companion.notation.records.header import Header
from companion.notation.records.lines import Record
from companion.rules.engine.game import step
from companion.rules.model.board import Board, Tile, with_meeples
from companion.rules.model.components import Tribe
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState
from companion.table.games import TableGame
from companion.table.playing import Playing
from companion.tracking.inference import PlayedTurns, Verdict, played_turns
from companion.tracking.visible import VisibleTurn
from companion.vision.board.contents_likelihood import ContentsLikelihood
from companion.vision.load import load_photo
from companion.vision.reading.pipeline import read_table
from companion.vision.reading.shots import Shot

READ_WELL = 28
"""With this many of thirty tiles read right, a photo counts as read well."""

ANSWERS_TRIED = 8000
"""At most this many answers are tried to find those that a true turn needs."""


@dataclass(frozen=True, slots=True)
class NamedTurn:
    """What came of one photo of a turn.

    `case` is "one", "none", "two", "three" or "wrong" (the known board a meeple wrong); `read_right` of the thirty
    tiles were read right, each for itself. `first`: the true board is the likeliest; `told`: what kind of photo it is
    was told. `line` says whether the whole turn is right once all `questions` are answered, None where that wasn't
    tried. `cpu_s` are CPU seconds beside reading.
    """

    photo: str
    case: str
    read_right: int
    first: bool
    first_three: bool
    sure: bool
    told: bool
    probability: float
    cpu_s: float
    line: bool | None = None
    questions: int | None = None


def read_evidence(photo: Path, board: Board) -> tuple[ContentsLikelihood, int]:
    """What a photo of a game with this board's tiles says, and how many tiles are read right, each for itself."""
    # By the tiles alone: what lies on them is to be read.
    bare = tuple(Tile(tile.kind) for tile in board)
    session = read_table([Shot(photo.name, load_photo(photo))], game=bare)
    evidence = session.evidence
    assert evidence is not None, "photos of games show their board"
    right = sum(read == true for read, true in zip(session.reading.position.board, board, strict=True))
    return ContentsLikelihood.of(evidence.pieces, evidence.hypotheses, evidence.covered), right


def backward_cases(photo: Path, truth: Board, cases: int) -> Iterator[NamedTurn]:
    """Turns made backwards from a photo's true board, that many of one turn, and one of each other kind."""
    likelihood, right = read_evidence(photo, truth)
    random = Random(photo.name)

    def named(case: str, state: GameState, told: Callable[[PlayedTurns], bool]) -> NamedTurn:
        began = time.process_time()
        played = played_turns(state, likelihood)
        return _named(photo.name, case, right, truth, played, told(played), time.process_time() - began)

    for number in range(cases):
        before = turn_before(truth, random)
        if before is None:
            return
        yield named("one", before, lambda played: _turns(played) == 1)
        if number:
            continue
        known = replace(before, position=before.position.with_board(truth))
        yield named("none", known, lambda played: played.verdict is Verdict.NOTHING)
        wrong, square = _one_meeple_wrong(before, truth, random)
        yield named("wrong", wrong, lambda played, square=square: square in _misread_squares(played))  # type: ignore[misc]
        for case, turns in (("two", 2), ("three", 3)):
            earlier = turn_before(before.position.board, random, before.position.colours)
            if earlier is None:
                break
            before = earlier
            yield named(case, before, lambda played, turns=turns: _turns(played) == turns)  # type: ignore[misc]


def _named(photo: str, case: str, right: int, truth: Board, played: PlayedTurns, told: bool, cpu_s: float) -> NamedTurn:
    boards = [candidate.board for candidate in played.candidates]
    first = truth in boards[:1]
    probability = played.candidates[0].probability if played.candidates else 0.0
    return NamedTurn(photo, case, right, first, truth in boards[:3], played.is_sure, told, probability, cpu_s)


def _turns(played: PlayedTurns) -> int:
    return len(played.candidates[0].turns) if played.verdict is Verdict.TURN else 0


def _misread_squares(played: PlayedTurns) -> set[int]:
    """The squares on which the known board is said to be wrong."""
    corrected = (turn.corrections for candidate in played.candidates[:1] for turn in candidate.turns)
    return {*played.doubted}.union(*corrected)


def _one_meeple_wrong(state: GameState, truth: Board, random: Random) -> tuple[GameState, int]:
    """The state with a meeple more or fewer on a tile that the turn changes, and which tile that is."""
    board = list(state.position.board)
    square = random.choice([one for one, (was, now) in enumerate(zip(board, truth, strict=True)) if was != now])
    tribe, by = random.choice(list(Tribe)), random.choice((-1, 1))
    meeples = tuple(max(0, n + by * (one is tribe)) for one, n in zip(Tribe, board[square].meeples, strict=True))
    if meeples == board[square].meeples:
        meeples = tuple(n + (one is tribe) for one, n in zip(Tribe, board[square].meeples, strict=True))
    board[square] = with_meeples(board[square], meeples)
    return replace(state, position=state.position.with_board(tuple(board))), square


def game_turns(folder: Path) -> Iterator[NamedTurn]:
    """The turns of a game that `photographed_game` wrote into a folder, each from the true state before it."""
    for turn in recorded_turns(game_in(folder)):
        truth = turn.after.position.board
        likelihood, right = read_evidence(folder / f"{turn.photo}.jpg", truth)
        began = time.process_time()
        played = played_turns(turn.before, likelihood)
        cpu_s = time.process_time() - began
        named = _named(f"{folder.name}/{turn.photo}", "game", right, truth, played, _turns(played) == 1, cpu_s)
        questions = None
        if named.first and len(played.candidates[0].turns) == 1:
            questions = questions_for(turn, played.candidates[0].turns[0])
        yield replace(named, line=questions is not None, questions=questions)


def questions_for(turn: PhotographedTurn, seen: VisibleTurn) -> int | None:
    """How many questions a turn leaves that a photo shows, sales apart; None if no answers make it the true turn."""
    playing = Playing(Record(Header(())), turn.before, owes=False)
    answers = true_taps(TableGame(turn.before.position, playing), (), turn, seen)
    return None if answers is None or not answers.likeness.is_whole else answers.asked


@dataclass(frozen=True, slots=True, order=True)
class Likeness:
    """How like a turn is to the true one: whether both end in one position, else how much players got alike."""

    is_whole: bool
    alike: int


@dataclass(frozen=True, slots=True)
class TrueTaps:
    """The taps that tell a turn, up to its sales, how many of them no photo tells, and its likeness to the true one."""

    taps: tuple[str, ...]
    asked: int
    likeness: Likeness


def true_taps(game: TableGame, answers: tuple[str, ...], turn: PhotographedTurn, seen: VisibleTurn) -> TrueTaps | None:
    """The taps of the true turn, `answers` first, or of the likest of those that are tried; None if none ends it."""
    open_lists, best = [(answers, 0)], None
    beginning = turn_beginning(game)
    for _ in range(ANSWERS_TRIED):
        if not open_lists:
            break
        answers, asked = open_lists.pop(0)
        taps = known_taps(game, answers, seen)
        questions = TurnQuestions(beginning)
        for tap in taps:
            questions.interview.answer(tap)
        question = questions.interview.question
        if question is None or question.key == About.CLOSE:
            likeness = _likeness(beginning, questions.state, turn)
            if best is None or likeness > best.likeness:
                best = TrueTaps(taps, asked, likeness)
            if likeness.is_whole:
                break
            # A djinn whose power leaves no trace may have been used.
            further = question.powers if question is not None else ()
            open_lists += [((*taps, tap.token), asked + 1) for tap in further]
            continue
        drawn = [tap for tap in question.taps if tap.token in turn.djinns] if question.key == About.OTHER else []
        open_lists += [((*taps, tap.token), asked + 1) for tap in drawn or question.taps]
    return best


def _likeness(before: GameState, after: GameState, turn: PhotographedTurn) -> Likeness:
    """How like a turn is to the true one, once the same was sold."""
    with suppress(CompanionError):
        for sale in turn.sold:
            after = step(after, sale).state
    mine, true = _gains(before.position, after.position), _gains(turn.before.position, turn.after.position)
    otherwise = {*after.progress.used} ^ {*turn.after.progress.used}
    return Likeness(after.position == turn.after.position, sum(map(eq, mine, true)) - 2 * len(otherwise))


def _gains(before: Position, after: Position) -> Iterator[object]:
    """What each player got and lost, thing by thing."""
    for had, has in zip(before.players, after.players, strict=True):
        for was, now in zip(_counts(had), _counts(has), strict=False):
            yield None if was is None or now is None else now - was
        yield {*(has.djinns or ())} ^ {*(had.djinns or ())}


def _counts(player: Player) -> tuple[int | None, ...]:
    return (player.gold, player.viziers, player.elders, player.fakirs, *(player.goods or ()))


def turns_table(turns: Sequence[NamedTurn]) -> str:
    """The figures of photos of turns, by case, as a Markdown table."""
    head = ["case", "turns", "board first", "first three", f"first, {READ_WELL}+ read", "one tap", "of these wrong"]
    head += ["told", "line right", "questions", "CPU s: median, most"]
    cases = dict.fromkeys(turn.case for turn in turns)
    return markdown_table(head, [[case, *_figures([turn for turn in turns if turn.case == case])] for case in cases])


PROBABILITY_EDGES = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0)
"""Edges of the bins of probabilities in the calibration."""


def calibration_table(turns: Sequence[NamedTurn]) -> str:
    """How often the likeliest board is the true one, by how likely it was said to be, as a Markdown table."""
    rows = []
    for low, high in pairwise(PROBABILITY_EDGES):
        inside = [turn for turn in turns if low < turn.probability <= high]
        if inside:
            mean = sum(turn.probability for turn in inside) / len(inside)
            right = _share([turn.first for turn in inside])
            rows.append([f"{low:.3g} to {high:.3g}", str(len(inside)), f"{100 * mean:.1f}%", right])
    return markdown_table(["said", "turns", "said in the mean", "right"], rows)


def _figures(turns: Sequence[NamedTurn]) -> list[str]:
    well = [turn for turn in turns if turn.read_right >= READ_WELL]
    sure = [turn for turn in turns if turn.sure]
    lines = [turn for turn in turns if turn.line is not None]
    asked = [turn.questions for turn in turns if turn.questions is not None]
    seconds = sorted(turn.cpu_s for turn in turns)
    return [
        str(len(turns)),
        _share([turn.first for turn in turns]),
        _share([turn.first_three for turn in turns]),
        _share([turn.first for turn in well]),
        _share([turn.sure for turn in turns]),
        str(sum(not turn.first for turn in sure)),
        _share([turn.told for turn in turns]),
        _share([bool(turn.line) for turn in lines]),
        f"{sum(asked) / len(asked):.2f}" if asked else "",
        f"{seconds[len(seconds) // 2]:.3f}, {seconds[-1]:.2f}",
    ]


def _share(of: Sequence[bool]) -> str:
    return f"{100 * sum(of) / len(of):.1f}% of {len(of)}" if of else ""
