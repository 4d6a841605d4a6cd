"""`companion hint --ask`: a line a player for what a position does not tell, and none for what it does."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.advice import DecidingReading, DecidingTile, TurnAdvice
from companion.asking.doubt_questions import AdvisedPhotos, deciding_tiles
from companion.asking.holdings_questions import holdings, mover_of
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.main import main
from companion.cli.views.board_view import tile_line
from companion.notation.files import format_toml, parse_position
from companion.rules.model.components import Colour
from companion.rules.model.position import Player, Position
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from tests.advisor.advised import advised
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.cli.ran import Capsys, Patch, ran, written
from tests.cli.scored import type_in
from tests.opening.readings import photo_reading_as
from tests.samples import MID, START

BLACK, ORANGE, BLUE, PINK = Colour
BARE = Position(MID.board)
BOARD = replace(BARE, row=MID.row, djinns=MID.djinns)
LINE = "41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar"


def told(position: Position, *lines: str, mover: Colour | None = None) -> tuple[Position, ScriptedTerminal]:
    terminal = ScriptedTerminal(lines)
    result = Dialogue(terminal, holdings(position, mover, {})).run()
    assert result.end is End.DONE
    return result.state, terminal


def test_one_line_a_player_the_mover_first() -> None:
    playing = len(BOARD.colours)
    position, terminal = told(BOARD, LINE, *["1 vizier"] * (playing - 1), mover=BOARD.colours[-1])
    mover = position.player(BOARD.colours[-1])
    assert (mover.gold, mover.viziers, mover.elders, mover.fakirs, mover.djinns) == (41, 2, 3, 3, ("Jafaar",))
    assert mover.goods == (0, 0, 0, 0, 2, 0, 1, 0, 0)
    other = position.player(BOARD.colours[0])
    assert (other.viziers, other.elders, other.djinns) == (1, 0, ()), "what lies open and is not named is none"
    assert (other.gold, other.fakirs, other.goods) == (None, None, None), "what is hidden and not named is not known"
    assert len(terminal.prompts) == playing
    assert terminal.prompts[0].startswith(BOARD.colours[-1])
    assert "2 silk, 1 fish, 3 fakirs, Jafaar (goods 4 VP)" in terminal.text, "what was understood, with its points"


def test_what_lies_face_up_is_asked_first() -> None:
    lines = ["apples", "fish, silk fakir", "utug al amin", LINE, *["1 vizier"] * len(BARE.colours)]
    position, terminal = told(BARE, *lines)
    assert (position.row, position.djinns) == (("fish", "silk", "fakir"), ("Utug", "Al-Amin"))
    assert terminal.prompts[0].startswith("The cards face up in the row") and "'apples'" in terminal.text
    assert terminal.prompts[2].startswith("The djinns face up") and terminal.prompts[3].startswith("black")
    assert terminal.text.index("The djinns face up") < terminal.text.index("One line per player")
    assert terminal.text.count("One line per player") == 1
    unknown, _ = told(BARE, "", "", *[""] * len(BARE.colours))
    assert (unknown.row, unknown.djinns) == (None, None)


def test_nothing_is_asked_of_what_is_known() -> None:
    known = Player(PINK, gold=1, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=())
    position = replace(BOARD, players=tuple(replace(known, colour=colour) for colour in BOARD.colours))
    same, terminal = told(position)
    assert same == position and terminal.shown == []


def test_what_is_known_stands_in_brackets_and_stays() -> None:
    seen = Player(PINK, goods=(1, 0, 0, 0, 0, 0, 0, 0, 0), fakirs=2)
    position, terminal = told(BOARD.with_player(seen), "30 gold, 1 vizier", *[""] * 3, mover=PINK)
    assert "pink [1 ivory, 2 fakirs]: " in terminal.prompts
    pink = position.player(PINK)
    assert (pink.gold, pink.viziers, pink.goods, pink.fakirs) == (30, 1, seen.goods, 2)


def test_where_no_camel_stands_lines_begin_with_a_colour() -> None:
    lines = ["41 gold", "pink 41 gold", "black", "pink 9 elders", ""]
    position, terminal = told(replace(START, players=(), bid_order=None, turn_order=None), *lines)
    assert "start with a colour" in terminal.text
    assert position.colours == (BLACK, PINK)
    assert position.player(PINK).gold == 41


def test_a_line_that_cannot_be_is_refused() -> None:
    for line, words in (
        ("17 viziers", "(rules 1.2)"),
        ("3 apples", "'apples'"),
        ("2 palms", "come from the board"),
        ("viziers 12 VP", "not points"),
    ):
        _, terminal = told(BOARD, line, *[""] * len(BOARD.colours))
        assert words in terminal.text


@pytest.fixture
def board(tmp_path: Path) -> str:
    return written(tmp_path / "board.toml", format_toml(BOARD))


def test_the_hint_counts_with_what_was_told_and_can_be_taken_up_again(
    board: str, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    mover = BOARD.colours[0]
    command = ["hint", board, "--player", str(mover), "--top", "1", "--playouts", "200", "--json"]
    type_in(monkeypatch, LINE, "^C")
    assert main([*command, "--ask"]) == 130
    assert f"continue with companion hint {board} --player" in capsys.readouterr().err
    type_in(monkeypatch, *["0 viziers"] * 3)
    out = tmp_path / "told.toml"
    printed = ran(capsys, [*command, "--resume", "-o", str(out)])
    assert json.loads(printed.out)["to_move"] == mover
    assert printed.err.count(LINE) == 1, "the example; the line itself is not asked for again"
    assert parse_position(out.read_text(encoding="utf-8")).player(mover).gold == 41
    assert main([*command, "--resume"]) == 4


def test_answers_that_end_leave_the_rest_unknown(board: str, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, LINE, "quit")
    assert "Best turns for" in ran(capsys, ["hint", board, "--ask", "--top", "1", "--playouts", "200"]).out
    type_in(monkeypatch)
    assert main(["hint", board, "--ask", "--top", "1", "--playouts", "200"]) == 0
    assert main(["hint", "-", "--ask"]) == 2


def test_whose_turn_it_is_is_asked_by_number_or_name() -> None:
    colours = [Colour.PINK, Colour.BLUE, Colour.ORANGE]
    for lines, chosen in (
        ([""], colours[0]),
        (["2"], colours[1]),
        (["7", "orange"], colours[2]),
        (["quit"], None),
    ):
        terminal = ScriptedTerminal(lines)
        assert Dialogue(terminal, mover_of(colours)).run().state == chosen
        assert terminal.prompts == ["1-3 [1]: "] * len(lines)
        assert terminal.text.startswith("Whose turn is it?\n  1  pink\n  2  blue\n  3  orange\n")


def deciding(square: int, worth: float) -> DecidingTile:
    tile = MID.board[square]
    other = replace(tile, meeples=(1, 1, 0, 0, 0))
    return DecidingTile(
        square, worth, (DecidingReading(tile, 0.6, True, 1, "this"), DecidingReading(other, 0.4, False, None, "that"))
    )


def looked(
    lines: list[str], decides: list[list[DecidingTile]]
) -> tuple[AdvisedPhotos, list[PhotoSession], ScriptedTerminal]:
    """What comes of answers where the advice is another after each, and what was thought about."""
    photos = PhotoSession((), Reading(BOARD, tuple(TileReading(tile, 0.9) for tile in MID.board)))
    first = advised(MID, 1)
    thought: list[PhotoSession] = []

    def think(photos: PhotoSession) -> TurnAdvice:
        thought.append(photos)
        return replace(first, decides=tuple(decides[len(thought)]))

    terminal = ScriptedTerminal(lines)
    start = replace(first, decides=tuple(decides[0]))
    result = Dialogue(terminal, deciding_tiles(AdvisedPhotos(photos, start), think, {}, tile_line)).run()
    return result.state, thought, terminal


def test_the_tiles_that_decide_are_asked_for_and_thought_over_at_once() -> None:
    state, thought, terminal = looked(["2", ""], [[deciding(6, 1.0), deciding(9, 0.4)], [deciding(9, 0.3)], []])
    assert state.asked == (6, 9) and len(thought) == 2
    assert state.photos.reading.position.board[6].meeples == (1, 1, 0, 0, 0)
    assert state.photos.reading.position.board[9] == MID.board[9]
    assert state.advice.decides == ()
    assert "What's on a2?" in terminal.text and "Oasis" in terminal.text
    assert re.search(r"  2  Oasis .*1 vizier   1 elder", terminal.text), "what differs from the first"


def test_no_more_than_three_tiles_are_asked_for_and_none_that_is_worth_little() -> None:
    many = [deciding(square, 1.0) for square in (6, 9, 12, 13)]
    state, _, terminal = looked(["", "skip", "O8:y"], [many, many, many, many])
    assert len(state.asked) == 3 and len(terminal.prompts) == 3
    assert str(state.photos.reading.position.board[12]) == "O8:y"
    state, thought, terminal = looked([], [[deciding(6, 0.09)]])
    assert (state.asked, thought, terminal.prompts) == ((), [], [])


def test_answers_about_tiles_are_in_the_file_that_is_written(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    """The file is written after the last question."""
    photo = photo_reading_as(replace(BOARD, players=MID.players), monkeypatch, tmp_path / "table.jpg")
    monkeypatch.setattr("companion.cli.commands.hint.is_at_terminal", lambda: True)
    out, advice = tmp_path / "told.toml", replace(advised(MID, 1), decides=(deciding(6, 1.0),))
    monkeypatch.setattr("companion.cli.searching.search_turns", lambda *_, **__: (advice, False))

    def asked(photos: PhotoSession, advice: TurnAdvice, think: object) -> tuple[PhotoSession, TurnAdvice]:
        assert not out.exists()
        return photos.answered({"a2": "O8:y"}), replace(advice, decides=())

    monkeypatch.setattr("companion.cli.dialogue.photo_doubts.ask_tiles", asked)
    assert main(["hint", photo, "--player", "blue", "-o", str(out)]) == 0
    assert str(parse_position(out.read_text(encoding="utf-8")).board[6]) == "O8:y"
