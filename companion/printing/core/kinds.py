"""The templates of the prints, `templates/*.toml`: the bounds of their numbers, and the names that the glossary has."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import UsageError, quoted
from companion.language.catalogue import catalogued, translate
from companion.language.phrase import Phrase, joined, say, say_as
from companion.printing.core.geometry import RULER_GAP_MM, RULER_HEIGHT_MM, SAFE_MM
from companion.printing.core.template import Names, Table, TemplateFault, TemplateKind
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import CARD_COUNTS, GOODS, Colour, TileAction, Tribe

MIN_CAPTION_PT = 6.5
"""Smaller lettering is lost where a score sheet is copied."""

_COLOURS = [colour.value for colour in Colour]
_TRIBES = [tribe.noun for tribe in Tribe]
_ACTIONS = [action.name.lower() for action in TileAction]


def djinn_key(name: str) -> str:
    """A djinn's name as a key of a template.

    >>> djinn_key("Anun-Nak"), djinn_key("Ba'al")
    ('anun_nak', 'baal')
    """
    return name.lower().replace("-", "_").replace("'", "")


DJINN_KEYS = tuple(map(djinn_key, EVERY_DJINN))

COUNTED = ("camel", "turn_marker", "GC", "palms", "palaces", "player", *_TRIBES)
"""What the set-up card has numbers of, spaces as underscores."""


def _check_layouts(template: Table) -> None:
    for name, layout in template.layouts.items():
        for key in ("columns", "rows"):
            if not isinstance(layout[key], int):
                raise TemplateFault(f"layouts.{name}.{key}", say("must be a whole number"))
        if name != str(layout.columns * layout.rows):
            raise TemplateFault(
                f"layouts.{name}",
                say(
                    "has {columns} x {rows} sheets, so its name must be their number",
                    columns=layout.columns,
                    rows=layout.rows,
                ),
            )
        below = SAFE_MM + RULER_GAP_MM + RULER_HEIGHT_MM
        if layout.ruler and layout.padding + layout.ruler < below:
            raise TemplateFault(
                f"layouts.{name}",
                say("padding and ruler must be at least {below:g} mm together, or ruler must be 0", below=below),
            )
    if template.filled.layout not in template.layouts:
        named, layouts = quoted(template.filled.layout), joined(", ", template.layouts)
        raise TemplateFault(
            "filled.layout",
            say("must be one of the template's layouts, {layouts}, not {named}", layouts=layouts, named=named),
        )


def pick_layout(template: Table, per_page: str) -> Table:
    """The layout with that many score sheets to the page. Raises UsageError if the template has none."""
    if per_page not in template.layouts:
        raise UsageError(
            "no layout has {per_page} sheets to a page; choose from {layouts}",
            per_page=per_page,
            layouts=joined(", ", template.layouts),
        )
    layout: Table = template.layouts[per_page]
    return layout


_SHARES = ["gold", "viziers", "elders", "djinns", "palms", "palaces", "tiles", "goods", "total"]

SCORE = TemplateKind(
    "score_sheet",
    f"""
    marks: length 1-5, width 0.05-0.5
    layouts.*: columns 1-6, rows 1-8, padding {SAFE_MM:g}-30, ruler 0-20, header 8-60, names 10-40, gap 0.5-20
    layouts.*: label 15-150, ladder 7-60, icon 2-30, total 0.5-5, count 0-5, good 0-5, sets 0.5-5
    layouts.*: title_pt 6.5-60, subtitle_pt 6.5-40, label_pt 6.5-24, hint_pt 6.5-14, small_pt 6.5-14
    filled: good 0.2-5, sets 0.2-5, code 20-80, number_pt 8-40, sum_pt 6.5-20
    filled.shares: {", ".join(f"{category} 0.5-5" for category in _SHARES)}
    """,
    names={"colours": Names(_COLOURS), "goods": Names(GOODS, capital=True)},
    more={"layouts": (None, None), "words.arithmetic": (None, "sum")},
    check=_check_layouts,
)

SETUP = TemplateKind(
    "setup_card",
    """
    page: side 5-40, top 5-40, bottom 12-40
    parts: header 10-60, players 6-30, legend 6-30, bids 6-30, row 15-60, djinns 34-90, reach 6-30
    parts: gap 1-15, tile_gap 0-6, heading 20-90, bag 25-60, code 30-80
    type: title_pt 8-60, subtitle_pt 6-40, heading_pt 6-30, text_pt 6-24, small_pt 6-20
    """,
    names={
        "tribes": Names(_TRIBES, plural=True, capital=True),
        "actions": Names(_ACTIONS, capital=True),
        "cards": Names(CARD_COUNTS, capital=True),
        "colours": Names(_COLOURS),
    },
    more={"words.counted": (COUNTED, ("form",)), "words.powers": (DJINN_KEYS, "power")},
)

CARDS = TemplateKind(
    "reference_cards",
    """
    card: frame 1.5-5, safe 3-8, head 7-20, emblem 15-50, cost 5-15
    type: name_pt 8-24, value_pt 8-24, timing_pt 6-12, cost_pt 6-12, power_pt 6-14, note_pt 6-12, title_pt 8-24
    type: text_pt 6-12, page_title_pt 10-40, page_text_pt 6-14
    """,
    names={
        "tribes.names": Names(_TRIBES, plural=True, capital=True),
        "tiles.names": Names(_ACTIONS, capital=True),
        "goods.names": Names(CARD_COUNTS, capital=True),
        "track.colours": Names(_COLOURS),
    },
    more={"words.notes": (DJINN_KEYS, "note")},
)

_PAGES = """
    page: side 5-40, top 5-40, bottom 10.5-40
    type: title_pt 8-60, subtitle_pt 6-40, heading_pt 6-30, text_pt 6-24, small_pt 6-20
    """

REVIEW = TemplateKind(
    "game_review",
    f"{_PAGES}parts: player 4-20, curve 40-140, gap 1-15",
    names={"colours": Names(_COLOURS)},
)

REPORT = TemplateKind(
    "game_report",
    f"{_PAGES}parts: title 14-60, row 4-12, scores 40-140, bars 40-140, gap 1-15\n"
    "parts: turn_board 80-186, round_board 100-192",
    names={"colours": Names(_COLOURS)},
)


MEEPLE_COLOURS: Mapping[Tribe, Phrase] = {
    Tribe.VIZIER: say_as("meeples of a tribe", "yellow"),
    Tribe.ELDER: say_as("meeples of a tribe", "white"),
    Tribe.BUILDER: say_as("meeples of a tribe", "blue"),
    Tribe.MERCHANT: say_as("meeples of a tribe", "green"),
    Tribe.ASSASSIN: say_as("meeples of a tribe", "red"),
}
"""The colour of a tribe's meeples: those of the game have one shape, and a print in grey has no colours."""


def with_colour(name: str, tribe: Tribe, language: str) -> str:
    """A tribe's name in the plural, and the colour of its meeples in words: "Viziers (yellow)"."""
    return f"{name} ({translate(MEEPLE_COLOURS[tribe], catalogued(language))})"


def djinn_power(name: str, language: str) -> str:
    """What a djinn does, in a language of the catalogues, as the reference cards say it. Raises KeyError."""
    power: str = CARDS.words(language).powers[djinn_key(name)]
    return power
