"""What the program finds on this machine and what it misses, each with its remedy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module, metadata
from pathlib import Path
from typing import IO

from companion.errors import UnusableInputError
from companion.programs import Tesseract, find_tesseract
from companion.resources import DISTRIBUTION, data_folder

WEIGHTS = ("calibration.json", "cards.onnx", "locate.onnx", "pieces.onnx", "tiles.onnx")
"""The files of `companion/vision/weights` without which no photo is read."""

TEMPLATES = (
    "game_report.toml",
    "game_review.toml",
    "glossary.tsv",
    "markers.toml",
    "reference_cards.toml",
    "score_sheet.toml",
    "setup_card.toml",
)
"""The files of `templates/` without which nothing is printed."""

OPENCV_WHEELS = (
    "opencv-python-headless",
    "opencv-python",
    "opencv-contrib-python-headless",
    "opencv-contrib-python",
)
"""Distributions that all bring the one package cv2, and overwrite each other's files."""

TESSERACT_LANGUAGE = "eng"
"""The language that the names on most djinn cards are read in: they are in Latin letters."""

MORE_LANGUAGES = ("rus", "ukr", "kor")
"""Languages whose own letters the names on djinn cards are read in besides."""

SHAPES = "●★▲■◆"
"""What a terminal must be able to show for `companion show` to read well."""

_REINSTALL = "install the program anew (from a checkout: make clean setup)"
_KEPT_THERE = "make it writable to keep drafts of companion edit, answers to --ask and paints; all else works without"


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
    Package("pi_heif", "pi-heif", "photos"),
    Package("pytesseract", "pytesseract", "photos", needed=False),
    Package("reportlab", "reportlab", "prints"),
    Package("pikepdf", "pikepdf", "prints"),
    Package("bidi", "python-bidi", "prints"),
    Package("qrcode", "qrcode", "prints"),
)


def examine(environment: Mapping[str, str], terminal: IO[str]) -> Iterator[Finding]:
    """Everything looked at, part by part; `terminal` is the stream that results are printed on.

    A process whose working folder was deleted goes on in the root folder.
    """
    try:
        wanted = wanted_versions()
    except ImportError:
        # `packaging` itself is missing, which is told with the other packages.
        wanted = {}
    yield check_python(sys.version_info[:3])
    folder = check_working_folder()
    yield folder
    if folder.state is not State.OK:
        # Packages such as reportlab ask for it while they are loaded; all else is looked at from another.
        os.chdir(os.sep)
    for part, checks in _CHECKS.items():
        for package in PACKAGES:
            if package.part == part:
                yield check_package(package, wanted.get(package.distribution, ""))
        for check in checks:
            yield check()
        if part == "photos":
            yield check_calibration(environment)
    yield check_terminal(environment, terminal)


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


def check_python(version: tuple[int, int, int]) -> Finding:
    """The Python that runs this."""
    text = ".".join(map(str, version))
    if version < (3, 11):
        return Finding("program", "Python", State.MISSING, text, "install Python 3.11 or newer")
    return Finding("program", "Python", State.OK, text)


def check_working_folder() -> Finding:
    """Whether the folder that commands are run in is still there; without it most of them cannot work."""
    try:
        folder = Path.cwd()
    except OSError:
        remedy = "change to another folder (cd) and run again"
        return Finding("program", "working folder", State.LIMITED, "was deleted, or cannot be entered", remedy)
    return Finding("program", "working folder", State.OK, str(folder))


def check_package(package: Package, wanted: str) -> Finding:
    """Whether a package can be imported, in a version that suits."""
    lacking = State.MISSING if package.needed else State.LIMITED
    remedy = f'{sys.executable} -m pip install "{package.distribution}{wanted}"'
    try:
        module = import_module(package.module)
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        # A wheel that does not fit the machine fails in one of these ways, with the reason in its words.
        absent = isinstance(error, ModuleNotFoundError) and error.name == package.module
        found = "not installed" if absent else f"cannot be loaded: {' '.join(str(error).split())}"
        return Finding(package.part, package.module, lacking, found, remedy)
    version = _version(package, module)
    if wanted and not is_wanted(version, wanted):
        return Finding(package.part, package.module, lacking, f"{version}, not {wanted}", remedy)
    return Finding(package.part, package.module, State.OK, version)


def _version(package: Package, module: object) -> str:
    try:
        return metadata.version(package.distribution)
    except metadata.PackageNotFoundError:
        return str(getattr(module, "__version__", "there"))


def check_opencv_wheels() -> Finding:
    """Whether cv2 comes from one wheel alone."""
    there = [name for name in OPENCV_WHEELS if _installed(name)]
    if len(there) > 1:
        remedy = f"{sys.executable} -m pip uninstall -y {' '.join(there)}, then pip install opencv-python-headless"
        return Finding("photos", "OpenCV wheel", State.LIMITED, " and ".join(there) + " overwrite each other", remedy)
    return Finding("photos", "OpenCV wheel", State.OK, there[0] if there else "not from a wheel")


def _installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def check_weights() -> Finding:
    """Whether what the reader has learnt is there."""
    folder = Path(__file__).resolve().parent / "vision" / "weights"
    lacking = [name for name in WEIGHTS if not (folder / name).is_file()]
    if lacking:
        return Finding("photos", "reader's weights", State.MISSING, f"without {', '.join(lacking)}", _REINSTALL)
    size = sum((folder / name).stat().st_size for name in WEIGHTS)
    return Finding("photos", "reader's weights", State.OK, f"{len(WEIGHTS)} files, {size / 1e6:.1f} MB")


