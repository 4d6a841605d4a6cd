"""A photo held against its game: what is asked, what is settled, what stays as the game has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.notation.tokens import parse_tile
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, Board, Tile, parse_square
from companion.rules.model.components import TILE_KINDS, Colour
from companion.rules.model.position import Position
from companion.table.comparing import (
    TablePart,
    TileCheck,
    board_to_compare,
    cannot_become,
    check_of,
    moved_tiles,
    new_faults,
    offered_for,
    part_differences,
    photographed,
    tiles_to_check,
    tiles_to_look_at,
)
from companion.table.games import TableGame, begin_table
from companion.table.photo_reading import answered, table_reading
from companion.table.photos import TableReading
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from tests.samples import MID

BLACK, ORANGE, BLUE, PINK = Colour


def with_tile(board: Board, name: str, token: str) -> Board:
    """The board with another tile on a square."""
    square = parse_square(name)
    return (*board[:square], parse_tile(token), *board[square + 1 :])


def token_with(tile: Tile, **changes: object) -> Tile:
    """The tile with other pieces."""
    return replace(tile, **changes)  # type: ignore[arg-type]


def seen_as(board: Board, doubtful: dict[str, tuple[float, tuple[Tile, ...]]] | None = None) -> TableReading:
    """A photo read as this board; doubtful squares with what is at stake and the other readings."""
    tiles = [TileReading(tile, 0.99) for tile in board]
    for name, (stake, others) in (doubtful or {}).items():
        square = parse_square(name)
        tiles[square] = replace(tiles[square], confidence=0.6, others=others, expected_loss=stake)
    return table_reading(PhotoSession((), Reading(Position(board), tuple(tiles))), b"a photo")


def names(checks: Iterable[TileCheck]) -> list[str]:
    return [check.label for check in checks]


def test_without_a_game_what_is_in_doubt_is_asked_where_most_is_at_stake_first() -> None:
    seen = seen_as(MID.board, {"a1": (1.0, ()), "c3": (4.0, ())})
    assert names(tiles_to_check(seen)) == ["c3", "a1"]
    assert names(tiles_to_check(answered(seen, [("c3", str(MID.board[parse_square("c3")]))]))) == ["a1"]


def test_a_doubtful_tile_that_reads_as_the_game_has_it_is_settled() -> None:
    assert tiles_to_check(seen_as(MID.board, {"a1": (1.0, ()), "c3": (4.0, ())}), MID.board) == ()


def test_a_doubtful_tile_that_the_game_has_otherwise_is_asked_with_the_games_own_after_what_was_read() -> None:
    square = parse_square("c3")
    ours = MID.board[square]
    one_more = token_with(ours, meeples=(ours.meeples[0] + 1, *ours.meeples[1:]))
    two_more = token_with(ours, meeples=(ours.meeples[0] + 2, *ours.meeples[1:]))
    board = (*MID.board[:square], one_more, *MID.board[square + 1 :])
    seen = seen_as(board, {"c3": (1.0, (two_more, ours))})
    (check,) = tiles_to_check(seen, MID.board)
    assert (check.in_game, check.is_impossible) == (ours, False)
    assert offered_for(seen, MID.board, square) == [one_more, ours, two_more]


def test_camels_palms_palaces_and_tiles_stay() -> None:
    """rules 2.3, 4.8, 6.1, 6.2"""
    for before, after, impossible in (
        ("O8@K", "O8", True),
        ("O8@K", "O8@P", True),
        ("O8", "O8@P", False),
        ("O8^2", "O8^1", True),
        ("O8^1", "O8^2", False),
        ("V5#1", "V5", True),
        ("V5", "V5#1", False),
        ("V5", "S6", True),
        ("V5:yyw", "V5", False),
        ("V5", "V5:rrr", False),
    ):
        assert cannot_become(parse_tile(before), parse_tile(after)) is impossible


def test_what_cannot_have_come_about_is_asked_first_though_it_was_read_for_sure() -> None:
    camel = next(name for name, tile in zip(SQUARE_NAMES, MID.board, strict=True) if tile.camel is not None)
    ours = MID.board[parse_square(camel)]
    board = list(MID.board)
    board[parse_square(camel)] = token_with(ours, camel=None)
    other = "a1" if camel != "a1" else "b1"
    read = board[parse_square(other)]
    board[parse_square(other)] = token_with(read, meeples=(read.meeples[0] + 1, *read.meeples[1:]))
    seen = seen_as(tuple(board), {other: (9.0, ())})
    checks = tiles_to_check(seen, MID.board)
    assert names(checks) == [camel, other] and checks[0].is_impossible
    assert offered_for(seen, MID.board, parse_square(camel)) == [board[parse_square(camel)], ours]
    # What was read for sure, and may have come about, is told of and not asked.
    assert names(moved_tiles(seen_as(tuple(board)), MID.board)) == [other]
    assert check_of(seen, MID.board, 29).in_game is None


def test_other_tiles_are_another_table() -> None:
    assert board_to_compare(seen_as(MID.board), MID.board) == MID.board
    assert board_to_compare(seen_as(MID.board), MID.board[1:] + MID.board[:1]) is None

    kinds = tuple(TILE_KINDS.values())
    for same in (19, 20):
        other = tuple(replace(tile, kind=kinds[kinds.index(tile.kind) - 1]) for tile in MID.board[same:])
        compared = board_to_compare(seen_as((*MID.board[:same], *other)), MID.board)
        assert (compared == MID.board) is (same == 20)


GAME = begin_table(MID, {BLUE: "Olha"}, date="2026-11-22")
SEEN = Position(with_tile(MID.board, "a1", "O8:ggw"))


def test_what_a_photo_does_not_show_stays_as_the_game_has_it() -> None:
    """Order, bids, who plays, holdings, the row, djinns and discards: nothing of them is on a board."""
    before = GAME.position
    after = photographed(GAME, SEEN)
    assert after == replace(before, board=SEEN.board)
    assert before.turn_order and before.bid_order and before.to_move and before.players and before.row


def test_cards_beside_the_board_are_taken_or_kept_as_is_said() -> None:
    seen = replace(SEEN, row=("fish", "silk"), djinns=("Utug",))
    differences = part_differences(GAME.position, seen)
    assert [difference.part for difference in differences] == [TablePart.ROW, TablePart.DJINNS]
    assert differences[0].in_photo == "fish and silk"
    assert photographed(GAME, seen).row == ("fish", "silk") and photographed(GAME, seen).djinns == ("Utug",)
    kept = photographed(GAME, seen, {TablePart.ROW})
    assert kept.row == GAME.position.row and kept.djinns == ("Utug",)
    # What the game does not know is taken whatever is said, and what is alike is no difference.
    taken = photographed(TableGame(replace(GAME.position, row=None, djinns=None)), seen, set(TablePart))
    assert (taken.row, taken.djinns) == (("fish", "silk"), ("Utug",))
    turned_round = replace(SEEN, row=GAME.position.row, djinns=tuple(reversed(GAME.position.djinns or ())))
    assert part_differences(GAME.position, turned_round) == ()


def test_cards_that_came_and_that_nobody_told_are_not_known() -> None:
    """rules 8.1"""
    assert GAME.playing is not None
    owing = TableGame(GAME.position, replace(GAME.playing, owes=True))
    after = photographed(owing, SEEN)
    assert (after.row, after.djinns) == (None, None) and after.players == GAME.position.players
    told = replace(SEEN, row=("fish",) * 6)
    assert photographed(owing, told).row == told.row


def test_only_faults_that_a_photo_brings_are_told() -> None:
    seventeen = replace(GAME.position, board=with_tile(MID.board, "a1", "O8:" + "y" * 17))
    assert new_faults(GAME.position, seventeen) and not new_faults(seventeen, seventeen)


def on_squares(position: Position, **changes: dict[str, object]) -> Position:
    """The position with other pieces on the squares named."""
    board = list(position.board)
    for name, pieces in changes.items():
        board[parse_square(name)] = token_with(board[parse_square(name)], **pieces)
    return replace(position, board=tuple(board))


ASSASSINS: dict[str, object] = {"meeples": (0, 0, 0, 0, 25)}
VIZIERS: dict[str, object] = {"meeples": (20, 0, 0, 0, 0)}


def test_a_fault_that_the_game_had_before_is_not_told_for_a_new_one_of_its_kind() -> None:
    """rules 1.2"""
    before = on_squares(GAME.position, c3=ASSASSINS)
    assert [problem.rule for problem in problems(before)] == ["1.2"]
    after = on_squares(before, d3=VIZIERS)
    (fault,) = new_faults(before, after)
    assert "viziers" in fault.message
    # A fault of that kind with another number is the one that was there before.
    more = on_squares(GAME.position, c3={"meeples": (0, 0, 0, 0, 26)})
    assert problems(more) != problems(before) and new_faults(before, more) == ()
    # It stands for one of them alone.
    assert len(new_faults(before, on_squares(more, d3=VIZIERS))) == 1
    # Two more of a kind are two new ones.
    elders = on_squares(after, e3={"meeples": (0, 25, 0, 0, 0)})
    assert len(new_faults(before, elders)) == 2


def test_answers_change_neither_the_order_of_tiles_to_look_at_nor_of_what_they_may_be() -> None:
    square = parse_square("c3")
    game = MID.board[square]
    read, told = token_with(game, palms=game.palms + 1), token_with(game, palms=game.palms + 2)
    board = (*MID.board[:square], read, *MID.board[square + 1 :])
    seen = seen_as(board, {"c3": (4.0, (told,)), "a1": (1.0, ())})
    after = answered(seen, [("c3", str(told))])
    assert names(tiles_to_look_at(seen)) == names(tiles_to_look_at(after)) == ["c3", "a1"]
    assert [check.tile for check in tiles_to_look_at(after)] == [told, board[0]]
    assert offered_for(seen, None, square) == offered_for(after, None, square) == [read, told]
    # What nobody thought of is offered from then on, last.
    other = token_with(game, palms=game.palms + 3)
    assert offered_for(answered(seen, [("c3", str(other))]), MID.board, square) == [read, game, told, other]
    # What a game has settled is not looked at, and what cannot have come about is, told or not.
    gone = seen_as((*board[:square], token_with(read, palms=0), *board[square + 1 :]), {"a1": (1.0, ())})
    gone = replace(gone, view=b"a photo of it")
    built = MID.with_board(board).board
    assert names(tiles_to_look_at(gone, built)) == ["c3"]
    assert names(tiles_to_look_at(answered(gone, [("c3", str(read))]), built)) == ["c3"]
