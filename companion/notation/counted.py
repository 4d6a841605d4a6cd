"""Numbers and names on one line, with commas between the things: `2 silk, fish x3`."""

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

_MAX_WORDS = 3

_LETTER = r"[^\W\d_]"
_WORD = rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ`´‘-](?={_LETTER}))*"
_COMMA = re.compile(rf"[,;+·•，、；]|\.(?=[\s,;]|$)|(?<!\S)(?:{'|'.join(AND)})(?!\S)", re.IGNORECASE)
_NUMBER = rf"([0-9]+)(?:\s*[×*]|\s*[xхХX장개명](?!{_LETTER}))?"
_TIMES = "[×*xXхХ]"
_PART = re.compile(
    rf"(?:{_TIMES}?\s*{_NUMBER}\s*)?({_WORD}(?:\s+{_WORD})*?)"
    rf"(?:\s*(?:[=:×*]|(?<=\s)(?:{_TIMES}|[-–—]\s))?\s*{_NUMBER})?"
)
"""A number before, or a number after, the words."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that a line may hold, as written, and what each stands for; `unknown` words a message on others,
    `example` is a right line. Only the number 0 goes with `only_none`.
    """

    forms: Mapping[str, str]
    unknown: Callable[[str, str], Phrase]
    example: Phrase
    only_none: frozenset[str]
    meanings: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "meanings", folded(self.forms))


@dataclass(frozen=True, slots=True)
class Counted:
    """A thing of a line: its folded name, its number, 1 where none was typed, and its words as they were typed."""

    name: str
    number: int
    typed: str


def one_line(text: str) -> str:
    """The text with single spaces. Raises NotationError if it's too long."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if len(line) > MAX_LETTERS:
        raise NotationError("a line of {count} letters is too long for what a player holds", count=len(line))
    return line


def counted_names(line: str, vocabulary: Vocabulary) -> list[Counted]:
    """The things of a line, each with its number. Raises NotationError for anything else, or for none."""
    parts = [part for part in map(str.strip, _COMMA.split(line)) if part]
    if not parts:
        raise NotationError(
            "{text} names nothing that a player holds; type something like {example}",
            text=quoted(line),
            example=vocabulary.example,
        )
    return [one for part in parts for one in _things(part, vocabulary)]


def _things(part: str, vocabulary: Vocabulary) -> list[Counted]:
    """What stands between two commas: names without a number, or one name with one."""
    if match := _PART.fullmatch(part):
        before, words, after = match.groups()
        names, numbers = _names(words.split(), vocabulary)
        numbers += [number for number in (before, after) if number is not None]
        if names and (not numbers or len(names) == len(numbers) == 1):
            # Python refuses numbers of some thousand digits.
            number = int(numbers[0].lstrip("0")[:6] or "0") if numbers else 1
            return [Counted(fold(typed), number, typed) for typed in names]
    raise NotationError(
        "{text} makes no sense here; type each thing as a number and a name, with commas between them, as in {example}",
        text=quoted(part),
        example=vocabulary.example,
    )


def _names(words: list[str], vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The names that words make, the longest first, and a "0" for each word for none."""
    names: list[str] = []
    none: list[str] = []
    while words:
        for many in range(min(len(words), _MAX_WORDS), 0, -1):
            if fold(name := " ".join(words[:many])) in vocabulary.meanings:
                names.append(name)
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
            none.append("0")
            words = words[1:]
    return names, none
