"""What the reference cards say of one thing, as text: a djinn, a tribe, a tile, a card, a clause of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.errors import UsageError, quoted
from companion.language.catalogue import catalogued, translate
from companion.language.glossary import LANGUAGES, forms_in, glossary
from companion.language.phrase import capitalised, say, term
from companion.notation.names import PHASE_NAMES, fold, nearest_form
from companion.printing.core.kinds import CARDS, djinn_key, with_colour
from companion.printing.core.template import Table
from companion.rules.engine.djinns import EVERY_DJINN, Djinn
from companion.rules.model.components import CARD_COUNTS, GOODS, MEEPLE_COUNTS, SET_PRICES_GC, TILE_KINDS, Tribe
from companion.rules.model.position import Phase

_TOPICS = """
vizier | 1.2 5.1 10.2 | tribes.texts.vizier
elder | 1.2 5.1 10.3 | tribes.texts.elder
builder | 1.2 5.3 | tribes.texts.builder tribes.fakirs
merchant | 1.2 5.2 | tribes.texts.merchant
assassin | 1.2 5.4 5.5 | tribes.texts.assassin tribes.fakirs
oasis | 1.1 6.1 | tiles.must tiles.texts.oasis
village | 1.1 6.2 | tiles.must tiles.texts.village
small market | 1.1 6.3 | tiles.may tiles.texts.small_market tiles.row
large market | 1.1 6.4 | tiles.may tiles.texts.large_market tiles.row
sacred place | 1.1 6.5 | tiles.may tiles.texts.sacred_place tiles.row
fakir | 1.4 5.6 | goods.fakirs tribes.fakirs
goods | 1.4 7 10.7 | turn.steps.5 goods.ladder goods.fakirs goods.advice
round | 1.6 3 8 | round.bids round.order round.refills
turn | 4 | turn.steps turn.walk turn.powers turn.stuck
palms | 1.3 10.5 | tiles.texts.oasis end.points.palms
palaces | 1.3 10.5 | tiles.texts.village end.points.palaces
coins | 1.3 10.1 | end.points.gold
camel | 4.8 9.1 | turn.steps.2 end.ends
djinns | 1.5 10.4 11 | tiles.texts.sacred_place turn.powers end.points.djinns
tribe | 5 | tribes.intro tribes.texts tribes.fakirs
tile | 6 10.6 | tiles.intro tiles.texts tiles.row
meeple | | turn.steps.1 turn.walk turn.steps.2
turn marker | 4.1 | turn.steps.0
end | 9 10 | end.ends end.points end.winner
tie | 9.3 | end.winner
set-up | 2 | set-up
hidden | 12 | hidden
3.1 | | round.bids.0
3.2 | | round.bids.1
3.3 | | round.order
3.4 | | round.bids.2
4.2 | | turn.steps.1 turn.walk.0
4.3 | | turn.walk.1
4.5 | | turn.walk.2
4.6 | 9.2 | turn.stuck
4.7 | | turn.steps.2
8.1 | | round.refills
"""
"""What can be asked besides single goods and djinns: its name, clauses, and where its texts stand among the words."""

_OF_DJINNS = {
    **{"11.1": "Ba'al", "11.2": "Hagis Lamia", "11.3": "Nekir Kandicha", "11.4": "Kandicha Echidna"},
    **{"11.5": "Hagis Lamia", "11.6": "Nekir Kandicha", "11.7": "Leta Utug", "11.8": "Kumarbi", "11.9": "Echidna"},
    **{"11.10": "Iblis", "11.11": "Anun-Nak", "11.12": "Al-Amin"},
}
"""The djinns that a clause is about."""

_OWN = {
    "set-up": say(
        "Each player gets 50 GC, 8 camels and a turn marker; with two players 11 camels and two markers. Three meeples "
        "at random on each tile, turn markers at random on the bid order track, nine cards in the row, three djinns."
    ),
    "hidden": say("Hidden are coins and resource cards in hand, and the decks. All else is open."),
}
"""What stands on no card."""

END_POINTS_VP = {"gold": 1, "viziers": 1, "majority": 10, "elders": 2, "palms": 3, "palaces": 5}
"""What one of each is worth at the end (rules 10); the others are worth what is printed on them."""


_CARDS_OF_RULES = {"round": "round", "turn": "turn", "tribe": "tribes", "tile": "tiles", "goods": "goods", "end": "end"}
"""The card whose title a topic has."""

_PHASES = {"round": Phase.BID, "turn": Phase.TURN, "end": Phase.END}
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class RuleText:
    """One thing that can be asked: its name and what the rules say of it, a sentence or a short fact a line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Topic:
    clauses: tuple[str, ...]
    places: tuple[str, ...]


