"""What is asked for when a game is set up, as a form sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import FormData

from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.web.game_views import sent_day, sent_name, sent_names

MAX_SEED_DIGITS = 18
WHO_CAN_PLAY = say("Two, three or four play; two are always blue and pink (rules 2.1). Choose who plays.")


@dataclass(frozen=True, slots=True)
class SetUpForm:
    """What was asked for when a game was set up, as it was sent: `how` is random, fair or code.

    `date` is the day of a sheet that was scanned, such as 2026-02-14; "" is today.
    """

    how: str = "random"
    code: str = ""
    seed: str = ""
    plays: tuple[Colour, ...] = (Colour.BLUE, Colour.PINK)
    names: Mapping[Colour, str] = field(default_factory=dict)
    place: str = ""
    date: str = ""
    hides_points: bool = False


def sent_setup(form: FormData) -> SetUpForm:
    """What a form asks for; who plays may be told by names alone."""
    names = sent_names(form)
    return SetUpForm(
        str(form.get("how", "random")),
        str(form.get("code", "")).strip(),
        str(form.get("seed", "")).strip(),
        tuple(colour for colour in Colour if colour in form.getlist("plays")) or tuple(names),
        names,
        sent_name(form.get("place")),
        sent_day(form.get("date")),
        bool(form.get("hide_points")),
    )


def sent_seed(text: str) -> int | None:
    """The number of a set-up that somebody typed; None without one. Raises UnusableInputError for what is no number."""
    plain = "".join(text.split())
    if not plain:
        return None
    if not plain.isascii() or not plain.isdecimal() or len(plain) > MAX_SEED_DIGITS:
        raise UnusableInputError(say("The number of a set-up has digits alone, such as 483920; or leave it empty."))
    return int(plain)
