"""What `companion doctor` checks: what is there and what is missing on this machine, each with its remedy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import IO

from companion.errors import CompanionError
from companion.language.phrase import joined, say, say_many
from companion.programs import Tesseract, find_tesseract
from companion.resources import DISTRIBUTION, data_folder

REINSTALL = say("reinstall the program (from a checkout: make clean setup)")
"""The remedy for what the program itself should have brought."""

OPENCV_WHEELS = tuple(
    f"opencv{contrib}-python{headless}" for contrib in ("", "-contrib") for headless in ("-headless", "")
)
"""Distributions that all bring the one package cv2, and overwrite each other's files."""

WEIGHTS = (
    "calibration.json",
    "cards.onnx",
    "piece_embeddings.json",
    "locate.onnx",
    "pieces.onnx",
    "symbol_kinds.onnx",
    "symbols.onnx",
    "tiles.onnx",
    "unknown.json",
)
"""The files of `companion/vision/weights` without which no photo is read."""

TEMPLATES = (
    "game_report.toml",
    "game_review.toml",
    "glossary.tsv",
    "reference_cards.toml",
    "score_sheet.toml",
    "setup_card.toml",
)
"""The files of `templates/` without which nothing is printed."""

TESSERACT_LANGUAGE = "eng"
"""The language that the names on most djinn cards are read in: they are in Latin letters."""
MORE_LANGUAGES = ("rus", "ukr", "kor")
"""Languages whose own letters the names on djinn cards are read in besides."""

SHAPES = "●★▲■◆"
"""What a terminal must be able to show for `companion show` to read well."""


class State(StrEnum):
    """How it stands with one thing: there, there but not in full, or missing although it is needed."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: its name, the part of the program it is for, what was found, and what to do about it."""

    part: str
    name: str
    state: State
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package: the name it is imported by, its distribution, its part, and whether that part needs it."""

    module: str
    distribution: str
    part: str
    needed: bool = True


PACKAGES = (
    Package("typer", "typer", "program"),
    Package("rich", "rich", "program"),
    Package("platformdirs", "platformdirs", "program"),
    Package("filelock", "filelock", "program"),
    Package("msgspec", "msgspec", "program"),
    Package("packaging", "packaging", "program"),
    Package("prompt_toolkit", "prompt-toolkit", "program"),
    Package("numpy", "numpy", "photos"),
    Package("cv2", "opencv-python-headless", "photos"),
    Package("PIL", "pillow", "photos"),
    Package("pillow_heif", "pillow-heif", "photos"),
    Package("pytesseract", "pytesseract", "photos", needed=False),
    Package("reportlab", "reportlab", "prints"),
    Package("pikepdf", "pikepdf", "prints"),
    Package("bidi", "python-bidi", "prints"),
    Package("fontTools", "fonttools", "prints"),
    Package("qrcode", "qrcode", "prints"),
    Package("starlette", "starlette", "phones"),
    Package("uvicorn", "uvicorn", "phones"),
    Package("psutil", "psutil", "phones"),
    Package("jinja2", "jinja2", "phones"),
    Package("python_multipart", "python-multipart", "phones"),
)


def examine(environment: Mapping[str, str], terminal: IO[str]) -> Iterator[Finding]:
    """Everything looked at, part by part; `terminal` is the stream that results are printed on."""
    checks: dict[str, dict[str, Callable[[], Finding]]] = {
        "program": {say("data folder"): check_data_folder, say("history"): partial(check_history, environment)},
        "photos": {
            say("OpenCV wheel"): check_opencv_wheels,
            say("reader's weights"): check_weights,
            "Tesseract": lambda: check_tesseract(find_tesseract()),
            say("own tiles"): partial(check_own_tiles, environment),
        },
        "prints": {say("templates"): check_templates, say("fonts"): check_fonts},
        "phones": {},
        "terminal": {say("characters"): partial(check_terminal, environment, terminal)},
    }
    try:
        wanted = wanted_versions()
    except ImportError:
        # `packaging` itself is missing, which is said with the other packages.
        wanted = {}
    for part, of_part in checks.items():
        for package in PACKAGES:
            if package.part == part:
                yield check_package(package, wanted.get(package.distribution, ""))
        for name, check in of_part.items():
            yield _checked(part, name, check)


def _checked(part: str, name: str, check: Callable[[], Finding]) -> Finding:
    """What a check finds; one that cannot be made is a limit, and says why."""
    try:
        return check()
    except ImportError as error:
        unknown = say("unknown without {package}", package=error.name or str(error))
        return Finding(part, name, State.LIMITED, unknown)
    except CompanionError as error:
        found, _, remedy = str(error).partition("; " if "; " in str(error) else ": ")
        return Finding(part, name, State.LIMITED, found, remedy)


def wanted_versions() -> dict[str, str]:
    """The versions that the program asks for, "<3,>=2.0" by distribution; empty if it was never installed."""
    from packaging.requirements import Requirement

    try:
        wanted = [Requirement(line) for line in metadata.requires(DISTRIBUTION) or []]
    except metadata.PackageNotFoundError:
        return {}
    return {
        requirement.name: str(requirement.specifier)
        for requirement in wanted
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    }


def is_wanted(version: str, wanted: str) -> bool:
    """Whether a version lies within bounds such as "<3,>=2.0"; one that is not numbered as Python's are is believed.

    >>> is_wanted("2.4.6", "<3,>=2.0"), is_wanted("3.0", "<3,>=2.0")
    (True, False)
    """
    from packaging.specifiers import SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        return SpecifierSet(wanted).contains(Version(version), prereleases=True)
    except InvalidVersion:
        return True


def check_package(package: Package, wanted: str) -> Finding:
    """Whether a package can be imported, in a version that suits."""
    lacking = State.MISSING if package.needed else State.LIMITED
    remedy = f'{sys.executable} -m pip install "{package.distribution}{wanted}"'
    try:
        module = import_module(package.module)
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        # A wheel that does not fit the machine fails in one of these ways, with the reason in its words.
        found = say("cannot be loaded: {reason}", reason=" ".join(str(error).split()))
        if isinstance(error, ModuleNotFoundError) and error.name == package.module:
            found = say("not installed")
        return Finding(package.part, package.module, lacking, found, remedy)
    version = _installed_version(package.distribution) or str(getattr(module, "__version__", "there"))
    if wanted and not is_wanted(version, wanted):
        found = say("{version}, not {wanted}", version=version, wanted=wanted)
        return Finding(package.part, package.module, lacking, found, remedy)
    return Finding(package.part, package.module, State.OK, version)


def _installed_version(distribution: str) -> str:
    """The version of a distribution; "" if it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def check_opencv_wheels() -> Finding:
    """Whether cv2 comes from one wheel alone."""
    there = [name for name in OPENCV_WHEELS if _installed_version(name)]
    if len(there) < 2:
        return Finding("photos", say("OpenCV wheel"), State.OK, there[0] if there else say("not from a wheel"))
    remedy = say(
        "{python} -m pip uninstall -y {wheels}, then pip install opencv-python-headless",
        python=sys.executable,
        wheels=" ".join(there),
    )
    found = say("{wheels} overwrite each other", wheels=joined(say(" and "), there))
    return Finding("photos", say("OpenCV wheel"), State.LIMITED, found, remedy)


