"""The questions of `companion score`: what is scored, who plays, a line a player, what no board tells, when, where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from companion.asking.holdings_line import (
    EXAMPLE,
    LINE_HELP,
    ON_THE_BOARD,
    WORDS,
    echo,
    format_entries,
    points_line,
    read_line,
)
from companion.asking.players import NamedPlayers, check_named, read_players
from companion.asking.question import (
    LEAVING,
    Asking,
    Conversation,
    LeftError,
    Message,
    Question,
    T,
    ask,
    once,
    parse_file,
)
from companion.errors import NotationError, printable
from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.notation.names import NOTHING, fold, parse_player
from companion.notation.score_entries import Entries, Entry, is_sum, read_day, read_entry, says_nothing
from companion.notation.score_sheet import ScoreSheet
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import TILE_KINDS, Colour
from companion.storage import check_free
from companion.table.results import player_name

_ON_BOARD: dict[str, tuple[Phrase, Phrase]] = {
    "palms": (say("number of palms on own tiles"), say("palm trees on tiles with a camel of this colour")),
    "palaces": (say("number of palaces on own tiles"), say("palaces on tiles with a camel of this colour")),
    "tiles": (say("points on own tiles"), say("their points as a sum (15+8+8), or their codes (S15 O8 O8)")),
}
"""The words that ask for what a board would show, and what helps with the answer."""

_OPTIONAL: dict[str, tuple[Phrase, Phrase]] = {
    "date": (say("When was it played?"), say("  A day such as 2026-02-14; none leaves it out.")),
    "place": (say("Where was it played?"), say("  A town or a name; none leaves it out.")),
}
_INTRODUCTION = say(
    "Enter takes what's in brackets; back undoes the last answer, list shows\nwhat's filled in, help (or ?) "
    "explains, quit leaves and saves your answers."
)
_MOST_OFFERED = 8
"""Names of earlier games that are shown; Tab completes any."""

_NOTHING_YET = say("nothing yet")
_TILES_TOO = say("\n  Own tiles too: 2 palms, 1 palace, tiles 15+8 (or S15 O8).")
QUITTING = say("leaves; your answers are saved, and --resume continues")


def score(sheet: ScoreSheet, today: str = "", last: Sequence[str] = ()) -> Conversation[ScoreSheet]:
    """Asks for a whole score sheet; what the sheet holds already stands in brackets.

    `today` is the day offered where nobody has said when it was played, `last` are the names of who played before.
    """

    def asked(told: ScoreSheet) -> Asking[ScoreSheet]:
        try:
            told = yield from _players(told, last)
            later = {(colour, category) for colour in told.players for category in CATEGORIES}
            for number, colour in enumerate(told.players):
                later -= {(colour, one) for one in CATEGORIES if told.position or one not in ON_THE_BOARD}
                told = yield from _asked(told, _in_front(told, sheet, later, colour, first=not number))
                for category in ON_THE_BOARD if told.position is None else ():
                    # What a line has said already is not asked again, what it has not said is.
                    is_open = category not in told.known(colour) or category in sheet.known(colour)
                    while is_open:
                        later.discard((colour, category))
                        told = yield from _asked(told, _category(told, sheet, later, colour, category))
                        is_open = category not in told.known(colour)
            date = yield from ask(_listing(told, _optional("date", told.date or today, read_day)))
            told = replace(told, date=date)
            place = _optional("place", told.place, lambda line: " ".join(printable(line).split()))
            told = replace(told, place=(yield from ask(_listing(told, place))))
        except LeftError:
            pass
        return told

    return Conversation(sheet, asked, QUITTING, (_INTRODUCTION,))


def _asked(sheet: ScoreSheet, question: Question[tuple[ScoreSheet, Sequence[Message]]]) -> Asking[ScoreSheet]:
    """Ask, and say what was understood."""
    told, messages = yield from ask(_listing(sheet, question))
    yield from messages
    return told


def _listing(sheet: ScoreSheet, question: Question[T]) -> Question[T]:
    """The question, with everything known so far for the word list."""
    lines = [
        joined(
            "", ("  ", player_name(colour, sheet.players), ": ", format_entries(sheet.known(colour)) or _NOTHING_YET)
        )
        for colour in sheet.players
    ]
    return replace(question, listing=lambda: lines or ("  " + _NOTHING_YET,))


# Who plays.


def _players(sheet: ScoreSheet, last: Sequence[str]) -> Asking[ScoreSheet]:
    """The sheet with who plays; names alone are asked for their colours where a board has camels."""
    in_game = sheet.position.colours if sheet.position else ()
    named = yield from ask(_listing(sheet, _who(sheet, in_game, last)))
    if not in_game:
        players = named.assumed()
        if named.names:
            yield say("  colours assumed: {players}; they don't change the points", players=named.given(players))
        return sheet.with_players(players)
    placed, left = named.colours, named.names
    while left:
        board_left = [colour for colour in in_game if colour not in placed]
        # As many colours as there are names left must be those of the board.
        free = [colour for colour in Colour if colour not in placed]
        choices = board_left if len(left) <= len(board_left) else free
        colour = choices[0]
        if len(choices) > 1:
            colour = yield from ask(_listing(replace(sheet, players=placed), _colour_of(left[0], choices)))
        else:
            yield say("  {name} is {colour}", name=left[0], colour=term(colour))
        placed, left = {**placed, colour: left[0]}, left[1:]
    return sheet.with_players(placed)


def _who(sheet: ScoreSheet, in_game: Sequence[Colour], last: Sequence[str]) -> Question[NamedPlayers]:
    known = {**dict.fromkeys(in_game, ""), **sheet.players}

    def parse(line: str) -> NamedPlayers:
        named = read_players(line) if line or not known else NamedPlayers(known)
        if not named.names:
            check_named(named.colours, in_game)
        elif len(named.names) + len(named.colours) < len(in_game):
            raise NotationError(
                "you named {count}, but {players} play in this position; name everybody",
                count=len(named.names) + len(named.colours),
                players=joined(", ", map(term, in_game)),
            )
        named.assumed()
        return named

    return Question(
        "players",
        say("Who's playing? Names, or colours with names (pink Anna, black Boris)"),
        parse,
        default=joined(", ", [joined(" ", filter(None, (term(colour), name))) for colour, name in known.items()]),
        help=say(
            "  Anna, Boris              names; where a board has camels, colours are asked for\n"
            "  pink Anna, black Boris   colours with names\n"
            "  pink, black              colours alone"
        ),
        why=() if known or not last else (say("\nPlayed before: {names}", names=joined(", ", last[:_MOST_OFFERED])),),
        completions=(*Colour, *last),
    )


def _colour_of(name: str, choices: Sequence[Colour]) -> Question[Colour]:
    def parse(line: str) -> Colour:
        colour = parse_player(line) if line else choices[0]
        if colour not in choices:
            raise NotationError(
                "{colour} cannot be {name}'s; choose {colours}",
                colour=term(colour),
                name=name,
                colours=joined(say(" or "), map(term, choices)),
            )
        return colour

    return Question(
        f"colour of {name}",
        say("{name}'s colour ({colours})", name=name, colours=joined(", ", map(term, choices))),
        parse,
        default=term(choices[0]),
        help=say("  See the camels on the board; type a colour or its letter: K O B P."),
        completions=tuple(choices),
    )


# What the players cannot have together.


def _with_entries(
    sheet: ScoreSheet, first: ScoreSheet, later: Collection[tuple[Colour, str]], colour: Colour, entries: Entries
) -> ScoreSheet:
    """The sheet with an answer. Raises NotationError for what the players cannot have together (rules 1).

    A line that was known at `first`, and is to be asked `later`, counts for nothing there, so that players can be
    entered in any order; when the last is asked, all count.
    """
    after = sheet.with_entries({colour: entries})
    start = first.with_players(after.players)
    sure = {
        one: {
            category: entry
            for category, entry in after.known(one).items()
            if (one, category) not in later or start.known(one).get(category) != entry
        }
        for one in after.players
    }
    replace(after, entries=sure).check()
    return after


def _in_front(
    sheet: ScoreSheet, begun: ScoreSheet, later: Collection[tuple[Colour, str]], colour: Colour, *, first: bool
) -> Question[tuple[ScoreSheet, Sequence[Message]]]:
    known = sheet.known(colour)
    on_board = {category: known[category] for category in ON_THE_BOARD if category in known}
    in_front = {category: entry for category, entry in known.items() if category not in on_board}

    def parse(line: str) -> tuple[ScoreSheet, Sequence[Message]]:
        entries = read_line(line) if line else {}
        after = _with_entries(sheet, begun, later, colour, _with_nothing_else(entries, known))
        filled = after.known(colour)
        named = {name: entry for name, entry in filled.items() if name not in on_board or name in entries}
        messages = [joined("", ("  ", echo(named))), joined("", ("  = ", points_line(filled, colour)))]
        if others := {name: entry for name, entry in on_board.items() if filled[name].held != entry.held}:
            messages.append(say("  taken as typed, though the board shows {things}", things=format_entries(others)))
        return after, messages

    player = player_name(colour, sheet.players)
    example = say(
        "\nOne line per player, then the palms, palaces and tiles that aren't in it; anything else you leave out "
        "counts as zero:\n  {example}",
        example=EXAMPLE,
    )
    if sheet.position is not None:
        example = say("\nOne line per player; anything you leave out counts as zero:\n  {example}", example=EXAMPLE)
    board: str = ""
    if sheet.position is not None and on_board:
        board = joined("", ("\n", player, say(": {things} on the board", things=echo(on_board))))
    return Question(
        str(colour),
        say("  {player}: in front", player=player),
        parse,
        default=format_entries(in_front) or say_as("answer", "none"),
        help=LINE_HELP + ("" if sheet.position else _TILES_TOO),
        completions=WORDS,
        why=(example, board) if first else (board,),
    )


def _category(
    sheet: ScoreSheet, begun: ScoreSheet, later: Collection[tuple[Colour, str]], colour: Colour, category: str
) -> Question[tuple[ScoreSheet, Sequence[Message]]]:
    """The question about palms, palaces or tiles; a line that names another of these tells that."""
    words, help_text = _ON_BOARD[category]
    before = sheet.known(colour).get(category)

    def parse(line: str) -> tuple[ScoreSheet, Sequence[Message]]:
        others = _others(line, category)
        entries = others or {category: read_entry(category, line) if line else before or read_entry(category, "none")}
        told = [joined("", ("  ", format_entries(others)))] if others else _echo(line, category, entries[category])
        return _with_entries(sheet, begun, later, colour, entries), told

    return Question(
        f"{colour} {category}",
        joined("", ("  ", player_name(colour, sheet.players), ": ", words)),
        parse,
        default=before.text if before else say_as("answer", "none"),
        help=joined("\n    ", ("    " + help_text, say("(=21 gives the points as they are)"))),
        completions=(*TILE_KINDS, "none") if category == "tiles" else (),
    )


def _others(line: str, category: str) -> Entries:
    """What a line says of the things on the board, where it's of others than the one asked for."""
    try:
        entries = read_line(line)
    except NotationError:
        return {}
    return entries if entries.keys() - {category} and entries.keys() <= set(ON_THE_BOARD) else {}


