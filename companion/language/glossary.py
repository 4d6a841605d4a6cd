"""The names of the game's things in each language: `templates/glossary.tsv`.

Prints, sentences, cards read by Tesseract and typed names all use it. A name has the forms that its language's grammar
needs, and other spellings that are understood. The terms are those of the rulebooks in each language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.system.installation import template_path

NAME = "glossary.tsv"

LANGUAGES: tuple[str, ...] = ("en", "ru", "uk", "ko", "it")
"""The languages that the program speaks."""

_COUNTERS = {"good": "장", "card": "장", "djinn": "장", "person": "명", "coin": ""}
"""What Korean puts after a number, by the kind of thing; 개 for all other kinds."""


@dataclass(frozen=True, slots=True)
class GlossaryName:
    """One thing: its kind, and by language its forms and other spellings that are understood.

    Forms are, in English and Italian, one and many; in Russian those after 1, 2 and 5 and the plural alone (визирь,
    визиря, визирей, визири); in Ukrainian those after 1, 2 and 5 (візир, візири, візирів); in Korean one. The last form
    of a good is its name (самоцветы). A thing that is never counted has one form.
    """

    kind: str
    forms: Mapping[str, tuple[str, ...]]
    also: Mapping[str, tuple[str, ...]]


@cache
def glossary() -> Mapping[str, GlossaryName]:
    """All names by their keys, in the order of the table."""
    lines = template_path(NAME).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {key: _entry(kind, cells) for key, kind, *cells in rows[1:]}


def _entry(kind: str, cells: list[str]) -> GlossaryName:
    forms: dict[str, tuple[str, ...]] = {}
    also: dict[str, tuple[str, ...]] = {}
    for language, cell in zip(LANGUAGES, cells, strict=True):
        main, _, rest = cell.partition("+")
        forms[language] = _parts(main)
        also[language] = _parts(rest)
    return GlossaryName(kind, forms, also)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text.strip() else ()


def name_in(language: str, key: str, *, plural: bool = False) -> str:
    """The name of a thing, singular or plural, as it stands inside a sentence: "vizier", "small market".

    Raises KeyError if it isn't in the table.
    """
    entry = glossary()[key]
    forms = entry.forms[language]
    if entry.kind == "good":
        return forms[-1]
    if not plural:
        return forms[0]
    return forms[1] if language == "uk" and len(forms) > 1 else forms[-1]


def counted_in(language: str, count: int, key: str) -> str:
    """A thing counted: "3 fakirs", "5 факиров", "일꾼 3장". Raises KeyError as `name_in` does."""
    entry = glossary()[key]
    forms = entry.forms[language]
    if language == "ko":
        return f"{forms[0]} {count}{_COUNTERS.get(entry.kind, '개')}"
    return f"{count} {forms[min(plural_form(language, count), len(forms) - 1)]}"


def plural_form(language: str, count: int) -> int:
    """Which form a noun has after a number: the first is 0.

    >>> [plural_form("ru", count) for count in (1, 2, 5, 11, 21)]
    [0, 1, 2, 2, 0]
    """
    if language in ("ru", "uk"):
        if count % 10 == 1 and count % 100 != 11:
            return 0
        return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2
    return 0 if language == "ko" or count == 1 else 1


def forms_in(language: str, key: str) -> tuple[str, ...]:
    """How a thing may be written in one language: forms and other spellings. Raises KeyError as `name_in` does."""
    entry = glossary()[key]
    return (*entry.forms[language], *entry.also[language])


def spellings(kind: str) -> dict[str, tuple[str, ...]]:
    """How each thing of a kind may be written, by its key: forms and other spellings, English first."""
    return {
        key: tuple(dict.fromkeys(form for language in LANGUAGES for form in forms_in(language, key)))
        for key, entry in glossary().items()
        if entry.kind == kind
    }
