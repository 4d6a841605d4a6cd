"""Asking for a score line by line: what the board shows stands in brackets, anything can be taken back."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.cli.dialogue.answers import Entry, entries_of, is_sum, read_entry, read_players
from companion.cli.output import note
from companion.cli.views.score_table import player_name
from companion.errors import NotationError, Problem, UnusableInputError
from companion.rules.engine.legality import problems
from companion.rules.engine.scoring import CATEGORIES, Holdings, Score, holdings, score_holdings
from companion.rules.model.board import Tile
from companion.rules.model.components import PALACES, PALMS, TILE_KINDS, Colour
from companion.rules.model.position import Phase, Player, Position

Lines = Mapping[Colour, Mapping[str, Entry]]
"""What is filled in so far, by player and category."""

QUESTIONS: dict[str, tuple[str, str]] = {
    "gold": ("gold in GC", "1 VP each: a number or a sum such as 12+7 or 3*5+2"),
    "viziers": (
        "viziers, how many",
        "yellow meeples in front; the 10s for opponents are counted for you",
    ),
    "elders": ("elders, how many", "the number of white meeples in front"),
    "djinns": ("djinns", "names (Jafaar, Al-Amin), or points as a sum (6+5); powers need the names"),
    "palms": ("palms on own tiles, how many", "palm trees on tiles with a camel of this colour"),
    "palaces": ("palaces on own tiles, how many", "palaces on tiles with a camel of this colour"),
    "tiles": ("own tiles, points", "their points as a sum (15+8+8), or their codes (S15 O8 O8)"),
    "goods": ("goods and fakirs", "cards (fish 2 wheat silk, fakir 2); the best sale is found for you"),
}
"""The words that ask for each category, and what helps with the answer."""

BACK = frozenset({"back", "undo", "b", "u", "<"})
HELP = frozenset({"?", "help", "h"})
INTRODUCTION = (
    'Type each line and press Enter. Enter alone keeps what stands in brackets, "back"\n'
    'goes one line back, "?" explains a line. Sums are fine (12+7, 3*5+2), and so are\n'
    "points as they are (=21)."
)


@dataclass(frozen=True, slots=True)
class Terminal:
    """How to talk: `read` gives the next line typed or None at the end of input, `say` shows text."""

    read: Callable[[], str | None]
    say: Callable[[str], None]

    def ask(self, prompt: str) -> str | None:
        """The answer to a prompt, spaces trimmed."""
        self.say(prompt)
        answer = self.read()
        return None if answer is None else answer.strip()


def standard_terminal() -> Terminal:
    """Questions on standard error, answers from standard input; answers from a pipe are shown beside them."""
    echo = not sys.stdin.isatty()

    def read() -> str | None:
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            raise UnusableInputError("the answers are not text in UTF-8; nothing was written") from None
        if echo:
            say(line if line.endswith("\n") else line + "\n")
        return line or None

    def say(text: str) -> None:
        note(text, end="")

    return Terminal(read, say)


@dataclass(frozen=True, slots=True)
class Filled:
    """A score sheet filled in: the points, the players' names, and the position if there was one.

    `left_out` names the lines given as points, or otherwise than on the board, that `position` does not hold;
    `notes` are sentences about what could not be counted as rules 10 say.
    """

    scores: dict[Colour, Score]
    names: dict[Colour, str] = field(default_factory=dict)
    position: Position | None = None
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def ask_sheet(terminal: Terminal, position: Position | None, names: Mapping[Colour, str]) -> Filled:
    """Ask for every line of a score sheet, from a position (what it shows is the default) or from nothing.

    Raises UnusableInputError if the answers end before the sheet is full.
    """
    players = _ask_players(terminal, position, names)
    lines = {colour: entries_of(holdings(position, colour)) if position else {} for colour in players}
    steps = [(colour, category) for colour in players for category in CATEGORIES]
    terminal.say("\n" + INTRODUCTION + "\n")
    place = 0
    asked = None
    while place < len(steps):
        colour, category = steps[place]
        if colour is not asked:
            terminal.say(f"\n{player_name(colour, players)}\n")
            asked = colour
        answer = _ask_line(terminal, position, lines, colour, category)
        if answer is None:
            raise UnusableInputError(
                f"the answers ended at {colour}'s {category}, line {place + 1} of {len(steps)}, so there is no score; "
                "nothing was written"
            )
        if isinstance(answer, Entry):
            lines[colour] = {**lines[colour], category: answer}
            place += 1
        elif place:
            place -= 1
        else:
            terminal.say("  this is the first line\n")
    named = {colour: name for colour, name in players.items() if name}
    completed = _with_players(position, lines) if position else None
    return Filled(tally(lines), named, completed, _left_out(position, lines), _notes(lines))


def tally(lines: Lines) -> dict[Colour, Score]:
    """The scores of sheets filled in: counted where things are held, as given where points are."""
    scores = score_holdings({colour: _held(entries) for colour, entries in lines.items()})
    for colour, entries in lines.items():
        for category, entry in entries.items():
            if entry.points is not None:
                scores[colour] = scores[colour].with_points(category, entry.points, entry.how)
    return scores


def faults(position: Position | None, lines: Lines) -> list[Problem]:
    """What the sheets hold together that is not in the box (rules 1); what was given as points is believed."""
    found = problems(_with_players(position or _bare_position(), lines))
    held = [_held(entries) for entries in lines.values()]
    for what, box, counted in (
        ("palms", PALMS, sum(sheet.palms or 0 for sheet in held)),
        ("palaces", PALACES, sum(sheet.palaces or 0 for sheet in held)),
    ):
        if counted > box:
            found.append(Problem("players", "1.3", f"{counted} {what} on the players' tiles, but there are only {box}"))
    values = Counter(value for sheet in held for value in sheet.tiles or ())
    for value, counted in values.items():
        box = sum(kind.count for kind in TILE_KINDS.values() if kind.vp == value)
        if counted > box:
            found.append(Problem("players", "1.1", f"{counted} tiles of {value} VP, but the box holds {box}"))
    return found


def _ask_players(terminal: Terminal, position: Position | None, names: Mapping[Colour, str]) -> dict[Colour, str]:
    in_game = position.colours if position else ()
    known = {colour: names.get(colour, "") for colour in (*in_game, *names)}
    default = ", ".join(f"{colour} {name}".strip() for colour, name in known.items())
    prompt = "Who plays? Colours, with names if you like (pink Anna, black Boris)"
    while True:
        answer = terminal.ask(f"{prompt} [{default}]: " if default else f"{prompt}: ")
        if answer is None:
            raise UnusableInputError("the answers ended before anybody was named as a player; nothing was written")
        if not answer and known:
            return known
        try:
            players = read_players(answer)
        except NotationError as error:
            terminal.say(f"  {error}\n")
            continue
        absent = [colour for colour in in_game if colour not in players]
        if not absent:
            return players
        terminal.say(f"  the position has {' and '.join(absent)} in the game too; name every colour that plays\n")


def _ask_line(
    terminal: Terminal, position: Position | None, lines: Lines, colour: Colour, category: str
) -> Entry | str | None:
    """The line as filled in; `BACK`'s first word to go back; None at the end of input."""
    words, help_text = QUESTIONS[category]
    before = lines[colour].get(category)
    while True:
        answer = terminal.ask(f"  {words} [{before.text if before else 'none'}]: ")
        if answer is None or answer.lower() in BACK:
            return answer
        if answer.lower() in HELP:
            terminal.say(f"    {help_text}\n    (=21 gives the points as they are)\n")
            continue
        try:
            entry = read_entry(category, answer) if answer else before or read_entry(category, "0")
        except NotationError as error:
            terminal.say(f"    {error}\n")
            continue
        wrong = faults(position, {**lines, colour: {**lines[colour], category: entry}})
        if wrong:
            for problem in wrong:
                terminal.say(f"    {problem.message} (rules {problem.rule})\n")
            continue
        _echo_sum(terminal, answer, entry)
        return entry


