"""Titles of face-up djinns, read off their cards by Tesseract and matched to the 22 names of rules 11."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pytesseract

from companion.errors import MissingDependencyError, PhotoError, printable
from companion.language.phrase import joined, say
from companion.programs import find_tesseract
from companion.rules.model.components import FACE_UP_DJINNS
from companion.vision.cards.djinn_names import NEAR_LIKENESS, match_name, rank_names
from companion.vision.load import Picture
from companion.vision.numerics import GreyImage

LONG_SIDE_PX = 2400
MODES = {"kor": "--psm 11"}
ONE_BLOCK = "--psm 6"
"""Tesseract's mode for a page of plain lines: its own search for words fails on pictures of tables. Hangul is read
better as sparse text (lines of it as a block came out as other syllables in trials)."""

WORD_REACHES_PX = (13, 27)
"""Strokes so far apart are taken for one word, small print and large."""

MAX_WORDS = 60
SAME_PX = 4
MAX_REASON = 200
"""Characters of what Tesseract says that a message repeats."""

LINE_PX = 48
STRIP_PX = LINE_PX + 24
PAGE_PX = 620
TIMEOUT_S = 60

LANGUAGES = {"en": "eng", "it": "ita", "ru": "rus", "uk": "ukr", "ko": "kor"}
"""Languages that titles are read in, with Tesseract's names for them."""

_SCRIPTS = (("en", "it"), ("ru", "uk"), ("ko",))
"""Languages that are read at once, in the order in which they are tried: mixed letters are read worse."""

_LATIN_ALIKE = frozenset({"en", "it"})

MIN_WORD_CONFIDENCE = 55.0
"""A word that is no djinn's name for certain must be read by Tesseract this surely (0 to 100) to be told of."""

Box = tuple[int, int, int, int]
"""Left, top, width and height in px."""


@dataclass(frozen=True, slots=True)
class TitleDetection:
    """A djinn's title seen in a photo.

    `name` is the djinn's, None where a title was seen but no single name is like enough; `text` as it was read;
    `confidence` how like the name the text is (0 to 1), for one not told how like the nearest; `box` in the photo.
    """

    name: str | None
    text: str
    confidence: float
    box: Box


def read_titles(photo: Picture, languages: Sequence[str] | None = None) -> list[TitleDetection]:
    """The titles that stand in a photo, upright or turned by quarters, as one reads them: from left to right.

    `languages` are codes of `LANGUAGES`; all that Tesseract has here unless given. Letters of another script are
    looked for only if the first do not show all the face-up djinns (rules 2.7). Raises MissingDependencyError
    without Tesseract or without a language asked for, PhotoError if Tesseract gives up, ValueError for a language
    that is not read.
    """
    groups = _language_groups(languages)
    scale = LONG_SIDE_PX / max(photo.shape[:2])
    kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    grey = cv2.cvtColor(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=kind), cv2.COLOR_BGR2GRAY)
    pages = [_page_of(np.ascontiguousarray(np.rot90(grey, quarters), dtype=np.uint8)) for quarters in range(4)]
    best: list[TitleDetection] = []
    best_quarters = 0
    for group in groups:
        for quarters, page in enumerate(pages):
            titles = _titles_on(page, group)
            if _worth(titles) > _worth(best):
                best, best_quarters = titles, quarters
            if _count_named(best) >= FACE_UP_DJINNS:
                break
        if _count_named(best) >= FACE_UP_DJINNS:
            break
    width, height = grey.shape[1], grey.shape[0]
    return [
        TitleDetection(
            title.name, title.text, title.confidence, _in_photo(title.box, best_quarters, (width, height), scale)
        )
        for title in sorted(best, key=lambda title: title.box[0] + title.box[2] / 2)
    ]


def face_up(titles: Sequence[TitleDetection]) -> tuple[str, ...]:
    """The djinns on the table by the titles seen: the likeliest three, from left to right (rules 2.7)."""
    named = [title for title in titles if title.name is not None]
    likeliest = sorted(named, key=lambda title: -title.confidence)[:FACE_UP_DJINNS]
    return tuple(title.name for title in named if title.name is not None and title in likeliest)


