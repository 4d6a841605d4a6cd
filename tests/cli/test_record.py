"""`companion record`: photos after each turn to a record, as a whole command; what photos show is told to it here."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.asking import series_photos
from companion.asking.recording import SeriesPhoto
from companion.cli.main import main
from companion.errors import PhotoError
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.notation.files import format_position
from companion.notation.records.lines import Record, TurnLine, format_record, parse_record
from companion.notation.records.replay import replay
from companion.opening.source import Content
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, Board, with_meeples
from companion.rules.model.components import Tribe
from companion.vision.readings import covered_note
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.samples import SAMPLES
from tests.tracking.seen_boards import Between, SeenBoard, photo_of, played_record, spoilt


@dataclass(frozen=True)
class Shots:
    """A folder with a game's start and photos; `shown` is what photos of these names show, `played` the game."""

    folder: Path
    played: Record
    boards: list[Board]
    shown: dict[str, SeenBoard | Between]

    def photo(self, name: str, shown: SeenBoard | Between, taken: str = "") -> str:
        """A picture of its own, which shows that."""
        exif = Image.Exif()
        if taken:
            exif.get_ifd(0x8769)[0x9003] = taken
        shades = np.full((300, 400, 3), len(self.shown) + 1, np.uint8)
        Image.fromarray(shades).save(self.folder / name, exif=exif)
        self.shown[name] = shown
        return str(self.folder / name)

    @property
    def start(self) -> str:
        return written(self.folder / "start.toml", format_position(self.played.header.setup, ".toml"))

    @property
    def output(self) -> Path:
        return self.folder / "game.txt"

    def photos(self, number: int) -> list[str]:
        return [self.photo(f"IMG_{place}.jpg", photo_of(self.boards[place - 1])) for place in range(1, number + 1)]

    def sowings(self) -> list[str]:
        record = parse_record(self.output.read_text())
        replay(record)
        return [line.entry.steps[0] for line in record.lines if isinstance(line.entry, TurnLine)]

    def true_sowings(self, number: int) -> list[str]:
        return [line.entry.steps[0] for line in self.played.lines if isinstance(line.entry, TurnLine)][:number]


@pytest.fixture
def shots(tmp_path: Path, monkeypatch: Patch) -> Iterator[Shots]:
    monkeypatch.setenv("COLUMNS", "80")
    played, boards = played_record(3, 1, 4)
    made = Shots(tmp_path, played, boards, {})

    def each_read(contents: Sequence[Content], board: Board) -> Iterator[SeriesPhoto | PhotoError]:
        for name in (Path(content.name).name for content in contents):
            covered = covered_note([0, 1] if name.startswith("hand") else [])
            seen = None if name.startswith("blank") else SeriesPhoto(name, made.shown[name], covered=covered)
            yield seen or PhotoError("no board here")

    monkeypatch.setattr(series_photos, "_each_read", each_read)
    yield made


