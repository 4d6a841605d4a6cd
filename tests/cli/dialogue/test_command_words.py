"""Commands of conversations: understood in five languages, told of in the help, and never taken for an answer."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from companion.cli.dialogue.review_conversation import ReviewConversation

from companion.cli.dialogue.command_words import COMMAND_WORDS, command_of, words_in
from companion.cli.dialogue.edit import EditConversation
from companion.cli.dialogue.hint import HintConversation
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.position_sheet import PositionSheet
from companion.cli.dialogue.score_conversation import ScoreConversation
from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES, glossary
from companion.language.phrase import joined
from companion.notation.names import AND, NO, NOTHING, fold
from companion.notation.score_sheet import ScoreSheet
from companion.notation.tokens import parse_board
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.position import Position
from companion.vision.reading.overlay import DoubtPictures
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.dialogue.test_loop import ThreeWords
from tests.cli.dialogue.test_review_conversation import SEEN, table

DOCS = Path(__file__).resolve().parents[3] / "docs"
BARE = Position(parse_board("\n".join(["O8 O8 O8 O8 O8 O8"] * 5)))
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")


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
    answers = names | NOTHING | NO | AND | {fold(name) for name in SQUARE_NAMES}
    words = {
        fold(word) for language in LANGUAGES for command in COMMAND_WORDS for word in COMMAND_WORDS[command][language]
    }
    assert (words - {""}) & answers == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_is_understood_in_every_case_and_however_it_is_encoded(language: str) -> None:
    for command, words in COMMAND_WORDS.items():
        for word in words[language]:
            for typed in (word, word.upper(), word.title(), f" {word} ", unicodedata.normalize("NFD", word)):
                assert command_of(typed) == command
        assert words_in(language)[command] == words[language][0]
    assert command_of("Anna") == "anna"


@pytest.mark.parametrize(
    ("back", "listing", "helping", "quitting"),
    [
        ("назад", "список", "помощь", "выход"),
        ("Назад", "список", "допомога", "вихід"),
        ("뒤로", "목록", "도움말", "나가기"),
        ("indietro", "elenco", "aiuto", "esci"),
    ],
)
def test_the_loop_takes_commands_in_every_language(back: str, listing: str, helping: str, quitting: str) -> None:
    terminal = ScriptedTerminal(["one", back, "uno", listing, helping, quitting])
    talked = Dialogue(terminal, ThreeWords()).run()
    assert talked.end is End.QUIT and talked.state.said == ("uno",)
    assert "uno" in terminal.shown and "a word" in terminal.shown


def test_a_command_is_no_players_name() -> None:
    terminal = ScriptedTerminal(["назад", "выход"])
    talked = Dialogue(terminal, ScoreConversation(ScoreSheet())).run()
    assert talked.end is End.QUIT and not talked.state.sheet.players
    assert "There is nothing to undo." in terminal.text


@pytest.mark.parametrize("done", ["done", "готово", "끝", "finito"])
@pytest.mark.parametrize("show", ["show", "показать", "показати", "보기", "mostra"])
def test_edit_takes_done_and_show_in_every_language(done: str, show: str) -> None:
    terminal = ScriptedTerminal([show, done, "quit"])
    Dialogue(terminal, EditConversation(PositionSheet())).run()
    assert "1  .  .  .  .  .  ." in terminal.shown
    assert any("30 tiles are missing still" in line for line in terminal.shown)


@pytest.mark.parametrize("done", ["done", "готово", "끝", "finito"])
def test_nobody_else_plays(done: str) -> None:
    terminal = ScriptedTerminal([done])
    assert Dialogue(terminal, HintConversation(BARE, None, {})).run().end is End.DONE


@pytest.mark.parametrize("skip", ["skip", "s", "пропустить", "пропустити", "건너뛰기", "salta"])
def test_read_takes_skip_in_every_language(skip: str) -> None:
    conversation = ReviewConversation(table(), DoubtPictures({}, {}, "", {}))
    talked = Dialogue(ScriptedTerminal([skip] * len(SEEN)), conversation).run()
    assert talked.end is End.DONE and not talked.state.told and talked.state.table.reading == table().reading


@pytest.mark.parametrize("language", TRANSLATED)
def test_help_names_the_words_of_the_language_and_the_english_ones(language: str) -> None:
    terminal = ScriptedTerminal(["help", "quit"])
    Dialogue(terminal, EditConversation(PositionSheet())).run()
    said = translate(joined("\n", terminal.shown), language)
    for command in ("back", "list", "help", "quit", "done", "show"):
        for word in (command, words_in(language)[command]):
            assert re.search(rf"\b{word}\b", said), word


def test_the_documentation_has_them_all() -> None:
    rows = [
        [cell.split("`")[1] for cell in line.strip("|").split("|")]
        for line in (DOCS / "asking.md").read_text(encoding="utf-8").splitlines()
        if line.count("|") == len(LANGUAGES) + 1 and "`" in line
    ]
    assert rows == [[words_in(language)[command] for language in LANGUAGES] for command in COMMAND_WORDS]
