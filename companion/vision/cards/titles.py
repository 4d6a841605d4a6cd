"""Titles of face-up djinns, read off their cards by Tesseract and matched to the 22 names of rules 11.

What stands on a card is read either way up and in one script after the other; what all of it together is like enough
to one name, and to no other, is the title.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import MissingDependencyError
from companion.notation.names import DJINN_NAMES, fold
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import FACE_UP_DJINNS
from companion.system.programs import find_tesseract
from companion.vision.cards.outlines import SAME_CARD, Quad, overlap, quad_area
from companion.vision.cards.tesseract import read_lines
from companion.vision.cards.title_lines import TitleLine, find_card_faces, find_loose_lines, find_title_lines
from companion.vision.load import Picture
from companion.vision.numerics import Float64
from companion.vision.readings import Box, TitleDetection

LANGUAGES = {"en": "eng", "it": "ita", "ru": "rus", "uk": "ukr", "ko": "kor"}
"""Languages that titles are read in, with Tesseract's names for them."""

_SCRIPTS = (("en", "it"), ("ru", "uk"), ("ko",))
"""Languages that are read at once, in the order in which they are tried: mixed letters are read worse."""

_LATIN_ALIKE = frozenset({"en", "it"})

MIN_WORD_CONFIDENCE = 55.0
"""A word that is no djinn's name for certain must be read by Tesseract this surely (0 to 100) to be mentioned."""

MIN_SURE, EXACT = 20.0, 0.95
"""What Tesseract reads less surely than the first counts only if it is as like a name as the second."""

SIZES = (0.5, 2.0)
"""A card without a title that could be read: its area in parts of the median of those that were recognised."""

MIN_LIKENESS = 0.74
MIN_MARGIN = 0.12
"""A word must be this like a name, and this much more so than like the next name."""

NEAR_LIKENESS = 0.55
"""A word this like a name is a title that could not be recognised, if it is none that could."""

MIN_LETTERS = 4
"""Those of the shortest name, Hangul taken apart."""

_BY_SCRIPT: dict[str, list[tuple[str, str]]] = {}
for _name in DJINNS:
    for _spelling in DJINN_NAMES[_name]:
        _script = unicodedata.name(_spelling[0]).split()[0]
        _BY_SCRIPT.setdefault(_script, []).append((fold(_spelling), _name))


