"""Game records: a whole game as text, a line a turn, with all that chance gave (docs/records.md).

This module reads and writes the text; `replay` plays it, `recording` makes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import CompanionError, NotationError, UnusableInputError, quoted
from companion.language.phrase import joined, say
from companion.notation import codes
from companion.notation.names import nearest, parse_colour
from companion.notation.records import FIRST_LINE_PATTERN
from companion.notation.records.corrections import Change, changes_phrase, parse_changes
from companion.notation.records.header import TAGS, Header, check_tag
from companion.notation.records.steps import Observation, observation_phrase, parse_observation, steps_phrase
from companion.notation.wording import bid_words
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour

FORMAT = 1
"""Version of the format that this module reads and writes."""

FIRST_LINE = f"Five Tribes record {FORMAT}"
_ROUND = re.compile(r"round\s+(?P<number>\d{1,4})", re.IGNORECASE)
_BID = re.compile(
    r"(?P<colour>\w+)\s+(?P<price>\d{1,4})(?:\s+with\s+(?P<fakirs>\d{1,2})\s+(?:fakirs?|slaves?|workers?))?",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(?P<colour>\w+)\s+(?P<points>\d{1,5})")
# Inside the token of a tile a # counts palaces.
_CORRECTION = re.compile(r"(?P<body>\s*correction\s*:(?:[^#]|(?<=\S)#)*)(?P<mark>#?)(?P<comment>.*)", re.IGNORECASE)
_OPEN = ("...", "…")
_INDENT = "    "
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class BidsLine:
    """Bids of a round, counted from 1, each with whose it is (rules 3, 11.8)."""

    round: int
    bids: tuple[tuple[Colour, PlaceBid], ...]


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn, step by step as `steps.parse_actions` reads them; `open` if it is not over at the end of the line."""

    colour: Colour
    steps: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class RefillLine:
    """What came into the row and to the djinns in the clean-up (rules 8.1)."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """What somebody at the table put right, so that the game goes on with it."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ResultLine:
    """The final points, which close a finished game (rules 10)."""

    points: tuple[tuple[Colour, int], ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A line without play: blank, or a comment alone."""


Entry = BidsLine | TurnLine | RefillLine | CorrectionLine | ResultLine | Remark


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: its number in the file (0: not in one yet), what it says, and its comment."""

    number: int
    entry: Entry
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is written down."""

    header: Header
    lines: tuple[Line, ...] = ()

    def __str__(self) -> str:
        """The text, as `format_record` writes it."""
        return format_record(self)


def at_line(number: int, error: CompanionError) -> CompanionError:
    """The same fault with the number of the line in front of it."""
    kind = type(error) if type(error) in (NotationError, UnusableInputError) else NotationError
    return kind(say("line {number}: {error}", number=number, error=error))


def parse_record(text: str, *, last: int | None = None) -> Record:
    """The record in a text, up to line number `last`. Raises NotationError with the number of the first bad line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    _check_version(lines[0])
    if lines.pop() and (last is None or last > len(lines)):
        raise NotationError(
            "line {number}: the record breaks off here, in the middle of a line; delete the line, or press Enter "
            "after it if it's complete",
            number=len(lines) + 1,
        )
    tags, place = _parse_header(lines)
    parsed = []
    for number, line in enumerate(lines[place : last if last is None else max(last, place)], place + 1):
        try:
            parsed.append(parse_line(number, line))
        except NotationError as error:
            raise at_line(number, error) from None
    return Record(Header(tuple(tags)), tuple(parsed))


def _check_version(line: str) -> None:
    match = FIRST_LINE_PATTERN.fullmatch(line.strip())
    if match is None:
        raise NotationError(
            "line 1: not a game record: a record begins with the line {first_line!r}", first_line=FIRST_LINE
        )
    if match["version"] != str(FORMAT):
        version = match["version"][:20] if match["version"] else say("(no number)")
        raise NotationError(
            "line 1: a record of version {version}; this program only reads version {format}, so you may need a "
            "newer one",
            version=version,
            format=FORMAT,
        )


def _parse_header(lines: list[str]) -> tuple[list[tuple[str, str]], int]:
    """The tags, and how many lines they take with the first one."""
    tags: list[tuple[str, str]] = []
    place = 1
    while place < len(lines):
        line = lines[place].strip()
        place += 1
        if not line or line.startswith("#"):
            tags.append(("#", line[1:].strip()) if line else ("", ""))
            continue
        key, value = _parse_tag(place, line, tags)
        if key != "setup":
            tags.append((key, value))
            continue
        block = [value] if value else []
        while not value and (end := _end_of_indented(lines, place)) > place:
            block.append(lines[end - 1].removeprefix(_INDENT).rstrip())
            place = end
        value = "\n".join(block).strip()
        tags.append((key, value))
        if not value:
            raise NotationError(
                "line {place}: setup is empty; give a code FT1-…, or a position file in indented lines after it",
                place=place,
            )
        return tags, place
    raise NotationError(
        "line {place}: the record is cut off before its set-up; write setup: and a code FT1-… or "
        "a position file in indented lines",
        place=place,
    )


def _end_of_indented(lines: list[str], place: int) -> int:
    """The place after the next indented line, over blank lines; `place` itself if there is none."""
    end = place
    while end < len(lines) and not lines[end].strip():
        end += 1
    return end + 1 if end < len(lines) and lines[end].startswith((" ", "\t")) else place


def _parse_tag(number: int, line: str, tags: list[tuple[str, str]]) -> tuple[str, str]:
    name, colon, rest = line.partition(":")
    key, value = " ".join(name.lower().split()), rest.strip()
    if not colon or key not in TAGS:
        shown = key if colon and key and len(key) <= _MAX_SHOWN else line
        guess = nearest(shown, TAGS) or say(
            "; the tags are {tags}, and setup is the last of them", tags=joined(", ", TAGS)
        )
        raise NotationError(
            "line {number}: no tag is called {shown}{guess}",
            number=number,
            shown=quoted(shown, _MAX_SHOWN),
            guess=guess,
        )
    if any(key == known for known, _ in tags):
        raise NotationError("line {number}: {key} is given twice", number=number, key=key)
    try:
        check_tag(key, value)
    except NotationError as error:
        raise at_line(number, error) from None
    return key, value


def parse_line(number: int, text: str) -> Line:
    """A line of play, with its number in the file. Raises NotationError for one that cannot be read."""
    corrected = _CORRECTION.fullmatch(text)
    body, mark, comment = corrected.groups() if corrected else text.partition("#")
    said = comment.strip() if mark else None
    body = body.strip()
    if not body:
        return Line(number, Remark(), said)
    key, colon, rest = body.partition(":")
    plain = " ".join(key.lower().split())
    if colon and (match := _ROUND.fullmatch(plain)):
        bids = tuple(_bid(part.strip()) for part in rest.split(","))
        return Line(number, BidsLine(int(match["number"]), bids), said)
    if colon and plain == "refill":
        return Line(number, RefillLine(parse_observation(rest)), said)
    if colon and plain == "correction":
        return Line(number, CorrectionLine(parse_changes(rest)), said)
    if colon and plain == "result":
        return Line(number, _parse_result(rest), said)
    if not colon or plain not in list(Colour):
        raise _unknown(plain, body)
    return Line(number, parse_turn(Colour(plain), rest), said)


def _unknown(plain: str, body: str) -> NotationError:
    if plain in TAGS:
        return NotationError("the tag {plain} comes after setup; tags go before it", plain=plain)
    guess = nearest(plain, [*Colour, "refill", "correction", "result", "round"])
    guess = guess or say("; expected something like round 1: pink 5 …, pink: c3 > c4g …, refill: …, result: …")
    return NotationError("{body} is not a line of a record{guess}", body=quoted(body, _MAX_SHOWN), guess=guess)


def parse_turn(colour: Colour, text: str) -> TurnLine:
    """The turn that the part after the player's colour tells."""
    body = text.strip()
    sign = next((sign for sign in _OPEN if body.endswith(sign)), "")
    shut = body.removesuffix(sign).rstrip()
    steps = tuple(" ".join(step.split()) for step in shut.split(";")) if shut else ()
    return TurnLine(colour, steps, open=bool(sign))


def _bid(text: str) -> tuple[Colour, PlaceBid]:
    match = _BID.fullmatch(text)
    if match is None:
        raise NotationError(
            "{text} is not a bid; write something like pink 5, or pink 8 with 1 fakir", text=quoted(text, _MAX_SHOWN)
        )
    return parse_colour(match["colour"]), PlaceBid(int(match["price"]), int(match["fakirs"] or 0))


def _parse_result(text: str) -> ResultLine:
    points = []
    for part in text.split(","):
        match = _POINTS.fullmatch(part.strip())
        if match is None:
            raise NotationError(
                "{result} is not a result; write something like black 101, pink 93",
                result=quoted(part.strip(), _MAX_SHOWN),
            )
        points.append((parse_colour(match["colour"]), int(match["points"])))
    return ResultLine(tuple(points))


# Writing.


def format_record(record: Record) -> str:
    """The whole text of a record, which `parse_record` reads back to the same."""
    lines = [FIRST_LINE]
    for key, value in record.header.tags:
        if key == "#":
            lines.append(f"# {value}".strip())
        elif key == "setup" and ("\n" in value or not codes.looks_like_code(value)):
            lines += ["setup:", *(_INDENT + part for part in value.split("\n") if part)]
        else:
            lines.append(f"{key}: {value}" if key else "")
    lines += [format_line(line) for line in record.lines]
    return "\n".join(lines) + "\n"


def format_line(line: Line) -> str:
    """A line of play without its line end."""
    text = format_entry(line.entry)
    return text if line.comment is None else f"{text}  # {line.comment}".strip()


def format_entry(entry: Entry) -> str:
    """What a line says, without its comment."""
    match entry:
        case BidsLine():
            return f"round {entry.round}: {', '.join(f'{colour} {bid_words(bid)}' for colour, bid in entry.bids)}"
        case TurnLine():
            return f"{entry.colour}: {steps_phrase(entry.steps, unfinished=entry.open)}".rstrip()
        case RefillLine():
            return f"refill: {observation_phrase(entry.observation)}".rstrip()
        case CorrectionLine():
            return f"correction: {changes_phrase(entry.changes)}"
        case ResultLine():
            return "result: " + ", ".join(f"{colour} {points}" for colour, points in entry.points)
        case Remark():
            return ""
