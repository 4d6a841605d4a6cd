"""Data files are found from a checkout and from an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.system import installation


def test_templates_are_found_in_the_checkout() -> None:
    assert installation.template_path("setup_card.toml").is_file()


def test_templates_inside_the_package_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "companion"
    for folder in (package / "templates", tmp_path / "templates"):
        folder.mkdir(parents=True)
        (folder / "x.toml").write_text("")
    monkeypatch.setattr(installation, "_PACKAGE", package)
    assert installation.template_path("x.toml") == package / "templates" / "x.toml"


def test_a_missing_template_is_a_fault_of_the_installation() -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.toml is missing"):
        installation.template_path("nothing.toml")
