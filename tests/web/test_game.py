"""A game at the table: begun, hinted, played with a tap, undone, counted, shared; several phones at once."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.cli.main import main
from companion.history.kept import GameKey
from companion.notation.files import format_json, parse_position
from companion.notation.outcome import Outcome, outcome_of
from companion.notation.records.lines import parse_record
from companion.notation.tokens import format_tile
from companion.rules.engine.scoring import result_of
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Position
from companion.table.games import TableGame, begin_table, open_table
from tests.notation.recorded_example import THREE_ROUNDS
from tests.web.at_table import SAMPLES, AtTable, Phone
from tests.web.page_forms import form_fields

MID = SAMPLES / "mid.toml"
GAME = THREE_ROUNDS


def begin(table: AtTable, phone: Phone, **fields: object) -> str:
    """A game of two that begins now; its key."""
    sent = {"how": "random", "plays": ["blue", "pink"], "name_pink": "Anna", "name_blue": "Boris", **fields}
    answer = phone.post("/games", sent)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def kept(table: AtTable, text: str) -> str:
    """A game that is there already; its key."""
    return str(table.services.history.begin(text))


def now(table: AtTable, key: str) -> TableGame:
    return open_table(table.services.history.current(GameKey(key)).text)


def revision(table: AtTable, key: str) -> int:
    return table.services.history.current(GameKey(key)).number


def test_a_game_is_begun_and_played_with_taps(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone)
        place = f"/games/{key}"
        assert "Anna" in phone.get(place).text
        # Bids: advice first, then the bid that it names.
        while now(table, key).is_bidding:
            phone.get(f"{place}/bid")
            advised = phone.get(f"{place}/bid")
            price = re.findall(r'name="price" value="(\d+)"', advised.text)[0]
            answer = phone.post(f"{place}/bid", {"price": price, "fakirs": "0", "revision": revision(table, key)})
            assert answer.status_code == 303
        # A hint in its three levels, then the turn that it shows.
        phone.get(f"{place}/hint")
        for level in (1, 2, 3):
            hint = phone.get(f"{place}/hint?level={level}")
            assert hint.status_code == 200
            assert ('name="line"' in hint.text) == (level == 3)
            # What is done with the meeples is told at the last level alone.
            assert bool(re.search(r"take \d|takes \d|claim", hint.text)) == (level == 3)
        line = re.findall(r'name="line" value="([^"]*)"', hint.text)[0].replace("&gt;", ">")
        before = now(table, key)
        answer = phone.post(f"{place}/play", {"line": line, "revision": revision(table, key)})
        assert answer.status_code == 303
        after = now(table, key)
        assert after.playing is not None and before.playing is not None
        assert len(after.playing.record.lines) == len(before.playing.record.lines) + 1
        assert after.position.board != before.position.board


def test_undo_goes_back_to_the_beginning_and_redo_forth_again(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone)
        texts = [table.services.history.current(GameKey(key)).text]
        for price in ("5", "3", "1"):
            phone.post(f"/games/{key}/bid", {"price": price})
            texts.append(table.services.history.current(GameKey(key)).text)
        for text in texts[-2::-1]:
            phone.post(f"/games/{key}/undo")
            assert table.services.history.current(GameKey(key)).text == text
        assert "nothing to undo" in table.phone().get("/").text + phone.get(
            phone.post(f"/games/{key}/undo").headers["location"]
        ).text.replace("There is nothing", "nothing")
        for text in texts[1:]:
            phone.post(f"/games/{key}/redo")
            assert table.services.history.current(GameKey(key)).text == text


def test_of_two_phones_that_tap_at_once_the_second_is_told(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        one, other = table.phone(), table.phone()
        key = begin(table, one)
        seen = revision(table, key)
        assert one.post(f"/games/{key}/bid", {"price": "5", "revision": seen}).status_code == 303
        late = other.post(f"/games/{key}/bid", {"price": "8", "revision": seen})
        assert late.status_code == 409 and "first" in late.text
        assert len(now(table, key).position.turn_order or ()) == 1


def test_what_the_rules_forbid_changes_nothing_and_is_said(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, GAME.read_text(encoding="utf-8").partition("\nround 2")[0] + "\n")
        before = table.services.history.current(GameKey(key))
        for path, fields in (
            ("play", {"line": "pink: a1 > a2y"}),
            ("play", {"line": "nonsense"}),
            ("play", {"line": ""}),
            ("bid", {"price": "4"}),
            ("bid", {"price": "x"}),
            ("bid", {}),
            ("refill", {"cards": ["toast"]}),
            ("play", {"line": "x", "revision": "first"}),
        ):
            answer = phone.post(f"/games/{key}/{path}", fields)
            assert answer.status_code == 422, (path, fields)
        assert table.services.history.current(GameKey(key)) == before


def test_a_turn_on_a_photo_alone_is_played_and_nobody_is_next(tmp_path: Path) -> None:
    """Without the order of players turns are played by themselves, and the next photo is optional."""
    with AtTable(tmp_path) as table:
        phone = table.phone()
        position = parse_position(MID.read_text(encoding="utf-8"))
        board_alone = {"board": json.loads(format_json(position))["board"]}
        key = kept(table, json.dumps(board_alone))
        place = f"/games/{key}"
        assert phone.get(f"{place}/hint").status_code == 422
        phone.post(f"{place}/players", {"plays": ["blue", "pink"], "to_move": "pink", "name_pink": "Anna"})
        phone.get(f"{place}/hint?level=3")
        hint = phone.get(f"{place}/hint?level=3")
        line = re.findall(r'name="line" value="([^"]*)"', hint.text)[0].replace("&gt;", ">")
        answer = phone.post(f"{place}/play", {"line": line, "revision": revision(table, key)})
        assert answer.status_code == 303, answer.text
        after = now(table, key)
        assert after.playing is None and after.mover is None
        assert after.position.board != position.board


def test_what_a_player_holds_is_told_and_what_is_left_empty_is_not_known(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, MID.read_text(encoding="utf-8"))
        answer = phone.post(
            f"/games/{key}/players/blue",
            {"gold": "41", "viziers": "", "elders": "0", "goods.ivory": "1", "djinns": ["Sloar"], "fakirs": "2"},
        )
        assert answer.status_code == 303, answer.text
        player = now(table, key).position.player(Colour.BLUE)
        assert (player.gold, player.viziers, player.elders, player.djinns) == (41, None, 0, ("Sloar",))
        assert player.goods is not None and sum(player.goods) == 1
        too_many = phone.post(f"/games/{key}/players/blue", {"viziers": "16"})
        assert too_many.status_code == 422 and "rules 1.2" in too_many.text
        assert phone.post(f"/games/{key}/players/red", {}).status_code == 404
        for djinn in ("Nobody", "Utug"):
            # Utug lies face up.
            assert phone.post(f"/games/{key}/players/blue", {"djinns": [djinn]}).status_code == 422


def test_what_is_refused_of_a_player_stays_in_the_form(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, MID.read_text(encoding="utf-8"))
        place = f"/games/{key}/players/blue"
        shown = form_fields(phone.get(place).text, place)
        for wrong in ({"viziers": ["16"]}, {"gold": ["many"]}, {"djinns": ["Utug"]}):
            sent: dict[str, object] = {**shown, "fakirs": ["3"], "goods.ivory": ["2"], **wrong}
            answer = phone.post(place, sent)
            assert answer.status_code == 422 and 'role="alert"' in answer.text
            assert form_fields(answer.text, place) == sent


def test_two_phones_that_change_one_tile_keep_what_both_have_told(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        one, other = table.phone(), table.phone()
        key = kept(table, MID.read_text(encoding="utf-8"))
        place = f"/games/{key}/tiles/c5"
        shown = form_fields(one.get(place).text, place)
        c5 = parse_square("c5")
        assert format_tile(now(table, key).position.board[c5]) == "M6:wwbg"
        assert other.post(f"/games/{key}/players/black", {"gold": "7"}).status_code == 303
        assert other.post(place, {**shown, "w": ["1"]}).status_code == 303
        assert one.post(place, {**shown, "palms": ["1"], "g": ["0"]}).status_code == 303
        after = now(table, key).position
        assert (after.board[c5].meeples, after.board[c5].palms) == ((0, 1, 1, 0, 0), 1)
        assert after.player(Colour.BLACK).gold == 7
        # What both have told stands in the form, all else is as it is now.
        late = one.post(place, {**shown, "w": ["0"], "b": ["1"]})
        assert late.status_code == 409 and "changed meanwhile: elders: 1." in late.text
        again = form_fields(late.text, place)
        assert again == {**shown, "w": ["0"], "g": ["0"], "palms": ["1"], "revision": [str(revision(table, key))]}
        assert one.post(place, again).status_code == 303
        assert now(table, key).position.board[c5].meeples == (0, 0, 1, 0, 0)


def test_two_phones_that_change_one_player_keep_what_both_have_told(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        one, other = table.phone(), table.phone()
        key = kept(table, MID.read_text(encoding="utf-8"))
        place = f"/games/{key}/players/blue"
        shown = form_fields(one.get(place).text, place)
        before = now(table, key).position.player(Colour.BLUE)
        assert other.post(f"/games/{key}/players/black", {"gold": "7"}).status_code == 303
        told = {**shown, "gold": "41", "goods.ivory": "1", "djinns": [*shown.get("djinns", []), "Kandicha"]}
        assert other.post(place, told).status_code == 303
        # The late form says nothing of gold, ivory and Kandicha, which it shows as they were.
        assert one.post(place, {**shown, "elders": "0", "goods.silk": "1"}).status_code == 303
        after = now(table, key).position.player(Colour.BLUE)
        assert (after.gold, after.elders, after.viziers) == (41, 0, before.viziers)
        held = dict(zip(GOODS, after.goods or (), strict=True))
        assert (held["ivory"], held["silk"]) == (1, 1)
        assert set(after.djinns or ()) == {*(before.djinns or ()), "Kandicha"}
        # What both have told stands in the form as it was typed, all else as it is now.
        late = one.post(place, {**shown, "gold": "42", "fakirs": "2"})
        assert late.status_code == 409 and "changed meanwhile: gold coins: 41." in late.text
        assert now(table, key).position.player(Colour.BLUE) == after
        again = form_fields(late.text, place)
        assert (again["gold"], again["fakirs"], again["elders"]) == (["42"], ["2"], ["0"])
        assert one.post(place, again).status_code == 303
        assert now(table, key).position.player(Colour.BLUE) == replace(after, gold=42, fakirs=2)


def test_a_form_that_changes_nothing_changes_nothing(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        one, other = table.phone(), table.phone()
        key = begin(table, one)
        for path in ("players/blue", "tiles/c3", "players"):
            place = f"/games/{key}/{path}"
            shown = form_fields(one.get(place).text, place)
            assert other.post(f"/games/{key}/bid", {"price": "0"}).status_code == 303
            before = table.services.history.current(GameKey(key))
            assert one.post(place, shown).status_code == 303
            assert table.services.history.current(GameKey(key)) == before


def test_who_does_not_play_has_no_page_unless_nobody_is_known_to_play(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone)
        assert phone.get(f"/games/{key}/players/orange").status_code == 404
        assert phone.post(f"/games/{key}/players/orange", {"gold": "5"}).status_code == 404
        assert phone.get(f"/games/{key}/players/pink").status_code == 200
        board = json.loads(format_json(parse_position(MID.read_text(encoding="utf-8"))))["board"]
        unknown = kept(table, json.dumps({"board": board}))
        assert phone.get(f"/games/{unknown}/players/orange").status_code == 200


def test_a_finished_game_is_counted_and_shared(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
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


def test_9_3_nothing_names_a_winner_of_a_game_of_which_something_that_counts_is_not_known(tmp_path: Path) -> None:
    """blue has the most points in what is known, and pink wins with the goods that are not."""
    end = parse_position((SAMPLES / "end.toml").read_text(encoding="utf-8"))
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, format_json(end.with_player(replace(end.player(Colour.PINK), goods=None))))
        place = f"/games/{key}"
        phone.post(f"{place}/finish")
        page = phone.get(f"{place}/score").text
        (link,) = re.findall(r'href="https://app.bgstatsapp.com/createPlay.html\?data=([^"]*)"', page)
        play = json.loads(unquote(unescape(link)))
        assert [(one["winner"], "rank" in one) for one in play["players"]] == [(False, False)] * 4
        document = phone.get(f"{place}/result.json").json()
        assert document["winners"] == [] and "leaders" not in document and document["assumed"]
        for path in (f"{place}/score", f"{place}/result.txt", "/", "/history"):
            shown = phone.get(path).text
            assert "★" not in shown and "has won" not in shown and " wins " not in shown
        # What is not known is no 0.
        assert re.search(r"Goods</th>(<td>.{1,9}</td>){3}<td>[^0]*not known", page)


def test_the_record_is_the_whole_game_and_opens_again(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        text = GAME.read_text(encoding="utf-8")
        key = kept(table, text)
        record = phone.get(f"/games/{key}/record.txt")
        assert record.text == text
        assert phone.get(f"/games/{key}/setup-card.pdf").content.startswith(b"%PDF-")


def test_a_game_that_was_put_right_is_one_record_for_all_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hand, a tile and an order, between bids and turns; undone and done again."""
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, begin_table(random_setup(2, 7), {Colour.BLUE: "Boris"}, date="2026-02-14").text)
        place = f"/games/{key}"
        for price in ("5", "3", "1"):
            assert phone.post(f"{place}/bid", {"price": price}).status_code == 303
        blue = f"{place}/players/blue"
        assert phone.post(blue, {**form_fields(phone.get(blue).text, blue), "gold": "31"}).status_code == 303
        assert phone.post(f"{place}/bid", {"price": "0"}).status_code == 303
        assert phone.post(f"{place}/play", {"line": "d1 > c1r > b1r > a1y; 3 viziers; pass"}).status_code == 303
        tile = f"{place}/tiles/c3"
        shown = form_fields(phone.get(tile).text, tile)
        assert phone.post(tile, {**shown, "b": [str(int(shown["b"][0] or 0) - 1)]}).status_code == 303
        order = f"{place}/players"
        fields = form_fields(phone.get(order).text, order)
        assert phone.post(order, {**fields, "order": fields["order"][::-1]}).status_code == 303
        for step in ("undo", "redo"):
            assert phone.post(f"{place}/{step}").status_code == 303
        page = phone.get(place).text
        for line in (
            "round 1: pink 5, blue 3, pink 1",
            "correction: blue gold 31",
            "round 1: blue 0",
            "3 viziers; pass",
        ):
            assert line in page
        assert page.count("correction: ") == 3
        there = now(table, key)
        record = tmp_path / "record.txt"
        record.write_text(phone.get(f"{place}/record.txt").text, encoding="utf-8")
        assert phone.get(f"{place}/record.pdf").content.startswith(b"%PDF")
    assert "player blue: Boris" in record.read_text(encoding="utf-8").splitlines()
    for command in (["replay"], ["show"], ["score"], ["check"], ["moves"], ["hint", "--gain"]):
        capsys.readouterr()
        assert main([*command, str(record), "--json"]) == 0, capsys.readouterr().err
        if command == ["replay"]:
            document = json.loads(capsys.readouterr().out)
            assert document["position"] == json.loads(format_json(there.position))
            assert "correction: blue gold 31" in [line["text"] for line in document["lines"]]


