"""Every example of the README and the docs: what stands in a block is run as it stands, what stands in the text exists.

Python blocks are run by tests/test_library.py, positions and records by tests/notation.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer.main

from companion.cli.app import app
from companion.cli.main import main
from companion.errors import UsageError
from companion.lab.__main__ import app as lab
from companion.notation.files import parse_position
from companion.notation.holdings import read_holdings
from companion.notation.typed import parse_typed_tile
from companion.rules.engine.scoring import Holdings
from companion.rules.model.board import parse_square

PROJECT = Path(__file__).resolve().parents[1]
SAMPLES = PROJECT / "samples"
README, ASKING, CHANGELOG = PROJECT / "README.md", PROJECT / "docs/asking.md", PROJECT / "CHANGELOG.md"
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md"), *SAMPLES.glob("*.md")])

ROW = ["fish", "fakir", "ivory", "silk", "silk", "wheat"]
GOODS = {"anna": ["pottery", "fakir", "papyrus", "fakir"], "boris": ["spice", "fish", "fakir"]}

_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:companion|make|python -m companion\.lab) [a-z][^`]*)`")


def _blocks(page: Path) -> list[list[str]]:
    """The commands of each block of shell; lines that end in a backslash go on in the next."""
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [[line for line in block.replace("\\\n", " ").splitlines() if line.strip()] for block in blocks]


def _typed() -> dict[str, str]:
    """What docs/asking.md shows as typed under questions, by the player who is asked for."""
    return dict(re.findall(r"^(\w+) \[not known\]: (.*)$", ASKING.read_text(encoding="utf-8"), re.MULTILINE))


def _inline(page: Path) -> Iterator[list[str]]:
    text = " ".join(page.read_text(encoding="utf-8").split())
    yield from (shlex.split(found, comments=True) for found in _INLINE.findall(text))


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The photos that examples speak of: a table from two sides, its cards, what players hold."""
    from tests.vision.cards.tables import Camera, lines_of, own_face, photograph

    rng = np.random.default_rng(5)

    def cards(names: list[str], camera: Camera) -> np.ndarray:
        return photograph(lines_of([names], rng=rng), own_face, rng, camera)

    folder = tmp_path_factory.mktemp("photos")
    board = np.asarray(cv2.imread(str(SAMPLES / "start.jpg")))
    pictures = {
        "above": board,
        "tiles": board,
        "side": np.rot90(cv2.resize(board, (1500, 1125), interpolation=cv2.INTER_AREA)),
        "table": cv2.resize(board, (1800, 1350), interpolation=cv2.INTER_AREA),
        "cards": cards(ROW, Camera(0, 20)),
        **{name: cards(held, Camera(120, 10)) for name, held in GOODS.items()},
    }
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), np.ascontiguousarray(picture))
    return folder


@pytest.fixture
def folder(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the samples and of those photos, as a reader has them; nobody types anything."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    for photo in photos.iterdir():
        shutil.copy(photo, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _parse(program: typer.Typer, words: list[str]) -> None:
    """Check a command line without running it: raises for an unknown command, an option or a word too many.

    Files that it names need not be there.
    """
    group = typer.main.get_command(program)
    context = group.make_context("", words)
    name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[attr-defined]
    try:
        command.make_context(name, rest, parent=context)
    except (typer.BadParameter, UsageError) as error:
        if "does not exist" not in str(error):
            raise


def _run(line: str) -> None:
    words = shlex.split(line, comments=True)
    if words[0] == "companion":
        assert main(words[1:]) == 0, line
    elif words[0] == "make":
        # What they do is tested where they do it; here that they are there.
        assert set(words[1:]) <= _targets(), line
    elif words[:3] == ["python", "-m", "companion.lab"]:
        # Hours of rendering and training: the words are checked, tests/lab runs them on less.
        _parse(lab, words[3:])
    elif words[:2] == ["python", "-m"]:
        done = subprocess.run([sys.executable, "-m", words[2], "--help"], cwd=PROJECT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert all(word in done.stdout for word in words[3:] if word.startswith("--")), line
    else:
        assert line in {". .venv/bin/activate", "pre-commit install"}, f"no test knows how to run: {line}"


@pytest.mark.slow
def test_blocks_run_from_top_to_bottom(folder: Path, subtests: pytest.Subtests) -> None:
    before = set(folder.iterdir())
    for name, block in [(page.name, block) for page in PAGES for block in _blocks(page)]:
        for line in block:
            with subtests.test(f"{name}: {line}"):
                _run(line)
        for path in set(folder.iterdir()) - before:
            path.unlink()


@pytest.mark.slow
def test_commands_in_the_readme_s_text_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    commands = [words for words in _inline(README) if words[0] == "companion" and len(words) > 2]
    assert len(commands) > 20
    for words in commands:
        answers = [*_typed().values()] if words[1] == "hint" else ["quit"] * 3
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        with subtests.test(" ".join(words)):
            assert main(words[1:]) == 0


def test_examples_stand_in_blocks_that_tests_find() -> None:
    for page in PAGES:
        lines = page.read_text(encoding="utf-8").splitlines()
        hidden = r"( {4}|\t)\S*(companion|make|python) |```(shell|bash|console)"
        assert [line for line in lines if re.match(hidden, line)] == [], page.name


def test_commands_in_the_text_exist_with_their_options(subtests: pytest.Subtests) -> None:
    group = typer.main.get_command(app)
    for name, words in [(page.name, words) for page in PAGES if page != CHANGELOG for words in _inline(page)]:
        with subtests.test(f"{name}: {shlex.join(words)}"):
            if words[0] == "make":
                assert set(words[1:]) <= _targets() or "=" in words[-1]
            elif words[0] == "companion":
                command = group.get_command(None, words[1])  # type: ignore[attr-defined]
                assert command is not None
                known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
                assert {word for word in words if word.startswith("-") and word != "-"} <= known | {"--help", "--lang"}


def test_the_tile_and_holdings_that_are_shown_are_those_of_the_sample() -> None:
    sample = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    typed = re.search(
        r"`companion edit samples/mid.jpg [^`]*`, then `(\w\d) (\S+)`", README.read_text(encoding="utf-8")
    )
    assert typed is not None
    assert parse_typed_tile(typed[2]).tile == sample.board[parse_square(typed[1])]
    players = {str(player.colour): player for player in sample.players}
    assert _typed().keys() == players.keys()
    for colour, line in _typed().items():
        held, known = read_holdings(line), players[colour]
        assert isinstance(held, Holdings)
        counts = (held.gold, held.viziers or 0, held.elders or 0, held.fakirs or 0, held.goods, held.djinns or ())
        assert counts == (known.gold, known.viziers, known.elders, known.fakirs, known.goods, known.djinns)


@pytest.mark.slow
def test_make_shows_commands_that_run(folder: Path) -> None:
    shown = subprocess.run(["make", "-n", "demo"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    lines = [line for line in shown.splitlines() if line.startswith(".venv/bin/companion ")]
    assert len(lines) >= 5
    (folder / "out").mkdir()
    for line in lines:
        _run(line.removeprefix(".venv/bin/"))
    files = set(re.findall(r"out/\w+\.\w+", "\n".join(lines)))
    assert all((folder / name).stat().st_size > 0 for name in files)


@pytest.mark.slow
def test_what_a_hint_from_the_sample_s_photo_says_first_stands_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", str(SAMPLES / "mid.jpg"), "--player", "blue", "--no-ask"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    page = (PROJECT / "docs/advice.md").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL) if block.startswith("Look at"))
    assert said.startswith(" ".join(shown.split()))
