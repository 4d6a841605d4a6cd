"""The boards to which one turn leads, as far as a photo makes them likely: sowing, kills, claims and powers.

What leaves no trace on the board (cards, coins, djinns taken, sales) is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from heapq import nlargest
from math import comb, inf, log, prod

from companion.rules.engine.counting import Meeples, selections
from companion.rules.engine.djinns import CLAIMS, EVERY_DJINN, Power
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.powers import MEEPLES_REVIVED
from companion.rules.engine.sow_search import MAX_BOARDS, Lift, SownBoard, best_sowings
from companion.rules.engine.turn import supposed
from companion.rules.model.actions import LEAVE_IT, Action, ActTile, ActTribe, Paid, Sow, UsePower
from companion.rules.model.board import Tile, with_meeples
from companion.rules.model.chance import NOTHING_DRAWN, UNSEEN, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import FAKIR, TileAction, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from companion.tracking.turn_evidence import (
    FORGOTTEN_NATS,
    WRONG_MEEPLE_NATS,
    SharedScores,
    SownScores,
    TurnEvidence,
    one_off,
)
from companion.tracking.visible import BoardAfter, VisibleTurn

CUT_NATS = 18.0
"""A board that's less likely than the best by this much isn't looked at."""

IN_FRONT_NATS = log(0.3)
FAKIRS_NATS = -2.0
ELSEWHERE_NATS = -2.0
BOUGHT_NATS = -2.0
"""What speaks against a kill in front of a player, fakirs that reach farther, a palm or palace on a tile that isn't the
mover's own, and a fakir bought for a power."""

USED_NATS = log(9)
"""What speaks for these powers where they can be paid for: in 40 games of bots they were used 76 times of 80. The photo
still has the last word: by this alone no turn is sure."""

_USED_OFTEN = (*CLAIMS, Power.BUILD_PALACE)
"""Others are as likely used as not."""

MAX_REVIVED = 6
"""How many hands drawn from the bag are tried on a tile, the likeliest."""

ENGINE_STEPS = 60
"""What an action by the rules counts for in the steps of a search: as long as that takes."""


def boards_after(
    state: GameState,
    shared: SharedScores,
    *,
    cut: float = CUT_NATS,
    floor: float = -inf,
    suspect: bool = False,
    most: int = MAX_BOARDS,
) -> list[BoardAfter]:
    """The boards to which the mover's turn may have led, likeliest first, within `cut` nats of it and over `floor`.

    A palm or palace may have been forgotten. With `suspect` the board before may have been a meeple wrong where the
    sowing begins or ends. `most` sowings are followed up, the best. `state` is at the beginning of a turn.
    """
    begun = supposed(state)
    return _Search(begun, TurnEvidence(begun, shared, suspect=suspect), cut, floor, most).run()


def hands_drawn(state: GameState) -> dict[Meeples, float]:
    """The hands of three, or as many as there are, that may come from the bag (rules 11), and what speaks for each."""
    # A meeple supposed to have been overlooked may be one more than there are.
    bag = [max(left, 0) for left in MutableGame.of(state).bag]
    number = min(MEEPLES_REVIVED, sum(bag))
    ways = {hand: prod(map(comb, bag, hand)) for hand in selections((number,) * len(Tribe), number)}
    return {hand: log(way / comb(sum(bag), number)) for hand, way in ways.items() if way}


