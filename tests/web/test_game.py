"""A game at the table: begun, hinted, played with a tap, undone, counted, shared; several phones at once."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from companion.history.saved import GameKey
from companion.notation.files import format_json, parse_position
from companion.notation.outcome import Outcome
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.table.games import begin_table, open_table
from tests.notation.recorded_example import THREE_ROUNDS
from tests.web.at_table import MID, MID_TEXT, SAMPLES, AtTable, Phone, begin, kept, now, revision
from tests.web.page_forms import form_fields

GAME = THREE_ROUNDS


def test_what_is_done_with_the_meeples_is_told_at_the_last_level_of_a_hint_alone(table: AtTable, phone: Phone) -> None:
    place = f"/games/{kept(table, MID)}"
    phone.get(f"{place}/hint")
    for level in (1, 2, 3):
        hint = phone.get(f"{place}/hint?level={level}").text
        assert ('name="line"' in hint) == bool(re.search(r"take \d|takes \d|claim", hint)) == (level == 3)


def test_what_the_rules_forbid_changes_nothing_and_is_said(table: AtTable, phone: Phone) -> None:
    key = kept(table, GAME.read_text(encoding="utf-8").partition("\nround 2")[0] + "\n")
    before = table.services.history.current(GameKey(key))
    for path, fields in (
        ("play", {"line": "pink: a1 > a2y"}),
        ("play", {"line": "nonsense"}),
        ("play", {"line": ""}),
        ("bid", {"price": "4"}),
        ("bid", {"price": "x"}),
        ("bid", {}),
        ("refill", {"tap": ["toast"]}),
        ("play", {"line": "x", "revision": "first"}),
    ):
        answer = phone.post(f"/games/{key}/{path}", fields)
        assert answer.status_code == 422, (path, fields)
    assert table.services.history.current(GameKey(key)) == before


def test_what_is_refused_of_a_player_stays_in_the_form(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID_TEXT)
    place = f"/games/{key}/players/blue"
    shown = form_fields(phone.get(place).text, place)
    for wrong in ({"viziers": ["16"]}, {"gold": ["many"]}, {"djinns": ["Utug"]}):
        sent: dict[str, object] = {**shown, "fakirs": ["3"], "goods.ivory": ["2"], **wrong}
        answer = phone.post(place, sent)
        assert answer.status_code == 422 and 'role="alert"' in answer.text
        assert form_fields(answer.text, place) == sent


def test_a_finished_game_is_counted_and_shared(table: AtTable, phone: Phone) -> None:
    key = kept(table, (SAMPLES / "end.toml").read_text(encoding="utf-8"))
    place = f"/games/{key}"
    assert phone.post(f"{place}/finish").headers["location"] == f"{place}/score"
    result = table.services.history.result(GameKey(key))
    assert result is not None and result.players[Colour.PINK].total == 147
    page = phone.get(f"{place}/score")
    assert "147" in page.text and "https://app.bgstatsapp.com/createPlay.html?data=" in page.text
    assert phone.get(f"{place}/sheet.pdf").content.startswith(b"%PDF-")
    assert phone.get(f"{place}/result.png").content.startswith(b"\x89PNG")
    document = phone.get(f"{place}/result.json").json()
    assert (document["players"]["pink"]["total"], document["winners"]) == (147, ["pink"])
    lines = phone.get(f"{place}/result.csv").content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("player,name,gold,viziers") and lines[4].startswith("pink,") and "147" in lines[4]
    assert "pink wins with 147 points" in phone.get(f"{place}/result.txt").text
    assert parse_position(phone.get(f"{place}/record.txt").text)


def test_a_result_is_said_in_words_with_the_curve_of_points_and_a_text_to_copy(table: AtTable, phone: Phone) -> None:
    place = f"/games/{kept(table, (SAMPLES / 'game.txt').read_text(encoding='utf-8'))}"
    page = phone.get(f"{place}/score").text
    said = "Boris (orange) wins with 156 points, 3 ahead."
    assert f"{said}</p>" in page.replace('<span translate="no">Boris</span>', "Boris")
    copied = html.unescape(page.partition("<textarea")[2].partition("</textarea>")[0])
    assert said in copied and copied.endswith(phone.get(f"{place}/result.txt").text)
    assert all(f'href="{place}/{file}" download' in page for file in ("sheet.pdf", "result.csv", "result.json"))
    assert "website" in page and f'src="{place}/points.svg' in page
    curve = phone.get(f"{place}/points.svg")
    assert curve.headers["content-type"] == "image/svg+xml" and "Points over the game" in curve.text
    without = f"/games/{kept(table, MID_TEXT)}"
    assert "points.svg" not in phone.get(f"{without}/score").text
    assert phone.get(f"{without}/points.svg").status_code == 422


def test_a_game_of_several_parts_is_one_record_too(table: AtTable, phone: Phone) -> None:
    """Where nobody knew the order of players in between."""
    first = GAME.read_text(encoding="utf-8")
    key = kept(table, first)
    history = table.services.history
    history.change(GameKey(key), format_json(Position(MID.board)), summary="", new_part=True)
    assert "What was played" in phone.get(f"/games/{key}").text
    history.change(GameKey(key), begin_table(MID, {}, date="2026-02-14").text, summary="")
    text = phone.get(f"/games/{key}/record.txt").text
    assert text.startswith(first) and text.count("Five Tribes record") == 1
    assert open_table(text).position == now(table, key).position


def test_what_cannot_be_on_the_way_to_what_is_put_right_leaves_one_record(table: AtTable, phone: Phone) -> None:
    """A meeple goes from tile to tile in two steps, and a box has no 91; the clean-up is owed all the same."""
    played = GAME.read_text(encoding="utf-8").partition("refill: ")[0]
    key = kept(table, played)
    place = f"/games/{key}"
    for square, tile, owes in (("e1", "M4:y", False), ("c2", "V5:yww", True)):
        assert phone.post(f"{place}/tiles/{square}", {"tile": tile}).status_code == 303
        assert now(table, key).owes_refill == owes
        text = phone.get(f"{place}/record.txt").text
        assert text.startswith(played) and f"{square} {tile}" in text.splitlines()[-1]
        assert replay(parse_record(text)).owes_refill
        shown = html.unescape(phone.get(place).text)
        assert "e1 > f1r > f2w; 2 elders" in shown and f"{square} {tile}" in shown
    assert text.endswith("correction: e1 M4:y; c2 V5:yww\n") and text == now(table, key).text
    assert replay(parse_record(text)).state.position == now(table, key).position


def test_files_are_given_whatever_date_a_record_has(table: AtTable, phone: Phone) -> None:
    header = parse_record(GAME.read_text(encoding="utf-8")).header
    for date in ("субота", '2026"; filename="evil.html', "a\\b"):
        key = kept(table, begin_table(header.setup, {Colour.BLUE: "Anna"}, date=date).text)
        assert table.services.history.game(GameKey(key)).date == "2026-11-22", "the day it's kept"
        for file in ("record.txt", "result.txt", "result.csv", "result.json"):
            answer = phone.get(f"/games/{key}/{file}")
            assert answer.status_code == 200
            assert re.fullmatch(r'inline; filename="[A-Za-z0-9.-]+"', answer.headers["content-disposition"])


def test_what_is_not_there_is_said_on_a_page_in_words_for_a_phone(table: AtTable, phone: Phone) -> None:
    for path, status, words in (
        ("/games/none", 404, "is no longer saved here"),
        ("/games/none/score", 404, ""),
        ("/games/none/events", 404, ""),
        ("/readings/none", 410, "no longer available"),
        ("/nothing", 404, ""),
    ):
        answer = phone.get(path)
        assert answer.status_code == status and "<h1" in answer.text and words in answer.text
        assert "companion history" not in answer.text and 'class="button main" href="/"' in answer.text


SHEET = """score_sheet = 1

