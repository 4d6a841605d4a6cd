"""Every example of the README and the docs: what stands in a block is run as it stands, what stands in the text exists.

Python blocks are run by tests/test_library.py, positions and records by tests/notation.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer.main
from pytest import Subtests

from companion.cli.app import app
from companion.cli.main import main
from companion.errors import UsageError
from companion.lab.__main__ import app as lab
from companion.notation.files import parse_position
from companion.notation.holdings import read_holdings
from companion.rules.engine.scoring import Holdings
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.position import Position

PROJECT = Path(__file__).resolve().parents[1]
SAMPLES = PROJECT / "samples"
README, ASKING, CHANGELOG = PROJECT / "README.md", PROJECT / "docs/asking.md", PROJECT / "CHANGELOG.md"
COMMANDS = PROJECT / "docs/commands.md"
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


def _rows() -> dict[str, tuple[list[str], list[str]]]:
    """What the README's and docs/commands.md's tables promise: what somebody wants, a command's words, what's typed."""
    row = re.compile(r"^\| (.+) \| `companion ([^`]+)`(?:, then (.+))? \|$", re.MULTILINE)
    found = [one for page in (README, COMMANDS) for one in row.findall(page.read_text(encoding="utf-8"))]
    return {want: (shlex.split(words), re.findall("`([^`]+)`", typed)) for want, words, typed in found}


def _typed_for(want: str) -> list[str]:
    """What is typed into a row's command besides what the row says."""
    answers = {
        "better advice": re.findall(r"\[not known\]: (.*)", ASKING.read_text(encoding="utf-8")),
        "a score, typed": ["blue Anna, pink Bob", "30 gold", "0", "0", "V5", "20 gold", "0", "0", "O8"],
        "a record of your game": ["5", "quit"],
        "to be asked": ["1"] * 8,
        "a game's record": ["1, 2", "", "", ""],
    }
    return next((lines for begins, lines in answers.items() if want.startswith(begins)), [])


def _position(path: Path) -> Position:
    return parse_position(path.read_text(encoding="utf-8"))


def _is_pdf(path: Path) -> bool:
    return path.read_bytes().startswith(b"%PDF") and path.stat().st_size > 5000


MID_BOARD = _position(SAMPLES / "mid.toml").board
DOES: dict[str, Callable[[str, Path], bool]] = {
    "the best turn": lambda said, at: "Best turns for blue" in said and "Lift the " in said,
    "the score, and": lambda said, at: "wins with 1" in said and _is_pdf(at / "score.pdf"),
    "a record of your game": lambda said, at: "blue 5" in (at / "game.txt").read_text("utf-8") and "Saved" in said,
    "a random set-up": lambda said, at: "--players 4 --seed" in said and _is_pdf(at / "card.pdf"),
    "a player aid": lambda said, at: _is_pdf(at / "kit.pdf"),
    "what a djinn": lambda said, at: "Put a camel on one tile that has meeples" in said,
    "better advice": lambda said, at: (
        "Lift the " in said and "orange [not known]" in said and "\n2 things assumed" in said
    ),
    "the turn drawn": lambda said, at: (at / "turn.jpg").read_bytes().startswith(b"\xff\xd8"),
    "only a nudge": lambda said, at: "Look at " in said and " > " not in said and "Lift" not in said,
    "what to bid": lambda said, at: "Best bid for blue: " in said,
    "a score, typed": lambda said, at: "Anna (blue) wins with 35 points" in said,
    "a set-up that": lambda said, at: "all seats within" in said,
    "the board as a file": lambda said, at: (
        _position(at / "table.toml").board == MID_BOARD and (at / "seen.jpg").read_bytes().startswith(b"\xff\xd8")
    ),
    "to be asked": lambda said, at: "a2" in said and "All 30 tiles read clearly." in said,
    "to correct a tile": lambda said, at: _changed(_position(at / "fixed.toml").board) == {"a2": "O8:ggr^3"},
    "to look at": lambda said, at: said.count("│") > 100,
    "to know what's wrong": lambda said, at: "This position is possible." in said,
    "to count": lambda said, at: "sequences  89,563" in said,
    "to teach it": lambda said, at: "your tiles are saved in " in said,
    "a game's record": lambda said, at: "\nblue: " in (at / "moves.txt").read_text("utf-8"),
    "to replay": lambda said, at: "Chiara" in said,
    "what decided": lambda said, at: "luck" in said and "Chiara (blue)" in said,
    "the whole game": lambda said, at: _is_pdf(at / "game.pdf"),
    "your past games": lambda said, at: "Anna" in said,
    "a score pad": lambda said, at: _is_pdf(at / "pad.pdf"),
    "an earlier set-up": lambda said, at: "--players 4 --seed 7" in said and _is_pdf(at / "again.pdf"),
    "reference cards": lambda said, at: _is_pdf(at / "cards.pdf"),
    "your own layout": lambda said, at: 'kind = "setup_card"' in (at / "setup_card.toml").read_text("utf-8"),
    "to see what's installed": lambda said, at: "Tesseract" in said,
}
"""By the beginning of what somebody wants: whether the command did that, from what it said and the files it left."""


