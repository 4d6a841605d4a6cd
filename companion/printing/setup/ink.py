"""Set-up cards that take little ink: all surfaces white, so that shapes, letters and words alone tell things apart."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from companion.printing.setup.template import SetupTemplate

_WHITE = "#FFFFFF"

_Tints = TypeVar("_Tints")


def in_light_ink(template: SetupTemplate) -> SetupTemplate:
    """The template with white in place of every colour that fills something."""
    surfaces = replace(template.palette, card=_WHITE, red_value=_WHITE, blue_value=_WHITE, icon=_WHITE)
    return replace(
        template,
        palette=surfaces,
        grounds=_blank(template.grounds),
        tribes=_blank(template.tribes),
        camels=_blank(template.camels),
    )


def _blank(tints: _Tints) -> _Tints:
    described: Any = tints
    return replace(described, **{one.name: _WHITE for one in fields(described)})  # type: ignore[no-any-return]
