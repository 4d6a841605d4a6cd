"""`companion hint` and `bid`: the best turns of the player to move, with reasons; what each free spot is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from companion.advisor.advice import AdviceLevel
from companion.cli.inputs import (
    check_answers,
    check_no_turn_begun,
    check_plays,
    check_refilled,
    input_files,
    open_inputs,
    opened_position,
    sources_key,
    tell,
)
from companion.cli.locale import run_language
from companion.cli.options import (
    AsJson,
    Assumed,
    Force,
    PhotoOptions,
    PlayerColour,
    PositionFile,
    PositionInput,
    Resume,
    SearchOptions,
    Sources,
    reading_option,
)
from companion.cli.output import (
    PICTURE_ENDINGS,
    POSITION_ENDINGS,
    check_outputs,
    is_at_terminal,
    note,
    print_json,
    write_and_tell,
)
from companion.errors import UnusableInputError
from companion.language.phrase import joined, say, say_many, term
from companion.notation.files import format_position
from companion.notation.names import parse_colour
from companion.rules.engine.resuming import bids_are_placed
from companion.rules.engine.scoring import result_of
from companion.rules.model.position import Phase

if TYPE_CHECKING:
    from companion.advisor.advice import AdvisedTurn, BidAdvice, Budget, TurnAdvice
    from companion.cli.views.advice_view import Detail
    from companion.opening.position import Opened
    from companion.rules.engine.scoring import GameResult
    from companion.rules.model.board import Board
    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position
    from companion.vision.reading.session import PhotoSession


_TOP = 5
"""Ideas that are shown where nobody says how many."""
_NOTHING_TO_DRAW = say("There's no turn to draw, so nothing was written.")


def hint(
    position: Sources,
    top: Annotated[
        int | None, typer.Option(min=1, help="How many ideas or bids to show; 5 ideas, or all bids, if not given.")
    ] = None,
    player: PlayerColour = None,
    level: Annotated[
        AdviceLevel, typer.Option(help="How much to show: which tile to lift, the path as well, or everything.")
    ] = AdviceLevel.FULL,
    why: Annotated[bool, typer.Option("--why", help="Show sums, errors and likely replies of every turn.")] = False,
    ways: Annotated[bool, typer.Option("--ways", help="Show the other ways to play each idea.")] = False,
    assumed: Assumed = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="PICTURE",
            help="Draw the best turn, or the best bid's, on the photo or on a drawn board (.png, .jpg or .svg).",
        ),
    ] = None,
    ask: Annotated[
        bool | None,
        typer.Option(
            "--ask/--no-ask",
            help="Ask what each player has, where that isn't known; or ask nothing, not even about a photo's tiles.",
        ),
    ] = None,
    resume: Resume = False,
    *,
    search: SearchOptions,
    photos: PhotoOptions,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show the best turns and why; while bids are open, what to bid.

    Example: companion hint game.toml --top 3, or companion hint table.jpg --player pink --picture turn.png
    """
    with reading_option("--player"):
        mover = None if player is None else parse_colour(player)
    budget = search.budget()
    asks_nothing = ask is False or as_json or "-" in position
    ask = bool(ask) or resume
    check_answers(ask, position)
    check_outputs(
        (output, POSITION_ENDINGS),
        (picture, (*PICTURE_ENDINGS, ".svg")),
        force=force,
        inputs=input_files(position, photos),
    )
    # Imported beside the reading of a photo, which leaves time for it.
    Thread(target=import_module, args=("companion.advisor.search.advise",), daemon=True).start()
    opened = open_inputs(position, photos, quiet=as_json)
    check_plays(opened, mover)
    tell(opened, brief=not why)
    if opened.reading is not None and search.time is None and search.playouts is None:
        from companion.advisor.advice import PHOTO_PLAYOUTS, Budget

        budget = Budget(PHOTO_PLAYOUTS)
    if mover is None and not asks_nothing and is_at_terminal():
        mover = _asked_mover(opened)
    with ExitStack() as drafts:
        known = opened.position
        if ask:
            from companion.cli.dialogue.photo_doubts import asked_holdings

            key = sources_key(opened, position)
            known = drafts.enter_context(asked_holdings(known, mover, opened.names, key, resume=resume))
        from companion.cli.views.advice_view import Detail

        asked = _Asked(
            opened=opened,
            known=known,
            mover=mover,
            top=top,
            detail=Detail(level, why, ways),
            lists_assumed=assumed,
            as_json=as_json,
            asks_nothing=asks_nothing,
            budget=budget,
            seed=search.seed,
            picture=picture,
            output=output,
            force=force,
        )
        if player is None:
            check_no_turn_begun(opened)
            check_refilled(opened)
        if known.phase is Phase.BID and not bids_are_placed(known):
            _while_bidding(asked)
        else:
            _by_value(asked)