[players.pink]
name = "Anna"
gold = "12+29"
viziers = "5"
djinns = "Jafaar"
tiles = "=62"
goods = "2 silk, fish"

[players.blue]
gold = "30"
elders = "3"
"""


def counted_alone(table: AtTable) -> str:
    """A game that was counted on a sheet without a board, as `companion score --ask` keeps it; its key."""
    points = {
        Colour.PINK: (41, 25, 0, 6, None, 0, 62, 4),
        Colour.BLUE: (30, 0, 6, 0, 0, 0, 0, 0),
    }
    totals = {colour: sum(one or 0 for one in own) for colour, own in points.items()}
    outcome = Outcome(totals, True, False, {Colour.PINK: "Anna"}, points, "2026-11-21", "Lviv")
    key = table.services.history.begin(SHEET)
    table.services.history.change(key, outcome.text, summary="counted", new_part=True)
    table.services.history.finish(key)
    return str(key)


def test_what_was_counted_without_a_board_is_explained_and_shared(table: AtTable) -> None:
    phone, place = table.phone("blue"), f"/games/{counted_alone(table)}"
    assert phone.get(place).headers["location"] == f"{place}/score"
    page = phone.get(f"{place}/score").text
    text = " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"</?span[^>]*>", "", page)).split())
    assert "Anna" in text and "138" in text and "without the board" in text
    # As typed where no rule says more, else as the rules count it.
    for line in ("12+29 = 41", "5 x 3 (Jafaar) + 10 x 1 opponent = 25", "Jafaar 6 = 6", "3 x 2 = 6", "62 = 62"):
        assert line in text
    assert (
        "silk, fish 3 + silk 1 = 4" in text and ": palms not known, counted as 0" in text and "pink: palms" not in text
    )
    for gone in ("record.txt", "record.pdf", "/finish", "data-events"):
        assert gone not in page
    assert "https://app.bgstatsapp.com/createPlay.html?data=" in page
    assert phone.get(f"{place}/sheet.pdf").content.startswith(b"%PDF-")
    document = phone.get(f"{place}/result.json").json()
    assert (document["players"]["pink"]["total"], document["names"]["pink"]) == (138, "Anna")
    assert "pink,Anna,41,25,0,6,,0,62,4,138" in phone.get(f"{place}/result.csv").content.decode("utf-8-sig")
    assert "Five Tribes, 2026-11-21, Lviv" in phone.get(f"{place}/result.txt").text
    # What needs a board says that there is none.
    for path in ("hint", "players", "turn", "record.txt"):
        assert "Anna 138" in phone.get(f"{place}/{path}").text


def test_a_tile_begins_the_turn_or_shows_where_its_meeples_can_end(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID_TEXT)
    place = f"/games/{key}"
    links = dict(re.findall(rf'href="{place}/([^"]+)"[^>]*data-square="(\w\d)"', phone.get(place).text))
    assert "then orange" in phone.get(place).text
    told = {square: link for link, square in links.items()}
    assert told["e2"] == f"turn?revision={revision(table, key)}&amp;tap=e2" and told["a1"] == "from/a1"
    turn = phone.get(f"{place}/turn?tap=e2").text
    assert f'href="{place}/tiles/e2"' in turn and "take 2 viziers" in turn
    # Another seat, and bids that are open, look on.
    other = table.phone("black")
    assert f'href="{place}/from/e2"' in other.get(place).text and f"{place}/turn" not in other.get(place).text
    looked = other.get(f"{place}/from/e2").text
    assert "e5</span>: take 2 viziers" in looked and f'href="{place}/tiles/e2"' in looked
    assert "No meeples can be moved" in other.get(f"{place}/from/a1").text
    assert other.get(f"{place}/from/z9").status_code == 404
    bidding = begin(table, phone)
    assert phone.get(f"/games/{bidding}").text.count(f'href="/games/{bidding}/from/') == 30


def test_tracks_round_and_players_stand_in_their_order(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone, seed="7", name_blue="Anna", name_pink="Alma")
    place = f"/games/{key}"
    first = now(table, key).mover
    phone.post(f"{place}/bid", {"price": "8"})
    page = phone.get(place).text
    assert "Round 1" in page and '<span class="price">8</span><span class="on-track">' in page
    turns, bids = page.split('<ol class="track')[1:3]
    assert turns.count('class="on-track"') == 1 and bids.count('class="on-track"') == 3
    # Two players with one initial are told apart.
    assert ">AN<" in page and ">AL<" in page
    in_turn = re.findall(r'<span class="name"><span translate="no">(\w+)', page)
    mover = now(table, key).mover
    assert mover is not None and first is not None
    names = {Colour.BLUE: "Anna", Colour.PINK: "Alma"}
    assert in_turn[0] == names[mover] and sorted(in_turn) == ["Alma", "Anna"]
    order = now(table, key).position.bid_order or ()
    assert re.search(rf"then\W.*{names[order[1]]}", page) and order[0] is mover
    # The price that is taken is none to tap.
    assert re.findall(r'name="price" value="(\d+)"[^>]*disabled', page) == ["8"]
    assert "Round" not in phone.get(f"/games/{kept(table, MID)}").text


def test_a_notice_is_for_a_page_that_is_looked_at_and_undoes_what_it_tells_of(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone)
    place = f"/games/{key}"
    notice = re.compile(r'<div class="notice".*?</div>', re.S)

    def shown(**headers: str) -> str:
        found = notice.search(phone.get(place, **headers).text)
        return "" if found is None else found[0]

    shown()
    phone.post(f"{place}/bid", {"price": "8"})
    assert shown(**{"X-Requested-With": "fetch"}) == ""
    told = shown()
    assert "bids 8" in told and f'action="{place}/undo"' in told and f'value="{revision(table, key)}"' in told
    assert shown() == ""
    # What changes nothing can't be undone, nor what somebody has followed.
    phone.post(f"{place}/clock", {"clock": "on"})
    assert "The clock is running" in (told := shown()) and "undo" not in told
    phone.post(f"{place}/bid", {"price": "5"})
    table.phone().post(f"{place}/bid", {"price": "3"})
    assert "bids 5" in (told := shown()) and "undo" not in told


def test_a_hint_is_that_of_its_revision_and_asks_for_no_other(table: AtTable, phone: Phone) -> None:
    """rules 12.2: what others hold is nothing that a seat's hint rests on"""
    key = kept(table, MID)
    place = f"/games/{key}"
    blue, orange = table.phone("blue"), table.phone("orange")
    pages = {who: who.get(f"{place}/hint?level=3").text for who in (phone, blue)}
    own = {who: html.unescape(re.findall(r'data-address="([^"]+)"', page)[0]) for who, page in pages.items()}
    assert all(f"revision={revision(table, key)}&" in address for address in own.values())
    asked: list[object] = []
    ask = table.services.adviser.ask

    def noted(*question: Any) -> Any:
        asked.append(question)
        return ask(*question)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.services.adviser, "ask", noted)
        # A coin of another player's changes what the table's hint rests on, and nothing of a seat's.
        hand = f"{place}/players/orange"
        assert orange.post(hand, {**form_fields(orange.get(hand).text, hand), "gold": "7"}).status_code == 303
        assert "has moved on since" in phone.get(own[phone]).text and not asked
        assert "has moved on since" not in blue.get(own[blue]).text and len(asked) == 1
        # Nobody's hint is asked for when the next player's turn comes.
        assert (
            phone.post(f"{place}/players", {"to_move": "orange", "plays": ["blue", "orange", "black"]}).status_code
            == 303
        )
        for who in (phone, blue):
            answer = who.get(own[who])
            assert answer.status_code == 200 and "has moved on since" in answer.text
        assert len(asked) == 1
    assert "A new hint" in phone.get(own[phone]).text and "A new hint" not in blue.get(own[blue]).text


