"""Pages that are tapped, in a real browser: nothing moves under a finger, and what can't be sent yet is dead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.asking import series_photos
from companion.asking.tapping import tapped_turn
from companion.notation.files import format_json
from companion.rules.model.components import GOODS, Colour
from companion.table.games import begin_table, open_table, played
from tests.web.at_table import MID, MID_TEXT
from tests.web.board_photos import SEE, VIZIER, FromReading, after, photo_of
from tests.web.browser import QuickTable, check_page, follow, phone, quick_table
from tests.web.browsing.test_walk import choose

NARROW = {"width": 360, "height": 640}


def top_of(where: Locator) -> float:
    box = where.bounding_box()
    assert box is not None
    return box["y"]


def test_the_pad_of_the_row_stays_where_it_is_while_cards_are_tapped(page: Page, table: QuickTable) -> None:
    game = table.services.history.begin(format_json(replace(MID, row=None, djinns=None)))
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    for part, most in (("row", 9), ("djinns", 3)):
        place = f"{table.home}games/{game}/missing?part={part}"
        page.goto(place)
        pad, places = page.locator(".taps > li"), list[list[float]]()
        names = [str(link.get_attribute("href")).rpartition("=")[2] for link in pad.locator("a").all()]
        for taps in (0, most):
            page.goto("&tap=".join([place, *(names * most)[: min(taps, most)]]))
            places.append([top_of(pad.nth(at)) for at in range(pad.count())])
        assert places == places[:1] * len(places) and len(places[0]) == len(names)
        expect(pad.locator("a")).to_have_count(0)
    check_page(page)


def test_who_plays_next_is_named_on_one_line(page: Page, table: QuickTable) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.goto(f"{table.home}games/{table.services.history.begin(MID_TEXT)}/players")
    for button in page.locator("button[name=to_move]").all():
        box = button.locator("span").last.bounding_box()
        assert box is not None and box["width"] > box["height"] < 40
    check_page(page)


def test_a_set_is_sold_once_something_is_ticked(page: Page, table: QuickTable) -> None:
    """rules 10.7"""
    goods = tuple(int(good in ("ivory", "silk")) for good in GOODS)
    position = MID.with_player(replace(MID.player(Colour.BLUE), goods=goods))
    begun, taps = begin_table(position, {}, date="2026-11-22"), list[str]()
    while "sell" not in taps:
        question = tapped_turn(begun, taps).question
        assert question is not None
        tokens = [tap.token for tap in question.taps]
        taps.append("sell" if "sell" in tokens else tokens[0])
    game = table.services.history.begin(begun.text)
    page.goto(f"{table.home}games/{game}/turn?{urlencode([('tap', tap) for tap in taps[:-1]])}")
    follow(page.locator("a.answer[href*='tap=sell']"))
    sold, first = page.get_by_role("button", name="Sold as one set"), page.locator("input[type=checkbox]").first
    expect(sold).to_be_disabled()
    check_page(page)
    first.check()
    expect(sold).to_be_enabled()
    first.uncheck()
    expect(sold).to_be_disabled()
    first.check()
    follow(sold)
    follow(page.get_by_role("button", name="Play this turn"))
    assert page.url == f"{table.home}games/{game}" and len(table.services.history.revisions(game)) == 2


def test_every_tile_where_a_way_can_end_can_be_tapped(page: Page, table: QuickTable) -> None:
    """rules 4.2 to 4.5"""
    game = table.services.history.begin(MID_TEXT)
    page.goto(f"{table.home}games/{game}/turn?tap=b5")
    ends = page.locator("a.tile[href*='end=']")
    assert ends.count()
    for number in range(page.locator("g.end").count()):
        box = page.locator("g.end").nth(number).bounding_box()
        assert box is not None
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('a.tile') !== null", middle)
    end = ends.first.get_attribute("data-square")
    follow(ends.first)
    expect(page.locator("g.on-way").first).to_be_visible()
    expect(page.locator("g.end")).to_have_count(1)
    check_page(page)
    while page.get_by_text("Several ways lead there").count():
        follow(page.locator("a.lit").last)
    last = page.locator(f"a.tile[data-square={end}], .sign").first
    expect(last).to_be_visible()


def test_a_close_up_is_tapped_to_be_as_wide_as_the_screen_with_its_readings_below(
    page: Page, table: QuickTable
) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    choose(page)
    expect(page.locator("li.large")).to_have_attribute("id", "a1")
    follow(page.locator("#c3 a.crop"))
    close_up, offers = page.locator(".large .crop").bounding_box(), page.locator(".large .offers").bounding_box()
    assert close_up is not None and offers is not None and close_up["width"] > 0.9 * NARROW["width"]
    assert offers["y"] >= close_up["y"] + close_up["height"]
    # A tile is put together from there, piece by piece.
    piece = page.locator(".piece").first
    before = int(piece.locator("input").input_value())
    for label, then in (("one more", before + 1), ("one less", before)):
        piece.get_by_role("button", name=label).tap()
        expect(piece.locator("input")).to_have_value(str(then))
    piece.get_by_role("button", name="one more").tap()
    check_page(page)
    follow(page.get_by_role("button", name="Save tile"))
    page.wait_for_url("**#c3")


def test_a_turn_takes_two_taps_the_camera_and_play(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_photos, "likelihood_of", FromReading)
    shot = tmp_path / "shot.jpg"
    with quick_table(tmp_path, see=SEE) as table:
        key = table.services.history.begin(begin_table(MID, {}, date="2026-11-22").text)
        before = open_table(table.services.history.current(key).text)
        shot.write_bytes(photo_of(after(before, VIZIER)))
        shared, other = (phone(browser, table.address, locale="en-GB") for _ in range(2))
        for page in (shared, other):
            page.set_viewport_size(NARROW)  # type: ignore[arg-type]
            page.goto(f"{table.home}games/{key}")
        # A picture that is on its way has its room: nothing moves under a thumb when it comes.
        other.route("**/photos/**/*.jpg*", lambda route: route.abort())
        with shared.expect_file_chooser() as chooser:
            shared.locator(".camera label").tap()
        chooser.value.set_files(shot)
        play = shared.get_by_role("button", name="Play this turn")
        expect(play).to_be_visible()
        expect(shared.get_by_role("heading", name="What was played")).to_be_in_viewport()
        expect(play).to_be_in_viewport()
        # The other phone of the table has it without a reload.
        expect(other.get_by_role("button", name="Play this turn")).to_be_visible()
        expect(shared.locator(".shown img")).to_have_js_property("complete", True)
        for page in (shared, other):
            # Once the card has slid in.
            page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished)).then(() => null)")
        boxes = [page.locator(".shown img").bounding_box() for page in (shared, other)]
        assert boxes[0] == boxes[1] and boxes[0] is not None and boxes[0]["height"] > 90, boxes
        check_page(shared, contrast=True)
        follow(play)
        expect(shared.locator("#photo-turn")).to_have_count(0)
        expect(other.locator("#photo-turn")).to_have_count(0)
        assert open_table(table.services.history.current(key).text).text == played(before, VIZIER).text
        for page in (shared, other):
            page.context.close()
