"""Templates that nobody wrote in good faith: refused at once, by a message that says where, and never by a crash."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli.main import main
from companion.errors import ExitStatus, NotationError, UnusableInputError
from companion.inputs import LIMITS
from companion.installation import template_path
from companion.notation.files import MAX_DEPTH, MAX_KEY_PARTS, MAX_LETTERS, MAX_WORD, parse_toml
from companion.printing.cards.template import CardsTemplate, load_cards_template
from companion.printing.core.shape import MAX_LETTERS as MAX_TEXT
from companion.printing.core.words import MAX_LANGUAGES
from companion.printing.report.template import GameReportTemplate, load_game_report_template
from companion.printing.review.template import ReportTemplate, load_report_template
from companion.printing.score.sheet import score_pad
from companion.printing.score.template import ScoreTemplate, load_score_template
from companion.printing.setup.card import setup_card
from companion.printing.setup.template import SetupTemplate, load_setup_template
from companion.rules.engine.setup import random_setup
from tests.printing import checks
from tests.printing.checks import read_print

LOADERS: dict[str, Callable[[Path | None], object]] = {
    "score_sheet": load_score_template,
    "setup_card": load_setup_template,
    "reference_cards": load_cards_template,
    "game_review": load_report_template,
    "game_report": load_game_report_template,
}
TEXTS = {name: template_path(f"{name}.toml").read_text(encoding="utf-8") for name in LOADERS}
SCORE = TEXTS["score_sheet"]
END = SCORE.count("\n") + 1
PADDING = SCORE[: SCORE.index("padding = 9")].count("\n") + 1

UNREAD = {
    "dotted": ("\n" + "a." * 60_000 + "a = 1", f"a key of more than {MAX_KEY_PARTS} parts", END + 1),
    "dotted, quoted": ("\n" + "'a'." * 40_000 + "a = 1", "a key of more than", END + 1),
    "dotted, with escapes": ("\n" + r'"a\"b".' * 20_000 + "a = 1", "a key of more than", END + 1),
    "dotted, in a header": ("\n[" + "a . " * 40_000 + "a]", "a key of more than", END + 1),
    "dotted, inside": ("\nx = { " + "a." * 60_000 + "a = 1 }", "a key of more than", END + 1),
    "lists": ("\nx = " + "[" * 10_000 + "]" * 10_000, "lists or tables nested too deeply", END + 1),
    "tables": ("\nx = " + "{a=" * 10_000 + "1" + "}" * 10_000, "lists or tables nested too deeply", END + 1),
    "lists over lines": ("\nx = " + "[\n" * 10_000, "lists or tables nested too deeply", END + 1 + MAX_DEPTH),
    "a key": ("\n" + "k" * 100_000 + " = 1", f"a key or number of more than {MAX_WORD}", END + 1),
    "a table's name": ("\n[" + "k" * 100_000 + "]", "a key or number of more than", END + 1),
}
"""What stands at the end of a template, what is said of it, and the line that is named."""


@pytest.fixture
def unparsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's reader of TOML is not to be asked."""

    def loads(_: str) -> dict[str, object]:
        raise AssertionError("the text was read")

    monkeypatch.setattr(tomllib, "loads", loads)


def _refusal(path: Path, loader: Callable[[Path | None], object] = load_score_template) -> str:
    with pytest.raises(UnusableInputError) as caught:
        loader(path)
    return str(caught.value)


@pytest.mark.usefixtures("unparsed")
@pytest.mark.parametrize(("end", "message", "line"), UNREAD.values(), ids=UNREAD)
def test_what_has_no_end_is_refused_before_it_is_read(end: str, message: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE + end, encoding="utf-8")
    said = _refusal(path)
    assert said.startswith(f"the template {path} is not TOML: {message}") and said.endswith(f"(at line {line})")


@pytest.mark.usefixtures("unparsed")
@pytest.mark.parametrize("digits", ["1" + "0" * 5000, "0x" + "f" * 20_000, "1" + "_0" * 20_000, "1e" + "9" * 5000])
def test_a_number_without_end_is_refused_before_it_is_read(digits: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE.replace("padding = 9", f"padding = {digits}", 1), encoding="utf-8")
    assert _refusal(path).endswith(f"a key or number of more than {MAX_WORD} letters or digits (at line {PADDING})")


