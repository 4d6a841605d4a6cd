"""Points at the end of the game, category by category (rules 10).

No djinn is named here: what one changes is its `revalue` hook, applied to `Worth`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from typing import Any

from companion.language.phrase import Phrase, counted, joined, say, say_as, say_each, say_many, term
from companion.rules.engine.djinns import Worth, djinn_named
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.board import palaces_on, palms_on
from companion.rules.model.components import FAKIR, NO_GOODS, Colour, GoodsSet, best_goods_value, best_sets
from companion.rules.model.position import HELD, Player, Position
from companion.rules.model.state import NOTHING_HIDDEN, GameState

CATEGORIES = ("gold", "viziers", "elders", "djinns", "palms", "palaces", "tiles", "goods")
"""The categories of a score in the order of rules 10.1 to 10.7."""

NONE = say_as("of a category of the score", "none")
NOT_KNOWN = say_as("of a category of the score", "not known")
"""The arithmetic of a category in which a player has nothing, and of one that is not known."""

VP_FOR_FEWER_VIZIERS = 10
"""For each opponent with strictly fewer viziers (rules 10.2)."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """What one player's points are counted from, as in `position.Player`, with the values in VP of own `tiles`, and
    what stands on them; None counts as nothing.
    """

    _: KW_ONLY
    gold: int | None = None
    viziers: int | None = None
    elders: int | None = None
    fakirs: int | None = None
    goods: tuple[int, ...] | None = None
    djinns: tuple[str, ...] | None = None
    palms: int | None = None
    palaces: int | None = None
    tiles: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One player's points in VP by category; `viziers` includes the 10s for opponents.

    `unknown` are the categories that count as 0 because nobody knows them. `held` is what was counted and `ahead_of`
    how many opponents have fewer viziers, None and 0 where points alone are known; `typed` are the sums of categories
    whose points were given.
    """

    _: KW_ONLY
    gold: int = 0
    viziers: int = 0
    elders: int = 0
    djinns: int = 0
    palms: int = 0
    palaces: int = 0
    tiles: int = 0
    goods: int = 0
    unknown: frozenset[str] = frozenset()
    held: Holdings | None = None
    ahead_of: int = 0
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return (
            self.gold + self.viziers + self.elders + self.djinns + self.palms + self.palaces + self.tiles + self.goods
        )

    @property
    def points(self) -> dict[str, int]:
        """The points of each category by its name, in the order of `CATEGORIES`."""
        return {category: getattr(self, category) for category in CATEGORIES}

    @property
    def known(self) -> dict[str, int | None]:
        """The same, None for what nobody knows."""
        return {category: None if category in self.unknown else points for category, points in self.points.items()}

    @property
    def sets(self) -> tuple[GoodsSet, ...]:
        """The goods as sold, empty if their points were given."""
        if self.held is None or "goods" in self.typed:
            return ()
        return best_sets(self.held.goods or NO_GOODS, _wild(self.held))

    @property
    def arithmetic(self) -> dict[str, str]:
        """How the points of each category came about ("3 x 5 (Haurvatat)"), by its name, as in `CATEGORIES`."""
        sums = self.points if self.held is None else _sums(self.held, self.ahead_of)
        texts = {category: str(text) if isinstance(text, int) else text or NONE for category, text in sums.items()}
        return {**texts, **self.typed, **dict.fromkeys(self.unknown, NOT_KNOWN)}

    @classmethod
    def of_points(cls, points: Iterable[int | None]) -> Score:
        """A score of which the points alone are known, in the order of `CATEGORIES`; None is not known."""
        given = dict(zip(CATEGORIES, points, strict=True))
        known: dict[str, Any] = {category: one for category, one in given.items() if one is not None}
        return cls(**known, unknown=frozenset(given.keys() - known.keys()))

    def with_points(self, category: str, points: int | None, typed: str) -> Score:
        """The same score with the points of one category given instead of counted; None is not known."""
        unknown = self.unknown | {category} if points is None else self.unknown - {category}
        given: dict[str, Any] = {category: points or 0}
        return replace(self, **given, unknown=unknown, typed={**self.typed, category: typed})


def holdings(position: Position, colour: Colour) -> Holdings:
    """What a position shows of a player's belongings."""
    own = [tile for tile in position.board if tile.camel is colour]
    tiles = tuple(tile.kind.vp for tile in own)
    return replace(in_front(position.player(colour)), palms=palms_on(own), palaces=palaces_on(own), tiles=tiles)


def in_front(player: Player) -> Holdings:
    return Holdings(**{name: getattr(player, name) for name in HELD})


_NAMES = say_each("category of the score", "gold|viziers|elders|djinns|palms|palaces|tiles|goods|fakirs")


