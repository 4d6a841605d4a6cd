"""The questions about a turn that was played on the table, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import islice
from typing import TypeVar

from companion.language.phrase import Phrase, capitalised, counted, joined, named, say, term
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.sowing import lifted, order_options, path_options, standing_on
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    KeepDjinn,
    Lift,
    Paid,
    Sell,
    Sow,
    Sowing,
    UsePower,
    in_words,
)
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import GOODS, TileAction, Tribe
from companion.rules.model.state import GameState, Hand, Stage

MAX_ORDERS = 6
"""So many orders of the meeples left are offered whole; of more, one meeple after another is asked for."""

MAX_LEAP = 4
"""So many steps at most are told by a tap on the tile where they end, if no other way leads there."""

SOLD = "sold"
"""The tap that ends a set of goods."""

PLENTY = 90
FAKIRS_ASKED = 6
"""What a player is taken to have where nobody knows it: what was paid on the table was there."""

_PAID_HOW = say("What was paid for it?")

_DRAWN: dict[str, Phrase] = {
    "card": say("Which card was drawn?"),
    "djinn": say("Which djinn was drawn?"),
    "meeple": say("Which meeple was drawn?"),
}
"""What is asked of a draw, by what is drawn."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One answer: its word in an address, what it says, and what shows it: a tile, meeples, or an icon."""

    token: str
    words: str
    square: int | None = None
    tribes: tuple[Tribe, ...] = ()
    icon: str = ""


class About(Enum):
    """What a question about a turn is about, for those who know some of the answers already."""

    START = auto()
    STEP = auto()
    ORDER = auto()
    """All meeples that are left, or one after another: letters."""
    VICTIM_PLACE = auto()
    VICTIMS = auto()
    """How many were killed, or which."""
    FAKIRS = auto()
    BUILT_ON = auto()
    """The tile that a palm or palace was put on."""
    POWER = auto()
    """Whether a djinn was used here."""
    POWER_TILE = auto()
    POWER_BUILT_ON = auto()
    DJINN = auto()
    DRAWN_MEEPLE = auto()
    CLOSE = auto()
    OTHER = auto()
    """What the board doesn't show: cards, djinns, prices, sales."""


@dataclass(frozen=True, slots=True)
class TapQuestion:
    """What is asked next, and all answers that the rules allow.

    `about` says what it is about. `powers` are djinns that may be used first. `several` are picked together, until one
    of them ends it. `may_end`: the turn may be over.
    """

    words: Phrase
    taps: tuple[Tap, ...]
    powers: tuple[Tap, ...] = ()
    several: bool = False
    may_end: bool = False
    about: About = About.OTHER

    @property
    def offered(self) -> tuple[Tap, ...]:
        """All that can be tapped."""
        return (*self.taps, *self.powers)


A = TypeVar("A", bound=Action)


class _PowerTappedError(Exception):
    """A djinn was tapped in place of an answer."""

    def __init__(self, uses: list[UsePower]) -> None:
        super().__init__(uses)
        self.uses = uses


Asking = Generator[TapQuestion, str, None]
Tapped = Generator[TapQuestion, str, str]


