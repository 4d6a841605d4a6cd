"""How many taps and scrolls a new user needs on a phone, counted in a real browser.

    python -m tests.benchmarks.taps [--look FOLDER]   # FOLDER gets a picture of each page that was tapped

A tap on the camera counts, what the camera itself asks does not; each key of a phone's keyboard is a tap.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.rules.model.components import Colour
from tests.notation.recorded_example import THREE_ROUNDS
from tests.web.browser import chromium, served_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, ViewportSize

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SCREEN: ViewportSize = {"width": 390, "height": 844}
PATIENCE_MS = 240_000

_IS_REACHED = """one => {
  const box = one.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const there = document.elementFromPoint(x, y);
  return there !== null && (one.contains(there) || there.contains(one) || one.labels?.[0]?.contains(there) === true);
}"""
"""Whether a thumb reaches the middle of something: it is on the screen, and nothing lies over it."""


class Thumb:
    """Taps on a page, and counts; whatever isn't in reach costs a scroll."""

    def __init__(self, page: Page, look: Path | None) -> None:
        self.page = page
        self.taps = 0
        self.scrolls = 0
        self._look = look

    def tap(self, where: Locator) -> None:
        """Tap something."""
        where = where.first
        where.wait_for(state="attached")
        self._reach(where)
        where.tap()

    def follow(self, where: Locator) -> None:
        """Tap what leads to another page, and be there."""
        with self.page.expect_navigation():
            self.tap(where)

    def photograph(self, photo: Path) -> None:
        """Tap the camera, and wait until the photo is read."""
        camera = self.page.locator("form[data-upload] input[capture]").first
        self._reach(self.page.locator("label.pick:has(input[capture])").first)
        camera.set_input_files(photo)
        self.page.wait_for_url("**/readings/**")
        self.page.wait_for_selector("body:not([data-waiting])")

    def type(self, where: Locator, text: str) -> None:
        """Tap a field and type."""
        self.tap(where)
        self.keys(text)

    def keys(self, text: str) -> None:
        """Go on typing."""
        for key in text:
            self.taps += 1
            self.page.keyboard.type(key)
            # After a 1 the page waits whether another figure comes.
            if key == "1":
                self.page.wait_for_timeout(1000)

    def _reach(self, where: Locator) -> None:
        if not where.evaluate(_IS_REACHED):
            self.scrolls += 1
            where.evaluate("one => one.scrollIntoView({block: 'center'})")
        self.taps += 1
        if self._look is not None:
            self.page.screenshot(path=self._look / f"{self.taps:02}.png")


def mid_game(thumb: Thumb) -> None:
    """A photo in the middle of a game, its doubts looked through at once, and who plays next."""
    thumb.photograph(SAMPLES / "mid.jpg")
    thumb.follow(thumb.page.get_by_role("button", name="All correct"))
    thumb.follow(thumb.page.locator("button[name=to_move]"))
    _hint(thumb)


def start(thumb: Thumb) -> None:
    """A photo before the first bid, three players, their bids."""
    thumb.photograph(SAMPLES / "start.jpg")
    thumb.follow(thumb.page.get_by_role("button", name="All correct"))
    for colour in ("black", "blue", "orange"):
        thumb.follow(thumb.page.locator(f"button[value='order {colour}']"))
    thumb.follow(thumb.page.get_by_role("button", name="All correct"))
    for price in ("3", "1", "0"):
        thumb.follow(thumb.page.locator(f"button[name=price][value='{price}']"))
    _hint(thumb)


def bid(thumb: Thumb) -> None:
    """A bid on the page of a game that began."""
    _set_up(thumb.page, "start")
    thumb.follow(thumb.page.locator("button[name=price]"))


def turn(thumb: Thumb) -> None:
    """Three meeples sown to a market, where a card is bought."""
    _set_up(thumb.page, "mid")
    for square in ("d3", "c3", "c5"):
        thumb.follow(thumb.page.locator(f"a[data-square={square}]"))
    for token in ("bgg", "1"):
        thumb.follow(thumb.page.locator(f"a.answer[href$='tap={token}']"))
    thumb.follow(thumb.page.get_by_role("button", name="Play this turn"))


