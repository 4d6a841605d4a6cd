"""The README's picture of the phone page: four screens side by side, `python -m tests.web.phone_picture`."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.web.browser import begin_mid, chromium, phone, served_table

PROJECT = Path(__file__).resolve().parents[2]
PICTURE = PROJECT / "docs" / "images" / "phone.jpg"
NAMES = {"black": "Anna", "orange": "Minsu", "blue": "Olha"}
GAP_PX = 18
PLAYOUTS = 4000


def screens(address: str) -> list[Image.Image]:
    """Four pages as a phone shows them: a photo with doubts, a game, a hint, and in the dark a tile's reach."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = phone(browser, address, locale="en-GB")
        page.set_input_files("input[type=file][multiple]", PROJECT / "samples" / "mid.jpg")
        page.wait_for_selector(".photo img")
        shown = [_screen(page)]
        page.goto(address.partition("/k/")[0])
        game = begin_mid(page, NAMES)
        shown.append(_screen(page))
        page.goto(f"{game}/hint?level=3")
        page.wait_for_selector(".hint")
        shown.append(_screen(page))
        page.emulate_media(color_scheme="dark")
        page.goto(f"{game}/turn?tap=e2")
        shown.append(_screen(page))
        browser.close()
    return shown


def _screen(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    """Draw it."""
    with tempfile.TemporaryDirectory() as folder:
        # Nobody's own tiles show.
        os.environ["XDG_DATA_HOME"] = folder
        with served_table(Path(folder) / "table", PLAYOUTS) as address:
            shown = screens(address)
    width = sum(one.width for one in shown) + GAP_PX * (len(shown) - 1)
    picture = Image.new("RGB", (width, shown[0].height), "white")
    for number, one in enumerate(shown):
        picture.paste(one, (number * (one.width + GAP_PX), 0))
    picture.save(PICTURE, quality=80, optimize=True)


if __name__ == "__main__":
    main()