class TurnQuestions:
    """A turn told by taps: `turn()` asks, and is sent the tokens of the answers; the fields hold the turn so far."""

    def __init__(self, state: GameState, *, stops_for_powers: bool = False) -> None:
        self.state = state
        self.actions: list[Action] = []
        self.drawn: list[Drawn] = []
        self.start: int | None = None
        self.path: list[int] = []
        self.hand: tuple[Tribe, ...] = ()
        self.drops: tuple[Tribe, ...] = ()
        self.met_powers = False
        self._stops = stops_for_powers
        self._uses: dict[str, list[UsePower]] = {}

    def turn(self) -> Asking:
        """Ask for the whole turn; over once nothing can be added to it."""
        while True:
            options = legal_actions(_supposed(self.state))
            self._offer_powers(options)
            try:
                if self.state.stage in (Stage.CLOSE, Stage.SELL):
                    if not self._uses and not any(isinstance(option, Sell) for option in options):
                        return
                    yield from self._close(options)
                else:
                    yield from _STAGES[self.state.stage](self, options)
            except _PowerTappedError as tapped:
                yield from self._use(tapped.uses)

    # What all questions have in common.

    def _offer_powers(self, options: Iterable[Action]) -> None:
        self._uses = {}
        for option in options:
            if isinstance(option, UsePower):
                self._uses.setdefault(f"use {option.paid.djinn}", []).append(option)
        self.met_powers |= bool(self._uses) and self.state.stage is not Stage.CLOSE

    def _ask(
        self,
        words: Phrase,
        taps: Sequence[Tap],
        about: About = About.OTHER,
        *,
        several: bool = False,
        may_end: bool = False,
    ) -> Tapped:
        """One question. Powers are offered beside the first of a stage."""
        uses, self._uses = self._uses, {}
        powers = tuple(Tap(token, named(options[0].paid.djinn), icon="djinns") for token, options in uses.items())
        token = yield TapQuestion(words, tuple(taps), powers, several, may_end, about)
        if token in uses:
            raise _PowerTappedError(uses[token])
        return token

    def _pick(self, words: Phrase, taps: Iterable[Tap], about: About = About.OTHER) -> Tapped:
        """One question, unless it has one answer only."""
        offered = tuple(taps)
        return offered[0].token if len(offered) == 1 else (yield from self._ask(words, offered, about))

    def _one_of(
        self, options: Sequence[A], words: Phrase, tap_of: Callable[[A], Tap], about: About = About.OTHER
    ) -> Generator[TapQuestion, str, list[A]]:
        """The options that have what was tapped, asked where they differ."""
        taps: dict[str, Tap] = {}
        having: dict[str, list[A]] = {}
        for option in options:
            tap = tap_of(option)
            taps.setdefault(tap.token, tap)
            having.setdefault(tap.token, []).append(option)
        return having[(yield from self._pick(words, taps.values(), about))]

    def _all_of(
        self,
        options: Sequence[A],
        words: Phrase,
        further: Phrase,
        members: Callable[[A], Sequence[Hashable]],
        nothing: Phrase,
        tap_of: Callable[[A, int], Tap],
        about: About = About.OTHER,
    ) -> Generator[TapQuestion, str, list[A]]:
        """The options whose members were tapped, whatever their order, asked where they differ; `further` is asked
        once something is picked.
        """
        picked: Counter[Hashable] = Counter()
        left = list(options)
        while any(Counter(members(option)) != picked for option in left):
            taps: dict[str, Tap] = {}
            tapped: dict[str, Hashable] = {}
            for option in left:
                still = Counter(members(option)) - picked
                for place, member in enumerate(members(option)):
                    if still[member]:
                        tap = tap_of(option, place)
                        taps.setdefault(tap.token, tap)
                        tapped[tap.token] = member
            if any(Counter(members(option)) == picked for option in left):
                taps["nothing"] = Tap("nothing", nothing)
            token = yield from self._pick(further if picked else words, taps.values(), about)
            if token == "nothing":
                return [option for option in left if Counter(members(option)) == picked]
            picked[tapped[token]] += 1
            left = [option for option in left if not picked - Counter(members(option))]
        return left

    def _before_going_on(self) -> Asking:
        """Stop where nothing was asked and a power could have been used all the same."""
        if self._stops and self._uses:
            yield from self._ask(say("Was a djinn used at this point?"), (Tap("on", say("No, carry on")),), About.POWER)

    def _do(self, action: Action) -> Asking:
        """Take an action, and ask for what it draws."""
        drawn = Drawn()
        while True:
            try:
                done = step(self.state, action, ScriptedChance(drawn))
                break
            except ChanceNeededError as needed:
                drawn = yield from self._drawn(needed, drawn)
        self.actions.append(action)
        self.drawn.append(drawn)
        self.state = done.state

    def _drawn(self, needed: ChanceNeededError, drawn: Drawn) -> Generator[TapQuestion, str, Drawn]:
        taps = [_drawn_tap(needed.wanted, name) for name in needed.options]
        if needed.wanted == "card":
            taps.append(Tap("?", say("Nobody else saw it")))
        self._uses = {}
        about = About.DRAWN_MEEPLE if needed.wanted == "meeple" else About.OTHER
        token = yield from self._pick(_DRAWN[needed.wanted], taps, about)
        if needed.wanted == "card":
            return replace(drawn, cards=(*drawn.cards, None if token == "?" else token))
        if needed.wanted == "djinn":
            return replace(drawn, djinns=(*drawn.djinns, token))
        return replace(drawn, meeples=(*drawn.meeples, Tribe[token.upper()]))

    # Moving meeples.

    def _move(self, options: Sequence[Action]) -> Asking:
        lifts = [option for option in options if isinstance(option, Lift)]
        taps = [_tile_tap(option.square) for option in lifts]
        self.start, self.path, self.drops = None, [], ()
        token = yield from self._ask(say("Which tile were the meeples taken from?"), taps, About.START)
        square = SQUARE_NAMES.index(token)
        self.start = square
        meeples = self.state.position.board[square].meeples
        sown = yield from self._sown(Hand(square, (), (), meeples))
        yield from self._do(Sow(sown))

    def _go_on(self, _: Sequence[Action]) -> Asking:
        """A hand that was on its way when the telling began."""
        hand = self.state.progress.hand
        assert hand is not None
        self.start = hand.start
        sown = yield from self._sown(hand)
        for square, tribe in zip(sown.path, sown.drops, strict=True):
            yield from self._do(Drop(square, tribe))

    def _sown(self, hand: Hand) -> Generator[TapQuestion, str, Sowing]:
        """The rest of a sowing: its path first, then which meeple was left where."""
        walked = [hand.start, *hand.path]
        standing = standing_on(self.state.position.board)
        if not hand.path:
            standing = lifted(standing, hand.start)
        self.hand = tuple(tribe for tribe in Tribe for _ in range(hand.left[tribe]))
        path = self.path = []
        while len(path) < len(self.hand):
            before = walked[-2] if len(walked) > 1 else None
            squares = path_options(before, walked[-1], path, hand.left, standing)
            ways = {square: [square] for square in squares}
            if len(squares) > 1:
                ways = _only_ways(walked, path, hand.left, standing) | ways
            words = say("Where was the first meeple left?") if not path else say("Where was the next meeple left?")
            token = yield from self._pick(words, map(_tile_tap, ways), About.STEP)
            way = ways[SQUARE_NAMES.index(token)]
            path.extend(way)
            walked.extend(way)
        drops = yield from self._left_along(path, hand.left, standing)
        self.hand = ()
        return Sowing(hand.start, tuple(path), drops)

    def _left_along(
        self, path: Sequence[int], hand: Sequence[int], standing: list[int]
    ) -> Generator[TapQuestion, str, tuple[Tribe, ...]]:
        self.drops = ()
        while True:
            orders = list(islice(_orders(path, self.drops, hand, standing), MAX_ORDERS + 1))
            known = len(self.drops)
            if len(orders) <= MAX_ORDERS:
                taps = [_order_tap(path[known:], order[known:]) for order in orders]
                token = yield from self._pick(say("Which meeple was left where?"), taps, About.ORDER)
                self.drops = (*self.drops, *map(_tribe_of, token))
                return self.drops
            tile = SQUARE_NAMES[path[known]]
            words = say("Which meeple was left on {tile}, step {number}?", tile=tile, number=known + 1)
            tribes = order_options(path, self.drops, hand, standing)
            token = yield from self._pick(words, map(_tribe_tap, tribes), About.ORDER)
            self.drops = (*self.drops, _tribe_of(token))

    # What the meeples and the tile do.

    def _tribe(self, options: Sequence[Action]) -> Asking:
        left = [option for option in options if isinstance(option, ActTribe)]
        taken = self.state.progress.taken
        if taken is not None and taken.tribe is Tribe.ASSASSIN:
            where = say("Who was killed? Tap the tile, or the player")
            left = yield from self._one_of(left, where, _victim_tap, About.VICTIM_PLACE)
            left = yield from self._one_of(left, say("How many were killed?"), _number_killed_tap, About.VICTIMS)
            left = yield from self._all_of(
                left,
                say("Who was killed?"),
                say("Who else was killed?"),
                lambda option: [victim.tribe for victim in option.choice.victims],
                say("Nobody"),
                lambda option, place: _tribe_tap(option.choice.victims[place].tribe),
                About.VICTIMS,
            )
        left = yield from self._one_of(left, say("How many fakirs were discarded for it?"), _fakirs_tap, About.FAKIRS)
        yield from self._before_going_on()
        yield from self._do(left[0])

    def _tile(self, options: Sequence[Action]) -> Asking:
        left = list(dict.fromkeys(option for option in options if isinstance(option, ActTile)))
        taken = self.state.progress.taken
        assert taken is not None
        kind = self.state.position.board[taken.end].kind.action
        if kind in (TileAction.SMALL_MARKET, TileAction.LARGE_MARKET):
            row = self.state.position.row or ()
            left = yield from self._all_of(
                left,
                say("What was bought?"),
                say("What else was bought?"),
                lambda option: option.choice.cards,
                say("Nothing was bought"),
                lambda option, place: _card_tap(row, option.choice.cards[place]),
            )
        elif kind is TileAction.SACRED_PLACE:
            left = yield from self._one_of(left, say("Which djinn was taken?"), _djinn_taken_tap, About.DJINN)
            left = yield from self._one_of(left, _PAID_HOW, _djinn_price_tap)
        else:
            words = say("Where was the palm put?") if kind is TileAction.OASIS else say("Where was the palace put?")
            end = taken.end
            left = yield from self._one_of(
                left, words, lambda option: _tile_tap(option.choice.onto, end), About.BUILT_ON
            )
            left = yield from self._one_of(left, _PAID_HOW, lambda option: _paid_tap(option.choice.helper))
        yield from self._before_going_on()
        yield from self._do(left[0])

    def _keep(self, options: Sequence[Action]) -> Asking:
        keeps = [option for option in options if isinstance(option, KeepDjinn)]
        left = yield from self._one_of(keeps, say("Which djinn was kept?"), lambda option: _djinn_tap(option.djinn))
        yield from self._do(left[0])

    def _use(self, uses: Sequence[UsePower]) -> Asking:
        left: list[UsePower] = list(uses)
        where = say("Which tile was {djinn} used on?", djinn=named(uses[0].paid.djinn))
        if left[0].square is not None:
            left = yield from self._one_of(left, where, lambda option: _tile_tap(option.square), About.POWER_TILE)
            put = say("Where was it put?")
            onto = lambda option: _tile_tap(option.onto, option.square or 0)  # noqa: E731
            left = yield from self._one_of(left, put, onto, About.POWER_BUILT_ON)
        left = yield from self._one_of(left, _PAID_HOW, lambda option: _paid_tap(option.paid))
        left = yield from self._one_of(left, _PAID_HOW, lambda option: _paid_tap(option.helper))
        yield from self._do(left[0])

    def _close(self, options: Sequence[Action]) -> Asking:
        sales = {option.goods for option in options if isinstance(option, Sell)}
        taps = [Tap("sell", say("Goods were sold"), icon="goods")] if sales else []
        yield from self._ask(say("Was that all?"), taps, About.CLOSE, may_end=True)
        held = [good for good in GOODS if (good,) in sales]
        sold: list[str] = []
        while True:
            rest = [Tap(good, term(good), icon=f"card-{good}") for good in held if good not in sold]
            ends = [Tap(SOLD, say("Sold"))] if sold else []
            token = yield from self._ask(say("Which goods were sold as one set?"), [*rest, *ends], several=True)
            if token == SOLD:
                break
            sold.append(token)
        yield from self._do(Sell(tuple(sorted(sold, key=GOODS.index))))