@pytest.mark.usefixtures("unparsed")
def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    assert _refusal(path) == f"{path} is larger than {LIMITS.template_bytes / 1e6:g} MB; give a smaller file"
    with pytest.raises(NotationError, match=r"300,001 letters are too many; 300,000 are the most"):
        parse_toml("#" * (MAX_LETTERS + 1))


@pytest.mark.parametrize(
    "text", ['"' + r"\"" * 149_000, '"""' + r"\"" * 149_000, "'a'." * 70_000, "a." * 140_000 + '"', "'''''" * 60_000]
)
def test_what_does_not_end_is_looked_through_once(text: str) -> None:
    """Each letter twice at most: with a square of them this would take hours."""
    began = time.process_time()
    with pytest.raises(NotationError):
        parse_toml(text)
    assert time.process_time() - began < 5


def test_what_looks_endless_inside_texts_and_remarks_is_none() -> None:
    dots, brackets = "a." * 100, "[" * 100
    text = f"""x = "{dots}{brackets}" # {dots}{brackets} "
y = '{dots}{brackets}'
z = \"\"\"
{dots}{brackets}"" \\\"\"\" \"\"\"
w = '''{brackets}
'{dots}'''
"""
    assert parse_toml(text) == {
        "x": dots + brackets,
        "y": dots + brackets,
        "z": f'{dots}{brackets}"" """ ',
        "w": f"{brackets}\n'{dots}",
    }


REFUSED = {
    "1e308": "layouts.1.padding must be from 5.0 to 30, not 1e+308;",
    "1e999": "not inf;",
    "nan": "not nan;",
    "1" + "0" * 150: f"must be from 5.0 to 30, not 1{'0' * 19}…;",
    "0x" + "f" * 190: "must be from 5.0 to 30, not ",
    "0": "must be from 5.0 to 30, not 0;",
    "-9": "not -9;",
    "[9]": "must be a number;",
    "2020-01-01": "must be a number;",
}


@pytest.mark.parametrize(("value", "message"), REFUSED.items(), ids=[value[:12] for value in REFUSED])
def test_a_length_that_is_none_is_refused_with_its_line(value: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE.replace("padding = 9", f"padding = {value}", 1), encoding="utf-8")
    said = _refusal(path)
    assert f"mine.toml, line {PADDING}: layouts.1.padding" in said and message in said and len(said) < 400


KEYS = [
    (SCORE.replace("format = 2", "format = true"), "format must be 2"),
    (SCORE.replace("format = 2", "format = [2]"), "format must be 2"),
    (
        SCORE.replace('kind = "score_sheet"', ""),
        'kind is missing: templates of this print-out have kind = "score_sheet"',
    ),
    (SCORE.replace('kind = "score_sheet"', "kind = {}"), 'kind must be "score_sheet"'),
    (SCORE.replace('"Place"', f'"{"W" * 5000}"'), f"words.place has 5,000 letters; {MAX_TEXT} are the most"),
    (SCORE + f'\n["{"q" * 9000}"]\n', f"{'q' * 100}… is no key of this template"),
    (SCORE + '\n["a\\nb\\u001b[31m"]\n', "a b\x1b[31m is no key"),
    (SCORE + "\n[marks2]\n" + "".join(f"k{number} = 1\n" for number in range(9000)), "marks2 is no key"),
    (SCORE.replace("padding = 9", "padding = 9\npadding = 9"), "a key is given twice (at line"),
    (
        SCORE + "".join(f"\n[words_in.x{number}]\nplace = 'x'" for number in range(MAX_LANGUAGES + 1)),
        f"words_in has {MAX_LANGUAGES + 1} languages; {MAX_LANGUAGES} are the most",
    ),
    ('format = 2\nkind = "score_sheet"\n', "words is missing"),
    (SCORE[SCORE.index("[words]") :] + "\n[marks]\n", "format must be 2"),
]


@pytest.mark.parametrize(("text", "message"), KEYS, ids=[message[:24] for _, message in KEYS])
def test_keys_that_do_not_belong_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    said = _refusal(path)
    assert message in said and len(said) < 500


def test_a_mark_of_the_encoding_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE, encoding="utf-8-sig")
    assert load_score_template(path) is not None