def answering(monkeypatch: Patch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_json_tells_each_turn_and_the_record_is_played_back(shots: Shots, capsys: Capsys) -> None:
    photos = [*shots.photos(3), shots.photo("blank.jpg", spoilt(shots.boards[0]))]
    document = printed_json(capsys, ["record", shots.start, *photos, "-o", str(shots.output)])
    assert document["unexplained"] == ["blank.jpg"]
    assert [turn["photo"] for turn in document["turns"]] == ["IMG_1.jpg", "IMG_2.jpg", "IMG_3.jpg"]
    assert list(document["turns"][0]) == ["photo", "player", "line", "probability", "others", "asked"]
    assert document["turns"][1]["line"].startswith(f"{document['turns'][1]['player']}: ")
    assert document["turns"][0]["probability"] > 0.95
    assert shots.sowings() == shots.true_sowings(3)
    for command in ("replay", "check", "show"):
        assert main([command, str(shots.output)]) == 0


def test_answers_go_into_the_record_and_it_goes_on_later(shots: Shots, capsys: Capsys, monkeypatch: Patch) -> None:
    photos = shots.photos(4)
    answering(monkeypatch, "blue 8, orange 5, black 1", "", "1", "", "jewels, fish, wheat, spice")
    told = ran(capsys, ["record", shots.start, *photos, "-o", str(shots.output)])
    assert "What was bought" in told.out
    assert "continue with: companion record" in told.out
    text = shots.output.read_text()
    assert "round 1: blue 8, orange 5, black 1\n" in text
    assert shots.sowings() == shots.true_sowings(3)
    again = ["record", str(shots.output), *photos, "-o", str(shots.output)]
    ran(capsys, [*again, "--no-ask"])
    assert shots.output.read_text().startswith(text)
    assert shots.sowings() == shots.true_sowings(4)
    before = shots.output.read_text()
    why = ran(capsys, [*again, "--no-ask"]).err
    assert "0 turns recorded" in why
    assert "The table as it was earlier: IMG_1.jpg, IMG_2.jpg and IMG_3.jpg.\n" in why
    assert "No new turn since the photo before: IMG_4.jpg.\n" in why
    assert shots.output.read_text() == before


def test_an_unsure_turn_stops_what_asks_nothing_and_is_asked_otherwise(
    shots: Shots, capsys: Capsys, monkeypatch: Patch
) -> None:
    first = shots.photos(1)
    board = [*shots.boards[1]]
    # The same turn, with the elder on b4 killed and not the one on c2.
    for name, change in (("c2", 1), ("b4", -1)):
        square = SQUARE_NAMES.index(name)
        meeples = [*board[square].meeples]
        meeples[Tribe.ELDER] += change
        board[square] = with_meeples(board[square], tuple(meeples))
    vague = shots.photo("IMG_2.jpg", Between(photo_of(shots.boards[1]), photo_of(tuple(board)), 0.0))
    words = ["record", shots.start, *first, vague, "-o", str(shots.output)]
    document = json.loads(ran(capsys, [*words, "--json"], 5).out)
    assert [turn["photo"] for turn in document["turns"]] == ["IMG_1.jpg"]
    assert shots.sowings() == shots.true_sowings(1)
    answering(monkeypatch, "blue black orange", "", "1", "", "", "")
    told = ran(capsys, [*words, "--force"])
    assert "which turn was it?" in told.out
    assert len(shots.sowings()) == 2


def test_photos_are_taken_in_the_order_of_their_time_else_of_their_names(shots: Shots, capsys: Capsys) -> None:
    one, two, three = (photo_of(board) for board in shots.boards[:3])
    timed = [
        shots.photo("c.jpg", one, "2026:02:14 19:01:00"),
        shots.photo("a.jpg", three, "2026:02:14 19:12:00"),
        shots.photo("b.jpg", two, "2026:02:14 19:07:00"),
    ]
    document = printed_json(capsys, ["record", shots.start, *timed, "-o", str(shots.output)])
    assert [turn["photo"] for turn in document["turns"]] == ["c.jpg", "b.jpg", "a.jpg"]
    named = [shots.photo("IMG_10.jpg", three), shots.photo("IMG_9.jpg", two), shots.photo("img_1.jpg", one)]
    document = printed_json(capsys, ["record", shots.start, *named, "-o", str(shots.output), "--force"])
    assert [turn["photo"] for turn in document["turns"]] == ["img_1.jpg", "IMG_9.jpg", "IMG_10.jpg"]


def test_what_cannot_be_recorded_is_said_and_no_file_touched(
    shots: Shots, capsys: Capsys, subtests: pytest.Subtests
) -> None:
    photos, output = shots.photos(2), str(shots.output)
    text = written(shots.folder / "note.txt", "hello")
    foreign = shots.photo("foreign.jpg", spoilt(shots.boards[0]))
    bare = written(
        shots.folder / "bare.toml", format_position(shots.played.header.setup, ".toml").partition("row =")[0]
    )
    for words, status, said in (
        ([shots.start, "-o", output], 2, "PHOTO"),
        ([shots.start, text, "-o", output], 4, "is not a photo"),
        ([shots.start, str(shots.folder / "none.jpg"), "-o", output], 4, "no file"),
        ([shots.start, foreign, foreign, "-o", output], 4, "none of the photos"),
        ([shots.start, foreign, "-o", output, "--no-ask"], 4, "no legal turn leads"),
        ([bare, *photos, "-o", output, "--no-ask"], 2, "who plays"),
        ([shots.start, *photos, "-o", photos[0]], 2, "never overwritten"),
        (["-", *photos, "-o", output], 2, "standard input"),
    ):
        with subtests.test(msg=said):
            assert said in ran(capsys, ["record", *words], status).err
            assert not shots.output.exists()
    shots.output.write_text("mine")
    assert "exists already" in ran(capsys, ["record", shots.start, *photos, "-o", output], 2).err
    assert "isn't a game record" in ran(capsys, ["record", shots.start, *photos, "-o", shots.start, "--force"], 2).err
    assert shots.output.read_text() == "mine"


def test_play_takes_photos_wherever_a_turn_can_be_typed(shots: Shots, capsys: Capsys, monkeypatch: Patch) -> None:
    one, two = shots.photos(2)
    answering(
        monkeypatch,
        f"photo {os.fspath(shots.folder)}/none.jpg",
        f"photo {one}",
        "blue 8, orange 5, black 1",
        "no",
        f"photo {one}",
        "",
        f"photo '{two}'",
        "1",
        "back",
        "1",
        "",
        "photo",
        "photo -",
        f"photo {two}",
    )
    told = ran(capsys, ["play", str(shots.output), "--setup", shots.start]).out
    assert "no file" in told
    assert told.count("name the photos") == 2, "the answers to come are no photo"
    assert "The board is as it was" in told
    assert shots.sowings() == shots.true_sowings(2)
    assert format_record(parse_record(shots.output.read_text())) == shots.output.read_text()


def test_one_enter_plays_two_turns_that_a_photo_shows(shots: Shots, capsys: Capsys, monkeypatch: Patch) -> None:
    """What no board shows of them is asked in their order; what may have come after each, only where that is said."""
    two = f"photo {shots.photos(2)[1]}"
    bids = ("blue 8", "orange 5", "black 1")
    for answers, asked in (
        (("",), ["orange: What was bought?"]),
        (("1 more", ""), ["blue: Was that all?", "orange: What was bought?"]),
        (("", "undo", "show", ""), ["orange: What was bought?"] * 2),
    ):
        shots.output.unlink(missing_ok=True)
        answering(monkeypatch, *bids, two, *answers, "", "quit")
        told = ran(capsys, ["play", str(shots.output), "--setup", shots.start]).out
        assert re.findall(r"^\w+: [A-Z].*?\?", told, re.MULTILINE) == asked
        assert told.count("which turn was it?") == 1 + answers.count("undo") + answers.count("show")
        assert shots.sowings() == shots.true_sowings(2)


def test_play_says_why_a_photo_shows_no_turn(shots: Shots, capsys: Capsys, monkeypatch: Patch) -> None:
    """Of the turn before; while its meeples are in a hand; and the board as it is."""
    one = shots.photos(1)[0]
    start = shots.photo("start.jpg", photo_of(shots.played.header.setup.board))
    board = list(shots.boards[0])
    square = min(range(30), key=lambda one: sum(board[one].meeples) or 9)
    board[square] = with_meeples(board[square], NO_MEEPLES)
    lifted = shots.photo("lifted.jpg", photo_of(tuple(board)))
    photos = (f"photo {one}", "", f"photo {start}", f"photo {lifted}", f"photo {one}", "quit")
    answering(monkeypatch, "blue 8", "orange 5", "black 1", *photos)
    told = ran(capsys, ["play", str(shots.output), "--setup", shots.start]).out
    said = ("start.jpg shows the table as it was before", "looks empty in lifted.jpg", "The board is as it was")
    assert [told.find(words) > 0 for words in said] == [True] * 3, told
    assert shots.sowings() == shots.true_sowings(1)


def test_a_hand_over_the_board_is_said_and_the_rest_of_the_photo_used(
    shots: Shots, capsys: Capsys, monkeypatch: Patch
) -> None:
    start = shots.photo("hand-start.jpg", photo_of(shots.played.header.setup.board))
    one = shots.photo("hand-1.jpg", photo_of(shots.boards[0]))
    answering(monkeypatch, "blue 8", "orange 5", "black 1", f"photo {start}", f"photo {one}", "", "quit")
    told = ran(capsys, ["play", str(shots.output), "--setup", shots.start]).out
    assert told.count("Something covers a1 and b1, perhaps a hand") == 2 and "The board is as it was" not in told
    assert shots.sowings() == shots.true_sowings(1)


@pytest.mark.slow
def test_two_drawn_photos_are_read_and_recorded(tmp_path: Path, capsys: Capsys) -> None:
    """From the pixels to the record; and a photo of another table is refused."""
    played, boards = played_record(3, 1, 2)
    start = written(tmp_path / "start.toml", format_position(played.header.setup, ".toml"))
    for number, board in enumerate(boards):
        rng = np.random.default_rng(100 + number)
        picture, _ = render(sample_scene(rng, board, "seated"), rng, (1600, 1200))
        Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])).save(tmp_path / f"{number}.png")
    photos = [str(tmp_path / f"{number}.png") for number in range(2)]
    output = tmp_path / "game.txt"
    document = printed_json(capsys, ["record", start, *photos, "-o", str(output)])
    assert [turn["photo"] for turn in document["turns"]] == ["0.png", "1.png"]
    assert replay(parse_record(output.read_text())).state.position.board == boards[1]
    other = ["record", start, str(SAMPLES / "mid.jpg"), "-o", str(tmp_path / "other.txt"), "--no-ask"]
    assert "another table" in ran(capsys, other, 4).err
