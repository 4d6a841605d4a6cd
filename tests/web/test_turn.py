"""A turn told by tapping the board: page after page of links, without a script, until it is played."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

from companion.history.saved import GameKey
from companion.notation.records.lines import Remark, TurnLine, format_entry
from companion.rules.model.board import NEIGHBOURS, SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe
from companion.table.games import open_table
from tests.notation.recorded_example import THREE_ROUNDS
from tests.web.at_table import MID, MID_TEXT, AtTable, Phone, begin, kept, key_of, now, revision
from tests.web.page_forms import form_buttons, form_fields, without_tokens


def in_a_turn(table: AtTable, phone: Phone) -> str:
    """A game of two whose first turn has begun; its address."""
    key = begin(table, phone)
    for price in ("5", "3", "1", "0"):
        phone.post(f"/games/{key}/bid", {"price": price, "revision": revision(table, key)})
    return f"/games/{key}"


def tiles(page: str) -> dict[str, str]:
    """The tiles that can be tapped, and where each leads."""
    found = re.findall(r'<a class="tile lit" href="([^"]+)"[^>]*data-square="(\w\d)"', page)
    return {square: unescape(address) for address, square in found}


def answers(page: str) -> list[str]:
    """Where the buttons of answers lead."""
    return [unescape(link) for link in re.findall(r'class="button wide answer" href="([^"]+)"', page)]


def turn_of(page: str, place: str) -> dict[str, list[str]] | None:
    """The taps that the page's button plays; None while the turn cannot end."""
    fields = form_fields(page.partition("Type it instead")[0], f"{place}/play")
    return fields if "tap" in fields else None


def told(phone: Phone, place: str) -> tuple[str, int]:
    """Tap the last thing offered until the turn can be played; that page, and how many taps it took."""
    page, taps = phone.get(f"{place}/turn").text, 0
    while turn_of(page, place) is None:
        lit = list(tiles(page).values()) or answers(page)
        answer = phone.get(lit[-1])
        assert answer.status_code == 200
        page, taps = answer.text, taps + 1
    return page, taps


def test_a_turn_is_told_by_links_and_played(table: AtTable, phone: Phone) -> None:
    place = in_a_turn(table, phone)
    assert f'href="{place}/turn"' in phone.get(place).text
    page, taps = told(phone, place)
    assert 3 <= taps <= 9
    said = [unescape(link) for link in re.findall(r'<li class="line" translate="no">([^<]+)', page)]
    answer = phone.post(f"{place}/play", turn_of(page, place))
    assert answer.status_code == 303, answer.text
    playing = now(table, place).playing
    assert playing is not None and format_entry(playing.record.lines[-1].entry).endswith("; ".join(said))


def test_one_step_back_is_the_page_before(table: AtTable, phone: Phone) -> None:
    place = in_a_turn(table, phone)
    first = phone.get(f"{place}/turn").text
    start = next(iter(tiles(first).values()))
    second = phone.get(start).text
    third = phone.get(next(iter(tiles(second).values()))).text
    back = [unescape(link) for link in re.findall(r'class="button" href="([^"]+turn[^"]*)"', third)]
    assert without_tokens(phone.get(back[0]).text) == without_tokens(second)
    assert tiles(phone.get(back[1]).text) == tiles(first)


def test_a_turn_that_somebody_else_played_meanwhile_begins_anew(table: AtTable, phone: Phone) -> None:
    place = in_a_turn(table, phone)
    page, _ = told(phone, place)
    tapped = next(iter(tiles(phone.get(f"{place}/turn").text).values()))
    phone.post(f"{place}/play", turn_of(page, place))
    assert phone.post(f"{place}/play", turn_of(page, place)).status_code == 409
    late = phone.get(tapped)
    assert late.status_code == 409 and "has changed" in late.text
    assert tiles(late.text) == tiles(phone.get(f"{place}/turn").text)


