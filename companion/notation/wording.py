"""Turns in words: one table of what is done and what happens, in each way that it's told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum

from companion.language.phrase import Phrase, counted, filled, joined, listed, named, say, say_as, say_many, term
from companion.rules.engine.tile_actions import placed_piece
from companion.rules.model import actions, events
from companion.rules.model.actions import Action, Paid, in_words
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.components import Tribe
from companion.rules.model.events import Event, Victim
from companion.rules.model.state import GameState


class Style(Enum):
    """How a turn is told: in a `RECORD`, as it's to be played, after its path (`HEADLINE`) or without one (`AIM`), and
    what comes of it (`REASON`).
    """

    RECORD = "record"
    HEADLINE = "headline"
    AIM = "aim"
    REASON = "reason"


_COLUMNS = {Style.RECORD: 0, Style.HEADLINE: 1, Style.AIM: 1, Style.REASON: 2}
_TABLE: dict[str, tuple[Phrase | None, Phrase | None, Phrase | None]] = {
    "take": (None, say_as("meeples into the hand", "take {meeples}"), say("takes {what}")),
    "take on": (None, say("take {meeples} on {square}"), None),
    "take and claim": (None, say("take {meeples} on {square} and claim it"), None),
    "claim": (say_as("in a record", "claim {square}"), say("claim {tile}"), say("claims {square}")),
    "spend": (say_as("in a record", "with {more}"), say("spend {fakirs}"), None),
    "kill": (say_as("in a record", "kill {whom}"), say("kill {whom}"), say("kills {whom}")),
    "kill with": (None, say("kill {whom} with {djinn}"), say("kills {whom} with {fakirs}")),
    "buy": (say_as("in a record", "buy {cards}"), say("buy {cards}"), say("buys {cards} for {price}")),
    "take djinn": (say_as("in a record", "take {djinn}"), say("take {djinn}"), say("takes {djinn} for {price}")),
    "keep": (say_as("in a record", "keep {djinn}"), say("keep {djinn}"), say("keeps {djinn}")),
    "use": (say_as("in a record", "use {djinn}"), say("use {djinn}"), say("uses {djinn} for {price}")),
    "use on": (say_as("in a record", "{doing} on {square}"), say("use {djinn} on {square}"), None),
    "build": (None, say("use {djinn} to build on {square}"), None),
    "use and build": (
        say_as("in a record", "{doing} with {djinn} onto {square}"),
        say("{use} and {djinn} to build on {square}"),
        None,
    ),
    "sell": (say_as("in a record", "sell {cards}"), say("sell {goods}"), say("sells {goods} for {price}")),
}
"""What is done, by what it's called here: how a record, a headline or an aim, and a reason tell of it."""

PASS = say_as("in a record", "pass")
_PIECES = {
    "palm": say_as("put on a tile, in a record", "palm"),
    "palace": say_as("put on a tile, in a record", "palace"),
}
_KILLED = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "y"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "w"),
    Tribe.BUILDER: say_as("whom assassins kill, in a record", "b"),
    Tribe.MERCHANT: say_as("whom assassins kill, in a record", "g"),
    Tribe.ASSASSIN: say_as("whom assassins kill, in a record", "r"),
}
_KILLED_IN_FRONT = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "vizier"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "elder"),
}
"""Nobody else stands in front of players (rules 5.4)."""


def _said(done: str, style: Style, /, **values: object) -> Phrase:
    message = _TABLE[done][_COLUMNS[style]]
    assert message is not None, "each style has its own rows"
    return filled(message, **values)


# What is decided, as records write it.


