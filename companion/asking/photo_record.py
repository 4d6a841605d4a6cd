"""A record made from a series of photos: what they show is played, and what no board shows is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import tee

from companion.asking.photo_turns import earlier_boards, face_up, known_taps
from companion.asking.question import Question
from companion.asking.recorded_rounds import likely_order, read_bids, refill, refill_seen
from companion.asking.recording import Ask, RecordedTurn, Recording, SeriesPhoto, game_of
from companion.asking.tapping import TappedTurn, tapped_turn
from companion.errors import CompanionError, UnusableInputError
from companion.language.phrase import joined, say, term
from companion.notation.records.lines import Record, TurnLine, format_entry
from companion.notation.records.recording import corrected
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.state import Stage
from companion.table.games import TableGame, played, refilled
from companion.tracking.inference import MISFIT_NATS, SURE, Verdict, doubted_on, misfit_of
from companion.tracking.series import turns_in_series
from companion.tracking.visible import VisibleTurn

AHEAD = 3
"""How many photos after one help to tell what it shows, where it alone doesn't."""

CLEAR = 0.999
"""A photo that is surer than this of a turn needs no others. Of 174 such turns all were right."""


def begin(record: Record, photos: Iterable[SeriesPhoto], *, proposes: bool = False) -> Recording:
    """The recording of photos that were taken after the last line of a record; where it `proposes`, sure turns are
    asked too, and end where they are accepted.

    `photos` are taken one by one, and compared while others are still being read. Raises UnusableInputError if none of
    several shows the game, or if they are in the wrong order, and what `replay` raises.
    """
    coming, taken = tee(photos)
    now = Recording(game_of(record), (), earlier_boards(record), proposes=proposes)
    series = turns_in_series(now.state, (photo.likelihood for photo in coming), earlier=now.earlier)
    now = replace(now, photos=tuple(taken))
    if len(now.photos) > 1:
        odd = [place for place, verdict in enumerate(series.verdicts) if verdict is Verdict.UNEXPLAINED]
        if len(odd) == len(now.photos):
            raise UnusableInputError("none of the photos shows this game one to three turns later: is START right?")
        last = max(place for place in range(len(now.photos)) if place not in odd)
        for place in odd:
            later = turns_in_series(series.lines[0].state, [now.photos[place].likelihood]) if place < last else None
            if later is not None and later.verdicts[0] is Verdict.TURN:
                raise UnusableInputError(
                    "the photos are in the wrong order: {one} shows what follows {other}",
                    one=now.photos[place].name,
                    other=now.photos[last].name,
                )
        # What is known by then may explain what seems odd now.
        now = replace(now, expected=series.lines[0].shown, onto=now.game.position.board)
    return settled(now)


def settled(now: Recording) -> Recording:
    """The recording once everything the photos tell is played; `ask` is what they don't tell."""
    while True:
        now = replace(now, ask=None, question=None)
        if now.photos and now.game.is_over and not now.left:
            fits = misfit_of(now.game.position.board, now.photos[0].likelihood) <= MISFIT_NATS
            now = _past(now, Verdict.NOTHING if fits else Verdict.UNEXPLAINED)
            continue
        if now.game.is_over or not (now.photos or now.left):
            return replace(now, photos=(), left=())
        if now.state.stage is Stage.CLOSE and not now.game.owes_refill and now.state.mover is not None:
            # Nobody can move any more (rules 9.2).
            now = replace(now, game=played(now.game, f"{now.state.mover}: no move"))
        else:
            is_told = now.left and not now.game.owes_refill and not now.game.is_bidding
            now = _with_turn(now) if is_told else _looked_at(now)
            if now.ask is not None:
                return now


def _looked_at(now: Recording) -> Recording:
    """The recording with what the first photo shows, or with what is to be known before that can be told."""
    turns, choices = now.left, now.choices
    begun: list[Board | None] = [now.game.position.board]
    if not turns and now.game.position.board == now.onto and (now.game.is_bidding or now.game.owes_refill):
        shown = now.expected[: AHEAD + 1]
    elif not turns:
        photos = [photo.likelihood for photo in now.photos[: AHEAD + 1]]
        series = turns_in_series(now.state, photos, earlier=now.earlier, clear=CLEAR)
        if series.verdicts[0] is not Verdict.TURN:
            return _past(now, series.verdicts[0])
        choices, shown = series.candidates(0), series.lines[0].shown
    if not turns:
        if not shown[0].turns:
            return _past(now, shown[0].verdict)
        turns = tuple(turn for one in shown for turn in one.turns)
        for one in shown:
            # Between two turns of one photo nobody knows the board.
            begun += [*[None] * (len(one.turns) - 1), one.board] if one.turns else []
    if now.game.owes_refill:
        seen = refill_seen(now, turns[0])
        if seen is not None:
            with suppress(CompanionError):
                return replace(now, game=refilled(now.game, seen))
        return replace(now, ask=Ask.REFILL)
    if now.game.is_bidding:
        return replace(now, ask=Ask.BIDS, order=likely_order(now.state, turns, begun))
    playable = tuple(one for one in choices if not one[0].turns or line_of(now.game, one[0].turns))
    choices = playable or choices
    now = replace(now, choices=choices)
    return chosen(now, 0) if choices[0][1] > SURE and not now.proposes else replace(now, ask=Ask.TURN)


def chosen(now: Recording, place: int, *, more: bool = False) -> Recording:
    """The recording with one of the choices as what the photo shows, and perhaps `more` that it doesn't."""
    shown, probability = now.choices[place]
    others = [
        (line, round(other, 4))
        for number, (one, other) in enumerate(now.choices)
        if number != place and (line := line_of(now.game, one.turns))
    ]
    turns = face_up(shown.turns, now.photos[0].row, now.photos[0].djinns)
    now = replace(now, left=turns, probability=probability, others=tuple(others[:7]), choices=(), ask=None)
    now = replace(now, asks_more=more or not now.proposes)
    return now if shown.turns else _past(now, shown.verdict)


