"""Where commands write: endings, names that no file can have, two outputs under one name."""

from __future__ import annotations

import io
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
    assert "cannot be a file name" in capsys.readouterr().err


def test_two_outputs_need_two_names(tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    with pytest.raises(UsageError, match="need two names"):
        check_outputs((one, (".json",)), (tmp_path / "." / "one.json", (".json",)), force=True)
    check_outputs((one, (".json",)), (None, (".toml",)), force=False)
    assert not one.exists()


@pytest.mark.parametrize("link", ["same", "symlink", "hardlink"])
@pytest.mark.parametrize(
    "command",
    [
        "score table.toml --save OUT.toml --force",
        "setup --template table.toml -o OUT.pdf --force",
        "sheet --template table.toml -o OUT.pdf --force",
        "read table.toml -o OUT.json --force",
        "read other.jpg --cards table.toml --overlay OUT.png --force",
        "read other.jpg --goods pink=table.toml --overlay OUT.png --force",
        "replay table.toml -o OUT.toml --force",
    ],
)
def test_no_output_is_written_over_an_input(
    command: str, link: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table.read_bytes()
    words = command.split()
    output = next(word for word in words if word.startswith("OUT"))
    if link == "same":
        # The input has the output's name, whatever is in it.
        table = table.rename(output)
        words = [word.replace("table.toml", output) for word in words]
    elif link == "symlink":
        Path(output).symlink_to(table)
    else:
        Path(output).hardlink_to(table)
    assert main(words) == 2
    assert "never overwritten" in capsys.readouterr().err
    assert table.read_bytes() == before


def test_edit_may_write_over_what_it_read_and_keeps_that_beside_it(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO("done\n"))
    assert main(["edit", "table.toml", "-o", "table.toml", "--force"]) == 0
    assert "table.toml.bak" in capsys.readouterr().out
    assert Path("table.toml.bak").read_bytes() == before
    assert parse_position(table.read_text(encoding="utf-8")) == parse_position(EXAMPLE_TOML)
