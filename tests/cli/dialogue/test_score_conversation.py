"""The questions that fill in a score sheet: a line a player or by category, refusals with a reason, few prompts."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.dialogue.loop import Dialogue, End, Talked
from companion.cli.dialogue.score_conversation import ScoreConversation, Scoring
from companion.cli.main import main
from companion.cli.options import AskOrder
from companion.errors import UnusableInputError
from companion.notation.files import parse_position
from companion.notation.score_sheet import ScoreSheet, format_sheet, parse_sheet
from companion.rules.engine.scoring import Score
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from tests.cli.dialogue.scripted import ScriptedTerminal

BLACK, ORANGE, BLUE, PINK = Colour
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
END = parse_position((SAMPLES / "end.toml").read_text(encoding="utf-8"))
ON_BOARD = Position(END.board)


class Nowhere:
    """Keeps nothing."""

    how_to_go_on = ""

    def keep(self, state: object, lines: object) -> None:
        """Nothing is kept."""


def run(
    *lines: str, order: AskOrder = AskOrder.CATEGORY, position: Position | None = None, interactive: bool = False
) -> tuple[Talked[Scoring], ScriptedTerminal]:
    terminal = ScriptedTerminal(lines, interactive=interactive)
    conversation = ScoreConversation(ScoreSheet(position=position), order)
    return Dialogue(terminal, conversation, Nowhere()).run(), terminal


def scored(*lines: str, order: AskOrder = AskOrder.CATEGORY) -> tuple[dict[Colour, Score], str]:
    """Scores and the whole talk for lines typed."""
    talked, terminal = run(*lines, order=order)
    return talked.state.sheet.whole().scores(), terminal.text


@pytest.mark.parametrize("word", ["back", "undo", "BACK", "<", "u"])
def test_back_goes_one_line_back(word: str) -> None:
    scores, said = scored(
        word, "pink black", word, "black pink", "4 1", word, "5 2", *[""] * 8, "fish", word, "2 wheat"
    )
    assert (scores[PINK].gold, scores[BLACK].gold, scores[BLACK].goods) == (2, 5, 2)
    assert "There is nothing to undo." in said
    assert said.count("gold in GC: black, pink") == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        pytest.param(["twelve"], "'twelve' is not a number or a sum", id="number"),
        pytest.param(["-3"], "less than 0", id="negative"),
        pytest.param(["300"], "(rules 1.3)", id="1.3-coins"),
        pytest.param(["", "17"], "(rules 1.2)", id="1.2-viziers"),
        pytest.param(["", "", "21"], "(rules 1.2)", id="1.2-elders"),
        pytest.param(["", "", "", "Jafar"], "did you mean 'Jafaar'", id="djinn"),
        pytest.param(["", "", "", "", "13"], "13 palms on the players' tiles, but there are only 12", id="1.3-palms"),
        pytest.param(["", "", "", "", "", "11"], "11 palaces", id="1.3-palaces"),
        pytest.param(["", "", "", "", "", "", "S15 S15"], "2 tiles of 15 VP, but the box holds 1", id="1.1-tiles"),
        pytest.param(["", "", "", "", "", "", "", "3 ivory"], "(rules 1.4)", id="1.4-cards"),
        pytest.param(["", "?"], "the 10s for opponents are counted for you", id="help"),
        pytest.param(["", "list"], "pink: ", id="list"),
    ],
)
def test_a_typed_error_is_explained_and_asked_again(wrong: list[str], words: str) -> None:
    scores, said = scored("pink", *wrong, *[""] * (9 - len(wrong)))
    assert words in said
    assert scores[PINK].total == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("41 gold, 17 viziers", "(rules 1.2)"),
        ("41 gold, 3 apples", "nothing to hold is called 'apples'"),
        ("Jafaar, Jafaar", "(rules 1.5)"),
        ("S15 S15", "(rules 1.1)"),
        ("2 silk, goods 13 VP", "goods told twice"),
        ("12 300", "side by side"),
        ("viziers 9*9*9*9*9 VP", "a digit too many"),
    ],
)
def test_a_line_of_a_player_that_cannot_be_is_refused(line: str, words: str) -> None:
    scores, said = scored("pink", line, "9 gold", "", "", "", order=AskOrder.PLAYER)
    assert words in said
    assert scores[PINK].total == 9


def test_rules_1_5_a_djinn_cannot_have_two_owners() -> None:
    _, said = scored("pink black", "Utug", "", "", "", "Utug", order=AskOrder.PLAYER)
    assert "(rules 1.5)" in said


def test_asking_who_plays_explains_and_asks_again() -> None:
    scores, said = scored("", "pink, green", "pink", *[""] * 8)
    assert "no player is named" in said
    assert "no player's colour is called 'green'" in said
    assert list(scores) == [PINK]


def test_a_row_needs_a_value_for_each_player() -> None:
    scores, said = scored("pink black", "12+7", "12 + 7, 3*5", order=AskOrder.CATEGORY)
    assert "1 value for 2 players; type one for each of pink, black, in that order" in said
    assert (scores[PINK].gold, scores[BLACK].gold) == (19, 15)


@pytest.mark.parametrize(
    ("line", "gold"),
    [
        ("- 12", (0, 12)),
        ("12 -", (12, 0)),
        ("- -", (0, 0)),
        ("12 - 7 5", (5, 5)),
        ("-, 12", (0, 12)),
        ("3 x 4 2", (12, 2)),
    ],
)
def test_a_stroke_in_a_row_is_none_or_takes_away(line: str, gold: tuple[int, int]) -> None:
    scores, said = scored("pink black", line, order=AskOrder.CATEGORY)
    assert "for 2 players" not in said
    assert (scores[PINK].gold, scores[BLACK].gold) == gold


def test_a_stroke_between_two_numbers_is_none_where_three_play() -> None:
    scores, _ = scored("pink black blue", "12 - 7", order=AskOrder.CATEGORY)
    assert [scores[colour].gold for colour in (PINK, BLACK, BLUE)] == [12, 0, 7]


@pytest.mark.parametrize(("line", "count"), [("12;7;3", "3 values"), ("12, 7, 3", "3 values"), ("12 7 3", "3 values")])
def test_the_values_of_a_row_are_counted_as_they_are_parted(line: str, count: str) -> None:
    _, said = scored("pink black", line, order=AskOrder.CATEGORY)
    assert f"{count} for 2 players" in said


def known_of_two(black: str, pink: str, category: str) -> ScoreSheet:
    """A sheet of black and pink with one line of each."""
    return parse_sheet(
        f'score_sheet = 1\n[players.black]\n{category} = "{black}"\n[players.pink]\n{category} = "{pink}"'
    )


def corrected(sheet: ScoreSheet, order: AskOrder, *lines: str) -> tuple[Talked[Scoring], str]:
    """The talk about a sheet that is filled in already."""
    terminal = ScriptedTerminal(lines)
    return Dialogue(terminal, ScoreConversation(sheet, order), Nowhere()).run(), terminal.text


def test_rules_1_2_what_two_players_have_can_be_exchanged_in_a_row() -> None:
    sheet = known_of_two("5", "10", "viziers")
    talked, said = corrected(sheet, AskOrder.CATEGORY, "", "", "10 5", *[""] * 9)
    assert talked.end is End.DONE and "(rules" not in said
    assert [talked.state.sheet.known(colour)["viziers"].text for colour in (BLACK, PINK)] == ["10", "5"]
    talked, said = corrected(sheet, AskOrder.CATEGORY, "", "", "10 7", "10 6", *[""] * 9)
    assert "17 yellow meeples" in said, "the whole row is held against the box"


def test_rules_1_2_what_two_players_have_can_be_exchanged_line_by_line() -> None:
    sheet = known_of_two("5", "10", "viziers")
    talked, said = corrected(sheet, AskOrder.PLAYER, "", "10 viziers", "", "", "", "", "5 viziers", "", "", "")
    assert talked.end is End.DONE
    assert said.count("(rules 1.2)") == 1, "the second player still has as many as before until he tells otherwise"
    assert [talked.state.sheet.known(colour)["viziers"].text for colour in (BLACK, PINK)] == ["10", "5"]


def test_rules_1_5_a_djinn_can_change_its_owner() -> None:
    sheet = known_of_two("none", "Ba'al", "djinns")
    talked, said = corrected(sheet, AskOrder.CATEGORY, "", *[""] * 3, "Ba'al", "", "Utug", *[""] * 20)
    assert talked.end is End.DONE
    assert said.count("(rules 1.5)") == 1, "the owner of before is refused it, and not the new one"
    assert [talked.state.sheet.known(colour)["djinns"].text for colour in (BLACK, PINK)] == ["Ba'al", "Utug"]


def test_viziers_as_points_are_not_compared_and_that_is_said() -> None:
    talked, _ = run("pink black", "", "=23 2", *[""] * 6)
    sheet = talked.state.sheet.whole()
    assert (sheet.scores()[PINK].viziers, sheet.scores()[BLACK].viziers) == (23, 12)
    assert "the viziers of pink were given as points" in sheet.notes()[0]
    talked, _ = run("pink black", "", "=23 =12", *[""] * 6)
    assert talked.state.sheet.whole().notes() == ()


# What is asked of whom, and what is understood of it.


def test_every_question_names_the_player_whose_answer_it_is() -> None:
    _, terminal = run("pink Anna, black Bo", "3 gold", "", "", "", "", order=AskOrder.PLAYER)
    assert [prompt.partition(":")[0].strip() for prompt in terminal.prompts[1:]] == ["Anna (pink)"] * 4 + [
        "Bo (black)"
    ] * 2
    _, said = scored("pink Anna, black Bo", "3", order=AskOrder.CATEGORY)
    assert "type one for each of Anna, Bo, in that order" in said
    talk = Dialogue(ScriptedTerminal([]), ScoreConversation(ScoreSheet(), AskOrder.PLAYER), Nowhere())
    talk.resume([("players", "pink Anna, black Bo"), ("pink", "3 gold")])
    assert (question := talk.run().open) is not None
    assert question.prompt == "  Anna (pink): palms on own tiles, how many", "also after --resume"


@pytest.mark.parametrize("line", ["3 palms", "3 пальмы", "пальми 3", "야자수 3", "Palme: 3", "1+2 palms", "3 plams|"])
def test_a_number_may_be_typed_with_the_name_of_what_is_counted(line: str) -> None:
    scores, said = scored("pink", *[""] * 4, *line.split("|"), *[""] * 3)
    assert scores[PINK].palms == 9 and "not a number" not in said
    scores, said = scored("pink", f"{line.split('|')[0]}, 2 viziers", "", "", "", "", order=AskOrder.PLAYER)
    assert (scores[PINK].palms, scores[PINK].viziers) == (9, 2)


def test_what_counts_from_the_board_is_said_where_it_is_typed() -> None:
    for line in ("2 camels", "3 tiles", "верблюд", "2 tessere"):
        _, said = scored("pink", line, "9 gold", "", "", "", order=AskOrder.PLAYER)
        assert "tiles count by their points, and camels by their tiles: the board tells them" in said
    talked, terminal = run("", "3 palms", "5 palms", *[""] * 2, order=AskOrder.PLAYER, position=ON_BOARD)
    assert "as you say, though the board shows 0 palms" in terminal.text and talked.end is End.DONE
    first = talked.state.sheet.scores()[BLACK]
    assert first.palms == 9 and terminal.text.count("though the board") == 1


def test_one_misspelt_word_is_asked_back_and_the_rest_of_the_line_stays() -> None:
    for answer in ("", "silk", "2 silk"):
        scores, said = scored("pink", "12+7 gold, 2 slik, Jafaar", answer, "", "", "", order=AskOrder.PLAYER)
        assert "what instead of 'slik'? (back: type the line again) [silk]: " in said
        assert (scores[PINK].gold, scores[PINK].djinns, scores[PINK].goods) == (19, 6, 2)
    scores, _ = scored("pink", "41 god, 2 slik", "back", "3 gold, silk", "", "", "", order=AskOrder.PLAYER)
    assert (scores[PINK].gold, scores[PINK].goods) == (3, 1)
    scores, said = scored("pink", "41 god, 2 slik", "", "", "", "", "", order=AskOrder.PLAYER)
    assert (scores[PINK].gold, scores[PINK].goods) == (41, 2), "one after the other"


def test_back_offers_what_was_typed() -> None:
    script = ["pink, black", "3 gold", "1", "2", "S15", *["back"] * 3, "", "", "S12"]
    talked, terminal = run(*script, *[""] * 4, order=AskOrder.PLAYER)
    assert "  pink: in front [3 gold]: " not in terminal.prompts, "nobody went back so far"
    assert "  pink: palms on own tiles, how many [1]: " in terminal.prompts
    score = talked.state.sheet.scores()[PINK]
    assert (score.gold, score.palms, score.palaces, score.tiles) == (3, 3, 10, 12), "Enter kept them"


# What goods say (rules 1.4, 7.1).


@pytest.mark.parametrize(
    ("line", "goods", "points"),
    [
        ("2 silk, fish, 3 fakirs", "2 silk, 1 fish, 3 fakirs", 4),
        ("ivory, 2 silk", "1 ivory, 2 silk", 4),
        ("silk, fish, 3 fakir", "1 silk, 1 fish, 3 fakirs", 3),
        ("silk x2, fish", "2 silk, 1 fish", 4),
        ("2 шёлка, рыба", "2 silk, 1 fish", 4),
        ("seta 2, pesce", "2 silk, 1 fish", 4),
    ],
)
@pytest.mark.parametrize("order", AskOrder)
def test_goods_are_what_the_line_says_and_are_echoed_with_their_points(
    line: str, goods: str, points: int, order: AskOrder
) -> None:
    scores, said = scored(
        "pink", *(["", "", "", "", "", "", ""] if order is AskOrder.CATEGORY else []), line, order=order
    )
    assert scores[PINK].goods == points
    assert goods in said
    assert f"{goods} = {points} VP" in said or f"= {points} VP: goods {points}" in said


@pytest.mark.parametrize("number", ["57", "50+7"])
def test_a_number_alone_for_goods_is_refused_with_what_to_type(number: str) -> None:
    scores, said = scored("pink", *[""] * 7, number, f"={number}")
    assert f"'{number}' is a number without a card; type ={number} for points, or cards: 2 silk, fish" in said
    assert "    = 57 VP" in said
    assert scores[PINK].goods == 57


@pytest.mark.parametrize("nothing", ["0", "none", "-"])
def test_no_goods_need_no_more_words(nothing: str) -> None:
    scores, said = scored("pink", *[""] * 7, nothing)
    assert scores[PINK].goods == 0
    assert "without a card" not in said


def test_points_of_djinns_typed_as_a_number_are_echoed() -> None:
    scores, said = scored("pink", "", "", "", "11", *[""] * 4)
    assert scores[PINK].djinns == 11
    assert "    = 11 VP" in said


@pytest.mark.parametrize("order", AskOrder)
def test_what_could_be_two_things_is_asked(order: AskOrder) -> None:
    before = ["", "", "", "", "", "", ""] if order is AskOrder.CATEGORY else []
    picked = ["ivory 2 silk spice", "back", "ivory 2 silk spice", "3", "2"]
    talked, terminal = run("pink", *before, *picked, *[""] * 3, order=order, interactive=True)
    assert talked.end is End.DONE
    assert "'ivory 2 silk spice' can be read in 2 ways:" in terminal.text
    assert "    1  2 ivory, 1 silk, 1 spice" in terminal.text and "    2  1 ivory, 2 silk, 1 spice" in terminal.text
    assert "type a number from 1 to 2" in terminal.text
    assert talked.state.sheet.scores()[PINK].how[-1] == "ivory, silk, spice 7 + silk 1"


def test_without_a_terminal_both_readings_are_named() -> None:
    with pytest.raises(UnusableInputError, match="2 ivory, 1 silk .*4 VP.*; or 1 ivory, 2 silk .*4 VP"):
        run("pink", "ivory 2 silk", order=AskOrder.PLAYER)


# Who plays, and how few questions there are.


def test_four_players_from_a_photo_take_at_most_twenty_prompts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    held = {
        BLACK: "31 gold, 4 viziers, 2 elders, 2 fakirs, ivory, 2 silk, fish, wheat, pottery, Shamhat, Marid",
        ORANGE: "46 gold, 1 vizier, 3 elders, jewels, gold card, spice, 2 fish, Ba'al",
        BLUE: "22 gold, 5 viziers, 3 fakirs, papyrus, silk, spice, 2 wheat, pottery, Jafaar, Al-Amin",
        PINK: "38 gold, 2 viziers, 4 elders, fakir, ivory, papyrus, fish, 2 pottery, Haurvatat",
    }
    names = ["Anna, Boris, Carla, Dmitri", "", "", ""]
    by_category = [
        *["31 46 22 38", "4 1 5 2", "2 3 0 4", "Shamhat, Marid", "Ba'al", "Jafaar, Al-Amin", "Haurvatat"],
        "2 fakirs, ivory, 2 silk, fish, wheat, pottery",
        "jewels, gold, spice, 2 fish",
        "3 fakirs, papyrus, silk, spice, 2 wheat, pottery",
        "fakir, ivory, papyrus, fish, 2 pottery",
    ]
    assert main(["score", str(SAMPLES / "end.toml"), "--json"]) == 0
    expected = capsys.readouterr().out
    for order, lines in (("player", list(held.values())), ("category", by_category)):
        monkeypatch.setattr(sys, "stdin", typed := io.StringIO("".join(f"{line}\n" for line in [*names, *lines])))
        assert main(["score", str(SAMPLES / "end.jpg"), "--ask", "--by", order, "--json"]) == 0
        assert capsys.readouterr().out == expected
        assert typed.read() == "", "as many prompts as lines"
        assert len(names) + len(lines) <= 20


def test_names_alone_are_asked_for_their_colours_where_a_board_has_camels() -> None:
    talked, terminal = run("Anna, Boris", "Al, Bo, Cy, Di", "K", "green", "pink", "blue", position=ON_BOARD)
    assert "2 named, but the position has black, orange, blue, pink in the game; name everybody" in terminal.text
    assert "Al's colour (black, orange, blue, pink) [black]: " in terminal.prompts
    assert "Di is orange" in terminal.text
    assert talked.state.sheet.players == {BLACK: "Al", PINK: "Bo", BLUE: "Cy", ORANGE: "Di"}


def test_names_alone_without_a_board_get_colours_that_are_told() -> None:
    talked, terminal = run("Anna Boris", order=AskOrder.PLAYER)
    assert talked.state.sheet.players == {BLACK: "Anna", ORANGE: "Boris"}
    assert "colours are taken as Anna black, Boris orange" in terminal.text


# Sheets without a board, saved and printed.


def test_a_sheet_is_read_as_it_was_written() -> None:
    talked, _ = run("pink Anna", "41 gold, 2 viziers, 2 silk, Jafaar, goods 13 VP", "41 gold, 2 viziers, silk, Jafaar")
    sheet = talked.state.sheet.whole()
    again = parse_sheet(format_sheet(sheet))
    assert again.players == sheet.players
    assert again.scores() == sheet.scores()
    assert format_sheet(again) == format_sheet(sheet)
    told = replace(sheet, date="2026-02-14", place='Lviv, "Opera"', finished=False)
    assert parse_sheet(format_sheet(told)) == replace(again, date=told.date, place=told.place, finished=False)


def test_a_score_typed_without_a_board_is_saved_corrected_resumed_and_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pypdf import PdfReader

    def type_in(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    saved, pdf = str(tmp_path / "sheet.toml"), tmp_path / "sheet.pdf"
    type_in("Anna, Boris", "41 gold", "", "", "S15 O8", "30 gold")
    assert main(["score", "--ask", "-o", saved]) == 4
    assert "go on with --resume" in capsys.readouterr().err
    type_in("", "1", "")
    assert main(["score", "--resume", "-o", saved]) == 0
    assert main(["score", "--resume"]) == 4, "what is written needs no draft"
    capsys.readouterr()
    assert main(["score", saved, "--pdf", str(pdf)]) == 0
    assert "* Anna (black) wins with 64 points, 29 ahead." in capsys.readouterr().out
    assert "Anna" in PdfReader(pdf).pages[0].extract_text()
    type_in("", "", "", "", "", "60 gold", "", "", "")
    assert main(["score", saved, "--ask", "--json"]) == 0
    out = capsys.readouterr().out
    assert '"total": 64' in out and '"total": 65' in out
    assert main(["score", "--ask", "-o", str(tmp_path / "sheet.json")]) == 2
    assert "must end in .toml" in capsys.readouterr().err


def test_a_sheet_that_is_not_full_says_what_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.toml"
    path.write_text('score_sheet = 1\n[players.pink]\ngold = "12+7"\ngoods = "2 silk, fish"\n', encoding="utf-8")
    assert main(["score", str(path)]) == 0
    printed = capsys.readouterr()
    assert "pink has 23 points in what is known." in printed.out
    assert "pink: viziers, elders, djinns, palms, palaces, tiles not known, counted as 0" in printed.err
