"""The boards to which one turn leads, as far as a photo makes them likely: sowing, kills, claims and powers.

What leaves no trace on the board (cards, coins, djinns taken, sales) is left open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from math import comb, inf, log, prod

from companion.rules.engine.counting import Meeples, selections
from companion.rules.engine.djinns import CLAIMS, EVERY_DJINN, Power
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.powers import MEEPLES_REVIVED
from companion.rules.engine.sow_search import MAX_FOUND, Lift, SownBoard, best_sowings, most_of, piles
from companion.rules.engine.turn import supposed
from companion.rules.model.actions import Action, ActTile, ActTribe, Sow, UsePower
from companion.rules.model.board import NO_MEEPLES, Board, Tile, palaces_on, palms_on, with_meeples
from companion.rules.model.chance import NOTHING_DRAWN, UNSEEN, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import PALACES, PALMS, TileAction, Tribe, camels_in_box
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from companion.tracking.visible import BoardAfter, Likelihood, VisibleTurn

CUT_NATS = 18.0
"""So much less likely than the best board, one isn't looked at."""

IN_FRONT_NATS = log(0.3)
POWER_NATS = 0.0
FAKIRS_NATS = -2.0
ELSEWHERE_NATS = -2.0
"""What speaks against a kill in front of a player, fakirs that reach farther, and a palm or palace on a tile that isn't
the mover's own; a power is as likely used as not."""

WRONG_MEEPLE_NATS, FORGOTTEN_NATS = -7.0, -5.0
"""What speaks against a board before the turn that was a meeple wrong on the tile, or a turn without its palm."""

KILL_NATS = 12.0
"""A meeple fewer makes no tile likelier by more than this."""

POWER_SLACK_NATS = 3.0
"""A power adds no more than it would have before the sowing, and this."""

MAX_REVIVED = 6
"""So many hands drawn from the bag are tried on a tile, the likeliest."""

MOST_STEPS, ENGINE_STEPS = 150_000, 60
"""So many steps the search for one turn may take, and what an action by the rules counts for: as long as that takes."""

_ON_BOARD = (*CLAIMS, Power.BUILD_PALACE, Power.BUILD_PALM, Power.REVIVE)


def boards_after(
    state: GameState,
    shared: SharedScores,
    *,
    cut: float = CUT_NATS,
    floor: float = -inf,
    suspect: bool = False,
    most: int = MAX_FOUND,
) -> list[BoardAfter]:
    """The boards to which the mover's turn may have led, likeliest first, within `cut` nats of it and over `floor`.

    A palm or palace may have been forgotten. With `suspect` the board before may have been a meeple wrong where the
    sowing begins or ends. `most` sowings are followed up, the best. `state` is at the beginning of a turn.
    """
    turn = _Turn(supposed(state), shared, cut, floor, suspect, most)
    turn.search()
    return turn.ranked()


def hands_drawn(state: GameState) -> dict[Meeples, float]:
    """The hands of three, or as many as there are, that may come from the bag (rules 11), and what speaks for each."""
    # A meeple supposed to have been overlooked may be one more than there are.
    bag = [max(left, 0) for left in MutableGame.of(state).bag]
    number = min(MEEPLES_REVIVED, sum(bag))
    ways = {hand: prod(map(comb, bag, hand)) for hand in selections((number,) * len(Tribe), number)}
    return {hand: log(way / comb(sum(bag), number)) for hand, way in ways.items() if way}


class SharedScores:
    """What was found out about tiles, whatever the board around them: shared by the searches of one photo.

    All together take no more than so many `steps`: of walks, and of the rest of turns.
    """

    def __init__(self, likelihood: Likelihood, steps: int = MOST_STEPS) -> None:
        self.likelihood, self.steps_left = likelihood, steps
        self._most: dict[tuple[object, ...], float] = {}

    def most(self, key: tuple[object, ...], compute: Callable[[], float]) -> float:
        """The value by this key, computed once."""
        value = self._most.get(key)
        if value is None:
            value = self._most[key] = compute()
        return value


