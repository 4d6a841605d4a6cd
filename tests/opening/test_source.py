"""What is read of what people name: files alone, told apart by their first bytes, never more than they may hold."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import pytest
from PIL import Image

from companion.errors import PhotoError, UnusableInputError, UsageError
from companion.inputs import LIMITS, is_picture, open_file, read_file
from companion.opening.source import read_inputs, read_source
from companion.rules.model.components import Colour

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices have names on POSIX alone")


def picture(format: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB" if format != "GIF" else "P", (8, 8)).save(stream, format)
    return stream.getvalue()


PICTURES = {format: picture(format) for format in ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "AVIF")}
PICTURES |= {f"P{number}": f"P{number}\n# made by hand\n8 8\n255\n".encode() for number in range(1, 7)}
PICTURES |= {"HEIC": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "big TIFF": b"II+\0\x08\0\0\0"}
TEXTS = [b"", b"BM", b"BMX is no bitmap, it is a word", b"P5", b"P7 x", b"M4:yb O8", b"MM", b"GIF"]


def test_pictures_are_told_from_text_by_their_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for kind, data in PICTURES.items():
        path.write_bytes(data)
        assert read_source(path).is_picture, kind
    assert not any(map(is_picture, TEXTS))


def test_standard_input_is_read_as_a_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PICTURES["PNG"])))
    content = read_source("-")
    assert content.is_picture and content.name == "standard input" and content.data == PICTURES["PNG"]


class Endless(io.RawIOBase):
    """A stream without end that counts what is taken from it."""

    def __init__(self, head: bytes) -> None:
        self.head, self.taken = head, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None and size >= 0, "an endless stream is never read to its end"
        self.taken += size
        part, self.head = self.head[:size], self.head[size:]
        return part + b"#" * (size - len(part))


def test_an_endless_input_is_read_as_far_as_its_limit(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for head, largest, words in [
        (b"", LIMITS.text_bytes, "larger than 1 MB, too large for a position file or a game record"),
        (b"\xff\xd8\xff", LIMITS.photo_bytes, "larger than 80 MB; make the photo smaller"),
    ]:
        with subtests.test(head=head):
            stream = Endless(head)

            class Stdin:
                buffer = stream

            monkeypatch.setattr(sys, "stdin", Stdin())
            with pytest.raises(UnusableInputError, match=f"standard input is {words}"):
                read_source("-")
            assert stream.taken == largest + 1


def test_a_file_of_the_largest_size_passes(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_bytes(b"#" * LIMITS.text_bytes)
    assert len(read_source(path).data) == LIMITS.text_bytes
    assert len(read_file(path, LIMITS.text_bytes)) == LIMITS.text_bytes
    with pytest.raises(UnusableInputError, match="larger than 0.5 MB"):
        read_file(path, 500_000)


@posix
def test_links_are_followed_to_where_there_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes(b"O8")
    (tmp_path / "link").symlink_to("table")
    (tmp_path / "lost").symlink_to("nowhere")
    assert read_source(tmp_path / "link").data == b"O8"
    with pytest.raises(UnusableInputError, match="there is no file .*lost"):
        read_source(tmp_path / "lost")


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "private.toml"
    path.write_bytes(b"O8")

    def refused(*_: object) -> int:
        """As for anybody but its owner; the owner of everything, root, would read it."""
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(UnusableInputError, match="cannot read .*private.toml: Permission denied"):
        read_source(path)


def test_names_that_no_file_can_have_are_no_files() -> None:
    for name in ("", "nowhere.toml", "x" * 5000, "a\0b", "/dev/null/x", "\udcff"):
        with pytest.raises(UnusableInputError, match="no file") as refused:
            open_file(name)
        assert len(str(refused.value)) < 250


def test_files_are_read_where_opening_knows_of_no_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    path = tmp_path / "table.toml"
    path.write_bytes(b"O8")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "set_blocking", raising=False)
    monkeypatch.delattr(os, "O_NONBLOCK", raising=False)
    assert read_file(path, 10) == b"O8"


def test_a_copy_under_another_name_is_the_same_photo(tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(PICTURES["JPEG"])
    with pytest.raises(UsageError, match="a.jpg and .*b.jpg are the same photo"):
        read_inputs([tmp_path / "a.jpg", tmp_path / "b.jpg"])


def test_photos_are_read_together_and_text_alone(tmp_path: Path) -> None:
    photos = []
    for format in ("JPEG", "PNG", "BMP"):
        photos.append(tmp_path / format)
        photos[-1].write_bytes(PICTURES[format])
    contents = read_inputs(photos[:2], {Colour.PINK: photos[2]}, photos[1])
    assert [(photo.name, photo.titled, photo.holder) for photo in contents] == [
        (str(photos[0]), False, None),
        (str(photos[1]), True, None),
        (str(photos[2]), False, Colour.PINK),
    ]
    assert all(content.is_picture for content in contents)
    words = tmp_path / "table.toml"
    words.write_bytes(b"O8")
    with pytest.raises(UsageError, match="table.toml is not a photo; only photos can be read together"):
        read_inputs([photos[0], words])
    with pytest.raises(PhotoError, match="table.toml is not a photo; what players hold is only read from photos"):
        read_inputs([photos[0]], {Colour.PINK: words}, photos_only=True)
    with_goods = read_inputs([words], {Colour.PINK: photos[2]})
    assert [(one.is_picture, one.holder) for one in with_goods] == [(False, None), (True, Colour.PINK)]
    with pytest.raises(UsageError, match="9 photos given; at most 8 of the same table"):
        read_inputs([str(number) for number in range(9)])
    with pytest.raises(UsageError, match="is given twice"):
        read_inputs([photos[0], tmp_path / "." / "JPEG"])
