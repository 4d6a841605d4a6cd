from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from companion.errors import ImpossiblePositionError, UnusableInputError
from companion.notation.files import from_document, parse_position
from companion.rules.engine.legality import check_position, missing_players, problems, warnings
from companion.rules.engine.resuming import start_game
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import random_setup
from companion.rules.engine.turn import lone_turn
from companion.rules.model.board import SQUARES, Tile, empty_tile
from companion.rules.model.components import TILE_KINDS, Colour
from companion.rules.model.position import Player, Position, keeps_all_known
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.strategies import positions

CASES = Path(__file__).resolve().parents[2] / "../shared/cases"
EXAMPLE = parse_position(EXAMPLE_TOML)
NO_CAMELS = "\n".join(EXAMPLE_ROWS).replace("@K", "").replace("@P", "")


def faults(position: Position) -> list[tuple[str, str]]:
    return [(problem.where, problem.rule) for problem in problems(position)]


def changed(**keys: object) -> Position:
    """The example's board with these keys of a position file."""
    return from_document({"board": EXAMPLE_ROWS, **keys})


def retiled(*changes: tuple[str, str]) -> Position:
    """The example's board alone with tokens replaced, each once."""
    text = "\n".join(EXAMPLE_ROWS)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return parse_position(text)


def test_the_example_is_possible() -> None:
    assert problems(EXAMPLE) == []
    assert warnings(EXAMPLE) == []


def test_2_1_two_players_are_blue_and_pink_so_of_two_others_one_is_missing() -> None:
    black, blue, pink = (Player(colour) for colour in (Colour.BLACK, Colour.BLUE, Colour.PINK))
    bare = from_document({"board": NO_CAMELS})
    (told,) = missing_players(replace(bare, players=(black, blue)))
    assert "black and blue can't play alone" in told and "rules 2.1" in told
    for players in ((blue, pink), (black, blue, pink), (black,), ()):
        assert not [*missing_players(replace(bare, players=players))]


@given(positions())
def test_possible_positions_have_no_faults(position: Position) -> None:
    assert problems(position) == []


TABLE = {
    "1.1 five S6": (retiled(("M4:ybr", "S6")), [("board", "1.1")]),
    "1.1 two S15": (retiled(("S12:yyw", "S15")), [("board", "1.1")]),
    "1.2 seventeen viziers": (retiled(("M4:ww", "M4:" + "y" * 13)), [("board", "1.2")]),
    "1.2 viziers on the board and in front": (
        changed(players={"pink": {"viziers": 6}, "black": {"viziers": 6}}),
        [("players", "1.2")],
    ),
    "1.2 elders in front": (changed(players={"pink": {"elders": 15}}), [("players", "1.2")]),
    "1.2 red meeples": (retiled(("M6:r", "M6:" + "r" * 16)), [("board", "1.2")]),
    "1.3 thirteen palms": (retiled(("O8@K^1", "O8@K^13")), [("board", "1.3")]),
    "1.3 eleven palaces": (retiled(("V5:g", "V5:g#10")), [("board", "1.3")]),
    "1.3 coins": (changed(players={"pink": {"gold": 200}, "black": {"gold": 89}}), [("players", "1.3")]),
    "1.4 three ivories in the row": (changed(row=["ivory"] * 3), [("row", "1.4")]),
    "1.4 seven fish discarded": (changed(discards=["fish"] * 7), [("discards", "1.4")]),
    "1.4 three jewels in a hand": (changed(players={"pink": {"goods": {"jewels": 3}}}), [("pink", "1.4")]),
    "1.4 nineteen fakirs in all": (
        changed(row=["fakir"] * 9, discards=["fakir"] * 5, players={"pink": {"fakirs": 5}}),
        [("cards", "1.4")],
    ),
    "1.5 a djinn face up and in hand": (
        changed(djinns=["Utug"], players={"pink": {"djinns": ["Utug"]}}),
        [("pink", "1.5")],
    ),
    "1.5 a djinn twice in one hand": (changed(players={"pink": {"djinns": ["Enki", "Enki"]}}), [("pink", "1.5")]),
    "2.6 ten cards in the row": (changed(row=["fakir"] * 10), [("row", "2.6")]),
    "2.7 four djinns face up": (changed(djinns=["Utug", "Enki", "Nekir", "Leta"]), [("djinns", "2.7")]),
    "1.6 five markers on the bid order track": (
        changed(bid_order=["pink", "pink", "black", "black", "pink"]),
        [("bid_order", "1.6"), ("bid_order", "1.5"), ("bid_order", "1.5")],
    ),
    "1.5 two black markers": (changed(bid_order=["black", "black"]), [("bid_order", "1.5")]),
    "1.5 two pink markers among three players": (
        changed(bid_order=["pink", "pink", "black", "orange"]),
        [("bid_order", "1.5")],
    ),
    "2.1 a marker on each track among three players": (
        changed(bid_order=["orange", "pink"], turn_order=[{"player": "pink", "price": 3}]),
        [("pink", "2.1")],
    ),
    "2.1 three markers on both tracks of two players": (
        changed(bid_order=["pink", "pink"], turn_order=[{"player": "pink", "price": 3}]),
        [("pink", "2.1")],
    ),
    "1.6 no such price": (changed(turn_order=[{"player": "pink", "price": 4}]), [("turn_order", "1.6")]),
    "3.1 one dear spot twice": (
        changed(turn_order=[{"player": "pink", "price": 5}, {"player": "black", "price": 5}]),
        [("turn_order", "3.1")],
    ),
    "3.2 four zeros": (
        changed(turn_order=[{"player": c, "price": 0} for c in ("black", "orange", "blue", "pink")]),
        [("turn_order", "3.2")],
    ),
    "3.3 cheaper spot first": (
        changed(turn_order=[{"player": "pink", "price": 0}, {"player": "black", "price": 5}]),
        [("turn_order", "3.3")],
    ),
}


