"""Draws the pictures of the README from what the commands make of samples/: run by `make pictures`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

PROJECT = Path(__file__).resolve().parents[1]
IMAGES = PROJECT / "docs" / "images"
SAMPLES = PROJECT / "samples"
COLUMNS = 80
PHOTO_WIDTH_PX = 900
PAGE_DPI = 80

# What rich writes by default fetches a font from the web; a reader's own monospaced font does as well. DejaVu's
# letters are 0.602 of the size wide, which makes the 12.2 that rich reckons with.
TERMINAL = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix, .title {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 20.26px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
<rect width="{width}" height="{height}" rx="8" fill="#1b1b1f"/>
<text class="title" x="{terminal_x}" y="28" fill="#8f949c">$ COMMAND</text>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">{matrix}</g>
</g>
</svg>
"""
PALETTE = [(0, 0, 0), (224, 90, 80), (110, 190, 100), (224, 180, 80)]
PALETTE += [(100, 150, 230), (220, 120, 190), (90, 190, 200), (255, 255, 255)]
THEME = TerminalTheme((27, 27, 31), (222, 222, 222), PALETTE)


def companion(*words: str, folder: Path) -> str:
    """What a command prints in a terminal of 80 columns, in colour."""
    surroundings = {**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "COLORTERM": "truecolor"}
    command = [sys.executable, "-m", "companion", *words]
    done = subprocess.run(command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def draw_terminal(name: str, words: Sequence[str], folder: Path, most_lines: int = 100) -> None:
    """A command and what it prints, as a picture of a terminal."""
    shown = companion(*words, folder=folder).rstrip().splitlines()[:most_lines]
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere)
        console.print(Text.from_ansi("\n".join(line.rstrip() for line in shown)))
        title = " ".join(("companion", *words))
        svg = console.export_svg(theme=THEME, code_format=TERMINAL.replace("COMMAND", title), unique_id=name)
    (IMAGES / f"{name}.svg").write_text(svg, encoding="utf-8")


def shrink_photo(source: Path, name: str) -> None:
    """A photo at the width that a page shows."""
    with Image.open(source) as photo:
        height = round(photo.height * PHOTO_WIDTH_PX / photo.width)
        photo.convert("RGB").resize((PHOTO_WIDTH_PX, height), Image.Resampling.LANCZOS).save(
            IMAGES / f"{name}.jpg", quality=85
        )


def draw_page(pdf: Path) -> None:
    """The first page of a PDF, with poppler's pdftoppm."""
    target = IMAGES / pdf.stem
    subprocess.run(["pdftoppm", "-r", str(PAGE_DPI), "-png", "-singlefile", pdf, target], check=True)
    path = target.with_suffix(".png")
    with Image.open(path) as page:
        page.convert("P", palette=Image.Palette.ADAPTIVE).save(path, optimize=True)


def main() -> None:
    """Draw them all into docs/images."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for sample in SAMPLES.iterdir():
            (folder / sample.name).symlink_to(sample)
        companion("read", "mid.jpg", "-o", "table.toml", "--overlay", "overlay.jpg", folder=folder)
        companion("score", "end.toml", "--pdf", "score.pdf", folder=folder)
        companion("sheet", "-o", "pad.pdf", folder=folder)
        companion("setup", "--players", "4", "--seed", "7", "-o", "card.pdf", folder=folder)
        companion("cards", "-o", "cards.pdf", folder=folder)
        companion("kit", "-o", "kit.pdf", folder=folder)
        shrink_photo(SAMPLES / "mid.jpg", "photo")
        shrink_photo(folder / "overlay.jpg", "overlay")
        companion("hint", "mid.jpg", "--player", "blue", "--level", "path", "--picture", "turn.jpg", folder=folder)
        shrink_photo(folder / "turn.jpg", "turn")
        for page in ("score", "pad", "card", "cards", "kit"):
            draw_page(folder / f"{page}.pdf")
        draw_terminal("show", ["show", "mid.toml"], folder, most_lines=28)
        draw_terminal("hint", ["hint", "mid.toml", "--top", "2"], folder)
    # As others see the prints: in grey, colour-blind, faxed.
    subprocess.run([sys.executable, "-m", "tests.printing.eyes"], cwd=PROJECT, check=True)
    for picture in sorted(IMAGES.iterdir()):
        print(f"{picture.relative_to(PROJECT)}  {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
