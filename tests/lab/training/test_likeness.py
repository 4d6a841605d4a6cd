"""How pieces are compared is fitted to boards, and written as the reader takes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from companion.lab.training.likeness import ComparisonNet, draw_shown, fit_likeness, train_likeness
from companion.lab.training.owners import NO_FOOT, OwnerBoard
from companion.vision.board import likeness
from companion.vision.board.likeness import NOTHING, SCALARS, Likeness, PieceComparison, class_logits, compared_logits
from companion.vision.board.pieces import PIECE_CLASSES

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
    shown = looks + rng.normal(0, 0.2, looks.shape)
    feet = np.arange(len(classes))
    return OwnerBoard(
        features.astype(np.float32),
        scores,
        classes,
        feet,
        shown.astype(np.float32),
        np.array([3, 9]),
        np.array([NO_FOOT, 10]),
    )


def test_a_comparison_learns_to_tell_by_likeness_what_scores_leave_open() -> None:
    boards = [made_up_board(seed) for seed in range(30)]
    network = fit_likeness(boards, 400, 0, lambda text: None)
    right, by_score = [], []
    for board in (made_up_board(seed) for seed in range(100, 110)):
        with torch.no_grad():
            told = network(torch.from_numpy(board.features), torch.from_numpy(board.scores), None).argmax(1).numpy()
        right.append(np.mean(told == board.classes))
        by_score.append(np.mean(board.scores.argmax(1) == board.classes))
    assert np.mean(by_score) < 0.85
    assert np.mean(right) > 0.93


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
    points, shown = (each @ comparison.projection for each in (board.features, board.shown_features))
    logits = class_logits(board.scores.astype(np.float64), comparison)
    ours = compared_logits(logits, points.astype(float), comparison, Likeness(shown.astype(float), (3, 9)))
    told = (torch.from_numpy(board.shown_features), torch.from_numpy(board.shown_classes))
    with torch.no_grad():
        theirs = network(torch.from_numpy(board.features), torch.from_numpy(board.scores), told).numpy()
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
    train_likeness(paths, weights / "likeness.json", 100, 0, said.append)
    assert said and said[-1].startswith("step 100/100")
    monkeypatch.setattr(likeness, "files", lambda package: tmp_path)
    likeness.fitted_comparison.cache_clear()
    try:
        comparison = likeness.fitted_comparison()
    finally:
        likeness.fitted_comparison.cache_clear()
    assert comparison.projection.shape == (FEATURES, 48)
    assert comparison.bias.shape == (NOTHING + 1,)
    assert min(comparison.shown, comparison.prior, comparison.unlike) > 0


def test_one_piece_of_each_class_is_shown() -> None:
    board = made_up_board(0)
    many = OwnerBoard(
        **{name: getattr(board, name) for name in OwnerBoard.__slots__ if not name.startswith("shown")},
        shown_features=np.zeros((5, FEATURES), np.float32),
        shown_classes=np.array([3, 3, 9, 5, 3]),
        shown_feet=np.full(5, NO_FOOT),
    )
    drawn = [draw_shown(many, np.random.default_rng(seed)) for seed in range(40)]
    assert {tuple(sorted(many.shown_classes[some].tolist())) for some in drawn} == {(3, 5, 9), (3, 9)}
    assert len({int(some[many.shown_classes[some] == 3][0]) for some in drawn}) == 3
