"""setup.sh, with stand-ins for the programs that it starts: what it asks, installs and says."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
TOOLS = ("sh", "cat", "cksum", "find", "grep", "sed", "mktemp", "rm", "tail", "dirname", "env", "mkdir", "cp", "chmod")

PYTHON = """#!/bin/sh
# Stands for Python, in the system and in .venv: it notes what it is asked for.
case "$*" in
*"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
*"pip install"*)
    echo "pip ${PIP_CONSTRAINT:-unpinned} $*" >>log
    [ -z "${PIP_CONSTRAINT:-}" ] || [ ! -e pins-do-not-fit ] ;;
*compileall* | hatch_build.py) echo "compiled $*" >>compiled ;;
*--version) echo "Python 3.11" ;;
esac
"""


class Machine:
    """A folder with setup.sh and a folder of programs, of which Tesseract knows no language."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.programs = folder / "bin"
        self.programs.mkdir()
        (self.folder / "companion").mkdir(parents=True)
        for name in ("setup.sh", "pyproject.toml", "requirements.lock", "companion/__init__.py"):
            shutil.copy(PROJECT / name, self.folder / name)
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)
        self.program("python3", PYTHON)
        self.program("tesseract", "#!/bin/sh\n")
        self.program("id", "#!/bin/sh\necho 1000\n")

    def program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def debian(self) -> None:
        """Give the machine apt-get and sudo."""
        self.program("apt-get", '#!/bin/sh\necho "apt-get $*" >>log\n')
        self.program("sudo", '#!/bin/sh\necho "sudo $*" >>log\n"$@"\n')

    def run(self, *words: str, answer: str | None = None) -> str:
        """What setup.sh says; `answer` is typed at a terminal, None is no terminal."""
        environment = {"PATH": str(self.programs), "HOME": str(self.folder)}
        command = ["sh", "setup.sh", *words]
        if answer is None:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
            )
        else:
            keyboard, terminal = pty.openpty()
            try:
                os.write(keyboard, f"{answer}\n".encode())
                done = subprocess.run(
                    command, cwd=self.folder, env=environment, stdin=terminal, capture_output=True, timeout=60
                )
            finally:
                os.close(keyboard)
                os.close(terminal)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == b""
        return done.stdout.decode()

    @property
    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_is_sound_shell() -> None:
    for path in (PROJECT / "setup.sh", *(PROJECT / ".ci").iterdir()):
        subprocess.run(["sh", "-n", path], check=True)
        assert path.read_text(encoding="utf-8").startswith("#!/bin/sh\n"), path


def test_pinned_versions_are_installed_and_nothing_a_second_time(machine: Machine) -> None:
    machine.run()
    assert machine.log == ["pip requirements.lock -m pip install --quiet --disable-pip-version-check --editable ."]
    machine.run()
    compiled = (machine.folder / "compiled").read_text().splitlines()
    assert len(machine.log) == 1 and compiled == 2 * ["compiled hatch_build.py", "compiled -m compileall -q companion"]
    machine.run("test")
    assert machine.log[1].endswith("--editable .[test]")
    lock = machine.folder / "requirements.lock"
    lock.write_text(lock.read_text(encoding="utf-8") + "# renewed\n", encoding="utf-8")
    machine.run()
    assert len(machine.log) == 3


def test_where_the_pins_do_not_fit_it_says_so_and_goes_on(machine: Machine) -> None:
    (machine.folder / "pins-do-not-fit").touch()
    said = machine.run()
    assert "The versions in requirements.lock do not install here" in said
    assert [line.split()[1] for line in machine.log] == ["requirements.lock", "unpinned"]


def test_without_apt_get_it_says_what_is_missing(machine: Machine) -> None:
    said = machine.run()
    assert "tesseract-ocr-rus: reads djinn cards in Russian" in said
    assert "no apt-get" in said


def test_without_a_terminal_it_says_what_to_run_and_runs_no_sudo(machine: Machine) -> None:
    machine.debian()
    assert "please run:  sudo apt-get install" in machine.run()
    assert [line.split()[0] for line in machine.log] == ["pip"]


def test_at_a_terminal_it_shows_the_command_and_asks(machine: Machine) -> None:
    machine.debian()
    said = machine.run(answer="y")
    assert "this would run:  sudo apt-get update && sudo apt-get install" in said
    assert machine.log[0] == "sudo apt-get update"
    assert any(line.startswith("sudo env DEBIAN_FRONTEND") and "tesseract-ocr-rus" in line for line in machine.log)


@pytest.mark.parametrize(("known", "package"), [(0, "chromium-headless-shell"), (100, "chromium")])
def test_the_browser_is_the_small_one_where_the_system_has_it(machine: Machine, known: int, package: str) -> None:
    machine.debian()
    machine.program("id", "#!/bin/sh\necho 0\n")
    machine.program("apt-cache", f"#!/bin/sh\nexit {known}\n")
    machine.run("test")
    (installed,) = (line.split() for line in machine.log if " install -y " in line)
    assert package in installed and ("chromium" in installed) == (known != 0)


def test_a_no_is_remembered(machine: Machine) -> None:
    machine.debian()
    assert "Run it now?" in machine.run(answer="n")
    assert [line.split()[0] for line in machine.log] == ["pip"]
    said = machine.run(answer="n")
    assert "Run it now?" not in said
    assert "Going on without" in said


def test_as_root_it_goes_ahead(machine: Machine) -> None:
    machine.debian()
    machine.program("id", "#!/bin/sh\necho 0\n")
    assert "Installing them from Debian's packages:  apt-get install" in machine.run()
    assert "apt-get update" in machine.log and "Going on without" in machine.run()
    assert not any(line.startswith("sudo") for line in machine.log)


def test_the_lock_has_a_version_of_everything_that_is_installed() -> None:
    import tomllib

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    lines = (PROJECT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# The versions that setup.sh installs")
    locked = dict(line.split("==") for line in lines[1:])
    versions = {canonicalize_name(name): version for name, version in locked.items()}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["test"],
        *project["build-system"]["requires"],
    ]
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), requirement