def test_odd_taps_are_said_and_change_nothing(table: AtTable, phone: Phone) -> None:
    place = in_a_turn(table, phone)
    before = table.services.history.current(key_of(place))
    odd = ("tap=a9", "tap=%3Cscript%3E", "tap=" + "x" * 3000, "tap=c3&" * 250 + "tap=c3")
    for tapped in odd:
        answer = phone.get(f"{place}/turn?{tapped}")
        assert answer.status_code == 422 and "<script>" not in answer.text and tiles(answer.text)
    assert phone.get(f"{place}/turn?revision=x").status_code == 422
    for taps in (["a9"], ["c3"] * 100):
        assert phone.post(f"{place}/play", {"tap": taps}).status_code == 422
    # A turn that cannot end yet is not played.
    assert phone.post(f"{place}/play", {"tap": next(iter(tiles(answer.text)))}).status_code == 200
    assert table.services.history.current(key_of(place)) == before


def test_another_seat_sees_no_turn_and_a_bid_is_no_turn(table: AtTable, phone: Phone) -> None:
    """What is offered tells what the player holds (rules 12.2)."""
    place = in_a_turn(table, phone)
    mover = now(table, place).mover
    other = "blue" if mover == "pink" else "pink"
    assert table.phone(other).get(f"{place}/turn").status_code == 403
    assert f"{place}/turn" not in table.phone(other).get(place).text
    assert table.phone(str(mover)).get(f"{place}/turn").status_code == 200
    bidding = begin(table, phone)
    assert phone.get(f"/games/{bidding}/turn").status_code == 422


def test_goods_are_sold_as_one_set_by_a_form(tmp_path: Path) -> None:
    position = open_table(MID_TEXT)
    assert position.mover is not None
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, position.text)
        place = f"/games/{key}"
        page, _ = told(phone, place)
        sell = next(address for address in answers(page) if "tap=sell" in address)
        form = phone.get(sell).text
        goods = re.findall(r'type="checkbox" name="tap" value="(\w+)"', form)
        assert len(goods) > 1
        picked = "".join(f"&tap={good}" for good in goods[::-1])
        sold = phone.get(f"{sell}{picked}&tap=sold").text
        assert "sell" in sold
        nothing = phone.get(f"{sell}&tap=sold")
        assert nothing.status_code == 422 and 'type="checkbox"' in nothing.text
        assert "Tick what was sold first" in nothing.text
        assert phone.post(f"{place}/play", turn_of(sold, place)).status_code == 303
        assert sum(now(table, key).position.player(position.mover).goods or ()) < sum(
            position.position.player(position.mover).goods or ()
        )


def test_a_line_that_is_refused_stays_in_its_field(table: AtTable, phone: Phone) -> None:
    place = in_a_turn(table, phone)
    for line in ("c3 > c4q", "a1 > a2y; 9 builders", "nonsense"):
        answer = phone.post(f"{place}/play", {"line": line, "revision": revision(table, place)})
        assert answer.status_code == 422 and 'role="alert"' in answer.text
        field = re.search(
            r'<details class="card more" open>.*?name="line" class="line" value="([^"]*)"', answer.text, re.S
        )
        assert field is not None and unescape(field[1]) == line
        assert tiles(answer.text)


def test_a_line_for_a_turn_that_is_over_stays_in_its_field(table: AtTable) -> None:
    one, other = table.phone(), table.phone()
    place = in_a_turn(table, one)
    seen, page = revision(table, place), told(other, place)[0]
    assert other.post(f"{place}/play", turn_of(page, place)).status_code == 303
    answer = one.post(f"{place}/play", {"line": "c3 > c4b", "revision": seen})
    assert answer.status_code == 409 and "has changed" in answer.text and 'value="c3 &gt; c4b"' in answer.text
    assert form_fields(answer.text, f"{place}/play")["revision"] == [str(revision(table, place))]