def _asked_mover(opened: Opened) -> Colour | None:
    """Whose turn it is, asked where a photo shows several players' camels and nothing says who moves."""
    position = opened.position
    known = position.to_move or position.turn_order or position.bid_order
    if opened.reading is None or known or len(position.colours) < 2:
        return None
    from companion.asking.holdings_questions import mover_of
    from companion.cli.dialogue.loop import answered

    return answered(mover_of(position.colours))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's arguments, opened and checked; with `asks_nothing` nobody is asked about tiles in doubt."""

    opened: Opened
    known: Position
    mover: Colour | None
    top: int | None
    detail: Detail
    lists_assumed: bool
    as_json: bool
    asks_nothing: bool
    budget: Budget
    seed: int | None
    picture: Path | None
    output: Path | None
    force: bool

    @property
    def turns(self) -> int:
        return _TOP if self.top is None else self.top

    @property
    def doubts(self) -> dict[int, float]:
        """The doubtful tiles of a photo, with the confidence that each was read with."""
        return {} if self.opened.reading is None else self.opened.reading.doubts

    def on_this_board(self) -> tuple[str, ...]:
        """What is assumed where a record breaks off inside a turn: that another one can be played on its board."""
        if self.opened.record is None or not self.opened.record.is_inside_turn:
            return ()
        words = say("Hints are about whole turns on this board, not about the rest of the current turn.")
        return (*self.opened.where_it_stops, words)

    def tell(self, assumed: Sequence[str], notes: Sequence[str], result: GameResult | None) -> list[str]:
        """Write the position where that's wished for, say what else is to be known, return what to say last."""
        if self.output is not None:
            write_and_tell({self.output: format_position(self.known, self.output.suffix).encode()}, force=self.force)
        from companion.cli.searching import tell_assumed
        from companion.cli.views.advice_view import over_line

        new = [sentence for sentence in assumed if sentence not in self.opened.notes]
        last = tell_assumed(new, self.opened.position, self.mover, listed=self.lists_assumed)
        if self.doubts and not self.detail.why:
            last.append(
                say_many(
                    "{count} doubtful tile: companion read.",
                    "{count} doubtful tiles: companion read.",
                    len(self.doubts),
                )
            )
        for sentence in notes:
            if sentence not in self.opened.notes:
                note(sentence)
        if result is not None and self.as_json:
            note(over_line(result, self.opened.names))
        return last


def _by_value(asked: _Asked) -> None:
    """The turns with the best expected end of the game, by playing on."""
    from companion.cli.searching import leave_if, search_turns, tell_last
    from companion.cli.views.advice_documents import advice_document
    from companion.cli.views.advice_view import more_words, print_advice

    def think(opened: Opened, known: Position) -> tuple[TurnAdvice, bool]:
        return search_turns(opened, known, asked.mover, asked.turns, asked.budget, asked.seed, quiet=asked.as_json)

    advice, interrupted = think(asked.opened, asked.known)
    if advice.worth_a_look and not interrupted and not asked.asks_nothing and is_at_terminal():
        asked, advice = _with_tiles_asked(asked, advice, think)
    last = asked.tell(advice.assumed, (*advice.notes, *asked.on_this_board()), advice.result)
    advice = replace(advice, assumed=(*advice.assumed, *asked.on_this_board()))
    if advice.turns and all(turn.sowing is None for turn in advice.turns):
        from companion.advisor.turn_wording import no_move_words

        assert advice.to_move is not None
        note(no_move_words(advice.to_move))
    if asked.picture is not None:
        _draw_turns(asked, advice)
    if asked.as_json:
        print_json(advice_document(advice, asked.doubts))
    else:
        print_advice(advice, asked.detail, names=asked.opened.names, doubts=asked.doubts)
        last += more_words(advice.turns, asked.detail)
    tell_last(last)
    leave_if(interrupted)


def _with_tiles_asked(
    asked: _Asked, advice: TurnAdvice, think: Callable[[Opened, Position], tuple[TurnAdvice, bool]]
) -> tuple[_Asked, TurnAdvice]:
    """What was asked for and the advice, after a person said what lies on the tiles that decide."""
    from companion.cli.dialogue.photo_doubts import ask_tiles

    opened = asked.opened
    assert opened.photos is not None, "only a photo's tiles are in doubt"

    def again(photos: PhotoSession) -> TurnAdvice:
        return think(opened.answered(photos), asked.known.with_board(photos.reading.position.board))[0]

    photos, advice = ask_tiles(opened.photos, advice, again)
    known = asked.known.with_board(photos.reading.position.board)
    return replace(asked, opened=opened.answered(photos), known=known), advice


