"""Pictures of tiles in the terminal: two pixels a character, and only where they can be shown."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from companion.cli.views.reading_view import UPPER_HALF, TilePicture, picture_lines

PICTURE = TilePicture(np.full((20, 20, 3), 200, np.uint8))


def test_a_character_is_two_pixels_one_above_the_other() -> None:
    picture = np.zeros((8, 4, 3), np.uint8)
    picture[::2] = (0, 0, 255)
    lines = picture_lines(picture, 4)
    assert [str(line).strip() for line in lines] == [UPPER_HALF * 4] * 4
    assert str(lines[0].spans[0].style) == "#ff0000 on #000000"


@pytest.mark.parametrize(("columns", "lines"), [(40, 20), (20, 10)])
def test_square_pictures_stay_square(columns: int, lines: int) -> None:
    shown = picture_lines(np.zeros((144, 144, 3), np.uint8), columns)
    assert len(shown) == lines and all(len(line) == columns + 2 for line in shown)


@pytest.mark.parametrize(("terminal", "no_colour"), [(False, False), (True, True)], ids=["a file", "no colour"])
def test_nothing_is_shown_where_it_would_be_letters(terminal: bool, no_colour: bool) -> None:
    file = io.StringIO()
    Console(file=file, force_terminal=terminal, no_color=no_colour, color_system="truecolor").print(PICTURE)
    assert UPPER_HALF not in file.getvalue()


def test_a_terminal_with_colours_gets_the_picture() -> None:
    file = io.StringIO()
    Console(file=file, force_terminal=True, no_color=False, color_system="truecolor", width=80).print(PICTURE)
    assert file.getvalue().count(UPPER_HALF) == 20 * 40
