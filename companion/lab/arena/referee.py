"""The referee: one game between bots by the rules, each of them seeing what its seat may know (rules 12)."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.lab.arena.bots import Bot
from companion.notation.codes import encode
from companion.rules.engine.game import Step, step
from companion.rules.engine.scoring import score, winners
from companion.rules.model.actions import EndTurn, PlaceBid
from companion.rules.model.chance import NOTHING_DRAWN, SampledChance
from companion.rules.model.components import FAKIR, GOODS, Colour
from companion.rules.model.events import Refilled
from companion.rules.model.position import Player
from companion.rules.model.state import Ending, GameState

UnseenCards = Mapping[Colour, Counter[str]]
"""For each player the cards in hand that nobody else has seen, by name."""


def note_unseen(unseen: UnseenCards, before: GameState, done: Step) -> dict[Colour, Counter[str]]:
    """What is unseen after an action.

    Cards from the row are seen by all; those that djinns bring from the deck are not. Of several
    alike the seen ones are spent first, as `MutableGame.discard_fakirs` has it.
    """
    now = {colour: Counter(cards) for colour, cards in unseen.items()}
    # Cards drawn at clean-up lie face up in the row (rules 8.1); all others go into the mover's hand.
    if before.mover is not None and not any(isinstance(event, Refilled) for event in done.events):
        drawn = Counter(card for card in done.drawn.cards if card is not None)
        now[before.mover] = now.get(before.mover, Counter()) + drawn
    # An intersection keeps the smaller count: an unseen card that is shown, spent or sold is one no more.
    return {colour: cards & _held(done.state.player(colour)) for colour, cards in now.items()}


def seen_by(state: GameState, seat: Colour, unseen: UnseenCards) -> GameState:
    """The game as one player knows it.

    Cards of others in `unseen` are taken out of what they hold and counted in `hidden` instead. Coins are not
    hidden: every one of them is paid in the open, so whoever counts knows them (rules 12.1).
    """
    if not any(cards for colour, cards in unseen.items() if colour is not seat):
        return state
    players, hidden = [], []
    for player, already in zip(state.position.players, state.hidden, strict=True):
        cards = unseen.get(player.colour, Counter()) if player.colour is not seat else Counter()
        players.append(_without(player, cards) if cards else player)
        hidden.append(already + cards.total())
    return replace(state, position=replace(state.position, players=tuple(players)), hidden=tuple(hidden))


def _held(player: Player) -> Counter[str]:
    """All that a player is known to hold, as cards."""
    goods = dict(zip(GOODS, player.goods, strict=True)) if player.goods is not None else {}
    return Counter({**goods, FAKIR: player.fakirs or 0})


def _without(player: Player, cards: Counter[str]) -> Player:
    """A player's holdings with some of the cards left out."""
    goods = player.goods
    if goods is not None:
        goods = tuple(count - cards[name] for count, name in zip(goods, GOODS, strict=True))
    fakirs = player.fakirs if player.fakirs is None else player.fakirs - cards[FAKIR]
    return replace(player, goods=goods, fakirs=fakirs)


SEED_BITS = 48
"""Bits of derived seeds: as many as JSON's readers in any language keep whole."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """How a game ended; tuples go by place in `position.players`.

    `points` in VP by rules 10; `shares` of the win, 1 in all (rules 9.3); `decisions` are how often each bot was
    asked and `seconds` how long it took in all; `turns` are bids and turns together.
    """

    colours: tuple[Colour, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    turns: int
    ending: Ending | None


def derived_seed(*parts: int | str) -> int:
    """A seed of its own for each thing that is drawn, the same on every machine and Python."""
    text = "/".join(map(str, parts))
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - SEED_BITS)


def play_game(bots: Sequence[Bot], state: GameState, seed: int) -> PlayedGame:
    """Play a game on to its end, the bots by place in `state.position.players`.

    `seed` is where cards, djinns and meeples and the bots' own seeds come from. What a bot fails with, or what the
    rules say of its action, is raised with the position noted.
    """
    colours = tuple(player.colour for player in state.position.players)
    chance = SampledChance(Random(derived_seed(seed, "chance")))
    unseen: dict[Colour, Counter[str]] = {}
    decisions, seconds, turns = [0] * len(colours), [0.0] * len(colours), 0
    while state.mover is not None:
        seat = colours.index(state.mover)
        view = seen_by(state, state.mover, unseen)
        began = time.perf_counter()
        try:
            actions = bots[seat].decide(view, derived_seed(seed, "bot", seat, decisions[seat]))
            seconds[seat] += time.perf_counter() - began
            decisions[seat] += 1
            assert actions, "a bot takes an action at least"
            for action in actions:
                before, done = state, step(state, action, chance)
                state, unseen = done.state, note_unseen(unseen, before, done)
                turns += isinstance(action, (PlaceBid, EndTurn))
                if done.drawn != NOTHING_DRAWN:
                    break
        except Exception as error:
            error.add_note(f"{bots[seat]}, {state.mover}, game with seed {seed}, position {encode(state.position)}")
            raise
    scores = score(state.position)
    first = winners(scores)
    return PlayedGame(
        colours,
        points=tuple(scores[colour].total for colour in colours),
        shares=tuple(1 / len(first) if colour in first else 0.0 for colour in colours),
        decisions=tuple(decisions),
        seconds=tuple(seconds),
        turns=turns,
        ending=state.ending,
    )
