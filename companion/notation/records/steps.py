"""What a player does in a turn, as a record writes it: `c3 > c4g > d4y: claim d4`, `2 viziers`, `buy fish`.

A step is read in the state in which it is taken, straight to actions of the rules; after a colon follows what the table
observed of it: cards, djinns and meeples that chance gave, gold, claims (docs/records.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import IllegalMoveError, NotationError, quoted
from companion.language.phrase import Phrase, counted, joined, named, say, say_as, term
from companion.notation.holdings import read_cards
from companion.notation.names import is_djinn, nearest, parse_card, parse_colour, parse_djinn
from companion.notation.wording import PASS, claim_in_record, record_words
from companion.rules.engine.game import Step
from companion.rules.model import actions
from companion.rules.model import events as happened
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.components import FAKIR, GOODS, TRIBE_LETTERS, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage

MEEPLES_TOGETHER = 3
"""Letters of meeples are written together, that many at a time."""

_SQUARE = r"[a-f][1-5]"
_COST = r"[^:]+?"
_TRIBE = r"viziers?|elders?|builders?|merchants?|assassins?"
_HELPER = rf"with (?P<helper>.+?)(?: for (?P<helper_cost>{_COST}))?"
_USE = re.compile(
    rf"use (?P<djinn>.+?)(?: for (?P<cost>{_COST}))?(?: on (?P<square>{_SQUARE}))?"
    rf"(?: {_HELPER} onto (?P<onto>{_SQUARE}))?",
    re.IGNORECASE,
)
_BUILDING = re.compile(rf"(?:palm|palace)(?: {_HELPER} onto (?P<onto>{_SQUARE}))?", re.IGNORECASE)
_TRIBE_ACTION = re.compile(
    rf"(?:(?P<count>\d{{1,3}}) )?(?P<tribe>{_TRIBE})?(?: ?with (?P<fakirs>\d{{1,3}}) (?:fakirs?|slaves?|workers?))?"
    rf"(?: ?kill (?P<kill>.+?)(?: {_HELPER})?)?"
)
_ON_TILE = re.compile(rf"(?P<tribe>[{TRIBE_LETTERS}]|{_TRIBE}) on (?P<square>{_SQUARE})")
_SHORT_VICTIM = re.compile(rf"(?P<square>{_SQUARE}) ?(?P<tribe>[{TRIBE_LETTERS}])")
_OF_PLAYER = re.compile(rf"(?P<tribe>[{TRIBE_LETTERS}]|{_TRIBE}) of (?P<owner>[a-z]+)")
_STEP = re.compile(rf"({_SQUARE})([{TRIBE_LETTERS}])")
_BOUGHT = re.compile(r"(?P<card>[^()]*?) ?(?:\((?P<place>[1-9])\))?")
_TAKEN = re.compile(rf"take (?P<djinn>.+?)(?: for (?P<cost>{_COST}))?", re.IGNORECASE)
_PRICE = re.compile(r"(?:(?P<number>\d{1,3}) ?)?(?P<noun>elders?|fakirs?|slaves?|workers?)")
_GOLD = re.compile(r"(\d{1,4}) ?gc")
_CLAIM = re.compile(rf"claim ({_SQUARE})")
_MEEPLES = re.compile(rf"[{TRIBE_LETTERS}]{{1,{MEEPLES_TOGETHER}}}")

EXAMPLES = (
    "c3 > c4g > d4y, 2 viziers, 3 builders with 1 fakir, 2 assassins kill b on c2, palm, palace, buy fish, "
    "take Utug for 2 elders, use Enki for fakir on c3, keep Utug, sell fish, silk, pass"
)

MAX_STEP = 400
"""Letters of a step; its patterns take a time that grows as the cube of its length."""

NO_MOVE = say_as("in a record", "no move")


@dataclass(frozen=True, slots=True)
class Observation:
    """What the table saw of a step: drawn or taken cards (None: nobody knows), djinns, meeples, GC, claims."""

    cards: tuple[str | None, ...] = ()
    djinns: tuple[str, ...] = ()
    meeples: tuple[Tribe, ...] = ()
    gold: int | None = None
    claims: tuple[int, ...] = ()

    @property
    def names_draw(self) -> bool:
        """Whether it names anything that may have been drawn."""
        return bool(self.cards or self.djinns or self.meeples)


def split_step(text: str) -> tuple[str, Observation]:
    """The words of a step and what was observed of it. Raises NotationError for what cannot be read."""
    before, _, after = text.partition(":")
    words = " ".join(before.split())
    if len(words) > MAX_STEP:
        raise NotationError("{words}... is too long for one step of a turn", words=words[:40])
    if not words:
        raise NotationError("there is nothing before ':' or between ';'; write one of: {examples}", examples=EXAMPLES)
    return words, parse_observation(after)


def is_pass(words: str) -> bool:
    """Whether the words of a step say that nothing is done."""
    return words.lower() in (NO_MOVE, PASS, "-", "nothing", "buy nothing")


def is_walk(words: str) -> bool:
    """Whether the words of a step move meeples."""
    return ">" in words or re.match(rf"{_SQUARE}(?![^:])", words.strip(), re.IGNORECASE) is not None


def parse_actions(words: str, state: GameState) -> tuple[actions.Action, ...]:
    """The actions of a step in a state, several for an unfinished sowing. Raises NotationError, IllegalMoveError."""
    plain = words.lower()
    if is_walk(plain):
        return _walk(plain, state)
    first = plain.split()[0]
    if first in _READERS:
        return (_READERS[first](words, state),)
    match = _TRIBE_ACTION.fullmatch(plain)
    if match is not None:
        return (_tribe_action(match, words, state),)
    word = next((word for word in plain.split() if word.isalpha()), plain)
    guess = nearest(word, [*_READERS, "viziers", "elders", "builders", "merchants", "assassins", "kill", "pass"])
    raise NotationError(
        "{words} isn't something that a player does{guess}; write something like: {examples}",
        words=quoted(words),
        guess=guess,
        examples=EXAMPLES,
    )


def _walk(plain: str, state: GameState) -> tuple[actions.Action, ...]:
    start, *steps = plain.replace(" ", "").split(">")
    if start and start not in SQUARE_NAMES:
        raise NotationError(
            "{plain} doesn't begin with a tile such as c3; write something like c3 > c4g > d4y", plain=quoted(plain)
        )
    drops = []
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise NotationError(
                "{step} is not a step: expected a tile and a meeple's letter, such as c4g", step=quoted(step)
            )
        drops.append(actions.Drop(parse_square(match[1]), _tribe(match[2])))
    if not start:
        return tuple(drops)
    square = parse_square(start)
    held = sum(state.position.board[square].meeples)
    if state.stage is Stage.MOVE and (not drops or len(drops) < held):
        return (actions.Lift(square), *drops)
    return (
        actions.Sow(actions.Sowing(square, tuple(drop.square for drop in drops), tuple(drop.tribe for drop in drops))),
    )


def _tribe_action(match: re.Match[str], words: str, state: GameState) -> actions.ActTribe:
    killed = "" if match["kill"] in (None, "nobody", "nothing") else match["kill"]
    victims = [_victim(part) for part in re.split(r" and |, ?", killed)] if killed else []
    if len(victims) > 2:
        raise NotationError("{words}: assassins never kill more than two (rules 5.4, 11.10)", words=quoted(words))
    taken = state.progress.taken
    if state.stage is Stage.TRIBE and taken is not None and match["tribe"]:
        tribe, count = _tribe(match["tribe"]), int(match["count"] or taken.count)
        if (tribe, count) != (taken.tribe, taken.count):
            raise IllegalMoveError(
                "in hand from {square}: {taken}, not {told} (rules 4.7)",
                taken=counted(taken.count, taken.tribe.noun),
                square=SQUARE_NAMES[taken.end],
                told=counted(count, tribe.noun),
            )
    first, second = (*victims, None, None)[:2]
    return actions.ActTribe(actions.TribeChoice(int(match["fakirs"] or 0), first, second, _helper(match)))


def _victim(text: str) -> Victim:
    if match := _ON_TILE.fullmatch(text) or _SHORT_VICTIM.fullmatch(text):
        return Victim(_tribe(match["tribe"]), square=parse_square(match["square"]))
    if match := _OF_PLAYER.fullmatch(text):
        return Victim(_tribe(match["tribe"]), owner=parse_colour(match["owner"]))
    raise NotationError("{text} can't be killed; write something like b on c2, or elder of pink", text=quoted(text))


def _use(words: str, _: GameState) -> actions.UsePower:
    match = _USE.fullmatch(words)
    if match is None:
        raise NotationError(
            "{words}: write something like use Sloar for fakir, or use Enki for elder on c3", words=quoted(words)
        )
    paid = _paid(match["djinn"], match["cost"])
    return actions.UsePower(paid, _square(match["square"]), _helper(match), _square(match["onto"]))


def _building(words: str, _: GameState) -> actions.ActTile:
    match = _BUILDING.fullmatch(words)
    if match is None:
        raise NotationError(
            "{words}: write palm or palace, or something like palm with Lamia for elder onto d4", words=quoted(words)
        )
    return actions.ActTile(actions.TileChoice(helper=_helper(match), onto=_square(match["onto"])))


def _purchase(words: str, state: GameState) -> actions.ActTile:
    places: list[int] = []
    for part in words[3:].split(","):
        match = _BOUGHT.fullmatch(part.strip())
        if match is None or not (match["card"] or match["place"]):
            raise NotationError(
                "{words}: write something like buy fish, silk, or buy fish (3) for the third card", words=quoted(words)
            )
        place = int(match["place"]) - 1 if match["place"] else None
        cards: list[str | None] = [*parse_cards(match["card"])] if match["card"] else [None]
        if place is not None and len(cards) != 1:
            raise NotationError(
                "{words}: a place in the row holds one card; give each card its own", words=quoted(words)
            )
        for card in cards:
            places.append(_place_in_row(state.position.row or (), card, place, places))
    return actions.ActTile(actions.TileChoice(cards=tuple(places)))


def _place_in_row(row: Sequence[str], card: str | None, place: int | None, used: Sequence[int]) -> int:
    """The place of a card in the row; the first of that name that isn't `used`, if none was given."""
    if place is None:
        place = next((at for at, lying in enumerate(row) if lying == card and at not in used), None)
    if place is None or place >= len(row) or (card is not None and row[place] != card):
        at = "" if place is None else say(" at place {place}", place=place + 1)
        raise IllegalMoveError(
            "there is no {name} in the row{at}; the row is {row} (rules 6.3, 6.4)",
            name=say_as("of a row", "card") if card is None else named(card),
            at=at,
            row=joined(", ", map(named, row)) if row else say_as("cards", "none"),
        )
    return place