def category_name(category: str) -> Phrase:
    """What tables and sentences call a category of `CATEGORIES`, or fakirs."""
    return _NAMES[category]


def score(position: Position) -> dict[Colour, Score]:
    """The points of every colour in the game (rules 10); unknown values count as 0, `assumptions` names them."""
    return score_holdings({colour: holdings(position, colour) for colour in position.colours})


def score_holdings(held: Mapping[Colour, Holdings]) -> dict[Colour, Score]:
    """Points of all who play, from what each of them holds (rules 10)."""
    viziers = {colour: holding.viziers or 0 for colour, holding in held.items()}
    return {
        colour: _score(holding, sum(count < viziers[colour] for count in viziers.values()))
        for colour, holding in held.items()
    }


def winners(scores: Mapping[Colour, Score]) -> tuple[Colour, ...]:
    """All who have the most points: tied players share the win (rules 9.3)."""
    best = max((result.total for result in scores.values()), default=0)
    return tuple(colour for colour, result in scores.items() if result.total == best)


def assumptions(position: Position, unseen: Mapping[Colour, int] = NOTHING_HIDDEN) -> list[str]:
    """Sentences on what would give points but is unknown, `unseen` cards in hands too (rules 10.7, 12.2)."""
    sentences: list[str] = []
    for colour in position.colours:
        missing = _unknown(holdings(position, colour))
        if missing:
            sentences.append(counted_as_0(colour, missing))
        if cards := unseen.get(colour):
            sentences.append(
                say_many(
                    "{player}: {count} card that nobody else has seen, counted as 0",
                    "{player}: {count} cards that nobody else has seen, counted as 0",
                    cards,
                    player=term(colour),
                )
            )
    if len(position.colours) == 1:
        sentences.append(say("the other players are unknown, so nothing is counted for them (rules 2.1)"))
    return sentences


def counted_as_0(colour: Colour, categories: Iterable[str]) -> Phrase:
    """A sentence on categories of which a player's points aren't known."""
    names = joined(", ", map(category_name, categories))
    return say("{player}: {categories} not known, counted as 0", player=term(colour), categories=names)


def _unknown(held: Holdings) -> list[str]:
    """Names of what gives points and is not known; fakirs only where they can give any."""
    missing = _missing(held)
    if held.fakirs is None and _terms(held.djinns or ()).worth.fakirs_per_good:
        missing.append("fakirs")
    return missing


@dataclass(frozen=True, slots=True)
class _Terms:
    """What some djinns give together: VP of their own, changed worths, and who changed what."""

    vp: int
    worth: Worth
    changed_by: dict[str, str]


@lru_cache(maxsize=1 << 12)
def _terms(djinns: tuple[str, ...]) -> _Terms:
    worth = Worth()
    changed_by: dict[str, str] = {}
    named = [djinn_named(name) for name in djinns]
    for djinn in named:
        if djinn.revalue is None:
            continue
        after = djinn.revalue(worth)
        changed = [field for field in Worth.__slots__ if getattr(after, field) != getattr(worth, field)]
        changed_by.update(dict.fromkeys(changed, djinn.name))
        worth = after
    return _Terms(sum(djinn.vp for djinn in named), worth, changed_by)


def _wild(held: Holdings) -> int:
    """Goods of choice that fakirs stand for (rules 11.12)."""
    fakirs_each = _terms(held.djinns or ()).worth.fakirs_per_good
    return (held.fakirs or 0) // fakirs_each if fakirs_each else 0


def _score(held: Holdings, ahead_of: int) -> Score:
    terms = _terms(held.djinns or ())
    worth, wild = terms.worth, _wild(held)
    return Score(
        gold=held.gold or 0,
        viziers=(held.viziers or 0) * worth.vizier + ahead_of * VP_FOR_FEWER_VIZIERS,
        elders=(held.elders or 0) * worth.elder,
        djinns=terms.vp,
        palms=(held.palms or 0) * worth.palm,
        palaces=(held.palaces or 0) * worth.palace,
        tiles=sum(held.tiles or ()),
        goods=best_goods_value(held.goods or NO_GOODS, wild) if held.goods or wild else 0,
        unknown=frozenset(name for name in _missing(held) if name != "goods" or not wild),
        held=held,
        ahead_of=ahead_of,
    )


def _missing(held: Holdings) -> list[str]:
    return [category for category in CATEGORIES if getattr(held, category) is None]


