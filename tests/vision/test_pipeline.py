"""Photos of a table, stage by stage: cards are looked for beside the board."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from companion.errors import PhotoError
from companion.vision.cards.detection import CardDetection
from companion.vision.load import Picture
from companion.vision.locate.scan import PhotoScan
from companion.vision.reading import pipeline
from companion.vision.reading.table import Shot

SHOTS = [Shot(f"{number}.jpg", np.full((40, 40, 3), number, np.uint8)) for number in range(5)]


def test_cards_are_looked_for_while_the_board_is(monkeypatch: pytest.MonkeyPatch) -> None:
    scanning, looking = threading.Event(), threading.Event()

    def scan(picture: Picture) -> PhotoScan:
        scanning.set()
        assert looking.wait(10)
        raise PhotoError("no sultanate")

    def find(picture: Picture) -> tuple[CardDetection, ...]:
        looking.set()
        assert scanning.wait(10)
        return ()

    monkeypatch.setattr(pipeline, "scan_photo", scan)
    monkeypatch.setattr(pipeline, "find_cards", find)
    with pytest.raises(PhotoError, match="no sultanate"):
        pipeline.read_table(SHOTS[:1])


def test_where_a_photo_is_refused_the_others_cards_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    refused, given_up = threading.Event(), threading.Event()

    def scan(picture: Picture) -> PhotoScan:
        refused.set()
        raise PhotoError("no sultanate")

    def find(picture: Picture) -> tuple[CardDetection, ...]:
        looked.append(int(picture[0, 0, 0]))
        assert refused.wait(10)
        # Until the reader has given up what is not begun.
        assert given_up.wait(10)
        return ()

    class Beside(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            given_up.set()
            super().shutdown(wait)

    monkeypatch.setattr(pipeline, "ThreadPoolExecutor", Beside)
    monkeypatch.setattr(pipeline, "scan_photo", scan)
    monkeypatch.setattr(pipeline, "find_cards", find)
    with pytest.raises(PhotoError, match=r"0\.jpg: no sultanate"):
        pipeline.read_table(SHOTS)
    assert looked in ([], [0])
