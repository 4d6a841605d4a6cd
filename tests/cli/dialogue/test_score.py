"""The questions that fill in a score sheet: a line a player, refusals with a reason, few prompts."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.asking.score_questions import score
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.main import main
from companion.notation.files import format_toml
from companion.notation.score_sheet import ScoreSheet, parse_sheet
from companion.rules.engine.scoring import Score
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.scored import type_in
from tests.samples import END, SAMPLES

BLACK, ORANGE, BLUE, PINK = Colour
ON_BOARD = Position(END.board)


def run(
    *lines: str, sheet: ScoreSheet | None = None, interactive: bool = False
) -> tuple[Dialogue[ScoreSheet], ScriptedTerminal]:
    terminal = ScriptedTerminal(lines, interactive=interactive)
    return Dialogue(terminal, score(sheet or ScoreSheet())).run(), terminal


def scored(*lines: str) -> tuple[dict[Colour, Score], str]:
    """Scores and the whole talk for lines typed."""
    result, terminal = run(*lines)
    return result.state.whole().scores(), terminal.text


def test_what_is_named_is_taken_where_something_else_on_the_board_is_asked_for() -> None:
    scores, said = scored("pink", "41 gold", "tiles 15+8+6", "2", "palm 3", "1", "end")
    assert (scores[PINK].tiles, scores[PINK].palms, scores[PINK].palaces) == (29, 9, 5)
    assert "  tiles 15+8+6" in said and said.count("palms on own tiles") == 2 and "points on own tiles" not in said


def test_who_played_before_is_offered() -> None:
    terminal = ScriptedTerminal(["quit"])
    Dialogue(terminal, score(ScoreSheet(), last=["Anna", "Boris"])).run()
    assert "Played before: Anna, Boris" in terminal.text and {"Anna", "Boris"} <= set(terminal.offered)


REFUSED = (
    ("twelve gold", "twelve"),
    ("41 gold, 17 viziers", "(rules 1.2)"),
    ("Jafar", "did you mean 'Jafaar'"),
    ("S15 S15", "(rules 1.1)"),
    ("2 silk, goods 13 VP", "goods given twice"),
    ("2 camels", "which the board shows"),
    ("2 tessere", "which the board shows"),
)


def test_a_line_that_cannot_be_is_explained_and_asked_again(subtests: pytest.Subtests) -> None:
    for line, words in REFUSED:
        with subtests.test(msg=line):
            scores, said = scored("pink", line, "9 gold", "", "", "")
            assert words in said and scores[PINK].total == 9
    for line, words in (
        ("twelve", "'twelve' is not a number or a sum"),
        ("?", "tiles with a camel"),
        ("list", "pink:"),
    ):
        _, said = scored("pink", "", line)
        assert words in said
    scores, said = scored("", "pink, green", "pink")
    assert "no player is named" in said and "no player's colour is called 'green'" in said and list(scores) == [PINK]


def test_rules_1_5_a_djinn_cannot_have_two_owners() -> None:
    _, said = scored("pink black", "Utug", "", "", "", "Utug")
    assert "(rules 1.5)" in said


def test_rules_1_2_what_two_players_have_can_be_exchanged_line_by_line() -> None:
    sheet = parse_sheet('score_sheet = 1\n[players.black]\nviziers = "5"\n[players.pink]\nviziers = "10"')
    result, terminal = run("", "10 viziers", "", "", "", "", "5 viziers", "", "", "", sheet=sheet)
    assert result.end is End.DONE
    assert terminal.text.count("(rules 1.2)") == 1, "the second player still has as many as before until told otherwise"
    assert [result.state.known(colour)["viziers"].text for colour in (BLACK, PINK)] == ["10", "5"]


def test_viziers_as_points_are_not_compared_and_that_is_said() -> None:
    result, _ = run("pink black", "viziers 23 VP", "", "", "", "2 viziers")
    sheet = result.state.whole()
    assert (sheet.scores()[PINK].viziers, sheet.scores()[BLACK].viziers) == (23, 12)
    assert "the viziers of pink were given as points" in sheet.notes()[0]


def test_every_question_names_the_player_whose_answer_it_is() -> None:
    _, terminal = run("pink Anna, black Bo", "3 gold", "", "", "", "")
    asked = [prompt.partition(":")[0].strip() for prompt in terminal.prompts[1:]]
    assert asked == ["Anna (pink)"] * 4 + ["Bo (black)"] * 2
    dialogue = Dialogue(ScriptedTerminal([]), score(ScoreSheet()))
    dialogue.resume([("players", "pink Anna, black Bo"), ("pink", "3 gold")])
    assert (question := dialogue.run().open) is not None
    assert question.words == "  Anna (pink): number of palms on own tiles", "also after --resume"


def test_a_number_may_be_typed_with_the_name_of_what_is_counted() -> None:
    for line in ("3 palms", "3 пальмы", "пальми 3", "야자수 3", "Palme: 3", "1+2 palms"):
        scores, said = scored("pink", "", line)
        assert scores[PINK].palms == 9 and "not a number" not in said
        scores, said = scored("pink", f"{line}, 2 viziers")
        assert (scores[PINK].palms, scores[PINK].viziers) == (9, 2)


def test_what_a_board_shows_is_filled_in_and_may_be_told_otherwise() -> None:
    result, terminal = run("", "3 palms", "5 palms", *[""] * 2, sheet=ScoreSheet(position=ON_BOARD))
    assert "though the board shows 0 palms" in terminal.text and result.end is End.DONE
    assert result.state.scores()[BLACK].palms == 9 and terminal.text.count("though the board") == 1


def test_one_misspelt_word_is_asked_back_and_the_rest_of_the_line_stays() -> None:
    for answer in ("", "silk", "2 silk"):
        scores, said = scored("pink", "12+7 gold, 2 slik, Jafaar", answer)
        assert "what instead of 'slik'? (back: type the line again) [silk]: " in said
        assert (scores[PINK].gold, scores[PINK].djinns, scores[PINK].goods) == (19, 6, 2)
    scores, _ = scored("pink", "41 god, 2 slik", "back", "3 gold, silk")
    assert (scores[PINK].gold, scores[PINK].goods) == (3, 1)
    scores, _ = scored("pink", "41 god, 2 slik", "", "")
    assert (scores[PINK].gold, scores[PINK].goods) == (41, 2), "one after the other"


def test_back_offers_what_was_typed() -> None:
    result, terminal = run("pink, black", "3 gold", "1", "2", "S15", *["back"] * 3, "", "", "S12", *[""] * 4)
    assert "  pink: in front [3 gold]: " not in terminal.prompts, "nobody went back so far"
    assert "  pink: number of palms on own tiles [1]: " in terminal.prompts
    score = result.state.scores()[PINK]
    assert (score.gold, score.palms, score.palaces, score.tiles) == (3, 3, 10, 12), "Enter kept them"


def test_1_4_goods_are_what_the_line_says_and_are_echoed_with_their_points() -> None:
    for line, goods, points in (
        ("2 silk, fish, 3 fakirs", "2 silk, 1 fish, 3 fakirs", 4),
        ("ivory, 2 silk", "1 ivory, 2 silk", 4),
        ("silk x2, fish", "2 silk, 1 fish", 4),
        ("2 шёлка, рыба", "2 silk, 1 fish", 4),
        ("seta 2, pesce", "2 silk, 1 fish", 4),
    ):
        scores, said = scored("pink", line)
        assert scores[PINK].goods == points and goods in said and f"= {points} VP: goods {points}" in said


def test_gold_that_may_be_coins_or_the_good_is_asked_for_alone() -> None:
    result, terminal = run("pink", "2 gold, 3 silk", "", *[""] * 3)
    assert result.end is End.DONE
    assert "'gold' may be coins or the good; type 2 GC or 2 gold cards" in terminal.text
    assert "  what instead of 'gold'? (back: type the line again) [2 GC]: " in terminal.prompts
    scores = result.state.scores()[PINK]
    assert (scores.gold, scores.arithmetic["goods"]) == (2, "silk 1 + silk 1 + silk 1"), "the rest of the line stays"
    result, _ = run("pink", "2 gold, 3 silk", "2 gold cards", *[""] * 3)
    assert result.state.scores()[PINK].arithmetic["goods"] == "gold, silk 3 + gold, silk 3 + silk 1"


def test_four_players_of_a_board_take_eight_prompts(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    lines = [
        *("Anna, Boris, Carla, Dmitri", "", "", ""),
        "31 gold, 4 viziers, 2 elders, 2 fakirs, ivory, 2 silk, fish, wheat, pottery, Shamhat, Marid",
        "46 gold, 1 vizier, 3 elders, jewels, gold card, spice, 2 fish, Ba'al",
        "22 gold, 5 viziers, 3 fakirs, papyrus, silk, spice, 2 wheat, pottery, Jafaar, Al-Amin",
        "38 gold, 2 viziers, 4 elders, fakir, ivory, papyrus, fish, 2 pottery, Haurvatat",
    ]
    expected = ran(capsys, ["score", str(SAMPLES / "end.toml"), "--json"]).out
    monkeypatch.setattr(sys, "stdin", typed := io.StringIO("".join(f"{line}\n" for line in lines)))
    (tmp_path / "board.toml").write_text(format_toml(replace(ON_BOARD, phase=Phase.END)), encoding="utf-8")
    assert ran(capsys, ["score", str(tmp_path / "board.toml"), "--ask", "--json"]).out == expected
    assert typed.read() == "", "as many prompts as lines"


def test_names_alone_are_asked_for_their_colours_where_a_board_has_camels() -> None:
    sheet = ScoreSheet(position=ON_BOARD)
    result, terminal = run("Anna, Boris", "Al, Bo, Cy, Di", "K", "green", "pink", "blue", sheet=sheet)
    assert "black, orange, blue, pink play in this position" in terminal.text
    assert "Al's colour (black, orange, blue, pink) [black]: " in terminal.prompts
    assert "Di is orange" in terminal.text
    assert result.state.players == {BLACK: "Al", PINK: "Bo", BLUE: "Cy", ORANGE: "Di"}
    result, terminal = run("Anna Boris")
    assert result.state.players == {BLUE: "Anna", PINK: "Boris"}
    assert "Anna blue, Boris pink" in terminal.text


def test_a_score_typed_without_a_board_is_saved_corrected_resumed_and_printed(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    from tests.printing.checks import page_texts

    saved, pdf = str(tmp_path / "sheet.toml"), tmp_path / "sheet.pdf"
    type_in(monkeypatch, "Anna, Boris", "41 gold", "", "", "S15 O8", "30 gold")
    assert f"continue with companion score -o {saved} --resume" in ran(capsys, ["score", "--ask", "-o", saved], 4).err
    type_in(monkeypatch, "", "1", "")
    assert main(["score", "--resume", "-o", saved]) == 0
    assert main(["score", "--resume"]) == 4, "what is written needs no draft"
    capsys.readouterr()
    assert "* Anna (blue) wins with 64 points, 29 ahead." in ran(capsys, ["score", saved, "--pdf", str(pdf)]).out
    assert "Anna" in page_texts(pdf)[0]
    type_in(monkeypatch, "", "", "", "", "", "60 gold", "", "", "")
    out = ran(capsys, ["score", saved, "--ask", "--json"]).out
    assert '"total": 64' in out and '"total": 65' in out
    assert "must be a .toml file" in ran(capsys, ["score", "--ask", "-o", str(tmp_path / "sheet.json")], 2).err
