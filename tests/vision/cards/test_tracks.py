"""Markers on the printed tracks are read into the bid order and the turn order (rules 1.6, 3)."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.cli.views.reading_view import table_document, track_doubts, track_lines
from companion.errors import PhotoError
from companion.lab.rendering.pieces import make_piece_set
from companion.lab.rendering.track_photo import PX_PER_MM, RIM_MM, Markers, deal_markers, tracks_page, tracks_photo
from companion.notation.fiducials import TRACK_PRICES, TRACKS_MM, bid_spot, turn_spot
from companion.rules.model.board import Tile
from companion.rules.model.components import BID_SPOTS, TILE_KINDS, Colour
from companion.rules.model.position import Bid, Phase, Position
from companion.vision.board.reading import Reading, TileReading
from companion.vision.cards.tracks import USUAL_HUES, SpotReading, TracksReading, find_tracks
from companion.vision.colour.paints import Paints, PiecePaint
from companion.vision.colour.recolour import USUAL, usual_light
from companion.vision.load import Picture
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.reading.merge import merge_photos
from companion.vision.reading.table import PhotoReading, Shot, TableReading
from companion.vision.reading.tracks import add_tracks, correct_spot, doubtful_spots, marker_hues, with_tracks
from tests.vision.cards.measure_tracks import compare

NOTHING = SpotReading(None, False, 1.0, None, ((0.0, 0.0),) * 4)
BLACK, ORANGE, BLUE, PINK = Colour


def spot(colour: Colour, confidence: float = 1.0, other: Colour | None = None) -> SpotReading:
    return replace(NOTHING, colour=colour, taken=True, confidence=confidence, other=other)


def tracks(turn: dict[int, SpotReading], bid: dict[int, SpotReading]) -> TracksReading:
    return TracksReading(
        tuple(turn.get(number, NOTHING) for number in range(len(TRACK_PRICES))),
        tuple(bid.get(number, NOTHING) for number in range(BID_SPOTS)),
    )


def photo_of(seen: TracksReading | None, name: str = "bid.jpg", fault: PhotoError | None = None) -> PhotoReading:
    shot = Shot(name, np.zeros((4, 4, 3), np.uint8))
    return PhotoReading(shot, None, None, None, NoSultanateError("no board"), (), None, None, seen, fault)


def table() -> TableReading:
    board = tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count))
    return TableReading(Reading(Position(board), tuple(TileReading(tile, 1.0) for tile in board), turned=0))


def page_with(places: dict[tuple[float, float], tuple[int, int, int]]) -> Picture:
    """The page from straight above with discs of paint at places of the tracks."""
    page = tracks_page()
    for (x, y), paint in places.items():
        middle = round((x + RIM_MM[0]) * PX_PER_MM), round((y + RIM_MM[1]) * PX_PER_MM)
        cv2.circle(page, middle, 6 * PX_PER_MM, paint, -1)
    return cv2.copyMakeBorder(page, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(60, 80, 100))


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "turn"), [("topdown", 90.0), ("seated", 0.0)])
def test_markers_on_a_photographed_page_are_told(profile: str, turn: float) -> None:
    rng = np.random.default_rng(31)
    markers = deal_markers(rng, tuple(Colour))
    photo = tracks_photo(rng, make_piece_set(rng), markers, profile=profile, turn=turn, size=(1600, 1200))
    count = compare(find_tracks(photo), markers)
    assert count["whole"] and count["right"] == 4


def test_an_empty_page_has_no_markers_and_an_empty_table_no_page() -> None:
    seen = find_tracks(page_with({}))
    assert seen is not None and all(
        one == replace(NOTHING, corners_px=one.corners_px) for one in (*seen.turn, *seen.bid)
    )
    assert find_tracks(np.full((300, 400, 3), 90, np.uint8)) is None


def test_what_is_no_marker_s_colour_is_seen_and_not_guessed_at() -> None:
    seen = find_tracks(page_with({turn_spot(2): (60, 160, 60), bid_spot(0): (20, 20, 20)}))
    assert seen is not None
    assert (seen.turn[2].taken, seen.turn[2].colour, seen.turn[2].is_sure) == (True, None, False)
    assert (seen.bid[0].colour, seen.bid[0].is_sure) == (BLACK, True)


def test_hidden_squares_and_two_pages_are_said() -> None:
    page = page_with({})
    left, top = (round((part + 40 / PX_PER_MM) * PX_PER_MM) for part in RIM_MM[:2])
    right = left + round(TRACKS_MM[0] * PX_PER_MM)
    hidden = page.copy()
    hidden[: top + 20 * PX_PER_MM, : right + 20] = 90
    with pytest.raises(PhotoError, match="not all of the four black squares"):
        find_tracks(hidden)
    with pytest.raises(PhotoError, match="two pages"):
        find_tracks(np.vstack([page, page]))


def test_the_orders_run_from_the_first_spot_and_from_the_dearest() -> None:
    seen = tracks({8: spot(BLACK), 3: spot(PINK)}, {0: spot(ORANGE), 2: spot(BLUE, 0.6, PINK)})
    found = add_tracks(table(), [photo_of(seen)])
    position = found.reading.position
    assert position.bid_order == (ORANGE, BLUE)
    assert position.turn_order == (Bid(PINK, 5), Bid(BLACK, 0))
    assert list(track_lines(found)) == ["Bid order: orange, blue", "Turn order: pink for 5 GC, black for 0 GC"]
    assert list(track_doubts(found)) == ["  spot 3 of the bid order track: blue (60%), perhaps pink"]
    document = table_document(found)
    assert document["bid_order"] == ["orange", "blue"]
    assert document["turn_order"] == [{"player": "pink", "price": 5}, {"player": "black", "price": 0}]
    assert document["spots"] == [{"track": "bid", "spot": 3, "player": "blue", "confidence": 0.6, "other": "pink"}]


def test_a_spot_as_a_person_says_it_is_takes_its_fault_away() -> None:
    seen = tracks({4: spot(BLACK)}, {0: spot(BLACK, 0.5, BLUE), 1: spot(ORANGE), 2: spot(PINK)})
    found = add_tracks(table(), [photo_of(seen)])
    assert any("rules 2.1" in note and "look at the tracks again" in note for note in found.reading.notes)
    (doubtful,) = doubtful_spots(found)
    assert doubtful.label == "bid-1"
    told = correct_spot(found, doubtful, BLUE)
    assert told.reading.position.bid_order == (BLUE, ORANGE, PINK)
    assert told.reading.notes == () and doubtful_spots(told) == []
    assert correct_spot(found, doubtful, None).reading.position.bid_order == (ORANGE, PINK)


def test_the_bids_of_a_code_are_over_when_no_marker_waits() -> None:  # rules 3.3
    coded = replace(Position(table().reading.position.board), phase=Phase.BID, to_move=BLACK, bid_order=(BLACK, BLUE))
    placed = with_tracks(coded, tracks({2: spot(BLUE), 4: spot(BLACK)}, {}))
    assert (placed.phase, placed.to_move, placed.bid_order) == (None, None, ())
    open_still = with_tracks(coded, tracks({4: spot(BLUE)}, {0: spot(BLACK)}))
    assert (open_still.phase, open_still.to_move) == (Phase.BID, BLACK)


def test_of_several_photos_the_one_with_most_markers_is_taken_and_it_is_said() -> None:
    few, more = tracks({}, {0: spot(BLUE)}), tracks({1: spot(PINK)}, {0: spot(BLUE)})
    found = add_tracks(table(), [photo_of(few, "a.jpg"), photo_of(more, "b.jpg")])
    assert found.track_photo == 1 and found.reading.position.turn_order == (Bid(PINK, 12),)
    assert any("those of b.jpg were taken" in note for note in found.reading.notes)
    fault = PhotoError("only two of the four squares")
    noted = add_tracks(table(), [photo_of(None, "c.jpg", fault)])
    assert noted.tracks is None and noted.reading.position.bid_order is None
    assert noted.reading.notes == ("the bid tracks were not read in c.jpg: only two of the four squares",)


def test_a_photo_of_the_tracks_alone_asks_for_the_board() -> None:
    with pytest.raises(PhotoError, match="bid.jpg shows the bid tracks, but no photo shows the board"):
        merge_photos([photo_of(tracks({}, {0: spot(BLUE)}))])
    with pytest.raises(PhotoError, match="only two of the four"):
        merge_photos([photo_of(None, fault=PhotoError("only two of the four"))])


def test_markers_are_dealt_as_the_rules_let_them_stand() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        players = tuple(Colour) if seed % 2 else (BLUE, PINK)
        dealt: Markers = deal_markers(rng, players)
        standing = [colour for colour in (*dealt.turn, *dealt.bid) if colour is not None]
        assert sorted(standing) == sorted([*players, *players][: 4 if len(players) == 2 else len(players)])
        zeros = [colour is not None for colour in dealt.turn[-3:]]
        assert zeros == sorted(zeros, reverse=True), "rules 3.2"


def test_usual_hues_are_those_of_the_usual_paints_and_an_owner_s_are_measured() -> None:  # rules 1.5
    usual = {letter: PiecePaint(*[usual_light(USUAL[letter][0])] * 3) for letter in USUAL}
    assert marker_hues(Paints(usual)) == pytest.approx(USUAL_HUES, abs=0.5)
    violet = usual_light((280, 0.7, 0.6))
    own = Paints({**usual, PINK.letter: PiecePaint(violet, violet, violet)})
    page = page_with({turn_spot(0): (150, 60, 115)})
    for hues, sure in ((marker_hues(None), False), (marker_hues(own), True)):
        seen = find_tracks(page, hues)
        assert seen is not None and (seen.turn[0].colour is PINK and seen.turn[0].is_sure) is sure
