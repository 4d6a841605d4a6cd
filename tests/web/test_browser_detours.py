"""Ways through the page that nobody plans: reloaded, gone back, without a network, two phones at one thing."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.history.database import open_history
from companion.history.kept import GameKey
from companion.inputs import LIMITS
from companion.progress import TellShare
from companion.rules.model.components import Colour
from companion.table.games import open_table
from companion.table.photos import SeenTable
from companion.web.advising import Adviser
from companion.web.events import EventHub
from companion.web.photos import PhotoJobs
from companion.web.services import Services
from companion.web.worker import Worker
from tests.web.at_table import JPEG, KEY, NOW, seen_start
from tests.web.browser import CHROMIUM, answering, follow, phone
from tests.web.wire import Wire

if CHROMIUM is None:
    pytest.skip("Chromium (Debian: chromium) is not installed", allow_module_level=True)

from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.web.screens import MOST_APART, SCREENS, apart, kept_screen, taken

pytestmark = pytest.mark.slow

PHOTO: FilePayload = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": JPEG + b"x" * 300_000}
FEW = 6
"""Playouts of a hint."""

READ = threading.Event()
"""Photos are read when this is set."""


def see_when_let(files: list[str], own_set: bool, board: str, tell: TellShare) -> SeenTable:
    """The start of the samples, when the test wants it to be read."""
    tell(0.3, "looking")
    assert READ.wait(30)
    return seen_start(files, own_set, board, tell)


class ThreadWorker(Worker):
    """Does jobs in another thread of this process."""

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        module, _, name = job.partition(":")
        function: Callable[..., Any] = getattr(__import__(module, fromlist=[name]), name)
        return await asyncio.to_thread(function, *arguments, tell)


@dataclass(frozen=True)
class QuickTable:
    """A served table whose photos are read when `READ` says so."""

    address: str
    services: Services
    photos: Path

    @property
    def home(self) -> str:
        return self.address.partition("/k/")[0] + "/"

    def revisions(self) -> list[int]:
        """How many revisions each game has."""
        history = self.services.history
        return [len(history.revisions(game.key)) for game in history.games()]

    def begin(self, page: Page) -> GameKey:
        """A game of two whose bids are open."""
        known = {game.key for game in self.services.history.games()}
        page.goto(self.home)
        page.locator("summary", has_text="Set up a new game").tap()
        for colour, name in (("blue", "Anna"), ("pink", "Bo")):
            page.locator(f"input[name=name_{colour}]").fill(name)
        follow(page.get_by_role("button", name="Begin"))
        (key,) = {game.key for game in self.services.history.games()} - known
        return key

    def gold(self, key: GameKey, colour: Colour) -> int | None:
        return open_table(self.services.history.current(key).text).position.player(colour).gold


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuickTable]:
    folder = tmp_path_factory.mktemp("quick")
    hub, worker = EventHub(), ThreadWorker("thread")
    services = Services(
        KEY,
        open_history(folder / "games.sqlite3", now=lambda: NOW),
        PhotoJobs(folder / "photos", worker, hub, see="tests.web.test_browser_detours:see_when_let", own_set=False),
        Adviser(worker, hub, playouts=FEW),
        hub,
        (),
        now=lambda: NOW,
        clock=time.monotonic,
        random=Random(7),
    )
    with answering(services) as address:
        yield QuickTable(address, services, folder / "photos")


def seen(page: Page) -> tuple[str, str, str | None]:
    """What tells one page from another."""
    return page.url, page.locator("h1").inner_text(), page.locator("body").get_attribute("data-revision")


def reload(page: Page, table: QuickTable) -> None:
    """Load the page anew: it is the same, and nothing has changed by that."""
    before, kept = seen(page), table.revisions()
    answer = page.reload()
    assert answer is not None and answer.ok
    assert seen(page) == before and table.revisions() == kept


def choose(page: Page, photo: FilePayload = PHOTO) -> None:
    page.set_input_files("input[type=file][multiple]", photo)


def test_every_step_can_be_loaded_anew(browser: Browser, table: QuickTable) -> None:
    READ.clear()
    page = phone(browser, table.address, locale="en-GB")
    reload(page, table)
    choose(page)
    page.wait_for_url(re.compile("/readings/"))
    expect(page.locator("h1")).to_have_text("Reading the photo")
    reload(page, table)
    READ.set()
    expect(page.locator("h1")).to_have_text("2 tiles to look at again")
    reload(page, table)
    follow(page.locator(".photo a[data-square=c3]"))
    reload(page, table)
    follow(page.locator(".offer").first)
    expect(page.locator("h1")).to_have_text("1 tile to look at again")
    reload(page, table)
    follow(page.get_by_role("button", name="All the rest is right"))
    reload(page, table)
    for place, colour in enumerate(("blue", "pink", "pink", "blue")):
        page.locator("select[name=order]").nth(place).select_option(colour)
    for colour in ("blue", "pink"):
        page.locator(f"input[name=plays][value={colour}]").check()
    follow(page.get_by_role("button", name="That is right"))
    reload(page, table)
    for price in ("3", "0", "12", "18"):
        follow(page.locator(".prices").get_by_role("button", name=price, exact=True))
    reload(page, table)
    follow(page.locator(".actions a.main"))
    page.wait_for_selector("h2")
    reload(page, table)
    follow(page.get_by_role("link", name="All of it"))
    reload(page, table)
    follow(page.get_by_role("button", name="Play this turn").first)
    reload(page, table)
    follow(page.get_by_role("link", name="Points", exact=True))
    reload(page, table)
    page.context.close()


def test_back_shows_the_table_as_it_is_now_and_changes_nothing_twice(browser: Browser, table: QuickTable) -> None:
    READ.set()
    page = phone(browser, table.address, locale="en-GB")
    games = len(table.revisions())
    choose(page)
    page.wait_for_selector(".photo img")
    follow(page.get_by_role("button", name="Take it as it is"))
    players = page.url
    page.go_back()
    expect(page.locator("h1")).to_have_text("2 tiles to look at again")
    follow(page.get_by_role("button", name="Take it as it is"))
    assert page.url == players and len(table.revisions()) == games + 1

    key = table.begin(page)
    game = page.url
    follow(page.locator("a.player", has_text="Anna"))
    gold = page.locator("input[name=gold]")
    gold.fill("41")
    follow(page.get_by_role("button", name="Keep"))
    page.go_back()
    expect(gold).to_have_value("41")
    page.go_back()
    assert page.url == game
    expect(page.locator(".player", has_text="Anna").locator("dd").first).to_have_text("41")
    page.go_forward()
    gold.fill("42")
    follow(page.get_by_role("button", name="Keep"))
    assert table.gold(key, Colour.BLUE) == 42
    follow(page.locator(".prices").get_by_role("button", name="3", exact=True))
    kept = table.revisions()
    page.go_back()
    expect(page.locator("body")).to_have_attribute("data-revision", str(table.services.history.current(key).number))
    assert table.revisions() == kept
    page.context.close()


def test_a_network_that_goes_in_the_middle_of_an_upload_loses_no_photo(browser: Browser, table: QuickTable) -> None:
    READ.set()
    known = set(table.photos.iterdir()) if table.photos.exists() else set()
    port = int(table.home.split(":")[2].rstrip("/"))
    with Wire(port) as wire:
        page = phone(browser, table.address.replace(str(port), str(wire.port)), locale="en-GB")
        wire.cut_after(len(PHOTO["buffer"]) // 2)
        choose(page)
        expect(page.locator("[data-unsent]").first).to_be_visible()
        expect(page.get_by_role("button", name="Send the photos").first).to_be_visible()
        # Leaving now would lose it, which the browser asks about.
        assert page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
        assert wire.is_cut and set(table.photos.iterdir() if table.photos.exists() else ()) == known
        page.context.set_offline(True)
        wire.mend()
        # It goes by itself as soon as there is a network again, and only once.
        page.context.set_offline(False)
        page.wait_for_url(re.compile("/readings/"))
        expect(page.locator("h1")).to_have_text("2 tiles to look at again")
        (new,) = set(table.photos.iterdir()) - known
        assert (new / "1.photo").read_bytes() == PHOTO["buffer"]
        page.context.close()


def test_a_photo_that_is_refused_says_why_and_is_not_held_on_to(browser: Browser, table: QuickTable) -> None:
    page = phone(browser, table.address, locale="en-GB")
    choose(page, {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    expect(page.locator("[data-unsent]").first).to_contain_text("a PDF")
    assert page.get_by_role("button", name="Send the photos").first.is_hidden()
    assert page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    page.context.close()


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([LIMITS.photo_bytes + 1], "A photo may have 80 MB"),
        ([60_000_000, 60_000_000], "All photos together may have 100 MB"),
        ([1000] * (LIMITS.photos + 1), "At most 8 photos go together"),
    ],
)
def test_what_is_too_much_is_said_before_it_is_sent(
    browser: Browser, table: QuickTable, tmp_path: Path, sizes: list[int], said: str
) -> None:
    page = phone(browser, table.address, locale="en-GB")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    paths = [tmp_path / f"{number}.jpg" for number in range(len(sizes))]
    for path, size in zip(paths, sizes, strict=True):
        path.write_bytes(JPEG)
        os.truncate(path, size)
    field = page.locator("form[data-upload] input[multiple]").first
    field.set_input_files(paths)
    told = page.locator("[data-over]:visible")
    expect(told).to_contain_text(said)
    assert told.count() == 1 and "POST" not in sent and field.input_value() == ""
    # Nothing waits to be sent, and another photo goes.
    assert page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    choose(page)
    page.wait_for_url(re.compile("/readings/"))
    page.context.close()


def test_two_phones_at_one_thing_the_second_is_told_and_nothing_is_lost(browser: Browser, table: QuickTable) -> None:
    anna, bo = (phone(browser, table.address, locale="en-GB") for _ in range(2))
    key = table.begin(anna)
    game = anna.url
    for page in (anna, bo):
        page.goto(f"{game}/players/pink")
    anna.locator("input[name=gold]").fill("11")
    follow(anna.get_by_role("button", name="Keep"))
    bo.locator("input[name=gold]").fill("22")
    follow(bo.get_by_role("button", name="Keep"))
    expect(bo.get_by_role("alert")).to_contain_text("was changed meanwhile")
    expect(bo.locator("input[name=gold]")).to_have_value("22")
    assert table.gold(key, Colour.PINK) == 11
    follow(bo.get_by_role("button", name="Keep"))
    assert table.gold(key, Colour.PINK) == 22
    # What others change while somebody types is told, and what he types stays.
    bo.goto(game)
    anna.goto(f"{game}/players/blue")
    anna.locator("input[name=gold]").fill("33")
    follow(anna.get_by_role("button", name="Keep"))
    expect(bo.locator(".player", has_text="Anna").locator("dd").first).to_have_text("33")
    for page in (anna, bo):
        page.context.close()


HIDDEN = """hidden => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What a browser does when another tab is looked at; without a screen it takes all tabs for looked at."""

TABS = 9
"""More than the lines that a browser has to one server."""


def test_tabs_that_nobody_looks_at_hold_no_lines_and_miss_nothing(browser: Browser, table: QuickTable) -> None:
    first = phone(browser, table.address, locale="en-GB")
    table.begin(first)
    game, before = first.url, seen(first)
    last = first
    for _ in range(TABS):
        last.evaluate(HIDDEN, True)
        last = first.context.new_page()
        last.goto(game)
    follow(last.locator(".prices button").nth(2))
    after = seen(last)
    assert after != before and seen(first) == before
    first.evaluate(HIDDEN, False)
    expect(first.locator("body")).to_have_attribute("data-revision", str(after[2]))
    assert seen(first) == after
    first.context.close()


def test_pages_look_as_they_were_approved(browser: Browser, table: QuickTable) -> None:
    found = taken(browser, table.address)
    far = {screen.name: apart(picture, kept_screen(screen)) for screen, picture in found.items()}
    assert max(far.values()) < MOST_APART, f"{far}; look at them: python -m tests.web.screens --look FOLDER"
    # The limit tells pages from one another, and light from dark.
    others = [apart(picture, kept_screen(other)) for one, picture in found.items() for other in SCREENS if one != other]
    assert min(others) > 1.4 * MOST_APART
