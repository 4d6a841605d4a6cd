"""The plain game decision by decision: what may be done, and doing it.

Actions are plain tuples:

    ("bid", price, fakirs)                                  rules 3, fakirs for Kumarbi
    ("lift", square), ("drop", square, letter)              rules 4.2; the last drop takes the colour in hand (4.7)
    ("keep",), ("take",), ("build", fakirs)                 rules 5.1, 5.2, 5.3
    ("kill", payment, fakirs, where, letters), ("spare",)   rules 5.4; payment: (elders, fakirs) for Iblis or None
    ("place", square, payment)                              rules 6.1, 6.2; payment for Hagis or Lamia or None
    ("buy", indices), ("djinn", name, payment), ("pass",)   rules 6.3 to 6.5; pass: no tile action
    ("sell", goods)                                         rules 7, one set
    ("power", name, payment, square, other, payment)        rules 11; see `powers_now`
    ("keep djinn", name)                                    rules 11, Sibittis
    ("done",)                                               the turn is over

Chance is told with `do`: the cards, djinns or meeples that come, in order; `chance_of` says how many are due.
"""

from __future__ import annotations

from typing import Any

from tests.rules.twin import bidding, powers, rounds, selling, sowing, tiles, tribes
from tests.rules.twin.state import LETTERS, djinns_left


def actions(state: dict[str, Any]) -> list[Any]:
    """Every legal decision at this point of the game; empty when it is over."""
    if state["phase"] == "end":
        return []
    if state["phase"] == "bid":
        return [("bid", price, fakirs) for price, fakirs in bidding.bids(state)]
    step = state["turn"]["step"]
    if step == "sow":
        return drops_now(state)
    if step == "look":
        return [("keep djinn", name) for name in state["turn"]["looking_at"]]
    if step == "sold":
        return at_end(state)
    return powers_now(state) + ACTIONS_AT[step](state)


def at_move(state: dict[str, Any]) -> list[tuple[str, int]]:
    """Rules 4.2 and 4.6: a start tile; 9.2: without a legal move on to selling."""
    if state["turn"]["must_skip"]:
        return at_end(state)
    return [("lift", square) for square in sowing.start_tiles(state)]


