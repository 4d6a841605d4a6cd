"""One browser and one table for all tests of a process that need them, since both start in seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web import browser as browsers
from tests.web.browser import PATIENCE_MS, PHONE, QuickTable, chromium, come_in, phone, quick_table

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="package", autouse=True)
def contrast(request: pytest.FixtureRequest) -> None:
    browsers.contrast_everywhere = request.config.getoption("--all")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for this folder; no longer, since Playwright has an event loop run in this thread meanwhile.

    Each phone in it is a context of its own, with nothing kept of the others.
    """
    with sync_playwright() as playwright:
        started = chromium(playwright)
        yield started
        started.close()


@pytest.fixture(scope="package")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuickTable]:
    with quick_table(tmp_path_factory.mktemp("quick"), see="tests.web.at_table:seen_grey") as table:
        yield table


@pytest.fixture(scope="package")
def usual_phone(browser: Browser, table: QuickTable) -> Page:
    return phone(browser, table.address, locale="en-GB")


@pytest.fixture
def page(usual_phone: Page, table: QuickTable) -> Iterator[Page]:
    """A phone that has just come in: the same one for all tests, which knows nothing of what it did before."""
    page = usual_phone
    page.set_viewport_size(PHONE)
    come_in(page, table.address)
    yield page
    page.context.set_offline(False)
    page.unroute_all()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()
