"""What happens to a game in a real browser: keys on the score pad, taps at the wrong moment, a table out of reach."""

from __future__ import annotations

import pytest

from companion.web.store.adviser import Adviser
from tests.web.browser import CHROMIUM, QuickTable, follow, phone

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium-headless-shell) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, Page, Route, expect


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
    follow(page.get_by_role("button", name="Count and save"))
    expect(page.locator("thead")).not_to_contain_text("Orange")
    game = max(table.services.history.games(), key=lambda game: len(game.results))
    assert {str(colour): result.points["gold"] for colour, result in game.results.items()} == {
        **{"black": 21, "blue": 20, "pink": 17}
    }


def test_two_taps_at_once_set_up_one_game_and_so_does_back_and_again(page: Page, table: QuickTable) -> None:
    known = len(table.services.history.games())
    page.locator("summary", has_text="Set up a new game").tap()
    page.locator("input[name=name_blue]").fill("Anna")
    with page.expect_navigation():
        page.evaluate("""() => {
            const button = document.querySelector("form.set-up button.main");
            button.click();
            button.click();
        }""")
    assert len(table.services.history.games()) == known + 1
    game = page.url
    page.go_back()
    page.locator("summary", has_text="Set up a new game").tap()
    page.locator("input[name=name_blue]").fill("Anna")
    follow(page.get_by_role("button", name="Begin"))
    assert (page.url, len(table.services.history.games())) == (game, known + 1)


def test_without_scripts_two_taps_are_one_too(browser: Browser, table: QuickTable) -> None:
    page = phone(browser, table.address, locale="en-GB", java_script_enabled=False)
    known = len(table.services.history.games())
    page.locator("summary", has_text="Set up a new game").tap()
    page.locator("form.set-up button.main").dblclick(no_wait_after=True)
    page.wait_for_url("**/games/*")
    assert len(table.services.history.games()) == known + 1
    page.context.close()


def test_a_tap_out_of_reach_is_kept_and_sent_once_when_the_table_is_back(page: Page, table: QuickTable) -> None:
    key = table.begin(page)
    strip, prices = page.locator("#offline"), page.locator(".prices button")
    expect(strip).to_be_hidden()
    page.context.set_offline(True)
    prices.nth(0).tap()
    expect(strip).to_be_visible()
    expect(page.locator("#said")).to_contain_text("Not connected")
    # Nothing is dead meanwhile, and the last tap counts.
    expect(prices.nth(0)).to_be_enabled()
    prices.nth(2).tap()
    expect(strip).to_be_visible()
    with page.expect_navigation():
        page.context.set_offline(False)
    expect(page.locator("[data-notice]")).to_contain_text("bids 8")
    expect(strip).to_be_hidden()
    # A link waits as well.
    page.context.set_offline(True)
    expect(strip).to_be_visible()
    page.locator(".actions").get_by_role("link", name="Hint").tap()
    with page.expect_navigation():
        page.context.set_offline(False)
    assert page.url.endswith("/bid")
    assert len(table.services.history.revisions(key)) == 2


def test_a_form_on_its_way_is_dead_and_alive_again_without_an_answer(page: Page, table: QuickTable) -> None:
    key = table.begin(page)
    prices, sent = page.locator(".prices button"), list[str]()
    held: list[Route] = []
    page.route("**/bid", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    prices.nth(1).tap()
    expect(prices.nth(1)).to_be_disabled()
    page.evaluate("document.querySelectorAll('.prices button')[3].click()")
    assert len(sent) == 1
    # It gets through, and its answer does not come back.
    held[0].fetch()
    held[0].abort()
    expect(prices.nth(1)).to_be_enabled()
    page.unroute("**/bid")
    expect(page.locator("[data-notice]")).to_contain_text("bids 12")
    assert len(table.services.history.revisions(key)) == 2


def test_what_is_wrong_with_a_form_is_shown_as_a_page(page: Page, table: QuickTable) -> None:
    page.locator("summary", has_text="Set up a new game").tap()
    page.locator("input[name=name_blue]").fill("Anna")
    page.locator("input[name=name_pink]").fill("anna")
    follow(page.get_by_role("button", name="Begin"))
    expect(page.locator("[role=alert]")).to_contain_text("named twice")
    expect(page.locator("#said")).to_contain_text("named twice")


def test_a_players_open_line_stays_that_players_when_the_order_changes(
    page: Page, browser: Browser, table: QuickTable
) -> None:
    table.begin(page)
    before = page.locator("body").get_attribute("data-revision") or ""
    other = phone(browser, table.address, locale="en-GB")
    other.goto(page.url)
    page.locator(".player > summary").first.tap()
    name = page.locator(".player[open] .name").text_content() or ""
    heading = page.locator("h1").text_content()
    follow(other.locator(".prices button").first)
    expect(page.locator("body")).not_to_have_attribute("data-revision", before)
    expect(page.locator(".player[open] .name")).to_have_text(name)
    # Who bids now is read out.
    expect(page.locator("#said")).to_have_text((page.locator("h1").text_content() or "").strip())
    assert heading != page.locator("h1").text_content()
    other.context.close()


def test_an_open_hint_says_that_the_game_has_gone_on_and_thinks_no_more(
    page: Page, browser: Browser, table: QuickTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin(page)
    game = page.url
    follow(page.locator(".actions").get_by_role("link", name="Hint"))
    expect(page.get_by_role("button", name="Bid this").first).to_be_visible()
    asked: list[object] = []
    monkeypatch.setattr(Adviser, "ask", lambda *question: asked.append(question))
    other = phone(browser, table.address, locale="en-GB")
    other.goto(game)
    follow(other.locator(".prices button").first)
    expect(page.locator("h1")).to_have_text("The game has moved on since this hint.")
    expect(page.locator("#said")).to_contain_text("moved on")
    expect(page.locator("progress")).to_have_count(0)
    assert not asked
    other.context.close()