_STAGES: dict[Stage, Callable[[TurnQuestions, Sequence[Action]], Asking]] = {
    Stage.MOVE: TurnQuestions._move,
    Stage.SOW: TurnQuestions._go_on,
    Stage.TRIBE: TurnQuestions._tribe,
    Stage.TILE: TurnQuestions._tile,
    Stage.KEEP: TurnQuestions._keep,
}


def _supposed(state: GameState) -> GameState:
    """The state with enough in the mover's hand where nobody knows what is in it."""
    assert state.mover is not None
    player = state.player(state.mover)
    able = replace(
        player,
        gold=PLENTY if player.gold is None else player.gold,
        elders=PLENTY if player.elders is None else player.elders,
        fakirs=FAKIRS_ASKED if player.fakirs is None else player.fakirs,
    )
    return state if able == player else replace(state, position=state.position.with_player(able))


def _only_ways(
    walked: Sequence[int], path: Sequence[int], hand: Sequence[int], standing: list[int]
) -> dict[int, list[int]]:
    """The rest of the way to each end to which one way alone leads; none while more than `MAX_LEAP` steps are left."""
    ways: dict[int, list[list[int]]] = {}

    def walk(way: list[int]) -> None:
        if len(path) + len(way) == sum(hand):
            ways.setdefault(way[-1], []).append(way)
            return
        before, here = [None, *walked, *way][-2:]
        assert here is not None, "a way begins somewhere"
        for square in path_options(before, here, [*path, *way], hand, standing):
            walk([*way, square])

    if 1 < sum(hand) - len(path) <= MAX_LEAP:
        walk([])
    return {end: found[0] for end, found in ways.items() if len(found) == 1}


