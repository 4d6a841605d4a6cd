"""The way of photos of one table to its position, stage by stage.

Each photo is scanned for codes and for the sultanate, its board is read, its cards are found; then all photos are put
together, and what the cards mean is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from companion.errors import MissingDependencyError, PhotoError
from companion.language.phrase import joined, say
from companion.notation.outcome import Outcome, ResultAloneError
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.system.programs import find_tesseract
from companion.system.progress import ReadingStep, TellStep
from companion.vision.board.contents_hypotheses import contents_hypotheses
from companion.vision.board.contents_likelihood import ContentsLikelihood
from companion.vision.board.covering import covered_squares
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.owner_tiles import OwnerTiles, find_owned
from companion.vision.board.piece_embeddings import PiecesToCompare, pieces_to_compare
from companion.vision.board.pieces import DetectedPieces, calibrated_pieces, run_piece_net
from companion.vision.board.rectify import hidden_squares, rectify
from companion.vision.board.tiles import OtherTilesError, half_turned_picture, is_turned_by_few, recognise_tiles
from companion.vision.cards.detection import find_cards
from companion.vision.cards.titles import read_titles
from companion.vision.load import Picture, has_few_colours
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import Float64
from companion.vision.reading.cards import add_cards, is_sure, read_hands, sure_row
from companion.vision.reading.merge import merge_shots
from companion.vision.reading.scan import PhotoScan, is_drawn, scan_photo
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading


def read_table(
    shots: Sequence[Shot],
    goods: Mapping[Colour, Shot] | None = None,
    own: OwnerTiles | None = None,
    tell: TellStep = lambda step, words: None,
    game: Board | None = None,
) -> PhotoSession:
    """Read photos of one table: each may show the board, the row of cards, djinns, a set-up card's code.

    `goods` are photos of what players have laid out, `own` the owner's own tiles, `game` the board of the
    game in progress: where its tiles lie in the photos, only the pieces are read, and the photos need not show it.
    Titles of djinns are read where they are asked for, and with Tesseract installed in photos that show no board.
    Raises PhotoError if no photo shows the board or its code, if one shows nothing at all, or if they are of two
    tables, as ResultAloneError if they show a game's result and no position; NotationError for a damaged or newer code;
    MissingDependencyError if titles are asked for and Tesseract is missing.
    """
    with _detecting_cards([shot.picture for shot in shots]) as cards:
        return _read_shots(shots, cards, goods or {}, own, tell, game)


@contextmanager
def _detecting_cards(pictures: Sequence[Picture]) -> Iterator[list[Future[tuple[CardDetection, ...]]]]:
    """The cards in photos, looked for in a thread of its own while the boards are read.

    Outlines are followed on one core, and networks leave half of a second one idle. OpenCV works without Python's lock.
    """
    executor = ThreadPoolExecutor(1)
    try:
        yield [executor.submit(find_cards, picture) for picture in pictures]
    finally:
        # Where a photo is refused nobody waits for the others' cards.
        executor.shutdown(cancel_futures=True)


def _read_shots(
    shots: Sequence[Shot],
    card_detections: Sequence[Future[tuple[CardDetection, ...]]],
    goods: Mapping[Colour, Shot],
    own: OwnerTiles | None,
    tell: TellStep,
    game: Board | None,
) -> PhotoSession:
    """As `read_table`; `card_detections` are being looked for in the photos meanwhile."""
    scans = [_scanned(shot, own, tell, alone=len(shots) == 1) for shot in shots]
    coded, outcome = _coded_position(shots, scans), _outcome(shots, scans)
    known = game if coded is None else coded.board
    has_board = known is not None or any(scan.lattice is not None for scan in scans)
    seen: list[Shot] = []
    for shot, scan, detections in zip(shots, scans, card_detections, strict=True):
        if scan.lattice is not None:
            tell(ReadingStep.BOARD, say("{name}: reading the board", name=shot.name))
        try:
            board = board_in(shot.picture, scan, known, own)
        except OtherTilesError:
            if coded is not None:
                raise
            # Another board than the game's: which tiles lie there is read from the photo.
            known, board = None, board_in(shot.picture, scan, None, own)
        if board is not None and known is not None and known is game:
            board = replace(board, before=game)
        tell(ReadingStep.CARDS, say("{name}: looking for cards", name=shot.name))
        shot = replace(shot, board=board, code=scan.code, coded=scan.coded, fault=scan.fault, cards=detections.result())
        # Titles take longer than all else: none are read where part of a board is in view, or no photo shows one.
        bare = has_board and scan.coded is None and isinstance(scan.fault, NoSultanateError)
        seen.append(_with_titles(shot, tell) if shot.titled or (bare and find_tesseract() is not None) else shot)
    reading, evidence = merge_shots(seen, game)
    held = read_hands(goods, tell)
    return PhotoSession(tuple(seen), add_cards(replace(reading, outcome=outcome), seen, held), evidence, held)


def _scanned(shot: Shot, own: OwnerTiles | None, tell: TellStep, *, alone: bool) -> PhotoScan:
    """As `_scan`; of several photos an error says which one it's about."""
    tell(ReadingStep.SCAN, say("{name}: looking for the board", name=shot.name))
    try:
        return _scan(shot.picture, own)
    except PhotoError as error:
        raise (error if alone else PhotoError(joined(": ", (shot.name, str(error))))) from None


def _coded_position(shots: Sequence[Shot], scans: Sequence[PhotoScan]) -> Position | None:
    """The position that codes in photos tell. Raises PhotoError where they tell two."""
    coded = [(shot.name, scan.coded) for shot, scan in zip(shots, scans, strict=True) if scan.coded is not None]
    for name, position in coded[1:]:
        if position != coded[0][1]:
            raise PhotoError(
                "the codes in {coded} and {name} are for two different positions: photograph only this table's card",
                coded=coded[0][0],
                name=name,
            )
    return coded[0][1] if coded else None


