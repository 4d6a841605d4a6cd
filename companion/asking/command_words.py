"""The words of commands in conversations, in the five languages: back, list, help, quit, and those of some questions.

What is typed is taken in any of them, whichever language the run speaks, as names of the game are. None of the words
may be a name of the game or an answer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

BACK, LIST, HELP, QUIT = "back", "list", "help", "quit"
"""The commands of every conversation."""

DONE, SKIP, SHOW, SCORE, HINT = "done", "skip", "show", "score", "hint"
"""Commands of some questions."""

COMMAND_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    BACK: {"en": ("back", "undo", "u", "<"), "ru": ("назад",), "uk": ("назад",), "ko": ("뒤로",), "it": ("indietro",)},
    LIST: {"en": ("list",), "ru": ("список",), "uk": ("список",), "ko": ("목록",), "it": ("elenco",)},
    HELP: {"en": ("help", "?", "h"), "ru": ("помощь",), "uk": ("допомога",), "ko": ("도움말",), "it": ("aiuto",)},
    QUIT: {"en": ("quit", "q", "exit"), "ru": ("выход",), "uk": ("вихід",), "ko": ("나가기",), "it": ("esci",)},
    DONE: {"en": ("done",), "ru": ("готово",), "uk": ("готово",), "ko": ("끝",), "it": ("finito",)},
    SKIP: {"en": ("skip", "s"), "ru": ("пропустить",), "uk": ("пропустити",), "ko": ("건너뛰기",), "it": ("salta",)},
    SHOW: {"en": ("show",), "ru": ("показать",), "uk": ("показати",), "ko": ("보기",), "it": ("mostra",)},
    SCORE: {"en": ("score",), "ru": ("очки",), "uk": ("очки",), "ko": ("점수",), "it": ("punti",)},
    HINT: {"en": ("hint",), "ru": ("подсказка",), "uk": ("підказка",), "ko": ("힌트",), "it": ("consiglio",)},
}
"""The words of each command by language, the one that help mentions first."""

_BY_WORD = {word: command for command, forms in COMMAND_WORDS.items() for words in forms.values() for word in words}


def command_of(line: str) -> str:
    """The command that a line is in any language, by its English name; a line that is none in lower case.

    >>> command_of("Назад"), command_of("q"), command_of("Anna")
    ('back', 'quit', 'anna')
    """
    # Some keyboards send й and Hangul in pieces.
    word = unicodedata.normalize("NFC", line.strip()).casefold()
    return _BY_WORD.get(word, word)


def words_in(language: str) -> dict[str, str]:
    """The word of each command in a language; the English one where the program does not speak it.

    >>> words_in("it")["quit"]
    'esci'
    """
    return {command: words.get(language, words["en"])[0] for command, words in COMMAND_WORDS.items()}


def offered(words: Iterable[str], language: str) -> tuple[str, ...]:
    """Words to be completed, commands among them in the language as well as in English.

    >>> offered(["pink", "done"], "it")
    ('pink', 'done', 'finito')
    """
    own = words_in(language)
    return tuple(dict.fromkeys(form for word in words for form in (word, own.get(word, word))))