def check_tesseract(tesseract: Tesseract | None) -> Finding:
    """Whether the names on djinn cards can be read; boards need no Tesseract."""
    part, name = "photos", "Tesseract"
    if tesseract is None:
        remedy = "Debian and Ubuntu: apt install tesseract-ocr; all but the names on djinn cards is read without it"
        return Finding(part, name, State.LIMITED, "not found", remedy)
    if TESSERACT_LANGUAGE not in tesseract.languages:
        remedy = f"Debian and Ubuntu: apt install tesseract-ocr-{TESSERACT_LANGUAGE}"
        return Finding(part, name, State.LIMITED, f"{tesseract.version} without {TESSERACT_LANGUAGE}", remedy)
    lacking = [language for language in MORE_LANGUAGES if language not in tesseract.languages]
    if lacking:
        packs = " ".join(f"tesseract-ocr-{language}" for language in lacking)
        remedy = f"for djinn cards in those letters, Debian and Ubuntu: apt install {packs}"
        return Finding(part, name, State.LIMITED, f"{tesseract.version} without {' '.join(lacking)}", remedy)
    return Finding(part, name, State.OK, f"{tesseract.version} with {' '.join(tesseract.languages)}")


def check_templates() -> Finding:
    """Whether the layouts of what is printed are there."""
    from companion.resources import template_path

    lacking = []
    for name in TEMPLATES:
        try:
            template_path(name)
        except FileNotFoundError:
            lacking.append(name)
    if "glossary.tsv" not in lacking:
        from companion.language.catalogue import locales_folder
        from companion.language.glossary import LANGUAGES

        folders = [locales_folder() / language for language in LANGUAGES if language != "en"]
        lacking += [f"locales/{folder.name}" for folder in folders if not any(folder.rglob("*.mo"))]
    if lacking:
        return Finding("prints", "templates", State.MISSING, f"without {', '.join(lacking)}", _REINSTALL)
    return Finding("prints", "templates", State.OK, f"{len(TEMPLATES)} files")


def check_fonts() -> Finding:
    """Whether Latin, Cyrillic and Hangul can be printed with the fonts that the program brings."""
    from companion.errors import MissingDependencyError

    part, name, letters = "prints", "fonts", "Añяїґ한글"
    try:
        from companion.printing.core.typefaces import Face, Fonts

        fonts = Fonts(system=())
        lacking, faces = fonts.lacking(letters), {run.typeface for run in fonts.runs(letters, Face.REGULAR)}
    except ImportError:
        return Finding(part, name, State.MISSING, "cannot be looked at without reportlab", "install reportlab first")
    except MissingDependencyError as error:
        return Finding(part, name, State.MISSING, "not all there", str(error).partition("; ")[2])
    if lacking:
        return Finding(part, name, State.MISSING, f"no font for {' '.join(lacking)}", _REINSTALL)
    return Finding(part, name, State.OK, f"Latin, Cyrillic and Hangul ({', '.join(sorted(faces))})")


def check_data_folder() -> Finding:
    """Whether the folder for the user's own data can be written, or made."""
    try:
        folder = data_folder()
    except ImportError:
        return Finding("program", "data folder", State.LIMITED, "unknown without platformdirs")
    standing = next(place for place in (folder, *folder.parents) if place.exists())
    if not standing.is_dir() or not os.access(standing, os.W_OK | os.X_OK):
        return Finding("program", "data folder", State.LIMITED, f"{standing} cannot be written", _KEPT_THERE)
    return Finding("program", "data folder", State.OK, str(folder))


def check_calibration(environment: Mapping[str, str]) -> Finding:
    """Whether photos are read with paints of the owner's own."""
    part, name = "photos", "calibration"
    try:
        from companion.vision.colour.paints import (
            SWITCH,
            learnt_path,
            load_learnt,
            load_paints,
            own_paints,
            paints_path,
        )

        paints, path = load_paints(paints_path()), paints_path()
        if paints is None:
            paints, path = load_learnt(learnt_path()), learnt_path()
    except ImportError:
        return Finding(part, name, State.LIMITED, "unknown without platformdirs")
    except UnusableInputError as error:
        found, _, remedy = str(error).partition(": ")
        return Finding(part, name, State.LIMITED, found, remedy)
    if paints is None:
        return Finding(part, name, State.OK, "none: pieces are taken for the usual paints")
    if own_paints(environment) is None:
        return Finding(part, name, State.OK, f"there, but {SWITCH} switches it off")
    return Finding(part, name, State.OK, f"in use, {path}")


def check_terminal(environment: Mapping[str, str], terminal: IO[str]) -> Finding:
    """Whether the terminal shows the shapes of the meeples, and colour."""
    encoding = getattr(terminal, "encoding", None) or "ascii"
    try:
        SHAPES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        remedy = "set PYTHONUTF8=1 or a UTF-8 locale (export LANG=C.UTF-8); letters stand beside the shapes"
        return Finding("terminal", "characters", State.LIMITED, f"{encoding} has no {SHAPES}", remedy)
    if not terminal.isatty():
        colour = "no colour (not a terminal)"
    elif environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colour = "no colour (as NO_COLOR or TERM says)"
    else:
        colour = "colour"
    return Finding("terminal", "characters", State.OK, f"{encoding}, {colour}")


_CHECKS: dict[str, tuple[Callable[[], Finding], ...]] = {
    "program": (check_data_folder,),
    "photos": (check_opencv_wheels, check_weights, lambda: check_tesseract(find_tesseract())),
    "prints": (check_templates, check_fonts),
}