def _orders(
    path: Sequence[int], drops: tuple[Tribe, ...], hand: Sequence[int], standing: list[int]
) -> Iterable[tuple[Tribe, ...]]:
    """Every order in which the meeples can have been left along the path after those drops."""
    if len(drops) == len(path):
        yield drops
        return
    for tribe in order_options(path, drops, hand, standing):
        yield from _orders(path, (*drops, tribe), hand, standing)


def _tribe_of(letter: str) -> Tribe:
    return next(tribe for tribe in Tribe if tribe.letter == letter)


def _tile_tap(square: int | None, otherwise: int = 0) -> Tap:
    square = otherwise if square is None else square
    return Tap(SQUARE_NAMES[square], SQUARE_NAMES[square], square=square)


def _tribe_tap(tribe: Tribe) -> Tap:
    return Tap(tribe.letter, capitalised(term(tribe.noun)), tribes=(tribe,))


def _order_tap(path: Sequence[int], drops: Sequence[Tribe]) -> Tap:
    """The meeples left along a path, in order."""
    steps = zip(path, drops, strict=True)
    words = joined(", ", [joined(" ", (SQUARE_NAMES[square], term(tribe.noun))) for square, tribe in steps])
    return Tap("".join(tribe.letter for tribe in drops), words, tribes=tuple(drops))


