"""Kinds of mistake: how one reading of a tile differs from another, as far as some differences are commoner."""

from __future__ import annotations

from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision.board.pieces import CAMEL_GROUP, GROUPS

CHANGES: tuple[str, ...] = (
    "merchant to palm",
    "palm to merchant",
    "vizier or elder to palace",
    "palace to vizier or elder",
    "builder to blue camel",
    "blue camel to builder",
    "palm more",
    "palm fewer",
    "palace more",
    "palace fewer",
    "meeple more",
    "meeple fewer",
    "camel",
    "meeple of another colour",
    "several",
)
"""The kinds of mistake that are told apart, from what was read to what is so."""

_BY_KIND = {group.kind: number for number, group in enumerate(GROUPS)}
_PALM, _PALACE, _MERCHANT, _BUILDER = _BY_KIND["palm"], _BY_KIND["palace"], _BY_KIND["g"], _BY_KIND["b"]
_YELLOW_OR_WHITE = (_BY_KIND["y"], _BY_KIND["w"])
_BLUE = tuple(Colour).index(Colour.BLUE) + 1


def change_between(read: tuple[int, ...], other: tuple[int, ...]) -> str:
    """Which of `CHANGES` leads from one reading's numbers to another's; both by `pieces.GROUPS`."""
    more = {group: there - here for group, (here, there) in enumerate(zip(read, other, strict=True)) if here != there}
    if CAMEL_GROUP in more:
        before, after = read[CAMEL_GROUP], other[CAMEL_GROUP]
        more[CAMEL_GROUP] = min(after, 1) - min(before, 1)
        if len(more) == 1:
            return "camel"
        if len(more) == 2 and more.get(_BUILDER) == -1 and (before, after) == (0, _BLUE):
            return "builder to blue camel"
        if len(more) == 2 and more.get(_BUILDER) == 1 and (before, after) == (_BLUE, 0):
            return "blue camel to builder"
        return "several"
    return _single(more) if len(more) == 1 else _pair(more)


def _single(more: dict[int, int]) -> str:
    ((group, change),) = more.items()
    if abs(change) != 1:
        return "several"
    noun = {_PALM: "palm", _PALACE: "palace"}.get(group, "meeple")
    return f"{noun} {'more' if change == 1 else 'fewer'}"


def _pair(more: dict[int, int]) -> str:
    if sorted(more.values()) != [-1, 1]:
        return "several"
    fewer, gained = min(more, key=more.__getitem__), max(more, key=more.__getitem__)
    if (fewer, gained) == (_MERCHANT, _PALM):
        return "merchant to palm"
    if (fewer, gained) == (_PALM, _MERCHANT):
        return "palm to merchant"
    if fewer in _YELLOW_OR_WHITE and gained == _PALACE:
        return "vizier or elder to palace"
    if fewer == _PALACE and gained in _YELLOW_OR_WHITE:
        return "palace to vizier or elder"
    return "meeple of another colour" if max(fewer, gained) < len(TRIBE_LETTERS) else "several"