def drops_now(state: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Rules 4.2 to 4.5: the drops after which the move can still end legally."""
    sowing_now = state["turn"]["sowing"]
    here, before, hand = sowing_now["here"], sowing_now["before"], sowing_now["hand"]
    found = []
    for square in sowing.allowed_steps(here, before):
        for letter in LETTERS:
            if hand[letter] == 0:
                continue
            meeples = state["board"][square]["meeples"]
            if sum(hand.values()) == 1:
                if meeples[letter] > 0:
                    found.append(("drop", square, letter))
                continue
            hand[letter] -= 1
            meeples[letter] += 1
            if sowing.can_finish(state["board"], hand, square, here):
                found.append(("drop", square, letter))
            meeples[letter] -= 1
            hand[letter] += 1
    return found


def at_tribe(state: dict[str, Any]) -> list[Any]:
    """Rules 5: what the meeples in hand allow."""
    turn = state["turn"]
    letter, count = turn["taken"]
    if letter in "yw":
        return [("keep",)]
    if letter == "g":
        return [("take",)]
    if letter == "b":
        fakirs = tribes.fakirs_of(state, turn["colour"])
        return [("build", number) for number in range(fakirs + 1)]
    kills = tribes.kills(state, turn["colour"], count)
    return [("spare",) if kill is None else ("kill", *kill) for kill in kills]


def at_tile(state: dict[str, Any]) -> list[Any]:
    """Rules 6: what the end tile allows."""
    turn = state["turn"]
    colour, end = turn["colour"], turn["end"]
    kind = state["board"][end]["kind"]
    if kind[0] in "OV":
        if state[tiles.SUPPLY[kind[0]]] == 0:
            return [("pass",)]
        return [("place", *where) for where in places(state, colour, end)]
    if kind[0] == "M":
        return [("buy", chosen) for chosen in tiles.market_purchases(state, colour, kind)] + [("pass",)]
    found = [("pass",)]
    for name in state["face_up"]:
        for payment in tiles.sacred_payments(state, colour):
            found.append(("djinn", name, payment))
    return found


def places(state: dict[str, Any], colour: str, square: int, first_payment: tuple[int, int] = (0, 0)) -> list[Any]:
    """Rules 6.1, 6.2, 11.2 and 11.5: on the tile, or around it with Hagis or Lamia paid after `first_payment`."""
    djinn = tiles.MOVER_OF[state["board"][square]["kind"][0]]
    found = [(square, None)]
    player = state["players"][colour]
    for elders, fakirs in powers.payments(state, colour, djinn):
        enough_elders = elders + first_payment[0] <= player["elders"]
        enough_fakirs = fakirs + first_payment[1] <= tribes.fakirs_of(state, colour)
        if enough_elders and enough_fakirs:
            found += [(other, (elders, fakirs)) for other in tiles.places_for(square)]
    return found


def at_end(state: dict[str, Any]) -> list[Any]:
    """Rules 7: sell sets, or be done."""
    sets = selling.sets_to_sell(state, state["turn"]["colour"])
    return [("sell", goods) for goods in sets] + [("done",)]


ACTIONS_AT = {"move": at_move, "tribe": at_tribe, "tile": at_tile, "end": at_end}


def powers_now(state: dict[str, Any]) -> list[object]:
    """Rules 11: ("power", name, payment, square, place, payment of Hagis or Lamia), None where nothing applies."""
    colour = state["turn"]["colour"]
    found = []
    targets = {
        "Anun-Nak": powers.anun_nak_tiles(state),
        "Leta": powers.leta_tiles(state, colour),
        "Utug": powers.utug_tiles(state, colour),
    }
    for name, squares in targets.items():
        for payment in powers.payments(state, colour, name):
            found += [("power", name, payment, square, None, None) for square in squares]
    for name, letter in (("Bouraq", "V"), ("Enki", "O")):
        if state[tiles.SUPPLY[letter]] == 0:
            continue
        for payment in powers.payments(state, colour, name):
            for square in powers.tiles_of(state, letter):
                for place, second in places(state, colour, square, payment):
                    found.append(("power", name, payment, square, place, second))
    for name in ("Echidna", "Sibittis", "Sloar"):
        if name == "Sibittis" and djinns_left(state) == 0:
            continue
        for payment in powers.payments(state, colour, name):
            found.append(("power", name, payment, None, None, None))
    return found


def chance_of(state: dict[str, Any], action: tuple[Any, ...]) -> tuple[Any, ...]:
    """What chance must give for this action: (kind, how many), kind "card", "djinn", "meeple", or None.

    Clean-up is told apart from it, see `clean_up_due`.
    """
    if action[0] == "kill":
        return "card", tribes.cards_for_kill(state, state["turn"]["colour"], action[1:])
    if action[0] == "power":
        if action[1] == "Sloar":
            return "card", 1
        if action[1] == "Sibittis":
            return "djinn", min(3, djinns_left(state))
        if action[1] == "Anun-Nak":
            return "meeple", min(3, sum(state["bag"].values()) + action[2][0])
    return None, 0


def fakirs_paid(action: tuple[Any, ...]) -> int:
    """Fakirs discarded by a kill or a power before anything is drawn."""
    if action[0] == "kill":
        _, payment, fakirs, _, _ = action
        return fakirs + (payment[1] if payment else 0)
    return action[2][1]


def clean_up_due(state: dict[str, Any], action: tuple[Any, ...]) -> bool:
    """Whether clean-up (rules 8) follows this action: the last turn of a round that is not the last is done."""
    return action == ("done",) and not state["to_play"] and not state["last_round"]


def do(state: dict[str, Any], action: tuple[Any, ...], chance: list[str] | tuple[list[str], list[str]] = ()) -> None:
    """Change the state by one legal action; `chance` lists what chance gives, (cards, djinns) at clean-up."""
    if action not in actions(state):
        raise ValueError(f"{action} is not legal here")
    DOINGS[action[0]](state, action, chance)


def do_bid(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    bidding.bid(state, action[1], action[2])
    if not state["to_bid"]:
        rounds.start_turns(state)


def do_lift(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 4.2: the hand is lifted."""
    square = action[1]
    hand = sowing.hand_from(state, square)
    state["board"][square]["meeples"] = dict.fromkeys(LETTERS, 0)
    state["turn"]["sowing"] = {"start": square, "drops": [], "here": square, "before": None, "hand": hand}
    state["turn"]["step"] = "sow"


def do_drop(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 4.2 and, with the last meeple, 4.7 and 4.8."""
    _, square, letter = action
    turn = state["turn"]
    now = turn["sowing"]
    state["board"][square]["meeples"][letter] += 1
    sowing.tell_marid(state, turn["colour"], square)
    now["hand"][letter] -= 1
    now["drops"].append((square, letter))
    now["here"], now["before"] = square, now["here"]
    if sum(now["hand"].values()) == 0:
        del turn["sowing"]
        turn["end"] = square
        turn["taken"] = (letter, sowing.take_colour(state, turn["colour"], square, letter))
        turn["step"] = "tribe"


def do_keep(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    letter, count = state["turn"]["taken"]
    tribes.keep(state, state["turn"]["colour"], letter, count)
    if letter == "y":
        tribes.tell_dhenim(state, state["turn"]["colour"], count)
    tribe_done(state)


def do_take(state: dict[str, Any], action: tuple[Any, ...], chance: list[object] | tuple[object, ...]) -> None:
    tribes.take_from_row(state, state["turn"]["colour"], state["turn"]["taken"][1])
    tribe_done(state)


def do_build(state: dict[str, Any], action: tuple[Any, ...], chance: list[object] | tuple[object, ...]) -> None:
    tribes.build(state, state["turn"]["colour"], state["turn"]["taken"][1], action[1])
    tribe_done(state)


def do_kill(state: dict[str, Any], action: tuple[Any, ...], chance: list[str] | tuple[str, ...]) -> None:
    kill = None if action == ("spare",) else action[1:]
    tribes.assassinate(state, state["turn"]["colour"], state["turn"]["taken"][1], kill, chance)
    tribe_done(state)


def tribe_done(state: dict[str, Any]) -> None:
    state["turn"]["step"] = "tile"


def do_place(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 6.1 and 6.2, with Hagis or Lamia."""
    _, square, payment = action
    place_with(state, state["turn"]["end"], square, payment)
    state["turn"]["step"] = "end"


def place_with(state: dict[str, Any], tile_square: int, square: int, payment: tuple[int, int] | None) -> None:
    """A palm or palace for that oasis or village, on it or, Hagis or Lamia paid, beside it."""
    colour = state["turn"]["colour"]
    letter = state["board"][tile_square]["kind"][0]
    if payment is not None:
        powers.pay(state, colour, tiles.MOVER_OF[letter], payment)
    tiles.place(state, colour, tiles.SUPPLY[letter], square)


def do_buy(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 6.3 and 6.4."""
    turn = state["turn"]
    tiles.buy(state, turn["colour"], state["board"][turn["end"]]["kind"], action[1])
    turn["step"] = "end"


def do_djinn(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 6.5."""
    _, name, payment = action
    colour = state["turn"]["colour"]
    tiles.pay_sacred(state, colour, payment)
    state["face_up"].remove(name)
    powers.gain_djinn(state, colour, name)
    state["turn"]["step"] = "end"


def do_pass(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    state["turn"]["step"] = "end"


def do_sell(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 7: selling is the last thing in the turn, so no power comes after it."""
    selling.sell_set(state, state["turn"]["colour"], action[1])
    state["turn"]["step"] = "sold"


def do_power(state: dict[str, Any], action: tuple[Any, ...], chance: list[str] | tuple[str, ...]) -> None:
    """Rules 11: pay, then the power itself."""
    _, name, payment, square, place, second = action
    colour = state["turn"]["colour"]
    powers.pay(state, colour, name, payment)
    if name == "Anun-Nak":
        powers.anun_nak(state, square, chance)
    elif name in ("Leta", "Utug"):
        powers.claim(state, colour, square)
    elif name in ("Bouraq", "Enki"):
        place_with(state, square, place, second)
    elif name == "Echidna":
        powers.echidna(state, colour)
    elif name == "Sloar":
        powers.sloar(state, colour, chance[0])
    elif name == "Sibittis":
        state["turn"]["back_to"], state["turn"]["step"] = state["turn"]["step"], "look"
        powers.sibittis_draw(state, chance)


def do_keep_djinn(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[object, ...]) -> None:
    """Rules 11, Sibittis."""
    powers.sibittis_keep(state, state["turn"]["colour"], action[1])
    state["turn"]["step"] = state["turn"].pop("back_to")


def do_done(state: dict[str, Any], action: tuple[Any, ...], chance: tuple[list[str], list[str]]) -> None:
    """Rules 4.1, 8 and 9: the next turn, the next round, or the end."""
    if state["to_play"]:
        rounds.start_turn(state)
    elif state["last_round"]:
        rounds.end_game(state)
    else:
        cards, djinns = chance
        rounds.clean_up(state, cards, djinns)
        rounds.next_round(state)


DOINGS = {
    "bid": do_bid,
    "lift": do_lift,
    "drop": do_drop,
    "keep": do_keep,
    "take": do_take,
    "build": do_build,
    "kill": do_kill,
    "spare": do_kill,
    "place": do_place,
    "buy": do_buy,
    "djinn": do_djinn,
    "pass": do_pass,
    "sell": do_sell,
    "power": do_power,
    "keep djinn": do_keep_djinn,
    "done": do_done,
}