def test_a_correction_leaves_taps_as_they_are(table: AtTable, phone: Phone) -> None:
    """A bid, half a turn, a whole turn, and what came: each is of a decision, whatever somebody corrects meanwhile."""
    key = begin(table, phone)
    place, other = f"/games/{key}", table.phone()
    coins = iter(range(20, 40))

    def corrected(colour: str = "blue") -> None:
        hand = f"{place}/players/{colour}"
        sent = {**form_fields(other.get(hand).text, hand), "gold": str(next(coins))}
        assert other.post(hand, sent).status_code == 303

    for price in ("5", "3", "1", "0"):
        seen = revision(table, place)
        corrected()
        assert phone.post(f"{place}/bid", {"price": price, "revision": seen}).status_code == 303
        # The same revision again is of a decision that is over.
        assert phone.post(f"{place}/bid", {"price": "8", "revision": seen}).status_code == 409
    half = next(iter(tiles(phone.get(f"{place}/turn").text).values()))
    corrected()
    page = phone.get(half)
    assert page.status_code == 200 and f"revision={revision(table, place)}&" in unescape(page.text)
    page_of_turn, _ = told(phone, place)
    corrected()
    assert phone.post(f"{place}/play", turn_of(page_of_turn, place)).status_code == 303


def test_of_a_turn_that_cannot_be_any_more_the_taps_that_can_be_are_kept(table: AtTable, phone: Phone) -> None:
    """rules 4.3: a single meeple can only end where another of its colour is"""
    place = in_a_turn(table, phone)
    board = dict(zip(SQUARE_NAMES, now(table, place).position.board, strict=True))
    start, address = next(iter(tiles(phone.get(f"{place}/turn").text).items()))
    ends = tiles(phone.get(address).text)
    beside = [name for name in ends if SQUARE_NAMES.index(name) in NEIGHBOURS[SQUARE_NAMES.index(start)]]
    lone, end = next(
        (tribe, name)
        for tribe in Tribe
        for name in beside
        if not board[name].meeples[tribe] and any(board[other].meeples[tribe] for other in beside)
    )
    correct = f"{place}/tiles/{start}"
    fields = {**form_fields(phone.get(correct).text, correct), **dict.fromkeys("ywbgr", "0"), lone.letter: "1"}
    assert phone.post(correct, fields).status_code == 303
    late = phone.get(ends[end])
    assert late.status_code == 409 and "be played any more" in late.text
    # Where it begins is told already.
    assert end not in tiles(late.text) and all(f"tap={start}&tap=" in one for one in tiles(late.text).values())


GAME = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
CLEAN_UP = next(number for number, line in enumerate(GAME) if line.startswith("refill"))


def offered(page: str) -> dict[str, str]:
    """What can be tapped, and where it leads; the last tap sends the form, and leads nowhere."""
    found = re.findall(r'class="button wide answer" href="([^"]+)"', page)
    links = {unescape(address).rpartition("=")[2].replace("+", " "): unescape(address) for address in found}
    return links | dict.fromkeys(map(unescape, re.findall(r'class="wide answer" name="\w+" value="([^"]+)"', page)), "")


