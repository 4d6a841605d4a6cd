"""What all parts of a report draw with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts
from companion.printing.report.template import GameReportTemplate, GameReportWords
from companion.printing.review.chart import CurveLook
from companion.printing.review.pages import Pages
from companion.printing.setup.template import SetupTemplate


@dataclass(frozen=True, slots=True)
class ReportLook:
    """The pages, the words, and how things look; `labels` are the names of the categories of points and of the total.

    `boards` is the template that boards are drawn by.
    """

    pages: Pages
    fonts: Fonts
    template: GameReportTemplate
    words: GameReportWords
    labels: Mapping[str, str]
    boards: SetupTemplate

    @property
    def document(self) -> Document:
        """What is drawn on."""
        return self.pages.document

    @property
    def language(self) -> str:
        """The language of the words."""
        return self.pages.language

    @property
    def curves(self) -> CurveLook:
        """How curves and bars look."""
        one = self.template
        return CurveLook(one.curves, one.palette, one.type, self.words.colours, self.words.round)
