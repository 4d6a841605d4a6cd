"""What a seat may not see never reaches its phone (rules 12.2): looked for in the bytes of every answer."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

from companion.history.saved import GameKey
from companion.notation.records.header import Header
from companion.notation.records.lines import Line, Record, parse_turn
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Phase
from companion.table.games import begin_table
from companion.table.seats import visible_lines
from tests.web.at_table import MID, AtTable, begin, kept, now, revision
from tests.web.page_forms import without_tokens


def test_what_a_seat_may_not_have_is_refused(table: AtTable) -> None:
    key = kept(table, MID)
    # Blue is to move.
    pink, blue = table.phone("pink"), table.phone("blue")
    for path in ("/hint", "/bid", "/score", "/sheet.pdf", "/record.txt", "/result.json", "/players/blue"):
        assert pink.get(f"/games/{key}{path}").status_code == 403, path
    assert pink.post(f"/games/{key}/play", {"line": "blue: a1"}).status_code == 403
    assert pink.post(f"/games/{key}/players/blue", {"gold": "1"}).status_code == 403
    assert blue.get(f"/games/{key}/hint").status_code == 200
    assert blue.get(f"/games/{key}/players/blue").status_code == 200
    assert blue.get(f"/games/{key}/players/black").status_code == 403


def test_no_seat_ends_a_game_before_its_end(table: AtTable) -> None:
    """All hands are open when a game is over."""
    key = kept(table, MID)
    for seat in ("blue", "orange", "pink"):
        phone = table.phone(seat)
        answer = phone.post(f"/games/{key}/finish")
        assert answer.status_code == 403 and "the shared phone" in answer.text
        assert phone.get(f"/games/{key}/score").status_code == 403
    table.phone().post(f"/games/{key}/finish")
    assert table.phone("blue").post(f"/games/{key}/finish").status_code == 303


def test_no_seat_ends_a_game_by_putting_tiles_right(tmp_path: Path) -> None:
    """With all camels on the board a game is over (rules 9.1)."""
    position = replace(MID, phase=Phase.BID, bid_order=(Colour.BLUE, Colour.BLACK, Colour.ORANGE), turn_order=())
    board = [replace(tile, camel=None) for tile in position.board]
    board[:7] = [replace(tile, camel=Colour.ORANGE) for tile in board[:7]]
    with AtTable(tmp_path) as table:
        key = kept(table, position.with_board(tuple(board)))
        form = {"tile": str(replace(board[7], camel=Colour.ORANGE))}
        place = f"/games/{key}/tiles/b2"
        answer = table.phone("blue").post(place, form)
        assert answer.status_code == 403 and "the shared phone" in answer.text
        assert table.phone("blue").get(f"/games/{key}/score").status_code == 403
        assert table.phone().post(place, form).status_code == 303
        assert table.phone("blue").get(f"/games/{key}/score").status_code == 200


def test_no_seat_goes_on_to_the_end_that_was_undone(table: AtTable) -> None:
    """rules 12.2"""
    own, pink = table.phone(), table.phone("pink", "192.168.1.21")
    key = begin(table, own)
    place = f"/games/{key}"
    own.post(f"{place}/finish")
    own.post(f"{place}/undo")
    assert f"{place}/redo" in own.get(place).text and f"{place}/redo" not in pink.get(place).text
    answer = pink.post(f"{place}/redo", {"revision": revision(table, key)})
    assert answer.status_code == 403 and "shared phone" in unescape(answer.text)
    assert not now(table, key).is_over
    assert own.post(f"{place}/redo").status_code == 303 and now(table, key).is_over
    # The end undone to is the same end.
    position = now(table, key).position
    history = table.services.history
    history.change(
        GameKey(key), begin_table(replace(position, phase=Phase.BID, turn_order=()), {}, date="").text, summary=""
    )
    assert not now(table, key).is_over
    assert pink.post(f"{place}/undo").status_code == 403


def test_hints_tell_no_margin_where_points_are_hidden(table: AtTable) -> None:
    """How far ahead a game is expected to end tells how many points others have."""
    phone, key = table.phone("blue"), kept(table, MID)
    for hidden in (False, True):
        table.services.history.change_settings(GameKey(key), {"hide_points": hidden})
        phone.get(f"/games/{key}/hint?level=3")
        page = phone.get(f"/games/{key}/hint?level=3&turn=2").text
        assert "now +" in page and ("less than the first" in page or "as good as the first" in page)
        assert ("expected to finish" in page) is not hidden


def test_what_was_said_to_one_seat_is_not_said_to_the_next(table: AtTable) -> None:
    key = kept(table, MID)
    phone = table.phone()
    assert phone.post(f"/games/{key}/players/blue", {"gold": "34"}).status_code == 303
    phone.post("/seat", {"seat": "orange", "path": "/"})
    assert "Saved." not in phone.get(f"/games/{key}").text


def test_a_spectator_sees_what_lies_open_and_has_no_seat(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        key = kept(table, MID)
    with AtTable(tmp_path, read_only=True) as table:
        for seat in (None, "blue"):
            phone = table.phone(seat)
            page = phone.get(f"/games/{key}").text
            assert "Jafaar" in page and "Whose phone is this?" not in page and 'class="actions"' not in page
            assert not [gold for gold in (43, 38, 47) if f">{gold}<" in page]
            for path in ("/hint", "/players/blue", "/score", "/record.txt", "/sheet.pdf"):
                assert phone.get(f"/games/{key}{path}").status_code == 403, path
    with AtTable(tmp_path) as table:
        table.phone().post(f"/games/{key}/finish")
    with AtTable(tmp_path, read_only=True) as table:
        assert ">47<" in table.phone().get(f"/games/{key}").text
        assert table.phone().get(f"/games/{key}/score").status_code == 200


def test_who_cannot_move_ends_his_turn_himself(tmp_path: Path) -> None:
    """That a player has nothing to sell is for that player to know (rules 9.2, 12.2)."""
    found = []
    bare = tuple(replace(tile, meeples=(0,) * len(tile.meeples)) for tile in MID.board)
    for goods in ((0,) * len(GOODS), (1, *(0,) * (len(GOODS) - 1))):
        position = MID.with_board(bare)
        position = position.with_player(replace(position.player(Colour.ORANGE), goods=goods))
        with AtTable(tmp_path / f"{sum(goods)}", game_key="the-game") as table:
            key = kept(table, position)
            blue, orange = table.phone("blue"), table.phone("orange")
            answers = [blue.post(f"/games/{key}/play", {"line": "no move"}), blue.get(f"/games/{key}")]
            found.append([(answer.status_code, without_tokens(answer.text)) for answer in answers])
            assert now(table, key).mover is Colour.ORANGE
            page = orange.get(f"/games/{key}/turn")
            assert page.status_code == 200 and "Play this turn" in page.text
            assert orange.post(f"/games/{key}/play", {"line": "no move"}).status_code == 303
    assert found[0] == found[1] and found[0][0][0] == 303


def test_cards_that_others_drew_from_the_deck_are_not_in_the_lines_of_a_seat() -> None:
    """By a power or for a merchant killed by Kandicha's holder (rules 11, 12.2)."""
    for line, hidden in (
        (
            "pink: use Sloar for fakir: silk; c3 > c4b: claim c4; merchants: fish",
            "pink: use Sloar for fakir; c3 > c4b: claim c4; merchants: fish",
        ),
        ("pink: c3 > c4r: claim c4; kill g on c5: ivory; pass", "pink: c3 > c4r: claim c4; kill g on c5; pass"),
    ):
        record = Record(Header((("setup", ""),)), (Line(1, parse_turn(Colour.PINK, line.partition(":")[2])),))
        for seat, over, shown in (
            (None, False, line),
            (Colour.PINK, False, line),
            (Colour.BLUE, False, hidden),
            (Colour.BLUE, True, line),
        ):
            assert list(visible_lines(record, seat, over=over)) == [(0, shown)]
