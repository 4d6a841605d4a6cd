"""What the reference cards say of one thing, as text: a djinn, a tribe, a tile, a card, a clause of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from companion.errors import UsageError, quoted
from companion.language.catalogue import catalogued, translate
from companion.language.glossary import LANGUAGES, forms_in, glossary
from companion.language.phrase import capitalised, say, term
from companion.notation.names import PHASE_NAMES, fold, nearest_form
from companion.printing.core.kinds import CARDS, djinn_key, with_colour
from companion.printing.core.template import Table
from companion.rules.engine.djinns import EVERY_DJINN, Djinn
from companion.rules.model.components import CARD_COUNTS, MEEPLE_COUNTS, SET_PRICES_GC, TILE_KINDS, Tribe
from companion.rules.model.position import Phase
from companion.system.installation import template_path

_OWN = {
    "set-up": say(
        "Each player gets 50 GC, 8 camels and a turn marker; with two players 11 camels and two markers. Three meeples "
        "at random on each tile, turn markers at random on the bid order track, nine cards in the row, three djinns."
    ),
    "hidden": say("Coins, resource cards in hand and the decks are hidden. Everything else is open."),
}
"""What stands on no card."""

END_POINTS_VP = {"gold": 1, "viziers": 1, "majority": 10, "elders": 2, "palms": 3, "palaces": 5}
"""What one of each is worth at the end (rules 10); the others are worth what is printed on them."""


_CARDS_OF_RULES = {"round": "round", "turn": "turn", "tribe": "tribes", "tile": "tiles", "goods": "goods", "end": "end"}
"""The card whose title a topic has."""

_PHASES = {"round": Phase.BID, "turn": Phase.TURN, "end": Phase.END}
_MAX_SHOWN = 40

_SHORTEST = 3
"""Letters of a word that is looked for in the texts."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """One thing that can be asked: its name and what the rules say of it, a sentence or a short fact a line."""

    title: str
    lines: tuple[str, ...]


class _Topic(NamedTuple):
    clauses: tuple[str, ...]
    places: tuple[str, ...]


@cache
def _topics() -> dict[str, _Topic]:
    """What can be asked, of `templates/rules.tsv`."""
    lines = template_path("rules.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return {name: _Topic(tuple(clauses.split()), tuple(places.split())) for name, clauses, places in rows}


def topic_names() -> dict[str, list[str]]:
    """What can be asked by name, by what it is: djinns, tribes, tiles, cards; all else under "rules"."""
    kinds: dict[str, list[str]] = {"djinns": [], "tribe": [], "tile": [], "cards": [], "rules": []}
    of_kind = {"djinn": "djinns", "tribe": "tribe", "tile": "tile", "card": "cards", "good": "cards"}
    for name in _topics():
        if not name[0].isdigit():
            entry = glossary().get(name)
            kinds[of_kind.get(entry.kind if entry else "", "rules")].append(name)
    return kinds


def asked_topics(words: str) -> tuple[str, ...]:
    """What somebody means: a name in any language or a word of it, the code of a tile, or a clause such as 6.1.

    Of a word that names nothing, all topics whose texts have it, or one that begins so: kill, pay. Raises UsageError
    for anything else, with what it may be a misspelling of.
    """
    asked, topics = words.strip(), _topics()
    names: list[str] = []
    if asked[:1].isdigit():
        clause = asked.rstrip(".")
        names = [name for name, topic in topics.items() if clause == name or clause in topic.clauses]
        names = names or [name for name, topic in topics.items() if f" {clause}." in " ".join(("", *topic.clauses))]
        names = names or [name for name, topic in topics.items() if clause.partition(".")[0] in topic.clauses]
    elif word := fold(asked):
        names = [name for name in topics if word in map(fold, _spelt(name))]
        names = names or [name for name in topics if word in map(fold, " ".join(_spelt(name)).split())]
        if not names and len(word) >= _SHORTEST:
            # All cards say the same of being sold, and a clause says what its topic does.
            named = [name for name in topics if not name[0].isdigit() and name not in CARD_COUNTS]
            names = [name for name in named if _tells(name, word)]
    if not names:
        guess = nearest_form(asked, {form: name for name in topics for form in _spelt(name)})
        raise UsageError(
            "the rules don't mention {word}{guess}",
            word=quoted(asked, _MAX_SHOWN),
            guess=guess or say("; companion rules lists everything"),
        )
    return tuple(names)


def _tells(name: str, word: str) -> bool:
    """Whether what the rules say of a topic has, in any language, a word that begins so."""
    lines = [line for language in LANGUAGES for line in rule_text(name, language).lines]
    return any(fold(one).startswith(word) for one in " ".join(lines).split())


@cache
def _spelt(name: str) -> list[str]:
    """How a topic may be written, clauses aside: the glossary's forms, the codes of tiles, titles of cards."""
    known = glossary()
    forms = [form for language in LANGUAGES if name in known for form in forms_in(language, name)]
    forms += [kind.code for kind in TILE_KINDS.values() if kind.action == name]
    forms += PHASE_NAMES[_PHASES[name]] if name in _PHASES else ()
    return forms + [CARDS.words(one)[_CARDS_OF_RULES[name]].title for one in LANGUAGES if name in _CARDS_OF_RULES]


