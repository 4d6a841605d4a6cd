"""A record made from a series of photos: what they show is played, and what no board shows is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import tee

from companion.asking.photo_turns import earlier_boards, face_up, known_taps
from companion.asking.question import Question
from companion.asking.tapping import TappedTurn, tapped_turn
from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.language.phrase import joined, say, term
from companion.notation.names import fold, in_english, parse_player
from companion.notation.records.lines import BidsLine, Record, TurnLine, format_entry, parse_line
from companion.notation.records.recording import commented, corrected
from companion.notation.records.steps import Observation
from companion.rules.engine.game import legal_actions, step
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, Colour, TileAction, Tribe
from companion.rules.model.state import GameState, Stage
from companion.table.games import TableGame, bid_placed, played, refilled
from companion.table.playing import Playing, game_at
from companion.tracking.inference import MISFIT_NATS, SURE, Verdict, doubted_on, misfit_of
from companion.tracking.series import Series, Shown, turns_in_series
from companion.tracking.visible import Likelihood, VisibleTurn

AHEAD = 3
"""How many photos after one help to tell what it shows, where it alone doesn't."""

CLEAR = 0.999
"""A photo that is surer than this of a turn needs no others. Of 174 such turns all were right."""

MARKETS = (TileAction.SMALL_MARKET, TileAction.LARGE_MARKET)
_CHEAPEST = 5
_UNPRICED = "the order is known, the prices aren't"


class Ask(Enum):
    """What is to be answered before a recording goes on."""

    BIDS = auto()
    REFILL = auto()
    TURN = auto()
    """Which of the candidates it was."""
    TAP = auto()
    """What the turn's question asks."""