def parse_cards(text: str) -> list[str]:
    """The cards that words name: one, or several such as 2 fakirs."""
    if any(letter.isdigit() for letter in text):
        try:
            counts = read_cards(text)
        except NotationError:
            pass
        else:
            cards = [good for good, count in zip(GOODS, counts.goods, strict=True) for _ in range(count)]
            cards += [FAKIR] * counts.fakirs
            if not cards:
                raise NotationError("{text} names no card; write something like 2 fakirs", text=quoted(text))
            return cards
    return [parse_card(text)]


def _take(words: str, _: GameState) -> actions.ActTile:
    match = _TAKEN.fullmatch(words)
    if match is None:
        raise NotationError(
            "{words}: write something like take Utug for 2 elders, or for elder and fakir", words=quoted(words)
        )
    price = _cost(match["cost"]) if match["cost"] else (2, 0)
    if price not in ((2, 0), (1, 1)):
        raise NotationError("{words}: a djinn costs 2 elders, or elder and fakir (rules 6.5)", words=quoted(words))
    return actions.ActTile(actions.TileChoice(djinn=parse_djinn(match["djinn"]), with_fakir=price == (1, 1)))


def _sell(words: str, _: GameState) -> actions.Sell:
    parts = re.split(r",|;" if re.search(r"\d", words) else r"[,\s]+", words[4:].strip())
    goods = [card for part in parts if part.strip() for card in parse_cards(part.strip())]
    if not goods or not set(goods) <= set(GOODS):
        raise NotationError(
            "{words}: name the goods sold, such as sell fish, silk; fakirs are not goods", words=quoted(words)
        )
    return actions.Sell(tuple(sorted(goods, key=GOODS.index)))


