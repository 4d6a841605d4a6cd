"""What tests of the page share: a table, and a phone that has come in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.at_table import AtTable, Phone


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    """A table without games, which keeps them in the test's folder."""
    with AtTable(tmp_path) as table:
        yield table


@pytest.fixture
def phone(table: AtTable) -> Phone:
    """The table's own phone."""
    return table.phone()
