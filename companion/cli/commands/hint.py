"""`companion hint`: the best turns of the player to move, with reasons; the bids while those are open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.advisor.level import AdviceLevel
from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import (
    AsJson,
    Force,
    Paper,
    PaperSize,
    PhotoOptions,
    PositionFile,
    Resume,
    Sources,
    reading_option,
)
from companion.cli.thinking import Playouts, Seed, ThinkingTime
from companion.language.phrase import joined, say, term
from companion.resources import SEARCH_ADDRESS_SPACE_BYTES, check_address_space

if TYPE_CHECKING:
    from companion.advisor.advice import BidAdvice, Budget, TurnAdvice
    from companion.advisor.wording import TurnWords
    from companion.opening.position import Opened
    from companion.rules.model.board import Board
    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position

_TOP = 5
"""Turns that are shown where nobody says how many."""


def hint(
    position: Sources,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            metavar="N",
            help="How many turns or bids to show; without it 5 turns, or all bids.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="COLOUR", help="Whose turn to look at.", show_default=False)
    ] = None,
    level: Annotated[
        AdviceLevel,
        typer.Option("--level", help="How much to tell: which tile to lift, the path as well, or everything."),
    ] = AdviceLevel.FULL,
    time: ThinkingTime = None,
    playouts: Playouts = None,
    seed: Seed = None,
    by_gain: Annotated[
        bool, typer.Option("--gain", help="Rank by the points that turns bring at once, and look no further.")
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="PICTURE",
            help="Draw the best turn, or the best bid's, on the photo or on a drawn board (.png, .jpg or .svg).",
            show_default=False,
        ),
    ] = None,
    pdf: Annotated[
        Path | None,
        typer.Option(
            "--pdf", metavar="FILE", help="Write pages with the best turns or bids to print.", show_default=False
        ),
    ] = None,
    paper: PaperSize = Paper.A4,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask what lies in front of each player, as far as it is not known.")
    ] = False,
    resume: Resume = False,
    *,
    photos: PhotoOptions,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
    colour: ColourOption = ColourChoice.AUTO,
) -> None:
    """Show the turns with which the game is expected to end best, and why; while bids are open, what to bid.

    Example: companion hint game.toml --top 3, or companion hint table.jpg --player pink --picture turn.png
    """
    from companion.cli.inputs import check_no_turn_begun, check_refilled, input_files, open_inputs, tell, told_from
    from companion.cli.output import (
        PDF_ENDING,
        PICTURE_ENDINGS,
        POSITION_ENDINGS,
        SVG_ENDING,
        check_outputs,
        note,
        written_words,
    )
    from companion.cli.thinking import budget_of
    from companion.errors import UsageError
    from companion.notation.files import format_position
    from companion.notation.names import parse_colour
    from companion.rules.engine.setup import bids_are_placed
    from companion.rules.model.position import Phase
    from companion.storage import write_file

    with reading_option("--player"):
        mover = None if player is None else parse_colour(player)
    budget = budget_of(time, playouts)
    of_search = {"--time": time, "--playouts": playouts, "--seed": seed, "--picture": picture, "--pdf": pdf}
    given = [name for name, value in of_search.items() if value is not None]
    given += ["--level"] if level is not AdviceLevel.FULL else []
    if by_gain and given:
        raise UsageError(
            say("--gain ranks without a search and in words alone; leave out {option} or --gain", option=given[0])
        )
    ask = ask or resume
    if ask and "-" in position:
        raise UsageError(say("--ask reads the answers from standard input, so the position must come from a file"))
    check_outputs(
        (output, POSITION_ENDINGS),
        (photos.overlay, PICTURE_ENDINGS),
        (picture, (*PICTURE_ENDINGS, *SVG_ENDING)),
        (pdf, PDF_ENDING),
        force=force,
        inputs=input_files(position, photos),
    )
    opened = open_inputs(position, photos, force=force, quiet=as_json)
    tell(opened)
    with ExitStack() as drafts:
        known = opened.position
        if ask:
            from companion.cli.dialogue.hint import asked_holdings

            told = told_from(opened, position)
            known = drafts.enter_context(asked_holdings(known, mover, opened.names, told, resume=resume))
        if output is not None:
            write_file(output, format_position(known, output.suffix).encode(), force=force)
            note(written_words(output))
        asked = _Asked(opened, known, mover, top, level, budget, seed or 0, picture, pdf, paper, force, as_json, colour)
        if mover is None:
            check_no_turn_begun(opened)
        if by_gain:
            _by_gain(asked)
            return
        if mover is None:
            check_refilled(opened)
        if known.phase is Phase.BID and not bids_are_placed(known):
            _while_bidding(asked)
        else:
            _by_value(asked)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be looked at and shown: the command's arguments, opened and checked."""

    opened: Opened
    known: Position
    mover: Colour | None
    top: int | None
    level: AdviceLevel
    budget: Budget
    seed: int
    picture: Path | None
    pdf: Path | None
    paper: Paper
    force: bool
    as_json: bool
    colour: ColourChoice

    @property
    def is_to_draw(self) -> bool:
        """Whether a picture or pages are wished for."""
        return self.picture is not None or self.pdf is not None

    @property
    def turns(self) -> int:
        """How many turns to show."""
        return _TOP if self.top is None else self.top

    @property
    def doubts(self) -> dict[int, float]:
        """The doubtful tiles of a photo, with the confidence that each was read with."""
        return {} if self.opened.reading is None else self.opened.reading.reading.doubts


