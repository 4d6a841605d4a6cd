"""What the codes printed on cards and sheets tell: looked for alone, which is quicker than a board, and on any page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import CompanionError, PhotoError, printable, quoted
from companion.language.phrase import Phrase, say
from companion.notation.codes import decode
from companion.notation.outcome import Outcome, parse_outcome
from companion.resources import check_address_space
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import is_set_up
from companion.table.photos import photo_name

_OPENED, _LOOKED = 0.1, 0.35
"""The parts of the time for a photo after which it is decoded, and looked through at a glance."""


@dataclass(frozen=True, slots=True)
class CodedTable:
    """A code, and the position that it holds."""

    code: str
    position: Position

    @property
    def is_set_up(self) -> bool:
        """Whether it is a game that begins (rules 2)."""
        return is_set_up(self.position.board)

    @property
    def is_over(self) -> bool:
        """Whether it is the end of a game (rules 9)."""
        return self.position.is_over


@dataclass(frozen=True, slots=True)
class ScannedCodes:
    """The tables and results that the codes in some photos tell, each once; there is one at least."""

    tables: tuple[CodedTable, ...]
    outcomes: tuple[Outcome, ...] = ()

    def outcome_of(self, table: CodedTable) -> Outcome | None:
        """The result that a sheet has beside the code of its table."""
        fitting = (outcome for outcome in self.outcomes if set(outcome.totals) == set(table.position.colours))
        return next(fitting, None) if len(self.tables) == 1 else None

    @property
    def lone_outcomes(self) -> tuple[Outcome, ...]:
        """The results of games whose table no code tells."""
        placed = [self.outcome_of(table) for table in self.tables]
        return tuple(outcome for outcome in self.outcomes if outcome not in placed)


def scan_codes(photos: Sequence[bytes], tell: TellShare) -> ScannedCodes:
    """Tables and results by their codes. Raises PhotoError for photos without one of ours, NotationError."""
    from companion.vision.locate.code_detection import CODE_START

    check_address_space()
    tables: dict[Position, CodedTable] = {}
    outcomes: list[Outcome] = []
    faults: list[CompanionError] = []
    others: list[str] = []
    for text in _texts(photos, tell):
        if CODE_START.match(text):
            try:
                position = decode(text)
            except CompanionError as error:
                faults.append(error)
            else:
                tables.setdefault(position, CodedTable(printable(text.strip()), position))
        elif (outcome := parse_outcome(text)) is not None:
            outcomes.append(outcome)
        else:
            others.append(text)
    if tables or outcomes:
        return ScannedCodes(tuple(tables.values()), tuple(outcomes))
    raise faults[0] if faults else PhotoError(_nothing(others))


def _texts(photos: Sequence[bytes], tell: TellShare) -> dict[str, None]:
    """What the codes in photos say, each once, in their order."""
    from companion.vision.load import decode_photo
    from companion.vision.locate.code_detection import CODE_START, find_codes, find_small_codes

    texts: dict[str, None] = {}
    for number, content in enumerate(photos):
        name = photo_name(number, len(photos))
        tell(number / len(photos), say("{name}: opening", name=name))
        picture = decode_photo(content, name)
        tell((number + _OPENED) / len(photos), say("{name}: looking for codes", name=name))
        codes = find_codes(picture)
        if not any(CODE_START.match(text) or parse_outcome(text) is not None for text in codes):
            tell((number + _LOOKED) / len(photos), say("{name}: looking more closely", name=name))
            codes += find_small_codes(picture)
        texts |= dict.fromkeys(codes)
    return texts


def _nothing(others: Sequence[str]) -> Phrase:
    wanted = say(
        "Photograph the square code of a set-up card or score sheet printed by this program: from straight "
        "above, in focus, with the card filling the picture."
    )
    if others:
        return say(
            "The code in the photo is not one of this program's ({quoted}). {wanted}",
            quoted=quoted(others[0]),
            wanted=wanted,
        )
    return say("No code was found. {wanted}", wanted=wanted)