def advised(phone: Phone, place: str) -> str:
    """The line of the turn that a hint shows first."""
    phone.get(f"{place}/hint?level=3")
    return html.unescape(re.findall(r'name="line" value="([^"]*)"', phone.get(f"{place}/hint?level=3").text)[0])


def test_a_players_phone_undoes_its_own_alone(table: AtTable) -> None:
    key = kept(table, MID)
    place = f"/games/{key}"
    table_phone, blue, orange = table.phone(), table.phone("blue"), table.phone("orange")
    hand = f"{place}/players/orange"
    assert orange.post(hand, {**form_fields(orange.get(hand).text, hand), "gold": "7"}).status_code == 303
    assert blue.post(f"{place}/undo").status_code == 403 and f"{place}/undo" not in blue.get(place).text
    assert orange.post(f"{place}/undo").status_code == 303
    assert orange.post(f"{place}/redo").status_code == 303
    # A turn is whose it was.
    assert blue.post(f"{place}/play", {"line": advised(blue, place)}).status_code == 303
    assert f"{place}/undo" not in orange.get(place).text and f"{place}/undo" in blue.get(place).text
    assert orange.post(f"{place}/undo").status_code == 403
    assert blue.post(f"{place}/undo").status_code == 303
    # The table's own phone undoes all.
    assert table_phone.post(f"{place}/undo").status_code == 303


def test_the_same_players_again_and_what_ends_a_game_asks_once(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone, place="At home", hide_points="1")
    place = f"/games/{key}"
    assert phone.post(f"{place}/points", {}).status_code == 303
    page = phone.get(f"{place}/score").text
    assert re.search(r'<details class="ask">.*?/finish.*?</details>', page, re.S) and page.count("/finish") == 1
    assert "Again with" not in page
    phone.post(f"{place}/finish")
    again = re.findall(r'href="([^"]+)">Again with', phone.get(f"{place}/score").text)[0]
    sent = form_fields(phone.get(again).text, "/games")
    assert (sent["plays"], sent["name_blue"], sent["place"]) == (["blue", "pink"], ["Boris"], ["At home"])
    counted = phone.post("/count", {"name_black": "Zoe", "name_blue": "Bo", "name_pink": "Cy", "gold_blue": "3"})
    page = phone.get(counted.headers["location"]).text
    again = re.findall(r'href="([^"]+)">Again with', page)[0]
    assert form_fields(phone.get(again).text, "/count")["name_black"] == ["Zoe"]
    assert phone.get("/?again=nothing").status_code == 200
