"""Pages out of templates and values: phrases are said in the reader's language where they are written.

Templates stand in `templates/`, what pages load in `assets/`. Names and other text of people stand as text, whatever
letters they have.
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from companion.advisor.bid_wording import bid_words, plays_words
from companion.advisor.turn_wording import outlook
from companion.errors import CompanionError
from companion.inputs import LIMITS
from companion.language.catalogue import translate
from companion.language.phrase import (
    Phrase,
    capitalised,
    clock_time,
    counted,
    decimal,
    joined,
    listed,
    named,
    say,
    say_as,
    say_many,
    term,
    with_names,
)
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN
from companion.rules.engine.scoring import CATEGORIES, category_name
from companion.rules.model.board import SQUARE_NAMES, Tile
from companion.rules.model.components import FAKIR, GOODS, SPOT_PRICES_GC, TILE_KINDS, Colour, Tribe
from companion.table.photos import TableReading
from companion.web.store.uploads import TOKEN, UPLOAD_LIMITS

TEMPLATES = Path(__file__).parents[1] / "templates"
ASSETS = Path(__file__).parents[1] / "assets"

LANGUAGE_NAMES: Mapping[str, str] = {
    "en": "English",
    "ru": "Русский",
    "uk": "Українська",
    "ko": "한국어",
    "it": "Italiano",
}
"""Each language by its own name."""


def render(template: str, language: str, /, **context: object) -> str:
    """A page as HTML, in a language of `LANGUAGES`, with its own token in each form (`Sendings`).

    Raises jinja2.UndefinedError where the context lacks what the template shows.
    """
    page = _environment().get_template(template).render(context, language=language)
    token = f'<input type="hidden" name="{TOKEN}" value="{secrets.token_urlsafe(9)}">'
    return _POST_FORM.sub(lambda form: form[0] + token, page)


_POST_FORM = re.compile('<form[^>]* method="post"[^>]*>')


def asset_address(name: str) -> str:
    """Where a page loads a file of `assets/` from: another address whenever the file is another.

    Raises FileNotFoundError for a name that is none of them.
    """
    return f"/assets/{name}?v={asset_checksum(name)}"


@cache
def asset_checksum(name: str) -> str:
    """What tells one content of a file of `assets/` from another. Raises FileNotFoundError for a name that is none."""
    return f"{zlib.crc32((ASSETS / name).read_bytes()):08x}"


_WORDS: tuple[Callable[..., object], ...] = (
    *(say, say_as, say_many, term, named, counted, capitalised, joined, listed, decimal, clock_time, with_names),
    *(bid_words, plays_words, outlook),
)
"""What templates call by its own name."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_said,
        auto_reload=False,
    )
    environment.globals.update(
        {value.__name__: value for value in _WORDS},
        sentence=_sentence,
        marked=_marked,
        verbatim=_verbatim,
        called=_called,
        asset=asset_address,
        languages=LANGUAGE_NAMES,
        squares=SQUARE_NAMES,
        colours=tuple(Colour),
        tribes=tuple(Tribe),
        goods=GOODS,
        fakir=FAKIR,
        tile_kinds=TILE_KINDS,
        prices=SPOT_PRICES_GC,
        board=_drawn("board_fragment"),
        outlines=_drawn("outlines_fragment"),
        tapping=_drawn("tapping_fragment"),
        turn=_drawn("turn_fragment"),
        tile_picture=_drawn("tile_fragment"),
        icon=_drawn("icon_fragment", speaks=False),
        qr=_drawn("qr_fragment", speaks=False),
        meeple=_drawn("meeple_fragment", speaks=False),
        tile_words=_words("tile_words"),
        square_words=_words("square_words"),
        taken_words=_words("taken_words"),
        category=category_name,
        token=str,
        unlike_tribes=_unlike_tribes,
        tile_link=lambda place: lambda square: place + SQUARE_NAMES[square],
        doubt_labels=_doubt_labels,
        categories=CATEGORIES,
        djinns=tuple(DJINNS),
        max_photos=LIMITS.photos,
        max_photo_bytes=LIMITS.photo_bytes,
        max_form_bytes=UPLOAD_LIMITS.bytes_of_photos,
    )
    return environment