def test_each_fault_is_named_by_place_and_rule(subtests: pytest.Subtests) -> None:
    for case in TABLE:
        with subtests.test(case=case):
            position, expected = TABLE[case]
            assert faults(position) == expected


LIMITS = {
    "1.2 all sixteen viziers": changed(players={"pink": {"viziers": 6}, "black": {"viziers": 5}}),
    "1.3 all coins": changed(players={"pink": {"gold": 200}, "black": {"gold": 88}}),
    "1.3 all palms and palaces": retiled(("O8@K^1", "O8@K^12"), ("V5:g", "V5:g#9")),
    "1.4 all fakirs": changed(row=["fakir"] * 9, discards=["fakir"] * 5, players={"pink": {"fakirs": 4}}),
    "2.1 two markers each for two": changed(
        bid_order=["pink", "black"], turn_order=[{"player": "pink", "price": 3}, {"player": "black", "price": 0}]
    ),
    "2.1 both markers of the only one known": from_document(
        {"board": NO_CAMELS, "to_move": "blue", "bid_order": ["blue", "blue"]}
    ),
    "2.1 both markers on one track": changed(turn_order=[{"player": "pink", "price": 0}] * 2),
    "3.2 three zeros": changed(turn_order=[{"player": c, "price": 0} for c in ("black", "orange", "blue")]),
}


def test_what_the_box_just_holds_is_possible(subtests: pytest.Subtests) -> None:
    for case in LIMITS:
        with subtests.test(case=case):
            assert problems(LIMITS[case]) == []


def camelled(colour: str, number: int, others: str = "") -> Position:
    position = parse_position(NO_CAMELS)
    camels = [colour] * number + list(others)
    board = tuple(
        replace(tile, camel=camel) for tile, camel in zip(position.board, [*camels, *[None] * 30], strict=False)
    )
    return position.with_board(board)


def test_rules_1_5_and_2_1_camels_by_colours_in_the_game(subtests: pytest.Subtests) -> None:
    for colour, number, others, possible in [
        ("black", 8, "", True),
        ("black", 9, "", False),
        ("pink", 11, "", True),
        ("pink", 12, "", False),
        ("pink", 11, ["blue"], True),
        ("pink", 9, ["blue", "black"], False),
        ("pink", 8, ["blue", "black"], True),
    ]:
        with subtests.test(colour=colour):
            position = camelled(Colour(colour), number, [Colour(other) for other in others])
            assert (problems(position) == []) is possible


def test_every_fault_is_told_at_once() -> None:
    position = from_document(
        {
            "board": "\n".join(EXAMPLE_ROWS).replace("M4:ybr", "S6:" + "y" * 14),
            "row": ["ivory"] * 3,
            "djinns": ["Utug", "Utug"],
        }
    )
    assert faults(position) == [("board", "1.1"), ("board", "1.2"), ("row", "1.4"), ("djinns", "1.5")]
    with pytest.raises(
        ImpossiblePositionError, match=r"(?s)b1, e1, c5, e5, f5.*1.1.*yellow meeples.*18.*ivory: 3.*Utug"
    ):
        check_position(position)


def waiting(first: str, second: str) -> list[dict[str, object]]:
    """Two markers on the turn order track."""
    return [{"player": first, "price": 5}, {"player": second, "price": 0}]


