"""Where commands write: endings, names that no file can have, two outputs under one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.cli.output import check_outputs
from companion.errors import UsageError
from companion.notation.files import parse_position
from tests.notation.examples import EXAMPLE_TOML


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE_TOML, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("score table.toml --pdf noending", ".pdf"),
        ("score table.toml --save end.txt", ".toml or .json"),
        ("setup -o card.docx", ".pdf"),
        ("sheet -o pad.png", ".pdf"),
        ("edit -o new.yaml", ".toml or .json"),
        ("read photo.jpg -o table.txt", ".toml or .json"),
        ("read photo.jpg --overlay seen.gif", ".jpg, .jpeg or .png"),
        ("render table.toml -o drawn.gif", ".jpg, .jpeg or .png"),
        ("render table.toml -o drawn.jpg --truth truth.csv", ".json"),
    ],
)
def test_every_output_has_the_ending_of_what_it_holds(
    command: str, wanted: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    told = capsys.readouterr()
    assert f"must end in {wanted}" in told.err
    assert told.out == ""
    assert list(table.parent.iterdir()) == [table]


def test_endings_are_read_in_either_case(table: Path) -> None:
    assert main(["score", str(table), "--save", "END.JSON"]) == 0
    content = Path("END.JSON").read_text(encoding="utf-8")
    assert content.startswith("{")
    assert parse_position(content) == parse_position(EXAMPLE_TOML)


def test_a_name_that_no_file_can_have_is_wrong_usage(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "-o", "a" * 300 + ".pdf"]) == 2
    assert "no name for a file" in capsys.readouterr().err


def test_two_outputs_need_two_names(tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    with pytest.raises(UsageError, match="need two names"):
        check_outputs((one, (".json",)), (tmp_path / "." / "one.json", (".json",)), force=True)
    check_outputs((one, (".json",)), (None, (".toml",)), force=False)
    assert not one.exists()
