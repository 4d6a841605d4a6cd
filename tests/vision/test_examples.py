"""What the owner told of tiles is kept as examples, bounded, and forgotten on request."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.errors import UnusableInputError
from companion.notation.tokens import parse_tile
from companion.vision.reading import examples
from companion.vision.reading.examples import OwnExample, forget_examples, load_examples, save_example

READ, TRUE = parse_tile("O8:gg"), parse_tile("O8:wgg")


def picture(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (96, 96, 3), dtype=np.uint8)


def test_an_example_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = save_example(tmp_path / "examples", picture(), TRUE, READ, "2031-05-04")
    (example,) = load_examples(tmp_path / "examples")
    assert example == OwnExample(path, TRUE, READ, "2031-05-04")
    assert np.array_equal(example.load_picture(), picture())


def test_a_second_answer_to_the_same_picture_takes_the_place_of_the_first(tmp_path: Path) -> None:
    save_example(tmp_path, picture(), READ, READ, "2031-05-04")
    save_example(tmp_path, picture(), TRUE, READ, "2031-05-05")
    assert [(example.tile, example.on) for example in load_examples(tmp_path)] == [(TRUE, "2031-05-05")]
    assert len(list(tmp_path.iterdir())) == 2


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "MAX_EXAMPLES", 3)
    for day in range(1, 6):
        save_example(tmp_path, picture(day), TRUE, READ, f"2031-05-0{day}")
    assert [example.on for example in load_examples(tmp_path)] == ["2031-05-03", "2031-05-04", "2031-05-05"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '{"example": 1, "tile": "O8", "read": "O8", "on": "2031"}',
        '{"example": 2, "tile": "X9", "read": "O8", "on": 1}',
        "[" * 15_000,
        '{"example": 2, "tile": "O8", "read": "O8", "on": "", "seen": [["g", [1%s, 0, 0], [], []]]}' % ("0" * 400),
        '{"example": 2, "tile": "O8", "read": "O8", "on": "2031"}' + " " * 20_000,
    ],
    ids=lambda text: text[:20] + text[-5:],
)
def test_what_is_damaged_is_passed_over(text: str, tmp_path: Path) -> None:
    save_example(tmp_path, picture(1), TRUE, READ, "2031-05-04")
    save_example(tmp_path, picture(2), TRUE, READ, "2031-05-05").with_suffix(".json").write_text(text)
    assert [example.on for example in load_examples(tmp_path)] == ["2031-05-04"]


def test_a_damaged_picture_is_told(tmp_path: Path) -> None:
    save_example(tmp_path, picture(), TRUE, READ, "2031-05-04").write_bytes(b"PNG")
    with pytest.raises(UnusableInputError, match="damaged"):
        load_examples(tmp_path)[0].load_picture()


def test_an_older_example_that_another_program_deletes_meanwhile_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = save_example(tmp_path, picture(), READ, READ, "2031-05-04")
    real = Path.glob

    def deleted_meanwhile(folder: Path, pattern: str) -> list[Path]:
        found = list(real(folder, pattern))
        older.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "glob", deleted_meanwhile)
    save_example(tmp_path, picture(), TRUE, READ, "2031-05-05")
    assert [example.tile for example in load_examples(tmp_path)] == [TRUE]


def test_an_example_that_cannot_be_deleted_is_told(tmp_path: Path) -> None:
    path = save_example(tmp_path, picture(), TRUE, READ, "2031-05-04")
    path.unlink()
    (path / "inside").mkdir(parents=True)
    with pytest.raises(UnusableInputError, match="cannot delete the examples"):
        forget_examples(tmp_path)


def test_forgetting_leaves_other_files_alone(tmp_path: Path) -> None:
    save_example(tmp_path, picture(), TRUE, READ, "2031-05-04")
    (tmp_path / "holiday.png").write_bytes(b"mine")
    assert forget_examples(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.png"]
    assert load_examples(tmp_path) == [] and forget_examples(tmp_path / "nowhere") == 0


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableInputError, match="cannot write to"):
        save_example(tmp_path / "file", picture(), TRUE, READ, "2031-05-04")