def test_each_new_card_is_a_tap_and_the_line_is_that_of_the_record(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    place = f"/games/{key}/refill"
    came = [part.strip() for part in GAME[CLEAN_UP].partition(":")[2].split(",")]
    page = phone.get(place).text
    for name in came[:-1]:
        page = phone.get(offered(page)[name]).text
    assert offered(page)[came[-1]] == ""
    told = form_fields(page, place)["tap"]
    assert told == came[:-1]
    answer = phone.post(place, {"tap": [*told, came[-1]]})
    assert answer.status_code == 303
    playing = now(table, key).playing
    assert playing is not None and not playing.owes
    assert table.services.history.current(GameKey(key)).text == "".join(GAME[: CLEAN_UP + 1])


def test_what_lies_elsewhere_cannot_come(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    position = now(table, key).position
    page = phone.get(f"/games/{key}/refill").text
    for _ in range(9 - len(position.row or ())):
        page = phone.get(next(iter(offered(page).values()))).text
    djinns = set(offered(page))
    held = {djinn for player in position.players for djinn in player.djinns or ()}
    assert djinns and not djinns & {*held, *(position.djinns or ())}


def test_one_step_back_and_odd_addresses(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    place = f"/games/{key}/refill"
    first = phone.get(place).text
    second = phone.get(next(iter(offered(first).values()))).text
    back = unescape(re.findall(r'class="button" href="([^"]+refill[^"]*)"', second)[0])
    assert offered(phone.get(back).text) == offered(first)
    for odd in ("tap=toast", "tap=Nobody", "tap=fish&" * 30, "revision=x", "tap=%3Cscript%3E", "revision=999"):
        answer = phone.get(f"{place}?{odd}")
        assert answer.status_code == (409 if odd == "revision=999" else 422), odd
        assert "<script>" not in answer.text and offered(answer.text)
    other = kept(table, "".join(GAME[: CLEAN_UP + 1]))
    assert phone.get(f"/games/{other}/refill").status_code == 422
    assert phone.post(f"/games/{other}/refill", {"tap": ["fish"]}).status_code == 422


def test_a_turn_is_told_anew_and_what_came_after_it_is_played_again(table: AtTable, phone: Phone) -> None:
    key = kept(table, THREE_ROUNDS.read_text(encoding="utf-8"))
    place = f"/games/{key}"
    page = phone.get(place).text
    links = [unescape(link) for link in re.findall(rf'<a href="({place}/turn\?at=\d+)"', page)]
    playing = now(table, key).playing
    assert playing is not None
    before = [format_entry(line.entry) for line in playing.record.lines if not isinstance(line.entry, Remark)]
    turns = [line.entry for line in playing.record.lines if isinstance(line.entry, TurnLine)]
    assert len(links) == len(turns) > 6
    # Told as it was: nothing is lost, and nothing changed.
    form = phone.get(links[2]).text
    told_line = form_fields(form, f"{place}/play")
    assert told_line["line"] == [format_entry(turns[2])]
    number = revision(table, key)
    assert phone.post(f"{place}/play", told_line).status_code == 303
    assert revision(table, key) == number
    # Told otherwise, by taps: the lines before it stay, it is another one, and what can be follows.
    while turn_of(form, place) is None:
        lit = list(tiles(form).values()) or answers(form)
        form = phone.get(lit[-1]).text
    assert phone.post(f"{place}/play", turn_of(form, place)).status_code == 303
    assert "The turn is changed" in phone.get(place).text
    playing = now(table, key).playing
    assert playing is not None
    after = [format_entry(line.entry) for line in playing.record.lines if not isinstance(line.entry, Remark)]
    changed = before.index(format_entry(turns[2]))
    assert after[:changed] == before[:changed] and after[changed] != before[changed]
    assert after[changed + 1 :] == before[changed + 1 : len(after)]
    phone.post(f"{place}/undo")
    assert now(table, key).text == THREE_ROUNDS.read_text(encoding="utf-8")
    # A seat tells its own turns anew, and nobody a line that is no turn.
    mover = turns[2].colour
    others = {line.colour for line in turns} - {mover}
    assert table.phone(str(mover)).get(links[2]).status_code == 200
    for other in others:
        assert table.phone(str(other)).get(links[2]).status_code == 403
    for odd in ("0", "999", "x"):
        assert phone.get(f"{place}/turn?at={odd}").status_code in (404, 422)


def test_what_a_typed_line_draws_is_asked_and_tapped_one_after_another(table: AtTable, phone: Phone) -> None:
    """rules 11: Anun-Nak brings three meeples out of the bag."""
    empty = next(square for square, tile in enumerate(MID.board) if not sum(tile.meeples) and tile.camel is None)
    holder = replace(MID.player(Colour.BLUE), djinns=("Anun-Nak",), elders=2)
    place = f"/games/{kept(table, MID.with_player(holder))}"
    line = f"use Anun-Nak for elder on {SQUARE_NAMES[empty]}; pass"
    sent: dict[str, object] = {"line": line}
    for told in range(3):
        page = phone.post(f"{place}/play", sent).text
        sent = {**form_fields(page, f"{place}/play")}
        assert "Which meeple was drawn?" in page and len(sent.get("seen", ())) == told, page  # type: ignore[arg-type]
        tap = form_buttons(page, f"{place}/play")["seen"][0]
        sent["seen"] = [*sent.get("seen", ()), tap]  # type: ignore[misc]
    assert "Which meeple" not in phone.post(f"{place}/play", sent).text