def test_a_game_of_several_parts_is_one_record_too(tmp_path: Path) -> None:
    """As earlier versions kept it, and where nobody knew the order of players in between."""
    with AtTable(tmp_path) as table:
        phone = table.phone()
        first = GAME.read_text(encoding="utf-8")
        mid = parse_position(MID.read_text(encoding="utf-8"))
        key = kept(table, first)
        history = table.services.history
        history.change(GameKey(key), format_json(Position(mid.board)), summary="", new_part=True)
        assert "What was played" in phone.get(f"/games/{key}").text
        history.change(GameKey(key), begin_table(mid, {}, date="2026-02-14").text, summary="")
        text = phone.get(f"/games/{key}/record.txt").text
        assert text.startswith(first) and text.count("Five Tribes record") == 1
        assert open_table(text).position == now(table, key).position


@pytest.mark.parametrize("date", ["субота", '2026"; filename="evil.html', "a\\b"])
def test_files_are_given_whatever_date_a_record_has(tmp_path: Path, date: str) -> None:
    header = parse_record(GAME.read_text(encoding="utf-8")).header
    names = {Colour.BLUE: "Anna"}
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, begin_table(header.setup, names, date=date).text)
        assert table.services.history.game(GameKey(key)).date == date
        for file in ("record.txt", "result.txt", "result.csv", "result.json"):
            answer = phone.get(f"/games/{key}/{file}")
            assert answer.status_code == 200
            assert re.fullmatch(r'inline; filename="[A-Za-z0-9.-]+"', answer.headers["content-disposition"])


