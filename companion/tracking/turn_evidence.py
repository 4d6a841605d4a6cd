"""What a photo says of the tiles of a turn: what speaks for each once it's sown on, claimed, built on, or killed on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from companion.rules.engine.counting import Meeples
from companion.rules.engine.djinns import CLAIMS, EVERY_DJINN, Power
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.sow_search import Row, row_of
from companion.rules.model.board import NO_MEEPLES, Board, Tile, palaces_on, palms_on, with_meeples
from companion.rules.model.components import PALACES, PALMS, TileAction, Tribe, camels_in_box
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState
from companion.tracking.visible import Likelihood

WRONG_MEEPLE_NATS, FORGOTTEN_NATS = -7.0, -5.0
"""What speaks against a board before the turn that was a meeple wrong on the tile, or a turn without its palm."""

KILL_NATS = 12.0
"""A meeple fewer makes no tile likelier by more than this."""

POWER_SLACK_NATS = 3.0
"""A power adds no more than it would have before the sowing, and this."""

MOST_STEPS = 150_000
"""How many steps the search for one turn may take."""

_ON_BOARD = (*CLAIMS, Power.BUILD_PALACE, Power.BUILD_PALM, Power.REVIVE)


class SharedScores:
    """What is known of tiles, whatever the board around them: shared by all searches of one photo.

    Together they take no more than that many `steps`: of walks, and of the rest of turns.
    """

    def __init__(self, likelihood: Likelihood, steps: int = MOST_STEPS) -> None:
        self.likelihood, self.steps_left = likelihood, steps
        # Tiles have numbers, which are looked up sooner than what lies there.
        self.numbers: dict[tuple[object, ...], int] = {}
        self.rows: defaultdict[tuple[object, ...], dict[int, Row]] = defaultdict(dict)


class TurnEvidence:
    """What a photo says of tiles over the board on which a turn begins, in nats, and what the mover can do there.

    With `suspect` the board before may have been a meeple wrong where the sowing begins or ends.
    """

    def __init__(self, state: GameState, shared: SharedScores, *, suspect: bool) -> None:
        self.shared, self.suspect = shared, suspect
        likelihood = self.likelihood = shared.likelihood
        self.before = state.position.board
        self.base = [likelihood(square, tile) for square, tile in enumerate(self.before)]
        self.limits = [max(likelihood.best(square) - base, 0.0) for square, base in enumerate(self.base)]
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

    def overlooked(self, meeples: Meeples) -> Iterator[Meeples]:
        """What may have lain there in place of these; one more of a tribe, if not all are in sight (rules 1.2)."""
        pairs = ((other, zip(other, meeples, self.bag, strict=True)) for other in one_off(meeples))
        return (other for other, tribes in pairs if all(more <= known or bag for more, known, bag in tribes))

    def end_gain(self, state: GameState, square: int, meeples: tuple[int, ...]) -> float:
        """What speaks for the end tile once its action is done (rules 4.8, 6)."""
        value = self._end_gain(state, square, meeples)
        if self.suspect:
            others = (self._end_gain(state, square, one) for one in one_off(meeples))
            value = max(value, max(others) + WRONG_MEEPLE_NATS)
        return max(value, self._end_gain(state, square, meeples, built=False) + FORGOTTEN_NATS)

    def _end_gain(self, state: GameState, square: int, meeples: tuple[int, ...], *, built: bool = True) -> float:
        board = state.position.board
        tile = self._emptied(state, with_meeples(board[square], meeples))
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

    def _emptied(self, state: GameState, tile: Tile) -> Tile:
        """A tile with the mover's camel, if nobody is left on it and it's free (rules 4.8, 5.5)."""
        claims = tile.meeples == NO_MEEPLES and tile.camel is None and self.camels(state) > 0
        return replace(tile, camel=self.mover) if claims else tile

    def killed_gain(self, state: GameState, kills: Sequence[Victim]) -> float:
        """What speaks for the tile on which those were killed, over what it was."""
        board, square = state.position.board, kills[0].square
        assert square is not None, "only kills on tiles are looked at"
        meeples = list(board[square].meeples)
        for victim in kills:
            meeples[victim.tribe] -= 1
        tile = self._emptied(state, with_meeples(board[square], tuple(meeples)))
        return self.likelihood(square, tile) - self.likelihood(square, board[square])

    def built_speaks(self, square: int, state: GameState) -> float:
        """What speaks for the palm or palace that the end tile brought, in nats; 0 where it brought none."""
        tile = state.position.board[square]
        was = self.before[square]
        if (tile.palms, tile.palaces) == (was.palms, was.palaces):
            return 0.0
        without = replace(tile, palms=was.palms, palaces=was.palaces)
        return self.likelihood(square, tile) - self.likelihood(square, without)

    def powers_may_add(self, state: GameState) -> float:
        """What the powers that are left, and those that can be taken, can add at most."""
        left = self.powers - set(state.progress.used)
        taken = max((self.power_gains[name] for name in self.takeable), default=0.0)
        return sum(self.power_gains[name] for name in left) + taken

    def _power_gain(self, power: Power | None) -> float:
        """The most that using a power can add: what it puts on a tile as it was, and some slack for what was sown."""
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

    def is_own(self, state: GameState, square: int | None) -> bool:
        return square is not None and state.position.board[square].camel is self.mover


class SownScores:
    """`TileScores` of a photo over the board of a turn's beginning."""

    def __init__(self, evidence: TurnEvidence, state: GameState, later: Sequence[float]) -> None:
        self._evidence, self._state, self._board, self._later = evidence, state, state.position.board, later
        self._passed: dict[tuple[int, tuple[int, ...]], float] = {}
        self._ended: dict[tuple[int, tuple[int, ...]], float] = {}
        board = self._board
        supply = (palms_on(board) < PALMS, palaces_on(board) < PALACES, evidence.camels(state) > 0)
        self._end_key = (evidence.mover, evidence.suspect, supply, *later)
        numbers = evidence.shared.numbers
        tiles = (
            (square, evidence.base[square], tile.meeples, tile.camel, tile.palms, tile.palaces)
            for square, tile in enumerate(board)
        )
        self._numbers = [numbers.setdefault(tile, len(numbers)) for tile in tiles]

    def passed(self, square: int, meeples: tuple[int, ...]) -> float:
        key = (square, meeples)
        value = self._passed.get(key)
        if value is None:
            value = self._passed[key] = self._evidence.gain(square, with_meeples(self._board[square], meeples))
        return value

    def ended(self, square: int, meeples: tuple[int, ...]) -> float:
        key = (square, meeples)
        value = self._ended.get(key)
        if value is None:
            value = self._ended[key] = self._evidence.end_gain(self._state, square, meeples)
        return value

    def goes_on(self) -> bool:
        self._evidence.shared.steps_left -= 1
        return self._evidence.shared.steps_left > 0

    def limit(self, square: int) -> float:
        return self._evidence.limits[square]

    def rows(self, squares: Sequence[int], tribes: tuple[bool, ...], times: int, *, ends: bool) -> Sequence[Row]:
        known = self._evidence.shared.rows[tribes, times, self._end_key if ends else None]
        numbers = self._numbers
        for square in [square for square in squares if numbers[square] not in known]:
            later, overlooked = self._later if ends else None, WRONG_MEEPLE_NATS if self._evidence.suspect else -inf
            held = self._board[square].meeples
            known[numbers[square]] = row_of(self, square, held, tribes, times, later, overlooked)
        return [known[numbers[square]] for square in squares]


def one_off(meeples: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The same meeples with one more or fewer of a tribe."""
    for tribe in Tribe:
        for number in (meeples[tribe] - 1, meeples[tribe] + 1):
            if number >= 0:
                yield (*meeples[:tribe], number, *meeples[tribe + 1 :])
