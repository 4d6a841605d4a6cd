"""Each stage of the reader makes of a few pictures what was approved."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.vision.approved import APPROVED, STAGES, plain


def difference(was: Any, now: Any, at: str = "") -> str | None:
    """Where two values of JSON differ, numbers by more than machines do; None if they do not."""
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        parts = (
            difference(one, other, f"{at}[{place}]") for place, (one, other) in enumerate(zip(was, now, strict=True))
        )
        return next((part for part in parts if part is not None), None)
    if isinstance(was, float | int) and isinstance(now, float | int):
        return (
            None
            if now == pytest.approx(was, rel=5e-4, abs=0.004)
            else f"{at}: {was!s:.200} was approved, and {now!s:.200} is seen"
        )
    return None if was == now else f"{at}: {was!s:.200} was approved, and {now!s:.200} is seen"


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_makes_of_its_pictures_what_was_approved(stage: str) -> None:
    found = difference(json.loads(APPROVED.read_text(encoding="utf-8"))[stage], plain(STAGES[stage]()))
    assert found is None, f"if that is right: python -m tests.vision.approved ({found})"
