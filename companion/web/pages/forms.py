"""What forms send, field by field; and forms that come after somebody else has changed what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData, QueryParams

from companion.asking.question import Kind, Question
from companion.asking.sheets import Sheet, tokens
from companion.errors import ConflictError
from companion.language.phrase import joined, say

MAX_NAME = 60
REVISION = say("the number of the revision")
WHO_CAN_PLAY = say(
    "Two, three or four people can play; two are always blue and pink (rules 2.1). Choose who's playing."
)


def sent_name(text: object, most: int = MAX_NAME) -> str:
    """A name as it was typed: on one line, and no longer than a page has room for."""
    return " ".join(text.split())[:most] if isinstance(text, str) else ""


def sent_lines(sheet: Sheet, form: FormData | QueryParams) -> dict[str, str]:
    """What a form has for each question of a sheet; a name that it doesn't ask for stays as it is."""

    def line(question: Question[Any]) -> str:
        name, _, value = question.key.rpartition(" ")
        if question.kind is Kind.TICK:
            return "1" if (value in form.getlist(name) if name else form.get(value)) else ""
        name = question.key
        if question.kind is Kind.ORDER:
            return ", ".join(tokens(",".join(map(str, form.getlist(name)))))
        if question.kind is Kind.LINE:
            return sent_name(form.get(name, _shown(question, form)), question.most or MAX_NAME)
        return str(form.get(name, "")).strip()

    return {key: line(question) for key, question in sheet.items()}


def _shown(question: Question[Any], form: FormData | QueryParams) -> str:
    """What a form showed of a question: what was known, or what it says itself."""
    return str(form.get(f"shown_{question.key}", question.known))


def merged(
    before: Sheet | None, sent: Mapping[str, str], now: Sheet, form: FormData | QueryParams
) -> tuple[dict[str, str], ConflictError | None]:
    """The lines of a form: as they were `sent` where that isn't as it was shown, all others as they are `now`.

    `before` is the sheet that the form showed, None where nobody knows it any more. The error, if any, is why they
    can't be kept yet: what somebody else has changed otherwise meanwhile, and what stands there now.
    """
    shown = {key: _shown(question, form) for key, question in (before or {}).items()}
    changes = {key: line for key, line in sent.items() if line not in (shown.get(key), now[key].known)}
    both = [now[key] for key in changes if now[key].known != shown.get(key)]
    lines = {key: changes.get(key, question.known) for key, question in now.items()}
    if not both:
        return lines, None
    fields = joined("; ", [say("{what}: {value}", what=one.words, value=_value(one)) for one in both])
    return lines, ConflictError(
        "This has changed in the meantime: {fields}. What you typed is still here; if it's still right, save it.",
        fields=fields,
    )


def _value(question: Question[Any]) -> object:
    words = {"1": "✓"} if question.kind is Kind.TICK else {tap.token: tap.words for tap in question.taps}
    return joined(", ", [words.get(one, one) for one in tokens(question.known)]) or "?"


def filled(sheet: Sheet, lines: Mapping[str, str] | None = None) -> dict[str, tuple[Question[Any], str]]:
    """The questions of a sheet with the lines that stand in a form, or else with what is known."""
    return {key: (question, question.known if lines is None else lines[key]) for key, question in sheet.items()}
