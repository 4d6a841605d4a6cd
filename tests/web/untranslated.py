"""What a browser might translate of a page and must not: tiles, codes, lines of a record, djinns."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from companion.rules.engine.djinns import DJINNS

_MUST_NOT = re.compile(
    r"FT1-[A-Z0-9]+|(?<![A-Za-z0-9])[a-f][1-5](?![A-Za-z0-9])|round \d+: \w+ \d|correction: "
    rf"|(?<!\w)(?:{'|'.join(map(re.escape, DJINNS))})(?!\w)"
)
_VOID = {"input", "img", "link", "meta", "br", "hr"}


class _Reader(HTMLParser):
    """Reads text as a browser does that translates, with the element around it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _is_kept(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            is_code = tag in ("script", "style")
            self._open.append((tag, self._is_kept or is_code or dict(attrs).get("translate") == "no"))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_kept and (said := _MUST_NOT.search(data)):
            self.found.append(f"{said[0]!r} in {' '.join(data.split())!r}")


def left_to_translate(page: str) -> list[str]:
    """All of a page that no browser may translate and that is not marked so, with the text in which it stands."""
    reader = _Reader()
    reader.feed(page)
    return reader.found
