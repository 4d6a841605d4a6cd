"""Rules 4.2 to 4.8 and Marid: the move of the meeples, step by step."""

from __future__ import annotations

from typing import Any

from tests.rules.twin.state import LETTERS, copied, earn, meeples_on, orthogonal, owner_of, put_camel


def hand_from(state: dict[str, Any], start: int) -> dict[str, int]:
    """Rules 4.2: all meeples of the start tile."""
    return dict(state["board"][start]["meeples"])


def allowed_steps(here: int, before: int | None) -> list[int]:
    """Rules 4.2 and 4.3: orthogonal neighbours, save the tile just left."""
    return [square for square in orthogonal(here) if square != before]


def all_sowings(state: dict[str, Any], start: int) -> list[Any]:
    """Rules 4.2 to 4.5: every legal list of (square, letter) from a start tile, by trying everything."""
    board = copied(state["board"])
    hand = dict(board[start]["meeples"])
    board[start]["meeples"] = dict.fromkeys(LETTERS, 0)
    found = []

    def go(here: int, before: int | None, drops: tuple[tuple[int, str], ...]) -> None:
        for square in allowed_steps(here, before):
            for letter in LETTERS:
                if hand[letter] == 0:
                    continue
                last = sum(hand.values()) == 1
                if last:
                    if board[square]["meeples"][letter] > 0:
                        found.append((*drops, (square, letter)))
                    continue
                hand[letter] -= 1
                board[square]["meeples"][letter] += 1
                go(square, here, (*drops, (square, letter)))
                board[square]["meeples"][letter] -= 1
                hand[letter] += 1

    if sum(hand.values()) > 0:
        go(start, None, ())
    return found


def can_finish(board: list[dict[str, Any]], hand: dict[str, int], here: int, before: int | None) -> bool:
    """Rules 4.2 to 4.5: whether the meeples in hand can be sown to a legal end from here.

    Only the walk and the last colour matter: the last meeple needs one of its colour that stands on the
    end tile now, or that the walk drops there on an earlier visit, for which the hand must hold two.
    """

    def go(here: int, before: int | None, left: int, visited: list[int]) -> bool | None:
        for square in allowed_steps(here, before):
            if left > 1:
                if go(square, here, left - 1, [*visited, square]):
                    return True
                continue
            for letter in LETTERS:
                if hand[letter] >= 1 and board[square]["meeples"][letter] >= 1:
                    return True
                if hand[letter] >= 2 and square in visited:
                    return True
        return False

    count = sum(hand.values())
    return count > 0 and go(here, before, count, [])


def can_start(
    state: dict[str, Any],
    start: int,
) -> bool:
    """Rules 4.2: whether a move from this tile can end legally."""
    board = [dict(tile, meeples=dict(tile["meeples"])) for tile in state["board"]]
    hand = dict(board[start]["meeples"])
    board[start]["meeples"] = dict.fromkeys(LETTERS, 0)
    return can_finish(board, hand, start, None)


def start_tiles(state: dict[str, Any]) -> list[int]:
    """Rules 4.2 and 4.6: the tiles from which a legal move exists."""
    return [square for square in range(30) if can_start(state, square)]


def can_move(state: dict[str, Any]) -> bool:
    """Rules 4.6: whether any legal move exists."""
    return any(can_start(state, square) for square in range(30))


def is_legal_sowing(state: dict[str, Any], start: int, drops: tuple[tuple[int, str], ...]) -> bool:
    """Rules 4.2 to 4.5: whether these drops, in order, are a legal move from the start tile."""
    board = [dict(tile["meeples"]) for tile in state["board"]]
    hand = dict(board[start])
    board[start] = dict.fromkeys(LETTERS, 0)
    if not drops or len(drops) != sum(hand.values()):
        return False
    here, before = start, None
    for number, (square, letter) in enumerate(drops, 1):
        if square not in allowed_steps(here, before) or hand[letter] == 0:
            return False
        if number == len(drops) and board[square][letter] == 0:
            return False
        hand[letter] -= 1
        board[square][letter] += 1
        here, before = square, here
    return True


def tell_marid(state: dict[str, Any], mover: str, square: int) -> None:
    """Rules 11, Marid: 1 GC for an own drop on an own tile, 2 GC for another's."""
    owner = owner_of(state, "Marid")
    if owner is not None and state["board"][square]["camel"] == owner:
        earn(state, owner, 1 if owner == mover else 2)


def take_colour(state: dict[str, Any], mover: str, end: int, letter: str) -> int:
    """Rules 4.7 and 4.8: take the last colour in hand, claim the tile if that empties it."""
    tile = state["board"][end]
    count = tile["meeples"][letter]
    tile["meeples"][letter] = 0
    if meeples_on(tile) == 0:
        claim_if_possible(state, mover, end)
    return count


def claim_if_possible(state: dict[str, Any], mover: str, square: int) -> None:
    """Rules 4.8 and 5.5: a camel on an emptied tile that has none, if there is a camel left."""
    if state["board"][square]["camel"] is None and state["players"][mover]["camels"] > 0:
        put_camel(state, mover, square)
