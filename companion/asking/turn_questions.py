"""The questions about a turn that was played on the table, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from companion.asking.question import Asking, Conversation, Interview, Tap, ask
from companion.asking.taps import (
    SOLD,
    About,
    card_tap,
    djinn_price_tap,
    djinn_taken_tap,
    djinn_tap,
    drawn_question,
    fakirs_tap,
    number_killed_tap,
    order_tap,
    paid_tap,
    tap_question,
    tile_tap,
    tribe_of,
    tribe_tap,
    victim_tap,
)
from companion.language.phrase import Phrase, named, say, term
from companion.rules.engine.djinns import CLAIMS, EVERY_DJINN
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.sowing import lifted, order_options, path_options, standing_on
from companion.rules.engine.turn import supposed
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    KeepDjinn,
    Lift,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import GOODS, TileAction, Tribe
from companion.rules.model.state import GameState, Hand, Stage

MAX_ORDERS = 6
"""Up to this many orders of the meeples left are offered whole; of more, one meeple after another is asked for."""

MAX_LEAP = 4
"""A tap on the tile where they end tells up to this many steps, if no other way leads there."""

_PAID_HOW = say("What was paid for it?")

A = TypeVar("A", bound=Action)


class _PowerTappedError(Exception):
    """A djinn was tapped in place of an answer."""

    def __init__(self, uses: list[UsePower]) -> None:
        super().__init__(uses)
        self.uses = uses


class TurnQuestions:
    """A turn told by taps: the answers to what the `interview` asks are tokens, and the fields hold the turn so far."""

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
        self.interview = Interview(Conversation(None, lambda _: self._turn(), ""))

    def _turn(self) -> Asking[None]:
        """Ask for the whole turn; over once nothing can be added to it."""
        while True:
            options = legal_actions(supposed(self.state))
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
    ) -> Asking[str]:
        """One question. Powers are offered beside the first of a stage."""
        uses, self._uses = self._uses, {}
        powers = tuple(Tap(token, named(options[0].paid.djinn), icon="djinns") for token, options in uses.items())
        token = yield from ask(tap_question(about, words, taps, powers, several=several))
        if token in uses:
            raise _PowerTappedError(uses[token])
        return token

    def _pick(self, words: Phrase, taps: Iterable[Tap], about: About = About.OTHER) -> Asking[str]:
        """One question, unless it has one answer only."""
        offered = tuple(taps)
        return offered[0].token if len(offered) == 1 else (yield from self._ask(words, offered, about))

    def _one_of(
        self, options: Sequence[A], words: Phrase, tap_of: Callable[[A], Tap], about: About = About.OTHER
    ) -> Asking[list[A]]:
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
    ) -> Asking[list[A]]:
        """The options whose members were tapped in any order, asked where they differ; `further` once one is picked."""
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

    def _before_going_on(self) -> Asking[None]:
        """Ask where nothing else is asked, but a power could have been used, or could be only now."""
        if self._uses and (self._stops or self._claims_end()):
            yield from self._ask(say("Was a djinn used at this point?"), (Tap("on", say("No, carry on")),), About.POWER)

    def _claims_end(self) -> bool:
        """Whether a power may claim the end tile, which no palm or palace must stand on (rules 11)."""
        taken = self.state.progress.taken
        claims = [use for uses in self._uses.values() for use in uses if EVERY_DJINN[use.paid.djinn].power in CLAIMS]
        builds = self.state.stage is Stage.TILE
        return builds and taken is not None and any(use.square == taken.end for use in claims)

    def _do(self, action: Action) -> Asking[None]:
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

    def _drawn(self, needed: ChanceNeededError, drawn: Drawn) -> Asking[Drawn]:
        self._uses = {}
        asked = drawn_question(needed)
        token = asked.taps[0].token if len(asked.taps) == 1 else (yield from ask(asked))
        if needed.wanted == "card":
            return replace(drawn, cards=(*drawn.cards, None if token == "?" else token))
        if needed.wanted == "djinn":
            return replace(drawn, djinns=(*drawn.djinns, token))
        return replace(drawn, meeples=(*drawn.meeples, tribe_of(token)))

    # Moving meeples.

    def _move(self, options: Sequence[Action]) -> Asking[None]:
        lifts = [option for option in options if isinstance(option, Lift)]
        taps = [tile_tap(option.square) for option in lifts]
        self.start, self.path, self.drops = None, [], ()
        token = yield from self._ask(say("Which tile were the meeples taken from?"), taps, About.START)
        square = SQUARE_NAMES.index(token)
        self.start = square
        meeples = self.state.position.board[square].meeples
        sown = yield from self._sown(Hand(square, (), (), meeples))
        yield from self._do(Sow(sown))

    def _go_on(self, _: Sequence[Action]) -> Asking[None]:
        """Go on with a hand that was already on its way."""
        hand = self.state.progress.hand
        assert hand is not None
        self.start = hand.start
        sown = yield from self._sown(hand)
        for square, tribe in zip(sown.path, sown.drops, strict=True):
            yield from self._do(Drop(square, tribe))

    def _sown(self, hand: Hand) -> Asking[Sowing]:
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
            token = yield from self._pick(words, map(tile_tap, ways), About.STEP)
            way = ways[SQUARE_NAMES.index(token)]
            path.extend(way)
            walked.extend(way)
        drops = yield from self._left_along(path, hand.left, standing)
        self.hand = ()
        return Sowing(hand.start, tuple(path), drops)

    def _left_along(self, path: Sequence[int], hand: Sequence[int], standing: list[int]) -> Asking[tuple[Tribe, ...]]:
        self.drops = ()
        while True:
            orders = list(islice(_orders(path, self.drops, hand, standing), MAX_ORDERS + 1))
            known = len(self.drops)
            if len(orders) <= MAX_ORDERS:
                taps = [order_tap(path[known:], order[known:]) for order in orders]
                token = yield from self._pick(say("Which meeple was left where?"), taps, About.ORDER)
                self.drops = (*self.drops, *map(tribe_of, token))
                return self.drops
            tile = SQUARE_NAMES[path[known]]
            words = say("Which meeple was left on {tile}, step {number}?", tile=tile, number=known + 1)
            tribes = order_options(path, self.drops, hand, standing)
            token = yield from self._pick(words, map(tribe_tap, tribes), About.ORDER)
            self.drops = (*self.drops, tribe_of(token))

    # What the meeples and the tile do.

    def _tribe(self, options: Sequence[Action]) -> Asking[None]:
        left = [option for option in options if isinstance(option, ActTribe)]
        taken = self.state.progress.taken
        if taken is not None and taken.tribe is Tribe.ASSASSIN:
            where = say("Who was killed? Tap the tile, or the player")
            left = yield from self._one_of(left, where, victim_tap, About.VICTIM_PLACE)
            left = yield from self._one_of(left, say("How many were killed?"), number_killed_tap, About.VICTIMS)
            left = yield from self._all_of(
                left,
                say("Who was killed?"),
                say("Who else was killed?"),
                lambda option: [victim.tribe for victim in option.choice.victims],
                say("Nobody"),
                lambda option, place: tribe_tap(option.choice.victims[place].tribe),
                About.VICTIMS,
            )
        left = yield from self._one_of(left, say("How many fakirs were discarded for it?"), fakirs_tap, About.FAKIRS)
        yield from self._before_going_on()
        yield from self._do(left[0])

    def _tile(self, options: Sequence[Action]) -> Asking[None]:
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
                lambda option, place: card_tap(row, option.choice.cards[place]),
                About.BOUGHT,
            )
        elif kind is TileAction.SACRED_PLACE:
            left = yield from self._one_of(left, say("Which djinn was taken?"), djinn_taken_tap, About.DJINN)
            left = yield from self._one_of(left, _PAID_HOW, djinn_price_tap)
        else:
            words = say("Where was the palm put?") if kind is TileAction.OASIS else say("Where was the palace put?")
            end = taken.end
            left = yield from self._one_of(
                left, words, lambda option: tile_tap(option.choice.onto, end), About.BUILT_ON
            )
            left = yield from self._one_of(left, _PAID_HOW, lambda option: paid_tap(option.choice.helper))
        yield from self._before_going_on()
        yield from self._do(left[0])

    def _keep(self, options: Sequence[Action]) -> Asking[None]:
        keeps = [option for option in options if isinstance(option, KeepDjinn)]
        left = yield from self._one_of(keeps, say("Which djinn was kept?"), lambda option: djinn_tap(option.djinn))
        yield from self._do(left[0])

    def _use(self, uses: Sequence[UsePower]) -> Asking[None]:
        left: list[UsePower] = list(uses)
        where = say("Which tile was {djinn} used on?", djinn=named(uses[0].paid.djinn))
        if left[0].square is not None:
            left = yield from self._one_of(left, where, lambda option: tile_tap(option.square), About.POWER_TILE)
            put = say("Where was it put?")
            onto = lambda option: tile_tap(option.onto, option.square or 0)  # noqa: E731
            left = yield from self._one_of(left, put, onto, About.POWER_BUILT_ON)
        left = yield from self._one_of(left, _PAID_HOW, lambda option: paid_tap(option.paid))
        left = yield from self._one_of(left, _PAID_HOW, lambda option: paid_tap(option.helper))
        yield from self._do(left[0])

    def _close(self, options: Sequence[Action]) -> Asking[None]:
        sales = {option.goods for option in options if isinstance(option, Sell)}
        taps = [Tap("sell", say("Goods were sold"), icon="goods")] if sales else []
        yield from self._ask(say("Was that all?"), taps, About.CLOSE)
        held = [good for good in GOODS if (good,) in sales]
        sold: list[str] = []
        while True:
            rest = [Tap(good, term(good), icon=f"card-{good}") for good in held if good not in sold]
            ends = [Tap(SOLD, say("Sold"))] if sold else []
            words = say("Which goods were sold as one set?")
            token = yield from self._ask(words, [*rest, *ends], About.SOLD, several=True)
            if token == SOLD:
                break
            sold.append(token)
        yield from self._do(Sell(tuple(sorted(sold, key=GOODS.index))))


_STAGES: dict[Stage, Callable[[TurnQuestions, Sequence[Action]], Asking[None]]] = {
    Stage.MOVE: TurnQuestions._move,
    Stage.SOW: TurnQuestions._go_on,
    Stage.TRIBE: TurnQuestions._tribe,
    Stage.TILE: TurnQuestions._tile,
    Stage.KEEP: TurnQuestions._keep,
}


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
