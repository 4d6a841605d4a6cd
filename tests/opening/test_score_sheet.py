"""Files of score sheets without a board, opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.opening.text import load_sheet


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda content: content + b"# long\n" * 4000, "too long for a score sheet"),
        (lambda content: content + b"# caf\xe9", "not text in UTF-8"),
    ],
)
def test_a_sheet_that_cannot_be_read_whole_is_refused(
    spoil: Callable[[bytes], bytes], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.toml"
    path.write_bytes(spoil(b"score_sheet = 1\n[players.pink]\n"))
    with pytest.raises(NotationError, match=words):
        load_sheet(str(path))
