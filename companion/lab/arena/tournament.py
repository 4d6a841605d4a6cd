"""Which games a tournament has: the same set-ups for every order in which its bots can sit around the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.errors import UsageError
from companion.lab.arena.bots import make_bot
from companion.lab.arena.referee import PlayedGame, derived_seed, play_game
from companion.rules.engine.setup import new_game


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: `line_up` names the bots by place, `seeds` is how many set-ups are played in every rotation."""

    line_up: tuple[str, ...]
    seeds: int
    seed: int

    @property
    def rotations(self) -> tuple[tuple[str, ...], ...]:
        """The orders around the table that differ, the first bot going from place to place."""
        players = len(self.line_up)
        turned = (
            tuple(self.line_up[(place - rotation) % players] for place in range(players)) for rotation in range(players)
        )
        return tuple(dict.fromkeys(turned))

    @property
    def bots(self) -> tuple[str, ...]:
        """The names that differ, the one measured first."""
        return tuple(dict.fromkeys(self.line_up))

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.seeds * len(self.rotations)

    def fixtures(self) -> Iterator[Fixture]:
        """Every game, all rotations of a set-up one after the other."""
        for number in range(self.seeds):
            for rotation in range(len(self.rotations)):
                yield Fixture(number, rotation)


@dataclass(frozen=True, slots=True, order=True)
class Fixture:
    """One game of a tournament: the number of its set-up and of the rotation, from 0."""

    number: int
    rotation: int


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """A game that was played: what it was, and how it ended. `setup` is the seed of the set-up."""

    fixture: Fixture
    setup: int
    bots: tuple[str, ...]
    played: PlayedGame


def line_up(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots by place: those named once each, the rest filled up with all but the first, in turn.

    So `best greedy` among four is one `best` against three `greedy`. Raises UsageError for more names than seats.
    """
    if not (2 <= players <= 4 and 1 <= len(names) <= players):
        raise UsageError(f"2 to 4 play, and a bot is named for each of them at most, not {len(names)} for {players}")
    others = names[1:] or names
    return (*names, *(others[place % len(others)] for place in range(players - len(names))))


def rounded_up(tournament: Tournament, games: int) -> Tournament:
    """The tournament with as many set-ups as it takes for that many games, or a few more: all orders of each."""
    return replace(tournament, seeds=-(-games // len(tournament.rotations)))


def play_fixture(tournament: Tournament, fixture: Fixture) -> ArenaGame:
    """Play one game of a tournament; it comes out the same wherever that is. Raises what `play_game` raises.

    All rotations of a set-up share the set-up and the seed that cards are drawn by.
    """
    names = tournament.rotations[fixture.rotation]
    setup = derived_seed("arena", tournament.seed, fixture.number)
    played = play_game([make_bot(name) for name in names], new_game(len(names), setup), setup)
    return ArenaGame(fixture, setup, names, played)
