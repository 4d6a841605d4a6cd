"""What a player does in a turn, as a record writes it: `c3 > c4g > d4y: claim d4`, `2 viziers`, `buy fish`.

One item is one decision of `rules.actions`; after a colon follows what was seen of it: cards, djinns and
meeples that chance gave, gold, claims (docs/records.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, counted, joined, listed, say, say_as, term
from companion.notation.holdings import Ambiguous, read_cards
from companion.notation.names import nearest, parse_card, parse_colour, parse_djinn
from companion.rules.model.actions import ActTile, KeepDjinn, Paid, Sell, TileChoice, TribeChoice, UsePower
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.components import GOODS, TRIBE_LETTERS, Tribe
from companion.rules.model.events import Victim


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps of a hand, each a square and the tribe left there; `start` is None where the walk goes on."""

    start: int | None
    steps: tuple[tuple[int, Tribe], ...] = ()


@dataclass(frozen=True, slots=True)
class TribeActionRecord:
    """A tribe action: what was in hand, if it is told, and what was chosen (rules 5)."""

    choice: TribeChoice
    count: int | None = None
    tribe: Tribe | None = None


@dataclass(frozen=True, slots=True)
class Building:
    """A tile action that puts a palm or a palace (rules 6.1, 6.2); `onto` another square with a helper."""

    piece: str
    helper: Paid | None = None
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class Purchase:
    """Cards bought (rules 6.3, 6.4): each by name, or by its place in the row from 0, or both."""

    cards: tuple[tuple[str | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Words for doing nothing: the tile is left alone, or there is no legal move (rules 6, 9.2)."""

    words: str = "pass"


Decision = Walk | TribeActionRecord | Building | Purchase | Pass | UsePower | KeepDjinn | Sell | ActTile


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen of a decision: drawn or taken cards (None: nobody knows), djinns, meeples, GC, claims."""

    cards: tuple[str | None, ...] = ()
    djinns: tuple[str, ...] = ()
    meeples: tuple[Tribe, ...] = ()
    gold: int | None = None
    claims: tuple[int, ...] = ()


NOTHING_OBSERVED = Observation()


@dataclass(frozen=True, slots=True)
class RecordStep:
    """One decision and what was seen of it."""

    decision: Decision
    seen: Observation = NOTHING_OBSERVED


NO_MOVE = Pass("no move")


MEEPLES_TOGETHER = 3
"""Letters of meeples stand together so many at a time."""

_SQUARE = r"[a-f][1-5]"
_COST = r"[^:]+?"
_TRIBE = r"viziers?|elders?|builders?|merchants?|assassins?"
_HELPER = rf"with (?P<helper>.+?)(?: for (?P<helper_cost>{_COST}))?"
_USE = re.compile(
    rf"use (?P<djinn>.+?)(?: for (?P<cost>{_COST}))?(?: on (?P<square>{_SQUARE}))?"
    rf"(?: {_HELPER} onto (?P<onto>{_SQUARE}))?"
)
_BUILDING = re.compile(rf"(?P<piece>palm|palace)(?: {_HELPER} onto (?P<onto>{_SQUARE}))?")
_TRIBE_ACTION = re.compile(
    rf"(?:(?P<count>\d{{1,3}}) )?(?P<tribe>{_TRIBE})?(?: ?with (?P<fakirs>\d{{1,3}}) (?:fakirs?|slaves?|workers?))?"
    rf"(?: ?kill (?P<kill>.+?)(?: {_HELPER})?)?"
)
_ON_TILE = re.compile(rf"(?P<tribe>[{TRIBE_LETTERS}]|{_TRIBE}) on (?P<square>{_SQUARE})")
_SHORT_VICTIM = re.compile(rf"(?P<square>{_SQUARE}) ?(?P<tribe>[{TRIBE_LETTERS}])")
_OF_PLAYER = re.compile(rf"(?P<tribe>[{TRIBE_LETTERS}]|{_TRIBE}) of (?P<owner>[a-z]+)")
_STEP = re.compile(rf"({_SQUARE})([{TRIBE_LETTERS}])")
_BOUGHT = re.compile(r"(?P<card>[^()]*?) ?(?:\((?P<place>[1-9])\))?")
_TAKEN = re.compile(rf"take (?P<djinn>.+?)(?: for (?P<cost>{_COST}))?")
_PRICE = re.compile(r"(?:(?P<number>\d{1,3}) ?)?(?P<noun>elders?|fakirs?|slaves?|workers?)")
_GOLD = re.compile(r"(\d{1,4}) ?gc")
_CLAIM = re.compile(rf"claim ({_SQUARE})")
_MEEPLES = re.compile(rf"[{TRIBE_LETTERS}]{{1,{MEEPLES_TOGETHER}}}")

EXAMPLES = (
    "c3 > c4g > d4y, 2 viziers, 3 builders with 1 fakir, 2 assassins kill b on c2, palm, palace, buy fish, "
    "take Utug for 2 elders, use Enki for fakir on c3, keep Utug, sell fish, silk, pass"
)


MAX_DECISION = 400
"""Letters of a decision: more than a sale of every good in the box has. The patterns that it is read by take a time
that grows as the cube of its length."""


def parse_step(text: str) -> RecordStep:
    """The item that a text stands for, as `format_step` writes it; case does not matter.

    Raises NotationError that says what was expected.
    """
    main, _, seen = text.partition(":")
    words = " ".join(main.split())
    if len(words) > MAX_DECISION:
        raise NotationError(say("{words}... is too long for one step of a turn", words=words[:40]))
    return RecordStep(_decision(words), parse_observation(seen))


def _decision(words: str) -> Decision:
    plain = words.lower()
    if not plain:
        raise NotationError(
            say("nothing stands before ':' or between ';'; write one of: {examples}", examples=EXAMPLES)
        )
    if plain == NO_MOVE.words:
        return NO_MOVE
    if plain in ("pass", "-", "nothing", "buy nothing"):
        return Pass()
    if ">" in plain or re.fullmatch(_SQUARE, plain):
        return _walk(plain)
    first = plain.split()[0]
    if first in _READERS:
        return _READERS[first](words)
    match = _TRIBE_ACTION.fullmatch(plain)
    if match is not None:
        return _tribe_action(match, words)
    guess = nearest(first, [*_READERS, "viziers", "elders", "builders", "merchants", "assassins", "kill", "pass"])
    raise NotationError(
        say(
            "{words} is nothing that a player does{guess}; write such as: {examples}",
            words=quoted(words),
            guess=guess,
            examples=EXAMPLES,
        )
    )


def _walk(plain: str) -> Walk:
    start, *steps = plain.replace(" ", "").split(">")
    if start and start not in SQUARE_NAMES:
        raise NotationError(
            say("{plain} does not begin with a tile such as c3; write c3 > c4g > d4y", plain=quoted(plain))
        )
    found = []
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise NotationError(
                say("{step} is not a step: expected a tile and a meeple's letter, such as c4g", step=quoted(step))
            )
        found.append((parse_square(match[1]), _tribe(match[2])))
    return Walk(parse_square(start) if start else None, tuple(found))


def _tribe_action(match: re.Match[str], words: str) -> TribeActionRecord:
    victims: list[Victim] = []
    helper = _paid(match["helper"], match["helper_cost"]) if match["helper"] else None
    if match["kill"] and match["kill"] not in ("nobody", "nothing"):
        victims = [_victim(part) for part in re.split(r" and |, ?", match["kill"])]
    if len(victims) > 2:
        raise NotationError(say("{words}: assassins never kill more than two (rules 5.4, 11.10)", words=quoted(words)))
    choice = TribeChoice(
        int(match["fakirs"] or 0),
        victims[0] if victims else None,
        victims[1] if len(victims) > 1 else None,
        helper,
    )
    return TribeActionRecord(choice, _int(match["count"]), _tribe(match["tribe"]) if match["tribe"] else None)


def _victim(text: str) -> Victim:
    found = _ON_TILE.fullmatch(text) or _SHORT_VICTIM.fullmatch(text)
    if found is not None:
        return Victim(_tribe(found["tribe"]), square=parse_square(found["square"]))
    found = _OF_PLAYER.fullmatch(text)
    if found is not None:
        return Victim(_tribe(found["tribe"]), owner=parse_colour(found["owner"]))
    raise NotationError(say("{text} is nobody to kill: write such as b on c2, or elder of pink", text=quoted(text)))


def _use(words: str) -> UsePower:
    match = re.fullmatch(_USE.pattern, words, re.IGNORECASE)
    if match is None:
        raise NotationError(
            say("{words}: write such as use Sloar for fakir, or use Enki for elder on c3", words=quoted(words))
        )
    helper = _paid(match["helper"], match["helper_cost"]) if match["helper"] else None
    return UsePower(_paid(match["djinn"], match["cost"]), _square(match["square"]), helper, _square(match["onto"]))


def _building(words: str) -> Building:
    match = re.fullmatch(_BUILDING.pattern, words, re.IGNORECASE)
    if match is None:
        raise NotationError(
            say("{words}: write palm or palace, or such as palm with Lamia for elder onto d4", words=quoted(words))
        )
    helper = _paid(match["helper"], match["helper_cost"]) if match["helper"] else None
    return Building(match["piece"].lower(), helper, _square(match["onto"]))


def _purchase(words: str) -> Purchase:
    cards: list[tuple[str | None, int | None]] = []
    for part in words[3:].split(","):
        match = _BOUGHT.fullmatch(part.strip())
        if match is None or not (match["card"] or match["place"]):
            raise NotationError(
                say("{words}: write such as buy fish, silk, or buy fish (3) for the third card", words=quoted(words))
            )
        place = int(match["place"]) - 1 if match["place"] else None
        named: list[str | None] = [*parse_cards(match["card"])] if match["card"] else [None]
        if place is not None and len(named) != 1:
            raise NotationError(
                say("{words}: a place of the row holds one card; name each card with its own", words=quoted(words))
            )
        cards += [(card, place) for card in named]
    return Purchase(tuple(cards))


def parse_cards(text: str) -> list[str]:
    """The cards that words name: one, or several such as 2 fakirs."""
    try:
        return [parse_card(text)]
    except NotationError as unknown:
        if not any(letter.isdigit() for letter in text):
            raise
        try:
            found = read_cards(text)
        except NotationError:
            raise unknown from None
    if isinstance(found, Ambiguous):
        raise NotationError(str(found))
    cards = [good for good, count in zip(GOODS, found.goods, strict=True) for _ in range(count)]
    cards += ["fakir"] * found.fakirs
    if not cards:
        raise NotationError(say("{text} names no card; write such as 2 fakirs", text=quoted(text)))
    return cards


def _take(words: str) -> ActTile:
    match = re.fullmatch(_TAKEN.pattern, words, re.IGNORECASE)
    if match is None:
        raise NotationError(
            say("{words}: write such as take Utug for 2 elders, or for elder and fakir", words=quoted(words))
        )
    price = _cost(match["cost"]) if match["cost"] else (2, 0)
    if price not in ((2, 0), (1, 1)):
        raise NotationError(say("{words}: a djinn costs 2 elders, or elder and fakir (rules 6.5)", words=quoted(words)))
    return ActTile(TileChoice(djinn=parse_djinn(match["djinn"]), with_fakir=price == (1, 1)))


def _keep(words: str) -> KeepDjinn:
    return KeepDjinn(parse_djinn(words[4:]))


def _sell(words: str) -> Sell:
    parts = re.split(r",|;" if re.search(r"\d", words) else r"[,\s]+", words[4:].strip())
    goods = [card for part in parts if part.strip() for card in parse_cards(part.strip())]
    if not goods or not set(goods) <= set(GOODS):
        raise NotationError(
            say("{words}: name the goods sold, such as sell fish, silk; fakirs are none", words=quoted(words))
        )
    return Sell(tuple(sorted(goods, key=GOODS.index)))


_READERS: dict[str, Callable[[str], Decision]] = {
    "use": _use,
    "palm": _building,
    "palace": _building,
    "buy": _purchase,
    "take": _take,
    "keep": _keep,
    "sell": _sell,
}


def parse_observation(text: str) -> Observation:
    """What was seen, parts separated by commas: cards, `?`, djinns, meeple letters, `7 GC`, `claim c3`."""
    cards: list[str | None] = []
    djinns: list[str] = []
    meeples: list[Tribe] = []
    claims: list[int] = []
    gold = None
    for part in (" ".join(part.split()) for part in text.split(",")):
        plain = part.lower()
        if plain in ("", "nothing"):
            continue
        if found := _GOLD.fullmatch(plain):
            gold = int(found[1])
        elif found := _CLAIM.fullmatch(plain):
            claims.append(parse_square(found[1]))
        elif plain == "?":
            cards.append(None)
        elif _MEEPLES.fullmatch(letters := plain.replace(" ", "")):
            meeples += map(_tribe, letters)
        else:
            _name(part, cards, djinns)
    return Observation(tuple(cards), tuple(djinns), tuple(meeples), gold, tuple(claims))


def _name(part: str, cards: list[str | None], djinns: list[str]) -> None:
    try:
        cards += parse_cards(part)
    except NotationError as no_card:
        try:
            djinns.append(parse_djinn(part))
        except NotationError as no_djinn:
            fault = no_djinn if "did you mean" in str(no_djinn) else no_card
            raise NotationError(
                say("after ':' come cards, djinns, meeples, GC and claims: {fault}", fault=fault)
            ) from None


def _paid(name: str, cost: str | None) -> Paid:
    return Paid(parse_djinn(name), *(_cost(cost) if cost else (0, 0)))


def _cost(text: str) -> tuple[int, int]:
    """Elders and fakirs: "2 elders", "elder and fakir", or "wf" for short."""
    if re.fullmatch(r"[wf]{1,4}", text, re.IGNORECASE):
        return text.lower().count("w"), text.lower().count("f")
    elders = fakirs = 0
    for part in re.split(r" and | ?\+ ?|, ?", text.lower()):
        match = _PRICE.fullmatch(part)
        if match is None:
            raise NotationError(
                say("{text} is no price: write such as elder, fakir, 2 elders, elder and fakir", text=quoted(text))
            )
        number = int(match["number"] or 1)
        if match["noun"].startswith("elder"):
            elders += number
        else:
            fakirs += number
    return elders, fakirs


def _tribe(word: str) -> Tribe:
    return Tribe(TRIBE_LETTERS.index(word)) if len(word) == 1 else Tribe[word.removesuffix("s").upper()]


def _square(name: str | None) -> int | None:
    return parse_square(name.lower()) if name else None


def _int(text: str | None) -> int | None:
    return int(text) if text else None


# Writing.


def format_step(item: RecordStep) -> str:
    """An item as `parse_step` reads it."""
    return str.__str__(step_phrase(item))


def format_observation(seen: Observation) -> str:
    """What was seen as `parse_observation` reads it; "" for nothing."""
    return str.__str__(observation_phrase(seen))


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


def warning_note(warning: str) -> Phrase:
    """What is odd about a record, as a sentence."""
    return say("Warning: {warning}.", warning=warning)


def steps_phrase(items: Iterable[RecordStep], *, unfinished: bool = False) -> Phrase:
    """The items of a turn in a row; with dots after them where more is to come."""
    text = joined("; ", map(step_phrase, items))
    return joined(" ", filter(None, (text, "..." if unfinished else "")))


def step_phrase(item: RecordStep) -> Phrase:
    """A decision and what was seen of it: "2 builders: 4 GC"."""
    seen = observation_phrase(item.seen)
    return joined(": ", filter(None, (_decision_phrase(item.decision), seen)))


def observation_phrase(seen: Observation) -> Phrase:
    """What was seen: cards, djinns, meeples, gold, claims; empty for nothing."""
    parts: list[str] = [term(card) if card else "?" for card in seen.cards]
    parts += map(term, seen.djinns)
    letters = "".join(tribe.letter for tribe in seen.meeples)
    parts += [letters[at : at + MEEPLES_TOGETHER] for at in range(0, len(letters), MEEPLES_TOGETHER)]
    if seen.gold is not None:
        parts.append(counted(seen.gold, "GC"))
    parts += [say_as("in a record", "claim {square}", square=SQUARE_NAMES[square]) for square in seen.claims]
    return joined(", ", parts)


def bid_phrase(price: int, fakirs: int) -> Phrase:
    """A bid: "3", or "5 with 2 fakirs" (rules 11.8)."""
    return (
        say_as("in a record", "{what} with {more}", what=price, more=counted(fakirs, "fakir"))
        if fakirs
        else joined("", (str(price),))
    )


def _decision_phrase(decision: Decision) -> Phrase:
    match decision:
        case Walk():
            steps = [SQUARE_NAMES[square] + tribe.letter for square, tribe in decision.steps]
            start = [SQUARE_NAMES[decision.start]] if decision.start is not None else [""]
            return joined("", (" > ".join([*start, *steps]).strip(),))
        case TribeActionRecord():
            return _tribe_action_phrase(decision)
        case Building():
            palm = decision.piece == "palm"
            piece = (
                say_as("put on a tile, in a record", "palm") if palm else say_as("put on a tile, in a record", "palace")
            )
            return _helped(piece, decision.helper, decision.onto)
        case Purchase():
            return say_as(
                "in a record",
                "buy {cards}",
                cards=joined(", ", (_bought(name, place) for name, place in decision.cards)),
            )
        case Pass():
            return say_as("in a record", "no move") if decision == NO_MOVE else say_as("in a record", "pass")
        case UsePower():
            words = say_as("in a record", "use {djinn}", djinn=_paid_phrase(decision.paid))
            if decision.square is not None:
                words = say_as("in a record", "{doing} on {square}", doing=words, square=SQUARE_NAMES[decision.square])
            return _helped(words, decision.helper, decision.onto)
        case KeepDjinn():
            return say_as("in a record", "keep {djinn}", djinn=term(decision.djinn))
        case Sell():
            return say_as("in a record", "sell {cards}", cards=joined(", ", map(term, decision.goods)))
        case ActTile(choice):
            assert choice.djinn is not None
            price = (1, 1) if choice.with_fakir else (2, 0)
            return say_as("in a record", "take {djinn}", djinn=_paid_phrase(Paid(choice.djinn, *price)))


def _tribe_action_phrase(action: TribeActionRecord) -> Phrase:
    """A tribe action; number and tribe were perhaps not told, and then are not said."""
    choice = action.choice
    words: list[Phrase] = []
    if action.tribe is not None:
        tribe = action.tribe.noun
        words.append(term(tribe, plural=True) if action.count is None else counted(action.count, tribe))
    elif action.count is not None:
        words.append(joined("", (str(action.count),)))
    if choice.fakirs:
        words.append(say_as("in a record", "with {more}", more=counted(choice.fakirs, "fakir")))
    if choice.victims:
        words.append(
            say_as("in a record", "kill {whom}", whom=listed([_victim_phrase(victim) for victim in choice.victims]))
        )
    elif action.tribe is Tribe.ASSASSIN or choice.helper is not None or (action.tribe is None and not choice.fakirs):
        words.append(say_as("in a record", "kill nobody"))
    if choice.helper is not None:
        words.append(say_as("in a record", "with {more}", more=_paid_phrase(choice.helper)))
    return joined(" ", words)


def _victim_phrase(victim: Victim) -> Phrase:
    if victim.square is None:
        return say_as(
            "in a record",
            "{tribe} of {colour}",
            tribe=_KILLED_IN_FRONT.get(victim.tribe, term(victim.tribe.noun)),
            colour=term(str(victim.owner)),
        )
    return say_as("in a record", "{tribe} on {square}", tribe=_KILLED[victim.tribe], square=SQUARE_NAMES[victim.square])


def _bought(name: str | None, place: int | None) -> Phrase:
    parts: Sequence[str] = (term(name) if name else "", f"({place + 1})" if place is not None else "")
    return joined(" ", filter(None, parts))


def _helped(words: Phrase, helper: Paid | None, onto: int | None) -> Phrase:
    if helper is None or onto is None:
        return words
    return say_as(
        "in a record",
        "{doing} with {djinn} onto {square}",
        doing=words,
        djinn=_paid_phrase(helper),
        square=SQUARE_NAMES[onto],
    )


def _paid_phrase(paid: Paid) -> Phrase:
    """A djinn with what is paid for it: "Enki for elder", "Leta for elder and fakir"."""
    parts = [
        term(noun) if number == 1 else counted(number, noun)
        for number, noun in ((paid.elders, "elder"), (paid.fakirs, "fakir"))
        if number
    ]
    return (
        say_as("in a record", "{djinn} for {cost}", djinn=term(paid.djinn), cost=listed(parts))
        if parts
        else term(paid.djinn)
    )