def test_a_game_that_is_gone_is_told_in_words_for_a_phone(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        answer = table.phone().get("/games/no-such-game")
        assert answer.status_code == 404
        assert "not kept here any more" in answer.text and "companion history" not in answer.text


NASTY = "<script>alert(1)</script>\"'&" + "x" * 10_000


def test_names_are_text_whatever_they_hold(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone, name_pink=NASTY, place='"><img src=x onerror=alert(1)>')
        for path in ("/", f"/games/{key}", f"/games/{key}/players", f"/games/{key}/score"):
            page = phone.get(path)
            assert page.status_code == 200
            assert "<script>alert" not in page.text and "<img src=x" not in page.text
        (game,) = table.services.history.games()
        assert len(game.players[Colour.PINK]) == 60


def test_points_are_hidden_where_the_table_wants_it(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone, hide_points="1")
        assert 'class="points"' not in phone.get(f"/games/{key}").text
        assert "hides the points" in phone.get(f"/games/{key}/score").text
        assert 'class="points"' in phone.get(f"/games/{begin(table, phone)}").text


def test_hidden_points_are_in_no_file(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        place = f"/games/{begin(table, phone, hide_points='1')}"
        for file in ("record.pdf", "sheet.pdf", "result.txt", "result.json", "result.csv", "result.png"):
            assert phone.get(f"{place}/{file}").status_code == 403, file
        phone.post(f"{place}/points", {"hide": ""})
        assert phone.get(f"{place}/record.pdf").content.startswith(b"%PDF-")
        assert phone.get(f"{place}/result.csv").status_code == 200


def test_read_only_shows_and_changes_nothing(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        key = begin(table, table.phone())
    with AtTable(tmp_path, read_only=True) as table:
        phone = table.phone()
        before = table.services.history.current(GameKey(key))
        assert phone.get(f"/games/{key}").status_code == 200
        for path in ("games", f"games/{key}/bid", f"games/{key}/undo", f"games/{key}/play", f"games/{key}/finish"):
            answer = phone.post(f"/{path}", {"price": "5", "how": "random", "plays": ["blue", "pink"], "line": "x"})
            assert answer.status_code == 403 and "only shown" in answer.text
        for path in ("photos", f"games/{key}/photos", f"games/{key}/players", f"games/{key}/tiles/c3"):
            assert phone.post(f"/{path}", {}).status_code == 403
        assert phone.post("/language", {"language": "it", "path": "/"}).status_code == 303
        assert table.services.history.current(GameKey(key)) == before


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/games/none", 404, ""),
        ("/games/none/score", 404, ""),
        ("/games/none/events", 404, ""),
        ("/readings/none", 410, "no longer kept"),
        ("/nothing", 404, ""),
    ],
)
def test_what_is_not_there_is_said_on_a_page(tmp_path: Path, path: str, status: int, said: str) -> None:
    with AtTable(tmp_path) as table:
        answer = table.phone().get(path)
        assert answer.status_code == status and "<h1" in answer.text and said in answer.text


def test_a_set_up_by_code_is_that_set_up(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        code = "FT1-HWLO2D3DPD6EDNZ6AIS6XAVUB3MDQBBZI52AC4BW6HFXQXMMBHGWSWXYDGL"
        key = phone.post("/games", {"how": "code", "code": code}).headers["location"].split("/")[2]
        begun = now(table, key).position
        assert begun == replace(parse_position(code), to_move=begun.to_move)
        assert phone.post("/games", {"how": "code", "code": "FT1-NO"}).status_code == 422
        assert phone.post("/games", {"how": "code"}).status_code == 422
        assert phone.post("/games", {"how": "random", "plays": ["blue"]}).status_code == 422


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


def test_what_was_counted_without_a_board_is_explained_line_by_line(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        key = counted_alone(table)
        phone = table.phone("blue")
        assert phone.get(f"/games/{key}").headers["location"] == f"/games/{key}/score"
        page = phone.get(f"/games/{key}/score").text
        text = " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"</?span[^>]*>", "", page)).split())
        assert "Anna" in text and "138" in text and "without the board" in text
        # As typed where no rule says more, else as the rules count it.
        for line in ("12+29 = 41", "5 x 3 (Jafaar) + 10 x 1 opponent = 25", "Jafaar 6 = 6", "3 x 2 = 6", "62 = 62"):
            assert line in text
        assert "silk, fish 3 + silk 1 = 4" in text
        assert "pink: palms not known, counted as 0" in text
        for gone in ("record.txt", "record.pdf", "/finish", "data-events"):
            assert gone not in page


def test_what_was_counted_without_a_board_is_shared_as_other_games(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone, place = table.phone(), f"/games/{counted_alone(table)}"
        assert "https://app.bgstatsapp.com/createPlay.html?data=" in phone.get(f"{place}/score").text
        assert phone.get(f"{place}/sheet.pdf").content.startswith(b"%PDF-")
        assert phone.get(f"{place}/result.png").content.startswith(b"\x89PNG")
        document = phone.get(f"{place}/result.json").json()
        assert (document["players"]["pink"]["total"], document["names"]["pink"]) == (138, "Anna")
        assert "pink,Anna,41,25,0,6,,0,62,4,138" in phone.get(f"{place}/result.csv").content.decode("utf-8-sig")
        assert "Five Tribes, 2026-11-21, Lviv" in phone.get(f"{place}/result.txt").text
        # What needs a board says that there is none.
        for path in ("hint", "players", "turn", "record.txt"):
            assert "Anna 138" in phone.get(f"{place}/{path}").text


def test_an_outcome_of_totals_alone_is_said(tmp_path: Path) -> None:
    end = parse_position((SAMPLES / "end.toml").read_text(encoding="utf-8"))
    whole = outcome_of(result_of(end), {}, date="2026-11-22")
    with AtTable(tmp_path) as table:
        key = kept(table, replace(whole, points={}).text)
        assert table.phone().get(f"/games/{key}/score").status_code == 422
        whole_key = kept(table, whole.text)
        assert "147" in table.phone().get(f"/games/{whole_key}/score").text


def test_what_is_not_told_yet_is_said_in_words_of_the_table(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        position = parse_position(MID.read_text(encoding="utf-8"))
        key = kept(table, json.dumps({"board": json.loads(format_json(position))["board"]}))
        told = phone.post(f"/games/{key}/players", {"plays": ["blue", "pink"], "to_move": "pink"})
        page = phone.get(told.headers["location"]).text
        assert "in which order the others play" in page and "turn_order" not in page


def test_an_order_that_cannot_be_is_refused_and_nothing_typed_is_lost(tmp_path: Path) -> None:
    """rules 2.1"""
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, MID.read_text(encoding="utf-8"))
        before = revision(table, key)
        order = {"plays": ["black", "orange", "blue"], "order": ["blue", "blue"], "name_blue": "Anna"}
        page = phone.post(f"/games/{key}/players", order)
        assert page.status_code == 422 and "2 blue markers" in page.text and "Anna" in page.text
        assert revision(table, key) == before