def clean_up(thumb: Thumb) -> None:
    """What came at the end of a round: each card and each djinn is a tap, and the last one goes on."""
    page = thumb.page
    with page.expect_navigation():
        page.locator("a[href^='/games/']").first.tap()
    with page.expect_navigation():
        page.locator("a[href$='/refill']").first.tap()
    while page.url.partition("?")[0].endswith("/refill"):
        thumb.follow(page.locator(".answer"))


def _set_up(page: Page, sample: str) -> None:
    """Begin a game in a position of the samples, uncounted."""
    position = parse_position((SAMPLES / f"{sample}.toml").read_text(encoding="utf-8"))
    page.locator("summary", has_text="Set up a new game").tap()
    for colour in Colour:
        page.locator(f"input[name=plays][value={colour}]").set_checked(colour in position.colours)
    page.locator("input[name=how][value=code]").check()
    page.locator("input[name=code]").fill(encode(position))
    with page.expect_navigation():
        page.get_by_role("button", name="Begin").tap()


def score(thumb: Thumb) -> None:
    """Points of four players without a photo: category by category, as typical games end."""
    thumb.follow(thumb.page.get_by_role("link", name="Only count points"))
    thumb.tap(thumb.page.locator("input[name=gold_black]"))
    # Gold, viziers, elders, tiles, palms, palaces: fields that are full are left by themselves.
    thumb.keys("41285533" + "3420" + "2231" + "31245028" + "2013" + "1020")
    for field in (
        "ivory_black",
        "silk_black",
        "fish_black",
        "ivory_orange",
        "spice_orange",
        "silk_blue",
        "wheat_pink",
    ):
        thumb.tap(thumb.page.locator(f"input[name='goods.{field}']"))
    for djinn, colour in (("Al-Amin", "black"), ("Boaz", "orange"), ("Enki", "blue"), ("Marid", "pink")):
        thumb.tap(thumb.page.locator(f"label:has(input[name='djinn {djinn}'][value={colour}])"))
    thumb.follow(thumb.page.get_by_role("button", name="Count and save"))
    thumb.page.wait_for_selector("table")


def _hint(thumb: Thumb) -> None:
    thumb.follow(thumb.page.locator("a.button[href*='/hint']"))
    thumb.page.wait_for_selector("body:not([data-waiting])")


@dataclass(frozen=True, slots=True)
class Row:
    """Something that people do, how, and how many taps it may take."""

    name: str
    walk: Callable[[Thumb], None]
    goal: int
    record: str = ""
    """A game that is in the history already."""


_GAME = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
_REFILL = next(number for number, line in enumerate(_GAME) if line.startswith("refill"))
ROUND, CAME = _GAME[:_REFILL], len(_GAME[_REFILL].split(","))

ROWS = (
    Row("photo in mid-game, to the first hint", mid_game, 4),
    Row("photo of a start, three players, to the first turn's hint", start, 12),
    Row("a bid", bid, 1),
    Row("a turn of three meeples, with a card bought", turn, 6),
    Row(f"a clean-up of {CAME} cards and djinns", clean_up, CAME, "".join(ROUND)),
    Row("four-player score without photo", score, 60),
)


def walked(browser: Browser, address: str, row: Row, look: Path | None) -> Thumb:
    """A new user's phone after a walk."""
    context = browser.new_context(viewport=SCREEN, has_touch=True, is_mobile=True, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(lambda url: "/k/" not in url)
    page.goto(address.partition("/k/")[0])
    if look is not None:
        look = look / row.walk.__name__
        look.mkdir(parents=True, exist_ok=True)
    thumb = Thumb(page, look)
    row.walk(thumb)
    context.close()
    return thumb


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look", type=Path, metavar="FOLDER")
    look = parser.parse_args(arguments).look
    print(f"{'':58} taps  goal  scrolls")
    for row in ROWS:
        # Each in a house of its own: a game that goes on would stand first on the next one's page.
        with (
            tempfile.TemporaryDirectory() as folder,
            served_table(Path(folder) / "table", record=row.record) as address,
            sync_playwright() as playwright,
        ):
            browser = chromium(playwright)
            thumb = walked(browser, address, row, look)
            browser.close()
        print(f"{row.name:58} {thumb.taps:4}  {row.goal:4}  {thumb.scrolls:7}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
