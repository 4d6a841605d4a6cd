"""Numbers and names on one line, and every way to pair them: `ivory 2 silk` has two, `2 silk, fish x3` has one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, say
from companion.notation.names import AND, NO, UnknownNameError, fold, folded, nearest_form

MAX_LETTERS = 500
"""Letters of a line."""

MAX_WAYS = 64
"""Ways to read a part of a line."""

Counted = list[tuple[str, int]]
"""Folded names in order, each with its number; 1 where none was typed."""

_MAX_WORDS = 3

_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(
    rf"""(?P<part>[,;+·•，、；\n]|\.(?=[\s,;]|$))
    |(?P<times>(?:[×*]|(?<!{_LETTER})[xXхХ])\s*(?P<after>[0-9]+)(?![0-9.]|{_LETTER}))
    |(?P<number>[0-9]+)(?:\s*[×*]|\s*[xхХX장개명](?!{_LETTER}))?(?!\.[0-9])
    |(?P<equal>[=:]|(?<=\s)[-–—](?=\s))
    |(?P<word>{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ`´‘-](?={_LETTER}))*)
    |(?P<space>\s+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that a line may hold, as they are written, with what each stands for.

    `unknown` makes the message about any other word, quoted, and what was probably meant; `example` is a right line.
    A misspelt word never stands for a name in `only_none`, which only has the number 0.
    """

    forms: Mapping[str, str]
    unknown: Callable[[str, str], Phrase]
    example: Phrase
    only_none: frozenset[str]
    meanings: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "meanings", folded(self.forms))


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as typed; `left` if a sign binds it to the name before it."""

    value: int
    left: bool = False


def one_line(text: str) -> str:
    """The text with single spaces. Raises NotationError if it's too long."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if len(line) > MAX_LETTERS:
        raise NotationError("a line of {count} letters is too long for what a player holds", count=len(line))
    return line


def counted_names(line: str, vocabulary: Vocabulary) -> list[list[Counted]]:
    """For each part of a line between commas, every way to pair its numbers and names.

    Raises NotationError for an unknown word, a number without a name, and a line without names.
    """
    parts = [part for part in _parts(line, vocabulary) if part]
    if not parts:
        raise NotationError(
            "{text} names nothing that a player holds; type something like {example}",
            text=quoted(line),
            example=vocabulary.example,
        )
    return [_ways(line, part) for part in parts]


def too_many_ways(line: str) -> NotationError:
    """The error for a line that could mean too many things to ask which."""
    return NotationError(
        "{text} can be read in many ways; separate things with commas, as in 2 silk, fish, 3 fakirs", text=quoted(line)
    )


def _parts(line: str, vocabulary: Vocabulary) -> list[list[_Number | str]]:
    """The parts between commas, each as its numbers and names in order."""
    parts: list[list[_Number | str]] = [[]]
    words: list[str] = []
    equal = ""
    place = 0
    while place < len(line):
        match = _TOKEN.match(line, place)
        if match is None:
            raise NotationError(
                "{text}: {letter} makes no sense here; separate things with commas",
                text=quoted(line),
                letter=quoted(line[place]),
            )
        place = match.end()
        if match["space"]:
            continue
        digits = match["after"] or match["number"]
        if equal and not digits:
            raise NotationError("{text}: {sign} needs a number after it", text=quoted(line), sign=repr(equal))
        if match["word"] and fold(match["word"]) not in AND:
            words.append(match["word"])
            continue
        parts[-1] += _names(words, vocabulary)
        words = []
        if digits:
            # Python refuses numbers of some thousand digits.
            number = int(digits.lstrip("0")[:6] or "0")
            parts[-1].append(_Number(number, left=bool(equal or match["after"])))
            equal = ""
        elif match["equal"]:
            if not parts[-1] or not isinstance(parts[-1][-1], str):
                sign = repr(match["equal"])
                raise NotationError("{text}: there is no name before {sign}", text=quoted(line), sign=sign)
            equal = match["equal"]
        else:
            parts.append([])
    if equal:
        raise NotationError("{text}: {sign} needs a number after it", text=quoted(line), sign=repr(equal))
    parts[-1] += _names(words, vocabulary)
    return parts


def _names(words: list[str], vocabulary: Vocabulary) -> list[_Number | str]:
    """Words as folded names, the longest first; a word for none is the number 0."""
    found: list[_Number | str] = []
    while words:
        for many in range(min(len(words), _MAX_WORDS), 0, -1):
            name = fold("".join(words[:many]))
            if name in vocabulary.meanings:
                found.append(name)
                words = words[many:]
                break
        else:
            if fold(words[0]) not in NO:
                forms = {form: name for form, name in vocabulary.forms.items() if name not in vocabulary.only_none}
                guess = nearest_form(words[0], forms)
                word = words[0] if guess else " ".join(words[:2])
                guess = guess or nearest_form(word, forms)
                guess = guess or say("; type something like {example}", example=vocabulary.example)
                raise UnknownNameError(vocabulary.unknown(quoted(words[0]), guess), word, forms)
            found.append(_Number(0))
            words = words[1:]
    return found


def _ways(line: str, part: list[_Number | str]) -> list[Counted]:
    """Every way to give each number of a part to a name beside it, at most one to a name."""
    names = [token for token in part if isinstance(token, str)]
    gaps: list[_Number | None] = [None]
    for token in part:
        if isinstance(token, str):
            gaps.append(None)
        elif gaps[-1] is None:
            gaps[-1] = token
        else:
            raise NotationError(
                "{text}: {first} and {second} are side by side; give each name one number",
                text=quoted(line),
                first=gaps[-1].value,
                second=token.value,
            )
    first = gaps[0]
    if not names:
        number = first.value if first else 0
        raise NotationError("{text}: the number {number} needs a name, as in 2 silk", text=quoted(line), number=number)
    *inner, last = gaps[1:]
    # The numbers of the names so far, None where there is none yet.
    ways: list[tuple[int | None, ...]] = [(first.value if first else None,)]
    for gap in inner:
        grown: list[tuple[int | None, ...]] = []
        for way in ways:
            if gap is None:
                grown.append((*way, None))
                continue
            if way[-1] is None:
                grown.append((*way[:-1], gap.value, None))
            if not gap.left:
                grown.append((*way, gap.value))
        if len(grown) > MAX_WAYS:
            raise too_many_ways(line)
        ways = grown
    if last is not None:
        ways = [(*way[:-1], last.value) for way in ways if way[-1] is None]
    if not ways:
        raise NotationError("{text}: there are two numbers for one name; give each name one number", text=quoted(line))
    return [[(name, 1 if number is None else number) for name, number in zip(names, way, strict=True)] for way in ways]