class _Scores:
    """`TileScores` of a photo over the board of a turn's beginning."""

    def __init__(self, turn: _Turn, state: GameState, later: Sequence[float]) -> None:
        self._turn, self._state, self._board, self._later = turn, state, state.position.board, later
        self._passed: dict[tuple[int, tuple[int, ...]], float] = {}
        self._ended: dict[tuple[int, tuple[int, ...]], float] = {}
        board = self._board
        supply = (palms_on(board) < PALMS, palaces_on(board) < PALACES, turn.camels(state) > 0)
        self._end_key = (turn.mover, turn.suspect, supply, *later)

    def passed(self, square: int, meeples: tuple[int, ...]) -> float:
        """See `TileScores.passed`."""
        key = (square, meeples)
        value = self._passed.get(key)
        if value is None:
            value = self._passed[key] = self._turn.gain(square, with_meeples(self._board[square], meeples))
        return value

    def ended(self, square: int, meeples: tuple[int, ...]) -> float:
        """See `TileScores.ended`."""
        key = (square, meeples)
        value = self._ended.get(key)
        if value is None:
            value = self._ended[key] = self._turn.end_gain(self._state, square, meeples)
        return value

    def goes_on(self) -> bool:
        """See `TileScores.goes_on`."""
        self._turn.shared.steps_left -= 1
        return self._turn.shared.steps_left > 0

    def limit(self, square: int) -> float:
        """See `TileScores.limit`."""
        return self._turn.limits[square]

    def most(self, square: int, held: tuple[int, ...], tribes: tuple[bool, ...], times: int, *, ends: bool) -> float:
        """See `TileScores.most`."""
        tile = self._board[square]
        key = (square, held, tile.camel, tile.palms, tile.palaces, tribes, times, self._end_key if ends else None)
        base = self._turn.base[square]
        later, overlooked = self._later if ends else None, WRONG_MEEPLE_NATS if self._turn.suspect else -inf

        def compute() -> float:
            return base + most_of(self, square, held, piles(tribes, times), later, overlooked)

        return self._turn.shared.most(key, compute) - base