def _numbers(shape: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(shape)
    for one in fields(shape):
        hint = hints[one.name]
        inner = get_args(hint)[-1] if get_origin(hint) is not None else hint
        if is_dataclass(inner):
            yield from _numbers(inner)
        elif inner in (int, float):
            yield f"{shape.__name__}.{one.name}", one.metadata


@pytest.mark.parametrize("shape", [ScoreTemplate, SetupTemplate, CardsTemplate, ReportTemplate, GameReportTemplate])
def test_every_number_of_a_template_has_bounds(shape: type[Any]) -> None:
    found = dict(_numbers(shape))
    assert found
    for name, bounds in found.items():
        assert bounds.get("low") is not None and bounds.get("high") is not None, name


PIECES = st.sampled_from(
    ["[", "]", "{", "}", "=", '"', "'", '"""', "'''", ".", ",", "\n", "#", "\\", "_", "-", "\0", "\ufeff", "\u202e"]
    + ["1e308", "nan", "-0", "0", "true", "2020-01-01", "[layouts.1]", "a.b = 1", "words_in", "\U0001f3dc"]
)


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, str]:
    """A template of the project's with some of it left out, put in, or put elsewhere."""
    name = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[name]
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 3, 40, 400])))
        again = text[start:end] if draw(st.booleans()) else ""
        text = text[:start] + draw(PIECES) + again + text[end:]
    if draw(st.booleans()):
        # A value of another kind in place of one there is.
        values = list(re.finditer(r"(?<= = ).*$", text, re.MULTILINE))
        if values:
            value = draw(st.sampled_from(values))
            text = text[: value.start()] + draw(PIECES) + text[value.end() :]
    return name, text


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=spoilt())
def test_a_spoilt_template_is_read_or_refused(case: tuple[str, str], tmp_path: Path) -> None:
    name, text = case
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    try:
        LOADERS[name](path)
    except UnusableInputError as fault:
        assert str(path) in str(fault)


@st.composite
def odd_sizes(draw: st.DrawFn) -> str:
    """A score sheet whose numbers are others, most of them within their bounds."""
    values = [found for found in re.finditer(r"(?<= = )[\d.]+$", SCORE, re.MULTILINE) if found.start() > 80]
    chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=4, unique_by=re.Match.start))
    text = SCORE
    for found in sorted(chosen, key=re.Match.start, reverse=True):
        factor = draw(st.sampled_from([0, 0.3, 0.6, 0.9, 1.1, 1.5, 2, 3, 5]))
        number = float(found[0]) * factor
        text = (
            text[: found.start()] + (str(round(number)) if "." not in found[0] else f"{number:g}") + text[found.end() :]
        )
    return text


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=odd_sizes(), players=st.integers(2, 4), per_page=st.sampled_from([1, 2, 4]))
def test_boxes_that_leave_no_room_are_refused(text: str, players: int, per_page: int, tmp_path: Path) -> None:
    path, output = tmp_path / "mine.toml", tmp_path / "out.pdf"
    output.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")
    words = ["sheet", "--players", str(players), "--per-page", str(per_page), "--template", str(path)]
    status = main([*words, "-o", str(output), "--force"])
    assert status in (ExitStatus.DONE, ExitStatus.UNUSABLE_INPUT)
    assert output.exists() == (status == 0)


SETUP = TEXTS["setup_card"]
LARGE = [
    (SETUP.replace("subtitle_pt = 10", "subtitle_pt = 40"), lambda path: setup_card(random_setup(4, 7), template=path)),
    (SETUP.replace("header = 16.5", "header = 10"), lambda path: setup_card(random_setup(2, 7), template=path)),
    (SCORE.replace("hint_pt = 8.5", "hint_pt = 14"), lambda path: score_pad(per_page=1, template=path)),
    (SCORE.replace("label_pt = 7.5", "label_pt = 24"), lambda path: score_pad(template=path)),
]


@pytest.mark.parametrize(("text", "draw"), LARGE, ids=["subtitle", "header", "hint", "label"])
def test_type_that_is_too_large_is_set_smaller(text: str, draw: Callable[[Path], bytes], tmp_path: Path) -> None:
    assert text not in (SETUP, SCORE)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    one = read_print(draw(path))
    assert [*checks.outside(one), *checks.overlapping_texts(one), *checks.small_texts(one)] == []


@pytest.mark.parametrize("shape", [ReportTemplate, GameReportTemplate, SetupTemplate, CardsTemplate])
def test_no_type_size_may_be_below_6_points(shape: type[Any]) -> None:
    assert all(bounds["low"] >= 6 for name, bounds in _numbers(shape) if name.endswith("_pt"))