def _optional(key: str, offered: str, parse: Callable[[str], str]) -> Question[str]:
    """A field of the sheet that may be left out: answers that end here are whole."""

    def parsed(line: str) -> str:
        return "" if says_nothing(line) else (parse(line) if line else "") or offered

    words, help_text = _OPTIONAL[key]
    return Question(key, words, parsed, default=offered or say_as("answer", "none"), help=help_text, optional=True)


def _with_nothing_else(given: Mapping[str, Entry], known: Mapping[str, Entry]) -> dict[str, Entry]:
    """What a line says; anything else stays as known, or is nothing. Tiles, palms and palaces may come later."""
    entries = dict(given)
    if (goods := entries.get("goods")) is not None and goods.points is None:
        before = known["goods"].held if "goods" in known else {}
        held = {name: before.get(name) if value is None else value for name, value in goods.held.items()}
        nothing = read_entry("goods", "none").held
        filled = {name: nothing[name] if value is None else value for name, value in held.items()}
        entries["goods"] = replace(goods, held=filled)
    for category in CATEGORIES:
        if category not in ON_THE_BOARD and category not in entries:
            entries[category] = known.get(category) or read_entry(category, "none")
    return entries


def _echo(line: str, category: str, entry: Entry) -> tuple[str, ...]:
    """What a sum came to, and points as given, so that a slip shows at once."""
    if category == "tiles" and entry.points is not None and line:
        return (say("    = {points} VP", points=entry.points),)
    plain = line.removeprefix("=")
    if is_sum(plain) and not plain.strip().isdecimal():
        value = entry.points if entry.points is not None else next(iter(entry.held.values()))
        return (f"    = {value}",)
    return ()


# What is scored, and where its sheet goes.


def score_source() -> Conversation[str | None]:
    """Asks what is to be scored: the photo or file of a board, or "", where everything is typed."""
    return once(
        Question(
            "source",
            say("A photo of the board at the end (drag the file here), or Enter to type what each player has"),
            parse_file,
            help=say("  The board is read from the photo; you're asked for the rest."),
        ),
        LEAVING,
    )


def sheet_file(*, force: bool) -> Conversation[Path | None]:
    """Asks for the name of the PDF of a score sheet; None for none. With `force` it may be there already."""

    def parse(line: str) -> Path | None:
        if not line or fold(line) in NOTHING:
            return None
        path = Path(line).expanduser()
        if path.suffix.lower() != ".pdf":
            raise NotationError("{path}: the name must end in {wanted}", path=path, wanted=".pdf")
        check_free(path, force=force)
        return path

    question = say("Print the score sheet? The name of its file, such as sheet.pdf, or Enter for no")
    return once(Question("sheet", question, parse, optional=True), LEAVING)
