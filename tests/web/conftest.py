"""What tests of the page in a browser share: a browser, which starts in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for a whole module; no longer, since Playwright has an event loop run in this thread meanwhile.

    Each phone in it is a context of its own, with nothing kept of the others.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = chromium(playwright)
        yield started
        started.close()
