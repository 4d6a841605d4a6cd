"""Where the data files lie that the program reads at run time, and those that it keeps for its user."""

from __future__ import annotations

from pathlib import Path

DISTRIBUTION = "five-tribes-companion"
"""The name that the program is installed by."""

_PACKAGE = Path(__file__).resolve().parent


def data_folder() -> Path:
    """The folder of the user's own data, by the customs of the system; it need not be there yet."""
    from platformdirs import user_data_path

    return user_data_path(DISTRIBUTION, appauthor=False)


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
