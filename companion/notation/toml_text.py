"""TOML as people write it, looked through before it is read: endless keys and numbers, and nesting, take Python's
reader time that grows with their square, or end it.
"""

from __future__ import annotations

import re
import tomllib

from companion.errors import NotationError, with_odd_signs
from companion.language.phrase import Phrase, say

MAX_LETTERS = 300_000
"""Letters of a whole text; one that somebody wrote has some thousands."""

MAX_KEY_PARTS = 50
"""Parts of a dotted key."""

MAX_WORD = 200
"""Letters of a part of a key that stands without quotes, or digits of a number."""

MAX_DEPTH = 50
"""Lists and tables within one another."""

_QUOTED = r""" "(?:[^"\\\n]|\\[^\n])*+" | '[^'\n]*+' """
_PART = rf"(?: [A-Za-z0-9_-]++ | {_QUOTED} )"
_PARTS = re.compile(_PART, re.VERBOSE)
_PIECE = re.compile(
    rf"""
    "{{3}} (?: [^"\\] | \\. | "(?!"") )*+ "*+ | '{{3}} (?: [^'] | '(?!'') )*+ '*+ | \#[^\n]*+
    | (?P<words> {_PART} (?: [ \t]*+ \. [ \t]*+ {_PART} )*+ )
    | (?P<bracket> [\[\]{{}}] )
    | "(?: [^"\\\n] | \\[^\n] )*+ | '[^'\n]*+
    | [^"'\#\[\]{{}}A-Za-z0-9_-]++
    """,
    re.VERBOSE | re.DOTALL,
)
"""What a text is made of, letter after letter: long texts and remarks; words, numbers and short texts, joined by dots
in keys; brackets; texts that do not end; all else. Every letter is looked at twice at most."""


_REASONS = {
    "Invalid statement": say("this is no key"),
    "Invalid value": say("this is no value"),
    "Expected '=' after a key in a key/value pair": say("an equals sign belongs after the key"),
    "Expected newline or end of document after a statement": say("something stands after the value"),
    "Unclosed array": say("a list is not closed"),
    "Unclosed inline table": say("a table in braces is not closed"),
    "Unterminated string": say("a text is not closed"),
    "Cannot overwrite a value": say("a key is given twice"),
    "Expecting value": say("this is no value"),
    "Expecting property name enclosed in double quotes": say("a key in double quotes belongs here"),
    "Expecting ':' delimiter": say("a colon belongs here"),
    "Expecting ',' delimiter": say("a comma belongs here"),
    "Extra data": say("something stands after the end"),
    "Unterminated string starting at": say("a text is not closed"),
    "Illegal trailing comma before end of object": say("the last entry has a comma"),
    "Illegal trailing comma before end of array": say("the last entry has a comma"),
}
"""What Python's readers of TOML and JSON find most often, for people."""
_PLACED = re.compile(r"(?P<reason>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


def parser_reason(said: str) -> str:
    """What a reader of TOML or JSON has to say of a text, as people read it."""
    return _REASONS.get(said, said)


def _fault(said: str) -> str:
    """A fault of TOML, with its place."""
    found = _PLACED.fullmatch(said)
    if found is None:
        return parser_reason(said)
    reason = parser_reason(found["reason"])
    if found["line"] is None:
        return say("{reason} (at the end of the text)", reason=reason)
    return say("{reason} (at line {line}, column {column})", reason=reason, line=found["line"], column=found["column"])


def parse_toml(text: str) -> dict[str, object]:
    """The tables and keys of a text. Raises NotationError, with the line, if it is not TOML that somebody wrote."""
    if len(text) > MAX_LETTERS:
        raise NotationError(
            say("{number:,} letters are too many; {most:,} are the most", number=len(text), most=MAX_LETTERS)
        )
    depth = 0
    for found in _PIECE.finditer(text):
        if words := found["words"]:
            fault = _fault_of(words)
        else:
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found["bracket"] or "", 0)
            fault = say("lists or tables nested too deeply") if depth > MAX_DEPTH else None
        if fault is not None:
            line = text.count("\n", 0, found.start()) + 1
            raise NotationError(say("{fault} (at line {line})", fault=fault, line=line))
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Of TOML itself, or of a number or date that there is not.
        at = re.search(r"at line (\d+)", str(error))
        wrong = text.split("\n")[int(at[1]) - 1] if at else ""
        raise NotationError(with_odd_signs(_fault(str(error)), wrong)) from None


def _fault_of(words: str) -> Phrase | None:
    """What is wrong with a key, a number or a short text; None for nothing."""
    if len(words) <= MAX_WORD and words.count(".") < MAX_KEY_PARTS:
        return None
    parts = _PARTS.findall(words)
    if len(parts) > MAX_KEY_PARTS:
        return say("a key of more than {max_key_parts} parts", max_key_parts=MAX_KEY_PARTS)
    if any(len(part) > MAX_WORD and part[0] not in "\"'" for part in parts):
        return say("a key or number of more than {most} letters or digits", most=MAX_WORD)
    return None
