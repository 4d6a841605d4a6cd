"""Pages as they were approved: everything that is drawn on them, in reading form, beside the tests.

    python -m tests.printing.approved      # write them anew after a change that was looked at, and read the difference

It draws the small pictures of all prints in all languages anew as well (looks.py).

Each line is one thing on the page: a line of text with its place, size and colour, or a shape with its colours and
corners. Lengths are mm from the top left corner, rounded to 0.05.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pdfplumber

from companion.advisor.account import GameTold
from companion.notation.codes import encode
from companion.printing.cards.kit import kit_pdf
from companion.printing.cards.sheet import Cutting, cards_pdf
from companion.printing.core.duplex import Flip
from companion.printing.report.report import BoardsOf, game_report
from companion.printing.review.report import review_report
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.printing.setup.card import setup_card
from companion.rules.engine.scoring import GameResult, Holdings, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from tests.advisor.scripted_judge import sample_review, sample_told

FOLDER = Path(__file__).with_name("approved")
MM_PER_PT = 25.4 / 72
STEP_MM = 0.05
MANY = 40
"""Shapes of one look in a row, such as the modules of a QR code, from which a line gives their number and a digest."""

HELD = {
    Colour.BLACK: Holdings(
        gold=41,
        viziers=5,
        elders=3,
        fakirs=4,
        goods=(1, 0, 0, 2, 1, 1, 2, 0, 1),
        djinns=("Jafaar", "Shamhat", "Al-Amin"),
        palms=3,
        palaces=2,
        tiles=(15, 8, 8),
    ),
    Colour.ORANGE: Holdings(
        gold=35,
        viziers=2,
        elders=4,
        fakirs=1,
        goods=(1,) * 9,
        djinns=("Haurvatat",),
        palms=2,
        palaces=0,
        tiles=(12, 6, 6, 6, 5, 4),
    ),
    Colour.PINK: Holdings(
        gold=20,
        viziers=None,
        elders=2,
        fakirs=0,
        goods=(0, 0, 1, 1, 0, 0, 0, 0, 0),
        djinns=("Ba'al", "Utug"),
        palms=1,
        palaces=1,
        tiles=(6, 6, 4, 4),
    ),
}
CROWDED = {
    colour: Holdings(
        gold=120 + number,
        viziers=9 - number,
        elders=8,
        fakirs=12,
        goods=(2, 1, 2, 3, 1, 2, 2, 1, 3),
        djinns=("Jafaar", "Shamhat", "Al-Amin", "Haurvatat", "Iblis", "Kumarbi"),
        palms=9,
        palaces=7,
        tiles=(15, 12, 10, 10, 8, 8, 8, 6, 6, 6, 6, 5, 5, 5),
    )
    for number, colour in enumerate(Colour)
}
NAMES = {Colour.BLACK: "Anna", Colour.PINK: "A rather long name for a column"}


def beginning(rounds: int, turns: int) -> GameTold:
    """The first rounds of the game in `samples/`, and so many turns of each."""
    told = sample_told()
    return replace(told, rounds=tuple(replace(one, turns=one.turns[:turns]) for one in told.rounds[:rounds]))


PRINTS: dict[str, Callable[[], bytes]] = {
    "pad": lambda: score_pad(players=3, paper="a4", per_page=4, language="en"),
    "pad-light": lambda: score_pad(
        players=4,
        paper="letter",
        per_page=1,
        language="ru",
        names=["Anna", "Борис", "C" * 60, "D"],
        full_ink=False,
    ),
    "sheet": lambda: filled_sheet(
        GameResult(score_holdings(HELD), finished=True),
        names=NAMES,
        paper="a4",
        code=encode(random_setup(4, 9)),
        language="en",
        template=None,
    ),
    "sheet-crowded": lambda: filled_sheet(
        GameResult(score_holdings(CROWDED), finished=False),
        names={},
        paper="letter",
        code=None,
        language="uk",
        template=None,
    ),
    "card": lambda: setup_card(random_setup(4, 7), seed=7),
    "card-two": lambda: setup_card(random_setup(2, 8), paper="letter", language="it"),
    "card-three": lambda: setup_card(random_setup(3, 4), seed=4, language="ru"),
    "review": lambda: review_report(sample_review(), title="2026-02-14, Київ"),
    "report": lambda: game_report(beginning(1, 4), sample_review()),
    "report-turns": lambda: game_report(beginning(1, 1), boards=BoardsOf.TURN, paper="letter", language="ru"),
    "cards": lambda: cards_pdf(),
    "cards-light": lambda: cards_pdf(
        names=["Kandicha", "turn", "tiles"],
        paper="letter",
        cutting=Cutting(bleed=3, flip=Flip.SHORT, offset=(0.5, 1)),
        full_ink=False,
    ),
    "kit": lambda: kit_pdf(paper="letter", cutting=Cutting(backs=False)),
}


def drawn(pdf: bytes) -> list[str]:
    """Everything on the pages of a PDF, a line each, in the order of drawing, the texts of a page first."""
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        lines = []
        for page in document.pages:
            lines.append(f"page {_mm(page.width)} x {_mm(page.height)}")
            lines.extend(_texts(page.objects.get("char", [])))
            lines.extend(_shapes(page))
        return lines


def _texts(chars: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Letters that follow one another on a line, in one font, size and colour, as one text."""
    run: list[dict[str, Any]] = []
    for char in chars:
        if run and (_font(char) != _font(run[-1]) or abs(char["x0"] - run[-1]["x1"]) > 0.5):
            yield _text(run)
            run = []
        run.append(char)
    if run:
        yield _text(run)


