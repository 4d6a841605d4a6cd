"""What forms send, field by field; and forms that come after somebody else has changed what they are about."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import FormData

from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, joined, say
from companion.rules.model.components import Colour

MAX_NAME = 60
MAX_DIGITS = 6
MAX_SEED_DIGITS = 18
REVISION = say("the number of the revision")
WHO_CAN_PLAY = say("Two, three or four people can play; two are always blue and pink (rules 2.1). Choose who plays.")


def sent_number(text: object, what: Phrase) -> int | None:
    """A whole number of a form's field, None where it was left empty. Raises UnusableInputError for anything else."""
    if not isinstance(text, str) or not text.strip():
        return None
    if not text.strip().isascii() or not text.strip().isdecimal() or len(text) > MAX_DIGITS:
        raise UnusableInputError(say("{what}: enter a whole number", what=what))
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


def sent_names(form: FormData) -> dict[Colour, str]:
    """The players' names of a form, for those who play."""
    names = {colour: sent_name(form.get(f"name_{colour.value}")) for colour in sent_colours(form, "plays")}
    return {colour: name for colour, name in names.items() if name}


def sent_colours(form: FormData, name: str) -> tuple[Colour, ...]:
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
    return SetUpForm(
        str(form.get("how", "random")),
        str(form.get("code", "")).strip(),
        str(form.get("seed", "")).strip(),
        sent_colours(form, "plays"),
        sent_names(form),
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
        raise UnusableInputError(say("The number of a set-up has only digits, such as 483920; or leave it empty."))
    return int(plain)


@dataclass(frozen=True, slots=True)
class Merged:
    """The fields of a form as they are to be kept; `conflicts` are those that somebody else has changed meanwhile."""

    fields: Mapping[str, str]
    conflicts: Mapping[str, str]

    def fault(self, label: Callable[[str], Phrase], value: Callable[[str, str], Phrase | str]) -> Phrase:
        """What to say of conflicts; `label` is what a field is called, `value` what stands in it, in words."""
        fields = [
            say("{what}: {value}", what=label(field), value=value(field, now) or "?")
            for field, now in self.conflicts.items()
        ]
        return say(
            "This has changed in the meantime: {fields}. What you typed is still here: if it's still right, keep it.",
            fields=joined("; ", fields),
        )


def merged(shown: Mapping[str, str] | None, sent: Mapping[str, str], now: Mapping[str, str]) -> Merged:
    """What was sent of a form, where that is otherwise than it was `shown`; all else as it is `now`.

    `shown` is None where nobody knows any more what the form showed: then all that was sent holds.
    """
    known = {} if shown is None else shown
    changed = {name: value for name, value in sent.items() if shown is None or value != known.get(name, "")}
    conflicts = {
        name: now.get(name, "")
        for name, value in changed.items()
        if now.get(name, "") != value and (shown is None or now.get(name, "") != known.get(name, ""))
    }
    return Merged({**now, **changed}, conflicts)
