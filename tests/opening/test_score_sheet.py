"""Files of score sheets without a board, opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.opening.text import load_sheet


def test_a_sheet_that_cannot_be_read_whole_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for more, words in [(b"# long\n" * 4000, "too long for a score sheet"), (b"# caf\xe9", "not text in UTF-8")]:
        with subtests.test(msg=words):
            path = tmp_path / "sheet.toml"
            path.write_bytes(b"score_sheet = 1\n[players.pink]\n" + more)
            with pytest.raises(NotationError, match=words):
                load_sheet(str(path))
