"""Every message rendered with 1 in each of its places: "1 fakir", never "1 fakirs", and never "there are 1"."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from companion.language.glossary import glossary
from tests.language.words import gather

# Places that hold words, and bounds of the game and of the program, of which none is 1.
WORDS = """
bidder card code colour djinn drawn free goods keys layouts line name names other phases papers player readers square
percent tags text tiles tribe who
among columns face_up_djinns games length lines max_key_parts may_have most copies photos players size squares
total_meeples times tribes
"""
# What is said only of more than such a bound, which is 1 or more.
OVER = re.compile(
    r"\{number(:,)?\} (\{colour\}|tiles|files|photos|letters|characters|djinns|coins|cards)|are only|fewer than"
    r"|has \{number:,|the colours left|the colours are|a QR code of|a line of|a row of|\{known\}|fakirs = "
)
MORE_PLURALS = {"prices", "seconds", "set-ups"}


def test_messages_read_right_with_one() -> None:
    rendered = [_with_one(one, "count") for one, _ in _counted()]
    for message in sorted({text for text, _, _ in gather() if isinstance(text, str)}):
        places = {name for _, name, _, _ in Formatter().parse(message) if name} - {*WORDS.split()}
        rendered += [_with_one(message, place) for place in sorted(places) if not OVER.search(message)]
    assert [text for text in rendered if _disagrees(text)] == []


def test_what_does_not_count_is_found() -> None:
    assert _disagrees(_with_one("{fakirs} fakirs cannot lower a bid", "fakirs"))
    assert _disagrees(_with_one("there are {cheaper} cheaper prices", "cheaper"))
    assert _disagrees(_with_one("the code has {number} letters", "number"))
    assert not _disagrees(_with_one("the code has {number} letter", "number"))


def _with_one(message: str, place: str) -> str:
    return re.sub(rf"\{{{place}(:[^}}]*)?\}}", "1", message)


def _counted() -> list[tuple[str, str]]:
    return sorted({text for text, _, _ in gather() if isinstance(text, tuple)})


@cache
def _plurals() -> set[str]:
    """All that the game and the program count."""
    said = {
        word
        for one, many in _counted()
        for word in set(re.findall(r"[a-z]+", many)) - set(re.findall(r"[a-z]+", one))
        if word.endswith("s")
    }
    return said | {entry.forms["en"][1] for entry in glossary().values() if len(entry.forms["en"]) > 1} | MORE_PLURALS


def _disagrees(text: str) -> bool:
    after = [match.group(1).split() for match in re.finditer(r"(?<![\d.,-])1((?: [a-z-]+){1,2})", text)]
    return any(word in _plurals() for words in after for word in words) or bool(
        re.search(r"\b(are|were) (only )?1\b", text)
    )
