"""Everything looked at, part by part: what `companion doctor` tells."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import IO

from companion.health.findings import Finding, State
from companion.health.packages import PACKAGES, check_opencv_wheels, check_package, check_python, wanted_versions
from companion.health.shipped import check_fonts, check_templates, check_weights
from companion.health.surroundings import check_data_folder, check_terminal, check_tesseract, check_working_folder
from companion.health.user_data import check_calibration, check_history
from companion.programs import find_tesseract


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
        if part == "program":
            yield check_history(environment)
        elif part == "photos":
            yield check_calibration(environment)
    yield check_terminal(environment, terminal)


_CHECKS: dict[str, tuple[Callable[[], Finding], ...]] = {
    "program": (check_data_folder,),
    "photos": (check_opencv_wheels, check_weights, lambda: check_tesseract(find_tesseract())),
    "prints": (check_templates, check_fonts),
    "phones": (),
}
