from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from companion.errors import ImpossiblePositionError, NotationError, UnusableInputError
from companion.inputs import LIMITS
from companion.notation.codes import encode
from companion.notation.files import parse_position, to_document
from companion.opening.position import open_position
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML

EXAMPLE = parse_position(EXAMPLE_TOML)
CODE = encode(EXAMPLE)
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\x40\0\0\0\xf0\x08\x02\0\0\0" + b"\0" * 40


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def test_files_and_standard_input_are_told_apart_by_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for content in [
        EXAMPLE_TOML.encode(),
        EXAMPLE_TOML.replace("\n", "\r\n").encode("utf-8-sig"),
        EXAMPLE_TOML.encode("utf-16"),
        b"\xfe\xff" + EXAMPLE_TOML.encode("utf-16-be"),
        str(to_document(EXAMPLE)).replace("'", '"').replace('Ba"al', "Ba'al").encode(),
        f"\n {CODE[:30]}\n{CODE[30:].lower()}\n".encode(),
    ]:
        with subtests.test(content=content):
            path = tmp_path / "any.name"
            path.write_bytes(content)
            assert open_position(str(path)).position == EXAMPLE
            standard_input(monkeypatch, content)
            assert open_position("-").position == EXAMPLE


def test_a_code_is_taken_as_it_is_also_with_spaces() -> None:
    assert open_position(CODE).position == EXAMPLE
    assert open_position(f" {CODE[:9]} {CODE[9:20]} {CODE[20:].lower()} ").position == EXAMPLE


def test_a_file_named_like_a_code_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("FT1-old.toml").write_text("\n".join(EXAMPLE_ROWS), encoding="utf-8")
    assert open_position("FT1-old.toml").position == EXAMPLE.__class__(EXAMPLE.board)


BAD = {
    "empty": (b"", "it is empty"),
    "binary": (bytes(range(256)), "not text"),
    "latin-1": ("board = 'é'".encode("latin-1"), "not text in UTF-8 .byte 10"),
    "nul bytes": (b"O8\0\0\0", "not text"),
    "half a file": (EXAMPLE_TOML.encode()[:90], "not well-formed TOML"),
    "huge": (b"#" * (LIMITS.text_bytes + 1), "larger than 1 MB"),
    "picture": (PNG, "is not a picture that can be read"),
    "code damaged": (CODE[:-1].encode(), "position code is damaged"),
}


def test_what_cannot_be_used_is_refused_kindly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for case in BAD:
        with subtests.test(case=case):
            content, words = BAD[case]
            path = tmp_path / "table.toml"
            path.write_bytes(content)
            with pytest.raises(UnusableInputError, match=f"table.toml.*{words}"):
                open_position(str(path))
            standard_input(monkeypatch, content)
            with pytest.raises(UnusableInputError, match=f"standard input.*{words}"):
                open_position("-")


def test_an_impossible_position_is_refused_with_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "five.toml"
    path.write_text("\n".join(EXAMPLE_ROWS).replace("M4:ybr", "S6:" + "y" * 14), encoding="utf-8")
    with pytest.raises(ImpossiblePositionError) as refused:
        open_position(str(path))
    assert [problem.rule for problem in refused.value.problems] == ["1.1", "1.2"]


def test_what_looks_odd_comes_as_a_note(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("\n".join(EXAMPLE_ROWS).replace("S6@P S6", "S6@P S6^1"), encoding="utf-8")
    assert ["f5" in note for note in open_position(str(path)).notes] == [True]


def test_a_sheet_that_cannot_be_read_whole_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    same = b"name = 'Anna'\n[players.blue]\nname = 'anna'\n"
    for more, words in [(same, "sheet.toml: anna is named twice"), (b"# caf\xe9", "not text in UTF-8")]:
        with subtests.test(msg=words):
            path = tmp_path / "sheet.toml"
            path.write_bytes(b"score_sheet = 1\n[players.pink]\n" + more)
            with pytest.raises(NotationError, match=words):
                open_position(str(path))