def record_words(state: GameState, action: Action) -> Phrase:
    """An action as it's typed and written in records, in the state in which it is taken."""
    style = Style.RECORD
    match action:
        case actions.PlaceBid():
            return joined(" ", (str(state.mover), bid_words(action)))
        case actions.UsePower(paid, square):
            words = _said("use", style, djinn=_paid_for(paid))
            if square is not None:
                words = _said("use on", style, doing=words, square=SQUARE_NAMES[square])
            return _onto(words, action.helper, action.onto)
        case actions.KeepDjinn(djinn):
            return _said("keep", style, djinn=named(djinn))
        case actions.ActTribe(choice):
            return _tribe_action(state, choice)
        case actions.ActTile(choice) if choice.cards:
            return _said("buy", style, cards=_places(state.position.row or (), choice.cards))
        case actions.ActTile(choice) if choice.djinn is not None:
            price = (1, 1) if choice.with_fakir else (2, 0)
            return _said("take djinn", style, djinn=_paid_for(Paid(choice.djinn, *price)))
        case actions.ActTile(choice):
            piece = placed_piece(state)
            return PASS if piece is None else _onto(_PIECES[piece], choice.helper, choice.onto)
        case actions.Sell(goods):
            return _said("sell", style, cards=joined(", ", map(named, goods)))
        case actions.EndTurn():
            return say_as("in a record", "the end of the turn")
        case _:
            return joined("", (str(action),))


def bid_words(bid: actions.PlaceBid) -> Phrase:
    """A bid as records have it, without its player: "3", or "5 with 2 fakirs"."""
    price = joined("", (str(bid.price),))
    if not bid.fakirs:
        return price
    return say_as("in a record", "{what} with {more}", what=price, more=counted(bid.fakirs, "fakir"))


def claim_in_record(square: int) -> Phrase:
    """A claim as the table observes it: "claim d4"."""
    return _said("claim", Style.RECORD, square=SQUARE_NAMES[square])


def _tribe_action(state: GameState, choice: actions.TribeChoice) -> Phrase:
    taken, style = state.progress.taken, Style.RECORD
    words = [] if taken is None else [counted(taken.count, taken.tribe.noun)]
    if choice.fakirs:
        words.append(_said("spend", style, more=counted(choice.fakirs, "fakir")))
    if choice.victims:
        words.append(_said("kill", style, whom=whom(choice.victims, style)))
    elif choice.helper or (choice == actions.NOTHING_TO_CHOOSE and (taken is None or taken.tribe is Tribe.ASSASSIN)):
        words.append(say_as("in a record", "kill nobody"))
    if choice.helper is not None:
        words.append(_said("spend", style, more=_paid_for(choice.helper)))
    return joined(" ", words)


def _places(row: Sequence[str], places: Sequence[int]) -> Phrase:
    """Cards by name; by place too where the name alone would mean an earlier card."""
    cards: list[Phrase] = []
    for number, place in enumerate(places):
        name = row[place] if place < len(row) else None
        first = next((at for at, card in enumerate(row) if card == name and at not in places[:number]), None)
        parts = (term(name) if name else "", "" if first == place else f"({place + 1})")
        cards.append(joined(" ", filter(None, parts)))
    return joined(", ", cards)


def _paid_for(paid: Paid) -> str:
    """A djinn with its price: "Enki for elder", "Leta for elder and fakir"."""
    djinn = named(paid.djinn)
    if not (paid.elders or paid.fakirs):
        return djinn
    return say_as("in a record", "{djinn} for {cost}", djinn=djinn, cost=in_words(paid.elders, paid.fakirs, brief=True))


def _onto(words: Phrase, helper: Paid | None, onto: int | None) -> Phrase:
    """An action, with the power that puts its palm or palace elsewhere if there is one."""
    if helper is None or onto is None:
        return words
    return _said("use and build", Style.RECORD, doing=words, djinn=_paid_for(helper), square=SQUARE_NAMES[onto])


def whom(victims: Sequence[Victim], style: Style) -> Phrase:
    """Whom assassins kill: "the elder on c2 and a vizier in front of pink"; in a record "w on c2"."""
    return listed([_victim(victim, in_record=style is Style.RECORD) for victim in victims])


