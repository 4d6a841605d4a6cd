"""A short part of the fuzzing, the same each time; `python -m tests.fuzz.photos` does it at length."""

from __future__ import annotations

import random

import pytest

from companion.errors import PhotoError
from companion.vision.load import decode_photo
from tests.fuzz import photos as fuzz


def test_mutated_files_end_in_the_programs_own_errors() -> None:
    tally = fuzz.fuzz_files(250, seed=20, whole_share=0.0)
    assert tally.faults == []
    assert tally.outcomes["decoded"] >= 25
    assert sum(tally.outcomes.values()) == 250


@pytest.mark.parametrize("name", sorted(fuzz.sources()))
def test_what_is_mutated_is_sound_or_refused_for_what_it_is(name: str) -> None:
    content = fuzz.sources()[name]
    if name.startswith(("moving", "paged")):
        with pytest.raises(PhotoError, match="several pictures"):
            decode_photo(content, name)
    else:
        assert decode_photo(content, name).shape[2] == 3


@pytest.mark.parametrize("name", ["jpeg", "deep png"])
def test_a_file_cut_off_anywhere_is_refused_or_read(name: str) -> None:
    content = fuzz.sources()[name]
    tally = fuzz.Tally()
    for end in random.Random(3).sample(range(len(content)), 60):
        fuzz.try_file(content[:end], f"{name} cut at {end}", tally, whole=False)
    assert tally.faults == []


def test_a_decoder_that_breaks_otherwise_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(content: bytes, name: str) -> None:
        raise ZeroDivisionError(name)

    monkeypatch.setattr(fuzz, "decode_photo", broken)
    tally = fuzz.Tally()
    fuzz.try_file(b"", "anything", tally, whole=False)
    assert len(tally.faults) == 1 and "ZeroDivisionError" in tally.faults[0]
