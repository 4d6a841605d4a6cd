"""Text as XML can hold it, for SVG and the metadata of PDFs: with one character of another kind nothing opens them."""

from __future__ import annotations

import re
from html import escape

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def xml_text(text: str) -> str:
    r"""The text without what XML cannot hold.

    >>> xml_text("An\uffffna\x01")
    'Anna'
    """
    return _NO_XML.sub("", text)


def xml_escaped(text: str) -> str:
    """The same, to stand between tags or in quotes."""
    return escape(xml_text(text), quote=True)
