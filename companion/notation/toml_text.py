"""TOML as people write it, read without the traps of what they do not: endless keys, numbers and nesting."""

from __future__ import annotations

import re
import tomllib

from companion.errors import NotationError
from companion.language.phrase import say

MAX_KEY_PARTS = 50
"""Parts of a dotted key; the time that Python's reader takes grows with their square."""

_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_KEY_PARTS}}}")


def parse_toml(text: str) -> dict[str, object]:
    """The tables and keys of a text. Raises NotationError, with the line, if it is not TOML that somebody wrote."""
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise NotationError(
            say("a key of more than {max_key_parts} parts at line {line}", max_key_parts=MAX_KEY_PARTS, line=line)
        )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotationError(say("lists or tables nested too deeply")) from None
    except tomllib.TOMLDecodeError as error:
        raise NotationError(str(error)) from None
    except ValueError:
        # Python reads no number of more than some thousand digits.
        raise NotationError(say("it holds a number with more digits than any on a table")) from None