def test_what_merely_looks_odd_is_possible_but_noted(subtests: pytest.Subtests) -> None:
    for position, words in [
        (retiled(("V5 S6@P S6", "V5 S6@P S6^1")), "f5: a palm"),
        (retiled(("M6:y M6:bb", "M6:y M6:bb#1")), "e3: a palace"),
        (retiled(("M4:ww", "M4:ww#1")), ""),
        (retiled(("S12:yyw", "S12:yyw#1")), ""),
        (retiled(("M6 M6\n", "M6 M6#1\n")), "f4: a palace"),
        (changed(phase="end", turn_order=[{"player": "pink", "price": 0}]), "turn_order: markers"),
        (changed(to_move="black", turn_order=waiting("pink", "black")), "to_move: black"),
        (changed(to_move="black", turn_order=waiting("black", "pink")), ""),
        (changed(phase="bid", to_move="black", turn_order=waiting("pink", "black")), ""),
        # In a game of two pink's other marker is the one that plays.
        (from_document({"board": NO_CAMELS, "to_move": "pink", "turn_order": waiting("blue", "pink")}), ""),
        (changed(phase="bid", row=["fish"]), "row: 1 card before"),
        (changed(phase="bid", djinns=["Utug"]), "djinns: 1 face up"),
    ]:
        with subtests.test(position=position):
            assert problems(position) == []
            assert [words in note for note in warnings(position)] == ([True] if words else [])


BARE = Position(tuple(empty_tile("M6") for _ in range(SQUARES)), players=(Player(Colour.PINK), Player(Colour.BLACK)))


def first_tile(tile: Tile) -> Position:
    return BARE.with_board((tile, *BARE.board[1:]))


MALFORMED = {
    "2.3": (BARE.with_board(BARE.board[:29]), "board", "29, not 30"),
    "1.2 tribes": (first_tile(Tile(TILE_KINDS["M6"], (1, 1))), "a1", "2, not 5"),
    "1.2 negative": (first_tile(Tile(TILE_KINDS["M6"], (0, 0, -1, 0, 0))), "a1", "-1 builders"),
    "1.3 palms": (first_tile(Tile(TILE_KINDS["O8"], palms=-2)), "a1", "-2 palms"),
    "1.3 gold": (replace(BARE, players=(Player(Colour.PINK, gold=-5),)), "pink", "-5 GC"),
    "1.4 goods": (replace(BARE, players=(Player(Colour.PINK, goods=(0,) * 8),)), "pink", "8, not 9"),
    "1.4 fakirs": (replace(BARE, players=(Player(Colour.PINK, fakirs=-1),)), "pink", "-1 fakirs"),
}


def test_a_position_that_does_not_hold_together_is_named_and_not_played(subtests: pytest.Subtests) -> None:
    for rule, (position, where, words) in MALFORMED.items():
        with subtests.test(msg=rule):
            (fault,) = problems(position)
            assert (fault.where, fault.rule) == (where, rule.split()[0])
            assert words in fault.message
            with pytest.raises(ImpossiblePositionError):
                start_game(position)
            with pytest.raises(ImpossiblePositionError):
                lone_turn(replace(position, to_move=Colour.PINK))


def test_11_a_djinn_that_there_is_not_is_refused() -> None:
    position = replace(BARE, players=(Player(Colour.PINK, djinns=("Nobody",)),))
    assert ("pink", "11") in faults(position)
    with pytest.raises(UnusableInputError, match="there is no djinn 'Nobody'"):
        score(position)


def test_1_5_a_djinn_in_several_places_is_named_with_each() -> None:
    start = random_setup(4, 3)
    name = start.djinns[0]
    for holders, shown in (
        ((Colour.PINK,), "1 face up, 1 with pink): 2"),
        ((Colour.BLUE, Colour.PINK), "1 face up, 1 with blue, 1 with pink): 3"),
    ):
        players = tuple(Player(c, djinns=(name,)) if c in holders else start.player(c) for c in start.colours)
        (problem,) = [fault for fault in problems(replace(start, players=players)) if fault.rule == "1.5"]
        assert problem.where == "pink" and f"{name} ({shown}" in problem.message


def test_1_4_too_many_of_a_card_are_named_with_every_place() -> None:
    position = changed(row=["ivory", "fish"], discards=["ivory"], players={"pink": {"goods": {"ivory": 2}}})
    (problem,) = problems(position)
    assert all(where in problem.message for where in ("1 in the row", "1 discarded", "2 with pink"))


def test_5_1_the_bag_is_known_if_two_players_are_and_none_is_silent() -> None:
    for known, is_known in (
        ([(1, 2), (0, 0)], True),
        ([(1, 2), (0, 0), (3, 3)], True),
        ([(1, 2)], False),
        ([(1, 2), (None, 0)], False),
        ([(1, 2), (0, None)], False),
    ):
        players = tuple(Player(c, viziers=own[0], elders=own[1]) for c, own in zip(Colour, known, strict=False))
        assert keeps_all_known(replace(BARE, players=players)) is is_known
