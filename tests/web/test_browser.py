"""The table's page in a real browser: from the photo to the sheet, by touch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.web.browser import CHROMIUM, check_page, check_size, follow, phone, served_table

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.web.test_scans import coded, photo

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CUT_OFF = b"\xff\xd8\xff\xe0 no more than the beginning of a photo"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_table(tmp_path_factory.mktemp("table")) as served:
        yield served


def send(page: Page, sample: str) -> None:
    page.set_input_files("input[type=file][multiple]", SAMPLES / sample)
    page.wait_for_selector(".photo img")


def test_from_the_photo_to_the_sheet(browser: Browser, address: str) -> None:
    anna, faults = phone(browser, address, locale="en-GB"), []
    anna.on("pageerror", lambda error: faults.append(str(error)))
    anna.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    check_page(anna)

    send(anna, "start.jpg")
    check_page(anna)
    follow(anna.locator(".photo a[data-square=c3]"))
    expect(anna.locator("h1")).to_have_text("What lies on c3?")
    check_page(anna)
    follow(anna.get_by_role("link", name="Back"))
    follow(anna.get_by_role("button", name="That is the table"))

    check_page(anna)
    for place, colour in enumerate(("blue", "pink", "pink", "blue")):
        anna.locator("select[name=order]").nth(place).select_option(colour)
    for colour, name in (("blue", "Anna"), ("pink", "<i>Bo</i>")):
        anna.locator(f"input[name=plays][value={colour}]").check()
        anna.locator(f"input[name=name_{colour}]").fill(name)
    follow(anna.get_by_role("button", name="That is right"))
    expect(anna.locator("h1")).to_have_text("Anna bids")
    check_page(anna)
    game = anna.url

    bo = phone(browser, address, locale="it-IT")
    bo.goto(game)
    expect(bo.locator("h1")).to_have_text("Anna fa l’offerta")
    # Holdings: a coin more, by its picture, is seen by the other phone at once, and by no other player's phone.
    follow(anna.locator("a.player", has_text="Anna"))
    check_page(anna)
    anna.locator(".stepper", has_text="Gold coins").locator("button.picture").tap()
    follow(anna.get_by_role("button", name="Keep"))
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
    check_page(anna)
    follow(anna.get_by_role("button", name="Pause the clock"))
    expect(running).to_have_count(0)

    follow(anna.locator(".actions a.main"))
    follow(anna.get_by_role("button", name="Bid this").first)
    bids = anna.locator(".prices")
    for price in ("0", "12", "18"):
        follow(bids.get_by_role("button", name=price, exact=True))
    follow(anna.locator(".actions a.main"))
    expect(anna.locator("h2")).to_have_text(re.compile(r"^Look at [a-f][1-5]: lift its \d meeples\.$"))
    check_page(anna)
    follow(anna.get_by_role("link", name="All of it"))
    check_page(anna)
    follow(anna.get_by_role("button", name="Play this turn").first)
    assert anna.url == game
    moved = anna.locator("h1").inner_text()
    expect(anna.get_by_role("status").first).to_be_visible()
    revision = anna.locator("body").get_attribute("data-revision")
    expect(bo.locator("body")).to_have_attribute("data-revision", revision or "")
    follow(anna.locator(".actions").get_by_role("button", name="Undo"))
    expect(anna.locator("body")).not_to_have_attribute("data-revision", revision or "")
    assert anna.locator("h1").inner_text() != moved or anna.get_by_role("button", name="Redo").is_visible()

    # The same turn told by touching the board, tile after tile.
    follow(anna.get_by_role("link", name="Tell the turn"))
    check_page(anna)
    while not (play := anna.get_by_role("button", name="Play this turn")).is_visible():
        tiles = anna.locator("a.lit")
        follow(tiles.first if tiles.count() else anna.locator("a.answer:visible").first)
        check_size(anna)
    expect(anna.locator(".record")).to_contain_text(">")
    check_page(anna)
    follow(play)
    assert anna.url == game

    follow(anna.get_by_role("link", name="Points", exact=True))
    expect(anna.locator("thead")).to_contain_text("<i>Bo</i>")
    check_page(anna)
    sheet = anna.get_by_role("link", name="Score sheet (PDF)").get_attribute("href")
    assert anna.request.get(urljoin(anna.url, sheet)).body().startswith(b"%PDF")
    assert faults == []

    for path in ("", "/tiles/e3", "/players/pink", "/players", "/score"):
        bo.goto(game + path)
        check_size(bo)


def test_doubtful_tiles_are_told_one_after_the_other_and_the_rest_at_once(browser: Browser, address: str) -> None:
    page = phone(browser, address, locale="en-GB")
    send(page, "mid.jpg")
    doubtful = page.locator(".photo a.doubtful")
    waiting = doubtful.count()
    assert waiting > 3
    check_page(page)
    expect(page.locator("h1")).to_have_text(f"{waiting} tiles to look at again")
    # One is right, of one another reading is, one is told on a page of its own; each leads on to the next.
    checks = page.locator(".tile-check")
    told = page.locator(".photo a.told")

    def fewer_than(before: int) -> int:
        """What is told of one tile may settle others: what is left to look at is what the photo marks."""
        left = doubtful.count()
        expect(checks).to_have_count(left)
        assert left < before
        return left

    follow(checks.first.get_by_role("button", name="Right"))
    waiting = fewer_than(waiting)
    expect(told).to_have_count(1)
    following = checks.first.get_attribute("id")
    assert page.url.endswith(f"#{following}")
    follow(checks.last.locator("button.other").first)
    waiting = fewer_than(waiting)
    expect(told).to_have_count(2)
    follow(checks.first.get_by_role("link", name="Something else"))
    check_page(page)
    page.locator(".stepper").first.locator("button[data-step='1']").last.tap()
    follow(page.get_by_role("button", name="That is it"))
    fewer_than(waiting)
    expect(told).to_have_count(3)
    follow(page.get_by_role("button", name="All the rest is right"))
    expect(page.locator("h1")).to_have_text(re.compile("play"))


def test_a_scanned_card_begins_its_game(browser: Browser, address: str) -> None:
    page = phone(browser, address, locale="en-GB")
    page.locator("summary", has_text="Scan a set-up card").tap()
    check_size(page)
    card: FilePayload = {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": photo(coded(5))}
    page.set_input_files("form[action='/scans'] input[multiple]", card)
    expect(page.locator("h1")).to_have_text("This set-up was found")
    check_page(page)
    page.locator("input[name=name_pink]").fill("Anna")
    follow(page.get_by_role("button", name="Begin this game"))
    expect(page.locator(".player", has_text="Anna")).to_be_visible()


def test_a_photo_that_did_not_get_through_is_sent_when_the_line_is_back(browser: Browser, address: str) -> None:
    page = phone(browser, address, locale="en-GB")
    page.context.set_offline(True)
    photo: FilePayload = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": CUT_OFF}
    page.set_input_files("input[type=file][multiple]", photo)
    expect(page.locator("[data-unsent]").first).to_be_visible()
    page.context.set_offline(False)
    page.wait_for_url(re.compile("/readings/"))
    expect(page.locator("h1")).to_have_text("The photo could not be read", timeout=60_000)
    check_page(page)