def _echo_sum(terminal: Terminal, answer: str, entry: Entry) -> None:
    """Show what a sum came to, so that a slip is seen at once."""
    plain = answer.removeprefix("=")
    if is_sum(plain) and not plain.strip().isdecimal():
        value = entry.points if entry.points is not None else next(iter(entry.held.values()))
        terminal.say(f"    = {value}\n")


def _held(entries: Mapping[str, Entry]) -> Holdings:
    fields = {name: value for entry in entries.values() for name, value in entry.held.items()}
    return Holdings(**fields)


def _bare_position() -> Position:
    """A board with nothing on it, for asking the rules about players alone."""
    return Position(tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count)), phase=Phase.END)


def _with_players(position: Position, lines: Lines) -> Position:
    """The position with what the players were said to hold in place of what was known."""
    for colour, entries in lines.items():
        held = _held(entries)
        player = Player(
            colour,
            gold=held.gold,
            viziers=held.viziers,
            elders=held.elders,
            fakirs=held.fakirs,
            goods=held.goods,
            djinns=held.djinns,
        )
        position = position.with_player(player)
    return position


def _notes(lines: Lines) -> tuple[str, ...]:
    as_points = [colour for colour, entries in lines.items() if entries["viziers"].points is not None]
    if not as_points or len(as_points) == len(lines):
        return ()
    return (
        f"the viziers of {' and '.join(as_points)} were given as points, so the others' 10s were counted as if "
        "there were none of them; type how many there are to compare them",
    )


def _left_out(position: Position | None, lines: Lines) -> tuple[str, ...]:
    """Lines that a position with these players does not hold, as "pink's tiles"."""
    if position is None:
        return ()
    counted = score_holdings({colour: holdings(_with_players(position, lines), colour) for colour in lines})
    scores = tally(lines)
    return tuple(
        f"{colour}'s {category}"
        for colour in lines
        for category in CATEGORIES
        if scores[colour].points[category] != counted[colour].points[category]
    )
