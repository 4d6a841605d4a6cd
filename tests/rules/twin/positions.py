"""Random positions of the plain game, from a seeded generator: crowded, sparse, poor, rich, near the end."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis.strategies._internal.random import ArtificialRandom

from companion.rules.model.components import (
    CARD_COUNTS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    ROW_LENGTH,
    TILE_KINDS,
    TRACK_PRICES_GC,
)
from tests.rules.twin.rounds import start_turn
from tests.rules.twin.state import (
    DJINN_COSTS,
    LETTERS,
    camels_at_start,
    djinns_in_box,
    markers_each,
    new_player,
    new_tile,
    opponents,
    steps_between,
)

TWO = ["blue", "pink"]
FOUR = ["black", "orange", "blue", "pink"]


def random_colours(random: ArtificialRandom | Random, players: int) -> list[str]:
    """Rules 2.1: blue and pink with two players, any colours with three or four."""
    return list(TWO) if players == 2 else sorted(random.sample(FOUR, players), key=FOUR.index)


def random_start(random: Random, players: int) -> tuple[list[str], ...]:
    """Rules 2: a random set-up: tiles, meeples, bid order, row and face-up djinns, ready for `state.new_game`."""
    tiles = [code for code, kind in TILE_KINDS.items() for _ in range(kind.count)]
    bag = [letter for letter, count in zip(LETTERS, MEEPLE_COUNTS, strict=True) for _ in range(count)]
    order = random_colours(random, players) * markers_each(players)
    cards = [card for card, count in CARD_COUNTS.items() for _ in range(count)]
    for things in (tiles, bag, order, cards):
        random.shuffle(things)
    meeples = ["".join(bag[3 * square : 3 * square + 3]) for square in range(30)]
    return tiles, meeples, order, cards[:ROW_LENGTH], random.sample(djinns_in_box(promo=False), 3)


def random_position(
    random: ArtificialRandom | Random, djinns: list[str] | tuple[object, ...] = (), within_turns: bool = True
) -> dict[str, Any]:
    """A position somewhere in a game, before a bid, at the start of a turn or, if that is asked for, within it.

    Every piece in the box is somewhere; the djinns named lie in front of players.
    """
    players = random.choice([2, 3, 4])
    colours = random_colours(random, players)
    state = {
        "board": random_board(random),
        "bag": dict.fromkeys(LETTERS, 0),
        "palms": PALMS,
        "palaces": PALACES,
        "players": {colour: new_player(camels_at_start(players)) for colour in colours},
        "last_round": False,
        "promo": "Dhenim" in djinns or random.random() < 0.2,
        "turn": None,
        "zeros": [],
        "spots": {},
        "to_play": [],
        "to_bid": [],
        "moved": [],
    }
    spread_meeples(random, state)
    spread_camels(random, state)
    spread_buildings(random, state)
    spread_cards(random, state)
    for player in state["players"].values():
        player["gold"] = random.choice([0, 1, random.randrange(8), random.randrange(120)])
    markers = colours * markers_each(players)
    random.shuffle(markers)
    spread_djinns(random, state, djinns, markers)
    if random.random() < 0.25:
        place_bids(random, state, markers)
    else:
        place_turns(random, state, markers)
    if random.random() < 0.6:
        give_to_mover(state, djinns)
    if within_turns and state["turn"] and random.random() < 0.5:
        go_into_turn(random, state)
    return state


def go_into_turn(random: ArtificialRandom | Random, state: dict[str, Any]) -> None:
    """The move is made: meeples of the bag are in hand, or the tribe action is over as well.

    The board is then often too sparse for a further move; this turn had one.
    """
    turn = state["turn"]
    letters = [letter for letter in LETTERS if state["bag"][letter] >= 2]
    if not letters:
        return
    letter = "r" if "r" in letters and random.random() < 0.5 else random.choice(letters)
    step = random.choice(["tribe", "tribe", "tribe", "tile"])
    if step == "tile" and "b" in letters:
        letter = "b"
        turn["builder_coins"] = random.randrange(20)
    count = random.randint(2, min(4, state["bag"][letter]))
    turn["must_skip"] = False
    state["last_round"] = any(player["camels"] == 0 for player in state["players"].values())
    turn["end"] = random.randrange(30)
    turn["taken"] = (letter, count)
    turn["step"] = step
    if step == "tribe":
        state["bag"][letter] -= count
        if letter == "r" and random.random() < 0.2:
            leave_no_target(random, state, count)
    own = state["players"][turn["colour"]]["djinns"]
    turn["used"] = [name for name in own if name in DJINN_COSTS and random.random() < 0.2]


def random_heap(random: Random, size: int, others: int, djinns: list[str] | tuple[object, ...] = ()) -> dict[str, Any]:
    """The start of a turn with one heap of that size, of few colours, and so many other meeples on the board."""
    state = random_position(random, djinns, within_turns=False)
    while state["phase"] != "turn":
        state = random_position(random, djinns, within_turns=False)
    for tile in state["board"]:
        for letter in LETTERS:
            state["bag"][letter] += tile["meeples"][letter]
            tile["meeples"][letter] = 0
    letters = [letter for letter in LETTERS for _ in range(state["bag"][letter])]
    random.shuffle(letters)
    if random.random() < 0.7:
        wanted = random.sample(LETTERS, 2)
        letters.sort(key=lambda letter: letter not in wanted)
    heap = random.randrange(30)
    for number, letter in enumerate(letters[: size + others]):
        square = heap if number < size else random.randrange(30)
        state["board"][square]["meeples"][letter] += 1
        state["bag"][letter] -= 1
    state["last_round"] = any(player["camels"] == 0 for player in state["players"].values())
    state["moved"].pop()
    state["to_play"].insert(0, (state["turn"]["colour"], 0))
    start_turn(state)
    return state


def give_to_mover(state: dict[str, Any], djinns: list[str] | tuple[object, ...]) -> None:
    """The djinns named lie in front of the player whose decision is next."""
    mover = state["turn"]["colour"] if state["turn"] else state["to_bid"][0]
    for player in state["players"].values():
        player["djinns"] = [name for name in player["djinns"] if name not in djinns]
    state["players"][mover]["djinns"] += djinns


def leave_no_target(random: Random, state: dict[str, Any], reach: int) -> None:
    """Rules 5.4: nothing to kill without fakirs: what is in reach or in front of opponents goes to the bag."""
    turn = state["turn"]
    for square in range(30):
        if steps_between(turn["end"], square) <= reach:
            for letter in LETTERS:
                state["bag"][letter] += state["board"][square]["meeples"][letter]
                state["board"][square]["meeples"][letter] = 0
    for other in opponents(state, turn["colour"]):
        player = state["players"][other]
        if "Boaz" in player["djinns"] and random.random() < 0.5:
            continue
        state["bag"]["y"] += player["viziers"]
        state["bag"]["w"] += player["elders"]
        player["viziers"] = player["elders"] = 0


def random_board(random: ArtificialRandom | Random) -> Any:
    codes = [code for code, kind in TILE_KINDS.items() for _ in range(kind.count)]
    random.shuffle(codes)
    return [new_tile(code) for code in codes]


def spread_meeples(
    random: ArtificialRandom | Random,
    state: dict[str, Any],
) -> None:
    """On the board, in front of players and in the bag; now and then a heap of up to 12 on one tile."""
    pieces = [letter for letter, count in zip(LETTERS, MEEPLE_COUNTS, strict=True) for _ in range(count)]
    random.shuffle(pieces)
    if random.random() < 0.4:  # few colours, assassins among them, so that long chains of kills are met
        wanted = {"r", *random.sample("ywbg", random.randint(1, 2))}
        pieces.sort(key=lambda letter: letter not in wanted)
    crowd = random.choice([0, 2, 4, 8, 15, 25, 40, 60])
    tiles = random.sample(range(30), random.randint(3, 30))
    for letter in pieces[:crowd]:
        state["board"][random.choice(tiles)]["meeples"][letter] += 1
    rest = pieces[crowd:]
    if random.random() < 0.1:
        heap = state["board"][random.choice(tiles)]["meeples"]
        while sum(heap.values()) < 12:
            heap[rest.pop()] += 1
    colours = random.choice([[*state["players"], None], [*state["players"], None], [None]])
    for letter in rest:
        colour = random.choice(colours) if letter in "yw" else None
        if colour is None:
            state["bag"][letter] += 1
        else:
            state["players"][colour]["viziers" if letter == "y" else "elders"] += 1
    if random.random() < 0.3:  # poor in elders, so that fakirs have to pay
        for player in state["players"].values():
            spent = random.randint(0, player["elders"])
            player["elders"] -= spent
            state["bag"]["w"] += spent
    if random.random() < 0.1:  # a nearly empty bag: what it held goes on the board
        keep = random.choice([0, 0, 1, 2])
        for letter in LETTERS:
            while state["bag"][letter] and sum(state["bag"].values()) > keep:
                state["bag"][letter] -= 1
                state["board"][random.choice(tiles)]["meeples"][letter] += 1


def spread_camels(
    random: ArtificialRandom | Random,
    state: dict[str, Any],
) -> None:
    """Camels on random tiles; often one player with one or two left."""
    free = list(range(30))
    random.shuffle(free)
    for player_colour, player in state["players"].items():
        left = random.choice([1, 1, 2, random.randint(1, player["camels"])])
        if random.random() < 0.05:
            left = 0
            state["last_round"] = True
        share = 30 // len(state["players"])
        while player["camels"] > left and share:
            state["board"][free.pop()]["camel"] = player_colour
            player["camels"] -= 1
            share -= 1


def spread_buildings(
    random: ArtificialRandom | Random,
    state: dict[str, Any],
) -> None:
    """Palms and palaces anywhere (Lamia and Hagis put them anywhere); now and then all of them."""
    for what, all_of_them in (("palms", PALMS), ("palaces", PALACES)):
        for _ in range(random.choice([0, random.randint(0, all_of_them), all_of_them])):
            random.choice(state["board"])[what] += 1
            state[what] -= 1


def spread_cards(
    random: ArtificialRandom | Random,
    state: dict[str, Any],
) -> None:
    """Hands, row, deck and discards; now and then an empty deck, or nothing left to draw at all."""
    cards = [card for card, count in CARD_COUNTS.items() for _ in range(count)]
    random.shuffle(cards)
    state["row"] = [cards.pop() for _ in range(random.choice([0, 1, 2, 5, 9, 9, 9]))]
    state["deck"] = dict.fromkeys(CARD_COUNTS, 0)
    state["discards"] = dict.fromkeys(CARD_COUNTS, 0)
    places = [player["cards"] for player in state["players"].values()]
    rich = random.random() < 0.2
    for player in places:
        for _ in range(len(cards) // len(places) if rich else random.randint(0, 8)):
            player[cards.pop()] += 1
    while rich and cards and random.random() < 0.8:
        random.choice(places)[cards.pop()] += 1
    to_deck = random.choice([0, 1, len(cards) // 2, len(cards)])
    for number, card in enumerate(cards):
        state["deck" if number < to_deck else "discards"][card] += 1


def spread_djinns(
    random: ArtificialRandom | Random, state: dict[str, Any], named: list[str] | tuple[object, ...], markers: list[str]
) -> None:
    """The djinns named go to players, some others too; the rest is face up, in the deck or discarded."""
    others = [name for name in djinns_in_box(state["promo"]) if name not in named]
    random.shuffle(others)
    in_front = [*named, *(others.pop() for _ in range(random.choice([0, random.randint(0, 12), len(others)])))]
    for name in in_front:
        state["players"][random.choice(markers)]["djinns"].append(name)
    state["face_up"] = [others.pop() for _ in range(min(len(others), random.choice([0, 1, 3, 3])))]
    to_deck = random.choice([0, 1, len(others)])
    state["djinn_deck"], state["djinn_discards"] = others[:to_deck], others[to_deck:]


def place_bids(random: ArtificialRandom | Random, state: dict[str, Any], markers: list[str]) -> None:
    """Rules 3: some markers have bid, the others are still to bid."""
    state["phase"] = "bid"
    done = random.randrange(len(markers))
    prices = sorted(set(TRACK_PRICES_GC) - {0})
    for colour in markers[:done]:
        if random.random() < 0.7 and len(state["zeros"]) < 3:
            state["zeros"].insert(0, colour)
        else:
            price = random.choice([price for price in prices if price not in state["spots"]])
            state["spots"][price] = colour
    state["to_bid"] = markers[done:]


def place_turns(random: ArtificialRandom | Random, state: dict[str, Any], markers: list[str]) -> None:
    """Rules 3.3 and 4.1: some markers have moved, the next one's turn begins."""
    state["phase"] = "turn"
    done = random.randrange(len(markers))
    zeros = min(3, random.randint(0, len(markers)))
    prices = random.sample(sorted(set(TRACK_PRICES_GC) - {0}), len(markers) - zeros)
    all_prices = sorted(prices, reverse=True) + [0] * zeros
    state["moved"] = markers[:done]
    state["to_play"] = list(zip(markers, all_prices, strict=True))[done:]
    start_turn(state)
