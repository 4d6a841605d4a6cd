"""Python and the packages that the program stands on: there, and in versions that suit."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module, metadata

from companion.health.findings import Finding, State
from companion.language.phrase import joined, say
from companion.resources import DISTRIBUTION

OPENCV_WHEELS = (
    "opencv-python-headless",
    "opencv-python",
    "opencv-contrib-python-headless",
    "opencv-contrib-python",
)
"""Distributions that all bring the one package cv2, and overwrite each other's files."""


_WHEEL = say("OpenCV wheel")


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
    Package("qrcode", "qrcode", "prints"),
    Package("starlette", "starlette", "phones"),
    Package("uvicorn", "uvicorn", "phones"),
    Package("psutil", "psutil", "phones"),
    Package("jinja2", "jinja2", "phones"),
    Package("python_multipart", "python-multipart", "phones"),
)


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
