"""`companion read --ask`: what was not told for sure is asked for, and answers are kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import storage
from companion.cli import output
from companion.cli.dialogue import photo_doubts as asking
from companion.cli.main import main
from companion.errors import UnusableInputError
from companion.notation.files import parse_position
from companion.opening import photos
from companion.resources import cache_folder
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, Tile, with_meeples
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.board.decision import corrected_tiles, decide_board
from companion.vision.board.evidence import BoardEvidence
from companion.vision.cards.titles import rank_names
from companion.vision.load import Picture
from companion.vision.reading import cards as reading_cards
from companion.vision.reading import session
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TileReading, TitleDetection, UnclearTitle
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.scored import type_in
from tests.samples import START
from tests.vision.test_corrections import one_too_many

BOARD = START.board
CORNERS = ((10.0, 10.0), (60.0, 10.0), (60.0, 80.0), (10.0, 80.0))
SQUARE = ((40.0, 0.0, 20.0), (0.0, 40.0, 20.0), (0.0, 0.0, 1.0))

Ask = Callable[..., Position]


def reading(doubtful: int = 0) -> Reading:
    """The sample's board, its first tiles in doubt."""
    tiles = tuple(
        TileReading(tile, 0.5 if square < doubtful else 0.99, ("perhaps more",) if square < doubtful else ())
        for square, tile in enumerate(BOARD)
    )
    return Reading(Position(board=BOARD), tiles, 0, SQUARE, views={0: SQUARE})


def sight(card: str | None, other: str | None, third: str | None = None) -> CardDetection:
    return CardDetection(card, 0.97 if card else 0.5, other, CORNERS, 0, third)


