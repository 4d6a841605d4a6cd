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

from companion.errors import MissingDependencyError, UnusableInputError
from companion.language.phrase import joined, say, say_many
from companion.programs import Tesseract, find_tesseract
from companion.resources import DISTRIBUTION, data_folder

WEIGHTS = (
    "calibration.json",
    "cards.onnx",
    "coins.onnx",
    "likeness.onnx",
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

_DATA_FOLDER = say("data folder")
_WORKING_FOLDER = say("working folder")
_WHEEL = say("OpenCV wheel")
_REINSTALL = say("install the program anew (from a checkout: make clean setup)")
_KEPT_THERE = say(
    "make it writable to keep drafts of companion edit, answers to --ask and paints; all else works without"
)


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
    Package("starlette", "starlette", "phones"),
    Package("uvicorn", "uvicorn", "phones"),
    Package("jinja2", "jinja2", "phones"),
    Package("python_multipart", "python-multipart", "phones"),
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
        return Finding("program", "Python", State.MISSING, text, say("install Python 3.11 or newer"))
    return Finding("program", "Python", State.OK, text)


def check_working_folder() -> Finding:
    """Whether the folder that commands are run in is still there; without it most of them cannot work."""
    try:
        folder = Path.cwd()
    except OSError:
        remedy = say("change to another folder (cd) and run again")
        return Finding("program", _WORKING_FOLDER, State.LIMITED, say("was deleted, or cannot be entered"), remedy)
    return Finding("program", _WORKING_FOLDER, State.OK, str(folder))


def check_package(package: Package, wanted: str) -> Finding:
    """Whether a package can be imported, in a version that suits."""
    lacking = State.MISSING if package.needed else State.LIMITED
    remedy = f'{sys.executable} -m pip install "{package.distribution}{wanted}"'
    try:
        module = import_module(package.module)
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        # A wheel that does not fit the machine fails in one of these ways, with the reason in its words.
        absent = isinstance(error, ModuleNotFoundError) and error.name == package.module
        found = (
            say("not installed") if absent else say("cannot be loaded: {reason}", reason=" ".join(str(error).split()))
        )
        return Finding(package.part, package.module, lacking, found, remedy)
    version = _version(package, module)
    if wanted and not is_wanted(version, wanted):
        return Finding(
            package.part,
            package.module,
            lacking,
            say("{version}, not {wanted}", version=version, wanted=wanted),
            remedy,
        )
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
        remedy = say(
            "{python} -m pip uninstall -y {wheels}, then pip install opencv-python-headless",
            python=sys.executable,
            wheels=" ".join(there),
        )
        return Finding(
            "photos",
            _WHEEL,
            State.LIMITED,
            say("{wheels} overwrite each other", wheels=joined(say(" and "), there)),
            remedy,
        )
    return Finding("photos", _WHEEL, State.OK, there[0] if there else say("not from a wheel"))


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
        return Finding(
            "photos",
            say("reader's weights"),
            State.MISSING,
            say("without {lacking}", lacking=joined(", ", lacking)),
            _REINSTALL,
        )
    size = sum((folder / name).stat().st_size for name in WEIGHTS)
    return Finding(
        "photos",
        say("reader's weights"),
        State.OK,
        say("{number} files, {size:.1f} MB", number=len(WEIGHTS), size=size / 1e6),
    )


def check_tesseract(tesseract: Tesseract | None) -> Finding:
    """Whether the names on djinn cards can be read; boards need no Tesseract."""
    part, name = "photos", "Tesseract"
    if tesseract is None:
        remedy = say(
            "Debian and Ubuntu: apt install tesseract-ocr; all but the names on djinn cards is read without it"
        )
        return Finding(part, name, State.LIMITED, say("not found"), remedy)
    if TESSERACT_LANGUAGE not in tesseract.languages:
        remedy = say("Debian and Ubuntu: apt install tesseract-ocr-{language}", language=TESSERACT_LANGUAGE)
        return Finding(
            part,
            name,
            State.LIMITED,
            say(
                "{version} without {lacking}",
                version=tesseract.version,
                lacking=TESSERACT_LANGUAGE,
            ),
            remedy,
        )
    lacking = [language for language in MORE_LANGUAGES if language not in tesseract.languages]
    if lacking:
        packs = " ".join(f"tesseract-ocr-{language}" for language in lacking)
        remedy = say("for djinn cards in those letters, Debian and Ubuntu: apt install {packs}", packs=packs)
        return Finding(
            part,
            name,
            State.LIMITED,
            say("{version} without {lacking}", version=tesseract.version, lacking=joined(" ", lacking)),
            remedy,
        )
    return Finding(
        part,
        name,
        State.OK,
        say("{version} with {languages}", version=tesseract.version, languages=joined(" ", tesseract.languages)),
    )


def check_templates() -> Finding:
    """Whether the layouts of what is printed are there."""
    from companion.installation import template_path

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
        return Finding(
            "prints",
            say("templates"),
            State.MISSING,
            say("without {lacking}", lacking=joined(", ", lacking)),
            _REINSTALL,
        )
    return Finding("prints", say("templates"), State.OK, say_many("{count} file", "{count} files", len(TEMPLATES)))


def check_fonts() -> Finding:
    """Whether Latin, Cyrillic and Hangul can be printed with the fonts that the program brings."""
    part, name, letters = "prints", say("fonts"), "Añяїґ한글"
    try:
        from companion.printing.core.typefaces import Face, Fonts

        fonts = Fonts(system=())
        lacking, faces = fonts.lacking(letters), {run.typeface for run in fonts.runs(letters, Face.REGULAR)}
    except ImportError:
        return Finding(
            part, name, State.MISSING, say("cannot be looked at without reportlab"), say("install reportlab first")
        )
    except MissingDependencyError as error:
        return Finding(part, name, State.MISSING, say("not all there"), str(error).partition("; ")[2])
    if lacking:
        return Finding(
            part, name, State.MISSING, say("no font for {lacking}", lacking=joined(" ", lacking)), _REINSTALL
        )
    return Finding(part, name, State.OK, say("Latin, Cyrillic and Hangul ({faces})", faces=joined(", ", sorted(faces))))


def check_data_folder() -> Finding:
    """Whether the folder for the user's own data can be written, or made."""
    try:
        folder = data_folder()
    except ImportError:
        return Finding("program", _DATA_FOLDER, State.LIMITED, say("unknown without platformdirs"))
    except MissingDependencyError as error:
        found, _, remedy = str(error).partition(": ")
        return Finding("program", _DATA_FOLDER, State.LIMITED, found, remedy)
    standing = next(place for place in (folder, *folder.parents) if _can_be_seen(place))
    if not standing.is_dir() or not os.access(standing, os.W_OK | os.X_OK):
        return Finding(
            "program",
            _DATA_FOLDER,
            State.LIMITED,
            say("{standing} cannot be written", standing=standing),
            _KEPT_THERE,
        )
    return Finding("program", _DATA_FOLDER, State.OK, str(folder))


def _can_be_seen(place: Path) -> bool:
    """Whether something stands there, as far as this user may look."""
    try:
        return place.exists()
    except OSError:
        return False


def check_calibration(environment: Mapping[str, str]) -> Finding:
    """Whether photos are read with paints of the owner's own."""
    part, name = "photos", say("calibration")
    try:
        from companion.vision.colour.paints import (
            SWITCH,
            is_switched_off,
            learnt_path,
            load_learnt,
            load_paints,
            paints_path,
        )
        from companion.vision.own.kept import load_pieces, pieces_path

        paints, path = load_paints(paints_path()), paints_path()
        shown = load_pieces(pieces_path())
        if paints is None:
            paints, path = load_learnt(learnt_path()), learnt_path()
    except ImportError:
        return Finding(part, name, State.LIMITED, say("unknown without platformdirs"))
    except (MissingDependencyError, UnusableInputError) as error:
        found, _, remedy = str(error).partition(": ")
        return Finding(part, name, State.LIMITED, found, remedy)
    if paints is None and not shown:
        return Finding(part, name, State.OK, say("none: pieces are taken for the usual paints"))
    if is_switched_off(environment):
        return Finding(part, name, State.OK, say("there, but {switch} switches it off", switch=SWITCH))
    return Finding(part, name, State.OK, say("in use, {path}", path=pieces_path() if shown else path))


def check_terminal(environment: Mapping[str, str], terminal: IO[str]) -> Finding:
    """Whether the terminal shows the shapes of the meeples, and colour."""
    encoding = getattr(terminal, "encoding", None) or "ascii"
    try:
        SHAPES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        remedy = say("set PYTHONUTF8=1 or a UTF-8 locale (export LANG=C.UTF-8); letters stand beside the shapes")
        return Finding(
            "terminal",
            say("characters"),
            State.LIMITED,
            say("{encoding} has no {shapes}", encoding=encoding, shapes=SHAPES),
            remedy,
        )
    if not terminal.isatty():
        colour = say("no colour (not a terminal)")
    elif environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colour = say("no colour (as NO_COLOR or TERM says)")
    else:
        colour = say("colour")
    return Finding("terminal", say("characters"), State.OK, joined(", ", (encoding, colour)))


_CHECKS: dict[str, tuple[Callable[[], Finding], ...]] = {
    "program": (check_data_folder,),
    "photos": (check_opencv_wheels, check_weights, lambda: check_tesseract(find_tesseract())),
    "prints": (check_templates, check_fonts),
    "phones": (),
}
