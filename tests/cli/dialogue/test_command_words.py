"""Commands of conversations: understood in five languages, told of in the help, and never taken for an answer."""

from __future__ import annotations

import re
import unicodedata
from itertools import product
from pathlib import Path

from companion.asking.doubt_questions import review
from companion.asking.holdings_questions import holdings
from companion.asking.position_sheet import PositionSheet
from companion.asking.question import COMMAND_WORDS, command_of, words_in
from companion.cli.dialogue.edit import editing
from companion.cli.dialogue.loop import Dialogue, End
from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES, glossary
from companion.language.phrase import joined
from companion.notation.names import AND, NO, NOTHING, fold
from companion.notation.tokens import parse_board
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.position import Position
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.dialogue.test_loop import three_words
from tests.cli.dialogue.test_review import SEEN, table

DOCS = Path(__file__).resolve().parents[3] / "docs"
BARE = Position(parse_board("\n".join(["O8 O8 O8 O8 O8 O8"] * 5)))


def test_every_command_has_a_word_of_its_own_in_every_language() -> None:
    meant: dict[str, set[str]] = {}
    for command, words in COMMAND_WORDS.items():
        assert set(words) == set(LANGUAGES)
        for one in words.values():
            for word in one:
                meant.setdefault(word, set()).add(command)
    assert {word: commands for word, commands in meant.items() if len(commands) > 1} == {}


def test_no_command_is_a_name_of_the_game_or_an_answer() -> None:
    """Points are asked for by a word that means something else only where it is no command."""
    names = {
        fold(form)
        for entry in glossary().values()
        if entry.kind != "unit"
        for language in LANGUAGES
        for form in (*entry.forms[language], *entry.also[language])
    }
    answers = names | NOTHING | NO | set(map(fold, AND)) | {fold(name) for name in SQUARE_NAMES}
    words = {
        fold(word) for language in LANGUAGES for command in COMMAND_WORDS for word in COMMAND_WORDS[command][language]
    }
    assert (words - {""}) & answers == set()


def test_a_word_is_understood_in_every_case_and_however_it_is_encoded() -> None:
    for language, (command, words) in product(LANGUAGES, COMMAND_WORDS.items()):
        for word in words[language]:
            for typed in (word, word.upper(), word.title(), f" {word} ", unicodedata.normalize("NFD", word)):
                assert command_of(typed) == command
        assert words_in(language)[command] == words[language][0]
    assert command_of("Anna") == "anna"


def test_conversations_take_commands_in_every_language() -> None:
    for language in LANGUAGES:
        words = words_in(language)
        terminal = ScriptedTerminal(["one", words["back"], "uno", words["list"], words["help"], words["quit"]])
        result = Dialogue(terminal, three_words()).run()
        assert result.end is End.QUIT and result.answers == 1
        assert "uno" in terminal.shown and "a word" in terminal.shown
        terminal = ScriptedTerminal([words["show"], words["done"], "quit"])
        Dialogue(terminal, editing(PositionSheet())).run()
        assert "1  .  .  .  .  .  ." in terminal.shown and any("30 tiles" in line for line in terminal.shown)
        assert Dialogue(ScriptedTerminal(["", "", words["done"]]), holdings(BARE, None, {})).run().end is End.DONE
        reviewed = Dialogue(ScriptedTerminal([words["skip"]] * len(SEEN)), review(table(), {})).run()
        assert reviewed.end is End.DONE and reviewed.state.photos.reading == table().reading


def test_help_names_the_words_of_the_language_and_the_english_ones() -> None:
    terminal = ScriptedTerminal(["help", "quit"])
    Dialogue(terminal, editing(PositionSheet())).run()
    for language in LANGUAGES:
        shown = translate(joined("\n", terminal.shown), language)
        for command in ("back", "list", "help", "quit", "done", "show"):
            for word in (command, words_in(language)[command]):
                assert re.search(rf"\b{word}\b", shown), word


def test_the_documentation_has_them_all() -> None:
    rows = [
        [cell.split("`")[1] for cell in line.strip("|").split("|")]
        for line in (DOCS / "asking.md").read_text(encoding="utf-8").splitlines()
        if line.count("|") == len(LANGUAGES) + 1 and "`" in line
    ]
    assert rows == [[words_in(language)[command] for language in LANGUAGES] for command in COMMAND_WORDS]
