"""`companion play` and `record`: what was played, or what no photo shows, is asked; each answer is on disk first."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from companion.asking.photo_questions import photo_question
from companion.asking.photo_record import begin
from companion.asking.question import (
    HINT,
    SCORE,
    SHOW,
    Asking,
    Conversation,
    Message,
    NumberedList,
    Question,
    State,
    Styled,
    ask,
)
from companion.asking.recording import Recording
from companion.cli.dialogue.loop import Dialogue, End, Terminal, open_terminal
from companion.cli.progress import progress
from companion.errors import CompanionError, IllegalMoveError, NotationError, UnusableInputError
from companion.language.phrase import joined, listed, say, term
from companion.notation.names import in_english
from companion.notation.records.lines import Record, RefillLine, Remark, TurnLine, format_entry, format_record
from companion.notation.records.recording import commented, examples
from companion.notation.records.steps import Observation, parse_observation
from companion.notation.tokens import whole_number
from companion.opening.source import STANDARD_INPUT
from companion.opening.text import save_record
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import CARD_COUNTS
from companion.rules.model.state import GameState, Stage
from companion.storage import SavedFile
from companion.table import playing
from companion.table.advising import advise_table
from companion.table.playing import WANTED, Pending, Playing, decision_before, forced_steps, game_at, play_line
from companion.tracking.inference import Verdict, lifted_on

if TYPE_CHECKING:
    from rich.console import Console

    from companion.cli.history_recorder import RecordFollower

_HELP = say(
    "  5   8 with 1 fakir       a bid: the price of the spot\n"
    "  c3 > c4g > d4b > d4y     move: the tile, then each step and the meeple left\n"
    "  c3                       only take the meeples; the steps one by one: c4g\n"
    "  2 viziers                the tribe action; fakirs: 3 builders with 1 fakir\n"
    "  kill b on c2             whom the assassins kill; kill w of pink; with fakirs:\n"
    "                           with 1 fakir kill b on c2\n"
    "  palm   palace   buy fish, silk   buy fish (3)   take Utug for 2 elders   pass\n"
    "  use Sloar for fakir   use Enki for elder on c3   keep Utug\n"
    "  sell fish, silk          end: ends the turn\n"
    "  c3 > c4g > c5y; 2 viziers; palm; end     a whole turn at once\n"
    "  3                        picks from the list, or the hints, shown last\n"
    "  # text                   a comment into the record\n"
    "  show  the board     score  the points now     hint  the best turns, or bids"
)

_PHOTO_HELP = say("  photo IMG_7.jpg          reads off photos which turn was played")

_DRAWN_HELP = say(
    "  What was drawn, in order: fish, silk (cards), Utug (djinns), ywg (meeples);\n  ? "
    "where nobody saw it. back: do something else."
)

_WORDS = (
    *("pass", "end", "palm", "palace", "buy", "take", "use", "keep", "sell", "kill"),
    *("viziers", "elders", "builders"),
)


_PHOTO_WORDS = ("photo", "фото", "사진", "foto")
"""What begins a line that names photos, in the five languages."""

InPlay: TypeAlias = Playing | Recording
"""A game on its way, or with turns that photos show and nobody has accepted yet."""


def game(record: Record, welcome: str) -> Conversation[InPlay]:
    """Asks for the decisions of a game from a record on, and for what was drawn; `welcome` is said first."""
    begun = game_at(record)
    # What leaves no choice is done at once.
    first, messages = _settled(begun)
    quitting = say("leaves; the game is saved in its file, and --resume continues it")
    earlier = lambda told: decision_before(_playing(told))  # noqa: E731
    return Conversation(first, _next, quitting, (welcome, *messages), goes_on=True, earlier=earlier)


def _next(now: InPlay) -> Asking[InPlay]:
    """The next decision with what chance brought, or what photos leave open; nothing when the game is over."""
    after: InPlay
    if isinstance(now, Recording):
        after = yield from ask(replace(photo_question(now), commands=_commands(now.playing)))
    elif now.state.is_over:
        return now
    else:
        answer = yield from ask(_decision(now))
        while isinstance(answer, Pending):
            answer = yield from ask(_drawn(now, answer))
        after = answer
    yield from _new_lines(now, after)
    if isinstance(after, Recording) and after.ask is not None:
        return after
    settled, messages = _settled(_playing(after))
    yield from messages
    return settled


def _decision(now: Playing) -> Question[InPlay | Pending]:
    words = playing.prompt(now.state, now.record.header.names, owes_refill=now.owes)
    is_listed = not now.owes and now.state.stage is not Stage.BID
    return Question(
        "decision",
        words,
        lambda line: _decided(now, line),
        choices=tuple(playing.listed(now.state)) if is_listed else (),
        help=joined("\n", (_HELP, _PHOTO_HELP)),
        completions=(*CARD_COUNTS, *_WORDS, "photo"),
        listing=lambda: (joined("", ("  ", words)),),
        commands={**_commands(now), HINT: lambda: _hint(now)},
        mark="> ",
    )


def _commands(now: Playing) -> Mapping[str, Callable[[], Iterable[Message]]]:
    return {SHOW: lambda: _show(now.state), SCORE: lambda: show_score(now)}


def _drawn(now: Playing, pending: Pending) -> Question[InPlay | Pending]:
    return Question(
        "drawn",
        say("{wanted} (back: do something else)", wanted=pending.wanted),
        lambda line: _played(now, pending.line, (*pending.seen, parse_observation(in_english(line)))),
        help=_DRAWN_HELP,
        completions=tuple(CARD_COUNTS),
        mark="> ",
        own=frozenset({"?"}),
    )


def _decided(now: Playing, line: str) -> InPlay | Pending:
    if not line:
        raise NotationError("nothing was typed; list shows the choices, ? shows help")
    if whole_number(line) is not None and not now.owes and now.state.stage is not Stage.BID:
        number = len(playing.listed(now.state))
        raise NotationError("there is no number {text}; the list has 1 to {number}", text=line, number=number)
    word, _, files = line.partition(" ")
    if word.casefold() in _PHOTO_WORDS:
        return _photographed(now, files.strip())
    if line.startswith("#"):
        return replace(now, record=commented(now.record, line[1:]))
    try:
        return _played(now, line, ())
    except IllegalMoveError as error:
        some = [] if now.owes else examples(now.state, start=playing.start_of(line))
        raise IllegalMoveError(
            say("{error}\n  possible: {some}", error=error, some=joined(say("; or "), some)) if some else str(error)
        ) from None


def _photographed(now: Playing, files: str) -> InPlay:
    """What photos show, to be accepted turn by turn."""
    if not (now.owes or now.begins_turn or now.state.stage is Stage.BID):
        raise NotationError("photos show whole turns: type the rest of this one, or take it back with undo")
    try:
        names = [files] if Path(files).is_file() else shlex.split(files)
    except ValueError:
        names = []
    if not names or STANDARD_INPUT in names:
        raise NotationError("name the photos, such as photo IMG_7.jpg")
    with progress(say("reading")) as shown:
        from companion.asking.series_photos import photos_in_order, read_series

        contents = photos_in_order([str(Path(name).expanduser()) for name in names])
        useless: dict[str, CompanionError] = {}
        read = [*read_series(contents, now.state.position.board, shown.say, useless)]
        if useless:
            raise next(iter(useless.values()))
        seen = begin(now.record, read, proposes=True)
    if seen.ask is not None:
        return seen
    last = read[-1]
    if seen.without[-1][1] is Verdict.EARLIER:
        raise UnusableInputError("{photo} shows the table as it was before", photo=last.name)
    if last.covered is not None:
        raise UnusableInputError(last.covered)
    if lifted := lifted_on(now.state.position.board, last.likelihood):
        raise UnusableInputError(
            "{tile} looks empty in {photo}: take the photo when the turn is over, with no meeples in hand",
            tile=SQUARE_NAMES[lifted[0]],
            photo=last.name,
        )
    if unexplained := seen.shows(Verdict.UNEXPLAINED):
        raise UnusableInputError(
            "no legal turn explains what {photos} shows: was the turn over, with nobody's hand in the picture?",
            photos=listed(unexplained),
        )
    return now


def _played(now: Playing, line: str, seen: tuple[Observation, ...]) -> Playing | Pending:
    """The game after a line; what is still to be told if it draws something."""
    try:
        return play_line(now, line, seen)
    except ChanceNeededError as needed:
        return Pending(line, seen, WANTED[needed.wanted])


def _new_lines(before: InPlay, after: InPlay) -> Iterator[Message]:
    if after is before:
        yield say("  The board is as it was: no new turn.")
    elif isinstance(after, Playing) and isinstance(before, Playing) and after.state is before.state:
        yield say("  noted")
    else:
        yield from step_messages(_playing(before), _playing(after))


def _settled(now: Playing) -> tuple[Playing, list[Message]]:
    """The game once all is done that leaves no choice, and what that was."""
    messages: list[Message] = []
    for before, after in pairwise((now, *forced_steps(now))):
        now = after
        messages += step_messages(before, after)
    return now, messages


class RecordSaver:
    """Puts the record on disk after each answer, where it is not as it was, and then into the history."""

    def __init__(self, file: SavedFile, on_disk: Record | None, follower: RecordFollower) -> None:
        self._file = file
        self._on_disk = on_disk
        self._follower = follower
        self.how_to_go_on = say("; continue with: companion play {path} --resume", path=file.path)

    @property
    def is_saved(self) -> bool:
        return self._on_disk is not None

    def save(self, state: InPlay, lines: object = ()) -> None:
        """See `Saver.save`. Raises what `save_record` raises."""
        if state.record != self._on_disk:
            save_record(self._file, state.record)
            self._on_disk = state.record
        last = format_entry(state.record.lines[-1].entry) if state.record.lines else ""
        self._follower.follow(format_record(state.record), last)


def _playing(state: InPlay) -> Playing:
    return state.playing if isinstance(state, Recording) else state


def step_messages(before: Playing, after: Playing) -> Iterator[Message]:
    """The new lines of the record, and the points when a turn is over."""
    # By their places: two lines of a game may say the same.
    pairs = zip(before.record.lines, after.record.lines, strict=False)
    kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    new = [line.entry for line in after.record.lines[kept:] if not isinstance(line.entry, Remark)]
    yield from (f"  {format_entry(entry)}" for entry in new)
    if any(isinstance(entry, RefillLine) for entry in new):
        from companion.cli.views.board_view import BoardView

        yield Styled(BoardView(after.state.position.board))
    # The same player may have the next turn too, so that who moves does not tell.
    if any(isinstance(entry, TurnLine) and not entry.open for entry in new):
        result, names = result_of_game(after.state), after.record.header.names
        points = [
            joined(" ", (names.get(colour) or term(colour), result.total_words(colour))) for colour in result.scores
        ]
        yield Styled(say("  points: {now}", now=joined(", ", points)), "dim")


def _show(state: GameState) -> Iterator[Message]:
    from companion.cli.views.position_view import PositionView

    yield Styled(PositionView(state.position))


def show_score(state: Playing) -> tuple[str, ...]:
    """Print the points as they stand; what is not known of them is still to be shown."""
    from companion.cli.views.score_table import print_result

    result = result_of_game(state.state)
    print_result(result, state.record.header.names)
    return result.unknown


def _hint(now: Playing) -> Iterator[Message]:
    from companion.advisor.advice import DEFAULT_PLAYOUTS
    from companion.cli.views.advice_view import advice_lines, answer_lines, bid_answer_lines, bid_table

    state, names = now.state, now.record.header.names
    if state.stage is not Stage.BID and not now.begins_turn:
        yield say("Hints are for bids and whole turns: ask before one starts.")
        return
    try:
        advice = advise_table(state, DEFAULT_PLAYOUTS, seed=0, alternatives=None, tell=lambda share, doing: None)
    except CompanionError as error:
        yield Styled(str(error), "red")
        return
    if advice.bids is not None:
        yield Styled(bid_table(advice.bids))
        yield from bid_answer_lines(advice.bids, names)
    elif advice.turns is not None:
        lines = zip(advice.lines, advice.best, strict=True)
        yield NumberedList(
            (*advice_lines(advice.turns, names=names), *answer_lines(advice.turns, names=names)),
            tuple(f"{line}; end" if line and not one.open_ended else line for line, one in lines),
        )


def play_record(file: SavedFile, record: Record, console: Console, follower: RecordFollower, *, saved: bool) -> None:
    """Ask for the decisions of a game from a record on, which is on disk if `saved`; `follower` keeps it in the
    history. Raises KeyboardInterrupt where somebody breaks off, and as `save_record`.
    """
    terminal = open_terminal(console)
    welcome = (
        say("Continuing {path}; ? shows help, quit leaves, undo goes back a step.", path=file.path)
        if saved
        else say("Recording to {path}; ? shows help, quit leaves, undo goes back a step.", path=file.path)
    )
    saver = RecordSaver(file, record if saved else None, follower)
    dialogue = Dialogue(terminal, game(record, welcome), saver)
    if saved:
        saver.save(dialogue.state)
    if _held(dialogue, terminal, saver):
        terminal.say(say("The game is over."))
        for sentence in show_score(_playing(dialogue.state)):
            terminal.say(sentence)
        follower.finish()


def _held(dialogue: Dialogue[State], terminal: Terminal, saver: RecordSaver) -> bool:
    """Hold a conversation; whether it came to its end, else it's said what is saved. Raises KeyboardInterrupt where
    somebody breaks off.
    """
    if dialogue.run().end is not End.DONE:
        is_broken = dialogue.end is End.BROKEN_OFF
        left = joined("", (say("Stopped") if is_broken else say("Saved"), saver.how_to_go_on))
        terminal.say(left if saver.is_saved else say("Nothing was recorded."))
        if is_broken:
            raise KeyboardInterrupt
    return dialogue.end is End.DONE


def recording(first: Recording, before: Playing) -> Conversation[Recording]:
    """Asks what photos leave open; `first` is where the first question stands, `before` the game before any photo."""

    def asked(now: Recording) -> Asking[Recording]:
        if now.ask is None:
            return now
        after = yield from ask(photo_question(now))
        yield from step_messages(now.playing, after.playing)
        return after

    welcome = say("Photos show the turns, and you add what no board shows; ? shows help, back undoes an answer.")
    quitting = say("leaves; what was recorded is saved, and the same command continues")
    return Conversation(first, asked, quitting, (welcome, *step_messages(before, first.playing)), goes_on=True)


def ask_for_record(now: Recording, before: Playing, saver: RecordSaver, output: Path, console: Console) -> Recording:
    """Ask for what photos leave open; the recording then. Raises KeyboardInterrupt, and as `save_record`."""
    terminal = open_terminal(console)
    saver.how_to_go_on = say("; continue with: companion record {path} PHOTO… -o {path}", path=output)
    saver.save(now)
    dialogue = Dialogue(terminal, recording(now, before), saver)
    # What wasn't looked at is no photo without an explanation.
    return dialogue.state if _held(dialogue, terminal, saver) else replace(dialogue.state, ask=None)
