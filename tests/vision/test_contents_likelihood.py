"""What a photo says of any contents of a tile, beside the ranking that the reader makes of those it looked at."""

from __future__ import annotations

from functools import cache

import pytest

from companion.notation.files import parse_position
from companion.opening.photos import read_photos
from companion.opening.source import read_inputs
from companion.rules.model.board import SQUARES, Board, with_meeples
from companion.vision.board.contents_hypotheses import Numbers
from companion.vision.board.contents_likelihood import UNRANKED_NATS, ContentsLikelihood
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.piece_corrections import numbers_of
from tests.vision.tables import SAMPLES


@cache
def read(name: str) -> tuple[BoardEvidence, Board]:
    """A sample photo's evidence, and the board that it shows."""
    truth = parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8")).board
    session = read_photos(read_inputs([SAMPLES / f"{name}.jpg"]), own_set=False, board=truth)
    assert session.evidence is not None
    return session.evidence, truth


@pytest.mark.parametrize("name", ["mid", pytest.param("after", marks=pytest.mark.slow)])
def test_what_lies_there_is_likelier_than_a_meeple_more(name: str) -> None:
    evidence, truth = read(name)
    likelihood = ContentsLikelihood.of(evidence.pieces, evidence.hypotheses)
    for square, tile in enumerate(truth):
        more = with_meeples(tile, (*tile.meeples[:-1], tile.meeples[-1] + 1))
        assert likelihood(square, tile) > likelihood(square, more)
        assert likelihood.best(square) - likelihood(square, tile) < 1.0


def test_it_orders_contents_as_the_reader_does_where_both_are_sure() -> None:
    evidence, _ = read("mid")
    likelihood = ContentsLikelihood.of(evidence.pieces, evidence.hypotheses)
    for square in range(SQUARES):
        ranked = evidence.hypotheses[square]
        first, last = ranked.as_numbers(0), ranked.as_numbers(len(ranked.log_probs) - 1)
        assert likelihood.nats(square, first) > likelihood.nats(square, last)
        # By the numbers of each kind as well, the order may differ where two are nearly as likely.
        assert likelihood.best(square) - likelihood.nats(square, first) < 1.0


def test_contents_that_were_not_looked_at_have_a_likelihood_too() -> None:
    evidence, truth = read("mid")
    likelihood = ContentsLikelihood.of(evidence.pieces, evidence.hypotheses)
    heap: Numbers = numbers_of(with_meeples(truth[0], (4, 4, 4, 4, 4)))
    assert heap not in likelihood.ranked[0]
    assert -UNRANKED_NATS * 4 < likelihood.nats(0, heap) < likelihood.best(0) - 20