def rank_names(text: str) -> list[tuple[str, float]]:
    """Every djinn with how like its name a word is (0 to 1), the likeliest first; empty for what is no word.

    >>> rank_names("Sharnhat")[0], rank_names("Ламия")[0]
    (('Shamhat', 0.8), ('Lamia', 1.0))
    """
    word = fold(text)
    letters = [letter for letter in text if letter.isalpha()]
    if not letters or len(word) < MIN_LETTERS:
        return []
    script = unicodedata.name(letters[len(letters) // 2], "?").split()[0]
    likeness: dict[str, float] = {}
    for spelling, name in _BY_SCRIPT.get(script, []):
        ratio = difflib.SequenceMatcher(None, word, spelling).ratio()
        likeness[name] = max(likeness.get(name, 0.0), ratio)
    return sorted(likeness.items(), key=lambda item: -item[1])


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a text of a card is like: a name, how like (0 to 1), how sure Tesseract is (0 to 100), and its line."""

    name: str
    likeness: float
    text: str
    sure: float
    line: TitleLine


def read_titles(photo: Picture, others: Sequence[Quad] = ()) -> list[TitleDetection]:
    """The titles that stand on cards in a photo, whichever way they lie, as one reads them: from left to right.

    `others` are outlines of cards known to be no djinns, on which no title is looked for: Tesseract takes a second for
    each. Letters of another script are looked for only if the first do not show all the face-up djinns (rules 2.7).
    Raises MissingDependencyError without Tesseract or any of the languages of `LANGUAGES`, PhotoError if it gives up.
    """
    groups = _language_groups()
    outlined = find_card_faces(photo)
    faces = [face for face in outlined if not any(overlap(face, other) > SAME_CARD for other in others)]
    if outlined and not faces:
        return []
    titles = _titles_of(_read_cards(find_title_lines(photo, faces), groups), faces)
    if any(title.name is not None for title in titles):
        return titles
    loose = _titles_of(_read_cards(find_loose_lines(photo), groups), ())
    return max(titles, loose, key=_worth)


def face_up(titles: Sequence[TitleDetection]) -> tuple[str, ...]:
    """The djinns on the table by the titles seen: the likeliest three, from left to right (rules 2.7)."""
    named = [title for title in titles if title.name is not None]
    likeliest = sorted(named, key=lambda title: -title.confidence)[:FACE_UP_DJINNS]
    return tuple(title.name for title in named if title.name is not None and title in likeliest)


def _language_groups() -> list[str]:
    """What to tell Tesseract to read, "rus+ukr", one script after the other."""
    tesseract = find_tesseract()
    if tesseract is None:
        raise MissingDependencyError(
            "reading card titles needs Tesseract, which isn't installed: apt install tesseract-ocr (or type the "
            "djinn names into the position file)"
        )
    groups = []
    for script in _SCRIPTS:
        read = [LANGUAGES[language] for language in script if LANGUAGES[language] in tesseract.languages]
        if read:
            # The names are the same in all Latin languages: one is enough, and quicker.
            groups.append(read[0] if script[0] in _LATIN_ALIKE else "+".join(read))
    if not groups:
        raise MissingDependencyError(
            "reading card titles in {lacking} needs more Tesseract languages: apt install {packs}",
            lacking="en",
            packs=_package("en"),
        )
    return groups


def lacking_packages() -> tuple[str, ...]:
    """Debian's packages of the languages of `LANGUAGES` that Tesseract lacks here; none without Tesseract."""
    tesseract = find_tesseract()
    if tesseract is None:
        return ()
    there = {language for language, pack in LANGUAGES.items() if pack in tesseract.languages}
    if there & _LATIN_ALIKE:
        there |= _LATIN_ALIKE
    return tuple(_package(language) for language in LANGUAGES if language not in there)


def _package(language: str) -> str:
    return f"tesseract-ocr-{LANGUAGES[language]}"


def _read_cards(lines: Sequence[TitleLine], groups: Sequence[str]) -> dict[int, list[_Reading]]:
    """What the lines of each card may say, by the card's number.

    Scripts are tried until three djinns are recognised, then once more, smaller, on the cards that were not.
    """
    cards: dict[int, list[_Reading]] = {}
    for small in (False, True):
        sure = {card for card, readings in cards.items() if _recognised(readings) is not None}
        if small and not sure:
            # Not a photo of djinns' cards, most likely.
            break
        left = [line for line in lines if line.card not in sure]
        for group in groups:
            for line, words in zip(
                left, read_lines([line.small if small else line.picture for line in left], group), strict=True
            ):
                cards.setdefault(line.card, []).extend(_readings(line, words))
            if sum(_recognised(readings) is not None for readings in cards.values()) >= FACE_UP_DJINNS:
                return cards
    return cards


def _readings(line: TitleLine, words: Sequence[tuple[str, float]]) -> Iterator[_Reading]:
    """What the words of a line, one by one and together, are like."""
    whole = (" ".join(text for text, _ in words), min((sure for _, sure in words), default=0.0))
    for text, sure in dict.fromkeys([*words, whole]):
        for name, likeness in rank_names(text)[:2]:
            if sure >= MIN_SURE or likeness >= EXACT:
                yield _Reading(name, likeness, text, sure, line)


def _recognised(readings: Sequence[_Reading]) -> _Reading | None:
    """The reading of a card whose name is like enough, and more so than any other name that is read on it."""
    best: dict[str, _Reading] = {}
    for reading in readings:
        if reading.name not in best or best[reading.name].likeness < reading.likeness:
            best[reading.name] = reading
    ranked = sorted(best.values(), key=lambda reading: -reading.likeness)
    if not ranked or ranked[0].likeness < MIN_LIKENESS:
        return None
    return ranked[0] if len(ranked) == 1 or ranked[0].likeness - ranked[1].likeness >= MIN_MARGIN else None


def _nearest(readings: Sequence[_Reading]) -> _Reading | None:
    """The reading of a card without a title that is most like one, if Tesseract was sure of it."""
    near = [one for one in readings if one.sure >= MIN_WORD_CONFIDENCE and one.likeness >= NEAR_LIKENESS]
    return max(near, key=lambda reading: reading.likeness, default=None)


def _titles_of(cards: dict[int, list[_Reading]], faces: Sequence[Quad]) -> list[TitleDetection]:
    """The titles of all cards, in their order; `faces` are the cards' outlines by their numbers, if they have any."""
    sure: dict[str, tuple[int, _Reading]] = {}
    for card, readings in cards.items():
        title = _recognised(readings)
        if title is not None and (title.name not in sure or sure[title.name][1].likeness < title.likeness):
            sure[title.name] = (card, title)
    places = [reading.line.corners for _, reading in sure.values()]
    titles = [
        (TitleDetection(one.name, one.text, one.likeness, _box(one.line.corners)), one) for _, one in sure.values()
    ]
    rest = [near for card, readings in cards.items() if _recognised(readings) is None and (near := _nearest(readings))]
    for near in sorted(rest, key=lambda reading: -reading.likeness):
        place = near.line.corners
        if not any(overlap(place, other) > 0 for other in places):
            places.append(place)
            titles.append((TitleDetection(None, near.text, near.likeness, _box(near.line.corners)), near))
    # What runs along with the titles' print is how one reads them.
    along = sum((_direction(reading.line) for _, reading in sure.values()), np.zeros(2)) if sure else np.array([1.0, 0])
    lying = [(float(along @ one.line.corners.mean(axis=0)), title) for title, one in titles]
    if sure and len(sure) < FACE_UP_DJINNS:
        lying += [
            (float(along @ face.mean(axis=0)), TitleDetection(None, "", 0.0, _box(face)))
            for face in _unread(faces, [faces[card] for card, _ in sure.values() if card < len(faces)], places)
        ]
    return [title for _, title in sorted(lying, key=lambda one: one[0])]


def _unread(faces: Sequence[Quad], sure: Sequence[Quad], places: Sequence[Quad]) -> list[Quad]:
    """The cards, about as large as those whose titles were recognised, on which nothing like a title could be read."""
    if not sure:
        return []
    usual = float(np.median([quad_area(face) for face in sure]))
    return [
        face
        for face in faces
        if SIZES[0] < quad_area(face) / usual < SIZES[1]
        and not any(overlap(face, other) > SAME_CARD for other in (*sure, *places))
    ]


def _worth(titles: Sequence[TitleDetection]) -> float:
    """How much a reading shows: a recognised title counts in full, another a little."""
    return sum(title.confidence * (1.0 if title.name is not None else 0.15) for title in titles)


def _direction(line: TitleLine) -> Float64:
    """The way in which a line runs, in the photo, of length 1."""
    along = line.corners[1] + line.corners[2] - line.corners[0] - line.corners[3]
    return np.asarray(along / max(float(np.linalg.norm(along)), 1e-9), np.float64)


def _box(corners: Float64) -> Box:
    left, top = np.floor(corners.min(axis=0))
    right, bottom = np.ceil(corners.max(axis=0))
    return int(left), int(top), int(right - left), int(bottom - top)
