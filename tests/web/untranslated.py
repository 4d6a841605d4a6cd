"""What a browser might translate of a page and must not: tiles, codes, lines of a record, djinns."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from companion.rules.engine.djinns import DJINNS

_MUST_NOT = re.compile(
    r"FT1-[A-Z0-9]+|(?<![A-Za-z0-9])[a-f][1-5](?![A-Za-z0-9])|round \d+: \w+ \d|correction: "
    rf"|(?<!\w)(?:{'|'.join(map(re.escape, DJINNS))})(?!\w)"
)
_VOID = {"input", "img", "link", "meta", "br", "hr"}

_TAG = re.compile(
    r"<!--.*?-->|<!doctype[^>]*>|<(script|style)\b.*?</\1>"
    r"""|<(?P<end>/?)(?P<name>[a-z][\w-]*)(?P<rest>(?:[^>"']++|"[^"]*"|'[^']*')*+)>""",
    re.DOTALL | re.IGNORECASE,
)
"""What stands between texts: a regular expression, since `html.parser` takes longer than the table takes for a page."""


@lru_cache(maxsize=256)
def left_to_translate(page: str) -> tuple[str, ...]:
    """All of a page that no browser may translate and that is not marked so, with the text in which it stands."""
    found: list[str] = []
    opened: list[tuple[str, bool]] = []
    ended = 0
    for tag in _TAG.finditer(page):
        is_kept = bool(opened) and opened[-1][1]
        # Most tags follow one another.
        if not is_kept and tag.start() > ended + 1 and (said := _said(page[ended : tag.start()])):
            found.append(said)
        ended = tag.end()
        end, name, rest = tag["end"], tag["name"], tag["rest"]
        if name is None or name in _VOID or rest.endswith("/"):
            continue
        if not end:
            opened.append((name, is_kept or 'translate="no"' in rest))
        else:
            while opened and opened.pop()[0] != name:
                pass
    return tuple(found)


def _said(text: str) -> str:
    said = _MUST_NOT.search(text := unescape(text))
    return f"{said[0]!r} in {' '.join(text.split())!r}" if said else ""