class _Turn:
    """The search for the boards after a turn."""

    def __init__(
        self, state: GameState, shared: SharedScores, cut: float, floor: float, suspect: bool, most: int
    ) -> None:
        self.state, self.shared = state, shared
        likelihood = self.likelihood = shared.likelihood
        self.cut, self.threshold, self.suspect, self.most = cut, floor, suspect, most
        self.before = state.position.board
        self.base = [likelihood(square, tile) for square, tile in enumerate(self.before)]
        self.limits = [max(likelihood.best(square) - base, 0.0) for square, base in enumerate(self.base)]
        self.found: dict[tuple[object, ...], BoardAfter] = {}
        self.bag = MutableGame.of(state).bag
        mover = state.position.to_move
        assert mover is not None, "a turn is somebody's"
        self.mover = mover
        djinns = [EVERY_DJINN[name] for name in state.position.player(mover).djinns or ()]
        used = state.progress.used
        self.powers = {djinn.name for djinn in djinns if djinn.power in _ON_BOARD and djinn.name not in used}
        # A djinn that is taken may be used at once (rules 6.5, 11).
        self.takeable = {name for name in state.position.djinns or () if EVERY_DJINN[name].power in _ON_BOARD}
        self.diverts = {djinn.diverts for djinn in djinns if djinn.diverts is not None and djinn.name not in used}
        self.power_gains = {name: self._power_gain(EVERY_DJINN[name].power) for name in self.powers | self.takeable}
        kills = max((djinn.kills for djinn in djinns), default=1)
        self.later = [KILL_NATS * kills if tribe is Tribe.ASSASSIN else 0.0 for tribe in Tribe]

    def _overlooked(self, meeples: Meeples) -> Iterator[Meeples]:
        """What may have lain there in place of these; one more of a tribe, if not all are in sight (rules 1.2)."""
        pairs = ((other, zip(other, meeples, self.bag, strict=True)) for other in one_off(meeples))
        return (other for other, tribes in pairs if all(more <= known or bag for more, known, bag in tribes))

    def ranked(self) -> list[BoardAfter]:
        """What was found, likeliest first."""
        kept = [one for one in self.found.values() if one.nats >= self.threshold]
        return sorted(kept, key=lambda one: -one.nats)

    def gain(self, square: int, tile: Tile) -> float:
        """What speaks for a tile over what it was, in nats."""
        return self.likelihood(square, tile) - self.base[square]

    def total(self, board: Board) -> float:
        """What speaks for a board over the one before."""
        return sum(
            self.gain(square, tile)
            for square, (tile, was) in enumerate(zip(board, self.before, strict=True))
            if tile is not was and tile != was
        )

    def search(self) -> None:
        """Find what a sowing leads to, and then what powers that are used before it do."""
        self._sowings(self.state, (), 0.0)
        for use, drawn, state, prior in self._uses(self.state, self.powers):
            self._sowings(state, ((use, drawn),), prior)

    def _sowings(self, state: GameState, first: tuple[tuple[UsePower, Drawn], ...], prior: float) -> None:
        board = state.position.board
        left = self.powers - set(state.progress.used)
        lifts = self._lifts(state, left)
        later = [more + sum(self.power_gains[name] for name in left) for more in self.later]
        sown = best_sowings(
            board,
            _Scores(self, state, later),
            lifts=[Lift(*lift, speaks) for lift, (speaks, _) in lifts.items()],
            later=later,
            overlooked=WRONG_MEEPLE_NATS if self.suspect else -inf,
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
            self.shared.steps_left -= ENGINE_STEPS
            for corrected, penalty in self._corrected_ends(start, one):
                tiles = enumerate(zip(corrected.position.board, known, strict=True))
                corrections = {square: tile for square, (tile, was) in tiles if tile != was}
                turn = VisibleTurn(self.mover, one.sowing, first=uses, corrections=corrections)
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
            others = self._overlooked(tile.meeples) if self.suspect else ()
            lifts |= {(square, hand): (WRONG_MEEPLE_NATS, None) for hand in others}
            lifts[square, tile.meeples] = 0.0, None
        names = {name for name in powers if EVERY_DJINN[name].power is Power.REVIVE}
        options = legal_actions(state) if names else []
        uses = {one.square: one for one in options if isinstance(one, UsePower) and one.paid.djinn in names}
        for hand, speaks in hands_drawn(state).items() if uses else ():
            lifts |= {(at, hand): (speaks - log(len(uses)), use) for at, use in uses.items() if at is not None}
        return {lift: about for lift, about in lifts.items() if any(lift[1])}

    def end_gain(self, state: GameState, square: int, meeples: tuple[int, ...]) -> float:
        """What speaks for the end tile once its action is done (rules 4.8, 6)."""
        value = self._end_gain(state, square, meeples)
        if self.suspect:
            others = (self._end_gain(state, square, one) for one in one_off(meeples))
            value = max(value, max(others) + WRONG_MEEPLE_NATS)
        return max(value, self._end_gain(state, square, meeples, built=False) + FORGOTTEN_NATS)

    def _end_gain(self, state: GameState, square: int, meeples: tuple[int, ...], *, built: bool = True) -> float:
        """What speaks for the end tile once its action is done (rules 4.8, 6)."""
        board = state.position.board
        tile = with_meeples(board[square], meeples)
        if meeples == NO_MEEPLES and tile.camel is None and self.camels(state) > 0:
            tile = replace(tile, camel=self.mover)
        action = tile.kind.action
        plain = self.gain(square, tile)
        if action is TileAction.OASIS and palms_on(board) < PALMS:
            after = replace(tile, palms=tile.palms + 1)
        elif action is TileAction.VILLAGE and palaces_on(board) < PALACES:
            after = replace(tile, palaces=tile.palaces + 1)
        else:
            sacred = action is TileAction.SACRED_PLACE and self.takeable
            return plain + max(self.power_gains[name] for name in self.takeable) if sacred else plain
        value = self.gain(square, after) if built else plain
        return max(value, plain + max(self.limits)) if action in self.diverts else value

    def camels(self, state: GameState) -> int:
        """Camels that the mover has left."""
        placed = sum(tile.camel is self.mover for tile in state.position.board)
        return camels_in_box(self.mover, len(state.position.players)) - placed

    def _corrected_ends(self, state: GameState, one: SownBoard) -> list[tuple[GameState, float]]:
        """The state, and where that is allowed, those in which the end tile had a meeple more or fewer."""
        tile = state.position.board[one.end]
        left = dict(one.dropped)[one.end]
        if one.end == one.start:
            # Nothing stood there once the hand was lifted.
            return [(state, 0.0)] if left[one.tribe] > 1 else []
        if tile.meeples[one.tribe] + left[one.tribe] < 2 and not self.bag[one.tribe]:
            return []
        if tile.meeples[one.tribe] + left[one.tribe] < 2:
            # It held one more of the tribe than was known (rules 4.5).
            more = tuple(number + (tribe is one.tribe) for tribe, number in zip(Tribe, tile.meeples, strict=True))
            return [(_with_tile(state, one.end, with_meeples(tile, more)), WRONG_MEEPLE_NATS)]
        states = [(state, 0.0)]
        if self.suspect:
            for meeples in self._overlooked(tile.meeples):
                # What is wrong of the tribe that is taken isn't seen.
                if meeples[one.tribe] == tile.meeples[one.tribe]:
                    states.append((_with_tile(state, one.end, with_meeples(tile, meeples)), WRONG_MEEPLE_NATS))
        return states

    # The rest of the turn: whom assassins kill, where a palm or palace goes, and powers.

    def _tribe(self, turn: VisibleTurn, state: GameState, nats: float, prior: float) -> None:
        options: dict[tuple[Victim, ...] | None, ActTribe] = {}
        board = state.position.board
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
                more += POWER_NATS if option.choice.helper is not None else 0.0
                speaks = self._killed_gain(state, board, key)
            elif on_tiles:
                more = IN_FRONT_NATS
            if nats + more + speaks + self._powers_may_add(state) < self.threshold:
                continue
            after = self._step(state, option)
            if after is not None:
                self._tile(replace(turn, kills=key or ()), after, nats + more + speaks, prior + more)

    def _killed_gain(self, state: GameState, board: Board, kills: Sequence[Victim]) -> float:
        square = kills[0].square
        assert square is not None, "only kills on tiles are looked at"
        meeples = list(board[square].meeples)
        for victim in kills:
            meeples[victim.tribe] -= 1
        tile = with_meeples(board[square], tuple(meeples))
        if not any(meeples) and tile.camel is None and self.camels(state) > 0:
            tile = replace(tile, camel=self.mover)
        return self.likelihood(square, tile) - self.likelihood(square, board[square])

    def _tile(self, turn: VisibleTurn, state: GameState, nats: float, prior: float) -> None:
        options: dict[tuple[int | None, str | None, bool], ActTile] = {}
        for option in legal_actions(state):
            if isinstance(option, ActTile):
                djinn = option.choice.djinn if option.choice.djinn in self.takeable else None
                # What it's bought with decides whether its power can be paid for too.
                with_fakir = djinn is not None and option.choice.with_fakir
                options.setdefault((option.choice.onto, djinn, with_fakir), option)
        claims = {name for name in self.powers if EVERY_DJINN[name].power in CLAIMS} - set(state.progress.used)
        if claims and state.position.board[turn.sowing.end].kind.action in (TileAction.OASIS, TileAction.VILLAGE):
            # Once a palm stands there, the end tile can't be claimed by it any more (rules 11).
            for use, drawn, claimed, more in self._uses(state, claims):
                if use.square == turn.sowing.end:
                    self._tile(replace(turn, then=((use, drawn),)), claimed, nats + more, prior + more)
        for (onto, djinn, _), option in options.items():
            after = self._step(state, option)
            if after is not None and djinn is not None:
                self._closed(replace(turn, djinn=djinn), after, prior, taken=djinn)
            elif after is not None:
                more = POWER_NATS - log(len(options) - 1) if onto is not None else 0.0
                self._closed(replace(turn, onto=onto), after, prior + more)

    def _closed(self, turn: VisibleTurn, state: GameState, prior: float, taken: str | None = None) -> None:
        """Note a board, and those that powers make of it; one `taken` for its power alone is used."""
        if taken is None:
            nats = self.total(state.position.board)
            if turn.onto is None:
                # A palm or palace that was forgotten, or that the photo doesn't show, makes no other turn of it.
                nats = max(nats, nats + FORGOTTEN_NATS - self._built_speaks(turn.sowing.end, state))
            self._add(BoardAfter(turn, state, nats + prior, prior))
        powers = self.powers - set(state.progress.used) if taken is None else {taken}
        for use, drawn, after, more in self._uses(state, powers):
            self._closed(replace(turn, then=(*turn.then, (use, drawn))), after, prior + more)

    def _built_speaks(self, square: int, state: GameState) -> float:
        """What speaks for the palm or palace that the end tile brought, in nats; 0 where it brought none."""
        tile = state.position.board[square]
        was = self.state.position.board[square]
        if (tile.palms, tile.palaces) == (was.palms, was.palaces):
            return 0.0
        without = replace(tile, palms=was.palms, palaces=was.palaces)
        return self.likelihood(square, tile) - self.likelihood(square, without)

    def _step(self, state: GameState, action: Action, drawn: Drawn = NOTHING_DRAWN) -> GameState | None:
        """The state after an action; None where something is drawn that no board shows, or time is up."""
        self.shared.steps_left -= ENGINE_STEPS
        if self.shared.steps_left < 0:
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
        if key not in self.found or one.nats > self.found[key].nats:
            self.found[key] = one

    # Powers that show on the board.

    def _powers_may_add(self, state: GameState) -> float:
        """What the powers that are left, and those that can be taken, can add at most."""
        left = self.powers - set(state.progress.used)
        taken = max((self.power_gains[name] for name in self.takeable), default=0.0)
        return sum(self.power_gains[name] for name in left) + taken

    def _power_gain(self, power: Power | None) -> float:
        """What a power's use can add at most: what it puts on a tile as it was, and some slack for what was sown."""
        more = [POWER_SLACK_NATS]
        for square, tile in enumerate(self.before):
            match power:
                case Power.BUILD_PALM:
                    more.append(POWER_SLACK_NATS + self.gain(square, replace(tile, palms=tile.palms + 1)))
                case Power.BUILD_PALACE:
                    more.append(POWER_SLACK_NATS + self.gain(square, replace(tile, palaces=tile.palaces + 1)))
                case Power.CLAIM_EMPTY | Power.CLAIM_PEOPLED if tile.camel is None:
                    more.append(POWER_SLACK_NATS + self.gain(square, replace(tile, camel=self.mover)))
                case Power.REVIVE:
                    more.append(self.limits[square])
        return max(more)

    def _uses(self, state: GameState, powers: Collection[str]) -> Iterator[tuple[UsePower, Drawn, GameState, float]]:
        """Uses of powers that change the board and may matter, with the states after and what speaks against them."""
        if not powers:
            return
        uses: dict[tuple[str, int | None, int | None], UsePower] = {}
        for option in legal_actions(state):
            if isinstance(option, UsePower) and option.paid.djinn in powers:
                uses.setdefault((option.paid.djinn, option.square, option.onto), option)
        total = self.total(state.position.board)
        for (djinn, square, _), use in uses.items():
            more = POWER_NATS - log(sum(key[0] == djinn for key in uses))
            if EVERY_DJINN[djinn].power in (Power.BUILD_PALACE, Power.BUILD_PALM):
                own = [key for key in uses if key[0] == djinn and self._is_own(state, key[1])]
                more = POWER_NATS - log(len(own)) if self._is_own(state, square) else more + ELSEWHERE_NATS
            if EVERY_DJINN[djinn].power is Power.REVIVE:
                for drawn, hand_nats in self._draws(state, square, more):
                    if (after := self._step(state, use, drawn)) is not None:
                        yield use, drawn, after, more + hand_nats
            # What it makes less likely, nothing that follows makes up for in full.
            elif (after := self._step(state, use)) is not None and (
                self.total(after.position.board) - total + more > -CUT_NATS / 2
            ):
                yield use, NOTHING_DRAWN, after, more

    def _is_own(self, state: GameState, square: int | None) -> bool:
        return square is not None and state.position.board[square].camel is self.mover

    def _draws(self, state: GameState, square: int | None, prior: float) -> Iterator[tuple[Drawn, float]]:
        """The likeliest hands from the bag for an empty tile, with what speaks for each beside the photo."""
        assert square is not None, "meeples come onto a tile"
        tile = state.position.board[square]

        def speaks(hand: Meeples) -> float:
            nats = self.gain(square, with_meeples(tile, hand))
            if state.stage is Stage.MOVE:
                # The sowing may leave one more there, or end there; one may be killed.
                ends = [(*hand[:tribe], 0, *hand[tribe + 1 :]) for tribe in Tribe if hand[tribe]]
                nats = max(nats, *(self.gain(square, with_meeples(tile, other)) for other in one_off(hand)))
                nats = max(nats, *(self.end_gain(state, square, left) for left in ends))
            return nats

        hands = hands_drawn(state)
        likely = {hand: nats for hand in hands if (nats := speaks(hand)) + prior + hands[hand] > -CUT_NATS / 2}
        for hand in nlargest(MAX_REVIVED, likely, key=likely.__getitem__):
            yield _drawn(hand), hands[hand]


def one_off(meeples: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The same meeples with one more or fewer of a tribe."""
    for tribe in Tribe:
        for number in (meeples[tribe] - 1, meeples[tribe] + 1):
            if number >= 0:
                yield (*meeples[:tribe], number, *meeples[tribe + 1 :])


def _drawn(hand: Meeples) -> Drawn:
    return Drawn(meeples=tuple(tribe for tribe in Tribe for _ in range(hand[tribe])))


def _with_tile(state: GameState, square: int, tile: Tile) -> GameState:
    board = (*state.position.board[:square], tile, *state.position.board[square + 1 :])
    return replace(state, position=state.position.with_board(board))