def _language_groups(languages: Sequence[str] | None) -> list[str]:
    """What to tell Tesseract to read, "rus+ukr", one script after the other."""
    for language in languages or ():
        if language not in LANGUAGES:
            raise ValueError(f"titles are read in {', '.join(LANGUAGES)}, not in {language!r}")
    tesseract = find_tesseract()
    if tesseract is None:
        raise MissingDependencyError(
            say(
                "reading card titles needs Tesseract, which is not installed: apt install tesseract-ocr "
                "(or type the djinns' names into the position file)"
            )
        )
    there = [language for language, pack in LANGUAGES.items() if pack in tesseract.languages]
    lacking = [language for language in languages or ("en",) if not _readable(language, there)]
    if lacking and (languages is not None or not there):
        packs = " ".join(f"tesseract-ocr-{LANGUAGES[language]}" for language in lacking)
        raise MissingDependencyError(
            say(
                "reading card titles in {lacking} needs more of Tesseract: apt install {packs}",
                lacking=joined(", ", lacking),
                packs=packs,
            )
        )
    wanted = set(languages or there)
    if wanted & _LATIN_ALIKE:
        wanted |= _LATIN_ALIKE
    groups = []
    for script in _SCRIPTS:
        read = [LANGUAGES[language] for language in script if language in wanted and language in there]
        if read:
            # The names are the same in all Latin languages: one is enough, and quicker.
            groups.append(read[0] if script[0] in _LATIN_ALIKE else "+".join(read))
    return groups


def _readable(language: str, there: Sequence[str]) -> bool:
    return language in there or (language in _LATIN_ALIKE and bool(_LATIN_ALIKE.intersection(there)))


def _count_named(titles: Iterable[TitleDetection]) -> int:
    return sum(title.name is not None for title in titles)


def _worth(titles: Iterable[TitleDetection]) -> float:
    """How much a reading shows: what is told counts in full, what is not a little."""
    return sum(title.confidence * (1.0 if title.name is not None else 0.15) for title in titles)


def _in_photo(box: Box, quarters: int, size: tuple[int, int], scale: float) -> Box:
    """A box of the picture turned anticlockwise by quarters, in the photo; `size` is the picture's before turning."""
    left, top, wide, high = box
    for turn in range(quarters, 0, -1):
        before = size[(turn - 1) % 2]
        left, top, wide, high = before - top - high, left, high, wide
    return round(left / scale), round(top / scale), round(wide / scale), round(high / scale)


@dataclass(frozen=True, slots=True)
class _Page:
    """Words one below the other, black on white, as Tesseract likes its pages; and the box each was cut from."""

    picture: GreyImage
    boxes: list[Box]


