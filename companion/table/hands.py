"""What photos told of one player's goods and djinns, as it is shown and corrected before it is kept.

`seeing_hands.py` makes it, in whatever process that is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.language.phrase import Phrase
from companion.rules.model.components import Colour
from companion.rules.model.position import Player
from companion.table.questions import NOTHING, PhotoQuestion, answered, questions

if TYPE_CHECKING:
    from companion.vision.reading.table import TableReading, UnclearTitle


class MarkKind(StrEnum):
    """What was found at a place in a photo."""

    CARD = "card"
    DJINN = "djinn"


@dataclass(frozen=True, slots=True)
class HandMark:
    """Something found in a photo: its outline in px of the photo as it is shown, and whether it was told for sure."""

    kind: MarkKind
    outline: tuple[tuple[float, float], ...]
    is_sure: bool


@dataclass(frozen=True, slots=True)
class HandPhoto:
    """A photo of a hand as it is shown: JPEG, its width and height in px, and what was found in it."""

    content: bytes
    size: tuple[int, int]
    marks: tuple[HandMark, ...]


@dataclass(frozen=True, slots=True)
class SeenHand:
    """What photos of one player's things told, with what to look at; what was told of it since is in it.

    `table` has the cards of that player alone, `djinns` those that were told by their titles, `titles` the
    others. `crops` are pictures as JPEG by the labels of questions. `untold` says why no titles were read.
    """

    colour: Colour
    table: TableReading
    djinns: tuple[str, ...] = ()
    titles: tuple[UnclearTitle, ...] = ()
    photos: tuple[HandPhoto, ...] = ()
    crops: Mapping[str, bytes] | None = None
    untold: Phrase | None = None

    @property
    def has_cards(self) -> bool:
        """Whether resource cards were found, so that all that the player holds are known."""
        return bool(self.table.goods)

    @property
    def questions(self) -> tuple[PhotoQuestion, ...]:
        """What is still in doubt: cards, then titles."""
        about_titles = (question for title in self.titles for question in questions(_alone(self.table, title)))
        return tuple(map(_with_nothing, (*questions(self.table), *about_titles)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what to look at again."""
        return self.table.reading.notes

    def with_answer(self, label: str, answer: str) -> SeenHand:
        """The same with an answer to a question. Raises as `questions.answered`."""
        for title in self.titles:
            if title.label == label:
                told = answered(_alone(self.table, title), label, answer).reading.position.djinns or ()
                left = tuple(other for other in self.titles if other is not title)
                return replace(self, djinns=tuple(dict.fromkeys((*self.djinns, *told))), titles=left)
        return replace(self, table=answered(self.table, label, answer))

    def player(self, before: Player) -> Player:
        """The player as the photos show him; what they do not show is as `before`, and djinns only become more."""
        seen = self.table.reading.position.player(self.colour)
        after = before
        if self.has_cards:
            after = replace(after, goods=seen.goods, fakirs=seen.fakirs)
        if self.djinns:
            after = replace(after, djinns=tuple(dict.fromkeys((*(before.djinns or ()), *self.djinns))))
        return after


def _with_nothing(question: PhotoQuestion) -> PhotoQuestion:
    """The question with nothing among its first answers: where all sorts lie together, it often is the right one."""
    nothing = tuple(choice for choice in question.others if choice.answer == NOTHING)
    others = tuple(choice for choice in question.others if choice.answer != NOTHING)
    return replace(question, likely=(*question.likely, *nothing), others=others)


def _alone(table: TableReading, title: UnclearTitle) -> TableReading:
    """A reading of one title and nothing else, to be asked about."""
    bare = replace(table.reading, position=replace(table.reading.position, djinns=(), row=None))
    return replace(table, reading=bare, goods={}, titles=(title,))
