"""What the tracks in photos mean: the bid order and the turn order (rules 1.6, 3), and what is doubtful of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import fault_line
from companion.language.phrase import Phrase, say, term
from companion.notation.fiducials import TRACK_PRICES
from companion.rules.engine.legality import problems
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Position
from companion.vision.cards.tracks import USUAL_HUES, SpotReading, TracksReading, hue_of
from companion.vision.colour.paints import GAMMA, Paints
from companion.vision.reading.table import PhotoReading, TableReading

TURN, BID = "turn", "bid"
"""What the tracks are called by: as in `companion read --ask` and its JSON."""


@dataclass(frozen=True, slots=True)
class DoubtfulSpot:
    """A spot of a track, `TURN` or `BID`, that was not told for sure; `number` from 0."""

    track: str
    number: int
    detection: SpotReading

    @property
    def label(self) -> str:
        """What the spot is called, by its track and its place from 1: "turn-2", "bid-1"."""
        return f"{self.track}-{self.number + 1}"

    @property
    def place(self) -> Phrase:
        """Where it is, in words."""
        if self.track == TURN:
            return say(
                "spot {number} of the turn order track ({price} GC)",
                number=self.number + 1,
                price=TRACK_PRICES[self.number],
            )
        return say("spot {number} of the bid order track", number=self.number + 1)


def marker_hues(paints: Paints | None) -> dict[Colour, float]:
    """The hues of an owner's markers, which are painted as his camels are; the usual ones if they are not known."""
    if paints is None:
        return dict(USUAL_HUES)
    lit = np.array([paints.by_piece[colour.letter].lit for colour in USUAL_HUES])
    return dict(zip(USUAL_HUES, map(float, hue_of(lit ** (1 / GAMMA))), strict=True))


def add_tracks(table: TableReading, photos: Sequence[PhotoReading]) -> TableReading:
    """The table's reading with the markers on the tracks of its photos; of several the one that shows most of them.

    A photo shows what lies on the table now, and so it stands before what a code told.
    """
    notes = [
        say("the bid tracks were not read in {name}: {fault}", name=photo.shot.name, fault=photo.track_fault)
        for photo in photos
        if photo.track_fault is not None
    ]
    shown = [(number, photo.tracks) for number, photo in enumerate(photos) if photo.tracks is not None]
    if not shown:
        return replace(table, reading=replace(table.reading, notes=(*table.reading.notes, *notes)))
    number, tracks = max(shown, key=lambda one: _markers(one[1]))
    if any(_orders(other) != _orders(tracks) for _, other in shown):
        notes.append(
            say("the photos show the bid tracks differently; those of {name} were taken", name=photos[number].shot.name)
        )
    position = with_tracks(table.reading.position, tracks)
    reading = replace(table.reading, position=position, notes=(*table.reading.notes, *notes, *track_faults(position)))
    return replace(table, reading=reading, tracks=tracks, track_photo=number)


def with_tracks(position: Position, tracks: TracksReading) -> Position:
    """The position with the markers as they stand on both tracks.

    Bids that a code tells of are over when no marker waits on the bid order track (rules 3).
    """
    bids, turns = _orders(tracks)
    if position.phase is Phase.BID and turns and not bids:
        position = replace(position, phase=None, to_move=None)
    return replace(position, bid_order=bids, turn_order=turns)


def track_faults(position: Position) -> Iterator[str]:
    """What the tracks together show that cannot be: some marker was misread (rules 1.5, 1.6, 2.1, 3)."""
    for problem in problems(position):
        if problem.where in ("bid_order", "turn_order") or problem.rule == "2.1":
            yield say("{fault}; look at the tracks again", fault=fault_line(problem))


def doubtful_spots(table: TableReading) -> list[DoubtfulSpot]:
    """The spots of both tracks that were not told for sure, those of the turn order track first."""
    if table.tracks is None:
        return []
    return [
        DoubtfulSpot(track, number, spot)
        for track, spots in ((TURN, table.tracks.turn), (BID, table.tracks.bid))
        for number, spot in enumerate(spots)
        if not spot.is_sure
    ]


def spot_readings(spot: SpotReading) -> tuple[Colour | None, ...]:
    """What may be on a spot, the likeliest first; None for nothing."""
    first: list[Colour | None] = [spot.colour]
    if spot.other is not None:
        first.append(spot.other)
    return tuple(dict.fromkeys((*first, None) if spot.confidence < 1 else first))


def correct_spot(table: TableReading, doubtful: DoubtfulSpot, colour: Colour | None) -> TableReading:
    """The table's reading with a spot as a person says it is; None for no marker."""
    assert table.tracks is not None, "a doubtful spot is of the table's tracks"
    told = replace(doubtful.detection, colour=colour, taken=colour is not None, confidence=1.0, other=None)
    spots = list(table.tracks.turn if doubtful.track == TURN else table.tracks.bid)
    spots[doubtful.number] = told
    changed = {doubtful.track: tuple(spots)}
    tracks = TracksReading(changed.get(TURN, table.tracks.turn), changed.get(BID, table.tracks.bid))
    old = set(track_faults(table.reading.position))
    position = with_tracks(table.reading.position, tracks)
    notes = (*(note for note in table.reading.notes if note not in old), *track_faults(position))
    return replace(table, reading=replace(table.reading, position=position, notes=notes), tracks=tracks)


def spot_words(spot: SpotReading) -> str:
    """What is read on a spot, in words."""
    if spot.colour is not None:
        return term(spot.colour)
    return say("something that is no marker") if spot.taken else say("no marker")


def _orders(tracks: TracksReading) -> tuple[tuple[Colour, ...], tuple[Bid, ...]]:
    """The bid order from its first spot, and the turn order with its prices."""
    bids = tuple(spot.colour for spot in tracks.bid if spot.colour is not None)
    turns = tuple(
        Bid(spot.colour, price)
        for spot, price in zip(tracks.turn, TRACK_PRICES, strict=True)
        if spot.colour is not None
    )
    return bids, turns


def _markers(tracks: TracksReading) -> int:
    return sum(spot.colour is not None for spot in (*tracks.turn, *tracks.bid))
