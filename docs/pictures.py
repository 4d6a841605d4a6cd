"""Draws the pictures of the README from what the commands make of samples/: run by `make pictures`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.advisor.search.advise import advise
from companion.asking.photo_turns import shown_turns
from companion.language.phrase import capitalised, joined, term
from companion.opening.position import open_position
from companion.printing.cards.layout import card_boxes, card_places
from companion.printing.core.geometry import PAPERS, Box, Boxes
from companion.printing.core.kinds import CARDS, SCORE, SETUP
from companion.printing.core.typefaces import BUNDLED
from companion.printing.hint.picture import marked_photo, photo_picture
from companion.printing.score.layout import lay_out as lay_sheet
from companion.printing.setup.layout import lay_out as lay_card
from companion.table.games import begin_table
from companion.vision.board.contents_likelihood import ContentsLikelihood

PROJECT = Path(__file__).resolve().parents[1]
IMAGES = PROJECT / "docs" / "images"
SAMPLES = PROJECT / "samples"
TABLE = SAMPLES / "mid.toml"
"""The table of the pictures: one reading of its photo, and one best turn."""
PUT_RIGHT = "a2\nO8:ggr^2\n"
"""What is typed about the photo of the table: a doubtful tile, and what stands on it."""
HINTED_TURNS = 2
COLUMNS = 80
PHOTO_WIDTH_PX = 900
PAGE_DPI = 80
BOX_DPI = 100
BOX_COLOURS = ("#B23A2E", "#2A5C9A", "#1E7A3A", "#8A3B1E", "#6A3D9A")

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


def companion(*words: str, folder: Path, typed: str = "") -> str:
    """What a command prints in a terminal of 80 columns, in colour; what is `typed` is kept in the folder alone."""
    surroundings = {**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "COLORTERM": "truecolor"}
    surroundings |= {"XDG_DATA_HOME": str(folder / "data")}
    command = [sys.executable, "-m", "companion", *words]
    done = subprocess.run(
        command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, text=True, check=True, input=typed
    )
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


def best_turn() -> AdvisedTurn:
    """The best turn of the table, which is drawn on its photo and on its board alike."""
    return advise(open_position(str(TABLE)).position, top=HINTED_TURNS).turns[0]


def draw_turn(path: Path) -> None:
    """The photo of the table with the best turn on it, as `hint --level path` draws it."""
    opened = open_position(str(TABLE.with_suffix(".jpg")))
    assert opened.photos is not None
    reading = opened.photos.reading
    assert reading.homography is not None
    feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(reading.tiles)}
    photo, best = opened.photos.board_picture(), best_turn()
    picture = photo_picture(
        photo, reading.homography, feet, best, [best.explained.path], path.suffix, level=AdviceLevel.PATH, language="en"
    )
    path.write_bytes(picture)


def draw_played(path: Path) -> None:
    """The photo after a turn with the turn that it shows, as the phone page's card draws it."""
    opened = open_position(str(SAMPLES / "after.jpg"))
    assert opened.photos is not None and opened.photos.evidence is not None
    reading = opened.photos.reading
    assert reading.homography is not None
    before = begin_table(open_position(str(TABLE)).position, {}, date="")
    evidence = opened.photos.evidence
    likelihood = ContentsLikelihood.of(evidence.pieces, evidence.hypotheses)
    shown = shown_turns(before, likelihood).candidates[0].turns[0]
    feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(reading.tiles)}
    photo = opened.photos.board_picture()
    caption = [joined(": ", (capitalised(term(shown.turn.player)), shown.path)), capitalised(shown.aim)]
    path.write_bytes(marked_photo(photo, reading.homography, feet, shown.marks, caption, path.suffix, "en"))


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


def named_boxes(boxes: Boxes) -> Iterator[tuple[str, Box]]:
    """The boxes of a layout by their names; of several alike, the first has the name."""
    for name, value in boxes.items():
        while isinstance(value, tuple | list) and value:
            value = value[0]
        if isinstance(value, Box):
            yield name, value