def _by_gain(asked: _Asked) -> None:
    """The turns that bring the most points at once."""
    from companion.advisor.search.gains import hints
    from companion.cli.inputs import game_of
    from companion.cli.output import note, print_json, print_text
    from companion.cli.views.hint_view import hint_document, hint_lines, over_line

    game = game_of(asked.opened, asked.known, asked.mover)
    found = hints(game, asked.turns, asked.mover, merge_starts=not asked.as_json)
    found = replace(found, assumed=(*found.assumed, *_on_this_board(asked.opened)))
    _tell((*found.assumed, *found.notes), asked, over=found.result is not None)
    if asked.as_json:
        if found.result is not None:
            note(over_line(found.result, asked.opened.names))
        print_json(hint_document(found, asked.doubts))
    else:
        for line in hint_lines(found, asked.opened.names, asked.doubts):
            print_text(line)


def _by_value(asked: _Asked) -> None:
    """The turns with the best expected end of the game, by playing on."""
    check_address_space(SEARCH_ADDRESS_SPACE_BYTES, say("thinking about a turn"))
    from companion.advisor.search.advise import advise
    from companion.advisor.wording import words_of
    from companion.cli.inputs import game_of
    from companion.cli.output import note, print_json
    from companion.cli.thinking import leave_if, thinking
    from companion.cli.views.advice_view import advice_document, print_advice, with_doubts
    from companion.cli.views.hint_view import over_line

    with thinking(wanted=not asked.as_json) as watch:
        found = advise(
            game_of(asked.opened, asked.known, asked.mover),
            player=asked.mover,
            top=asked.turns,
            budget=asked.budget,
            seed=asked.seed,
            progress=watch.progress,
            stop=watch.stop,
        )
    found = replace(found, assumed=(*found.assumed, *_on_this_board(asked.opened)))
    _tell((*found.assumed, *found.notes), asked, over=found.result is not None)
    words = words_of(found)
    if words and all(one.turn.sowing is None for one in words):
        from companion.advisor.search.gains import no_move_words

        assert found.to_move is not None
        note(no_move_words(found.to_move))
    if asked.is_to_draw:
        _draw_turns(asked, found, with_doubts(words, asked.doubts))
    if asked.as_json:
        if found.result is not None:
            note(over_line(found.result, asked.opened.names))
        print_json(advice_document(found, words, asked.doubts))
    else:
        print_advice(found, words, asked.level, colour=asked.colour, names=asked.opened.names, doubts=asked.doubts)
    leave_if(watch.interrupted)


def _while_bidding(asked: _Asked) -> None:
    """What to bid, and which turns the bids are for."""
    check_address_space(SEARCH_ADDRESS_SPACE_BYTES, say("thinking about a turn"))
    from companion.advisor.search.bids import advise_bid
    from companion.advisor.wording import bid_turns
    from companion.cli.inputs import game_of
    from companion.cli.output import note, print_json
    from companion.cli.thinking import leave_if, thinking
    from companion.cli.views.advice_view import bidding_document, print_bids
    from companion.cli.views.hint_view import over_line

    with thinking(wanted=not asked.as_json) as watch:
        found = advise_bid(
            game_of(asked.opened, asked.known, asked.mover),
            player=asked.mover,
            budget=asked.budget,
            seed=asked.seed,
            progress=watch.progress,
            stop=watch.stop,
        )
    _tell((*found.assumed, *found.notes), asked, over=found.result is not None)
    if found.result is None:
        note(
            say(
                "The bids are still open: this is what the free spots are worth; --gain looks at turns on the board as "
                "it is."
            )
        )
    elif asked.as_json:
        note(over_line(found.result, asked.opened.names))
    if asked.is_to_draw:
        _draw_bids(asked, found)
    if asked.as_json:
        print_json(bidding_document(found, bid_turns(found)[: asked.top]))
    else:
        print_bids(found, asked.colour, asked.opened.names, asked.level, most=asked.top)
    leave_if(watch.interrupted)