def _sums(held: Holdings, ahead_of: int) -> dict[str, str]:
    """How what is known of each category is counted, in the order of `CATEGORIES`; "" where there is nothing."""
    terms = _terms(held.djinns or ())
    viziers = _times(held.viziers, terms, "vizier")
    if ahead_of:
        viziers = say(
            "{own} + {each} x {opponents}",
            own=viziers,
            each=VP_FOR_FEWER_VIZIERS,
            opponents=counted(ahead_of, "opponent"),
        )
    return {
        "gold": counted(held.gold or 0, "GC"),
        "viziers": viziers,
        "elders": _times(held.elders, terms, "elder"),
        "djinns": " + ".join(f"{name} {djinn_named(name).vp}" for name in held.djinns or ()),
        "palms": _times(held.palms, terms, "palm"),
        "palaces": _times(held.palaces, terms, "palace"),
        "tiles": _grouped(held.tiles or ()),
        "goods": _sold(best_sets(held.goods or NO_GOODS, _wild(held)), terms),
    }


def _times(count: int | None, terms: _Terms, what: str) -> str:
    if not count:
        return ""
    each, djinn = getattr(terms.worth, what), terms.changed_by.get(what)
    text = str(count) if each == 1 else say("{count} x {each}", count=count, each=each)
    return say("{text} ({how})", text=text, how=djinn) if djinn else text


def _grouped(values: Iterable[int]) -> str:
    """The tiles' values, highest first, equal ones together: "15 + 2 x 8"."""
    counts = sorted(Counter(values).items(), reverse=True)
    return joined(
        " + ",
        [say("{count} x {each}", count=count, each=value) if count > 1 else str(value) for value, count in counts],
    )


def _sold(sets: tuple[GoodsSet, ...], terms: _Terms) -> str:
    """The sets sold, wild goods starred: "ivory, silk* 3 + silk 1 (* = 2 fakirs, ...)"."""
    sales: list[Phrase] = [
        joined(", ", [term(name) + "*" if name in sold.wild else term(name) for name in sold.goods]) + f" {sold.price}"
        for sold in sets
    ]
    text = joined(" + ", sales)
    if any(sold.wild for sold in sets):
        fakirs = counted(terms.worth.fakirs_per_good, FAKIR)
        text += say(" (* = {fakirs}, {djinn})", fakirs=fakirs, djinn=terms.changed_by["fakirs_per_good"])
    return text


def known_total(total: int, *, is_whole: bool) -> str:
    """The total as people read it: "44", or "44 + ?" where something that counts is not known."""
    return str(total) if is_whole else f"{total} + ?"


@dataclass(frozen=True, slots=True)
class GameResult:
    """Everybody's points, whether the game is over, a sentence for each unknown, who holds `unseen` cards."""

    scores: Mapping[Colour, Score]
    finished: bool
    unknown: tuple[str, ...] = ()
    unseen: frozenset[Colour] = frozenset()

    @property
    def unsure(self) -> frozenset[Colour]:
        """Those of whom something that counts is not known."""
        return self.unseen | {colour for colour, score in self.scores.items() if score.unknown}

    def total_words(self, colour: Colour) -> str:
        """A player's total as far as it's known: "44", or "44 + ?"."""
        return known_total(self.scores[colour].total, is_whole=colour not in self.unsure)

    @property
    def ahead(self) -> tuple[Colour, ...]:
        """All who have the most points, whether the game is over or not."""
        return winners(self.scores)

    @property
    def winners(self) -> tuple[Colour, ...]:
        """Who has won, nobody while anything that counts is unknown; tied players share the win (rules 9.3)."""
        return self.ahead if self.finished and not self.unknown else ()

    @property
    def leaders(self) -> tuple[Colour, ...]:
        """Who has the most points while the game goes on."""
        return () if self.finished else self.ahead


def is_finished(position: Position, *, final: bool = False) -> bool:
    """Whether a position is the end of a game (rules 9): its phase says so, or else it can be one, or is `final`."""
    if position.phase is not None:
        return position.is_over
    # All other turns of the last round are still played (rules 9.1, 9.2).
    over = not position.turn_order and (position.is_out_of_camels or not has_legal_sowing(position.board))
    return final or over


def result_of(position: Position, *, unseen: Mapping[Colour, int] = NOTHING_HIDDEN, final: bool = False) -> GameResult:
    """How the game stands in a position; `unseen` as for `scoring.assumptions`, `final` as for `is_finished`."""
    return GameResult(
        score(position),
        is_finished(position, final=final),
        tuple(assumptions(position, unseen)),
        frozenset(colour for colour, cards in unseen.items() if cards),
    )


def result_of_game(state: GameState) -> GameResult:
    """How a game stands that is played by the rules, which knows of cards that nobody else has seen."""
    return result_of(state.position, unseen=state.unseen)
