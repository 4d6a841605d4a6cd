"""Djinns' names as cards may print them, and the one that a word read off a card means."""

from __future__ import annotations

import difflib
import unicodedata

from companion.notation.names import fold
from companion.rules.engine.djinns import DJINNS

LEAST_LIKENESS = 0.74
LEAST_MARGIN = 0.12
"""A word must be this like a name, and this much more so than like the next name."""

NEAR_LIKENESS = 0.55
"""A word this like a name is a title that could not be told, if it is none that could."""

LEAST_LETTERS = 4

SPELLINGS: dict[str, tuple[str, ...]] = {
    "Al-Amin": ("Аль-Амин", "Аль-Амін", "알아민"),
    "Anun-Nak": ("Анун-Нак", "아눈나크", "아눈낙"),
    "Ba'al": ("Баал", "Ваал", "바알"),
    "Boaz": ("Боаз", "보아즈", "보아스"),
    "Bouraq": ("Бурак", "부라크"),
    "Echidna": ("Ехидна", "Эхидна", "Єхидна", "Єхідна", "에키드나"),
    "Enki": ("Энки", "Енки", "Енкі", "엔키"),
    "Hagis": ("Хагис", "Хагіс", "Гагіс", "하기스"),
    "Haurvatat": ("Хаурватат", "Гаурватат", "하우르바타트"),
    "Iblis": ("Иблис", "Ібліс", "이블리스"),
    "Jafaar": ("Джафар", "Джафаар", "자파르"),
    "Kandicha": ("Кандиша", "Кандича", "Кандіша", "Кандіча", "칸디샤", "칸디차"),
    "Kumarbi": ("Кумарби", "Кумарбі", "쿠마르비"),
    "Lamia": ("Ламия", "Ламія", "라미아"),
    "Leta": ("Лета", "레타"),
    "Marid": ("Марид", "Марід", "마리드"),
    "Monkir": ("Монкир", "Монкір", "몬키르"),
    "Nekir": ("Некир", "Некір", "네키르"),
    "Shamhat": ("Шамхат", "샴하트", "샤마트"),
    "Sibittis": ("Сибиттис", "Сибитис", "Сібіттіс", "시비티스"),
    "Sloar": ("Слоар", "슬로아르", "슬로어"),
    "Utug": ("Утуг", "Утуґ", "우투그"),
}
"""Russian, Ukrainian and Korean spellings by name, as the names sound.

The rulebooks in these languages print no list of names but one, and that one in Latin letters, as most printings of
the cards do; so these are transliterations, matched as loosely as misread words are.
"""

_BY_SCRIPT: dict[str, list[tuple[str, str]]] = {}
for _name in DJINNS:
    for _spelling in (_name, *SPELLINGS[_name]):
        _script = unicodedata.name(_spelling[0]).split()[0]
        _BY_SCRIPT.setdefault(_script, []).append((fold(_spelling), _name))


def match_name(text: str) -> tuple[str, float] | None:
    """The djinn that a read word names, and how like it is; None if no name, or no single one, is near.

    >>> match_name("Jafaar."), match_name("Sharnhat"), match_name("Market"), match_name("Ламия")
    (('Jafaar', 1.0), ('Shamhat', 0.8), None, ('Lamia', 1.0))
    """
    ranked = likely_names(text)
    if not ranked:
        return None
    (name, likeness), (_, next_likeness) = ranked[:2]
    if likeness < LEAST_LIKENESS or likeness - next_likeness < LEAST_MARGIN:
        return None
    return name, likeness


def likely_names(text: str) -> list[tuple[str, float]]:
    """Every djinn with how like its name a word is (0 to 1), the likeliest first; empty for what is no word."""
    word = fold(text)
    letters = [letter for letter in text if letter.isalpha()]
    if not letters or len(word) < LEAST_LETTERS:
        return []
    script = unicodedata.name(letters[len(letters) // 2], "?").split()[0]
    likeness: dict[str, float] = {}
    for spelling, name in _BY_SCRIPT.get(script, []):
        ratio = difflib.SequenceMatcher(None, word, spelling).ratio()
        likeness[name] = max(likeness.get(name, 0.0), ratio)
    return sorted(likeness.items(), key=lambda item: -item[1])