def _victim(victim: Victim, *, in_record: bool) -> Phrase:
    tribe, square = term(victim.tribe.noun), "" if victim.square is None else SQUARE_NAMES[victim.square]
    owner = term(str(victim.owner)) if victim.owner is not None else ""
    match in_record, bool(square):
        case True, True:
            return say_as("in a record", "{tribe} on {square}", tribe=_KILLED[victim.tribe], square=square)
        case True, False:
            return say_as("in a record", "{tribe} of {colour}", tribe=_KILLED_IN_FRONT[victim.tribe], colour=owner)
        case False, True:
            return say("the {tribe} on {square}", tribe=tribe, square=square)
    if victim.tribe is Tribe.ELDER:
        return say("an {tribe} in front of {owner}", tribe=tribe, owner=owner)
    return say("a {tribe} in front of {owner}", tribe=tribe, owner=owner)


# What is to be done.


def doing(action: Action, happened: Sequence[Event], board: Board, style: Style = Style.HEADLINE) -> Iterator[Phrase]:
    """What a decision and its claims are called, as far as they are choices worth naming, by what happens at it."""
    claims = [event.square for event in happened if isinstance(event, events.TileClaimed)]
    match action:
        case actions.Sow():
            for event in happened:
                if isinstance(event, events.MeeplesTaken):
                    is_claimed = style is Style.AIM and event.square in claims
                    claims = [square for square in claims if not (is_claimed and square == event.square)]
                    meeples = counted(event.count, event.tribe.noun)
                    done = "take and claim" if is_claimed else "take on" if style is Style.AIM else "take"
                    yield _said(done, style, meeples=meeples, square=SQUARE_NAMES[event.square])
        case actions.ActTribe(choice):
            if choice.fakirs:
                yield _said("spend", style, fakirs=counted(choice.fakirs, "fakir"))
            if choice.victims and choice.helper is not None:
                yield _said("kill with", style, whom=whom(choice.victims, style), djinn=term(choice.helper.djinn))
            elif choice.victims:
                yield _said("kill", style, whom=whom(choice.victims, style))
        case actions.ActTile(choice):
            bought = [event for event in happened if isinstance(event, events.CardsTaken)]
            yield from (_said("buy", style, cards=cards_words(event.cards)) for event in bought)
            if choice.djinn is not None:
                yield _said("take djinn", style, djinn=term(choice.djinn))
            if choice.helper is not None and choice.onto is not None:
                yield _said("build", style, djinn=term(choice.helper.djinn), square=SQUARE_NAMES[choice.onto])
        case actions.UsePower(paid, square, helper, onto):
            what, where = ("use", "") if square is None else ("use on", SQUARE_NAMES[square])
            used = _said(what, style, djinn=term(paid.djinn), square=where)
            if helper is not None and onto is not None:
                used = _said("use and build", style, use=used, djinn=term(helper.djinn), square=SQUARE_NAMES[onto])
            yield used
        case actions.KeepDjinn(djinn):
            yield _said("keep", style, djinn=term(djinn))
        case actions.Sell(goods):
            yield _said("sell", style, goods=listed([term(good) for good in goods]))
    yield from (claim_words(board, square) for square in claims)


def taking(meeples: Phrase, square: int) -> Phrase:
    """The aim of a move: "take 3 viziers on d4"."""
    return _said("take on", Style.AIM, meeples=meeples, square=SQUARE_NAMES[square])


def claim_words(board: Board, square: int) -> Phrase:
    """A claim to be made: "claim d4 (V6)"."""
    return _said("claim", Style.HEADLINE, tile=f"{SQUARE_NAMES[square]} ({board[square].kind.code})")


def path_words(sowing: actions.Sowing) -> str:
    """A sowing step by step: "c3 > c4b > d4y"."""
    return str(sowing).replace(">", " > ")


# What comes of it.


