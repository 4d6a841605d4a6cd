"""Which language a run speaks."""

from __future__ import annotations

from companion.language.choice import chosen_language, known_language

CASES: list[tuple[str | None, dict[str, str], str | None, str]] = [
    (None, {}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8"}, None, "ru"),
    (None, {"LANG": "de_DE.UTF-8"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "it_IT"}, None, "it"),
    (None, {"LC_MESSAGES": "it_IT", "LC_ALL": "ko_KR.UTF-8"}, None, "ko"),
    (None, {"LANG": "en_GB.UTF-8", "LANGUAGE": "de:uk:ru"}, None, "uk"),
    (None, {"LANG": "C.UTF-8", "LANGUAGE": "uk"}, None, "en"),
    (None, {"LANGUAGE": "uk"}, None, "en"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "it"}, None, "it"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "klingon"}, None, "ru"),
    (None, {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": ""}, None, "ru"),
    ("uk", {"LANG": "ru_RU.UTF-8", "COMPANION_LANG": "it"}, None, "uk"),
    ("xx", {"COMPANION_LANG": "it"}, None, "it"),
    (None, {}, "ko_KR", "ko"),
    (None, {"LANG": "it_IT"}, "ko_KR", "it"),
]


def test_the_language_of_a_run() -> None:
    for option, environment, system, language in CASES:
        assert chosen_language(option, environment, system) == language, (option, environment, system)


def test_names_of_languages() -> None:
    names = {"ru": "ru", "RU": "ru", "it-IT": "it", "ko_KR.euckr@x": "ko", "russian": None, "": None, "rus": None}
    assert {name: known_language(name) for name in names} == names
