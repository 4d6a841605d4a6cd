"""`companion doctor`: the table, the JSON and the exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.health import examination
from companion.health.findings import Finding, State

GOOD = Finding("program", "Python", State.OK, "3.11.7")
LIMIT = Finding("photos", "Tesseract", State.LIMITED, "not found", "apt install tesseract-ocr")
LACK = Finding("photos", "cv2", State.MISSING, "not installed", "pip install opencv-python-headless")
IN_A_DELETED_FOLDER = """
import os, sys
os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
from companion.cli.main import main
sys.exit(main(["doctor", "--json"]))
"""


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    findings: list[Finding] = []
    monkeypatch.setattr(examination, "examine", lambda environment, terminal: iter(findings))
    monkeypatch.setenv("COLUMNS", "80")
    return findings


@pytest.mark.parametrize(
    ("findings", "status", "verdict"),
    [
        ([GOOD], 0, "All is there."),
        ([GOOD, LIMIT], 0, "All that is needed is there; with limits: Tesseract."),
        ([GOOD, LIMIT, LACK], 3, "Something needed is missing: cv2."),
    ],
)
def test_status_and_verdict(
    findings: Sequence[Finding], status: int, verdict: str, found: list[Finding], capsys: pytest.CaptureFixture[str]
) -> None:
    found.extend(findings)
    assert main(["doctor"]) == status
    assert verdict in capsys.readouterr().out


def test_states_stand_in_words_and_remedies_below(found: list[Finding], capsys: pytest.CaptureFixture[str]) -> None:
    found.extend([GOOD, LIMIT, LACK])
    main(["doctor"])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "program  Python     ok         3.11.7",
        "photos   Tesseract  ! limited  not found",
        "         cv2        x missing  not installed",
        "",
        "Something needed is missing: cv2.",
        "",
        "What to do:",
        "Tesseract  apt install tesseract-ocr",
        "cv2        pip install opencv-python-headless",
    ]


def test_json_is_one_document_with_the_same_status(found: list[Finding], capsys: pytest.CaptureFixture[str]) -> None:
    found.extend([GOOD, LACK])
    assert main(["doctor", "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    assert document["checks"][1] == {
        "part": "photos",
        "name": "cv2",
        "state": "missing",
        "found": "not installed",
        "remedy": "pip install opencv-python-headless",
    }


def test_an_installation_that_runs_these_tests_lacks_nothing_needed(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert [check for check in document["checks"] if check["state"] == "missing"] == []
    assert (status, document["ok"]) == (0, True)
    assert {check["part"] for check in document["checks"]} == {"program", "photos", "prints", "phones", "terminal"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the folder that a program runs in")
def test_a_deleted_working_folder_is_a_finding_beside_all_others(tmp_path: Path) -> None:
    # A process of its own: what asks for the folder does so while it is loaded.
    ran = subprocess.run([sys.executable, "-c", IN_A_DELETED_FOLDER], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    checks = {check["name"]: check for check in json.loads(ran.stdout)["checks"]}
    assert checks["working folder"]["state"] == "limited"
    assert "was deleted" in checks["working folder"]["found"]
    assert "change to another folder" in checks["working folder"]["remedy"]
    assert checks["fonts"]["state"] == checks["reportlab"]["state"] == "ok"
