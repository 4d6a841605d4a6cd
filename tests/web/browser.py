"""A table in a real browser: the server in this process, phones that touch, and what is asked of every page."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Playwright, ViewportSize

from companion.history.database import open_history
from companion.history.saved import GameKey
from companion.notation.codes import encode
from companion.rules.model.components import Colour
from companion.system.progress import TellShare
from companion.web.pages.addresses import HostNames
from companion.web.server.app import table_app
from companion.web.server.serving import TableServer, server_config
from companion.web.store.adviser import Adviser
from companion.web.store.services import Services, table_services
from companion.web.store.worker import Worker
from tests.web.at_table import KEY, MID, NOW, services_of

PLAYOUTS = 60
FEW = 6
"""Playouts of a quick table's hint."""

PHONE: ViewportSize = {"width": 360, "height": 740}
LAN_NAME = "table.lan"
"""A name of this machine that browsers take for another one's."""

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
"""Debian's shell takes half of what the whole browser does, which draws for a screen that isn't there."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1",
)
PATIENCE_MS = 60_000
"""How long a page is waited for: machines that test are busy."""

MIN_TARGET_PX = 44
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_SEEN_BY_AXE = "{exclude: [['svg g[aria-hidden=true]'], ['defs']]}"
"""All but what is drawn of boards: thousands of shapes without a text, which takes axe seconds."""

_TOO_SMALL = """least => [...document.querySelectorAll(
    "button, a.button, summary, select, input:not([type=hidden]), a.tile rect")]
  .map(one => [one, (one.matches("[type=checkbox], [type=radio], [type=file]") ? one.closest("label") : one)
    .getBoundingClientRect()])
  .filter(([one, box]) => box.width && box.height && (box.height < least - 0.5 || box.width < least - 0.5))
  .map(([one, box]) => `${one.outerHTML.slice(0, 120)}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


@contextmanager
def served_table(folder: Path, playouts: int = PLAYOUTS) -> Iterator[str]:
    """A table with real photos read and hints thought about for so long; the address that lets phones in."""
    folder.mkdir(exist_ok=True)
    services = table_services(
        key=KEY,
        history=open_history(folder / "games.sqlite3", now=lambda: NOW),
        photos=folder / "photos",
        now=lambda: NOW,
        clock=time.monotonic,
        random=Random(7),
    )
    services = replace(services, adviser=Adviser(services.workers[1], services.hub, playouts=playouts))
    with answering(services) as address:
        yield address


class ThreadWorker(Worker):
    """Does jobs in another thread of this process."""

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        module, _, name = job.partition(":")
        function: Callable[..., Any] = getattr(__import__(module, fromlist=[name]), name)
        return await asyncio.to_thread(function, *arguments, tell)


@dataclass(frozen=True)
class QuickTable:
    """A served table that reads the start of the samples in every photo."""

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

    def begin(self, page: Page, home: str = "") -> GameKey:
        """A game of two whose bids are open."""
        known = {game.key for game in self.services.history.games()}
        page.goto(home or self.home)
        page.locator("summary", has_text="Set up a new game").tap()
        for colour, name in (("blue", "Anna"), ("pink", "Bo")):
            page.locator(f"input[name=name_{colour}]").fill(name)
        follow(page.get_by_role("button", name="Begin"))
        (key,) = {game.key for game in self.services.history.games()} - known
        return key


@contextmanager
def quick_table(folder: Path, *, see: str = "tests.web.at_table:seen_start") -> Iterator[QuickTable]:
    """A table that reads and thinks in threads of this process; `see` is what reads its photos."""
    services = services_of(folder, ThreadWorker("thread"), clock=time.monotonic, playouts=FEW, see=see)
    with answering(services) as address:
        yield QuickTable(address, services, folder / "photos")


@contextmanager
def answering(services: Services) -> Iterator[str]:
    """Pages answered from another thread until this is left; the address that lets phones in."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = TableServer(
        server_config(table_app(services, names=HostNames(frozenset(), others=frozenset({LAN_NAME})))),
        services.hub.close,
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/k/{services.key}"
    finally:
        server.handle_exit(signal.SIGINT, None)
        thread.join(timeout=20)
        listening.close()


def chromium(playwright: Playwright) -> Browser:
    """Chromium, with the flags that a machine without a screen asks for."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))


def phone(browser: Browser, address: str, **options: Any) -> Page:
    """A phone that has come in by the address; a fault of its scripts fails the test that looks at `faults`."""
    context: BrowserContext = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, **options)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    come_in(page, address)
    return page


def come_in(page: Page, address: str) -> None:
    """Let a phone in by the address, to the first page."""
    page.goto(address)
    page.wait_for_url(lambda url: "/k/" not in url)
    if page.url.endswith("/who"):
        # Games go on here: whose phone it is matters to none of these walks.
        page.goto(address.partition("/k/")[0])


def follow(where: Locator) -> None:
    """Touch what leads to another page, and be there."""
    # A page that waits for an answer is loaded anew by itself first.
    where.wait_for()
    with where.page.expect_navigation():
        where.tap()


@cache
def _axe() -> str:
    return (Path(__file__).with_name("axe") / "axe.min.js").read_text(encoding="utf-8")


def begin_mid(page: Page, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """A game that begins in the middle of the samples, always the same, from the first page; its address."""
    page.locator("summary", has_text="Set up a new game").tap()
    for colour in Colour:
        page.locator(f"input[name=plays][value={colour.value}]").set_checked(colour in MID.colours)
        page.locator(f"input[name=name_{colour.value}]").fill(names.get(colour, ""))
    page.locator("input[name=how][value=code]").check()
    page.locator("input[name=code]").fill(encode(MID))
    follow(page.get_by_role("button", name="Begin"))
    return page.url.removesuffix("/players")


def check_size(page: Page) -> None:
    """Nothing of a page is cut off or too small to touch, whatever its language."""
    assert _evaluated(page, "document.documentElement.scrollWidth <= innerWidth"), f"{page.url} is wider than the phone"
    assert _evaluated(page, _TOO_SMALL, MIN_TARGET_PX) == [], page.url


def _evaluated(page: Page, script: str, argument: object = None) -> object:
    """What a script says of a page, which may just be loading anew because something changed at the table."""
    try:
        return page.evaluate(script, argument)
    except Error:
        page.wait_for_load_state()
        page.locator("body").wait_for()
        return page.evaluate(script, argument)


contrast_everywhere = False
"""Whether contrast is looked at on every page, which takes most of axe's time; `--all` asks for it."""


def check_page(page: Page, *, contrast: bool = False) -> None:
    """What holds for every page: axe finds nothing; nothing is cut off or too small to touch.

    With `contrast`, letters stand out in light and dark. Sizes are not left to axe, which is content with less.
    """
    check_size(page)
    page.evaluate(_axe())
    found = page.evaluate(
        f"tags => axe.run({_SEEN_BY_AXE}, {{runOnly: tags, resultTypes: ['violations'],"
        " rules: {'color-contrast': {enabled: false}, 'target-size': {enabled: false}}})"
        ".then(all => all.violations.map(one => [one.id, one.help, ...one.nodes.slice(0, 3).map(node => node.html)]))",
        _TAGS,
    )
    assert found == [], page.url
    for scheme in ("light", "dark") if contrast or contrast_everywhere else ():
        page.emulate_media(color_scheme=scheme)
        faint = page.evaluate(
            f"axe.run({_SEEN_BY_AXE}, {{runOnly: {{type: 'rule', values: ['color-contrast']}}}})"
            ".then(all => all.violations.flatMap(one => one.nodes.map(node => node.html)))"
        )
        assert faint == [], f"{page.url} in the {scheme}"
    page.emulate_media(color_scheme="light")