def _on_this_board(opened: Opened) -> tuple[str, ...]:
    """What is assumed where a record breaks off inside a turn: that another one can be played on its board."""
    if opened.record is None or not opened.record.is_inside_turn:
        return ()
    words = say("Hints are about whole turns, on the board as it stands, and not about the rest of this one.")
    return (*opened.where_it_stops, words)


def _tell(sentences: Sequence[str], asked: _Asked, *, over: bool) -> None:
    """What was assumed, and what else is to be known of the advice, on standard error, once."""
    from companion.cli.output import note

    for sentence in sentences:
        if sentence not in asked.opened.notes:
            note(sentence)
    if not over and asked.mover is None and asked.opened.position.to_move is None:
        note(say("--player COLOUR looks at the turn of somebody else."))


def _draw_turns(asked: _Asked, found: TurnAdvice, words: Sequence[TurnWords]) -> None:
    """Write the picture and the pages that are wished for, no more on them than the level tells."""
    from companion.advisor.wording import look_words
    from companion.cli.output import note
    from companion.printing.hint.sheet import hint_sheet

    if not words:
        note(say("There is no turn to draw, so no picture and no page is written."))
        return
    mover, best = found.to_move, words[0]
    assert mover is not None
    captions: dict[AdviceLevel, list[str]] = {
        AdviceLevel.NUDGE: [look_words(best.start)],
        AdviceLevel.PATH: [best.path or best.headline],
        AdviceLevel.FULL: [joined(": ", (term(mover), best.headline)), *best.reasons],
    }
    _write_picture(asked, found.position.board, best, captions[asked.level])
    _write_pages(asked, partial(hint_sheet, found, words))


def _draw_bids(asked: _Asked, found: BidAdvice) -> None:
    """Write the picture and the pages that are wished for, with the turn that the best bid is for on their board."""
    from companion.advisor.wording import best_bid_turn, bid_headline, bid_look_words, purpose
    from companion.cli.output import note
    from companion.printing.hint.sheet import bid_sheet

    if not found.bids:
        note(say("There is no turn to draw, so no picture and no page is written."))
        return
    is_nudge = asked.level is AdviceLevel.NUDGE
    caption = [bid_look_words(found)] if is_nudge else [bid_headline(found), purpose(found, found.bids[0])]
    best = None if is_nudge else best_bid_turn(found)
    _write_picture(asked, found.position.board, best, [line for line in caption if line])
    _write_pages(asked, partial(bid_sheet, found, most=asked.top))


def _write_pages(asked: _Asked, sheet: Callable[..., bytes]) -> None:
    """Write the PDF that is wished for."""
    if asked.pdf is None:
        return
    from companion.cli.locale import print_language
    from companion.cli.output import note, written_words
    from companion.storage import write_file

    pages = sheet(paper=asked.paper, language=print_language(), level=asked.level)
    write_file(asked.pdf, pages, force=asked.force)
    note(written_words(asked.pdf))


def _write_picture(asked: _Asked, board: Board, best: TurnWords | None, caption: Sequence[str]) -> None:
    """Draw a turn on the photo that the board was read from, or on a drawn board, if a picture is wished for."""
    if asked.picture is None:
        return
    from companion.cli.locale import run_language
    from companion.cli.output import note, written_words
    from companion.printing.hint.picture import board_picture, photo_picture
    from companion.storage import write_file

    suffix, language = asked.picture.suffix, run_language()
    table, photos = asked.opened.reading, asked.opened.photos
    if table is None or photos is None or table.reading.homography is None:
        picture = board_picture(board, best, caption, suffix, level=asked.level, language=language)
    else:
        feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(table.reading.tiles)}
        photo, homography = photos.board_photo(table), table.reading.homography
        picture = photo_picture(photo, homography, feet, best, caption, suffix, level=asked.level, language=language)
    write_file(asked.picture, picture, force=asked.force)
    note(written_words(asked.picture))
