"""The questions of `companion score --ask`: who plays, a line a player, what no board tells, when and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.cli.dialogue.conversation import Answer, Conversation, Message, Question
from companion.cli.dialogue.holdings_line import (
    EXAMPLE,
    LINE_HELP,
    ON_THE_BOARD,
    WORDS,
    echo,
    format_entries,
    points_line,
    read_line,
)
from companion.cli.dialogue.players import NamedPlayers, check_named, read_players
from companion.errors import NotationError, printable
from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.notation.names import parse_player
from companion.notation.score_entries import Entry, is_sum, read_day, read_entry, says_nothing
from companion.notation.score_sheet import ScoreSheet
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import TILE_KINDS, Colour
from companion.table.results import player_name

_ON_BOARD: dict[str, tuple[Phrase, Phrase]] = {
    "palms": (say("palms on own tiles, how many"), say("palm trees on tiles with a camel of this colour")),
    "palaces": (say("palaces on own tiles, how many"), say("palaces on tiles with a camel of this colour")),
    "tiles": (say("own tiles, points"), say("their points as a sum (15+8+8), or their codes (S15 O8 O8)")),
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
_NOTHING_YET = say("nothing yet")


@dataclass(frozen=True, slots=True)
class Scoring:
    """A score sheet on its way: the questions answered by their keys, and names that wait for a colour."""

    sheet: ScoreSheet
    answered: frozenset[str] = frozenset()
    unplaced: tuple[str, ...] = ()

    def with_answer(self, key: str, sheet: ScoreSheet) -> Scoring:
        return replace(self, sheet=sheet, answered=self.answered | {key})


class ScoreConversation(Conversation[Scoring]):
    """Asks for a whole score sheet; what the sheet holds already stands in brackets.

    `today` is the day offered where nobody has said when it was played.
    """

    quitting: str = say("leaves; your answers are saved, and --resume continues")

    def __init__(self, sheet: ScoreSheet, today: str = "") -> None:
        super().__init__(Scoring(sheet))
        self._today = today
        self._in_game = sheet.position.colours if sheet.position else ()

    def welcome(self, state: Scoring) -> tuple[Message, ...]:
        return (_INTRODUCTION,)

    def question(self, state: Scoring) -> Question[Scoring] | None:
        """The first that was not answered yet."""
        return next((question for question in self._questions(state) if question.key not in state.answered), None)

    def _questions(self, state: Scoring) -> Iterator[Question[Scoring]]:
        """Who plays, then player by player, and at last when and where it was."""
        yield self._who(state)
        yield from (self._colour_of(state, name) for name in state.unplaced)
        for number, colour in enumerate(state.sheet.players):
            yield self._in_front(state, colour, first=not number)
            known, before = state.sheet.known(colour), self.first.sheet.known(colour)
            for category in ON_THE_BOARD if state.sheet.position is None else ():
                # What the line in front has said too is not asked again.
                if category not in known or category in before:
                    yield self._category(state, colour, category)
        yield self._optional(state, "date", state.sheet.date or self._today, read_day)
        yield self._optional(state, "place", state.sheet.place, lambda line: " ".join(printable(line).split()))

    def listing(self, state: Scoring) -> Iterator[Message]:
        if not state.sheet.players:
            yield "  " + _NOTHING_YET
        for colour in state.sheet.players:
            told = format_entries(state.sheet.known(colour)) or _NOTHING_YET
            yield joined("", ("  ", player_name(colour, state.sheet.players), ": ", told))

    # Who plays.

    def _who(self, state: Scoring) -> Question[Scoring]:
        known = {**dict.fromkeys(self._in_game, ""), **state.sheet.players}

        def parse(line: str) -> Answer[Scoring]:
            typed = read_players(line) if line or not known else NamedPlayers(known)
            if typed.names:
                return self._named(state, typed.names)
            check_named(typed.colours, self._in_game)
            return Answer(state.with_answer("players", state.sheet.with_players(typed.colours)))

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
            completions=tuple(Colour),
        )

    def _named(self, state: Scoring, names: tuple[str, ...]) -> Answer[Scoring]:
        if len(names) < len(self._in_game):
            raise NotationError(
                "you named {count}, but {players} play in this position; name everybody",
                count=len(names),
                players=joined(", ", map(term, self._in_game)),
            )
        if self._in_game:
            return Answer(replace(state.with_answer("players", replace(state.sheet, players={})), unplaced=names))
        players = read_players(",".join(names)).assumed()
        taken = joined(", ", [joined(" ", (name, term(colour))) for colour, name in players.items()])
        message = say("  colours assumed: {players}; they don't change the points", players=taken)
        return Answer(state.with_answer("players", state.sheet.with_players(players)), (message,))

    def _colour_of(self, state: Scoring, name: str) -> Question[Scoring]:
        placed = state.sheet.players
        board_left = [colour for colour in self._in_game if colour not in placed]
        # As many colours as there are names left must be those of the board.
        free = [colour for colour in Colour if colour not in placed]
        choices = board_left if len(state.unplaced) <= len(board_left) else free

        def parse(line: str) -> Answer[Scoring]:
            colour = parse_player(line) if line else choices[0]
            if colour not in choices:
                raise NotationError(
                    "{colour} cannot be {name}'s; choose {colours}",
                    colour=term(colour),
                    name=name,
                    colours=joined(say(" or "), map(term, choices)),
                )
            players = {**placed, colour: name}
            left = state.unplaced[1:]
            rest = [other for other in choices if other != colour]
            messages: tuple[Message, ...] = ()
            if len(left) == 1 and len(rest) == 1:
                players[rest[0]] = left[0]
                messages, left = (say("  {name} is {colour}", name=left[0], colour=term(rest[0])),), ()
            sheet = state.sheet.with_players(players) if not left else replace(state.sheet, players=players)
            return Answer(replace(state.with_answer(f"colour of {name}", sheet), unplaced=left), messages)

        return Question(
            f"colour of {name}",
            say("{name}'s colour ({colours})", name=name, colours=joined(", ", map(term, choices))),
            parse,
            default=term(choices[0]),
            help=say("  See the camels on the board; type a colour or its letter: K O B P."),
            completions=tuple(choices),
        )

    # What the players cannot have together.

    def _with_entries(self, state: Scoring, key: str, entries: Mapping[Colour, Mapping[str, Entry]]) -> Scoring:
        """The state with an answer. Raises NotationError for what the players cannot have together (rules 1).

        A line that was known before, and is still to be asked, counts for nothing there, so that players can be entered
        in any order; when the last is asked, all count.
        """
        after = state.with_answer(key, state.sheet.with_entries(entries))
        sheet = after.sheet
        first = self.first.sheet.with_players(sheet.players)
        sure = {
            colour: {
                category: entry
                for category, entry in sheet.known(colour).items()
                if first.known(colour).get(category) != entry or not self._is_asked_later(after, colour, category)
            }
            for colour in sheet.players
        }
        replace(sheet, entries=sure).check()
        return after

    def _is_asked_later(self, state: Scoring, colour: Colour, category: str) -> bool:
        if category not in ON_THE_BOARD:
            return str(colour) not in state.answered
        return state.sheet.position is None and f"{colour} {category}" not in state.answered

    def _in_front(self, state: Scoring, colour: Colour, *, first: bool) -> Question[Scoring]:
        sheet = state.sheet
        known = sheet.known(colour)
        on_board = {category: known[category] for category in ON_THE_BOARD if category in known}
        in_front = {category: entry for category, entry in known.items() if category not in on_board}
        key = str(colour)

        def parse(line: str) -> Answer[Scoring]:
            entries = read_line(line) if line else {}
            after = self._with_entries(state, key, {colour: _with_nothing_else(entries, known)})
            filled = after.sheet.known(colour)
            named = {name: entry for name, entry in filled.items() if name not in on_board or name in entries}
            messages = [joined("", ("  ", echo(named))), joined("", ("  = ", points_line(filled, colour)))]
            if others := {name: entry for name, entry in on_board.items() if filled[name].held != entry.held}:
                messages.append(say("  taken as typed, though the board shows {things}", things=format_entries(others)))
            return Answer(after, tuple(messages))

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
            key,
            say("  {player}: in front", player=player),
            parse,
            default=format_entries(in_front) or say_as("answer", "none"),
            help=LINE_HELP
            + ("" if sheet.position else say("\n  Own tiles too: 2 palms, 1 palace, tiles 15+8 (or S15 O8).")),
            completions=WORDS,
            intro=(example, board) if first else (board,),
        )

    def _category(self, state: Scoring, colour: Colour, category: str) -> Question[Scoring]:
        words, help_text = _ON_BOARD[category]
        key = f"{colour} {category}"
        before = state.sheet.known(colour).get(category)

        def parse(line: str) -> Answer[Scoring]:
            entry = read_entry(category, line) if line else before or read_entry(category, "none")
            return Answer(self._with_entries(state, key, {colour: {category: entry}}), _echo(line, category, entry))

        return Question(
            key,
            joined("", ("  ", player_name(colour, state.sheet.players), ": ", words)),
            parse,
            default=before.text if before else say_as("answer", "none"),
            help=joined("\n    ", ("    " + help_text, say("(=21 gives the points as they are)"))),
            completions=(*TILE_KINDS, "none") if category == "tiles" else (),
        )

    def _optional(self, state: Scoring, key: str, offered: str, parse: Callable[[str], str]) -> Question[Scoring]:
        """A field of the sheet that may be left out: answers that end here are whole."""

        def parsed(line: str) -> Answer[Scoring]:
            told: Any = "" if says_nothing(line) else (parse(line) if line else "") or offered
            return Answer(state.with_answer(key, replace(state.sheet, **{key: told})))

        prompt, help_text = _OPTIONAL[key]
        default = offered or say_as("answer", "none")
        return Question(key, prompt, parsed, default=default, help=help_text, optional=True)


def _with_nothing_else(given: Mapping[str, Entry], known: Mapping[str, Entry]) -> dict[str, Entry]:
    """What a line says; anything else stays as known, or is none. Tiles, palms and palaces may come later."""
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
    """What a sum came to, and points as they are, so that a slip is seen at once."""
    if category == "tiles" and entry.points is not None and line:
        return (say("    = {points} VP", points=entry.points),)
    plain = line.removeprefix("=")
    if is_sum(plain) and not plain.strip().isdecimal():
        value = entry.points if entry.points is not None else next(iter(entry.held.values()))
        return (f"    = {value}",)
    return ()