def draw_boxes(pdf: Path, name: str, boxes: Sequence[tuple[str, Box]], part: Box) -> None:
    """A part of a PDF's first page, faint, with its boxes in colour and their names in them."""
    subprocess.run(["pdftoppm", "-r", str(BOX_DPI), "-png", "-singlefile", pdf, pdf.with_suffix("")], check=True)
    scale = BOX_DPI / 25.4
    with Image.open(pdf.with_suffix(".png")) as page:
        faint = Image.blend(page.convert("RGB"), Image.new("RGB", page.size, "white"), 0.6)
    draw = ImageDraw.Draw(faint)
    font = ImageFont.truetype(BUNDLED / "PTSans-Bold.ttf", 14)
    for number, (label, box) in enumerate(boxes):
        colour = BOX_COLOURS[number % len(BOX_COLOURS)]
        edges = (box.x * scale, box.y * scale, box.right * scale, box.bottom * scale)
        draw.rectangle(edges, outline=colour, width=2)
        narrow = draw.textlength(label, font=font) > box.w * scale
        # The name of a narrow box reaches into the next one, whose own name stands at its top.
        at = (edges[0] + 3, edges[3] - 19 if narrow else edges[1] + 1)
        words = draw.textbbox(at, label, font=font)
        draw.rectangle((words[0] - 2, words[1] - 1, words[2] + 2, words[3] + 1), fill="white")
        draw.text(at, label, font=font, fill=colour)
    shown = tuple(round(edge * scale) for edge in (part.x, part.y, part.right, part.bottom))
    picture = faint.crop((shown[0], shown[1], shown[2], shown[3]))
    picture.convert("P", palette=Image.Palette.ADAPTIVE).save(IMAGES / f"boxes-{name}.png", optimize=True)


def draw_all_boxes(folder: Path) -> None:
    """The boxes of the prints that are laid out by boxes, for docs/templates.md."""
    paper = PAPERS["a4"]
    draw_boxes(folder / "card.pdf", "setup_card", list(named_boxes(lay_card(SETUP.load(), paper))), paper)
    score = SCORE.load()
    sheet = lay_sheet(score, paper, score.layouts["1"], 4)
    companion("sheet", "--per-page", "1", "-o", "sheet.pdf", folder=folder)
    draw_boxes(folder / "sheet.pdf", "score_sheet", list(named_boxes(sheet.slips[0])), paper)
    place = card_places(paper)[0]
    djinn = card_boxes(place, CARDS.load().card)
    draw_boxes(folder / "cards.pdf", "reference_cards", list(named_boxes(djinn)), place.inset(-4))


def main() -> None:
    """Draw them all into docs/images."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for sample in SAMPLES.iterdir():
            (folder / sample.name).symlink_to(sample)
        companion("read", "mid.jpg", "--ask", "--overlay", "overlay.jpg", folder=folder, typed=PUT_RIGHT)
        companion("score", "end.toml", "--pdf", "score.pdf", folder=folder)
        companion("sheet", "-o", "pad.pdf", folder=folder)
        companion("setup", "--players", "4", "--seed", "7", "-o", "card.pdf", folder=folder)
        companion("cards", "-o", "cards.pdf", folder=folder)
        companion("kit", "-o", "kit.pdf", folder=folder)
        shrink_photo(SAMPLES / "mid.jpg", "photo")
        shrink_photo(folder / "overlay.jpg", "overlay")
        draw_turn(folder / "turn.jpg")
        shrink_photo(folder / "turn.jpg", "turn")
        draw_played(folder / "played.jpg")
        shrink_photo(folder / "played.jpg", "played")
        for page in ("score", "pad", "card", "cards", "kit"):
            draw_page(folder / f"{page}.pdf")
        draw_all_boxes(folder)
        draw_terminal("show", ["show", "mid.toml"], folder, most_lines=28)
        draw_terminal("hint", ["hint", "mid.toml", "--top", str(HINTED_TURNS)], folder)
    # As others see the prints: in grey, colour-blind, faxed.
    subprocess.run([sys.executable, "-m", "tests.printing.eyes"], cwd=PROJECT, check=True)
    # And the page that phones show.
    subprocess.run([sys.executable, "-m", "tests.web.phone_picture"], cwd=PROJECT, check=True)
    for picture in sorted(IMAGES.iterdir()):
        print(f"{picture.relative_to(PROJECT)}  {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
