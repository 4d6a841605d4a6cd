"""Every print of the program in any language and on any paper, drawn once in a run, and what was approved of them.

    python -m tests.printing.prints      # approve how pages are drawn now: look at them first

`approved.json` has a digest of all that is drawn on each page. A new print is entered in `EVERY`.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf

from companion.advisor.account import GameSummary
from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.history.statistics import TOTAL, DjinnFigures, PlayerFigures, PointsFigures, Spent, Statistics
from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES
from companion.language.phrase import say
from companion.notation.codes import encode
from companion.notation.holdings import read_holdings
from companion.printing.cards.layout import Flip
from companion.printing.cards.sheet import Cutting, cards_pdf, kit_pdf
from companion.printing.hint.fragments import board_fragment, tapping_fragment, turn_fragment
from companion.printing.hint.picture import board_picture, photo_picture
from companion.printing.report.history_plot import history_plot
from companion.printing.report.report import game_report
from companion.printing.report.rounds import BoardsOf
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.printing.setup.card import LaidTable, setup_pack
from companion.rules.engine.scoring import GameResult, Holdings, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from tests.advisor.advised import sample_advice
from tests.advisor.scripted_judge import sample_review, sample_summary

APPROVED = Path(__file__).with_name("approved.json")
ALL_LANGUAGES = (*LANGUAGES, PSEUDO)


def _held(text: str, *tiles: int) -> Holdings:
    """What a player holds, as it is typed, and tiles by their points."""
    held = read_holdings(text)
    assert isinstance(held, Holdings)
    return replace(held, tiles=tiles)


_BLACK = "41 GC, 5 viziers, 3 elders, 4 fakirs, ivory, 2 papyrus, silk, spice, 2 fish, pottery, 3 palms, 2 palaces"
_ORANGE = "35 GC, 2 viziers, 4 elders, 1 fakir, ivory, jewels, gold card, papyrus, silk, spice, fish, wheat, pottery"
_GOODS = "2 ivory, jewels, 2 gold cards, 3 papyrus, silk, 2 spice, 2 fish, wheat, 3 pottery"
_DJINNS = "Jafaar, Shamhat, Al-Amin, Haurvatat, Iblis, Kumarbi"
HELD = {
    Colour.BLACK: _held(f"{_BLACK}, Jafaar, Shamhat, Al-Amin", 15, 8, 8),
    Colour.ORANGE: _held(f"{_ORANGE}, Haurvatat, 2 palms, 0 palaces", 12, 6, 6, 6, 5, 4),
    Colour.PINK: _held("20 GC, 2 elders, 0 fakirs, gold card, papyrus, Ba'al, Utug, 1 palm, 1 palace", 6, 6, 4, 4),
}
_CROWD = f"8 elders, 12 fakirs, {_GOODS}, {_DJINNS}, 9 palms, 7 palaces"
_TILES = (15, 12, 10, 10, 8, 8, 8, 6, 6, 6, 6, 5, 5, 5)
CROWDED = {
    colour: _held(f"{120 + number} GC, {9 - number} viziers, {_CROWD}", *_TILES) for number, colour in enumerate(Colour)
}
NAMES = {Colour.BLACK: "Anna", Colour.PINK: "A rather long name for a column"}


def beginning(rounds: int, turns: int) -> GameSummary:
    """The first rounds of the game in `samples/`, and so many turns of each."""
    told = sample_summary()
    return replace(told, rounds=tuple(replace(one, turns=one.turns[:turns]) for one in told.rounds[:rounds]))


def laid_table(players: int) -> LaidTable:
    """The table of the set-up card for that many players."""
    return LaidTable(random_setup(players, 40 + players), 40 + players, 1.4 if players == 4 else None)


EVERY: dict[str, Callable[[str, str], bytes]] = {
    "pad": lambda paper, language: score_pad(players=3, paper=paper, language=language),
    "pad-light": lambda paper, language: score_pad(
        players=4, per_page=1, paper=paper, language=language, names=["Anna", "Борис", "Cy", ""], full_ink=False
    ),
    "sheet": lambda paper, language: filled_sheet(
        GameResult(score_holdings(HELD), finished=True),
        names=NAMES,
        paper=paper,
        code=encode(random_setup(4, 9)),
        language=language,
    ),
    "sheet-crowded": lambda paper, language: filled_sheet(
        GameResult(score_holdings(CROWDED), finished=False), paper=paper, language=language, play_link="https://x"
    ),
    "card": lambda paper, language: setup_pack(
        [laid_table(players) for players in (2, 3, 4)], paper=paper, language=language
    ),
    "card-light": lambda paper, language: setup_pack([laid_table(3)], paper=paper, language=language, full_ink=False),
    "card-half": lambda paper, language: setup_pack(
        [laid_table(3), laid_table(4)], paper=paper, language=language, per_page=2
    ),
    "cards-light": lambda paper, language: cards_pdf(
        names=["Kumarbi", "round", "tribes"],
        paper=paper,
        language=language,
        cutting=Cutting(bleed=3, flip=Flip.SHORT, offset=(0.5, 1)),
        full_ink=False,
    ),
    "kit": lambda paper, language: kit_pdf(paper=paper, language=language),
    "report": lambda paper, language: game_report(beginning(1, 4), sample_review(), paper=paper, language=language),
    "report-turns": lambda paper, language: game_report(
        beginning(1, 1), boards=BoardsOf.TURN, paper=paper, language=language
    ),
}
"""A print by its name, on a paper, in a language."""


@cache
def printed(name: str, language: str = "en", paper: str = "a4") -> bytes:
    """A print as a PDF, made once in a run."""
    return EVERY[name](paper, language)


TILTED = ((15.0, -2.0, 20.0), (1.0, 13.0, 6.0), (0.0, 0.0001, 1.0))
FEET = {square: [(square % 6 + 0.3, square // 6 + 0.6)] for square in range(0, 30, 2)}
PICTURES: dict[str, Callable[[], str | bytes]] = {
    "turn": lambda: board_picture(*_turn(), ["1. a turn", "a reason"], ".svg"),
    "nudge": lambda: board_picture(*_turn(), [], ".svg", level=AdviceLevel.NUDGE),
    "photo": lambda: photo_picture(np.full((90, 120, 3), 128, np.uint8), TILTED, FEET, _turn()[1], ["a turn"], ".svg"),
    "board fragment": lambda: board_fragment(_turn()[0], link=str, marked={14: say("not sure")}),
    "turn fragment": lambda: turn_fragment(*_turn()),
    "tapping fragment": lambda: tapping_fragment(_turn()[0], links={3: "/3"}, way=[1, 2, 8, 2]),
    "history": lambda: history_plot(sample_statistics(), ".svg"),
}
"""Pictures whose letters are outlines, and elements of the web's pages."""


