"""What happens to a game in a real browser: keys on the score pad, taps at the wrong moment, a table out of reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser import CHROMIUM, PATIENCE_MS, QuickTable, follow, phone, quick_table

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, Page, expect

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuickTable]:
    with quick_table(tmp_path_factory.mktemp("quick")) as table:
        yield table


@pytest.fixture
def page(browser: Browser, table: QuickTable) -> Iterator[Page]:
    """A phone that has come in."""
    page = phone(browser, table.address, locale="en-GB")
    yield page
    page.context.close()


def test_sums_typed_by_keys_stay_in_their_field(page: Page, table: QuickTable) -> None:
    page.goto(f"{table.home}count")
    for colour, name in (("black", "Anna"), ("blue", "Bo"), ("pink", "Cy")):
        page.locator(f"input[name=name_{colour}]").fill(name)
    page.locator("input[name=gold_black]").focus()
    # Enter leads on, past the colour that nobody plays.
    for keys in ("12+9", "20", "3*5+2", "1+1", "10"):
        page.keyboard.type(keys, delay=2)
        page.keyboard.press("Enter")
    typed = {name: page.locator(f"input[name={name}]").input_value() for name in ("gold_black", "gold_orange")}
    assert typed == {"gold_black": "12+9", "gold_orange": ""}
    assert page.locator("input[name=viziers_blue]").input_value() == "10"
    follow(page.get_by_role("button", name="Count and keep"))
    expect(page.locator("thead")).not_to_contain_text("Orange")
    (game,) = table.services.history.games()
    assert {str(colour): result.points["gold"] for colour, result in game.results.items()} == {
        **{"black": 21, "blue": 20, "pink": 17}
    }
