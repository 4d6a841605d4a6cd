"""Points on paper: with the language's decimal sign, a real minus sign, and the standard error where there is one."""

from __future__ import annotations

from companion.advisor.advice import Estimate
from companion.language.catalogue import translate
from companion.language.phrase import decimal

MINUS = "\u2212"


def number(value: float, language: str, digits: int = 1) -> str:
    """A number without a plus: "2.1", in Russian "2,1"."""
    return _written(value, language, digits, signed=False)


def signed(value: float, language: str, digits: int = 1) -> str:
    """A margin or difference with its sign; what rounds to 0 has none."""
    return _written(value, language, digits, signed=float(f"{value:.{digits}f}") != 0)


def with_error(one: Estimate, language: str) -> str:
    """A margin with its standard error: "+3.1 ± 0.4"."""
    return signed(one.value, language) + error_of(one, language)


def error_of(one: Estimate, language: str) -> str:
    """The standard error of a number, to stand behind it; "" if it is counted and not sampled."""
    return f" ± {number(one.error, language)}" if one.error else ""


def _written(value: float, language: str, digits: int, *, signed: bool) -> str:
    # A value that rounds to 0 from below would be written as -0.
    shown = value if float(f"{value:.{digits}f}") else 0.0
    return translate(decimal(shown, digits, signed=signed), language).replace("-", MINUS)