@pass_context
def _sentence(context: Context, value: object) -> Markup:
    """What a template writes of a value, with a capital at its beginning; tiles (c3) are written as they are."""
    text = str(_said(context, value))
    return _marked(context, text if text[1:2].isdigit() else text[:1].upper() + text[1:])


_AS_IT_IS = (
    r"FT1-[A-Z0-9…-]+",  # the code of a position
    r"(?:[a-f][1-5][ybgrw]?(?:\s*>\s*)?)+",  # a tile of the board, or a way over several
    r"[OVMS]\d{1,2}(?:[:@^#][\w^#@:]*)?",  # the kind of a tile, with what stands on it
)


@lru_cache(maxsize=256)
def _untranslated(language: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """What stands for itself in a sentence: tiles, codes, djinns as their cards call them, these names of people."""
    djinns = [translate(named(djinn), language) for djinn in EVERY_DJINN]
    words = "|".join([*map(re.escape, (*names, *djinns)), *_AS_IT_IS])
    return re.compile(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", re.ASCII)


@pass_context
def _marked(context: Context, value: object, *names: str | None) -> Markup:
    """What a template writes of a value between tags, with what no browser is to translate marked in it.

    That are tiles of the board, their kinds, codes, djinns, and the `names` of people that stand in it.
    """
    kept = _untranslated(context["language"], tuple(str(name) for name in names if name))
    text, parts, end = str(_said(context, value)), [], 0
    for match in kept.finditer(text):
        words = match[0].rstrip()
        parts += [escape(text[end : match.start()]), _VERBATIM.format(words)]
        end = match.start() + len(words)
    return Markup("").join([*parts, escape(text[end:])])


_VERBATIM = Markup('<span translate="no">{}</span>')


@pass_context
def _verbatim(context: Context, value: object) -> Markup:
    """A name, a code or a line of a record as a template writes it between tags: no browser is to translate it."""
    return _VERBATIM.format(_said(context, value))


@pass_context
def _called(context: Context, colour: Colour, names: Mapping[Colour, str]) -> Markup:
    """How a player is called, between tags: the name as it is, or the colour in the reader's language."""
    name = names.get(colour)
    return _verbatim(context, name) if name else escape(_said(context, capitalised(term(colour))))


@pass_context
def _said(context: Context, value: object) -> object:
    """What a template writes: phrases in the reader's language, nothing for what is not there."""
    if value is None:
        return ""
    if isinstance(value, CompanionError):
        value = str(value)
    return translate(value, context["language"]) if isinstance(value, Phrase) else value


def _drawn(name: str, *, speaks: bool = True) -> Callable[..., Markup]:
    """A drawing of `printing.hint.fragments`, which loads fonts and so waits for the first; most speak a language."""

    @pass_context
    def draw(context: Context, *arguments: Any, **options: Any) -> Markup:
        from companion.printing.hint import fragments

        language = {"language": context["language"]} if speaks else {}
        return Markup(getattr(fragments, name)(*arguments, **options, **language))

    return draw


def _words(name: str) -> Callable[..., Phrase]:
    """What `printing.hint.fragments` says of a tile, which waits for the first as drawings do."""

    def words(*arguments: Any) -> Phrase:
        from companion.printing.hint import fragments

        said: Phrase = getattr(fragments, name)(*arguments)
        return said

    return words


_CROWDED = 5
"""Meeples on a tile that are counted at a glance no more."""


def _unlike_tribes(tiles: Sequence[Tile]) -> list[Tribe]:
    """The tribes in which tiles differ, where so many meeples stand on one of them that it is hard to see."""
    if max(sum(tile.meeples) for tile in tiles) < _CROWDED:
        return []
    return [tribe for tribe in Tribe if len({tile.meeples[tribe] for tile in tiles}) > 1]


def _doubt_labels(seen: TableReading, squares: Iterable[int]) -> dict[int, Phrase]:
    """What is read out of tiles to look at: how sure the reading is of each that is in doubt."""
    from companion.printing.hint.fragments import doubt_words

    return {square: doubt_words(seen.reading.doubts.get(square, 1.0)) for square in squares}
