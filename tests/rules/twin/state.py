"""The state of the plain game: dicts and lists that are changed in place.

    board         30 tiles {"kind": "V5", "meeples": {"y": 0, "w": 0, "b": 0, "g": 0, "r": 0},
                            "camel": colour or None, "palms": n, "palaces": n}
    bag           meeples by letter; "palms" and "palaces" are the supplies
    players       colour -> {"gold", "viziers", "elders", "camels", "cards": {card: n}, "djinns": [name, ...]}
    row, deck, discards                     face-up cards in order; the other two as {card: n}
    face_up, djinn_deck, djinn_discards     lists of names; the order of the last two means nothing
    phase         "bid", "turn" or "end"
    to_bid        colours of the markers on the bid order track that still bid, first spot first
    zeros         colours on the zero spots, the first to play first; spots: {price: colour} of the others
    to_play       (colour, price) of the markers on the turn order track still to play, in playing order
    moved         colours of the markers back on the bid order track, first spot first
    last_round    True when the game ends with this round
    promo         True when Dhenim is in the game: 6 VP, no cost; whenever anyone gains viziers from the board,
                  1 GC a vizier if the owner does, 2 GC if another
    turn          None, or what is known within one turn, see `new_turn`

Squares are 0-29, meeples the letters y w b g r, colours, cards, tiles and djinns plain strings.
"""

from __future__ import annotations

from typing import Any

from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, MEEPLE_COUNTS, PALACES, PALMS, START_GOLD_GC

LETTERS = "ywbgr"
VILLAGE, OASIS, SMALL_MARKET, LARGE_MARKET, SACRED = "V", "O", "M6", "M4", "S"


def new_tile(kind: str, meeples: str = "", camel: None = None, palms: int = 0, palaces: int = 0) -> Any:
    return {
        "kind": kind,
        "meeples": {letter: meeples.count(letter) for letter in LETTERS},
        "camel": camel,
        "palms": palms,
        "palaces": palaces,
    }


def new_player(camels: int) -> Any:
    """Rules 2.2: 50 GC each; rules 1.5: the camels."""
    return {
        "gold": START_GOLD_GC,
        "viziers": 0,
        "elders": 0,
        "camels": camels,
        "cards": dict.fromkeys(CARD_COUNTS, 0),
        "djinns": [],
    }


def camels_at_start(players: int) -> int:
    """Rules 2.1: 11 camels each with two players, else 8."""
    return 11 if players == 2 else 8


def markers_each(players: int) -> int:
    """Rules 2.1: two turn markers each with two players, else one."""
    return 2 if players == 2 else 1


def new_game(
    tiles: list[str], meeples: list[str], bid_order: list[str], row: list[str], face_up: list[str], promo: bool = False
) -> Any:
    """Rules 2: everything laid out as told; `tiles` 30 codes, `meeples` 30 texts of three letters."""
    colours = sorted(set(bid_order))
    deck = dict(CARD_COUNTS)
    for card in row:
        deck[card] -= 1
    return {
        "board": [new_tile(code, letters) for code, letters in zip(tiles, meeples, strict=True)],
        "bag": {
            letter: count - "".join(meeples).count(letter) for letter, count in zip(LETTERS, MEEPLE_COUNTS, strict=True)
        },
        "palms": PALMS,
        "palaces": PALACES,
        "players": {colour: new_player(camels_at_start(len(colours))) for colour in colours},
        "row": list(row),
        "deck": deck,
        "discards": dict.fromkeys(CARD_COUNTS, 0),
        "face_up": list(face_up),
        "djinn_deck": [name for name in djinns_in_box(promo) if name not in face_up],
        "djinn_discards": [],
        "phase": "bid",
        "to_bid": list(bid_order),
        "zeros": [],
        "spots": {},
        "to_play": [],
        "moved": [],
        "last_round": False,
        "turn": None,
        "promo": promo,
    }


def djinns_in_box(promo: bool) -> list[str]:
    """Rules 1.5: the 22 djinns, and the promo one if it is played with."""
    return [name for name in DJINN_VALUES if promo or name != "Dhenim"]


def new_turn(colour: str) -> dict[str, None | bool | int | list[object] | str]:
    """What one turn needs: who plays, at which step, and what happened in it so far.

    The steps are "move", "sow", "tribe", "tile", "end", "sold", and "look" while Sibittis's djinns are looked at.
    In "sow" there is "sowing" too: start, drops so far, where the hand is here and was before, and what is left
    in it. In "look" there are "looking_at", the djinns drawn, and "back_to", the step that goes on.
    """
    return {
        "colour": colour,
        "step": "move",
        "must_skip": False,  # no legal move when the turn began, rules 9.2
        "end": None,  # end tile, square
        "taken": None,  # (letter, count) taken in hand, rules 4.7
        "used": [],  # djinns whose power was used in this turn, rules 11
        "builder_coins": 0,  # what builders brought in this turn before any doubling, rules 11.9
    }


def copied(
    thing: Any,
) -> dict[Any, Any] | int | str | None:
    """The same dicts and lists anew, so that the one can change without the other."""
    if isinstance(thing, dict):
        return {name: copied(part) for name, part in thing.items()}
    return [copied(part) for part in thing] if isinstance(thing, list) else thing


def opponents(state: dict[str, Any], colour: str) -> list[str]:
    return [other for other in state["players"] if other != colour]


def has(state: dict[str, Any], colour: str, djinn: str) -> bool:
    return djinn in state["players"][colour]["djinns"]


