"""Games kept: begun, changed, undone and done again, finished and forgotten; who comes second is told."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import ConflictError, NoSuchGameError, NotationError
from companion.history.database import History, open_history, random_key
from companion.history.saved import GameKey
from companion.history.saved_results import TextKind
from companion.notation.records.header import renamed
from companion.notation.records.lines import format_record
from companion.opening.text import open_record
from companion.rules.engine.scoring import result_of
from companion.rules.model.components import Colour
from tests.history.games import growing, opened, setup_text, whole_record
from tests.notation.recorded_example import THREE_ROUNDS


@pytest.fixture
def history(tmp_path: Path) -> History:
    return opened(tmp_path / "games.sqlite3")


def test_a_game_goes_from_its_set_up_to_its_result(history: History) -> None:
    lines = growing(4)
    key = history.begin(setup_text(), names={Colour.PINK: "Анна"}, place="Київ")
    assert history.current(key).kind is TextKind.POSITION
    for number, text in enumerate(lines, 2):
        revision = history.change(key, text, summary="played", expected=number - 1)
        assert (revision.number, revision.text, revision.kind) == (number, text, TextKind.RECORD)
    game = history.game(key)
    assert (game.revision, game.finished, game.results) == (5, None, {})
    assert game.players == {Colour.BLUE: "Марія", Colour.PINK: "민수"}
    assert [revision.text for revision in history.revisions(key)] == [setup_text(), *lines]


def test_a_finished_game_has_points_djinns_and_bids_of_its_record(history: History, samples_end: str) -> None:
    key = history.begin(samples_end)
    result = history.finish(key)
    kept = history.result(key)
    assert kept == result
    (game,) = history.games()
    assert game.date == "2026-02-14" and game.finished is not None
    totals = {colour: score.total for colour, score in game.results.items()}
    scored = result_of(open_record(str(THREE_ROUNDS)).state.position)
    assert totals == {colour: score.total for colour, score in scored.scores.items()}
    assert game.winners == tuple(colour for colour in totals if totals[colour] == max(totals.values()))
    for one in game.results.values():
        assert sum(points or 0 for points in one.points.values()) == one.total
    first = [(bid.round, str(bid.colour), bid.price) for bid in result.bids[:4]]
    assert first == [(1, "pink", 3), (1, "blue", 0), (1, "pink", 1), (1, "blue", 12)]


@pytest.fixture
def samples_end() -> str:
    return growing(len(whole_record().lines) + 1)[-1]


def test_what_is_changed_after_undo_drops_what_was_beyond(history: History) -> None:
    one, two, three = growing(3)
    key = history.begin(one)
    history.change(key, two, summary="")
    assert history.undo(key).text == one
    assert history.redo(key).text == two
    assert history.undo(key).can_redo
    after = history.change(key, three, summary="otherwise")
    assert (after.text, after.can_redo, after.can_undo) == (three, False, True)
    # A number is never given twice: who saw the dropped one does not take this for it.
    assert after.number == 3
    with pytest.raises(ConflictError):
        history.change(key, two, summary="", expected=2)
    with pytest.raises(NoSuchGameError, match="nothing to redo"):
        history.redo(key)
    history.undo(key)
    with pytest.raises(NoSuchGameError, match="Nothing to undo"):
        history.undo(key)


def test_a_revision_is_looked_at_without_going_there(history: History) -> None:
    one, two = growing(2)
    key = history.begin(one)
    assert history.adjacent(key, back=True) is None and history.adjacent(key, back=False) is None
    after = history.change(key, two, summary="")
    before = history.adjacent(key, back=True)
    assert before is not None and (before.number, before.text) == (1, one)
    history.undo(key)
    there = history.adjacent(key, back=False)
    assert there is not None and (there.number, there.text) == (after.number, two)
    assert history.current(key).number == 1
    found = history.revision(key, after.number)
    assert found is not None and found.text == two
    history.change(key, two, summary="otherwise")
    assert history.revision(key, after.number) is None


def test_undo_takes_the_result_of_a_finished_game_back(history: History) -> None:
    one, two = growing(2)
    key = history.begin(one)
    history.change(key, two, summary="")
    history.finish(key)
    history.undo(key)
    assert history.result(key) is None
    assert history.game(key).finished is None and history.game(key).results == {}


def test_a_new_part_keeps_the_one_before_it(history: History) -> None:
    one, two, three = growing(3)
    key = history.begin(one)
    history.change(key, two, summary="")
    history.change(key, setup_text(), summary="read anew", new_part=True)
    history.change(key, three, summary="")
    assert [part.text for part in history.parts(key)] == [two, three]
    assert [revision.part for revision in history.revisions(key)] == [1, 1, 2, 2]
    history.undo(key)
    assert [part.kind for part in history.parts(key)] == [TextKind.RECORD, TextKind.POSITION]
    history.undo(key)
    assert [part.text for part in history.parts(key)] == [two]


@given(steps=st.lists(st.one_of(st.integers(0, 11), st.just("undo"), st.just("redo")), max_size=40))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_texts_come_back_as_they_were_whatever_is_done(history: History, steps: list[int | str]) -> None:
    """A plain list of texts, and a place in it, must agree."""
    texts = growing(12)
    key = history.begin(texts[0])
    model, place = [texts[0]], 0
    for step in steps:
        if isinstance(step, int):
            history.change(key, texts[step], summary="")
            model, place = [*model[: place + 1], texts[step]], place + 1
        elif step == "undo" and place:
            history.undo(key)
            place -= 1
        elif step == "redo" and place + 1 < len(model):
            history.redo(key)
            place += 1
        assert history.current(key).text == model[place]
    assert [revision.text for revision in history.revisions(key)] == model


def test_a_text_that_is_no_game_is_refused_and_nothing_is_kept(history: History) -> None:
    key = history.begin(setup_text())
    for text in ("", "nonsense", "Five Tribes record 9\n", "board = 3", "\ud800"):
        with pytest.raises(NotationError):
            history.begin(text)
        with pytest.raises(NotationError):
            history.change(key, text, summary="")
    assert len(history.revisions(key)) == 1 and len(history.games()) == 1


def test_an_unknown_key_is_said_to_be_none(history: History) -> None:
    key = GameKey("no\x1bne")
    calls: list[Callable[[GameKey], object]]
    calls = [history.current, history.undo, history.redo, history.finish, history.game, history.forget, history.parts]
    calls += [history.revisions, history.result, lambda key: history.change_settings(key, {}), history.current]
    calls += [lambda key: history.set_clock(key, {}), lambda key: history.name_players(key, {})]
    for call in calls:
        with pytest.raises(NoSuchGameError, match="there is no game"):
            call(key)


def test_keys_fit_into_an_address_and_are_never_the_same() -> None:
    keys = {random_key() for _ in range(500)}
    assert len(keys) == 500
    # It is typed after a command too.
    assert not any(key.startswith("-") for key in keys)
    assert all(len(key) >= 16 and key.replace("-", "").replace("_", "").isalnum() for key in keys)


def test_names_settings_and_clocks_are_kept(history: History) -> None:
    key = history.begin(setup_text(players=3), settings={"points": "hidden", "two": [2]})
    history.name_players(key, {Colour.BLUE: "<b>'\"; DROP TABLE games" + "x" * 10_000})
    history.set_clock(key, {Colour.BLUE: 12.5})
    history.set_clock(key, {Colour.BLUE: 14.0, Colour.BLACK: 3.0})
    history.change_settings(key, {"two": None, "three": {"deep": True}})
    game = history.game(key)
    assert game.players[Colour.BLUE].startswith("<b>'\"; DROP TABLE games")
    assert game.settings == {"points": "hidden", "three": {"deep": True}}
    assert game.clock == {Colour.BLACK: 3.0, Colour.BLUE: 14.0}


def test_all_games_are_forgotten(history: History) -> None:
    history.finish(history.begin(setup_text(), names={Colour.BLUE: "Wilhelmina"}))
    history.begin(setup_text(2))
    assert history.forget() == 2 and history.games() == ()
    history.close()
    assert b"Wilhelmina" not in history.path.read_bytes()


def test_a_file_gets_smaller_by_what_is_forgotten_while_others_have_it_open(history: History) -> None:
    kept = history.begin(setup_text(2), names={Colour.BLUE: "Anna"})
    with opened(history.path) as other:
        key = history.begin(setup_text(), place="Vorokhta", summary="set up")
        for _ in range(40):
            history.change(key, growing(2)[1], summary="Wilhelmina's turn " + "x" * 9000)
        assert other.game(key).place == "Vorokhta"
        assert history.forget(key) == 1
        files = [history.path, *history.path.parent.glob(history.path.name + "-*")]
        content = b"".join(path.read_bytes() for path in files)
        assert b"Wilhelmina" not in content and b"Vorokhta" not in content and b"Anna" in content
        assert history.path.stat().st_size < 100_000
        assert [game.key for game in other.games()] == [kept]


def test_nobody_else_may_read_it(history: History) -> None:
    history.begin(setup_text())
    found = [history.path, *history.path.parent.glob(history.path.name + "-*")]
    assert len(found) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o600}


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    """Each has a connection of its own, as two programs have; each change is there, and every refusal was told."""
    path = tmp_path / "games.sqlite3"
    texts = growing(12)
    with opened(path) as first:
        key = first.begin(texts[0])

        def write(name: str) -> None:
            with opened(path) as own:
                for text in texts[1:]:
                    own.change(key, text, summary=name)

        writers = [threading.Thread(target=write, args=(name,)) for name in "ab"]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        found = first.revisions(key)
        for name in "ab":
            assert [revision.text for revision in found if revision.summary == name] == list(texts[1:])


def test_threads_may_share_one(history: History) -> None:
    key = history.begin(growing(2)[0])
    threads = [
        threading.Thread(target=history.change, args=(key, growing(2)[1]), kwargs={"summary": ""}) for _ in "abcdefgh"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(history.revisions(key)) == 9


def test_names_that_a_record_does_not_tell_are_those_that_are_known(history: History) -> None:
    text = format_record(replace(whole_record(), header=renamed(whole_record().header, {})))
    key = history.begin(text, names={Colour.BLUE: "Anna"}, date="2026-01-31")
    assert history.game(key).players == {Colour.BLUE: "Anna", Colour.PINK: ""}
    assert history.game(key).date == "2026-02-14"
    assert history.game(history.begin(setup_text(), date="2026-01-31")).date == "2026-01-31"
    history.change(key, growing(1)[0], summary="")
    assert history.game(key).players == {Colour.BLUE: "Марія", Colour.PINK: "민수"}
    history.undo(key)
    assert history.game(key).players == {Colour.BLUE: "Марія", Colour.PINK: "민수"}


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is set on POSIX alone")
def test_a_game_is_of_the_day_that_it_is_where_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = datetime(2026, 2, 14, 23, 30, tzinfo=UTC)
    try:
        with monkeypatch.context() as there:
            # Three hours east of Greenwich.
            there.setenv("TZ", "EAST-3")
            time.tzset()
            with open_history(tmp_path / "games.sqlite3", now=lambda: late) as history:
                assert history.game(history.begin(setup_text())).date == "2026-02-15"
    finally:
        time.tzset()
