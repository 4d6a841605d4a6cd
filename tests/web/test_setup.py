"""Games set up from the page: by lot, by a number, fairly, from a code; and points hidden where the table wants it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.advice import Estimate, Fairness, FairSetup
from companion.errors import UnusableInputError
from companion.notation.codes import encode
from companion.rules.engine.scoring import result_of
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import begin_table
from companion.web.store.adviser import Adviser
from tests.web.at_table import MID, AtTable, Phone, now

TWO = (Colour.BLUE, Colour.PINK)
PATHS = (
    *("", "/players", *(f"/players/{colour}" for colour in Colour), "/hint?level=1", "/hint?level=3", "/bid", "/score"),
    *("/sheet.pdf", "/record.txt", "/record.pdf", "/result.txt", "/result.json", "/result.csv", "/result.png"),
    *("/setup-card.pdf", "/tiles/c3", "/refill", "/turn", "/turn?tap=c4&tap=d4", "/hint-on-photo.jpg"),
)
"""All that a phone can ask of a game."""


def begin(phone: Phone, **fields: object) -> str:
    """Where a game of two that begins so goes on."""
    answer = phone.post("/games", {"how": "random", "plays": ["blue", "pink"], **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def laid(position: Position) -> tuple[object, ...]:
    """What a set-up lays on the table."""
    return position.board, position.row, position.djinns, position.bid_order, position.colours


def test_a_number_gives_the_set_up_that_the_terminal_gives(table: AtTable, phone: Phone) -> None:
    place = begin(phone, seed=" 483 920 ")
    assert laid(now(table, place).position) == laid(random_setup(2, 483920, colours=TWO))
    assert "483920" in phone.get(place).text


def test_a_number_beside_a_code_counts_for_nothing(table: AtTable, phone: Phone) -> None:
    setup = random_setup(2, 5, colours=TWO)
    place = begin(phone, how="code", code=encode(setup), seed="x", date="14.02.2026")
    assert laid(now(table, place).position) == laid(setup)
    assert table.services.history.games()[0].date == "2026-02-14"


def test_a_number_drawn_by_lot_has_six_digits_at_most_is_told_and_gives_the_same_again(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.services.random, "randrange", lambda most: most - 1)
    place = begin(phone)
    assert "Set-up number: 999999" in phone.get(place).text
    assert laid(random_setup(2, 999_999, colours=TWO)) == laid(now(table, place).position)


def test_a_form_with_a_fault_comes_back_as_it_was_filled_in(table: AtTable, phone: Phone) -> None:
    typed = {"how": "random", "plays": ["blue", "pink"], "name_blue": "Anna", "name_black": "Anna", "place": "Lviv"}
    cases: list[tuple[dict[str, object], str]] = [
        ({"seed": "-3"}, "up to 18 digits"),
        ({"seed": "9" * 19}, "up to 18 digits"),
        ({"seed": "٣"}, "up to 18 digits"),
        ({"how": "code", "code": ""}, "Type the code"),
        ({"how": "code", "code": "FT1-NO"}, "FT1-NO"),
        ({"plays": ["blue"]}, "Choose who&#39;s playing"),
        ({"how": "fair", "plays": ["black", "orange"]}, "Choose who&#39;s playing"),
    ]
    for fields, words in cases:
        sent = {**typed, **fields}
        answer = phone.post("/games", sent)
        assert answer.status_code == 422 and words in answer.text
        assert 'value="Anna"' in answer.text and 'value="Lviv"' in answer.text
        assert f'value="{sent["how"]}" checked' in answer.text
        assert not table.services.history.games()


def found(spread: float, tried: int) -> FairSetup:
    margins = (Estimate(spread, 0.1), Estimate(0.0, 0.1))
    return FairSetup(random_setup(2, 12, colours=TWO), 12, Fairness(margins, ()), tried)


def test_a_fair_set_up_is_waited_for_and_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[tuple[Colour, ...], int]] = []
    for spread, words in ((1.25, "to within 1.2 VP"), (4.0, "Set-ups tried: 40. None is fair")):

        async def look(
            adviser: Adviser, colours: tuple[Colour, ...], seed: int, tell: TellShare, spread: float = spread
        ) -> FairSetup:
            asked.append((colours, seed))
            tell(0.5, "looking")
            return found(spread, 40)

        monkeypatch.setattr(Adviser, "fair_setup", look)
        with AtTable(tmp_path / words[:4]) as table:
            phone = table.phone()
            job = begin(phone, how="fair", seed="7", name_pink="Anna")
            assert job.startswith("/jobs/") and asked[-1] == (TWO, 7)
            place = phone.get(job).headers["location"]
            page = phone.get(place).text
            assert words in page and "Anna" in page and "Set-up number: 12" in page
            assert laid(now(table, place).position) == laid(random_setup(2, 12, colours=TWO))
            # A second look leads to the same game.
            assert phone.get(job).headers["location"] == place and len(table.services.history.games()) == 1


def test_a_fair_set_up_is_looked_for_by_the_adviser_until_the_time_is_over(tmp_path: Path) -> None:
    """The real search, for no time at all: the fairest of the first it looks at."""
    shares: list[float] = []
    with AtTable(tmp_path) as table:
        adviser = Adviser(table.services.workers[0], table.services.hub, fair_s=0.001)
        fair = table.run(adviser.fair_setup(TWO, 3, lambda share, doing: shares.append(share)))
        assert 3 <= fair.seed < 3 + 16 and fair.tried <= 16
        assert shares[0] == 0.0 and shares == sorted(shares) and shares[-1] <= 1.0
        assert laid(fair.position) == laid(random_setup(2, fair.seed, colours=TWO))


def test_a_job_that_failed_says_why_and_one_of_another_run_that_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(adviser: Adviser, colours: object, seed: int, tell: TellShare) -> FairSetup:
        raise UnusableInputError("the process stopped")

    monkeypatch.setattr(Adviser, "fair_setup", look)
    with AtTable(tmp_path) as table:
        phone = table.phone()
        page = phone.get(begin(phone, how="fair"))
        assert page.status_code == 422 and "The process stopped" in page.text and "data-waiting" not in page.text
        gone = phone.get("/jobs/of-an-earlier-run")
        assert gone.status_code == 410 and "start it again" in gone.text
        assert phone.get("/jobs/of-an-earlier-run/events").status_code == 410


def test_hidden_points_are_in_no_byte_of_any_page_until_the_end(tmp_path: Path) -> None:
    position = MID.with_player(replace(MID.player(Colour.BLUE), gold=4177))
    total = str(result_of(position).scores[Colour.BLUE].total).encode()
    with AtTable(tmp_path) as table:
        text = begin_table(position, {}, date="2026-11-22").text
        hidden = str(table.services.history.begin(text, settings={"hide_points": True}))
        shown = str(table.services.history.begin(text))
        phone = table.phone()
        for path in ("", "/score"):
            assert total in phone.get(f"/games/{shown}{path}").content
        for path in PATHS:
            answer = phone.get(f"/games/{hidden}{path}")
            assert total not in answer.content, path
            if path.startswith(("/result", "/sheet", "/record.pdf")):
                assert answer.status_code == 403, path
        # The table changes its mind, and changes it back.
        place = f"/games/{hidden}"
        assert phone.post(f"{place}/points").headers["location"] == f"{place}/score"
        assert total in phone.get(f"{place}/score").content
        phone.post(f"{place}/points", {"hide": "1"})
        assert total not in phone.get(place).content
        # However it was hidden, the game can be ended and is counted then.
        assert f"{place}/finish" in phone.get(f"{place}/score").text
        phone.post(f"{place}/finish")
        assert total in phone.get(f"{place}/score").content