class _Search:
    """The search for the boards after a turn."""

    def __init__(self, state: GameState, evidence: TurnEvidence, cut: float, floor: float, most: int) -> None:
        self.state, self.evidence, self.cut, self.threshold, self.most = state, evidence, cut, floor, most
        self.boards: dict[tuple[object, ...], BoardAfter] = {}

    def run(self) -> list[BoardAfter]:
        """What a sowing leads to, at once or after powers, likeliest first."""
        self._sowings(self.state, (), 0.0)
        for use, drawn, state, prior in self._uses(self.state, self.evidence.powers):
            self._sowings(state, ((use, drawn),), prior)
        likely = [one for one in self.boards.values() if one.nats >= self.threshold]
        return sorted(likely, key=lambda one: -one.nats)

    def _sowings(self, state: GameState, first: tuple[tuple[UsePower, Drawn], ...], prior: float) -> None:
        board = state.position.board
        left = self.evidence.powers - set(state.progress.used)
        lifts = self._lifts(state, left)
        later = [more + sum(self.evidence.power_gains[name] for name in left) for more in self.evidence.later]
        sown = best_sowings(
            board,
            SownScores(self.evidence, state, later),
            lifts=[Lift(*lift, speaks) for lift, (speaks, _) in lifts.items()],
            later=later,
            overlooked=WRONG_MEEPLE_NATS if self.evidence.suspect else -inf,
            cut=self.cut,
            floor=self.threshold - prior,
            most=self.most,
        )
        for one in sown:
            speaks, use = lifts[one.start, one.hand]
            if use is None:
                start = _with_tile(state, one.start, with_meeples(board[one.start], one.hand))
                known, uses = board, first
            else:
                drawn = _drawn(one.hand)
                start = step(state, use, ScriptedChance(drawn)).state
                known, uses = start.position.board, (*first, (use, drawn))
            self.evidence.shared.steps_left -= ENGINE_STEPS
            for corrected, penalty in self._corrected_ends(start, one):
                tiles = enumerate(zip(corrected.position.board, known, strict=True))
                corrections = {square: tile for square, (tile, was) in tiles if tile != was}
                turn = VisibleTurn(self.evidence.mover, one.sowing, first=uses, corrections=corrections)
                extra = prior + penalty + speaks
                sowed = step(corrected, Sow(one.sowing), UNSEEN).state
                # The score has the end as it's likeliest, corrections included.
                self._tribe(turn, sowed, one.score + prior, extra)

    def _lifts(
        self, state: GameState, powers: Collection[str]
    ) -> dict[tuple[int, Meeples], tuple[float, UsePower | None]]:
        """The hands that may be lifted, by tile, with what speaks for each, and what brought it from the bag."""
        lifts: dict[tuple[int, Meeples], tuple[float, UsePower | None]] = {}
        for square, tile in enumerate(state.position.board):
            others = self.evidence.overlooked(tile.meeples) if self.evidence.suspect else ()
            lifts |= {(square, hand): (WRONG_MEEPLE_NATS, None) for hand in others}
            lifts[square, tile.meeples] = 0.0, None
        names = {name for name in powers if EVERY_DJINN[name].power is Power.REVIVE}
        options = legal_actions(state) if names else []
        uses = {one.square: one for one in options if isinstance(one, UsePower) and one.paid.djinn in names}
        for hand, speaks in hands_drawn(state).items() if uses else ():
            lifts |= {(at, hand): (speaks - log(len(uses)), use) for at, use in uses.items() if at is not None}
        return {lift: about for lift, about in lifts.items() if any(lift[1])}

    def _corrected_ends(self, state: GameState, one: SownBoard) -> list[tuple[GameState, float]]:
        """The state, and where that is allowed, those in which the end tile had a meeple more or fewer."""
        tile = state.position.board[one.end]
        left = dict(one.dropped)[one.end]
        if one.end == one.start:
            # Nothing stood there once the hand was lifted.
            return [(state, 0.0)] if left[one.tribe] > 1 else []
        if tile.meeples[one.tribe] + left[one.tribe] < 2 and not self.evidence.bag[one.tribe]:
            return []
        if tile.meeples[one.tribe] + left[one.tribe] < 2:
            # It held one more of the tribe than was known (rules 4.5).
            more = tuple(number + (tribe is one.tribe) for tribe, number in zip(Tribe, tile.meeples, strict=True))
            return [(_with_tile(state, one.end, with_meeples(tile, more)), WRONG_MEEPLE_NATS)]
        states = [(state, 0.0)]
        if self.evidence.suspect:
            for meeples in self.evidence.overlooked(tile.meeples):
                # What is wrong of the tribe that is taken isn't seen.
                if meeples[one.tribe] == tile.meeples[one.tribe]:
                    states.append((_with_tile(state, one.end, with_meeples(tile, meeples)), WRONG_MEEPLE_NATS))
        return states

    # The rest of the turn: whom assassins kill, where a palm or palace goes, and powers.

    def _tribe(self, turn: VisibleTurn, state: GameState, nats: float, prior: float) -> None:
        options: dict[tuple[Victim, ...] | None, ActTribe] = {}
        for option in legal_actions(state):
            if isinstance(option, ActTribe):
                kills = tuple(victim for victim in option.choice.victims if victim.square is not None)
                # In front of somebody, or nobody: the board doesn't show it.
                key = kills or None
                if key not in options or option.choice.fakirs < options[key].choice.fakirs:
                    options[key] = option
        on_tiles = sum(key is not None for key in options)
        for key, option in options.items():
            more, speaks = 0.0, 0.0
            if key is not None:
                more = -log(on_tiles) + (FAKIRS_NATS if option.choice.fakirs else 0.0)
                speaks = self.evidence.killed_gain(state, key)
            elif on_tiles:
                more = IN_FRONT_NATS
            if nats + more + speaks + self.evidence.powers_may_add(state) < self.threshold:
                continue
            after = self._step(state, option)
            if after is not None:
                self._tile(replace(turn, kills=key or ()), after, nats + more + speaks, prior + more)

    def _tile(self, turn: VisibleTurn, state: GameState, nats: float, prior: float) -> None:
        options: dict[tuple[int | None, str | None, bool], ActTile] = {}
        for option in legal_actions(state):
            if isinstance(option, ActTile):
                djinn = option.choice.djinn if option.choice.djinn in self.evidence.takeable else None
                # What it's bought with decides whether its power can be paid for too.
                with_fakir = djinn is not None and option.choice.with_fakir
                options.setdefault((option.choice.onto, djinn, with_fakir), option)
        claims = {name for name in self.evidence.powers if EVERY_DJINN[name].power in CLAIMS} - set(state.progress.used)
        if claims and state.position.board[turn.sowing.end].kind.action in (TileAction.OASIS, TileAction.VILLAGE):
            # Once a palm stands there, the end tile can't be claimed by it any more (rules 11).
            for use, drawn, claimed, more in self._uses(state, claims):
                if use.square == turn.sowing.end:
                    self._tile(replace(turn, then=((use, drawn),)), claimed, nats + more, prior + more)
        for (onto, djinn, _), option in options.items():
            after = self._step(state, option)
            if after is not None and djinn is not None:
                self._closed(replace(turn, djinn=djinn), after, prior, only={djinn})
            elif after is not None:
                more = -log(len(options) - 1) if onto is not None else 0.0
                self._closed(replace(turn, onto=onto), after, prior + more)
                if option.choice == LEAVE_IT:
                    self._bought(turn, state, self._unpaid(after), prior)

    def _unpaid(self, state: GameState) -> set[str]:
        """The powers that are left and can't be paid for."""
        paid = {option.paid.djinn for option in legal_actions(state) if isinstance(option, UsePower)}
        return self.evidence.powers - set(state.progress.used) - paid

    def _bought(self, turn: VisibleTurn, state: GameState, unpaid: Collection[str], prior: float) -> None:
        """Note what powers make of the board that fakirs bought at a market pay for (rules 6.3, 6.4, 11)."""
        buys: dict[int, ActTile] = {}
        for option in legal_actions(state) if unpaid else ():
            if isinstance(option, ActTile) and option.choice.cards:
                bought = sum((state.position.row or ())[place] == FAKIR for place in option.choice.cards)
                buys.setdefault(bought, option)
        for number in sorted(buys.keys() - {0}):
            if (after := self._step(state, buys[number])) is not None:
                still = self._unpaid(after) & {*unpaid}
                self._closed(replace(turn, fakirs_bought=number), after, prior + BOUGHT_NATS, only={*unpaid} - still)
                unpaid = still

    def _closed(self, turn: VisibleTurn, state: GameState, prior: float, only: Collection[str] | None = None) -> None:
        """Note a board, and those that powers make of it; with `only` those that such powers make of it."""
        if only is None:
            nats = self.evidence.total(state.position.board)
            if turn.onto is None:
                # A palm or palace that was forgotten, or that the photo doesn't show, makes no other turn of it.
                nats = max(nats, nats + FORGOTTEN_NATS - self.evidence.built_speaks(turn.sowing.end, state))
            self._add(BoardAfter(turn, state, nats + prior, prior))
        powers = self.evidence.powers - set(state.progress.used) if only is None else only
        for use, drawn, after, more in self._uses(state, powers):
            self._closed(replace(turn, then=(*turn.then, (use, drawn))), after, prior + more)

    def _step(self, state: GameState, action: Action, drawn: Drawn = NOTHING_DRAWN) -> GameState | None:
        """The state after an action; None where something is drawn that no board shows, or time is up."""
        self.evidence.shared.steps_left -= ENGINE_STEPS
        if self.evidence.shared.steps_left < 0:
            return None
        try:
            return step(state, action, UNSEEN if drawn == NOTHING_DRAWN else ScriptedChance(drawn)).state
        except ChanceNeededError:
            return None

    def _add(self, one: BoardAfter) -> None:
        if one.nats < self.threshold:
            return
        self.threshold = max(self.threshold, one.nats - self.cut)
        # One board may be left by turns that end on different tiles, and do different things there.
        key = (one.board, one.turn.sowing.end, one.turn.sowing.tribe, bool(one.turn.corrections))
        if key not in self.boards or one.nats > self.boards[key].nats:
            self.boards[key] = one

    # Powers that show on the board.

    def _uses(self, state: GameState, powers: Collection[str]) -> Iterator[tuple[UsePower, Drawn, GameState, float]]:
        """Uses of powers that change the board and may matter, with the states after and what speaks against them."""
        if not powers:
            return
        uses: dict[tuple[str, int | None, int | None, Paid | None], UsePower] = {}
        # What one is paid with decides whether another can be paid for too.
        several = len((self.evidence.powers | {*powers}) - set(state.progress.used)) > 1
        for option in legal_actions(state):
            if isinstance(option, UsePower) and option.paid.djinn in powers:
                paid = option.paid if several else None
                uses.setdefault((option.paid.djinn, option.square, option.onto, paid), option)
        targets = {key[:3] for key in uses}
        total = self.evidence.total(state.position.board)
        for (djinn, square, *_), use in uses.items():
            speaks = USED_NATS if djinn in self.evidence.powers and EVERY_DJINN[djinn].power in _USED_OFTEN else 0.0
            more = speaks - log(sum(target[0] == djinn for target in targets))
            if EVERY_DJINN[djinn].power in (Power.BUILD_PALACE, Power.BUILD_PALM):
                own = [one for one in targets if one[0] == djinn and self.evidence.is_own(state, one[1])]
                more = speaks - log(len(own)) if self.evidence.is_own(state, square) else more + ELSEWHERE_NATS
            if EVERY_DJINN[djinn].power is Power.REVIVE:
                for drawn, hand_nats in self._draws(state, square, more):
                    if (after := self._step(state, use, drawn)) is not None:
                        yield use, drawn, after, more + hand_nats
            # What it makes less likely, nothing that follows makes up for in full.
            elif (after := self._step(state, use)) is not None and (
                self.evidence.total(after.position.board) - total + more > -CUT_NATS / 2
            ):
                yield use, NOTHING_DRAWN, after, more

    def _draws(self, state: GameState, square: int | None, prior: float) -> Iterator[tuple[Drawn, float]]:
        """The likeliest hands from the bag for an empty tile, with what speaks for each beside the photo."""
        assert square is not None, "meeples come onto a tile"
        tile = state.position.board[square]

        def speaks(hand: Meeples) -> float:
            nats = self.evidence.gain(square, with_meeples(tile, hand))
            if state.stage is Stage.MOVE:
                # The sowing may leave one more there, or end there; one may be killed.
                ends = [(*hand[:tribe], 0, *hand[tribe + 1 :]) for tribe in Tribe if hand[tribe]]
                nats = max(nats, *(self.evidence.gain(square, with_meeples(tile, other)) for other in one_off(hand)))
                nats = max(nats, *(self.evidence.end_gain(state, square, left) for left in ends))
            return nats

        hands = hands_drawn(state)
        likely = {hand: nats for hand in hands if (nats := speaks(hand)) + prior + hands[hand] > -CUT_NATS / 2}
        for hand in nlargest(MAX_REVIVED, likely, key=likely.__getitem__):
            yield _drawn(hand), hands[hand]


def _drawn(hand: Meeples) -> Drawn:
    return Drawn(meeples=tuple(tribe for tribe in Tribe for _ in range(hand[tribe])))


def _with_tile(state: GameState, square: int, tile: Tile) -> GameState:
    board = (*state.position.board[:square], tile, *state.position.board[square + 1 :])
    return replace(state, position=state.position.with_board(board))
