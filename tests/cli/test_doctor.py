"""`companion doctor`: the table, the JSON and the exit status."""

from __future__ import annotations

import json

import pytest

from companion import health
from companion.cli.main import main
from companion.health import Finding, State
from tests.cli.ran import Capsys, Patch, printed_json, ran

GOOD = Finding("program", "Python", State.OK, "3.11.7")
LIMIT = Finding("photos", "Tesseract", State.LIMITED, "not found", "apt install tesseract-ocr")
LACK = Finding("photos", "cv2", State.MISSING, "not installed", "pip install opencv-python-headless")


@pytest.fixture
def found(monkeypatch: Patch) -> list[Finding]:
    findings: list[Finding] = []
    monkeypatch.setattr(health, "examine", lambda environment, terminal: iter(findings))
    monkeypatch.setenv("COLUMNS", "80")
    return findings


def test_status_and_verdict(found: list[Finding], capsys: Capsys) -> None:
    for finding, status, verdict in (
        (GOOD, 0, "Everything is there."),
        (LIMIT, 0, "Everything required is there; limited: Tesseract."),
        (LACK, 3, "Something required is missing: cv2."),
    ):
        found.append(finding)
        assert verdict in ran(capsys, ["doctor"], status).out


def test_states_stand_in_words_and_remedies_below(found: list[Finding], capsys: Capsys) -> None:
    found.extend([GOOD, LIMIT, LACK])
    main(["doctor"])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "program  Python     ok         3.11.7",
        "photos   Tesseract  ! limited  not found",
        "         cv2        x missing  not installed",
        "",
        "Something required is missing: cv2.",
        "",
        "What to do:",
        "Tesseract  apt install tesseract-ocr",
        "cv2        pip install opencv-python-headless",
    ]


def test_json_is_one_document_with_the_same_status(found: list[Finding], capsys: Capsys) -> None:
    found.extend([GOOD, LACK])
    document = printed_json(capsys, ["doctor"], 3)
    assert document["ok"] is False
    assert document["checks"][1] == {
        "part": "photos",
        "name": "cv2",
        "state": "missing",
        "found": "not installed",
        "remedy": "pip install opencv-python-headless",
    }


def test_an_installation_that_runs_these_tests_lacks_nothing_needed(capsys: Capsys) -> None:
    status = main(["doctor", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert [check for check in document["checks"] if check["state"] == "missing"] == []
    assert (status, document["ok"]) == (0, True)
    assert {check["part"] for check in document["checks"]} == {"program", "photos", "prints", "phones", "terminal"}
