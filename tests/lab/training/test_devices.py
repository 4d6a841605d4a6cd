"""Networks are trained on the processor or on what else is there; what is not there is told."""

from __future__ import annotations

import pytest

from companion.errors import MissingDependencyError, UsageError
from companion.lab.training.devices import CPU, usable_device


def test_the_processor_is_a_device() -> None:
    assert usable_device("cpu") == CPU


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("gpu", UsageError, "'gpu' is no device; write cpu, cuda or mps"),
        ("cuda:99", MissingDependencyError, "cuda:99 cannot be used here: .*; train with --device cpu"),
    ],
)
def test_a_device_that_is_not_there_is_told(name: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        usable_device(name)
