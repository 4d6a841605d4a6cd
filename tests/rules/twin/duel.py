"""Both games side by side from the same state with the same chance: they must never differ.

More than the tests run: `python -m tests.rules.twin.duel 0 5000` plays seeds 0 to 4999 and prints what was compared.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import Any

from hypothesis.strategies._internal.random import ArtificialRandom

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply, legal_actions, outcomes
from companion.rules.engine.scoring import score, winners
from companion.rules.model.actions import TileChoice, TribeChoice
from companion.rules.model.chance import ChanceNeededError, ScriptedChance
from companion.rules.model.components import FAKIR, Colour
from companion.rules.model.state import GameState
from tests.rules.twin import chance as chances
from tests.rules.twin import game, positions, scoring, sowing
from tests.rules.twin.compare import differences, engine_state, to_engine, to_sowing, to_told
from tests.rules.twin.state import DJINN_VALUES, LETTERS, copied, new_game
from tests.rules.twin.variants import in_order, variant
from tests.rules.whole_turns import turn_groups


class Differ(AssertionError):
    """The two games differ; the message tells where."""


def compare_actions(state: dict[str, Any], engine: GameState) -> None:
    """Legal actions are the same set, and the engine lists none twice."""
    ours = {to_engine(state, action) for action in game.actions(state)}
    theirs = legal_actions(engine)
    if len(theirs) != len(set(theirs)):
        twice = [str(action) for action, count in Counter(theirs).items() if count > 1]
        raise Differ(f"listed twice by the engine: {twice[:5]}\n{describe(state)}")
    if ours != set(theirs):
        plain = sorted(map(repr, ours - set(theirs)))
        fast = sorted(map(repr, set(theirs) - ours))
        raise Differ(
            f"only plain ({len(plain)}): {plain[:4]}\nonly engine ({len(fast)}): {fast[:4]}\n{describe(state)}"
        )


def compare_result(
    random: Random, state: dict[str, Any], engine: GameState, action: tuple[Any, ...]
) -> tuple[dict[str, Any], GameState]:
    """The same action with the same chance; gives the two states after it."""
    told = chances.sample(random, state, action)
    after = copied(state)
    game.do(after, action, told)
    move = to_engine(state, action)
    compare_chance(state, engine, action, move)
    fate = to_told(action, told)
    engine_after = apply(engine, move, fate)
    left = fate.left
    if left.cards or left.djinns or left.meeples:
        raise Differ(f"{move}: the engine drew less: {left} is left\n{describe(state)}")
    faults = differences(after, engine_after)
    if faults:
        raise Differ(f"after {move} with {told}:\n" + "\n".join(faults) + f"\n{describe(state)}")
    return after, engine_after


def compare_chance(state: dict[str, Any], engine: GameState, action: tuple[Any, ...], move: Any) -> None:
    """What the first draw can bring is the same; nothing is drawn where nothing should be."""
    expected = chances.first_options(state, action)
    try:
        apply(engine, move, ScriptedChance())
    except ChanceNeededError as error:
        found = {name: count for name, count in error.options.items() if count}
    else:
        found = {}
    if found != expected:
        raise Differ(f"{move}: first draw plain {expected} engine {found}\n{describe(state)}")


def compare_outcomes(state: dict[str, Any], engine: GameState, action: tuple[Any, ...]) -> int:
    """All that chance can make of an action, and with what probability; gives how many outcomes that were."""
    expected = {to_told(action, told).left: (told, share) for told, share in chances.everything(state, action).items()}
    found = {step.drawn: (share, step.state) for share, step in outcomes(engine, to_engine(state, action))}
    ours = {drawn: share for drawn, (_, share) in expected.items()}
    if ours != {drawn: share for drawn, (share, _) in found.items()}:
        raise Differ(f"{to_engine(state, action)}: other outcomes\n{describe(state)}")
    for drawn, (told, _) in expected.items():
        after = copied(state)
        game.do(after, action, told)
        faults = differences(after, found[drawn][1])
        if faults:
            raise Differ(f"after {action} with {told}:\n" + "\n".join(faults) + f"\n{describe(state)}")
    return len(found)


def compare_refusals(state: dict[str, Any], engine: GameState, others: list[Any]) -> None:
    """Actions legal elsewhere or changed a little: the engine refuses those that the plain game does not list here."""
    legal = {to_engine(state, action) for action in game.actions(state)}
    for action in others:
        try:
            apply(engine, action, ScriptedChance())
        except ChanceNeededError:
            taken = True
        except IllegalMoveError as error:
            taken = False
            if "rules" not in str(error):
                raise Differ(f"refused without a clause: {action}: {error}") from error
        else:
            taken = True
        if taken != (in_order(action) in legal):
            raise Differ(f"{action!r} taken: {taken}, legal: {not taken}\n{describe(state)}")


def compare_turns(random: Random, state: dict[str, Any], engine: GameState, sample: int = 6) -> int:
    """Whole turns: the sowings, and for some of them every choice in the tribe and the tile action."""
    groups = dict(turn_groups(engine))
    found = sorted(groups, key=str)
    sowings = [(start, drops) for start in range(30) for drops in sowing.all_sowings(state, start)]
    if {str(to_sowing(start, drops)) for start, drops in sowings} != {str(one) for one in found}:
        raise Differ(f"other sowings\n{describe(state)}")
    deadly = [(start, drops) for start, drops in sowings if drops[-1][1] == "r"]
    loops = [(start, drops) for start, drops in sowings if drops[-1][0] in {start, *(drop[0] for drop in drops[:-1])}]
    chosen = [one for some in (sowings, deadly, loops) for one in random.sample(some, min(sample, len(some)))]
    for start, drops in chosen:
        ours = plain_choices(state, start, drops)
        theirs = groups[to_sowing(start, drops)]
        if len(theirs) != len(set(theirs)) or set(theirs) != ours:
            plain, fast = list(ours - set(theirs))[:3], list(set(theirs) - ours)[:3]
            raise Differ(f"{to_sowing(start, drops)}: only plain {plain} only engine {fast}\n{describe(state)}")
    return len(chosen)


def plain_choices(
    state: dict[str, Any], start: int, drops: tuple[tuple[int, str], ...]
) -> set[tuple[TribeChoice, TileChoice]]:
    """Every choice in the tribe and the tile action after this sowing; a card drawn unseen is never a fakir."""
    sown = copied(state)
    game.do(sown, ("lift", start))
    for square, letter in drops:
        game.do(sown, ("drop", square, letter))
    found = set()
    for act in game.at_tribe(sown):
        acted = copied(sown)
        _, number = game.chance_of(acted, act)
        goods = [card for card in chances.pile(acted["deck"]) if card != FAKIR]
        game.do(acted, act, goods[:number])
        for leave in game.at_tile(acted):
            found.add((to_engine(sown, act).choice, to_engine(acted, leave).choice))
    return found


def compare_scores(state: dict[str, Any], engine: GameState) -> None:
    """Rules 10, by category, and rules 9.3."""
    scores = score(engine.position)
    for colour in state["players"]:
        for name, points in scoring.points(state, colour).items():
            fast = getattr(scores[Colour(colour)], name)
            if fast != points:
                raise Differ(f"{colour}, {name}: plain {points} engine {fast}\n{describe(state)}")
    if set(winners(scores)) != set(map(Colour, scoring.winners(state))):
        raise Differ(f"winners: plain {scoring.winners(state)} engine {winners(scores)}")


def pick(random: Random, actions: list[Any]) -> tuple[Any, ...]:
    """One action, the kinds and djinns being equally likely, so that rare ones are tried too."""
    kinds = sorted({name_of(action) for action in actions})
    kind = random.choice(kinds)
    return random.choice([action for action in actions if name_of(action) == kind])


def name_of(action: tuple[Any, ...]) -> str:
    """What to count an action under: its kind, with the djinns that play a part."""
    if action[0] == "power":
        return action[1] + ("" if action[5] is None else " with another")
    if action[0] == "kill":
        return "kill" + (" two" if action[1] else "") + (" in front" if isinstance(action[3], str) else "")
    if action[0] == "place":
        return "place" + ("" if action[2] is None else " beside")
    if action[0] == "bid":
        return "bid" + (" with fakirs" if action[2] else "")
    return action[0]


def play(
    random: ArtificialRandom | Random, state: dict[str, Any], decisions: int = 400, branches: int = 2
) -> Counter[str] | None:
    """Play on from a state in both games, trying some other actions at each decision; counts what was compared."""
    engine = engine_state(state)
    seen = Counter()
    met = []
    compare_scores(state, engine)
    for _ in range(decisions):
        faults = differences(state, engine)
        if faults:
            raise Differ("\n".join(faults))
        compare_actions(state, engine)
        compare_refusals(state, engine, random.sample(met, min(6, len(met))))
        seen["decisions"] += 1
        actions = game.actions(state)
        seen["actions listed"] += len(actions)
        if not actions:
            compare_scores(state, engine)
            seen["games ended"] += 1
            break
        some = [to_engine(state, pick(random, actions)) for _ in range(6)]
        compare_refusals(state, engine, [variant(random, action) for action in some])
        met += some
        for _ in range(branches):
            aside = pick(random, actions)
            kind, number = game.chance_of(state, aside)
            if (0 < number < 3 or kind == "meeple") and random.random() < 0.2:
                seen["chance outcomes"] += compare_outcomes(state, engine, aside)
            compare_result(random, state, engine, aside)
            seen[name_of(aside)] += 1
        action = pick(random, actions)
        state, engine = compare_result(random, state, engine, action)
        seen[name_of(action)] += 1
    return seen


def play_game(seed: int, players: int = None, branches: int = 1) -> Counter[str]:
    """A whole random game from its set-up."""
    random = Random(seed)
    start = positions.random_start(random, players or random.choice([2, 3, 4]))
    state = new_game(*start, promo=seed % 3 == 0)
    return play(random, state, decisions=5000, branches=branches)


COMPANIES = [
    *([name] for name in DJINN_VALUES),
    ["Echidna", "Kandicha", "Iblis", "Nekir"],
    ["Dhenim", "Kandicha"],
    ["Echidna", "Kandicha"],
    ["Marid", "Nekir"],
    ["Bouraq", "Hagis", "Monkir"],
    ["Enki", "Lamia"],
    ["Anun-Nak", "Leta", "Utug"],
    ["Ba'al", "Sibittis"],
    ["Kandicha", "Sloar"],
]
"""Djinns that are put in play together: each alone, and those that meddle with one another."""


def play_from_position(seed: int, djinns: list[str] = (), decisions: int = 10, branches: int = 4) -> Counter[str]:
    """On from a random position, part of a turn or so."""
    random = Random(seed)
    return play(random, positions.random_position(random, djinns=djinns), decisions, branches)


def play_turns(seed: int, djinns: list[str] = ()) -> Counter[str]:
    """Whole turns from a random heap, large enough to come round again, beside some other meeples."""
    random = Random(seed)
    state = positions.random_heap(random, random.choice([3, 4, 5, 5, 5]), random.choice([0, 3, 8]), djinns)
    if state["turn"]["must_skip"]:
        return Counter()
    return Counter({"whole turns' choices": compare_turns(random, state, engine_state(state))})


def describe(state: Any) -> Any:
    """The state in full, for a message."""
    lines = [f"  {name}: {value}" for name, value in state.items() if name != "board"]
    for square, tile in enumerate(state["board"]):
        if any(tile["meeples"].values()) or tile["camel"] or tile["palms"] or tile["palaces"]:
            meeples = "".join(letter * tile["meeples"][letter] for letter in LETTERS)
            lines.append(
                f"  {square}: {tile['kind']} {meeples} {tile['camel'] or ''} ^{tile['palms']} #{tile['palaces']}"
            )
    return "\n".join(lines)


def main(first: Any, last: Any) -> None:
    """Play the seeds from `first` until `last`, every twentieth a whole game too; print what was compared."""
    total = Counter()
    for seed in range(first, last):
        djinns = COMPANIES[seed % len(COMPANIES)]
        try:
            total += play_from_position(seed, djinns)
            if seed % 20 == 0:
                total += play_game(seed)
            total += play_turns(seed, djinns)
        except Differ as difference:
            total["DIFFERENCES"] += 1
            print(f"seed {seed}: {difference}\n", flush=True)
    for name, count in total.most_common():
        print(f"{count:9} {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