def owner_of(state: dict[str, Any], djinn: str) -> None:
    """Who has that djinn in front, None if nobody."""
    for colour, player in state["players"].items():
        if djinn in player["djinns"]:
            return colour
    return None


def meeples_on(tile: dict[str, Any]) -> int:
    return sum(tile["meeples"].values())


def is_empty_tile(tile: dict[str, Any]) -> bool:
    """Rules 11, Anun-Nak and Leta: no camel, meeple, palm or palace."""
    return meeples_on(tile) == 0 and tile["camel"] is None and tile["palms"] == 0 and tile["palaces"] == 0


def row_and_column(square: int) -> tuple[int, int]:
    return square // 6, square % 6


def steps_between(one: int, other: int) -> int:
    """Rules 5.4: orthogonal steps."""
    row, column = row_and_column(one)
    other_row, other_column = row_and_column(other)
    return abs(row - other_row) + abs(column - other_column)


def orthogonal(square: int) -> list[int]:
    """Rules 4.2: the tiles one step away."""
    row, column = row_and_column(square)
    places = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [6 * row + column for row, column in places if 0 <= row < 5 and 0 <= column < 6]


def around(square: int) -> list[int]:
    """Rules 5.3 and 11.2: the up to eight tiles around, diagonals included."""
    row, column = row_and_column(square)
    found = []
    for other in range(30):
        other_row, other_column = row_and_column(other)
        if other != square and abs(row - other_row) <= 1 and abs(column - other_column) <= 1:
            found.append(other)
    return found


def blue_tiles(state: dict[str, Any], square: int) -> int:
    """Rules 5.3: blue-valued tiles among the tile and those around it; villages and sacred places (1.1)."""
    return sum(state["board"][other]["kind"][0] in "VS" for other in [square, *around(square)])


def fakirs_of(state: dict[str, Any], colour: str) -> int:
    return state["players"][colour]["cards"][FAKIR]


def discard_cards(state: dict[str, Any], colour: str, card: str, count: int = 1) -> None:
    """Rules 5.6 and 7.1: cards go from the hand to the discard pile."""
    state["players"][colour]["cards"][card] -= count
    state["discards"][card] += count


def spend_elders(state: dict[str, Any], colour: str, count: int) -> None:
    """Rules 6.5 and 11: elders paid go to the bag."""
    state["players"][colour]["elders"] -= count
    state["bag"]["w"] += count


def earn(state: dict[str, Any], colour: str, coins: int) -> None:
    state["players"][colour]["gold"] += coins


def put_camel(state: dict[str, Any], colour: str, square: int) -> None:
    """Rules 4.8, 5.5 and 11.7: claim a tile; 9.1: the last camel makes this round the last."""
    player = state["players"][colour]
    state["board"][square]["camel"] = colour
    player["camels"] -= 1
    if player["camels"] == 0:
        state["last_round"] = True


def cards_left(state: dict[str, Any]) -> int:
    """Cards that can still be drawn: the deck, else the discards that would make a new one (8.1)."""
    return sum(state["deck"].values()) + sum(state["discards"].values())


def draw_card(state: dict[str, Any], card: str) -> None:
    """Take that card off the deck; rules 8.1: an empty deck is remade from the discards first."""
    if sum(state["deck"].values()) == 0:
        state["deck"], state["discards"] = state["discards"], dict.fromkeys(CARD_COUNTS, 0)
    if state["deck"][card] == 0:
        raise ValueError(f"no {card} in the deck")
    state["deck"][card] -= 1


def djinns_left(state: dict[str, Any]) -> int:
    return len(state["djinn_deck"]) + len(state["djinn_discards"])


def draw_djinn(state: dict[str, Any], name: str) -> None:
    """Take that djinn off the deck; rules 8.1: an empty deck is remade from the discards first."""
    if not state["djinn_deck"]:
        state["djinn_deck"], state["djinn_discards"] = state["djinn_discards"], []
    if name not in state["djinn_deck"]:
        raise ValueError(f"no {name} in the deck of djinns")
    state["djinn_deck"].remove(name)


# Rules 11, the column VP; Dhenim is the promo djinn.
DJINN_VALUES = {
    "Al-Amin": 5,
    "Anun-Nak": 8,
    "Ba'al": 6,
    "Boaz": 6,
    "Bouraq": 6,
    "Dhenim": 6,
    "Echidna": 4,
    "Enki": 8,
    "Hagis": 10,
    "Haurvatat": 8,
    "Iblis": 8,
    "Jafaar": 6,
    "Kandicha": 6,
    "Kumarbi": 6,
    "Lamia": 10,
    "Leta": 4,
    "Marid": 6,
    "Monkir": 6,
    "Nekir": 6,
    "Shamhat": 6,
    "Sibittis": 4,
    "Sloar": 8,
    "Utug": 4,
}

# Rules 11, the column cost, as every way to pay it: (elders, fakirs).
E = [(1, 0)]
EF = [(1, 0), (0, 1)]
E_AND_EF = [(2, 0), (1, 1)]
F = [(0, 1)]
DJINN_COSTS = {
    "Anun-Nak": EF,
    "Bouraq": EF,
    "Echidna": E_AND_EF,
    "Enki": EF,
    "Hagis": EF,
    "Iblis": EF,
    "Lamia": EF,
    "Leta": E_AND_EF,
    "Sibittis": E_AND_EF,
    "Sloar": F,
    "Utug": E_AND_EF,
}

GOOD_NAMES = list(GOODS)
