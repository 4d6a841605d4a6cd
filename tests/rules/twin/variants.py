"""Actions of the engine with one thing changed, most of them illegal, to see that it refuses what it does not list."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from companion.rules.model.actions import (
    ActTile,
    ActTribe,
    Drop,
    KeepDjinn,
    Lift,
    Paid,
    PlaceBid,
    Sell,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.components import GOODS, TRACK_PRICES_GC, Tribe
from companion.rules.model.events import Victim
from tests.rules.twin.state import DJINN_COSTS, DJINN_VALUES

DJINNS = sorted(DJINN_VALUES)
HELPERS = ["Iblis", "Hagis", "Lamia", "Echidna", "Utug"]


def variant(random: Random, action: Any) -> Any:
    """The same action with something else in it: a number, a square, a payment, a name."""
    if isinstance(action, PlaceBid):
        return PlaceBid(random.choice([action.price, *TRACK_PRICES_GC]), random.randrange(4))
    if isinstance(action, Lift):
        return Lift(any_square(random))
    if isinstance(action, Drop):
        return replace(action, **random.choice([{"square": any_square(random)}, {"tribe": random.choice(list(Tribe))}]))
    if isinstance(action, ActTribe):
        return ActTribe(other_tribe_choice(random, action.choice))
    if isinstance(action, ActTile):
        return ActTile(other_tile_choice(random, action.choice))
    if isinstance(action, UsePower):
        return other_power(random, action)
    if isinstance(action, KeepDjinn):
        return KeepDjinn(random.choice(DJINNS))
    if isinstance(action, Sell):
        return Sell(tuple(good for good in GOODS if random.random() < 0.3))
    return action


def other_tribe_choice(random: Random, choice: TribeChoice) -> TribeChoice:
    changes = [{"fakirs": random.randrange(4)}, {"helper": random_helper(random)}]
    if choice.victim is not None:
        changes += [{"second": random.choice([None, choice.victim, other_victim(random, choice.victim)])}]
        changes += [{"victim": random.choice([None, other_victim(random, choice.victim)])}]
    return replace(choice, **random.choice(changes))


def other_victim(random: Random, victim: Victim) -> Victim:
    changes = [{"tribe": random.choice(list(Tribe))}]
    if victim.square is not None:
        changes.append({"square": any_square(random)})
    return replace(victim, **random.choice(changes))


def other_tile_choice(random: Random, choice: TileChoice) -> TileChoice:
    changes = [
        {"cards": random.choice([(), (0,), (2,), (0, 1), (1, 0), (0, 0), (4, 5), (5, 6), (0, 1, 2)])},
        {"djinn": random.choice([None, *DJINNS])},
        {"with_fakir": not choice.with_fakir},
        {"helper": random_helper(random)},
        {"onto": random.choice([None, any_square(random)])},
        {"helper": random_helper(random), "onto": any_square(random)},
    ]
    return replace(choice, **random.choice(changes))


def other_power(random: Random, action: UsePower) -> UsePower:
    djinn = random.choice([action.paid.djinn, *DJINN_COSTS])
    changes = [
        {"paid": Paid(djinn, random.randrange(3), random.randrange(2))},
        {"square": random.choice([None, any_square(random)])},
        {"helper": random_helper(random)},
        {"onto": random.choice([None, any_square(random)])},
        {"helper": random_helper(random), "onto": any_square(random)},
    ]
    return replace(action, **random.choice(changes))


def any_square(random: Random) -> int:
    """A square, now and then one that lies beside the board."""
    return random.choice([random.randrange(30), random.randrange(30), random.randrange(30), -1, 30])


def random_helper(random: Random) -> Paid | None:
    return random.choice([None, Paid(random.choice(HELPERS), *random.choice([(1, 0), (0, 1), (1, 1), (0, 0)]))])


def in_order(action: Any) -> Any:
    """The action as it is listed: two victims, or two cards bought, in ascending order."""
    if isinstance(action, ActTribe) and action.choice.victim is not None and action.choice.second is not None:
        first, second = sorted(action.choice.victims, key=lambda victim: victim.tribe)
        return ActTribe(replace(action.choice, victim=first, second=second))
    if isinstance(action, ActTile):
        return ActTile(replace(action.choice, cards=tuple(sorted(action.choice.cards))))
    return action