def _while_bidding(asked: _Asked) -> None:
    from companion.cli.searching import leave_if, search_bids, tell_last
    from companion.cli.views.advice_documents import bidding_document
    from companion.cli.views.advice_view import print_bids

    advice, interrupted = search_bids(
        asked.opened, asked.known, asked.mover, asked.budget, asked.seed, quiet=asked.as_json
    )
    last = asked.tell(advice.assumed, advice.notes, advice.result)
    if asked.picture is not None:
        _draw_bids(asked, advice)
    if asked.as_json:
        print_json(bidding_document(advice, asked.top))
    else:
        print_bids(advice, asked.opened.names, asked.detail.level, most=asked.top)
    tell_last(last)
    leave_if(interrupted)


def _draw_turns(asked: _Asked, advice: TurnAdvice) -> None:
    """Write the picture that is wished for, no more on it than the level tells."""
    from companion.advisor.turn_wording import look_words
    from companion.cli.views.advice_view import all_reasons

    if not advice.turns:
        note(_NOTHING_TO_DRAW)
        return
    mover, best = advice.to_move, advice.turns[0]
    assert mover is not None
    turn = best.explained
    captions: dict[AdviceLevel, list[str]] = {
        AdviceLevel.NUDGE: [look_words(turn.start)],
        AdviceLevel.PATH: [turn.path or turn.headline],
        AdviceLevel.FULL: [joined(": ", (term(mover), turn.headline)), *islice(all_reasons(best, asked.doubts), 2)],
    }
    _draw(asked, advice.position.board, best, captions[asked.detail.level])


def _draw_bids(asked: _Asked, advice: BidAdvice) -> None:
    """Write the picture that is wished for, with the turn that the best bid is for."""
    from companion.advisor.bid_wording import bid_headline, bid_look_words, purpose

    if not advice.bids:
        note(_NOTHING_TO_DRAW)
        return
    is_nudge = asked.detail.level is AdviceLevel.NUDGE
    caption = [bid_look_words(advice)] if is_nudge else [bid_headline(advice), purpose(advice, advice.bids[0])]
    best = None if is_nudge else advice.bids[0].turn
    _draw(asked, advice.position.board, best, [line for line in caption if line])


def _draw(asked: _Asked, board: Board, best: AdvisedTurn | None, caption: Sequence[str]) -> None:
    """Draw a turn on the photo that the board was read from, or on a drawn board."""
    from companion.printing.hint.picture import board_picture, photo_picture

    assert asked.picture is not None
    suffix, language, level = asked.picture.suffix, run_language(), asked.detail.level
    photos = asked.opened.photos
    homography = None if photos is None else photos.reading.homography
    if photos is None or homography is None:
        picture = board_picture(board, best, caption, suffix, level=level, language=language)
    else:
        feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(photos.reading.tiles)}
        photo = photos.board_picture()
        picture = photo_picture(photo, homography, feet, best, caption, suffix, level=level, language=language)
    write_and_tell({asked.picture: picture}, force=asked.force)


# What each free spot of the turn order track is worth.


def bid(player: PlayerColour = None, assumed: Assumed = False, *, search: SearchOptions, given: PositionInput) -> None:
    """Show what each free spot on the turn order track is worth to the player bidding, and what it's good for.

    Example: companion bid game.toml --player pink
    """
    from companion.advisor.advice import BidAdvice
    from companion.cli.searching import leave_if, search_bids, tell_assumed, tell_last
    from companion.cli.views.advice_documents import bid_document
    from companion.cli.views.advice_view import over_line, print_bids

    with reading_option("--player"):
        bidder = None if player is None else parse_colour(player)
    budget = search.budget()
    opened = opened_position(given)
    check_plays(opened, bidder)
    tell(opened)
    known = opened.position
    check_refilled(opened)
    if known.phase is Phase.TURN or (not known.is_over and bids_are_placed(known)):
        playing = known.to_move or next((bid.colour for bid in known.turn_order or ()), None)
        raise UnusableInputError(
            "no bids are open in {position}: it's {player}'s turn to play; companion hint advises on it",
            position=opened.name or say("this position"),
            player=say("somebody") if playing is None else term(playing),
        )
    if known.is_over:
        advice, interrupted = BidAdvice(None, known, result=result_of(known, unseen=opened.unseen_in(known))), False
    else:
        advice, interrupted = search_bids(opened, known, bidder, budget, search.seed, quiet=given.as_json)
    last = tell_assumed(advice.assumed, known, bidder, listed=assumed)
    for sentence in advice.notes:
        note(sentence)
    if given.as_json:
        if advice.result is not None:
            note(over_line(advice.result, opened.names))
        print_json(bid_document(advice))
    else:
        print_bids(advice, opened.names)
    tell_last(last)
    leave_if(interrupted)
