"""Positions to be judged on, kept apart from all that anything is fitted on: from games of their own seeds.

They lie as text in `positions.txt`, a line each: the seed of the game, whether a turn or a bid is to come, how many
decisions had been taken before it and how many the game had in all, and the position as a code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from random import Random

from companion.arena.bot import Bot
from companion.arena.bots.greedy import GreedyBot
from companion.errors import UnusableInputError, UsageError, quoted
from companion.notation.codes import decode, encode
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.setup import new_game, start_game
from companion.rules.model.actions import Action, EndTurn, PlaceBid
from companion.rules.model.chance import SampledChance
from companion.rules.model.state import GameState, Stage

FIRST_SEED = 900_000
"""Games of this seed and above are for judging; those that weights are fitted and checked on have smaller ones."""
OF_EACH = 2
"""Turns, and bids, that are taken from one game: one of each part of it."""
HEAD = "# Positions for judging: seed, turn or bid, decisions before it, decisions in the game, position code"


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """A game at a turn's beginning or at a bid; `decision` of `decisions` is how far it has come."""

    seed: int
    decision: int
    decisions: int
    state: GameState

    def __str__(self) -> str:
        return f"decision {self.decision} of game {self.seed}"

    @property
    def bidding(self) -> bool:
        """Whether a bid is to come, not a turn."""
        return self.state.stage is Stage.BID

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.state.position.players)


class SlippingBot:
    """Another bot that now and then does anything legal instead, so that games leave the paths it knows."""

    def __init__(self, bot: Bot, slips: float) -> None:
        self.name = f"{bot.name} with slips"
        self._bot = bot
        self._slips = slips

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """Any action in a share of `slips` of all decisions, else what the bot does."""
        random = Random(f"slip {seed}")
        if random.random() < self._slips:
            options = legal_actions(view)
            return (options[int(random.random() * len(options))],)
        return self._bot.decide(view, seed)


def game_positions(games: int, slips: float, say: Callable[[str], None]) -> list[JudgedPosition]:
    """Positions of so many games between greedy bots that slip, of 2, 3 and 4 players in turn."""
    found = []
    for number in range(games):
        found += positions_of_game(FIRST_SEED + number, 2 + number % 3, SlippingBot(GreedyBot(), slips))
        say(f"game {number + 1} of {games} played, {len(found)} positions")
    return found


def of_kind(positions: Sequence[JudgedPosition], kind: str, count: int) -> list[JudgedPosition]:
    """The first `count` turns, bids, or of each; `kind` is "turn", "bid" or "both". Raises UsageError for another."""
    if kind not in ("turn", "bid", "both"):
        raise UsageError(f"what is judged is `turn`, `bid` or `both`, not {quoted(kind)}")
    turns = [position for position in positions if not position.bidding and kind != "bid"][:count]
    return turns + [position for position in positions if position.bidding and kind != "turn"][:count]


def positions_of_game(seed: int, players: int, bot: Bot) -> list[JudgedPosition]:
    """Turns and bids of one game that the bot plays with itself, `OF_EACH` of both, in order."""
    found: list[GameState] = list(_decisions(new_game(players, seed), seed, bot))
    random = Random(f"positions {seed}")
    taken = []
    for bidding in (False, True):
        there = [
            (number, state)
            for number, state in enumerate(found)
            if (state.stage is Stage.BID) is bidding and _kept_by_code(state)
        ]
        # The last round of decisions is left in; each part of the game gives one.
        for part in range(OF_EACH):
            share = there[part * len(there) // OF_EACH : (part + 1) * len(there) // OF_EACH]
            if share:
                number, state = share[int(random.random() * len(share))]
                taken.append(JudgedPosition(seed, number, len(found), _from_code(state)))
    return taken


def _decisions(state: GameState, seed: int, bot: Bot) -> Iterator[GameState]:
    """Every state of the game in which a turn begins or a bid is due."""
    chance = SampledChance(Random(f"judged {seed}"))
    fresh, asked = True, 0
    while not state.is_over:
        if fresh and state.stage in (Stage.BID, Stage.MOVE):
            yield state
        asked += 1
        for action in bot.decide(state, seed * 1000 + asked):
            done = step(state, action, chance)
            state, fresh = done.state, isinstance(action, (PlaceBid, EndTurn))
            if fresh or done.drawn.cards or done.drawn.djinns or done.drawn.meeples:
                break


def _from_code(state: GameState) -> GameState:
    return start_game(decode(encode(state.position)))


def _kept_by_code(state: GameState) -> bool:
    """Whether a position code tells all of the game, the order of discards apart."""
    position = _from_code(state).position
    return replace(_from_code(state), position=replace(position, discards=())) == replace(
        state, position=replace(state.position, discards=())
    )


def to_text(positions: Sequence[JudgedPosition]) -> str:
    """The lines of `positions.txt`."""
    lines = [HEAD]
    for position in positions:
        kind = "bid" if position.bidding else "turn"
        lines.append(
            f"{position.seed} {kind} {position.decision} {position.decisions} {encode(position.state.position)}"
        )
    return "\n".join(lines) + "\n"


def from_text(text: str) -> list[JudgedPosition]:
    """Positions of such lines. Raises UnusableInputError for a line that is none, or a seed kept for fitting."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            seed, _, decision, decisions, code = line.split()
            one = JudgedPosition(int(seed), int(decision), int(decisions), start_game(decode(code)))
        except ValueError as error:
            raise UnusableInputError(f"line {number} of the positions for judging is none: {error}") from error
        if one.seed < FIRST_SEED:
            raise UnusableInputError(f"line {number}: seed {one.seed} is below {FIRST_SEED}, where judging begins")
        found.append(one)
    return found


@cache
def kept_positions() -> tuple[JudgedPosition, ...]:
    """Those that come with the program, in the order in which they are to be judged."""
    return tuple(from_text(files("companion.lab.judging").joinpath("positions.txt").read_text(encoding="utf-8")))
