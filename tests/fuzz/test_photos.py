"""Spoilt photo files end in the program's own errors, whatever their format."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.errors import CompanionError, PhotoError
from companion.vision.load import decode_photo
from tests.fuzz.photos import mutated, sources


def test_mutated_files_end_in_the_programs_own_errors() -> None:
    rng, files, outcomes = random.Random(20), list(sources().values()), Counter[str]()
    for _ in range(250):
        try:
            decode_photo(mutated(rng, files), "table.jpg")
            outcomes["decoded"] += 1
        except CompanionError:
            outcomes["refused"] += 1
    assert outcomes["decoded"] >= 25 and outcomes.total() == 250


def test_what_is_mutated_is_sound_or_refused_for_what_it_is(subtests: pytest.Subtests) -> None:
    for name, content in sources().items():
        with subtests.test(msg=name):
            if name.startswith(("moving", "paged")):
                with pytest.raises(PhotoError, match="several pictures"):
                    decode_photo(content, name)
            else:
                assert decode_photo(content, name).shape[2] == 3


def test_a_file_cut_off_anywhere_is_refused_or_read() -> None:
    for name in ("jpeg", "deep png"):
        content = sources()[name]
        for end in random.Random(3).sample(range(len(content)), 60):
            try:
                decode_photo(content[:end], name)
            except CompanionError:
                continue