def _font(char: dict[str, Any]) -> tuple[object, ...]:
    return char["fontname"].partition("+")[2], char["size"], char["non_stroking_color"], char["y0"]


def _text(run: Sequence[dict[str, Any]]) -> str:
    first = run[0]
    font = first["fontname"].partition("+")[2]
    place = f"{_mm(first['x0'])} {_mm(first['top'])} to {_mm(run[-1]['x1'])}"
    words = "".join(char["text"] for char in run)
    return f"text {place} {font} {first['size']:.2f}pt {_colour(first['non_stroking_color'])} {words!r}"


def _shapes(page: Any) -> Iterator[str]:
    shapes = [
        (_look(shape), _corners(shape)) for kind in ("rect", "line", "curve") for shape in page.objects.get(kind, [])
    ]
    for look, alike in groupby(shapes, key=lambda shape: shape[0]):
        places = [corners for _, corners in alike]
        if len(places) >= MANY:
            digest = hashlib.sha256("\n".join(places).encode()).hexdigest()[:16]
            yield f"{look}: {len(places)} of them, {digest}"
        else:
            yield from (f"{look}: {corners}" for corners in places)


def _look(shape: dict[str, Any]) -> str:
    fill = _colour(shape["non_stroking_color"]) if shape["fill"] else "-"
    stroke = f"{_colour(shape['stroking_color'])} {_mm(shape['linewidth'])}" if shape["stroke"] else "-"
    dash: tuple[list[float], float] = shape.get("dash") or ([], 0)
    dashed = f" dashed {' '.join(_mm(length) for length in dash[0])}" if dash[0] else ""
    return f"{shape['object_type']} {fill} {stroke}{dashed}"


def _corners(shape: dict[str, Any]) -> str:
    return " ".join(
        command + ",".join(f"{_mm(x)} {_mm(y)}" for x, y in points) for command, *points in shape.get("path", [])
    )


def _mm(points: float) -> str:
    return f"{round(points * MM_PER_PT / STEP_MM) * STEP_MM:.2f}"


def _colour(parts: Any) -> str:
    values = parts if isinstance(parts, (tuple, list)) else (parts,)
    return "#" + "".join(f"{round(float(value or 0) * 255):02X}" for value in values)


def main() -> int:
    """Write every approved page anew, and draw every approved picture."""
    from tests.printing import looks, prints

    FOLDER.mkdir(exist_ok=True)
    for name, make in PRINTS.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(drawn(make())) + "\n", encoding="utf-8")
    looks.FOLDER.mkdir(exist_ok=True)
    for name in prints.EVERY:
        for language, paper in prints.PLACES:
            looks.approve(name, language, paper, prints.printed(name, language, paper))
    return 0


if __name__ == "__main__":
    sys.exit(main())