def check_weights() -> Finding:
    """Whether what the reader has learnt is there."""
    folder = Path(__file__).resolve().parent / "vision" / "weights"
    if lacking := [name for name in WEIGHTS if not (folder / name).is_file()]:
        return _lacking("photos", say("reader's weights"), lacking)
    size = sum((folder / name).stat().st_size for name in WEIGHTS)
    found = say("{number} files, {size:.1f} MB", number=len(WEIGHTS), size=size / 1e6)
    return Finding("photos", say("reader's weights"), State.OK, found)


def check_templates() -> Finding:
    """Whether the layouts of what is printed are there, and the translations."""
    from companion.installation import template_path
    from companion.language.catalogue import locales_folder
    from companion.language.glossary import LANGUAGES

    lacking = []
    for name in TEMPLATES:
        try:
            template_path(name)
        except FileNotFoundError:
            lacking.append(name)
    folders = [] if lacking else [locales_folder() / language for language in LANGUAGES if language != "en"]
    lacking += [f"locales/{folder.name}" for folder in folders if not any(folder.rglob("*.mo"))]
    if lacking:
        return _lacking("prints", say("templates"), lacking)
    return Finding("prints", say("templates"), State.OK, say_many("{count} file", "{count} files", len(TEMPLATES)))


def _lacking(part: str, name: str, lacking: list[str]) -> Finding:
    return Finding(part, name, State.MISSING, say("without {lacking}", lacking=joined(", ", lacking)), REINSTALL)