@dataclass(frozen=True, slots=True)
class SeriesPhoto:
    """A photo that was read: what it says of the board, and the row and the djinns where it shows them for sure."""

    name: str
    likelihood: Likelihood
    row: tuple[str, ...] | None = None
    djinns: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn as it came into the record; `asked` is what no photo showed, with what was taken for it."""

    photo: str
    player: Colour
    line: str
    probability: float
    others: tuple[tuple[str, float], ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """A game on its way into a record; `photos` are still to be looked at, `last` was looked at before them.

    `choices` are what the first photo may show, `left` its turns that aren't played yet, `taps` what is known of the
    first of them, `asked` what was asked since the turn before. `order` is in whose turns the round fits the photos
    best; `without` is why photos without a turn have none; `ask` is what is asked now, None once all is
    recorded, with the `question` where it is about the turn.
    `expected` is what the photos show by the likeliest of all lines through them, as long as the board is `onto`. One
    that `proposes` plays nothing by itself; whether more was done than a turn needs, such as a sale, it `asks_more`.
    """

    game: TableGame
    photos: tuple[SeriesPhoto, ...]
    earlier: tuple[Board, ...] = ()
    expected: tuple[Shown, ...] = ()
    onto: Board | None = None
    last: SeriesPhoto | None = None
    choices: tuple[tuple[Shown, float], ...] = ()
    left: tuple[VisibleTurn, ...] = ()
    probability: float = 1.0
    others: tuple[tuple[str, float], ...] = ()
    taps: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    order: tuple[Colour, ...] = ()
    turns: tuple[RecordedTurn, ...] = ()
    without: tuple[tuple[str, Verdict], ...] = ()
    ask: Ask | None = None
    question: Question[str] | None = None
    proposes: bool = False
    asks_more: bool = True

    @property
    def state(self) -> GameState:
        assert self.game.state is not None, "a record is played by the rules"
        return self.game.state

    def shows(self, verdict: Verdict) -> tuple[str, ...]:
        """The photos without a turn that this was found of."""
        return tuple(name for name, found in self.without if found is verdict)

    @property
    def playing(self) -> Playing:
        """The game by the rules."""
        assert self.game.playing is not None, "a record is played by the rules"
        return self.game.playing

    @property
    def record(self) -> Record:
        return self.playing.record


def begin(record: Record, photos: Iterable[SeriesPhoto], *, proposes: bool = False) -> Recording:
    """The recording of photos that were taken after the last line of a record; where it `proposes`, sure turns are
    asked too, and end where they are accepted.

    `photos` are taken one by one, and compared while others are still being read. Raises UnusableInputError if none of
    several shows the game, or if they are in the wrong order, and what `replay` raises.
    """
    coming, taken = tee(photos)
    now = Recording(_game(record), (), earlier_boards(record), proposes=proposes)
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


def _game(record: Record) -> TableGame:
    playing = game_at(record)
    return TableGame(playing.state.position, playing, unchecked_hands=False)


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
        elif now.left and not now.game.owes_refill and not now.game.is_bidding:
            after = _with_turn(now)
            if after.ask is not None:
                return after
            now = after
        else:
            after = _looked_at(now)
            if after.ask is not None:
                return after
            now = after


def _looked_at(now: Recording) -> Recording:
    """The recording with what the first photo shows, or with what is to be known before that can be told."""
    turns, choices = now.left, now.choices
    begun: list[Board | None] = [now.game.position.board]
    if not turns and now.game.position.board == now.onto and (now.game.is_bidding or now.game.owes_refill):
        shown = now.expected[: AHEAD + 1]
    elif not turns:
        series = _series(now)
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
        seen = _refill_seen(now, turns[0])
        if seen is not None:
            try:
                return replace(now, game=refilled(now.game, seen))
            except CompanionError:
                pass
        return replace(now, ask=Ask.REFILL)
    if now.game.is_bidding:
        return replace(now, ask=Ask.BIDS, order=_order(now.state, turns, begun))
    playable = tuple(one for one in choices if not one[0].turns or line_of(now.game, one[0].turns))
    choices = playable or choices
    now = replace(now, choices=choices)
    return chosen(now, 0) if choices[0][1] > SURE and not now.proposes else replace(now, ask=Ask.TURN)


def _series(now: Recording) -> Series:
    """What the first photo shows, with as many of those that follow as it takes to be clear."""
    photos = [photo.likelihood for photo in now.photos[: AHEAD + 1]]
    return turns_in_series(now.state, photos, earlier=now.earlier, clear=CLEAR)


def _order(state: GameState, turns: Sequence[VisibleTurn], begun: Sequence[Board | None]) -> tuple[Colour, ...]:
    """An order of the round's turns that fits what photos show of whose they were; else that of the bids.

    `begun` are the boards on which the turns began, None where one isn't known.
    """
    markers = [bid.colour for bid in state.position.turn_order or ()] + list(state.position.bid_order or ())
    told = [None if board is None else _told(turn, board) for turn, board in zip(turns, begun, strict=False)]
    told = told[: len(markers)]
    for colour in filter(None, told):
        if colour in markers:
            markers.remove(colour)
    order = [colour if colour is not None else markers.pop(0) for colour in told if colour is not None or markers]
    return (*order, *markers)


def _told(turn: VisibleTurn, board: Board) -> Colour | None:
    """Whose turn it was where the board tells: a tile that it empties gets a camel, and powers are somebody's."""
    sowing = turn.sowing
    killed_on = [victim.square for victim in turn.kills if victim.square is not None]

    def is_claimed(square: int) -> bool:
        there = Counter(dict(zip(Tribe, board[square].meeples, strict=True)) if square != sowing.start else {})
        there.update(one for at, one in zip(sowing.path, sowing.drops, strict=True) if at == square)
        there.subtract(victim.tribe for victim in turn.kills if victim.square == square)
        taken = there[sowing.tribe] if square == sowing.end else 0
        return board[square].camel is None and there.total() == taken

    claims = any(map(is_claimed, (sowing.end, *killed_on)))
    return turn.player if claims or turn.first or turn.then or turn.onto is not None else None


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
    board = tuple(turn.corrections.get(square, tile) for square, tile in enumerate(game.position.board))
    return _with_board(game, board)


def _with_board(game: TableGame, board: Board) -> TableGame:
    assert game.playing is not None, "a record is played by the rules"
    if board == game.position.board:
        return game
    return _game(corrected(game.playing.record, game.position, game.position.with_board(board)))


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


# Bids and the clean-up.


def bid(now: Recording, bids: Sequence[tuple[Colour, PlaceBid]], *, priced: bool = True) -> Recording:
    """The recording with a round's bids, each player's in their order. Raises NotationError where some are missing."""
    game, left = now.game, list(bids)
    while game.is_bidding:
        one = next((one for one in left if one[0] is game.mover), None)
        if one is None:
            raise NotationError("a bid of {player} is missing", player=game.mover)
        left.remove(one)
        game = bid_placed(game, one[1])
    if left:
        raise NotationError("there are more bids than markers")
    if not priced:
        now = replace(now, game=game)
        game = replace(game, playing=replace(now.playing, record=commented(now.record, _UNPRICED)))
    return replace(now, game=game, ask=None)


