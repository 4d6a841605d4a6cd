"""The slim piece network: how much work it is, made out of the full one, taught by it, halted and gone on with."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from torch import nn

from companion.lab.__main__ import main
from companion.lab.training import lessons, slimming, train
from companion.lab.training.dataset import make_example, save_example, training_example
from companion.lab.training.lessons import lesson_arrays, lesson_path, load_lesson
from companion.lab.training.losses import teaching_loss
from companion.lab.training.networks import PieceNet, piece_net, slim_piece_net
from companion.lab.training.slimming import _copy_kept, _fit, fit_slim
from companion.lab.training.train import Plan, train_pieces
from companion.vision.board.pieces import COUNT_LOGITS, GROUPS, OUTPUTS, PIECE_CLASSES
from companion.vision.board.rectify import BOARD_SIZE_PX

WIDTHS = (8, 12, 16, 16, 16)
BOARD = (1, 3, BOARD_SIZE_PX[1], BOARD_SIZE_PX[0])
TEACHER = Path(__file__).parents[3] / "companion" / "vision" / "weights" / "pieces.onnx"


def test_the_slim_network_answers_as_the_full_one_with_a_third_of_the_work() -> None:
    shapes, work = [], []
    for make in (piece_net, slim_piece_net):
        products: list[int] = []
        with torch.device("meta"):
            network = make().eval()
            for layer in network.modules():
                if isinstance(layer, nn.Conv2d):
                    layer.register_forward_hook(
                        lambda layer, _given, output, to=products: to.append(output.numel() * layer.weight[0].numel())
                    )
            shapes.append([tuple(output.shape) for output in network(torch.zeros(BOARD))])
        work.append(sum(products))
    assert shapes[0] == shapes[1]
    assert work[1] < min(8e9, work[0] / 3)


def test_a_layer_is_fitted_to_what_is_wanted_of_it_with_its_offset_in_the_normalisation() -> None:
    torch.manual_seed(0)
    layer, norm, true = nn.Conv2d(3, 4, 3, bias=False), nn.BatchNorm2d(4), torch.randn(4, 27)
    given = torch.rand(4000, 27)
    wanted = given @ true.T + torch.tensor([0.0, 1.0, -2.0, 5.0])
    with torch.no_grad():
        _fit(layer, norm, given, wanted)
        assert layer.weight.flatten(1) == pytest.approx(true, abs=0.1)
        answers = nn.functional.batch_norm(given @ layer.weight.flatten(1).T, norm.running_mean, norm.running_var)
    assert answers == pytest.approx(wanted, abs=0.3)


@pytest.mark.slow
def test_layers_fitted_one_by_one_come_nearer_to_the_full_network_than_copied_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slimming, "PLACES", 300)
    torch.manual_seed(0)
    full, slim, copied = (PieceNet(3, 5, WIDTHS, slim=slim).eval() for slim in (False, True, True))
    boards = [torch.rand(1, 3, 256, 256, generator=torch.Generator().manual_seed(seed)) for seed in range(3)]
    fit_slim(full, slim, boards[:2])
    _copy_kept(full, copied)
    with torch.no_grad():
        away = [float((network(boards[2])[2] - full(boards[2])[2]).square().mean()) for network in (slim, copied)]
    assert away[0] < 0.95 * away[1]


def said(right: bool) -> tuple[torch.Tensor, ...]:
    """What a teacher says of a board on whose first tile one vizier stands, and nothing else."""
    heat = torch.full((1, len(PIECE_CLASSES), 192, 224), -6.0)
    heat[0, 0, 32, 32] = 4.0
    counts = torch.zeros(1, COUNT_LOGITS, 5, 6)
    for group in GROUPS:
        counts[0, group.first] = 5.0
    counts[0, GROUPS[0].first + (1 if right else 2), 0, 0] = 9.0
    return heat, counts, torch.ones(1, 48, 192, 224), torch.ones(1, 112, 96, 112)


def test_a_pupil_is_asked_for_what_its_teacher_says_but_for_tiles_that_it_counts_wrongly() -> None:
    classes = torch.zeros(1, len(GROUPS), 5, 6)
    classes[0, 0, 0, 0] = 1
    knowing, silent = said(True), [torch.zeros_like(part) - 6 * (number == 0) for number, part in enumerate(said(True))]
    assert teaching_loss(knowing, knowing, classes) == pytest.approx(0, abs=1e-6)
    assert teaching_loss(silent, knowing, classes) > 1.5
    wrong = said(False)
    pupil = (torch.full_like(wrong[0], -6.0), knowing[1], *wrong[2:])
    assert teaching_loss(pupil, wrong, classes) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_lessons_are_kept_and_learnt_from_and_training_goes_on_where_it_was_halted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in (3, 4):
        path = tmp_path / f"{seed}.npz"
        save_example(path, make_example(*training_example(np.random.default_rng(seed), size=(640, 480))))
    first = tmp_path / "3.npz"
    (tmp_path / "4.npz").rename(tmp_path / "4.later")
    assert main(["teach", str(tmp_path), str(TEACHER)]) == 0
    (tmp_path / "4.later").rename(tmp_path / "4.npz")
    lesson = load_lesson(lesson_path(first))
    assert lesson.heat.shape == (len(PIECE_CLASSES), 192, 224) and lesson.counts.shape == (COUNT_LOGITS, 5, 6)
    written = lesson_path(first).stat().st_mtime_ns
    monkeypatch.setattr(cv2.dnn, "readNetFromONNX", lambda *_: None)
    assert list(lessons.teach([first], TEACHER)) == [lesson_path(first)]
    assert lesson_path(first).stat().st_mtime_ns == written, "what was looked at is not looked at again"

    # Whatever way the board is turned, what the teacher said is turned with it.
    for seed in range(4):
        _, heat, _, counts, *parts = lesson_arrays(first, np.random.default_rng(seed))
        assert np.corrcoef(heat.ravel(), 1 / (1 + np.exp(-parts[0].ravel())))[0, 1] > 0.5
        assert (parts[1][: GROUPS[0].size].argmax(0) == counts[0]).mean() > 0.7
    assert len(parts) == len(OUTPUTS)

    torch.manual_seed(1)
    monkeypatch.setattr(train, "SAVED_EVERY", 1)
    monkeypatch.setattr(
        train, "slim_piece_net", lambda: PieceNet(len(PIECE_CLASSES), COUNT_LOGITS, (8, 48, 64, 16, 16), slim=True)
    )
    steps: list[int] = []
    loss = teaching_loss

    def halting(*given: object) -> torch.Tensor:
        steps.append(len(steps))
        if len(steps) == 2:
            raise KeyboardInterrupt
        return loss(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(train, "teaching_loss", halting)
    plan = Plan(steps=3, batch=1, workers=0, taught=True)
    with pytest.raises(KeyboardInterrupt):
        train_pieces(tmp_path, tmp_path, plan, lambda line: None, slim=True)
    assert (tmp_path / "slim.halted").exists()
    train_pieces(tmp_path, tmp_path, plan, lambda line: None, slim=True)
    assert len(steps) == 4, "the step that was done is not done again"
    assert (tmp_path / "slim.pt").exists() and not (tmp_path / "slim.halted").exists()
