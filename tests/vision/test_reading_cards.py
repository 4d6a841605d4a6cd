"""Cards in photos, looked for beside the board: which are the row, and what a player has (rules 1.4, 2.6)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from companion.errors import PhotoError
from companion.language.catalogue import translate
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import Board
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Player, Position
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.tiles import OtherTilesError
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.reading import pipeline
from companion.vision.reading.cards import add_cards, card_faults, find_row, row_names, sure_row, with_cards
from companion.vision.reading.merge import merge_shots
from companion.vision.reading.scan import PhotoScan
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TitleDetection


def cards(text: str, line: int = 0) -> tuple[CardDetection, ...]:
    """Cards by name; "ivory?" is not told for sure, "?" not at all."""
    return tuple(
        CardDetection(
            None if name.endswith("?") else name,
            0.6 if "?" in name else 0.97,
            name.rstrip("?") or None,
            ((0, 0),) * 4,
            line,
        )
        for name in text.split()
    )


def photo(name: str, seen: tuple[CardDetection, ...], *, with_board: bool) -> Shot:
    board = np.zeros((30, 1)) if with_board else None
    evidence = None if board is None else BoardEvidence(board, (), (), np.eye(3), (), np.zeros(30))
    return Shot(name, np.zeros((1, 1, 3), np.uint8), board=evidence, cards=seen)


def test_a_photo_has_cards_with_a_row_or_a_djinn_that_was_recognised() -> None:
    bare = photo("table.jpg", (), with_board=True)
    titles = [TitleDetection(name, "Utug", 1.0, (0, 0, 9, 9)) for name in ("Utug", None)]
    assert replace(bare, titles=tuple(titles)).has_cards and replace(bare, cards=cards("fish")).has_cards
    assert not bare.has_cards and not replace(bare, titles=(titles[1],)).has_cards


def row_of(*photos: Shot) -> tuple[str, ...] | None:
    return row_names(find_row(photos)[0])


def test_cards_alone_are_the_row_in_one_line_or_two() -> None:
    assert row_of(photo("cards.jpg", cards("fish silk fakir"), with_board=False)) == ("fish", "silk", "fakir")
    two = cards("fish silk fakir ivory gold") + cards("spice wheat fish pottery", 1)
    assert row_of(photo("cards.jpg", two, with_board=False)) == tuple(card.card for card in two)


def test_beside_the_board_the_longest_line_is_the_row() -> None:
    hands = cards("ivory", 0) + cards("fish silk fakir", 1) + cards("gold gold", 2)
    assert row_of(photo("table.jpg", hands, with_board=True)) == ("fish", "silk", "fakir")
    as_long = cards("fish silk", 0) + cards("gold ivory", 1)
    assert row_of(photo("table.jpg", as_long, with_board=True)) == ("fish", "silk")
    assert find_row([photo("table.jpg", cards("ivory"), with_board=True)]) == ((), ())


def test_a_row_beside_a_board_counts_as_seen_where_all_its_cards_are_sure() -> None:
    assert sure_row(cards("gold", 0) + cards("fish silk fakir", 1)) == ("fish", "silk", "fakir")
    unsure = replace(cards("ivory", 0)[0], card=None)
    for none in ((), (unsure, *cards("fish silk", 0)), cards("fish " * 10)):
        assert sure_row(none) is None


def test_of_several_photos_the_one_that_shows_most_counts_then_the_closer_one() -> None:
    far = photo("table.jpg", cards("fish silk gold"), with_board=True)
    near = photo("cards.jpg", cards("fish silk spice"), with_board=False)
    assert row_of(far, near) == ("fish", "silk", "spice")
    fuller = photo("table.jpg", cards("fish silk gold ivory?"), with_board=True)
    assert row_of(fuller, near) == ("fish", "silk", "gold", "ivory") and row_names(cards("fish ?")) is None


def test_more_cards_than_the_row_holds_are_not_guessed_at() -> None:
    row, notes = find_row([photo("cards.jpg", cards("fish " * 6 + "wheat " * 4), with_board=False)])
    assert row == () and "10 cards" in notes[0] and "holds 9" in notes[0]


def test_a_players_cards_are_counted_into_goods_and_fakirs() -> None:
    player = with_cards(Player(Colour.PINK, gold=7), cards("fakir fish fish ivory? fakir"))
    assert (player.gold, player.fakirs) == (7, 2)
    assert dict(zip(GOODS, player.goods or (), strict=True)) == {**dict.fromkeys(GOODS, 0), "fish": 2, "ivory": 1}


def of_code(seen: tuple[CardDetection, ...], position: Position) -> Reading:
    """The reading of a print with a code, in which things like cards and titles are drawn."""
    unclear = TitleDetection(None, "Kandlish", 0.6, (0, 0, 9, 9))
    picture = np.zeros((1, 1, 3), np.uint8)
    shots = [Shot("card.jpg", picture, code="FT1-…", coded=position, cards=seen, titles=(unclear,))]
    return add_cards(merge_shots(shots)[0], shots, {})


def test_what_a_code_settles_is_not_doubted() -> None:
    position = random_setup(3, 7)
    table = of_code(cards("silk? fish?"), position)
    assert table.position == position and table.notes == ()
    assert table.row == () and table.row_photo is None and table.titles == ()
    assert of_code(cards("silk? fish?"), replace(position, row=None)).position.row is None


def test_a_row_that_is_known_stands_and_any_other_is_looked_for() -> None:
    shown = [photo("cards.jpg", cards("fish silk fakir"), with_board=False)]
    for row in (random_setup(3, 7).row, None):
        found = add_cards(Reading(replace(random_setup(3, 7), row=row), ()), shown, {})
        assert found.position.row == (row or ("fish", "silk", "fakir")) and bool(found.row) is (row is None)


@pytest.mark.parametrize("language", ["ru", "uk", "ko", "it"])
def test_where_a_fault_lies_is_said_in_every_language(language: str) -> None:
    """rules 1.4"""
    (note,) = card_faults(replace(random_setup(3, 7), row=("ivory", "ivory"), discards=("ivory",)))
    assert str.__str__(note).startswith("cards: ") and "check the cards" in note
    assert "cards" not in translate(note, language)


def titled(name: str, **confidences: float) -> Shot:
    """A photo of djinns that are told with these confidences."""
    titles = tuple(TitleDetection(djinn, djinn, sure, (0, 0, 9, 9)) for djinn, sure in confidences.items())
    return replace(photo(name, (), with_board=False), titles=titles)


def start_without_djinns() -> Reading:
    return Reading(replace(random_setup(3, 7), djinns=None), ())


def test_rules_2_7_of_too_many_djinns_the_surest_lie_there_whichever_photo_shows_them() -> None:
    photos = [titled("far.jpg", Utug=0.8), titled("near.jpg", Utug=1.0, Sloar=0.9, Boaz=0.9, Lamia=0.85)]
    found = add_cards(start_without_djinns(), photos, {})
    assert sorted(found.position.djinns or ()) == ["Boaz", "Sloar", "Utug"]


def test_a_photo_that_is_not_of_djinns_is_not_said_to_lack_them() -> None:
    table = photo("table.jpg", (), with_board=True)
    assert add_cards(start_without_djinns(), [table], {}).notes == ()
    asked = replace(table, titled=True)
    assert "no djinn names could be read in table.jpg" in add_cards(start_without_djinns(), [asked], {}).notes[0]


SHOTS = [Shot(f"{number}.jpg", np.full((40, 40, 3), number, np.uint8)) for number in range(5)]


def test_cards_are_looked_for_while_the_board_is(monkeypatch: pytest.MonkeyPatch) -> None:
    scanning, looking = threading.Event(), threading.Event()

    def scan(picture: Picture) -> PhotoScan:
        scanning.set()
        assert looking.wait(10)
        raise PhotoError("no sultanate")

    def find(picture: Picture) -> tuple[CardDetection, ...]:
        looking.set()
        assert scanning.wait(10)
        return ()

    monkeypatch.setattr(pipeline, "scan_photo", scan)
    monkeypatch.setattr(pipeline, "find_cards", find)
    with pytest.raises(PhotoError, match="no sultanate"):
        pipeline.read_table(SHOTS[:1])


def test_where_a_photo_is_refused_the_others_cards_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    refused, given_up = threading.Event(), threading.Event()

    def scan(picture: Picture) -> PhotoScan:
        refused.set()
        raise PhotoError("no sultanate")

    def find(picture: Picture) -> tuple[CardDetection, ...]:
        looked.append(int(picture[0, 0, 0]))
        assert refused.wait(10)
        # Until the reader has given up what is not begun.
        assert given_up.wait(10)
        return ()

    class BackgroundTask(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            given_up.set()
            super().shutdown(wait)

    monkeypatch.setattr(pipeline, "ThreadPoolExecutor", BackgroundTask)
    monkeypatch.setattr(pipeline, "scan_photo", scan)
    monkeypatch.setattr(pipeline, "find_cards", find)
    with pytest.raises(PhotoError, match=r"0\.jpg: no sultanate"):
        pipeline.read_table(SHOTS)
    assert looked in ([], [0])


def test_a_card_for_another_table_is_refused_and_another_board_than_the_games_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, known = random_setup(3, 7), []

    def see(picture: Picture, lattice: Lattice, board: Board | None, own: None) -> BoardEvidence:
        known.append(board)
        if board is not None:
            raise OtherTilesError("a different set-up", is_table=True)
        raise PhotoError("read as it lies")

    monkeypatch.setattr(pipeline, "see_board", see)
    monkeypatch.setattr(pipeline, "find_cards", lambda picture: ())
    for coded, game, words, boards in (
        (start, None, "a different set-up", [start.board]),
        (None, start.board, "read as it lies", [start.board, None]),
    ):
        scan = PhotoScan(coded=coded, lattice=Lattice(np.eye(3), 30))
        monkeypatch.setattr(pipeline, "scan_photo", lambda picture, scan=scan: scan)
        with pytest.raises(PhotoError, match=words):
            pipeline.read_table(SHOTS[:1], game=game)
        assert known == boards
        known.clear()
