"""The README and the docs: pictures, links and the files they name exist; test_examples.py runs their examples."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")])
TEXTS = {path: path.read_text(encoding="utf-8") for path in DOCUMENTS}
LARGEST_PICTURE = 400_000


def test_every_command_is_in_the_readme_or_the_list_of_commands() -> None:
    from companion.cli.app import NAMES

    readme = TEXTS[PROJECT / "README.md"]
    both = readme + TEXTS[PROJECT / "docs/commands.md"]
    assert [name for name in NAMES if not re.search(rf"`companion {name}\b", both)] == []
    assert readme.index("make  ") < readme.index("make test") < readme.index("companion ")


def test_links_lead_somewhere() -> None:
    for path, text in TEXTS.items():
        for target, section in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
            if target.startswith(("http://", "https://")):
                continue
            page = (path.parent / target).resolve() if target else path
            assert page.exists(), f"{path.name}: {target}"
            headings = [
                re.sub(r"[^\w -]", "", line).strip().lower()
                for line in re.findall(r"^#+(.*)", TEXTS.get(page, ""), re.M)
            ]
            assert not section or section in [heading.replace(" ", "-") for heading in headings], (
                f"{path.name}: #{section}"
            )


def test_files_named_in_the_architecture_exist() -> None:
    named = {
        name.strip("`")
        for name in re.findall(r"\b[\w/]+/[\w/]*\.py\b|`[\w/]+/`", TEXTS[PROJECT / "docs/architecture.md"])
    }
    assert len(named) >= 20
    package = [f"/{path.relative_to(PROJECT)}{'/' * path.is_dir()}" for path in (PROJECT / "companion").rglob("*")]
    lost = [n for n in named if not (PROJECT / n).exists() and not any(path.endswith(f"/{n}") for path in package)]
    assert lost == []


def test_every_template_has_its_part_in_the_docs() -> None:
    from companion.printing.core.template import originals

    headings = " ".join(re.findall(r"^### (.+)$", TEXTS[PROJECT / "docs/templates.md"], re.MULTILINE))
    assert [original.name for original in originals() if original.name not in headings] == []


def test_the_workflows_name_what_is_there() -> None:
    """What `actionlint` can't know: their own commands, files and versions are those of the project."""
    checks, release = (
        (PROJECT / f".github/workflows/{name}.yml").read_text(encoding="utf-8") for name in ("checks", "release")
    )
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [one.rpartition(" ")[2] for one in project["classifiers"] if "Python :: 3." in one]
    (matrix,) = re.findall(r"python: \[(.*)\]", checks)
    assert re.findall(r"[\d.]+", matrix) == versions == ["3.11", "3.12", "3.13", "3.14"]
    assert "run: .ci/run" in checks and os.access(PROJECT / ".ci/run", os.X_OK)
    assert {"macos-latest", "windows-latest"} <= set(re.findall(r"[a-z]+-latest", checks))
    assert all((PROJECT / name).exists() for name in re.findall(r"samples/[\w.]+", checks))
    assert f"dist/{project['name'].replace('-', '_')}-$" in release and "CHANGELOG.md" in release


def test_what_changed_in_a_release_is_cut_out_of_the_changelog() -> None:
    release = (PROJECT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    (cut,) = re.findall(r"^ +(awk -v .*?CHANGELOG\.md) > changes\.md$", release, re.MULTILINE | re.DOTALL)
    told = subprocess.run(
        ["sh", "-c", cut], cwd=PROJECT, env={**os.environ, "GITHUB_REF_NAME": "v0.2.0"}, capture_output=True, text=True
    )
    text = TEXTS[PROJECT / "CHANGELOG.md"]
    whole = text[text.index("## 0.2.0") :].partition("\n")[2].partition("\n## ")[0]
    assert told.returncode == 0 and told.stdout.strip() == whole.strip() != ""


def test_pictures_are_small_and_used() -> None:
    text = "".join(TEXTS.values())
    pictures = list((PROJECT / "docs/images").iterdir())
    assert [picture.name for picture in pictures if picture.stat().st_size >= LARGEST_PICTURE] == []
    assert [picture.name for picture in pictures if f"images/{picture.name}" not in text] == []
