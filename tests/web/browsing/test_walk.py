"""The table's page in a real browser: from the photo to the points by touch; and what only a browser can get wrong."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from companion.inputs import LIMITS
from companion.language.phrase import say
from companion.web.store.sessions import COOKIE, read_session
from tests.web.at_table import JPEG, KEY
from tests.web.browser import (
    CHROMIUM,
    LAN_NAME,
    QuickTable,
    check_page,
    check_size,
    follow,
    phone,
    served_table,
)

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium-headless-shell) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, Error, FilePayload, Page, expect

from tests.web.screens import MAX_APART, SCREENS, apart, kept_screen, taken

PHOTO: FilePayload = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": JPEG + b"x" * 300_000}

SWIPED = """for (const [news, x] of [["touchstart", 300], ["touchend", 100]]) {
  const target = document.querySelector(".board svg");
  const touch = new Touch({ identifier: 1, target, clientX: x, clientY: 200 });
  const touches = news === "touchstart" ? [touch] : [];
  target.dispatchEvent(new TouchEvent(news, { touches, changedTouches: [touch], bubbles: true }));
}"""
"""A finger goes over the board to the left."""


def choose(page: Page, photo: FilePayload = PHOTO) -> None:
    page.set_input_files("input[type=file][multiple]", photo)


def test_from_the_photo_to_the_points(browser: Browser, table: QuickTable) -> None:
    anna, faults = phone(browser, table.address, locale="en-GB"), list[str]()
    anna.on("pageerror", lambda error: faults.append(str(error)))
    anna.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    check_page(anna)
    choose(anna)
    expect(anna.locator("h1")).to_have_text("Please check 2 tiles")
    check_page(anna, contrast=True)
    follow(anna.locator("#a1 .offer").last)
    expect(anna.locator("h1")).to_have_text("Please check 1 tile")
    expect(anna.locator("#a1 .offer").last).to_have_class(re.compile("current"))
    # What was said can be changed where it was said.
    follow(anna.locator("#a1 .offer").first)
    follow(anna.get_by_role("button", name="All correct"))
    check_page(anna)
    follow(anna.get_by_role("button", name="Two players"))
    for colour, name in (("blue", "Anna"), ("pink", "<i>Bo</i>")):
        anna.locator(f"input[name=name_{colour}]").fill(name)
    for colour in ("blue", "pink", "pink", "blue"):
        follow(anna.locator(f"button[value='order {colour}']").first)
    follow(anna.get_by_role("button", name="All correct"))
    expect(anna.locator("h1")).to_have_text("Anna bids")
    game = anna.url

    bo = phone(browser, table.address, locale="it-IT")
    bo.goto(game)
    expect(bo.locator("h1")).to_have_text("Anna fa l’offerta")
    # Holdings: a coin more, by its picture, is seen by the other phone at once, and by no other player's phone.
    anna.locator(".player > summary", has_text="Anna").tap()
    follow(anna.get_by_role("link", name="Change"))
    anna.locator(".piece", has_text="Gold coins").locator("button.picture").tap()
    follow(anna.get_by_role("button", name="Save"))
    gold = bo.locator(".player", has_text="Anna").locator("dd").first
    expect(gold).to_have_text("51")
    bo.locator(".menu > summary").tap()
    follow(bo.get_by_role("button", name="<i>Bo</i>"))
    expect(gold).to_contain_text("?")

    # A clock that one phone starts runs on the other.
    anna.locator(".menu > summary").tap()
    follow(anna.get_by_role("button", name="Start the clock"))
    running = bo.locator(".clock-bar [data-clock]")
    expect(running).not_to_have_text("0:00")
    check_page(anna, contrast=True)
    follow(anna.get_by_role("button", name="Pause the clock"))
    expect(running).to_have_count(0)
    bo.context.close()

    follow(anna.locator(".actions").get_by_role("link", name="Hint"))
    expect(anna.locator(".board svg")).to_be_in_viewport()
    follow(anna.get_by_role("button", name="Bid this").first)
    for _ in range(3):
        expect(anna.locator(".prices button").last).to_be_in_viewport()
        follow(anna.locator(".prices button:enabled").last)
    follow(anna.locator(".actions").get_by_role("link", name="Hint"))
    expect(anna.locator("h2")).to_have_text(re.compile(r"^Look at [a-f][1-5]"))
    follow(anna.get_by_role("link", name="All of it"))
    check_page(anna)
    # Its turns are turned over like pages.
    with anna.expect_navigation():
        anna.evaluate(SWIPED)
    expect(anna.locator(".now")).to_contain_text("2 of")
    follow(anna.locator("a[rel=prev]"))
    follow(anna.get_by_role("button", name="Play this turn"))
    assert anna.url == game
    revision = anna.locator("body").get_attribute("data-revision") or ""
    follow(anna.locator(".actions").get_by_role("button", name="Undo"))
    expect(anna.locator("body")).not_to_have_attribute("data-revision", revision)
    anna.locator(".panel > summary").last.tap()
    follow(anna.get_by_role("link", name="Points", exact=True))
    expect(anna.locator("thead")).to_contain_text("<i>Bo</i>")
    check_page(anna)
    assert faults == []


def test_a_notice_comes_to_a_home_network_and_goes(browser: Browser, table: QuickTable) -> None:
    """Browsers send no Sec-Fetch headers to a plain http:// address that is not their own machine's."""
    page = phone(browser, table.address.replace("127.0.0.1", LAN_NAME), locale="en-GB")
    sent: list[str] = []
    page.on("request", lambda request: sent.extend(request.all_headers()))
    table.begin(page, table.home.replace("127.0.0.1", LAN_NAME))
    game, notice = page.url, page.locator("[data-notice]")
    follow(page.locator(".prices button").first)
    expect(notice).to_contain_text("bids 18")
    assert "cookie" in sent and not [name for name in sent if name.startswith("sec-fetch")]
    assert notice.bounding_box()["y"] + notice.bounding_box()["height"] <= page.locator("main").bounding_box()["y"]  # type: ignore[index]
    # Another phone's change is fetched by the page itself: nothing of this phone's is undone any more, and what waits
    # for its next page still does.
    (cookie,) = (one["value"] for one in page.context.cookies() if one["name"] == COOKIE)
    session = read_session(cookie, KEY)
    assert session is not None
    table.services.notify(session.device, say("This waits."))
    other = phone(browser, table.address, locale="en-GB")
    other.goto(game.replace(LAN_NAME, "127.0.0.1"))
    expect(notice.get_by_role("button", name="Undo")).to_be_visible()
    follow(other.locator(".prices button:enabled").first)
    expect(page.locator("body")).to_have_attribute(
        "data-revision", other.locator("body").get_attribute("data-revision") or ""
    )
    expect(notice).to_contain_text("bids 18")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    page.clock.install()
    page.goto(game)
    expect(notice).to_contain_text("This waits.")
    notice.dispatch_event("pointerenter")
    page.clock.fast_forward(20_000)
    expect(notice).to_be_visible()
    notice.dispatch_event("pointerleave")
    page.clock.fast_forward(20_000)
    expect(notice).to_have_count(0)
    table.services.notify(session.device, say("This is closed."))
    page.goto(game)
    notice.get_by_role("link", name="Close").tap()
    expect(notice).to_have_count(0)
    page.context.close()
    other.context.close()


