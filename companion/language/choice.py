"""The language of a run: what was asked for, else COMPANION_LANG, else the system's, else English."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from companion.language.glossary import LANGUAGES

VARIABLE = "COMPANION_LANG"
"""The environment variable that names the language."""

_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


def known_language(text: str) -> str | None:
    """The language of `LANGUAGES` that a name such as "ru", "ru_RU.UTF-8" or "uk-UA" means; None for any other.

    >>> known_language("ru_RU.UTF-8"), known_language("it"), known_language("fr_FR"), known_language("C.UTF-8")
    ('ru', 'it', None, None)
    """
    code = text.strip().replace("-", "_").partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return code if code in LANGUAGES else None


def chosen_language(option: str | None, environment: Mapping[str, str], system: str | None = None) -> str:
    """The language of `LANGUAGES` for a run.

    `option` is the value of --lang; `system` is the locale that the system names outside the environment, as Windows
    does. Unknown languages are passed over.
    """
    for name in _candidates(option, environment, system):
        if (language := known_language(name)) is not None:
            return language
    return "en"


def _candidates(option: str | None, environment: Mapping[str, str], system: str | None) -> Iterator[str]:
    """The languages asked for, the most important first; a locale of any language ends the list."""
    if option:
        yield option
    if environment.get(VARIABLE):
        yield environment[VARIABLE]
    locale = next((environment[name] for name in _LOCALES if environment.get(name)), system or "")
    # As in gettext, LANGUAGE is a list, and counts only if the locale isn't a plain one.
    if locale and locale.partition(".")[0] not in ("C", "POSIX"):
        yield from environment.get("LANGUAGE", "").split(":")
    yield locale


def system_locale() -> str | None:
    """The locale in Windows' settings, such as "ru_RU"; None elsewhere, where the environment has it."""
    if sys.platform != "win32":
        return None
    import ctypes
    import locale

    return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage())
