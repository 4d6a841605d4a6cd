"""How a command begins that was given nothing to begin with: a photo of the board, a set-up, or what is typed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.asking.players import NamedPlayers, read_players
from companion.asking.question import Asking, Conversation, Question, ask, once
from companion.errors import NotationError
from companion.language.phrase import say
from companion.notation.codes import looks_like_code
from companion.notation.names import NOTHING, fold
from companion.notation.tokens import whole_number
from companion.rules.engine.setup import can_play
from companion.rules.model.components import Colour
from companion.storage import check_free

_QUITTING = say("leaves")


def score_source() -> Conversation[str | None]:
    """Asks what is to be scored: the photo or file of a board, or "", where everything is typed."""
    return once(
        Question(
            "source",
            say("A photo of the board at the end (drag the file here), or Enter to type what each player has"),
            lambda line: _file(line, say("press Enter")),
            help=say("  The board is read from the photo; you're asked for the rest."),
        ),
        _QUITTING,
    )


def sheet_file(*, force: bool) -> Conversation[str | None]:
    """Asks for the name of the PDF of a score sheet; "" for none. With `force` it may be there already."""

    def parse(line: str) -> str:
        name = "" if not line or fold(line) in NOTHING else str(Path(line).expanduser())
        if name and not name.lower().endswith(".pdf"):
            raise NotationError("{path}: the name must end in {wanted}", path=name, wanted=".pdf")
        if name:
            check_free(Path(name), force=force)
        return name

    question = say("Print the score sheet? The name of its file, such as sheet.pdf, or Enter for no")
    return once(Question("sheet", question, parse, optional=True), _QUITTING)


Beginning = tuple[str, NamedPlayers, int | None]
"""A photo, a code, the number of a set-up or "" for one to be shuffled now; who plays in a set-up, and how many."""


def table_source(named: NamedPlayers, number: int | None, names: Iterable[str]) -> Conversation[Beginning | None]:
    """Asks how a table was laid, and who plays where a set-up is laid and neither `named` nor `number` says so.

    `names` are those of earlier games.
    """
    table = Question(
        "table",
        say("How was the table laid? A photo of it (drag the file here), a set-up's number, or Enter to shuffle one"),
        lambda line: line if whole_number(line) is not None else _file(line, say("press Enter")),
        help=say("  companion setup prints the number, and so does its card. Shuffled now, the table to lay is shown."),
    )
    players = Question(
        "players",
        say("Who's playing, or how many? (Anna, Boris, Clara; black Anna, blue Boris; 3)"),
        _players,
        default="2",
        help=say("  As many players as the set-up is for; if it's on a card, in the card's colours."),
        completions=(*Colour, *names),
    )

    def asked(_: Beginning | None) -> Asking[Beginning | None]:
        source = yield from ask(table)
        is_told = named != NamedPlayers() or number is not None
        if is_told or (source and whole_number(source) is None):
            return source, named, number
        return source, *(yield from ask(players))

    return Conversation(None, asked, _QUITTING)


def _players(line: str) -> tuple[NamedPlayers, int | None]:
    number = whole_number(line or "2")
    named = read_players(line) if number is None else NamedPlayers()
    placed = named.assumed()
    if number is not None and not 2 <= number <= len(Colour):
        raise NotationError("a game is for 2 to 4 players, not for {number} (rules 2.1)", number=number)
    if named.colours and len(placed) > 1 and not can_play(placed):
        raise NotationError("two players are blue and pink (rules 2.1)")
    return named, number


def _file(line: str, otherwise: str) -> str:
    """The name of a file that is there, as a terminal writes it when it's dropped; a code; or ""."""
    if not line or looks_like_code(line):
        return line
    path = Path(line.strip("'\"").replace("\\ ", " ")).expanduser()
    if not path.is_file():
        raise NotationError("there's no file {path}: type where it is, or {otherwise}", path=path, otherwise=otherwise)
    return str(path)