def read_bids(now: Recording, text: str) -> Recording:
    """The recording with bids as they were typed, with prices or the order of turns alone; "" for the one that fits.

    Raises NotationError for what is neither.
    """
    names: Mapping[str, Colour] = {fold(name): colour for colour, name in now.record.header.names.items()}
    known = " ".join(str(names.get(fold(word), word)) for word in in_english(text).replace(",", " , ").split())
    if re.search(r"\d", known):
        parted = re.sub(r"(\d) +(?=[a-z])(?!with|fakir)", r"\1, ", known.replace(":", " "))
        entry = parse_line(0, f"round 1: {parted}").entry
        assert isinstance(entry, BidsLine), "that is what begins so"
        return bid(now, entry.bids)
    order = [parse_player(word) for word in known.replace(",", " ").split()] or now.order
    return bid(now, cheapest_bids(now.state, order), priced=False)


def cheapest_bids(state: GameState, order: Sequence[Colour]) -> list[tuple[Colour, PlaceBid]]:
    """The cheapest bids that lead to turns in an order. Raises NotationError where none do."""
    found = min(_bids_for(state, order), key=lambda bids: sum(one.price for _, one in bids), default=None)
    if found is None:
        raise NotationError("no bids lead to that order: name every marker once, the first to play first")
    return found


def _bids_for(state: GameState, order: Sequence[Colour]) -> Iterator[list[tuple[Colour, PlaceBid]]]:
    if state.stage is not Stage.BID:
        waiting = [one.colour for one in state.position.turn_order or ()]
        if [state.mover, *waiting] == [*order]:
            yield []
        return
    mover = state.mover
    assert mover is not None, "somebody bids"
    for action in [action for action in legal_actions(state) if isinstance(action, PlaceBid)][:_CHEAPEST]:
        if not action.fakirs:
            for rest in _bids_for(step(state, action).state, order):
                yield [(mover, action), *rest]


def refill(now: Recording, seen: Observation | None) -> Recording:
    """The recording after the clean-up that it owes; None where nobody knows what came."""
    if seen is not None:
        return replace(now, game=refilled(now.game, seen), ask=None)
    unknown = replace(now.game.position, row=None, djinns=None)
    return replace(now, game=_game(corrected(now.record, now.game.position, unknown)), ask=None)


def _refill_seen(now: Recording, first: VisibleTurn) -> Observation | None:
    """What came in the clean-up, where the photo before it or after it tells.

    `first` is the next round's first turn, which the photo after it shows too.
    """
    row, djinns = now.game.position.row, now.game.position.djinns
    if row is None or djinns is None:
        return None
    board = now.game.position.board
    action, taken = board[first.sowing.end].kind.action, _merchants(board, first)
    for photo, merchants, is_after in ((now.last, 0, False), (now.photos[0], taken, True)):
        if photo is None or photo.row is None or photo.djinns is None:
            continue
        gone = [name for name in djinns if name not in photo.djinns]
        whole = len(photo.row) == ROW_LENGTH - merchants and len(photo.djinns) == FACE_UP_DJINNS
        told = whole and not gone and merchants <= len(row) and photo.row[: len(row) - merchants] == row[merchants:]
        if told and not (is_after and action in (*MARKETS, TileAction.SACRED_PLACE)):
            new = tuple(name for name in photo.djinns if name not in djinns)
            return Observation(photo.row[len(row) - merchants :], new)
    return None


def _merchants(board: Board, turn: VisibleTurn) -> int:
    """How many cards a turn's merchants take from the row."""
    tribe = turn.sowing.drops[-1]
    if tribe is not Tribe.MERCHANT:
        return 0
    dropped = sum(
        square == turn.sowing.end and one is tribe
        for square, one in zip(turn.sowing.path, turn.sowing.drops, strict=True)
    )
    there = 0 if turn.sowing.end == turn.sowing.start else board[turn.sowing.end].meeples[tribe]
    return there + dropped