def rule_text(name: str, language: str) -> RuleText:
    """What the rules say of a topic of `asked_topics`, in a language of the catalogues."""
    language = catalogued(language)
    words = CARDS.words(language)
    lines = [line for place in _topics()[name].places for line in _lines(words, name, place, language)]
    if name in EVERY_DJINN:
        djinn, key = EVERY_DJINN[name], djinn_key(name)
        cost = words.costs[djinn.cost.name.lower()]
        note = [words.notes[key]] if key in words.notes else []
        when = f"{words.timings[timing(djinn)]}; {cost}"
        return RuleText(f"{name}, {djinn.vp} {words.vp}", (when[:1].upper() + when[1:], *lines, *note))
    return RuleText(_title(name, words, language), tuple(lines))


def _title(name: str, words: Table, language: str) -> str:
    """The name of a topic, with how many of it there are."""
    if name[0].isdigit():
        return f"{words[_topics()[name].places[0].partition('.')[0]].title} ({name})"
    if name in _CARDS_OF_RULES:
        title: str = words[_CARDS_OF_RULES[name]].title
        return title
    called = translate(capitalised(term(name, plural=glossary()[name].kind == "held")), language)
    for tribe in Tribe:
        if name == tribe.noun:
            return f"{with_colour(called, tribe, language)} × {MEEPLE_COUNTS[tribe]}"
    if name in CARD_COUNTS:
        return f"{called} × {CARD_COUNTS[name]}"
    if kinds := [kind for kind in TILE_KINDS.values() if kind.action == name]:
        values = "–".join(map(str, dict.fromkeys((kinds[0].vp, kinds[-1].vp))))
        return f"{called} × {sum(kind.count for kind in kinds)}, {values} {words.vp}"
    return called


def _lines(words: Table, name: str, place: str, language: str) -> Iterator[str]:
    """The texts at a place of the words, those of a table and of tiles with what each is about if `name` isn't that."""
    if place in _OWN:
        yield translate(_OWN[place], language)
        return
    card = place.partition(".")[0]
    texts: Any = words
    for key in place.split("."):
        texts = texts[int(key) if key.isdigit() else key]
    match texts:
        case str() if place == "goods.ladder":
            yield f"{texts} ({words.goods.price}): {', '.join(map(str, SET_PRICES_GC[1:]))}"
        case str() if place.startswith("end.points."):
            yield f"{words.end.scoring}: {_points(texts, key)}"
        case str() if place.startswith("tiles.texts.") and key != name.replace(" ", "_"):
            yield f"{words.tiles.names[key]}: {texts}"
        case str():
            yield texts
        case tuple() if place == "turn.steps":
            yield from (f"{number}. {text}" for number, text in enumerate(texts, 1))
        case tuple():
            yield from texts
        case _ if card == "end":
            yield f"{words.end.scoring}:"
            yield from (_points(text, key) for key, text in texts.items())
        case _:
            yield from (f"{words[card].names[key]}: {text}" for key, text in texts.items())


def _points(text: str, key: str) -> str:
    return f"{text}: {END_POINTS_VP[key]}" if key in END_POINTS_VP else text


def timing(djinn: Djinn) -> str:
    """When a djinn's power works: "end", "bid", "turn" or "always" (rules 11)."""
    if djinn.revalue is not None:
        return "end"
    if djinn.lowers_bids:
        return "bid"
    return "turn" if djinn.cost.payments else "always"