@pytest.mark.slow
def test_a_photo_that_did_not_get_through_is_sent_when_the_network_is_back(browser: Browser, table: QuickTable) -> None:
    page = phone(browser, table.address, locale="en-GB")
    page.context.set_offline(True)
    choose(page)
    expect(page.locator("[data-unsent]").first).to_be_visible()
    # Leaving now would lose it, which the browser asks about.
    assert page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    page.context.set_offline(False)
    page.wait_for_url(re.compile("/readings/"))
    page.context.close()


@pytest.mark.slow
def test_what_is_too_much_is_said_before_it_is_sent(browser: Browser, table: QuickTable, tmp_path: Path) -> None:
    page = phone(browser, table.address, locale="en-GB")
    choose(page, {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    expect(page.locator("[data-unsent]").first).to_contain_text("a PDF")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    for sizes, words in (
        ([LIMITS.photo_bytes + 1], "A photo can have at most 80 MB"),
        ([60_000_000, 60_000_000], "All photos together can have at most 100 MB"),
        ([1000] * (LIMITS.photos + 1), "You can send at most 8 photos at once"),
    ):
        paths = [tmp_path / f"{number}.jpg" for number in range(len(sizes))]
        for path, size in zip(paths, sizes, strict=True):
            path.write_bytes(JPEG)
            os.truncate(path, size)
        field = page.locator("form[data-upload] input[multiple]").first
        field.set_input_files(paths)
        told = page.locator("[data-over]:visible")
        expect(told).to_contain_text(words)
        assert told.count() == 1 and "POST" not in sent and field.input_value() == ""
        # Nothing waits to be sent.
        assert page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    page.context.close()


HIDDEN = """hidden => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What a browser does when another tab is looked at; without a screen it takes all tabs for looked at."""

TABS = 9
"""More than the lines that a browser has to one server."""


@pytest.mark.slow
def test_tabs_that_nobody_looks_at_hold_no_lines_and_miss_nothing(browser: Browser, table: QuickTable) -> None:
    first = phone(browser, table.address, locale="en-GB")
    table.begin(first)
    game, before = first.url, first.locator("body").get_attribute("data-revision")
    last = first
    for _ in range(TABS):
        last.evaluate(HIDDEN, True)
        last = first.context.new_page()
        last.goto(game)
    follow(last.locator(".prices button").nth(2))
    after = last.locator("body").get_attribute("data-revision") or ""
    assert after != before == first.locator("body").get_attribute("data-revision")
    first.evaluate(HIDDEN, False)
    expect(first.locator("body")).to_have_attribute("data-revision", after)
    first.context.close()


@pytest.mark.slow
def test_pages_look_as_they_were_approved(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path / "table") as address:
        found = taken(browser, address)
    far = {screen.name: apart(picture, kept_screen(screen)) for screen, picture in found.items()}
    assert max(far.values()) < MAX_APART, f"{far}; look at them: python -m tests.web.screens --look FOLDER"
    # The limit tells pages from one another, and light from dark.
    others = [apart(picture, kept_screen(other)) for one, picture in found.items() for other in SCREENS if one != other]
    assert min(others) > 1.4 * MAX_APART


# What makes pages burst: names without a space, letters of twice the size, long sentences that pass by.

LONG_NAME = "W" * 60

_CUT = """[...document.querySelectorAll("main, main *, nav *, .notice, .notice *")]
  .filter(one => one.clientWidth > 1 && !one.closest(".scroll, .plot, .unseen, svg, select, input"))
  .filter(one => !one.matches(".board-part, .table-top") && !one.closest("details:not([open]) > :not(summary)"))
  .filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.outerHTML.slice(0, 100)}: ${one.scrollWidth} in ${one.clientWidth}`)"""
"""Whatever is wider than the room that it has; a board may be, by its own margins."""

_BROKEN = """(() => {
  const broken = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const word of text.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
      if (lines.size > 1 && word[0].length < 30) broken.push(word[0]);
    }
  return broken;
})()"""
"""The words that run on in another line, those of a name that fits in none aside; none is hyphenated here."""


def begin(page: Page, name: str) -> str:
    """A game of two with names as long as this one; its address."""
    page.goto(page.url.removesuffix("who"))
    page.locator(".set-up").evaluate("form => form.closest('details').open = true")
    for colour, called in (("blue", name), ("pink", f"{name[:-1]}o")):
        page.locator(f"input[name=name_{colour}]").fill(called)
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
    # A page that waits for an answer is loaded anew by itself once it is there.
    page.wait_for_selector("body:not([data-waiting])")


def places(game: str) -> list[str]:
    """The pages that show names, and those that are fullest."""
    home = game.partition("/games/")[0]
    below = ("", "/players", "/players/blue", "/score", "/bid", "/tiles/c3")
    return [f"{home}/", f"{home}/history", *(game + one for one in below)]


@pytest.mark.slow
def test_names_without_a_space_and_letters_of_twice_the_size_stay_on_the_phone(
    browser: Browser, table: QuickTable
) -> None:
    for locale, name in (("en-GB", LONG_NAME), ("it-IT", "Anna"), ("ru-RU", "Anna")):
        page = phone(browser, table.address, locale=locale)
        for place in places(begin(page, name)):
            visit(page, place)
            check_size(page)
            if name != LONG_NAME:
                assert page.evaluate(_BROKEN) == [], place
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                assert page.evaluate("document.documentElement.scrollWidth") <= 360, place
                assert page.evaluate(_CUT) == [], place
