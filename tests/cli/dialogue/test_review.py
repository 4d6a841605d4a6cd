"""`companion read --ask`: what is asked of a reading, in which order, and how few taps make it right."""

from __future__ import annotations

from companion.asking.doubt_questions import review
from companion.cli.dialogue.loop import Dialogue, End
from companion.notation.tokens import parse_board, parse_tile
from companion.rules.model.board import parse_square
from companion.rules.model.position import Position
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from tests.cli.dialogue.scripted import ScriptedTerminal
from tests.notation.examples import EXAMPLE_ROWS

TRUTH = parse_board("\n".join(EXAMPLE_ROWS))
SEEN: dict[str, TileReading] = {
    # As it was read; the second and the fourth of what is offered; not offered at all.
    "a1": TileReading(TRUTH[0], 0.6, others=(parse_tile("O8:gw"),), expected_loss=0.5),
    "b2": TileReading(parse_tile("O8:g@K"), 0.7, others=(parse_tile("O8@K^1"), parse_tile("O8@K")), expected_loss=4.0),
    "d1": TileReading(
        parse_tile("V5:w@P"), 0.7, others=tuple(map(parse_tile, ("V5@P", "V5:w#1", "V5:w@P#1"))), expected_loss=9.0
    ),
    "e2": TileReading(parse_tile("O8:y"), 0.8, others=(parse_tile("O8:g"),), expected_loss=0.2),
}


def table() -> PhotoSession:
    tiles = [TileReading(tile, 0.99) for tile in TRUTH]
    for name, seen in SEEN.items():
        tiles[parse_square(name)] = seen
    board = tuple(tile.tile for tile in tiles)
    return PhotoSession((), Reading(Position(board=board), tuple(tiles)))


def test_the_costliest_doubt_is_asked_first_and_every_reading_offered_can_be_taken() -> None:
    terminal = ScriptedTerminal(["4", "3", "", "s"])
    result = Dialogue(terminal, review(table(), {})).run()
    assert result.end is End.DONE
    names = [name for name in (line.split(" ")[0].strip(":") for line in terminal.prompts) if name in SEEN]
    assert names == ["d1", "b2", "a1", "e2"]
    board = result.state.photos.reading.position.board
    assert [str(board[parse_square(name)]) for name in names] == ["V5:w@P#1", "O8@K", "O8:wgg", "O8:y"]
    assert "  4  V5:w@P#1" in terminal.text and "  2  O8@K^1" in terminal.text


def test_tiles_named_as_wrong_are_asked_and_all_others_are_right() -> None:
    terminal = ScriptedTerminal(["b2 D1, a3", "1", "V5:w@P#1", "O8:g"])
    result = Dialogue(terminal, review(table(), {})).run()
    assert result.end is End.DONE
    prompts = [line.split(" ")[0].strip(":") for line in terminal.prompts]
    assert [name for name in prompts if name in (*SEEN, "a3")] == ["d1", "b2", "d1", "a3"]
    reading = result.state.photos.reading
    named = {name: str(reading.position.board[parse_square(name)]) for name in ("b2", "d1", "a3", "a1", "e2")}
    # What was read is not offered again: 1 is the first other reading.
    assert named == {"b2": "O8@K^1", "d1": "V5:w@P#1", "a3": "O8:g", "a1": "O8:wgg", "e2": "O8:y"}
    assert not reading.doubtful


def test_ok_takes_all_tiles_as_they_were_read() -> None:
    result = Dialogue(ScriptedTerminal(["ok"]), review(table(), {})).run()
    assert result.end is End.DONE and result.answers == 1 and not result.state.photos.reading.doubtful
    assert result.state.photos.reading.position.board == table().reading.position.board


def test_a_number_that_stands_for_no_reading_is_refused() -> None:
    for line, named in (("5", "5"), ("000010", "10"), ("9" * 5000, "99999")):
        terminal = ScriptedTerminal([line, "back", "0004", "X9", "3", "?", "1"])
        result = Dialogue(terminal, review(table(), {})).run()
        assert f"there is no reading {named}; type a tile with its letter, such as S{named}" in terminal.text
        board = result.state.photos.reading.position.board
        assert str(board[parse_square("d1")]) == "V5:w@P#1", "a refusal hides no list"
        assert str(board[parse_square("b2")]) == "O8@K" and terminal.text.count("  3  O8@K") == 1
        assert terminal.text.count("  2  O8:wg") == 2 and "a1" in result.state.asked
