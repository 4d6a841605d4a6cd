"""Where the data files lie that come with the program."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def template_path(name: str) -> Path:
    """The path of a file in `templates/`, in a checkout and in an installed wheel alike.

    >>> template_path("score_sheet.toml").name
    'score_sheet.toml'

    Raises FileNotFoundError if there is none of that name: a fault of the installation.
    """
    for folder in (_PACKAGE / "templates", _PACKAGE.parent / "templates"):
        path = folder / name
        if path.is_file():
            return path
    raise FileNotFoundError(f"the template {name} is missing from this installation of companion")
