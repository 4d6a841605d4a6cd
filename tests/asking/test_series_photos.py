"""Photos of a series, read by several processes at once."""

from __future__ import annotations

import io
import multiprocessing
import os
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest
from PIL import Image

from companion.asking import series_photos
from companion.asking.recording import SeriesPhoto
from companion.asking.series_photos import read_series
from companion.errors import CompanionError, PhotoError
from companion.language.phrase import Phrase
from companion.opening.source import Content
from companion.rules.engine.setup import random_setup
from tests.tracking.seen_boards import photo_of

BOARD = random_setup(3, 1).board


def _pictures(number: int) -> list[Content]:
    """Pictures of one colour each, which show no board."""
    drawn = []
    for place in range(number):
        Image.new("RGB", (120, 90), (200, 40 * place, 20)).save(file := io.BytesIO(), "PNG")
        drawn.append(Content(f"folder/{place}.png", file.getvalue(), is_picture=True))
    return drawn


def test_what_another_process_could_not_read_is_told_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    told: list[Phrase] = []
    useless: dict[str, CompanionError] = {}
    assert [*read_series(_pictures(2), BOARD, told.append, useless)] == []
    assert list(useless) == ["0.png", "1.png"]
    assert all(isinstance(error, PhotoError) and "photo" in str(error) for error in useless.values())
    assert [str(words)[:15] for words in told] == ["reading photo 1", "reading photo 2", "comparing the p"]
    assert not multiprocessing.active_children()


def test_where_a_process_ends_for_want_of_memory_the_photos_are_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, *_: object) -> None:
            """No process begins."""

        def submit(self, *_: object) -> Future[SeriesPhoto]:
            future: Future[SeriesPhoto] = Future()
            future.set_exception(BrokenProcessPool())
            return future

        def shutdown(self, **_: object) -> None:
            """Nothing runs."""

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(series_photos, "ProcessPoolExecutor", Broken)
    monkeypatch.setattr(series_photos, "_read", lambda content, board: SeriesPhoto(content.name, photo_of(board)))
    read = read_series(_pictures(3), BOARD, lambda words: None, {})
    assert [photo.name for photo in read] == [f"folder/{place}.png" for place in range(3)]