def _changed(board: Board) -> dict[str, str]:
    pairs = zip(SQUARE_NAMES, MID_BOARD, board, strict=True)
    return {name: str(tile) for name, before, tile in pairs if tile != before}


def test_every_row_is_checked_and_the_first_six_follow_the_installation() -> None:
    readme = README.read_text(encoding="utf-8")
    wants = [want for want, (words, _) in _rows().items() if words != ["serve"]]
    assert [want for want in wants if sum(want.startswith(begins) for begins in DOES) != 1] == []
    assert len(wants) == len(DOES) and len(re.findall(r"^\| .* \| `companion ", readme, re.MULTILINE)) == 6
    assert readme.index("## Installing") < readme.index("## At the table in one minute") < readme.index("## You want")


@pytest.mark.slow
def test_every_row_does_what_its_left_column_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    """In their order, as somebody tries them; the page for phones is started by tests/web/test_serve_start.py."""
    for want, (words, typed) in _rows().items():
        if words == ["serve"]:
            continue
        with subtests.test(want):
            typed = typed or _typed_for(want)
            monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
            assert main(words) == 0
            does = next(does for begins, does in DOES.items() if want.startswith(begins))
            said = "".join(capsys.readouterr())
            assert does(said, folder), said


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


def test_the_holdings_that_are_shown_are_those_of_the_sample() -> None:
    sample = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    players = {str(player.colour): player for player in sample.players}
    assert _typed().keys() == players.keys()
    for colour, line in _typed().items():
        held, known = read_holdings(line), players[colour]
        assert isinstance(held, Holdings)
        counts = (held.gold, held.viziers or 0, held.elders or 0, held.fakirs or 0, held.goods, held.djinns or ())
        assert counts == (known.gold, known.viziers, known.elders, known.fakirs, known.goods, known.djinns)


@pytest.mark.slow
def test_make_shows_what_the_program_is_for_on_one_screen_or_two(folder: Path) -> None:
    recipe = subprocess.run(["make", "-n", "demo"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    lines = [line for line in recipe.splitlines() if line != "sh setup.sh"]
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/companion").symlink_to(Path(sys.executable).with_name("companion"))
    script = ["sh", "-euc", "\n".join(["exec 2>&1", *lines])]
    told = subprocess.run(script, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert len(told.splitlines()) <= 60 and told.count("┌") <= 1, told
    assert "assumed" not in told and "doubtful" not in told, told
    for shown in ("\nblue: ", "\ntotal ", "blue leads", "Best turns for orange", "Lift the ", "sheet.pdf"):
        assert shown in told, shown
    files = set(re.findall(r"out/\w+\.\w+", recipe))
    assert len(files) >= 9 and all((folder / name).stat().st_size > 0 for name in files)


PACKAGE = Path(__file__).resolve().parents[1] / "companion"
TRAINING = PACKAGE / "lab" / "training"
"""Only who trains networks has PyTorch."""


def test_examples_give_what_they_say(subtests: Subtests) -> None:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if "\n    >>> " in path.read_text(encoding="utf-8")]
    assert len(paths) > 20
    for path in paths:
        if TRAINING in path.parents and find_spec("torch") is None:
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        with subtests.test(name):
            failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
            assert tried > 0 and failed == 0