@cache
def _topics() -> dict[str, _Topic]:
    rows = [[part.strip() for part in line.split("|")] for line in _TOPICS.strip().splitlines()]
    told = {name: _Topic(tuple(clauses.split()), tuple(places.split())) for name, clauses, places in rows}
    goods = dict.fromkeys(GOODS, _Topic((), told["goods"].places))
    about = {djinn: tuple(clause for clause, of in _OF_DJINNS.items() if djinn in of.split()) for djinn in EVERY_DJINN}
    djinns = {djinn: _Topic(clauses, (f"powers.{djinn_key(djinn)}",)) for djinn, clauses in about.items()}
    return {**told, **goods, **djinns}


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
    """What somebody means: a name in any language, the code of a tile, or a clause such as 6.1.

    Raises UsageError for anything else, with what it may be a misspelling of.
    """
    asked, topics = words.strip(), _topics()
    found: list[str] = []
    if asked[:1].isdigit():
        clause = asked.rstrip(".")
        found = [name for name, topic in topics.items() if clause == name or clause in topic.clauses]
        found = found or [name for name, topic in topics.items() if f" {clause}." in " ".join(("", *topic.clauses))]
        found = found or [name for name, topic in topics.items() if clause.partition(".")[0] in topic.clauses]
    elif fold(asked):
        found = _forms().get(fold(asked), [])
    if not found:
        guess = nearest_form(asked, {form: name for name in topics for form in _spelt(name)})
        raise UsageError(
            "the rules say nothing of {word}{guess}",
            word=quoted(asked, _MAX_SHOWN),
            guess=guess or say("; companion rules lists what can be asked"),
        )
    return tuple(found)


@cache
def _forms() -> dict[str, list[str]]:
    """What each folded word that people may type stands for; some mean several things."""
    forms: dict[str, list[str]] = {}
    for name in _topics():
        for form in {fold(form) for form in _spelt(name)}:
            forms.setdefault(form, []).append(name)
    return forms


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
    lines = [line for place in _topics()[name].places for line in _lines(words, place, language)]
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


def _lines(words: Table, place: str, language: str) -> Iterator[str]:
    """The texts at a place of the words: one, those of a list, or those of a table with what each is about."""
    if place in _OWN:
        yield translate(_OWN[place], language)
        return
    card = place.partition(".")[0]
    found: Any = words
    for key in place.split("."):
        found = found[int(key) if key.isdigit() else key]
    match found:
        case str() if place == "goods.ladder":
            yield f"{found} ({words.goods.price}): {', '.join(map(str, SET_PRICES_GC[1:]))}"
        case str() if place.startswith("end.points."):
            yield _points(found, place.rpartition(".")[2])
        case str():
            yield found
        case tuple() if place == "turn.steps":
            yield from (f"{number}. {text}" for number, text in enumerate(found, 1))
        case tuple():
            yield from found
        case _ if card == "end":
            yield from (_points(text, key) for key, text in found.items())
        case _:
            yield from (f"{words[card].names[key]}: {text}" for key, text in found.items())


def _points(text: str, key: str) -> str:
    return f"{text}: {END_POINTS_VP[key]}" if key in END_POINTS_VP else text


def timing(djinn: Djinn) -> str:
    """When a djinn's power works: "end", "bid", "turn" or "always" (rules 11)."""
    if djinn.revalue is not None:
        return "end"
    if djinn.lowers_bids:
        return "bid"
    return "turn" if djinn.cost.payments else "always"
