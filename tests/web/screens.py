"""How pages look, small and grey, as somebody has approved them: what a test compares pages with.

    python -m tests.web.screens --look FOLDER     # the pages as they are now, whole, to be looked at
    python -m tests.web.screens --approve         # keep them as they are now

Kept are pictures of a quarter of the size in sixteen greys: letters are blurred in them, so that other fonts pass; what
moves, vanishes or changes its colour does not.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from PIL import Image

from tests.web.browser import begin_mid, chromium, phone, served_table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser

KEPT = Path(__file__).with_name("screens")
SMALLER = 4
GREYS = 16
CELL_PX = 9
"""Side of the squares of a small picture whose means are compared; 36 px on the phone."""

MAX_APART = 20.0
"""How far two pictures of a page may be apart, by `apart`: letters with serifs make 10, another page 35 at least."""


@dataclass(frozen=True)
class Screen:
    """A page to look at: its address below the game, where there is one, and the phone's colours."""

    name: str
    path: str | None
    scheme: Literal["light", "dark"] = "light"


SCREENS = (
    Screen("home", None),
    Screen("game", ""),
    Screen("game-dark", "", "dark"),
    Screen("tile", "/tiles/c3"),
    Screen("score", "/score"),
)


def taken(browser: Browser, address: str) -> dict[Screen, Image.Image]:
    """The pages now, as a phone shows their upper ends; the game that they need is begun."""
    page = phone(browser, address, locale="en-GB")
    found = {}
    game = ""
    for screen in SCREENS:
        page.emulate_media(color_scheme=screen.scheme)
        if screen.path is not None:
            game = game or begin_mid(page)
            page.goto(game + screen.path)
        shown = page.screenshot(animations="disabled")
        found[screen] = Image.open(io.BytesIO(shown)).convert("RGB")
    page.context.close()
    return found


def small(picture: Image.Image) -> Image.Image:
    """A picture as it is kept."""
    side = (picture.width // SMALLER, picture.height // SMALLER)
    grey = picture.convert("L").resize(side, Image.Resampling.BOX)
    step = 256 // GREYS
    return grey.point(lambda value: int(value) // step * step + step // 2)


def kept_screen(screen: Screen) -> Image.Image:
    """The picture of a page that was approved."""
    with Image.open(KEPT / f"{screen.name}.png") as kept:
        return kept.convert("L")


def apart(found: Image.Image, kept: Image.Image) -> float:
    """How far a page is from a kept picture of it: the mean difference of its worst squares, a twentieth of all."""
    now, then = _cells(small(found)), _cells(kept)
    if now.shape != then.shape:
        return 255.0
    difference = np.sort(np.abs(now - then), axis=None)
    return float(difference[-max(1, len(difference) // 20) :].mean())


def _cells(picture: Image.Image) -> NDArray[np.float64]:
    """The mean grey of each square."""
    pixels = np.asarray(picture, float)
    rows, columns = (side // CELL_PX for side in pixels.shape)
    return pixels[: rows * CELL_PX, : columns * CELL_PX].reshape(rows, CELL_PX, columns, CELL_PX).mean(axis=(1, 3))


def main(arguments: list[str] | None = None) -> int:
    """Take all pages; show how far each is from the approved one, and write or approve them as is wanted."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look", type=Path, metavar="FOLDER")
    parser.add_argument("--approve", action="store_true")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        served_table(Path(folder) / "table") as address,
        sync_playwright() as playwright,
    ):
        browser = chromium(playwright)
        found = taken(browser, address)
        browser.close()
    for screen, picture in found.items():
        if options.look is not None:
            options.look.mkdir(exist_ok=True, parents=True)
            picture.save(options.look / f"{screen.name}.png")
        if options.approve:
            KEPT.mkdir(exist_ok=True)
            small(picture).quantize(GREYS).save(KEPT / f"{screen.name}.png", optimize=True)
        print(f"{screen.name}: {apart(picture, kept_screen(screen)):.1f} of {MAX_APART:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