_READERS: dict[str, Callable[[str, GameState], actions.Action]] = {
    "use": _use,
    "palm": _building,
    "palace": _building,
    "buy": _purchase,
    "take": _take,
    "keep": lambda words, _: actions.KeepDjinn(parse_djinn(words[4:])),
    "sell": _sell,
}


def parse_observation(text: str) -> Observation:
    """What was observed, parts separated by commas: cards, `?`, djinns, meeple letters, `7 GC`, `claim c3`."""
    cards: list[str | None] = []
    djinns: list[str] = []
    meeples: list[Tribe] = []
    claims: list[int] = []
    gold = None
    for part in (" ".join(part.split()) for part in text.split(",")):
        plain = part.lower()
        if plain in ("", "nothing"):
            continue
        if match := _GOLD.fullmatch(plain):
            gold = int(match[1])
        elif match := _CLAIM.fullmatch(plain):
            claims.append(parse_square(match[1]))
        elif plain == "?":
            cards.append(None)
        elif _MEEPLES.fullmatch(letters := plain.replace(" ", "")):
            meeples += map(_tribe, letters)
        else:
            _name(part, cards, djinns)
    return Observation(tuple(cards), tuple(djinns), tuple(meeples), gold, tuple(claims))


def _name(part: str, cards: list[str | None], djinns: list[str]) -> None:
    if is_djinn(part):
        # To look for cards like it would take longer than all else in a line.
        djinns.append(parse_djinn(part))
        return
    try:
        cards += parse_cards(part)
    except NotationError as no_card:
        try:
            parse_djinn(part)
        except NotationError as no_djinn:
            fault = no_djinn if getattr(no_djinn, "nearest", "") else no_card
            raise NotationError("after ':' come cards, djinns, meeples, GC and claims: {fault}", fault=fault) from None


