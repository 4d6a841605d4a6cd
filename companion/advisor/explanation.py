"""What a turn does, in words: each event with the points that it brings at once, and what those rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.advisor.expectation import Expectation, expectation_of, unknown_cards
from companion.language.phrase import Phrase, counted, decimal, joined, listed, listed_or, say, say_many, term
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN
from companion.rules.engine.game import step
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    BuildersPaid,
    CardsTaken,
    DjinnPaid,
    DjinnsDrawn,
    DjinnTaken,
    Event,
    GoodsSold,
    IncomeMultiplied,
    MeepleDropped,
    MeeplesAdded,
    MeeplesKept,
    MeeplesTaken,
    NobodyKilled,
    PalacePlaced,
    PalmPlaced,
    PowerPaid,
    TileClaimed,
    Victim,
    VictimReaped,
)
from companion.rules.model.position import Position
from companion.rules.model.state import FRESH, GameState, Stage, Taken
from companion.simulation.unknowns import without_unknown_holdings


@dataclass(frozen=True, slots=True)
class Possibility:
    """Points that hang on something not known, in words ("+10 if orange has no viziers").

    `expected` is what they come to on average, in VP.
    """

    text: str
    expected: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A turn explained: the squares claimed, everything it does, and what it gains in VP.

    `possible` are points that depend on what isn't known; `conditions` are unknown things that must hold for the turn
    to be legal ("only if black does not own Boaz").
    """

    claims: tuple[int, ...]
    effects: tuple[Effect, ...]
    possible: tuple[Possibility, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def gain(self) -> int:
        """The sum of all effects in VP, which is sure."""
        return sum(effect.points for effect in self.effects)

    @property
    def expected(self) -> float:
        """The gain and what is to be expected of what is not known, in VP."""
        return self.gain + sum(possible.expected for possible in self.possible)

    @property
    def actions(self) -> list[str]:
        """What the turn does, one short text each."""
        return [effect.text for effect in self.effects]


@dataclass(frozen=True, slots=True)
class ExplainedTurn:
    """A whole turn explained, with its powers and sales.

    `begins` is the state that it begins in, without what isn't known (`without_unknown_holdings`). `steps` are its
    decisions with what happens at each; `taken` are the meeples taken in hand, None if none were moved;
    `open_before` says what is drawn where the turn can't be followed further ("djinn", "meeple"), "" where it ends.
    """

    explanation: Explanation
    begins: GameState
    steps: tuple[tuple[Action, tuple[Event, ...]], ...]
    taken: Taken | None
    open_before: str = ""


def fresh_turn(position: Position, *, moves: bool) -> GameState:
    """The turn of the player to move on a bare position, all powers unused, with meeples to move or none.

    Raises what `lone_turn` raises.
    """
    lone = replace(lone_turn(position), progress=FRESH, hidden=(0,) * len(position.colours))
    return lone if moves else replace(lone, stage=Stage.CLOSE)


def explain_turn(state: GameState, actions: Sequence[Action]) -> ExplainedTurn:
    """Play a turn of the mover from a state to its end, decision by decision, and explain it.

    Raises what playing it raises.
    """
    return _explained(state, tuple(actions))


@lru_cache(maxsize=16)
def _explained(state: GameState, actions: tuple[Action, ...]) -> ExplainedTurn:
    # Nobody spends what they may not have, so cards that only their owner has seen can't be sold.
    begins = replace(
        state, position=without_unknown_holdings(state.position), hidden=(0,) * len(state.position.players)
    )
    listener = _Listener(state.position, begins.position, expectation_of(state))
    state, open_before = begins, ""
    steps: list[tuple[Action, tuple[Event, ...]]] = []
    for action in actions:
        if isinstance(action, EndTurn):
            break
        try:
            done = step(state, action, UNSEEN, listener.hear)
        except ChanceNeededError as needed:
            steps.append((action, ()))
            open_before = needed.wanted
            break
        steps.append((action, done.events))
        state = done.state
    return ExplainedTurn(listener.explanation(), begins, tuple(steps), listener.taken, open_before)


class _Listener:
    """Listens to a turn; what each event brings is the points after it less those after the last one.

    `known` is the position as it is known, `begins` the one that is played in.
    """

    def __init__(self, known: Position, begins: Position, expectation: Expectation) -> None:
        self.known, self.begins, self.expectation = known, begins, expectation
        self.mover = expectation.mover
        self.last = begins
        self.points = expectation.certain(begins)
        self.effects: list[Effect] = []
        self.claims: list[int] = []
        self.drop_income: dict[tuple[str, Colour], tuple[int, int]] = {}
        self.moving = False
        self.taken: Taken | None = None
        self.events: list[Event] = []
        self.after_taking = 0

    def hear(self, event: Event, after: Position) -> None:
        points = self.expectation.certain(after)
        brings, self.points = points - self.points, points
        if isinstance(event, MeepleDropped):
            self.moving = True
        if isinstance(event, MeeplesTaken):
            self.moving = False
            self.taken = Taken(event.square, event.tribe, event.count)
            for (djinn, to), (gold, income) in self.drop_income.items():
                payment = paid(djinn, to, gold, self.mover)
                self.effects.append(Effect(say("{payment} for the drops", payment=payment), income))
        elif isinstance(event, DjinnPaid) and self.moving:
            # Each drop may pay; one effect stands for all of them.
            gold, income = self.drop_income.get((event.djinn, event.to), (0, 0))
            self.drop_income[event.djinn, event.to] = (gold + event.gold, income + brings)
        else:
            if isinstance(event, TileClaimed):
                self.claims.append(event.square)
            self.effects.extend(effects(event, self.last, after, brings, self.expectation))
        if isinstance(event, MeeplesTaken) or (isinstance(event, TileClaimed) and len(self.claims) == 1):
            self.after_taking = len(self.effects)
        self.events.append(event)
        self.last = after

    def explanation(self) -> Explanation:
        """What was heard."""
        nobody = any(isinstance(event, NobodyKilled) for event in self.events)
        if nobody:
            self.effects.insert(self.after_taking, Effect(say("the assassins have nobody within reach"), 0))
        return Explanation(
            tuple(self.claims), tuple(self.effects), tuple(self._possible()), tuple(self._conditions(nobody=nobody))
        )

    def _possible(self) -> Iterator[Possibility]:
        """Points that depend on what isn't known, each with what it is likely to bring."""
        expectation, before, after = self.expectation, self.begins, self.last
        for rival, known in expectation.rivals.items():
            if known and expectation.own_viziers_known:
                continue
            chance = expectation.chance_ahead(rival, after) - expectation.chance_ahead(rival, before)
            if chance > 0:
                text = joined(" ", (f"{VP_FOR_FEWER_VIZIERS:+d}", self._if_overtaken(rival)))
                yield Possibility(text, VP_FOR_FEWER_VIZIERS * chance)
        cards = unknown_cards(self.events)
        of_cards = expectation.goods_points(after, cards) - expectation.goods_points(before)
        if of_cards:
            yield Possibility(self._of_cards(of_cards, cards), of_cards)

    def _of_cards(self, points: float, cards: int) -> Phrase:
        """What cards that nobody has seen, and goods that aren't known, bring on average."""
        about, drawn, mover = decimal(points, signed=True), unknown_words(cards), term(self.mover)
        if self.expectation.own_hand_known:
            return say("about {points} for {cards}", points=about, cards=drawn)
        if cards:
            return say(
                "about {points} for {cards} with the goods that {player} may have",
                points=about,
                cards=drawn,
                player=mover,
            )
        return say("about {points} with the goods that {player} may have", points=about, player=mover)

    def _if_overtaken(self, rival: Colour) -> Phrase:
        """When a rival falls behind in viziers by the turn (rules 10.2)."""
        if not self.expectation.own_viziers_known:
            return say("if {player} overtakes {other} in viziers", player=term(self.mover), other=term(rival))
        had, has = (position.player(self.mover).viziers or 0 for position in (self.begins, self.last))
        return say("if {player} has {number}", player=term(rival), number=_fewer(has, had))

    def _conditions(self, *, nobody: bool) -> Iterator[Phrase]:
        """What must hold for the turn to be legal, where that isn't known."""
        known, mover = self.known, self.mover
        for event in self.events:
            if isinstance(event, CardsTaken) and event.price and known.player(mover).gold is None:
                yield say("only if {player} has {what}", player=term(mover), what=counted(event.price, "GC"))
            if isinstance(event, AssassinsKilled):
                owners = dict.fromkeys(victim.owner for victim in event.victims if victim.owner is not None)
                for owner in owners:
                    guards = [] if known.player(owner).djinns is not None else _unseen_guards(known)
                    if guards:
                        djinns = listed_or([term(djinn) for djinn in guards])
                        yield say("only if {player} doesn't own {djinns}", player=term(owner), djinns=djinns)
        if nobody and self._may_be_killed_in_front():
            yield say("only if no opponent has a vizier or an elder that can be killed (rules 5.4)")

    def _may_be_killed_in_front(self) -> bool:
        """Whether some opponent may have viziers or elders that nobody knows of."""
        rivals = self.expectation.rivals
        if not all(rivals.values()):
            return True
        return self.known.bag[Tribe.ELDER] > 0 and any(self.known.player(rival).elders is None for rival in rivals)


def _fewer(has: int, had: int) -> Phrase:
    """How many viziers a player has whom somebody with `has` overtakes, and didn't overtake with `had`."""
    if has == 1:
        # Then the player had none before, and nobody has fewer than none.
        return say("no viziers")
    fewer = say("fewer than {count} viziers", count=has)
    return say("{fewer} but at least {count}", fewer=fewer, count=had) if had else fewer


def _unseen_guards(position: Position) -> list[str]:
    """Djinns that guard their owner's viziers and elders and that nobody is known to have."""
    seen = {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())
    return [name for name, djinn in DJINNS.items() if djinn.guards and name not in seen]


# Events in words.


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that a turn does, in words ("claims e4"), and the VP that it brings at once.

    `detail` splits the points where they have several causes ("+3, now ahead of two players: +20").
    """

    text: str
    points: int
    detail: str = ""

    def __str__(self) -> str:
        return joined("", (self.text, " (", self.detail or f"{self.points:+d}", ")"))


def effects(event: Event, before: Position, after: Position, points: int, expectation: Expectation) -> Iterator[Effect]:
    """What an event brings: so many points between the positions before and after it."""
    match event:
        case TileClaimed():
            yield Effect(say("claims {square}", square=SQUARE_NAMES[event.square]), points)
        case MeeplesKept():
            taken = say("takes {what}", what=counted(event.count, event.tribe.noun))
            yield Effect(taken, points, _overtaking(before, after, points, expectation))
        case BuildersPaid():
            yield Effect(_builders_paid(event), points)
        case CardsTaken():
            yield _cards_taken(event, points)
        case AssassinsKilled():
            killed = listed([victim_words(victim) for victim in event.victims])
            text = say("kills {whom}", whom=killed)
            if event.fakirs:
                text = say("kills {whom} with {fakirs}", whom=killed, fakirs=counted(event.fakirs, "fakir"))
            yield Effect(text, points, _overtaking(before, after, points, expectation))
        case VictimReaped():
            djinn, tribe = term(event.djinn), term(event.victim.tribe.noun)
            text = say("{djinn} earns {gold} for the {tribe}", djinn=djinn, gold=counted(event.gold, "GC"), tribe=tribe)
            if event.kept:
                text = say("{djinn} keeps the {tribe}", djinn=djinn, tribe=tribe)
            yield Effect(text, points, _overtaking(before, after, points, expectation))
        case PalmPlaced():
            yield Effect(say("puts a palm on {square}", square=SQUARE_NAMES[event.square]), points)
        case PalacePlaced():
            yield Effect(say("puts a palace on {square}", square=SQUARE_NAMES[event.square]), points)
        case DjinnTaken():
            yield _djinn_taken(event, before, points, expectation)
        case DjinnPaid():
            yield Effect(paid(event.djinn, event.to, event.gold, event.by), points)
        case PowerPaid():
            price = price_words(event.elders, event.fakirs)
            yield Effect(say("uses {djinn} for {price}", djinn=term(event.djinn), price=price), points)
        case IncomeMultiplied():
            yield Effect(say("the builders earn {gold} more", gold=counted(event.gold, "GC")), points)
        case MeeplesAdded():
            put = counted(sum(event.meeples), "meeple")
            yield Effect(say("puts {meeples} on {square}", meeples=put, square=SQUARE_NAMES[event.square]), points)
        case DjinnsDrawn():
            yield Effect(say("draws {djinns}", djinns=listed([term(djinn) for djinn in event.djinns])), points)
        case GoodsSold():
            goods, price = listed([term(good) for good in event.goods]), counted(event.price, "GC")
            yield Effect(say("sells {goods} for {price}", goods=goods, price=price), points)


def _builders_paid(event: BuildersPaid) -> Phrase:
    builders = counted(event.builders, Tribe.BUILDER.noun)
    who = listed([builders, counted(event.fakirs, "fakir")]) if event.fakirs else builders
    tiles = say_many("{count} blue-valued tile", "{count} blue-valued tiles", event.blue)
    factors = [str(event.builders + event.fakirs), tiles, *([str(event.factor)] if event.factor > 1 else [])]
    sum_ = joined(" x ", factors)
    return say("{who} earn {gold} for {sum}", who=who, gold=counted(event.gold, "GC"), sum=sum_)


def _cards_taken(event: CardsTaken, points: int) -> Effect:
    cards = cards_words(event.cards)
    if not event.price:
        return Effect(say("takes {what}", what=cards), points)
    worth, price = f"{points + event.price:+d}", f"{-event.price:+d}"
    detail = say("cards {points}, price {price}", points=worth, price=price)
    return Effect(say("buys {cards} for {price}", cards=cards, price=counted(event.price, "GC")), points, detail)


def _djinn_taken(event: DjinnTaken, before: Position, points: int, expectation: Expectation) -> Effect:
    djinn = term(event.djinn)
    if not event.elders and not event.fakirs:
        return Effect(say("keeps {djinn}", djinn=djinn), points)
    player = before.player(event.by)
    poorer = replace(player, elders=(player.elders or 0) - event.elders, fakirs=(player.fakirs or 0) - event.fakirs)
    cost = expectation.certain(before.with_player(poorer)) - expectation.certain(before)
    worth = EVERY_DJINN[event.djinn].vp
    power = points - worth - cost
    by_power = [say("by its power {points}", points=f"{power:+d}")] if power else []
    detail = joined(", ", [f"{worth:+d}", *by_power, say("price {points}", points=f"{cost:+d}")])
    price = price_words(event.elders, event.fakirs)
    return Effect(say("takes {djinn} for {price}", djinn=djinn, price=price), points, detail)


def _overtaking(before: Position, after: Position, points: int, expectation: Expectation) -> str:
    """How the points split when opponents fall behind in viziers; nothing if none is known to do so."""
    was, now = expectation.behind(before), expectation.behind(after)
    if was == now:
        return ""
    for_overtaking = VP_FOR_FEWER_VIZIERS * (now - was)
    ahead = _ahead(now - was, f"{for_overtaking:+d}", more=bool(was))
    own = points - for_overtaking
    return joined(", ", (f"{own:+d}", ahead)) if own else ahead


def _ahead(players: int, points: str, *, more: bool) -> Phrase:
    """Of how many players a turn gets ahead; sentences for each number, for languages bend it."""
    match players, more:
        case 1, False:
            return say("now ahead of one player: {points}", points=points)
        case 1, True:
            return say("now ahead of one more player: {points}", points=points)
        case 2, False:
            return say("now ahead of two players: {points}", points=points)
        case 2, True:
            return say("now ahead of two more players: {points}", points=points)
        case _:
            return say("now ahead of three players: {points}", points=points)


def victim_words(victim: Victim) -> Phrase:
    """Whom assassins kill: "the elder on c2", "a vizier in front of pink"."""
    tribe = term(victim.tribe.noun)
    if victim.square is not None:
        return say("the {tribe} on {square}", tribe=tribe, square=SQUARE_NAMES[victim.square])
    owner = "" if victim.owner is None else term(victim.owner)
    if victim.tribe is Tribe.ELDER:
        return say("an {tribe} in front of {owner}", tribe=tribe, owner=owner)
    return say("a {tribe} in front of {owner}", tribe=tribe, owner=owner)


def cards_words(cards: Sequence[str | None]) -> Phrase:
    """Cards by name: "fish, 2 silk and 1 unknown card"."""
    words = [
        term(card) if count == 1 else counted(count, card) for card, count in Counter(cards).items() if card is not None
    ]
    unknown = cards.count(None)
    if unknown:
        words.append(unknown_words(unknown))
    return listed(words) if words else say("no card, the row is empty")


def unknown_words(count: int) -> Phrase:
    """So many cards that nobody has seen: "2 unknown cards"."""
    return say_many("{count} unknown card", "{count} unknown cards", count)


def price_words(elders: int, fakirs: int) -> Phrase:
    """A price in elders and fakirs: "1 elder and 1 fakir"."""
    parts = [counted(number, noun) for number, noun in ((elders, "elder"), (fakirs, "fakir")) if number]
    return listed(parts) if parts else say("nothing")


def paid(djinn: str, to: Colour, gold: int, mover: Colour) -> Phrase:
    """What a djinn pays, and to whom if that is not the mover."""
    coins = counted(gold, "GC")
    if to is mover:
        return say("{djinn} pays {gold}", djinn=term(djinn), gold=coins)
    return say("{djinn} pays {player} {gold}", djinn=term(djinn), player=term(to), gold=coins)
