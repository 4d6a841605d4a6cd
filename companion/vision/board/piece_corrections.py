"""What is known beside a photo as evidence: a person's corrections, which leave no doubt, and a game's board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.rules.model.board import Tile
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.vision import fitted
from companion.vision.board.contents_hypotheses import Hypotheses, Numbers, contents_hypotheses, ranked
from companion.vision.board.evidence import BoardEvidence, half_turned
from companion.vision.board.pieces import CAMEL_GROUP, GROUPS, PIECE_CLASSES, calibrated_pieces, pieces_on
from companion.vision.board.tile_similarity import KINDS

_BUILT = [number for number, group in enumerate(GROUPS) if group.kind in ("palm", "palace")]

RULED_OUT = 1e-30
"""The probability of what a person ruled out: small beside anything that a network says, and with a logarithm."""


def apply_corrections(evidence: BoardEvidence) -> BoardEvidence:
    """The evidence with the corrections in place of what was seen on those tiles.

    The pieces on other tiles are compared with those corrected: what looks like one of them is likelier to be one.
    """
    corrections = evidence.corrections
    if not corrections:
        return evidence
    evidence = _compared_again(evidence)
    tiles = evidence.tiles.copy()
    pieces = tuple(group.copy() for group in evidence.pieces)
    unknown, hypotheses = evidence.unknown.copy(), list(evidence.hypotheses)
    for square, tile in corrections.items():
        kind = KINDS.index(tile.kind)
        turns = tiles[square, kind] / max(float(tiles[square, kind].sum()), RULED_OUT)
        tiles[square] = RULED_OUT
        tiles[square, kind] = np.maximum(turns, RULED_OUT)
        numbers = numbers_of(tile)
        for group, number in zip(pieces, numbers, strict=True):
            group[square] = RULED_OUT
            group[square, number] = 1.0
        hypotheses[square] = Hypotheses(np.array([numbers]), np.zeros(1))
        unknown[square] = 0.0
    return replace(
        evidence,
        tiles=tiles,
        pieces=pieces,
        known=None
        if evidence.known is None
        else tuple(corrections.get(square, tile) for square, tile in enumerate(evidence.known)),
        hypotheses=tuple(hypotheses),
        unknown=unknown,
        hidden=evidence.hidden - corrections.keys(),
        covered=evidence.covered.difference(corrections),
    )


def given_before(evidence: BoardEvidence) -> tuple[Hypotheses, ...]:
    """What may stand on each tile, likelier where it goes with the board of the game before."""
    if evidence.before is None:
        return evidence.hypotheses
    return tuple(
        one if square in evidence.corrections else _given(one, numbers_of(tile), covered=square in evidence.covered)
        for square, (one, tile) in enumerate(zip(evidence.hypotheses, evidence.before, strict=True))
    )


def _given(hypotheses: Hypotheses, lay: Numbers, *, covered: bool) -> Hypotheses:
    before, numbers = np.array(lay), hypotheses.numbers
    if covered:
        # What was seen there is something else: only the game tells.
        return Hypotheses(before[None], np.zeros(1))
    fewer = np.maximum(before - numbers, 0)[:, _BUILT].sum(axis=1)
    gone = (before[CAMEL_GROUP] > 0) & (numbers[:, CAMEL_GROUP] != before[CAMEL_GROUP])
    same = (numbers == before).all(axis=1)
    return ranked(numbers, hypotheses.log_probs - fitted.STAYS * (fewer + gone) + fitted.UNTOUCHED * same)


def _compared_again(evidence: BoardEvidence) -> BoardEvidence:
    """The evidence with the board's pieces compared with those on corrected tiles."""
    if evidence.compared is None:
        return evidence
    if evidence.turned:
        return half_turned(_compared_again(half_turned(evidence)))
    pieces = {
        square: [PIECE_CLASSES.index(name) for name in pieces_on(tile)] for square, tile in evidence.corrections.items()
    }
    seen = calibrated_pieces(evidence.compared.compared(pieces))
    return replace(
        evidence, pieces=seen.counts, detections=seen.detections, hypotheses=contents_hypotheses(seen.output)
    )


def numbers_of(tile: Tile) -> Numbers:
    """How many of each of `pieces.GROUPS` stand on a tile, as far as they are distinguished."""
    numbers = dict(zip(TRIBE_LETTERS, tile.meeples, strict=True)) | {"palm": tile.palms, "palace": tile.palaces}
    numbers["camel"] = 0 if tile.camel is None else tuple(Colour).index(tile.camel) + 1
    return tuple(min(numbers[group.kind], group.size - 1) for group in GROUPS)