def check_fonts() -> Finding:
    """Whether Latin, Cyrillic and Hangul can be printed with the fonts that the program brings."""
    from companion.printing.core.typefaces import Face, Fonts

    letters = "Añяїґ한글"
    fonts = Fonts(system=())
    if lacking := fonts.lacking(letters):
        found = say("no font for {lacking}", lacking=joined(" ", lacking))
        return Finding("prints", say("fonts"), State.MISSING, found, REINSTALL)
    faces = joined(", ", sorted({run.typeface for run in fonts.runs(letters, Face.REGULAR)}))
    return Finding("prints", say("fonts"), State.OK, say("Latin, Cyrillic and Hangul ({faces})", faces=faces))


def check_tesseract(tesseract: Tesseract | None) -> Finding:
    """Whether the names on djinn cards can be read; boards need no Tesseract."""
    if tesseract is None:
        remedy = say("Debian and Ubuntu: apt install tesseract-ocr; only the names on djinn cards need it")
        return Finding("photos", "Tesseract", State.LIMITED, say("not found"), remedy)
    lacking = [language for language in (TESSERACT_LANGUAGE, *MORE_LANGUAGES) if language not in tesseract.languages]
    if lacking:
        packs = " ".join(f"tesseract-ocr-{language}" for language in lacking)
        found = say("{version} without {lacking}", version=tesseract.version, lacking=joined(" ", lacking))
        remedy = say("for djinn cards in those letters, Debian and Ubuntu: apt install {packs}", packs=packs)
        return Finding("photos", "Tesseract", State.LIMITED, found, remedy)
    found = say("{version} with {languages}", version=tesseract.version, languages=joined(" ", tesseract.languages))
    return Finding("photos", "Tesseract", State.OK, found)


def check_data_folder() -> Finding:
    """Whether the folder for the user's own data can be written, or made."""
    folder = data_folder()
    standing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if standing.is_dir() and os.access(standing, os.W_OK | os.X_OK):
        return Finding("program", say("data folder"), State.OK, str(folder))
    remedy = say("make it writable to keep games, drafts and answers to --ask; everything else works without")
    found = say("{standing} cannot be written", standing=standing)
    return Finding("program", say("data folder"), State.LIMITED, found, remedy)


def check_terminal(environment: Mapping[str, str], terminal: IO[str]) -> Finding:
    """Whether the terminal shows the shapes of the meeples, and colour."""
    encoding = getattr(terminal, "encoding", None) or "ascii"
    try:
        SHAPES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        found = say("{encoding} has no {shapes}", encoding=encoding, shapes=SHAPES)
        remedy = say("set PYTHONUTF8=1 or a UTF-8 locale (export LANG=C.UTF-8)")
        return Finding("terminal", say("characters"), State.LIMITED, found, remedy)
    if not terminal.isatty():
        colour = say("no colour (not a terminal)")
    elif environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colour = say("no colour (as NO_COLOR or TERM says)")
    else:
        colour = say("colour")
    return Finding("terminal", say("characters"), State.OK, joined(", ", (encoding, colour)))


def check_own_tiles(environment: Mapping[str, str]) -> Finding:
    """Whether photos are read with tiles of the owner's own. Raises what `load_tiles` raises."""
    from companion.vision.board.owner_tiles import SWITCH, is_switched_off, load_tiles, tiles_path

    if load_tiles(tiles_path()) is None:
        found = say("not learnt: tiles are read as in the known printings")
    elif is_switched_off(environment):
        found = say("there, but {switch} switches it off", switch=SWITCH)
    else:
        found = say("in use, {path}", path=tiles_path())
    return Finding("photos", say("own tiles"), State.OK, found)


def check_history(environment: Mapping[str, str]) -> Finding:
    """Whether games are kept, where, how many, and whether their file is whole; it is not touched."""
    from companion.errors import UnusableInputError
    from companion.history.opening import DamagedHistoryError, history_path, load_setting, read_only_stats

    path, is_kept = history_path(environment), load_setting(environment).keep
    try:
        stats = read_only_stats(path)
    except DamagedHistoryError as error:
        remedy = say("companion history renames the file and starts a new one")
        return Finding("program", say("history"), State.LIMITED, str(error), remedy)
    except UnusableInputError as error:
        return Finding(
            "program", say("history"), State.LIMITED, str(error), say("COMPANION_HISTORY names another file")
        )
    found = say("no game yet, {path}", path=path)
    if stats is not None and stats.games:
        found = say_many(
            "{count} game, {finished} finished, {size:.1f} MB, {path}",
            "{count} games, {finished} finished, {size:.1f} MB, {path}",
            stats.games,
            finished=stats.finished,
            size=stats.size / 1e6,
            path=path,
        )
    if not is_kept:
        found = say("none is kept now (companion history --keep); {known}", known=found)
    return Finding("program", say("history"), State.OK, found)
