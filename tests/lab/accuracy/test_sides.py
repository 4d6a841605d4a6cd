"""Tables read from several sides: the figures, and one table for real."""

from __future__ import annotations

import pytest

from companion.lab.accuracy.sides import SidesRead, read_sides, sides_table


def test_figures_are_means_over_tables_of_as_many_photos() -> None:
    read = [SidesRead(1, 4, 3, 6), SidesRead(1, 0, 0, 1), SidesRead(3, 1, 1, 2)]
    rows = sides_table(read).splitlines()[2:]
    assert rows == ["| 1 | 2 | 2.00 | 75% | 3.5 |", "| 3 | 1 | 1.00 | 100% | 2.0 |"]


@pytest.mark.slow
def test_a_table_is_read_alone_from_two_sides_and_from_three() -> None:
    read = list(read_sides(1))
    assert [one.photos for one in read] == [1, 1, 1, 2, 3]
    assert all(one.marked <= one.wrong < 15 and one.marked <= one.doubts for one in read)