def _turn() -> tuple[Board, AdvisedTurn]:
    advice = sample_advice()
    return advice.position.board, advice.turns[0]


def sample_statistics() -> Statistics:
    """Two players, two djinns, and two players' bids."""
    players = [
        PlayerFigures(name, None, 4, won, {TOTAL: PointsFigures(4, 100.0, 120)}) for name, won in (("Bo", 4), ("A", 1))
    ]
    djinns = DjinnFigures("Boaz", 1, 4.0, 0), DjinnFigures("Utug", 3, -9.0, 0)
    return Statistics(4, tuple(players), djinns, (), (Spent(15, 120, True), Spent(45, 60, False)))


def digests(pdf: bytes) -> list[str]:
    """A digest of each page: its drawing with the drawings that it refers to, and what is read out."""
    found = []
    with pikepdf.open(io.BytesIO(pdf)) as file:
        elements = [one for one in file.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one and "/P" in one]
        tree = repr([(str(one.S), str(one.get("/Alt", "")), str(one.get("/A", ""))) for one in elements]).encode()
        for page in file.pages:
            resources: Any = page.obj.get("/Resources", {})
            forms: Any = resources.get("/XObject", {})
            parts = [page.Contents.read_bytes(), *(form.read_bytes() for _, form in sorted(forms.items())), tree]
            found.append(_digest(b"".join(parts)))
    return found


def _digest(content: bytes | str) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()[:16]


def approvable() -> dict[str, list[str]]:
    """What is approved of all prints and pictures, as they are drawn now."""
    shown = {name: digests(printed(name)) for name in EVERY}
    return {**shown, **{name: [_digest(draw())] for name, draw in PICTURES.items()}}


def main() -> int:
    """Approve all of them, in English on A4."""
    APPROVED.write_text(json.dumps(approvable(), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
