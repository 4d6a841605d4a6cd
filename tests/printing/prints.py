"""Every print of the program in any language and on any paper: what tests of all prints go through.

A new print is entered in `EVERY`; then its approved pictures are drawn by `python -m tests.printing.approved`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES
from companion.notation.codes import encode
from companion.printing.cards.kit import kit_pdf
from companion.printing.cards.sheet import Cutting, cards_pdf
from companion.printing.core.duplex import Flip
from companion.printing.core.geometry import PAPERS
from companion.printing.hint.sheet import hint_sheet
from companion.printing.report.report import BoardsOf, game_report
from companion.printing.review.report import review_report
from companion.printing.score.sheet import filled_sheet, score_form, score_pad
from companion.printing.setup.card import LaidTable, setup_pack
from companion.rules.engine.scoring import GameResult, score_holdings
from companion.rules.engine.setup import random_setup
from tests.advisor.advised import sample_advice
from tests.advisor.scripted_judge import sample_review
from tests.printing.approved import HELD, NAMES, beginning

SPREAD = 1.4
ALL_LANGUAGES = (*LANGUAGES, PSEUDO)
PLACES = list(product(LANGUAGES, PAPERS))
"""Each language on each paper."""


def laid_table(players: int) -> LaidTable:
    """The table of the set-up card for that many players."""
    return LaidTable(random_setup(players, 40 + players), 40 + players, SPREAD if players == 4 else None)


def _cards(paper: str, language: str, *, full_ink: bool) -> bytes:
    tables = [laid_table(players) for players in ((2, 3, 4) if full_ink else (3,))]
    return setup_pack(tables, paper=paper, language=language, full_ink=full_ink)


def _sheet(paper: str, language: str) -> bytes:
    result = GameResult(score_holdings(HELD), finished=True)
    return filled_sheet(result, names=NAMES, paper=paper, code=encode(random_setup(4, 9)), language=language)


EVERY: dict[str, Callable[[str, str], bytes]] = {
    "pad": lambda paper, language: score_pad(players=3, paper=paper, language=language),
    "pad-light": lambda paper, language: score_pad(
        players=4, per_page=1, paper=paper, language=language, full_ink=False
    ),
    "form": lambda paper, language: score_form(players=2, paper=paper, language=language),
    "sheet": _sheet,
    "card": lambda paper, language: _cards(paper, language, full_ink=True),
    "card-light": lambda paper, language: _cards(paper, language, full_ink=False),
    "cards": lambda paper, language: cards_pdf(names=["Hagis", "Kandicha", "end"], paper=paper, language=language),
    "cards-light": lambda paper, language: cards_pdf(
        names=["Kumarbi", "round", "tribes"],
        paper=paper,
        language=language,
        cutting=Cutting(bleed=3, flip=Flip.SHORT, offset=(0.5, 1)),
        full_ink=False,
    ),
    "kit": lambda paper, language: kit_pdf(paper=paper, language=language, cutting=Cutting(backs=False)),
    "hint": lambda paper, language: hint_sheet(*sample_advice(), paper=paper, language=language),
    "review": lambda paper, language: review_report(
        sample_review(), title="2026-02-14, Київ", paper=paper, language=language
    ),
    "report": lambda paper, language: game_report(beginning(1, 4), sample_review(), paper=paper, language=language),
    "report-turns": lambda paper, language: game_report(
        beginning(1, 1), boards=BoardsOf.TURN, paper=paper, language=language
    ),
}
"""A print by its name, on a paper, in a language."""


@cache
def printed(name: str, language: str, paper: str) -> bytes:
    """A print as a PDF, made once in a run."""
    return EVERY[name](paper, language)
