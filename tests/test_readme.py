"""The README and the docs: pictures, links and the files they name are there; examples are run by test_examples.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")])
LARGEST_PICTURE = 400_000


def test_every_command_of_the_program_is_in_the_readme_or_the_changelog() -> None:
    from companion.cli.app import NAMES

    text = "".join((PROJECT / name).read_text(encoding="utf-8") for name in ("README.md", "CHANGELOG.md"))
    for name in NAMES:
        assert re.search(rf"`[^`\n]*\b{name}\b", text), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), target


def test_files_named_in_the_architecture_exist() -> None:
    text = (PROJECT / "docs/architecture.md").read_text(encoding="utf-8")
    named = {name.strip("`") for name in re.findall(r"\b[\w/]+/[\w/]*\.py\b|`[\w/]+/`", text)}
    assert len(named) >= 40
    package = [f"/{path.relative_to(PROJECT)}{'/' * path.is_dir()}" for path in (PROJECT / "companion").rglob("*")]
    for name in named:
        assert (PROJECT / name).exists() or any(path.endswith(f"/{name}") for path in package), name


def test_every_template_has_its_part_in_the_docs() -> None:
    from companion.printing.core.originals import originals

    text = (PROJECT / "docs/templates.md").read_text(encoding="utf-8")
    headings = " ".join(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert [one.name for one in originals() if not re.search(rf"\b{one.name}\b", headings)] == []


def test_pictures_are_small_and_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    for picture in (PROJECT / "docs/images").iterdir():
        assert picture.stat().st_size < LARGEST_PICTURE, picture.name
        assert f"images/{picture.name}" in text, picture.name
