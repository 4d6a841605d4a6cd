"""What a command is given, opened: one path for every command that needs a position."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from companion.cli.options import PhotoOptions, PositionInput, reading_option
from companion.cli.output import note
from companion.cli.progress import progress
from companion.errors import UnusableInputError, UsageError
from companion.language.phrase import listed, say, term
from companion.notation.names import parse_colour
from companion.opening.position import Opened, open_position
from companion.opening.source import STANDARD_INPUT
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState

NO_PHOTOS = PhotoOptions()
"""Nothing beside what is opened."""


def open_inputs(
    sources: Sequence[str],
    photos: PhotoOptions = NO_PHOTOS,
    *,
    checked: bool = True,
    photos_only: bool = False,
    quiet: bool = False,
) -> Opened:
    """The position of a command's arguments, impossible ones too unless it is `checked`; `photos_only` takes no text.
    Raises as `open_position`, and UsageError for options that do not go together.
    """
    with progress(say("reading"), wanted=not quiet) as line:
        return open_position(
            *sources,
            goods=parse_goods(photos.goods or []),
            cards=photos.cards,
            photos_only=photos_only,
            checked=checked,
            tell=lambda step, words: line.say(words),
        )


def opened_position(given: PositionInput, *, checked: bool = True) -> Opened:
    """The position that a command was given; see `open_inputs`."""
    return open_inputs(given.position, given, checked=checked, quiet=given.as_json)


def game_of(opened: Opened, known: Position, player: Colour | None = None) -> Position | GameState:
    """What is searched: the game of a record where it stands before a decision of `player`, which tells more than a
    position, else the position; both with what is `known` of hands.
    """
    if opened.record is None:
        return known
    record, state = opened.record, opened.record.state
    if record.owes_refill or record.is_inside_turn:
        return known
    if not state.is_over and player not in (None, state.mover):
        return known
    unseen = opened.unseen_in(known)
    return replace(state, position=known, hidden=tuple(unseen.get(one.colour, 0) for one in known.players))


def sources_key(opened: Opened, sources: Sequence[str]) -> tuple[str, ...]:
    """What tells a command's inputs from any others: pictures by what they show, all else by where it lies."""
    photos = opened.photos
    if photos is not None and photos.shots:
        return photos.keys
    return (*map(os.path.realpath, sources), *(() if photos is None else photos.keys))


def check_plays(opened: Opened, player: Colour | None) -> None:
    """Raise UsageError for a player who isn't in the game that a position or record is about; a photo may lack one."""
    position = opened.position
    if player is not None and opened.reading is None and len(position.players) > 1 and player not in position.colours:
        raise UsageError(
            "--player: {player} isn't in this game; {players} play",
            player=term(player),
            players=listed([term(colour) for colour in position.colours]),
        )


def check_refilled(opened: Opened) -> None:
    """Raise UnusableInputError for a record whose round is over and that lacks what the clean-up brought."""
    if opened.record is not None and opened.record.owes_refill:
        raise UnusableInputError(
            "the round is over in {record}, and the record doesn't say which cards and djinns came next: add "
            "a line such as 'refill: fish, silk, Utug' (rules 8.1); companion hint --player COLOUR looks at "
            "a turn on the board as it is",
            record=opened.name or say("this record"),
        )


def check_no_turn_begun(opened: Opened) -> None:
    """Raise UnusableInputError for a record that breaks off inside a turn: no whole turn can come next."""
    if opened.record is not None and opened.record.is_inside_turn:
        assert opened.record.state.mover is not None
        raise UnusableInputError(
            "{record} breaks off inside {player}'s turn, and hints are about whole turns: remove that line "
            "or complete the turn; companion hint --player COLOUR looks at a turn on the board as it is",
            record=opened.name or say("this record"),
            player=term(opened.record.state.mover),
        )


def check_answers(ask: bool, sources: Sequence[str]) -> None:
    """Raise UsageError for answers and an input that would both come from standard input."""
    if ask and STANDARD_INPUT in sources:
        raise UsageError("--ask reads the answers from standard input, so the input must come from a file")


def check_typed(sources: Sequence[str]) -> None:
    """Raise UsageError where what somebody types would be read as the input."""
    if STANDARD_INPUT in sources:
        raise UsageError("standard input is for the lines you type; give a file, a code or a photo to start from")


def input_files(sources: Sequence[str], photos: PhotoOptions = NO_PHOTOS) -> list[str]:
    """All that a command reads, by name, for what must not be written over. Raises UsageError for unclear goods."""
    named = [*sources, *map(str, parse_goods(photos.goods or []).values())]
    return named if photos.cards is None else [*named, photos.cards]


def parse_goods(texts: Sequence[str]) -> dict[Colour, Path]:
    """Players' photos from the texts of --goods such as "pink=goods.jpg". Raises UsageError for any other text."""
    photos: dict[Colour, Path] = {}
    for text in texts:
        name, sign, path = text.partition("=")
        if not sign or not path:
            raise UsageError("--goods {text}: write it as COLOUR=PHOTO, such as pink=photo.jpg", text=text)
        with reading_option("--goods"):
            colour = parse_colour(name)
        if colour in photos:
            raise UsageError(
                "--goods: {colour} is given twice; put all of a player's cards into one photo", colour=colour
            )
        photos[colour] = Path(path)
    return photos


def tell(opened: Opened, *, brief: bool = False) -> None:
    """Say what is to be known of an input: doubts of photos first, those of tiles unless it's to be `brief`."""
    if opened.reading is not None:
        from companion.cli.views.reading_view import card_doubt_lines, doubt_lines

        reading = opened.reading
        shows_board = opened.photos is not None and opened.photos.shots
        few = (*reading.notes, *card_doubt_lines(reading))
        for line in few if brief or not shows_board else doubt_lines(reading):
            note(line)
    for sentence in opened.notes:
        note(sentence)
