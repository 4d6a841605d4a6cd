"""Captions of score pads, in every language and in a wordier one, are large and dark enough to be copied."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES
from companion.printing.score.layout import lay_out
from companion.printing.score.sheet import score_pad
from companion.printing.score.template import MIN_CAPTION_PT, load_score_template
from tests.printing.eyes import faint_texts
from tests.printing.letters import read_lines

SCORE = load_score_template(None)

SMALL_PRINT = 7.0
"""WCAG 2 asks for that where contrast is to be enhanced."""


@pytest.mark.parametrize("language", [*LANGUAGES, PSEUDO])
@pytest.mark.parametrize(("paper", "per_page"), [("letter", 1), ("a4", 2), ("letter", 4), ("a4", 4)])
def test_captions_of_pads_survive_being_copied(paper: str, per_page: int, language: str) -> None:
    """Small print has a contrast of 7 for every eye, and comes out of a copier that knows black and white alone."""
    one = read_lines(score_pad(paper=paper, per_page=per_page, language=language))
    first = lay_out(SCORE, one.papers[0], SCORE.layouts[str(per_page)], 4).slips[0].trim
    # All sheets of a page are alike.
    mine = replace(one, lines=tuple(line for line in one.lines if first.holds(line.box)))
    assert len(mine.lines) > 40 and min(line.size for line in mine.lines) >= MIN_CAPTION_PT - 0.005
    assert faint_texts(mine, SMALL_PRINT) == []