def _past(now: Recording, without: Verdict | None = None) -> Recording:
    """The recording without the first photo, which is done with; `without` is why it shows no turn."""
    if without is not None:
        now = replace(now, without=(*now.without, (now.photos[0].name, without)))
    onto = now.expected[0].board if now.expected else None
    return replace(now, photos=now.photos[1:], last=now.photos[0], expected=now.expected[1:], onto=onto)


def line_of(game: TableGame, turns: Sequence[VisibleTurn]) -> str:
    """Turns as a record has them, with nothing that no board shows; "" where they can't be played."""
    lines = []
    for turn in turns:
        if game.mover is not turn.player or game.is_bidding:
            break
        try:
            game = _corrected(game, turn)
            told = _tapped(game, (), turn)
            while told.line is None and told.question is not None:
                told = _tapped(game, (*told.taps, least(told.question)), turn)
            lines.append(told.line or "")
            game = played(game, lines[-1])
        except CompanionError:
            break
    return " / ".join(lines)


def least(question: Question[str]) -> str:
    """The answer to a question about a turn that changes least."""
    return question.parse("") if question.default else question.taps[0].token


def _tapped(game: TableGame, taps: Sequence[str], turn: VisibleTurn) -> TappedTurn:
    return tapped_turn(game, known_taps(game, taps, turn))


def _corrected(game: TableGame, turn: VisibleTurn) -> TableGame:
    """The game with the tiles put right that weren't as known before a turn."""
    assert game.playing is not None, "a record is played by the rules"
    board = tuple(turn.corrections.get(square, tile) for square, tile in enumerate(game.position.board))
    if board == game.position.board:
        return game
    return game_of(corrected(game.playing.record, game.position, game.position.with_board(board)))


def _with_turn(now: Recording) -> Recording:
    """The recording once the first turn that is left is played, or with what is to be asked about it."""
    turn = now.left[0]
    if turn.player is not now.game.mover:
        # The order of the round was not known when this was taken for that player's.
        return replace(now, left=(), taps=())
    game = _corrected(now.game, turn)
    told = _tapped(game, now.taps, turn)
    now = replace(now, game=game, taps=told.taps)
    if told.question is not None and (now.asks_more or told.line is None):
        return replace(now, ask=Ask.TAP, question=told.question)
    return _closed(now, told)


def _closed(now: Recording, told: TappedTurn) -> Recording:
    """The recording with a turn that is told to its end."""
    assert told.line is not None, "what asks nothing more is a whole turn"
    turn, before = now.left[0], now.game.position.board
    after = played(now.game, told.line)
    entry = RecordedTurn(now.photos[0].name, turn.player, told.line, round(now.probability, 4), now.others, now.asked)
    left = now.left[1:]
    now = replace(
        now,
        game=after,
        earlier=(before, *now.earlier),
        turns=(*now.turns, entry),
        left=left,
        taps=(),
        asked=(),
        others=now.others if left else (),
    )
    return now if left else _past(now)


def tap(now: Recording, token: str) -> Recording:
    """The recording with an answer to the question about the turn; "" ends the turn."""
    assert now.question is not None, "something is asked"
    words = {one.token: one.words for one in now.question.offered}
    answer = words[token] if token else say("yes")
    now = replace(now, asked=(*now.asked, joined(" ", (now.question.words, answer))), ask=None)
    if not token:
        return _closed(now, tapped_turn(now.game, now.taps))
    return replace(now, taps=(*now.taps, token), question=None)


def typed(now: Recording, line: str) -> Recording:
    """The recording with a turn as somebody typed it; the photo is looked at again where that isn't all it shows.

    Raises what `played` raises.
    """
    mover, before = now.game.mover, now.game.position.board
    assert mover is not None, "somebody's turn is asked for"
    after = played(now.game, line)
    assert after.playing is not None, "a record is played by the rules"
    told = next(one.entry for one in reversed(after.playing.record.lines) if isinstance(one.entry, TurnLine))
    entry = RecordedTurn(now.photos[0].name, mover, format_entry(told), 1.0, now.others, (say("typed"),))
    now = replace(now, game=after, earlier=(before, *now.earlier), turns=(*now.turns, entry), choices=(), ask=None)
    return _past(now) if misfit_of(after.position.board, now.photos[0].likelihood) <= MISFIT_NATS else now


def doubted(now: Recording) -> list[str]:
    """The tiles on which the first choice's board may be a meeple wrong, since the photo shows one more or fewer."""
    return [SQUARE_NAMES[square] for square in doubted_on(now.choices[0][0].board, now.photos[0].likelihood)]


def dropped(now: Recording) -> Recording:
    """The recording with nothing taken from the first photo: none of its choices was played."""
    return replace(_past(now, Verdict.UNEXPLAINED), choices=(), ask=None)


def unasked(now: Recording) -> Recording:
    """The recording with what changes least in place of an answer; which turn it was is never taken so."""
    if now.ask is Ask.TAP:
        assert now.question is not None, "something is asked"
        return settled(tap(now, least(now.question)))
    if now.ask is Ask.REFILL:
        after, words = refill(now, None), say("New cards and djinns? Not known")
    else:
        after = read_bids(now, "")
        words = say("What was bid? Not known; in turn: {order}", order=joined(", ", map(term, now.order)))
    return settled(replace(after, asked=(*now.asked, words)))
