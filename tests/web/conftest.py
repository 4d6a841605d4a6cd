"""What tests of the page share: a table, a phone that has come in, and a browser, which starts in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.at_table import AtTable, Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    """A table without games, which keeps them in the test's folder."""
    with AtTable(tmp_path) as table:
        yield table


@pytest.fixture
def phone(table: AtTable) -> Phone:
    """The table's own phone."""
    return table.phone()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for a whole module; no longer, since Playwright has an event loop run in this thread meanwhile.

    Each phone in it is a context of its own, with nothing kept of the others.
    """
    from playwright.sync_api import sync_playwright

    from tests.web.browser import chromium

    with sync_playwright() as playwright:
        started = chromium(playwright)
        yield started
        started.close()