def session_of(seen: Reading, evidence: BoardEvidence | None = None) -> Callable[..., PhotoSession]:
    """Reads any photos as that."""

    def read(shots: Sequence[Shot], goods: Mapping[Colour, Shot], *_: object) -> PhotoSession:
        return PhotoSession(tuple(shots), seen, evidence, goods)

    return read


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: Patch) -> Ask:
    """Reads a photo that shows what it is given, answers, and gives the position written."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def run(seen: Reading, *answers: str, evidence: BoardEvidence | None = None) -> Position:
        cv2.imwrite("a.png", np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8))
        cv2.imwrite("pink.png", np.full((200, 300, 3), 90, np.uint8))
        monkeypatch.setattr(photos, "read_table", session_of(seen, evidence))
        type_in(monkeypatch, *answers)
        words = ["--goods", "pink=pink.png"] if seen.goods else []
        assert main(["read", "a.png", *words, "--ask", "--force", "-o", "table.toml"]) == 0
        return parse_position(Path("table.toml").read_text(encoding="utf-8"))

    return run


def with_cards() -> Reading:
    row = (sight("fish", "gold"), sight(None, "silk", "gold"), sight(None, "ivory", "jewels"))
    goods = (sight(None, "wheat", "fakir"), sight("papyrus", "fish"))
    position = replace(Position(board=BOARD), row=("fish", "silk", "ivory"))
    position = position.with_player(replace(position.player(Colour.PINK), fakirs=0))
    return replace(reading(), position=position, row=row, goods={Colour.PINK: goods}, row_photo=0)


READ = ["read", "a.png", "--goods", "pink=pink.png", "-o", "later.toml"]


def test_doubtful_cards_are_asked_for(ask: Ask, capsys: Capsys) -> None:  # rules 1.4
    position = ask(with_cards(), "?", "7", "2", "ivroy", "spice", "2")
    out, err = capsys.readouterr()
    assert "All 30 tiles read clearly" in err and "Card 2 of the row, 1 of 3" in err
    assert "  1  Silk  (50%)\n  2  Gold\n" in err and "there is no reading 7" in err
    assert "did you mean 'ivory'?" in err and "a number another; or type the card's name" in err
    assert position.row == ("fish", "gold", "spice")
    assert position.player(Colour.PINK).fakirs == 1 and "Pink has: fakir, papyrus" in out
    assert "?" not in out.partition("Row:")[2].splitlines()[0]
    folder = cache_folder() / "doubtful"
    assert f"pictures of the doubtful tiles and cards: {folder}" in err
    assert sorted(path.name for path in folder.iterdir()) == ["pink-1.png", "row-2.png", "row-3.png"]
    assert np.asarray(cv2.imread(str(folder / "row-2.png"))).shape == (288, 192, 3)


def test_1_2_a_tile_told_gives_another_back_what_the_box_took(ask: Ask, capsys: Capsys) -> None:
    evidence, fewer, as_seen = one_too_many()
    seen = decide_board(evidence)
    # The tile that gave way is asked for last here, so that it is asked for as it then stands.
    tiles = list(seen.tiles)
    tiles[20] = replace(tiles[20], expected_loss=9.0)
    assert sorted(seen.doubtful) == [20, 25]
    seen = replace(seen, tiles=tuple(tiles), views={0: SQUARE})
    position = ask(seen, str(fewer), "1", evidence=evidence)
    err = capsys.readouterr().err
    assert f"{SQUARE_NAMES[20]}, 1 of 2" in err and f"{SQUARE_NAMES[25]}, 2 of 2" in err
    assert (position.board[20], position.board[25]) == (fewer, as_seen)


def test_a_tile_that_comes_into_doubt_by_an_answer_is_shown(ask: Ask, monkeypatch: Patch) -> None:
    def with_b1_in_doubt(
        tiles: Sequence[TileReading], evidence: object, corrections: Mapping[int, Tile], *_: object
    ) -> tuple[TileReading, ...]:
        first, second, *others = corrected_tiles(tiles, None, corrections)
        unsure = replace(second, confidence=0.5, doubts=("perhaps more",))
        return (first, second if 1 in corrections else unsure, *others)

    shown: list[Picture] = []

    def picture_of(picture: Picture) -> str:
        shown.append(picture)
        return "a picture"

    monkeypatch.setattr(session, "corrected_tiles", with_b1_in_doubt)
    monkeypatch.setattr(asking, "TilePicture", picture_of)
    ask(reading(doubtful=1), *(str(emptied(square)) for square in range(2)))
    assert [path.name for path in (cache_folder() / "doubtful").iterdir()] == ["a1.png"] and len(shown) >= 2


def test_what_is_no_card_is_left_out(ask: Ask, capsys: Capsys) -> None:
    for none in ("none", "0", "нет", "niente", "3"):
        position = ask(with_cards(), *(["?"] if none != "3" else []), none, "spice", none)
        assert position.row == ("fish", "spice") and position.player(Colour.PINK).fakirs == 0
        out, _ = capsys.readouterr()
        assert "Row: fish, spice\n" in out and "Pink has: papyrus\n" in out


def test_a_fault_of_misread_cards_goes_when_they_are_told(ask: Ask, capsys: Capsys) -> None:  # rules 1.4
    three = (sight("ivory", "silk"), sight("ivory", "silk"), sight(None, "ivory", "silk"))
    position = replace(Position(board=BOARD), row=("ivory",) * 3)
    notes = tuple(reading_cards.card_faults(position))
    seen = replace(reading(), position=position, notes=notes, row=three, row_photo=0)
    assert len(notes) == 1
    assert ask(seen, "2").row == ("ivory", "ivory", "silk")
    assert "rules 1.4" not in capsys.readouterr().out


def test_titles_of_djinns_are_asked_for(ask: Ask, capsys: Capsys) -> None:  # rules 2.7
    titles = tuple(
        UnclearTitle(0, TitleDetection(None, text, 0.6, (30, 40, 90, 20)), f"note about {text}", number)
        for number, text in enumerate(("Sharnht", "Jafxx", "abcdef"), 1)
    )
    notes = tuple(title.note for title in titles)
    position = replace(Position(board=BOARD), djinns=("Boaz",))
    seen = replace(reading(), position=position, notes=notes, titles=titles)
    assert ask(seen, "", "jafaar").djinns == ("Boaz", "Shamhat", "Jafaar")
    out, err = capsys.readouterr()
    assert "read as 'Sharnht'" in err and "read as 'abcdef'" not in err, "three djinns lie face up"
    assert "note about Sharnht" not in out and "note about abcdef" in out
    assert ask(seen, "?", "none", "2", "0").djinns == ("Boaz", rank_names("Jafxx")[1][0])
    out, err = capsys.readouterr()
    assert "none if it isn't a djinn" in err and "note about" not in out


def test_pictures_of_what_is_doubtful_are_of_the_last_photo_and_not_needed(
    ask: Ask, capsys: Capsys, monkeypatch: Patch
) -> None:
    ask(with_cards())
    ask(reading(doubtful=2))
    folder = cache_folder() / "doubtful"
    assert sorted(path.name for path in folder.iterdir()) == ["a1.png", "b1.png"]
    assert np.asarray(cv2.imread(str(folder / "b1.png"))).shape[0] >= 200
    shutil.rmtree(cache_folder())
    cache_folder().write_text("in the way")
    type_in(monkeypatch, str(emptied(0)))
    capsys.readouterr()
    assert "cannot write to" in ran(capsys, ["read", "a.png", "--ask", "-o", "later.toml"]).err
    assert parse_position(Path("later.toml").read_text(encoding="utf-8")).board[0] == emptied(0)


def test_reading_goes_on_where_it_broke_off(ask: Ask, capsys: Capsys, monkeypatch: Patch) -> None:
    ask(with_cards())
    type_in(monkeypatch, "2", "^C")
    assert "--resume" in ran(capsys, [*READ, "--ask"], 130).err and not Path("later.toml").exists()
    type_in(monkeypatch, "back", "1", "spice", "undo", "skip", "2")
    assert ran(capsys, [*READ, "--resume"]).err.count("row-2 [gold]: ") == 1, "taken back, and asked again"
    position = parse_position(Path("later.toml").read_text(encoding="utf-8"))
    assert position.row == ("fish", "silk", "ivory") and position.player(Colour.PINK).fakirs == 1
    assert main([*READ, "--resume", "--force"]) == 4


def test_answers_are_kept_until_something_has_come_of_them(ask: Ask, capsys: Capsys, monkeypatch: Patch) -> None:
    ask(with_cards())

    def full(path: Path, content: bytes, *, force: bool) -> None:
        raise UnusableInputError(f"cannot write {path}")

    with monkeypatch.context() as patched:
        type_in(patched, "2", "1", "skip", "2")
        for module in (storage, output):
            patched.setattr(module, "write_file", full)
        assert main([*READ, "--ask"]) == 4
    assert "cannot write later.toml" in capsys.readouterr().err
    type_in(monkeypatch)
    assert "row-2" not in ran(capsys, [*READ, "--resume"]).err and Path("later.toml").exists()
    assert main([*READ, "--resume", "--force"]) == 4


def emptied(square: int) -> Tile:
    return with_meeples(BOARD[square], NO_MEEPLES)


def test_what_was_told_before_it_broke_off_leaves_no_question_out(ask: Ask, capsys: Capsys, monkeypatch: Patch) -> None:
    ask(with_cards())
    monkeypatch.setattr(photos, "read_table", session_of(reading(doubtful=3)))
    read = ["read", "a.png", "-o", "later.toml"]
    type_in(monkeypatch, f"{SQUARE_NAMES[0]} {SQUARE_NAMES[1]}", str(emptied(0)), "^C")
    assert main([*read, "--ask"]) == 130
    capsys.readouterr()
    type_in(monkeypatch, str(emptied(1)))
    err = ran(capsys, [*read, "--resume"]).err
    assert f"{SQUARE_NAMES[1]}, 3 of 3: you said it's wrong" in err and f"{SQUARE_NAMES[0]}, " not in err
    board = parse_position(Path("later.toml").read_text(encoding="utf-8")).board
    assert board[:3] == (emptied(0), emptied(1), BOARD[2])


def test_answers_are_not_laid_on_another_picture_of_the_same_name(ask: Ask, capsys: Capsys, monkeypatch: Patch) -> None:
    ask(with_cards())
    for name in ("a.png", "pink.png"):
        type_in(monkeypatch, "2", "^C")
        assert main([*READ, "--ask", "--force"]) == 130
        Path(name).rename("away.png")
        cv2.imwrite(name, np.full((200, 300, 3), 40, np.uint8))
        capsys.readouterr()
        shutil.rmtree(cache_folder())
        assert main([*READ, "--resume", "--force"]) == 4
        assert capsys.readouterr().err == "companion: there is no draft to continue; leave out --resume to start\n"
        assert not cache_folder().exists(), "nothing is written without a draft"
        Path("away.png").rename(name)
        type_in(monkeypatch, "1", "skip", "2")
        assert "row-2" not in ran(capsys, [*READ, "--resume", "--force"]).err
