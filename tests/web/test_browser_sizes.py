"""What makes pages burst: names without a space, letters of twice the size, long sentences that pass by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser import CHROMIUM, check_size, chromium, follow, phone, served_table

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

pytestmark = pytest.mark.slow

LONGEST = "W" * 60

_CUT = """[...document.querySelectorAll("main, main *, nav *, .toast, .toast *")]
  .filter(one => one.clientWidth > 1 && !one.closest(".scroll, .plot, .unseen, svg, select, input"))
  .filter(one => !one.matches(".table-top"))
  .filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.outerHTML.slice(0, 100)}: ${one.scrollWidth} in ${one.clientWidth}`)"""
"""Whatever is wider than the room that it has; a board may be, by its own margins."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium(playwright)
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_table(tmp_path_factory.mktemp("table"), playouts=4) as served:
        yield served


def begin(page: Page, name: str) -> str:
    """A game of two with one name for both; its address."""
    page.locator(".set-up").evaluate("form => form.closest('details').open = true")
    for colour in ("blue", "pink"):
        page.locator(f"input[name=name_{colour}]").fill(name)
    page.locator("input[name=seed]").fill("7")
    follow(page.locator(".set-up button.main"))
    return page.url


def visit(page: Page, place: str) -> None:
    """Go there; the page before may just be fetching its own news, which breaks the first try off."""
    try:
        page.goto(place)
    except Error as error:
        assert "ERR_ABORTED" in error.message
        page.goto(place)


def places(game: str) -> list[str]:
    """The pages that show names, and those that are fullest."""
    home = game.partition("/games/")[0]
    below = ("", "/players", "/players/blue", "/score", "/bid", "/tiles/c3")
    return [f"{home}/", f"{home}/history", *(game + one for one in below)]


def test_names_without_a_space_stay_on_the_phone(browser: Browser, address: str) -> None:
    page = phone(browser, address, locale="en-GB")
    game = begin(page, LONGEST)
    for place in places(game):
        visit(page, place)
        check_size(page)
    page.goto(game)
    follow(page.get_by_role("link", name="Hint"))


@pytest.mark.parametrize("locale", ["it-IT", "ru-RU"])
def test_letters_of_twice_the_size_are_all_there(browser: Browser, address: str, locale: str) -> None:
    page = phone(browser, address, locale=locale)
    game = begin(page, "Anna")
    for place in places(game):
        visit(page, place)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, place
        assert page.evaluate(_CUT) == [], place


def test_a_long_sentence_leaves_its_button_room(browser: Browser, address: str) -> None:
    page = phone(browser, address, locale="en-GB")
    begin(page, "Anna")
    follow(page.locator(".prices button").first)
    toast = page.locator(".toast:visible")
    expect(toast).to_be_visible()
    toast.locator("span").evaluate("one => one.textContent = 'What was told of the table cannot stand. '.repeat(4)")
    assert page.evaluate(_CUT) == []