def event_words(event: Event) -> Phrase | None:
    """What happens, told of the player who does it: "claims d4"; None for what isn't told."""
    style = Style.REASON
    match event:
        case events.TileClaimed():
            return _said("claim", style, square=SQUARE_NAMES[event.square])
        case events.MeeplesKept():
            return _said("take", style, what=counted(event.count, event.tribe.noun))
        case events.BuildersPaid():
            return _builders_paid(event)
        case events.CardsTaken(cards=cards, price=price):
            if not price:
                return _said("take", style, what=cards_words(cards))
            return _said("buy", style, cards=cards_words(cards), price=counted(price, "GC"))
        case events.AssassinsKilled():
            what = "kill with" if event.fakirs else "kill"
            return _said(what, style, whom=whom(event.victims, style), fakirs=counted(event.fakirs, "fakir"))
        case events.VictimReaped():
            djinn, tribe = term(event.djinn), term(event.victim.tribe.noun)
            if event.kept:
                return say("{djinn} keeps the {tribe}", djinn=djinn, tribe=tribe)
            gold = counted(event.gold, "GC")
            return say("{djinn} earns {gold} for the {tribe}", djinn=djinn, gold=gold, tribe=tribe)
        case events.PalmPlaced():
            return say("puts a palm on {square}", square=SQUARE_NAMES[event.square])
        case events.PalacePlaced():
            return say("puts a palace on {square}", square=SQUARE_NAMES[event.square])
        case events.DjinnTaken(djinn=name, elders=elders, fakirs=fakirs):
            if not elders and not fakirs:
                return _said("keep", style, djinn=term(name))
            return _said("take djinn", style, djinn=term(name), price=in_words(elders, fakirs))
        case events.DjinnPaid(djinn=name, to=to, gold=gold, by=by):
            coins = counted(gold, "GC")
            if to is by:
                return say("{djinn} pays {gold}", djinn=term(name), gold=coins)
            return say("{djinn} pays {player} {gold}", djinn=term(name), player=term(to), gold=coins)
        case events.PowerPaid(djinn=name, elders=elders, fakirs=fakirs):
            return _said("use", style, djinn=term(name), price=in_words(elders, fakirs))
        case events.IncomeMultiplied():
            return say("the builders earn {gold} more", gold=counted(event.gold, "GC"))
        case events.MeeplesAdded():
            put = counted(sum(event.meeples), "meeple")
            return say("puts {meeples} on {square}", meeples=put, square=SQUARE_NAMES[event.square])
        case events.DjinnsDrawn():
            return say("draws {djinns}", djinns=listed([term(djinn) for djinn in event.djinns]))
        case events.GoodsSold():
            goods = listed([term(good) for good in event.goods])
            return _said("sell", style, goods=goods, price=counted(event.price, "GC"))
    return None


def _builders_paid(event: events.BuildersPaid) -> Phrase:
    builders = counted(event.builders, Tribe.BUILDER.noun)
    who = listed([builders, counted(event.fakirs, "fakir")]) if event.fakirs else builders
    tiles = say_many("{count} blue-valued tile", "{count} blue-valued tiles", event.blue)
    factors = [str(event.builders + event.fakirs), tiles, *([str(event.factor)] if event.factor > 1 else [])]
    sum_ = joined(" x ", factors)
    return say("{who} earn {gold} for {sum}", who=who, gold=counted(event.gold, "GC"), sum=sum_)


def cards_words(cards: Sequence[str | None]) -> Phrase:
    """Cards by name: "fish, 2 silk and 1 unknown card"."""
    known = Counter(card for card in cards if card is not None)
    words = [term(card) if count == 1 else counted(count, card) for card, count in known.items()]
    if unknown := cards.count(None):
        words.append(unknown_words(unknown))
    return listed(words) if words else say("no card, the row is empty")


def unknown_words(count: int) -> Phrase:
    """Cards that nobody has seen, counted: "2 unknown cards"."""
    return say_many("{count} unknown card", "{count} unknown cards", count)