def _outcome(shots: Sequence[Shot], scans: Sequence[PhotoScan]) -> Outcome | None:
    """The result that a code in photos tells. Raises ResultAloneError where they show no table."""
    told = [(shot.name, scan.outcome) for shot, scan in zip(shots, scans, strict=True) if scan.outcome is not None]
    if told and all(scan.lattice is None and scan.coded is None for scan in scans):
        raise ResultAloneError(*told[0])
    return told[0][1] if told else None


def _with_titles(shot: Shot, tell: TellStep) -> Shot:
    """The photo with its djinns' titles, or with the fault why they weren't read if nobody asked for them."""
    tell(ReadingStep.TITLES, say("{name}: reading djinn names", name=shot.name))
    try:
        sure = [np.array(card.corners_px) for card in shot.cards if is_sure(card)]
        return replace(shot, titles=tuple(read_titles(shot.picture, others=sure)))
    except (PhotoError, MissingDependencyError) as error:
        # A Tesseract that fails takes nothing away from who did not ask for it.
        if shot.titled:
            raise
        return replace(shot, title_fault=error)


def _scan(photo: Picture, own: OwnerTiles | None, **how: bool) -> PhotoScan:
    """What a photo holds; where no sultanate is found, the owner's tiles are looked for. All else as `scan_photo`."""
    scan = scan_photo(photo, **how)
    if own is None or not isinstance(scan.fault, NoSultanateError):
        return scan
    lattice = find_owned(photo, own)
    if lattice is None or is_drawn(lattice, scan.codes):
        return scan
    return replace(scan, lattice=lattice, fault=None)


def board_in(
    photo: Picture, scan: PhotoScan, known: Board | None = None, own: OwnerTiles | None = None
) -> BoardEvidence | None:
    """What a scanned photo shows of the board; None if it shows none, or none but the drawing on a card with a code.

    `known` is the board of a code of the same table, from this photo or another. Raises as `see_board`.
    """
    if scan.lattice is None:
        return None
    try:
        return see_board(photo, scan.lattice, known, own)
    except OtherTilesError as error:
        if error.is_table or scan.coded is None:
            raise
        return None


def see_board(
    photo: Picture, lattice: Lattice, known: Board | None = None, own: OwnerTiles | None = None
) -> BoardEvidence:
    """What a photo shows of the thirty tiles of a sultanate whose place in it is known.

    `known` is a board of the same tiles, if there is one: then only the pieces are read. Raises
    OtherTilesError if other tiles lie there, PhotoError for another game or a mirrored picture. `own` are the owner's
    own tiles, if they were learnt.
    """
    rectified = rectify(photo, lattice.homography)
    board = recognise_tiles(rectified, lattice.homography, known, own.classify if own else None)
    compared, seen, covered = _seen_pieces(board.picture, board.homography)
    tiles, unknown = board.probabilities.copy(), board.unknown.copy()
    # What lies there says nothing of the tile under it.
    tiles[sorted(covered)], unknown[sorted(covered)] = 1 / tiles[0].size, 0.0
    return BoardEvidence(
        tiles,
        seen.counts,
        seen.detections,
        board.homography,
        contents_hypotheses(seen.output),
        unknown,
        known,
        compared=compared,
        hidden=hidden_squares(board.picture),
        covered=covered,
        few_colours=has_few_colours(photo),
    )


def _seen_pieces(board: Picture, homography: Float64) -> tuple[PiecesToCompare | None, DetectedPieces, frozenset[int]]:
    """What's compared of the pieces on an upright rectified board, the pieces, and the squares that are covered."""
    output = run_piece_net(board)
    compared = pieces_to_compare(output, homography)
    covered = covered_squares(output.features) if output.features is not None else frozenset[int]()
    return compared, calibrated_pieces(output if compared is None else compared.compared()), covered


def see_in_game(
    photo: Picture, game: Board, own: OwnerTiles | None = None
) -> tuple[ContentsLikelihood, tuple[str, ...] | None] | None:
    """What a photo of a game with this board says of its tiles' contents, and the row of cards where it's sure.

    Only that is read, which takes two thirds as long as all; None where a few tiles don't tell that they are the
    game's. Raises PhotoError where no board is found.
    """
    scan = _scan(photo, own, for_code=False)
    if scan.lattice is None:
        assert scan.fault is not None, "what isn't found has a reason"
        raise scan.fault
    picture, homography = rectify(photo, scan.lattice.homography), scan.lattice.homography
    turned = is_turned_by_few(picture, game)
    if turned is None:
        return None
    if turned:
        picture, homography = half_turned_picture(picture, homography)
    _, seen, covered = _seen_pieces(picture, homography)
    likelihood = ContentsLikelihood.of(seen.counts, contents_hypotheses(seen.output), covered)
    return likelihood, sure_row(find_cards(photo))


def read_picture(photo: Picture, own: OwnerTiles | None = None) -> Reading:
    """Read the sultanate of a photo (H, W, 3), BGR, the position code of a card or sheet in it, or both; no cards.

    With both, the code gives which tile lies where and only the pieces are read. Raises PhotoError if neither
    is found, if two codes are, or if the code is of another table; NotationError for a damaged or newer code.
    """
    scan = _scan(photo, own)
    board = board_in(photo, scan, None if scan.coded is None else scan.coded.board, own)
    shot = Shot("the photo", photo, board=board, code=scan.code, coded=scan.coded, fault=scan.fault)
    return merge_shots([shot])[0]
