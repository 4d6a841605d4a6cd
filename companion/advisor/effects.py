"""What happens in a turn, in words: each event with the points that it brings at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.advisor.expectation import Expectation
from companion.language.lists import listed
from companion.language.phrase import Phrase, counted, joined, say, say_many, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.board import SQUARE_NAMES
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
    MeeplesAdded,
    MeeplesKept,
    PalacePlaced,
    PalmPlaced,
    PowerPaid,
    TileClaimed,
    Victim,
    VictimReaped,
)
from companion.rules.model.position import Position


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
