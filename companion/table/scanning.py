"""Photos of printed cards and sheets, looked through for their codes alone: quicker than a board, and from any page."""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import CompanionError, PhotoError, printable
from companion.language.phrase import Phrase, say
from companion.notation.codes import decode
from companion.notation.outcome import Outcome, parse_outcome
from companion.progress import TellShare
from companion.resources import check_address_space
from companion.table.photos import photo_name
from companion.table.scans import CodedTable, ScannedCodes
from companion.vision.load import decode_photo
from companion.vision.locate.markers import CODE_START, find_codes, find_small_codes
from companion.vision.locate.scan import quoted

_OPENED, _LOOKED = 0.1, 0.35
"""The parts of the time for a photo after which it is decoded, and looked through at a glance."""


def scan_codes(photos: Sequence[bytes], tell: TellShare) -> ScannedCodes:
    """What the codes in photos tell: tables by their position codes, and results by those of score sheets.

    Raises PhotoError for what is no photo, or has no code of ours in it, and says what else it has; NotationError if
    the only codes are damaged or newer.
    """
    check_address_space()
    texts: list[str] = []
    for number, content in enumerate(photos):
        name = photo_name(number, len(photos))
        tell(number / len(photos), say("{name}: opening", name=name))
        picture = decode_photo(content, name)
        tell((number + _OPENED) / len(photos), say("{name}: looking for codes", name=name))
        found = find_codes(picture, all_sizes=True)
        if not any(map(_is_ours, found)):
            tell((number + _LOOKED) / len(photos), say("{name}: looking more closely", name=name))
            found += find_small_codes(picture)
        texts += [text for text in found if text not in texts]
    tables: list[CodedTable] = []
    outcomes: list[Outcome] = []
    faults: list[CompanionError] = []
    others: list[str] = []
    for text in texts:
        if CODE_START.match(text):
            try:
                table = CodedTable(printable(text.strip()), decode(text))
            except CompanionError as error:
                faults.append(error)
                continue
            if table.position not in [one.position for one in tables]:
                tables.append(table)
        elif (outcome := parse_outcome(text)) is not None:
            outcomes.append(outcome)
        else:
            others.append(text)
    if tables or outcomes:
        return ScannedCodes(tuple(tables), tuple(outcomes))
    if faults:
        raise faults[0]
    raise PhotoError(_nothing(others))


def _is_ours(text: str) -> bool:
    return CODE_START.match(text) is not None or parse_outcome(text) is not None


def _nothing(others: Sequence[str]) -> Phrase:
    wanted = say(
        "This looks for the square code that set-up cards and score sheets of this program have: take it from straight "
        "above, sharp, so that the card fills the picture."
    )
    if others:
        return say(
            "The code in the photo is not one of this program's ({quoted}). {wanted}",
            quoted=quoted(others[0]),
            wanted=wanted,
        )
    return say("No code was found. {wanted}", wanted=wanted)
