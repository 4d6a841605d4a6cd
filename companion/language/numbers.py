"""Numbers with decimals, as each language writes them: 2.1 in English and Korean, 2,1 in the others; and times.

In a sentence a place does the same by itself: `say("{size:.1f} better", size=2.1)`.
"""

from __future__ import annotations

from companion.language.phrase import Phrase, Speaker


class _WrittenNumber(Phrase):
    """A number that stands by itself."""

    __slots__ = ("_form", "_value")
    _form: str
    _value: float

    def __new__(cls, value: float, form: str) -> _WrittenNumber:
        made = super().__new__(cls, format(value, form))
        made._value, made._form = value, form
        return made

    def __reduce__(self) -> tuple[type[_WrittenNumber], tuple[float, str]]:
        return _WrittenNumber, (self._value, self._form)

    def said_by(self, speaker: Speaker) -> str:
        return speaker.fill(f"{{value:{self._form}}}", {"value": self._value})


def decimal(value: float, digits: int = 1, *, signed: bool = False) -> Phrase:
    """A number with so many digits after the point; `signed` ones have their plus as well.

    >>> decimal(2.14), decimal(2.14, 2, signed=True)
    ('2.1', '+2.14')
    """
    return _WrittenNumber(value, f"{'+' if signed else ''}.{digits}f")


def rounded(value: float, figures: int = 2) -> Phrase:
    """A number with so many figures that count, however small it is.

    >>> rounded(0.01234), rounded(12.34)
    ('0.012', '12')
    """
    return _WrittenNumber(value, f".{figures}g")


def thousands(number: int) -> Phrase:
    """A whole number with its thousands apart.

    >>> thousands(24000)
    '24,000'
    """
    return _WrittenNumber(number, ",")


def percentage(share: float, digits: int = 0) -> Phrase:
    """A share as a percentage.

    >>> percentage(0.413), percentage(0.413, 1)
    ('41%', '41.3%')
    """
    return _WrittenNumber(share, f".{digits}%")


def clock_time(seconds: float) -> str:
    """A time as clocks show it.

    >>> clock_time(59.9), clock_time(125), clock_time(3661)
    ('0:59', '2:05', '1:01:01')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
