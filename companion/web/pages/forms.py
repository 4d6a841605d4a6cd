"""What forms send, field by field; and forms that come after somebody else has changed what they are about."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import FormData, QueryParams

from companion.errors import ConflictError, UnusableInputError
from companion.language.phrase import Phrase, joined, say, term
from companion.rules.model.components import Colour

MAX_NAME = 60
MAX_DIGITS = 6
MAX_SEED_DIGITS = 18
REVISION = say("the number of the revision")
WHO_CAN_PLAY = say(
    "Two, three or four people can play; two are always blue and pink (rules 2.1). Choose who's playing."
)


def sent_number(text: object, what: Phrase) -> int | None:
    """A whole number of a form's field, None where it was left empty. Raises UnusableInputError for anything else."""
    if not isinstance(text, str) or not text.strip():
        return None
    if not text.strip().isascii() or not text.strip().isdecimal() or len(text) > MAX_DIGITS:
        raise UnusableInputError("{what}: enter a whole number", what=what)
    return int(text)


def sent_day(text: object) -> str:
    """A day as records have it, such as 2026-02-14; "" for what is none."""
    try:
        return datetime.date.fromisoformat(str(text)).isoformat()
    except ValueError:
        return ""


def sent_name(text: object) -> str:
    """A name as it was typed: on one line, and no longer than a page has room for."""
    return " ".join(text.split())[:MAX_NAME] if isinstance(text, str) else ""


def sent_names(form: FormData | QueryParams, colours: Iterable[Colour] = Colour) -> dict[Colour, str]:
    """The names that a form has of players of these colours."""
    names = {colour: sent_name(form.get(f"name_{colour.value}")) for colour in colours}
    return {colour: name for colour, name in names.items() if name}


def sent_colours(form: FormData | QueryParams, name: str) -> tuple[Colour, ...]:
    """The colours that a field holds, which is there several times, in the order of `Colour`."""
    return tuple(colour for colour in Colour if colour in form.getlist(name))


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
    """What a form asks for."""
    plays = sent_colours(form, "plays")
    return SetUpForm(
        str(form.get("how", "random")),
        str(form.get("code", "")).strip(),
        str(form.get("seed", "")).strip(),
        plays,
        sent_names(form, plays),
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
        raise UnusableInputError("The number of a set-up has only digits, such as 483920; or leave it empty.")
    return int(plain)


def merged(
    shown: Mapping[str, Any] | None, sent: Mapping[str, Any], now: Mapping[str, Any], label: Callable[[str], Phrase]
) -> tuple[dict[str, Any], ConflictError | None]:
    """The fields of a form: as they were sent where that isn't as they were `shown`, all others as they are `now`.

    `shown` is None where nobody knows any more what the form showed. The error, if any, is why they can't be kept
    yet: fields that somebody else has changed otherwise meanwhile, by `label`, and what stands in them now.
    """
    known = dict.fromkeys(sent) if shown is None else shown
    changes = {name: value for name, value in sent.items() if value not in (known.get(name), now.get(name))}
    both = [name for name in changes if now.get(name) != known.get(name)]
    if not both:
        return {**now, **changes}, None
    fields = joined("; ", [say("{what}: {value}", what=label(name), value=_value(now.get(name))) for name in both])
    return {**now, **changes}, ConflictError(
        "This has changed in the meantime: {fields}. What you typed is still here; if it's still right, save it.",
        fields=fields,
    )


def _value(value: object) -> object:
    if isinstance(value, tuple):
        return joined(", ", list(map(term, value))) if value else "?"
    return "✓" if value is True else term(value) if isinstance(value, Colour) else value or "?"