def _card_tap(row: Sequence[str], place: int) -> Tap:
    """A card of the row, by its place from 0."""
    return Tap(str(place + 1), joined(" ", (f"{place + 1}.", named(row[place]))), icon=f"card-{row[place]}")


def _fakirs_tap(option: ActTribe) -> Tap:
    number = option.choice.fakirs
    return Tap(str(number), counted(number, "fakir"), icon="card-fakir")


def _djinn_tap(name: str) -> Tap:
    return Tap(name, named(name), icon="djinns")


def _drawn_tap(wanted: str, name: str) -> Tap:
    """What was drawn: a "card", a "djinn" or a "meeple", by its name."""
    if wanted == "djinn":
        return _djinn_tap(name)
    if wanted == "card":
        return Tap(name, capitalised(term(name)), icon=f"card-{name}")
    return Tap(name, capitalised(term(name)), tribes=(Tribe[name.upper()],))


def _victim_tap(option: ActTribe) -> Tap:
    """Where the first meeple was killed: on a tile, in front of a player, or nowhere."""
    victim = option.choice.victim
    if victim is None:
        return Tap("nobody", say("Nobody"))
    if victim.square is not None:
        return _tile_tap(victim.square)
    owner = str(victim.owner)
    return Tap(owner, say("in front of {owner}", owner=term(owner)), icon=f"camel-{owner}")


def _number_killed_tap(option: ActTribe) -> Tap:
    """Whether one was killed, or two with a power and what was paid for it (rules 11.10)."""
    helper = option.choice.helper
    if helper is None:
        return Tap("one", say("One meeple"))
    words = say("Two, with {djinn} for {cost}", djinn=named(helper.djinn), cost=in_words(helper.elders, helper.fakirs))
    return Tap(_price(helper), words, icon="djinns")


def _djinn_taken_tap(option: ActTile) -> Tap:
    name = option.choice.djinn
    return Tap("nothing", say("No djinn was taken")) if name is None else _djinn_tap(name)


def _djinn_price_tap(option: ActTile) -> Tap:
    """What was paid for a djinn (rules 6.5)."""
    return _paid_tap(Paid("", 1, 1) if option.choice.with_fakir else Paid("", 2, 0))


def _paid_tap(paid: Paid | None) -> Tap:
    return Tap("", "") if paid is None else Tap(_price(paid), in_words(paid.elders, paid.fakirs))


def _price(paid: Paid) -> str:
    """Elders and fakirs as letters: "wf"."""
    return "w" * paid.elders + "f" * paid.fakirs