def _titles_on(page: _Page, languages: str) -> list[TitleDetection]:
    """The titles on a page: the best word for each djinn, and words that are nearly a name but no single one."""
    if not page.boxes:
        return []
    mode = MODES.get(languages, ONE_BLOCK)
    lines: dict[int, list[tuple[str, float]]] = {}
    for text, middle, sure in _words_on(page.picture, languages, mode):
        number = min(max(int(middle // STRIP_PX), 0), len(page.boxes) - 1)
        lines.setdefault(number, []).append((text, sure))
    named: dict[str, TitleDetection] = {}
    unnamed: list[TitleDetection] = []
    for number, read in lines.items():
        box = page.boxes[number]
        whole = " ".join(text for text, _ in read)
        for text, sure in dict.fromkeys([*read, (whole, min(sure for _, sure in read))]):
            match = match_name(text)
            if match is not None:
                if match[0] not in named or named[match[0]].confidence < match[1]:
                    named[match[0]] = TitleDetection(match[0], text, match[1], box)
            elif sure >= MIN_WORD_CONFIDENCE:
                near = rank_names(text)
                if near and near[0][1] >= NEAR_LIKENESS:
                    unnamed.append(TitleDetection(None, text, near[0][1], box))
    return [*named.values(), *_apart(unnamed, [title.box for title in named.values()])]


def _words_on(picture: GreyImage, languages: str, mode: str) -> list[tuple[str, float, float]]:
    """The words that Tesseract reads: the text, the height in px of its middle, and how sure it is (0 to 100).

    Raises PhotoError if it gives up on the picture, MissingDependencyError if it does not work at all.
    """
    try:
        words = pytesseract.image_to_data(
            picture, lang=languages, config=mode, timeout=TIMEOUT_S, output_type=pytesseract.Output.DICT
        )
        rows = zip(words["text"], words["top"], words["height"], words["conf"], strict=True)
        return [
            (printable(str(text)).strip(), float(top) + float(height) / 2, float(sure))
            for text, top, height, sure in rows
            if str(text).strip() and math.isfinite(float(top) + float(height) + float(sure))
        ]
    except pytesseract.TesseractError as error:
        reason = error.message
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise PhotoError(
            say("Tesseract could not read the titles ({reason}): photograph the djinn cards alone", reason=reason)
        ) from None
    except (OSError, ValueError, LookupError, TypeError, SystemExit) as error:
        # What comes back is parsed by a library that expects it to be as it should; it even leaves the program.
        reason = str(error)
    said = " ".join(printable(str(reason)).split())[:MAX_REASON]
    raise MissingDependencyError(
        say(
            "Tesseract does not work here ({said}): install it anew (apt install --reinstall "
            "tesseract-ocr), or type the djinns' names into the position file",
            said=said,
        )
    )


def _apart(unnamed: Sequence[TitleDetection], taken: list[Box]) -> list[TitleDetection]:
    """What could not be told, each place once, and none where something was told."""
    kept = []
    for title in sorted(unnamed, key=lambda title: -title.confidence):
        if not any(_meet(title.box, box) for box in taken):
            taken = [*taken, title.box]
            kept.append(title)
    return kept


def _meet(first: Box, second: Box) -> bool:
    return all(
        first[axis] < second[axis] + second[axis + 2] and second[axis] < first[axis] + first[axis + 2]
        for axis in (0, 1)
    )


def _word_boxes(grey: GreyImage) -> list[Box]:
    """Boxes that may hold a word: dark or light strokes close together in a line."""
    boxes = []
    for picture in (grey, 255 - grey):
        ink = cv2.adaptiveThreshold(picture, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 51, 14)
        for reach in WORD_REACHES_PX:
            joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, reach), np.uint8))
            _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
            boxes += [
                (int(left), int(top), int(width), int(height))
                for left, top, width, height, area in stats[1:]
                if 16 <= height <= 140 and 1.6 * height <= width <= 12 * height and area > 0.25 * width * height
            ]
    apart: list[Box] = []
    for box in sorted(boxes, key=lambda box: -box[2] * box[3]):
        if len(apart) < MAX_WORDS and not any(_same(box, other) for other in apart):
            apart.append(box)
    return apart


def _same(first: Box, second: Box) -> bool:
    return all(abs(a - b) <= SAME_PX for a, b in zip(first, second, strict=True))


def _page_of(grey: GreyImage) -> _Page:
    lines = []
    boxes = _word_boxes(grey)
    for left, top, width, tall in boxes:
        rim = tall // 4
        crop = grey[max(top - rim, 0) : top + tall + rim, max(left - rim, 0) : left + width + rim]
        scale = LINE_PX / crop.shape[0]
        line = cv2.resize(crop, (min(round(crop.shape[1] * scale), PAGE_PX), LINE_PX), interpolation=cv2.INTER_AREA)
        _, bright = cv2.threshold(line, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        if bright.mean() < 127:
            line = 255 - line
        padded = np.full((STRIP_PX, PAGE_PX + 40), 255, np.uint8)
        padded[12 : 12 + LINE_PX, 20 : 20 + line.shape[1]] = cv2.normalize(
            line, np.empty_like(line), 0, 255, cv2.NORM_MINMAX
        )
        lines.append(padded)
    return _Page(np.vstack(lines) if lines else np.zeros((0, 0), np.uint8), boxes)
