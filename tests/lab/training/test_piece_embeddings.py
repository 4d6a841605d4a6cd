"""How pieces are compared is fitted to boards, and written as the reader takes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from companion.lab.training.batches import right_numbers
from companion.lab.training.contents import POOL, tile_detections
from companion.lab.training.owners import OwnerBoard
from companion.lab.training.piece_embeddings import (
    ComparisonNet,
    contents_loss,
    fit_contents,
    fit_embeddings,
    train_embeddings,
)
from companion.rules.model.board import COLUMNS, SQUARES
from companion.vision.board import piece_embeddings
from companion.vision.board.piece_embeddings import (
    NOTHING,
    SCALARS,
    UNLABELLED,
    PieceComparison,
    class_logits,
    compared_logits,
)
from companion.vision.board.pieces import COUNT_LOGITS, GROUPS, PIECE_CLASSES
from companion.vision.numerics import Float32

FEATURES = 6


def made_up_board(seed: int) -> OwnerBoard:
    """A board whose scores leave two classes open, while features tell them; each box has looks of its own."""
    rng = np.random.default_rng(seed)
    looks = rng.normal(0, 2, (2, FEATURES))
    classes = np.repeat([3, 9], (8, 4))
    scores = np.full((len(classes), len(PIECE_CLASSES)), 0.02, np.float32)
    scores[:, [3, 9]] = rng.uniform(0.3, 0.7, (len(classes), 2))
    # Some of each are told by their scores; the others can only be told by these.
    for one in (0, 1, 8, 9):
        scores[one, [3, 9]] = (0.95, 0.03) if classes[one] == 3 else (0.03, 0.95)
    features = looks[(classes == 9).astype(int)] + rng.normal(0, 0.2, (len(classes), FEATURES))
    # One piece a tile, in its middle.
    squares = rng.permutation(SQUARES)[: len(classes)]
    places = np.stack([squares % COLUMNS, squares // COLUMNS], axis=1) + 0.5
    true = np.zeros((SQUARES, len(PIECE_CLASSES)), np.int64)
    true[squares, classes] = 1
    return OwnerBoard(
        features=features.astype(np.float32),
        scores=scores,
        classes=classes,
        places=places.astype(np.float32),
        counts=unsure_counts(true),
        numbers=right_numbers(true),
    )


def unsure_counts(true: NDArray[np.int64]) -> Float32:
    """Numbers counted (30, COUNT_LOGITS) that leave open which of the two classes a piece is of, as scores do."""
    counts = np.zeros((SQUARES, COUNT_LOGITS), np.float32)
    either = true[:, [3, 9]].sum(axis=1)
    for group in GROUPS:
        counts[:, group.first] = 1.0
        if group.kind in (PIECE_CLASSES[3], PIECE_CLASSES[9]):
            counts[:, group.first] = np.where(either, 0.5, 0.98)
            counts[:, group.first + 1] = 1 - counts[:, group.first]
    return counts


def test_a_comparison_learns_to_tell_by_likeness_what_scores_leave_open() -> None:
    boards = [made_up_board(seed) for seed in range(30)]
    network = fit_embeddings(boards, 400, lambda text: None)
    right, by_score = [], []
    for board in (made_up_board(seed) for seed in range(100, 110)):
        with torch.no_grad():
            told = network(torch.from_numpy(board.features), torch.from_numpy(board.scores)).argmax(1).numpy()
        right.append(np.mean(told == board.classes))
        by_score.append(np.mean(board.scores.argmax(1) == board.classes))
    assert np.mean(by_score) < 0.85
    assert np.mean(right) > 0.93


def test_a_comparison_is_fitted_to_what_stands_on_tiles() -> None:
    boards = [made_up_board(seed) for seed in range(30)]
    apart = [made_up_board(seed) for seed in range(100, 110)]
    network = fit_embeddings(boards, 100, lambda text: None)

    def mean_loss() -> float:
        with torch.no_grad():
            losses = [contents_loss(network, one, tile_detections(one.places), torch.tensor(POOL)) for one in apart]
        return float(torch.stack(losses).mean())

    before = mean_loss()
    fit_contents(network, boards, 150, lambda text: None)
    assert mean_loss() < 0.95 * before


def test_what_is_written_compares_as_what_was_fitted() -> None:
    torch.manual_seed(4)
    network = ComparisonNet(FEATURES, torch.randn(FEATURES), torch.rand(FEATURES) + 0.5).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    arrays = network.arrays()
    comparison = PieceComparison(
        arrays["projection"], bias=arrays["bias"].astype(np.float64), **{name: float(arrays[name]) for name in SCALARS}
    )
    board = made_up_board(1)
    points = board.features @ comparison.projection
    logits = class_logits(board.scores.astype(np.float64), comparison)
    ours = compared_logits(logits, points.astype(float), comparison, np.full(len(points), UNLABELLED))
    with torch.no_grad():
        theirs = network(torch.from_numpy(board.features), torch.from_numpy(board.scores)).numpy()
    assert ours == pytest.approx(theirs, abs=2e-3)


def test_training_writes_a_file_that_the_reader_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = []
    for seed in range(3):
        board = made_up_board(seed)
        paths.append(tmp_path / f"owner_{seed}.npz")
        np.savez(paths[-1], **{name: getattr(board, name) for name in OwnerBoard.__slots__})
    weights = tmp_path / "weights"
    weights.mkdir()
    said: list[str] = []
    train_embeddings(paths, weights / "piece_embeddings.json", said.append, (100, 100))
    assert [line[: line.index(" loss")] for line in said] == ["detections: step 100/100", "contents: step 100/100"]
    monkeypatch.setattr(piece_embeddings, "files", lambda package: tmp_path)
    piece_embeddings.fitted_comparison.cache_clear()
    try:
        comparison = piece_embeddings.fitted_comparison()
    finally:
        piece_embeddings.fitted_comparison.cache_clear()
    assert comparison.projection.shape == (FEATURES, 48)
    assert comparison.bias.shape == (NOTHING + 1,)
    assert min(comparison.prior, comparison.unlike) > 0