def _helper(match: re.Match[str]) -> actions.Paid | None:
    return _paid(match["helper"], match["helper_cost"]) if match["helper"] else None


def _paid(name: str, cost: str | None) -> actions.Paid:
    return actions.Paid(parse_djinn(name), *(_cost(cost) if cost else (0, 0)))


def _cost(text: str) -> tuple[int, int]:
    """Elders and fakirs: "2 elders", "elder and fakir", or "wf" for short."""
    if re.fullmatch(r"[wf]{1,4}", text, re.IGNORECASE):
        return text.lower().count("w"), text.lower().count("f")
    paid = {True: 0, False: 0}
    for part in re.split(r" and | ?\+ ?|, ?", text.lower()):
        match = _PRICE.fullmatch(part)
        if match is None:
            raise NotationError(
                "{text} is not a price; write something like elder, fakir, 2 elders, elder and fakir", text=quoted(text)
            )
        paid[match["noun"].startswith("elder")] += int(match["number"] or 1)
    return paid[True], paid[False]


def _tribe(word: str) -> Tribe:
    return Tribe(TRIBE_LETTERS.index(word)) if len(word) == 1 else Tribe[word.removesuffix("s").upper()]


def _square(name: str | None) -> int | None:
    return parse_square(name.lower()) if name else None


# Writing: in English word for word as records have it, in other languages for readers.


def step_phrase(before: GameState, action: actions.Action, done: Step) -> Phrase:
    """An action that was taken, with what the table saw of it: "2 builders: 4 GC"."""
    return joined(": ", filter(None, (record_words(before, action), observation_phrase(observation_of(action, done)))))


def steps_phrase(steps: Iterable[str], *, unfinished: bool = False) -> Phrase:
    """The steps of a turn in a row; with dots after them where more is to come."""
    return joined(" ", filter(None, (joined("; ", steps), "..." if unfinished else "")))


def added_step(steps: tuple[str, ...], action: actions.Action, words: str) -> tuple[str, ...]:
    """Steps of a turn with one more; a drop goes on with the walk before it."""
    if isinstance(action, actions.Drop) and steps and is_walk(steps[-1].partition(":")[0]):
        return (*steps[:-1], joined(" ", (steps[-1], words)))
    return (*steps, words)


def observation_of(action: actions.Action, done: Step) -> Observation:
    """What the table saw of an action: what chance gave, cards from the row for merchants, gold, claims."""
    cards = done.drawn.cards
    if isinstance(action, actions.ActTribe) and not cards:
        cards = tuple(card for event in done.events if isinstance(event, happened.CardsTaken) for card in event.cards)
    gold = 0
    for event in done.events:
        match event:
            case happened.BuildersPaid() | happened.IncomeMultiplied() | happened.VictimReaped():
                gold += event.gold
            case happened.GoodsSold():
                gold += event.price
    claims = tuple(event.square for event in done.events if isinstance(event, happened.TileClaimed))
    return Observation(cards, done.drawn.djinns, done.drawn.meeples, gold or None, claims)


def observation_phrase(seen: Observation) -> Phrase:
    """What was observed, as `parse_observation` reads it; empty for nothing."""
    parts: list[str] = [term(card) if card else "?" for card in seen.cards]
    parts += map(term, seen.djinns)
    letters = "".join(tribe.letter for tribe in seen.meeples)
    parts += [letters[at : at + MEEPLES_TOGETHER] for at in range(0, len(letters), MEEPLES_TOGETHER)]
    if seen.gold is not None:
        parts.append(counted(seen.gold, "GC"))
    parts += map(claim_in_record, seen.claims)
    return joined(", ", parts)


def without_drawn_cards(step: str) -> str:
    """A step without the cards that came from the deck; those from the row were seen by all (rules 12.2)."""
    words, _, seen = step.partition(":")
    if not seen or not re.search(r"^use |\bkill ", words.strip(), re.IGNORECASE):
        return step
    left = observation_phrase(replace(parse_observation(seen), cards=()))
    return joined(": ", filter(None, (words.strip(), left)))
