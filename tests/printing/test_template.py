"""Templates: the project's own are whole, and a broken one is refused with its file and key."""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from companion.cli.main import MAX_LINE_LENGTH, main
from companion.errors import UnusableInputError, UsageError
from companion.installation import template_path
from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES, name_in
from companion.printing.core.djinn_words import djinn_key
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts
from companion.printing.review.template import load_report_template
from companion.printing.score.sheet import score_pad
from companion.printing.score.template import load_score_template
from companion.printing.setup.card import setup_card
from companion.printing.setup.pen import Pen
from companion.printing.setup.template import COUNTED, counted_key, load_setup_template
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.setup import random_setup

SCORE = template_path("score_sheet.toml").read_text(encoding="utf-8")
SETUP = template_path("setup_card.toml").read_text(encoding="utf-8")


def test_own_templates_speak_all_languages() -> None:
    assert tuple(load_score_template(None).words) == LANGUAGES
    assert tuple(load_setup_template(None).words) == LANGUAGES
    assert tuple(load_report_template(None).words) == LANGUAGES


WORDS: dict[str, Mapping[str, Any]] = {
    "score sheet": load_score_template(None).words,
    "set-up card": load_setup_template(None).words,
    "review": load_report_template(None).words,
}


def _texts(table: object, path: str = "") -> dict[str, str]:
    if isinstance(table, dict):
        return {at: text for key, value in table.items() for at, text in _texts(value, f"{path}.{key}").items()}
    return {path: str(table)}


@pytest.mark.parametrize("name", WORDS)
def test_no_language_has_empty_words_or_borrowed_english(name: str) -> None:
    english = _texts(asdict(WORDS[name]["en"]))
    for language in ("ru", "uk", "ko"):
        texts = _texts(asdict(WORDS[name][language]))
        assert texts.keys() == english.keys()
        assert all(text.strip() for text in texts.values())
        assert {path for path, text in texts.items() if text == english[path]} <= {".arithmetic"}


def test_names_of_the_game_come_from_the_glossary() -> None:
    for language in LANGUAGES:
        words = WORDS["set-up card"][language]
        assert words.colours.pink == name_in(language, "pink")
        assert words.actions.small_market.casefold() == name_in(language, "small market").casefold()
    assert WORDS["set-up card"]["ru"].cards.jewels == "Самоцветы"
    assert WORDS["set-up card"]["uk"].tribes.vizier == "Візири"


def test_a_pseudo_language_lengthens_all_words() -> None:
    english, pseudo = (_texts(asdict(WORDS["review"][language])) for language in ("en", PSEUDO))
    places = re.compile(r"\{\w+\}")
    for path, text in english.items():
        assert places.findall(text) == places.findall(pseudo[path])
        letters = sum(map(str.isalpha, places.sub("", text)))
        assert sum(map(str.isalpha, places.sub("", pseudo[path]))) >= 1.25 * letters


_AT_TOP = "words = 5\n"
BROKEN = [
    ("a text for a table of languages", _AT_TOP + SCORE[: SCORE.index("[words]")], "words must be a table;"),
    ("not TOML", "= oops", "not TOML"),
    ("nested too deeply", "x = " + "[" * 5000, "not TOML"),
    ("digits by the thousand", "x = " + "9" * 5000, "not TOML"),
    ("a length of 150 digits", SCORE.replace("padding = 9", "padding = 1" + "0" * 150), "layouts.1.padding"),
    ("unknown key", SCORE + "\n[extra]\nx = 1\n", "extra is no key"),
    ("unknown key inside", SCORE.replace("[marks]\n", "[marks]\nglow = 1\n"), "marks.glow is no key of this template;"),
    (
        "misspelt key",
        SCORE.replace("[marks]\n", "[marks]\nlenght = 1\n"),
        "marks.lenght is no key of this template; the nearest is 'length';",
    ),
    ("missing key", SCORE.replace("\npadding = 9\n", "\n"), "layouts.1.padding is missing"),
    ("missing word", SCORE.replace('tiles = "Tiles"\n', ""), "words.labels.tiles is missing"),
    (
        "two keys missing",
        SCORE.replace("\npadding = 9\n", "\n").replace("\nruler = 5\n", "\n"),
        "layouts.1.padding, layouts.1.ruler are missing",
    ),
    ("an unknown word of a language", SCORE + "\n[words_in.ru]\nglow = 'x'\n", "words_in.ru.glow is no key"),
    ("no table of a language", SCORE + "\n[words_in]\nru = 'x'\n", "words_in.ru must be a table"),
    (
        "a word without end",
        SCORE.replace('place = "Place"', f'place = "{"W" * 5000}"'),
        "words.place has 5,000 letters",
    ),
    ("text for a number", SCORE.replace("padding = 9", 'padding = "9"'), "layouts.1.padding must be a number"),
    ("true for a number", SCORE.replace("padding = 9", "padding = true"), "layouts.1.padding must be a number"),
    ("number for a text", SCORE.replace('title = "Five Tribes"', "title = 5"), "words.title must be text"),
    ("a part for a whole", SCORE.replace("columns = 2", "columns = 2.5"), "layouts.2.columns must be a whole number"),
    ("out of range", SCORE.replace("title_pt = 28", "title_pt = 2800"), "layouts.1.title_pt must be from 6.5 to 60"),
    ("not a number at all", SCORE.replace("title_pt = 28", "title_pt = nan"), "layouts.1.title_pt must be from"),
    ("no colour", SCORE.replace("#2E2A26", "ink"), "palette.ink must be a colour"),
    ("a value for a table", SCORE.replace("[marks]\nlength = 3\nwidth = 0.15", ""), "marks is missing"),
    ("another version", SCORE.replace("format = 2", "format = 3"), "format must be 2"),
    ("another print-out's", SETUP, "kind must be"),
    ("misnamed layout", SCORE.replace("[layouts.4]", "[layouts.6]"), "layouts.6 has 2 x 2"),
    (
        "layout of the filled sheet",
        SCORE.replace('layout = "1"', 'layout = "9"'),
        "filled.layout must be one of its layouts, 1, 2, 4, not '9'",
    ),
    (
        "nearer to the edge than printers print",
        SCORE.replace("padding = 9", "padding = 4"),
        "layouts.1.padding must be from 5",
    ),
    (
        "captions too small to copy",
        SCORE.replace("hint_pt = 6.5", "hint_pt = 5.2"),
        "layouts.4.hint_pt must be from 6.5",
    ),
    ("no name for goods", SCORE.replace("ladder = 9", "ladder = 30"), "names of 5.0 mm"),
    ("rows too low", SCORE.replace("names = 12\n", "names = 40\n").replace("header = 12", "header = 60"), "rows of"),
    ("columns too narrow", SCORE.replace("label = 35\n", "label = 70\n"), "columns of"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_template_is_refused_with_its_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableInputError) as caught:
        score_pad(template=path)
    assert message in str(caught.value)
    assert "mine.toml" in str(caught.value) or message in ("rows of", "columns of", "names of 5.0 mm")


def test_a_template_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE, encoding="utf-16")
    with pytest.raises(UnusableInputError, match=r"mine\.toml is not text in UTF-8"):
        score_pad(template=path)


def test_an_absent_template_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match=r"no file .*absent\.toml"):
        score_pad(template=tmp_path / "absent.toml")


def test_a_setup_template_that_leaves_no_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SETUP.replace("djinns = 46", "djinns = 90").replace("row = 24", "row = 60"), encoding="utf-8")
    with pytest.raises(UnusableInputError, match="leave tiles of"):
        setup_card(random_setup(2, 1), template=path)


def test_a_length_out_of_bounds_is_named_with_its_file_line_and_box(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SETUP.replace("\nbag = 34", "\nbag = 3"), encoding="utf-8")
    line = 1 + SETUP[: SETUP.index("bag = 34")].count("\n")
    with pytest.raises(UnusableInputError) as caught:
        load_setup_template(path)
    said = str(caught.value)
    assert f"mine.toml, line {line}: parts.bag must be from 25 to 60, not 3" in said
    assert "the box 'bag'" in said


def test_a_set_up_card_of_the_format_before_is_refused_with_its_new_boxes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    old = SETUP.replace("format = 2", "format = 1").replace("[words]", "[words.en]")
    for key in ("players = 9\n", "bids = 9\n", "reach = 8\n", "heading = 50\n", "bag = 34\n"):
        old = old.replace(key, "", 1)
    path.write_text(old, encoding="utf-8")
    with pytest.raises(UnusableInputError) as caught:
        load_setup_template(path)
    said = str(caught.value)
    assert "format is 1, and 5 boxes have come since then: parts: players, bids, reach, heading, bag." in said
    assert "companion templates copy setup_card" in said


def test_a_score_sheet_of_the_format_before_is_refused_with_all_its_new_boxes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    old = SCORE.replace("format = 2", "format = 1").replace("[words]", "[words.en]")
    for key in ("ruler", "ladder", "count", "good", "sets"):
        old = re.sub(rf"^{key} = .*\n", "", old, flags=re.MULTILINE)
    before, _, after = old.partition("[filled.shares]")
    path.write_text(before + "[words.en]" + after.partition("[words.en]")[2], encoding="utf-8")
    with pytest.raises(UnusableInputError) as caught:
        load_score_template(path)
    said = str(caught.value)
    line = 1 + before[: before.index("format = 1")].count("\n")
    new = "layouts.1, layouts.2, layouts.4: ruler, ladder, count, good, sets; filled: shares, good, sets."
    assert f"mine.toml, line {line}: format is 1, and 18 boxes have come since then: {new}" in said
    assert "companion templates copy score_sheet" in said
    assert len(said) < MAX_LINE_LENGTH, "a message is cut there"


def test_words_of_ones_own_stand_on_the_card(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    own = '\n[words_in.ru.counted]\nGC = ["динар", "динара", "динаров"]\n'
    own += '[words_in.ru.powers]\njafaar = "Визири дороже."\n'
    path.write_text(SETUP + own, encoding="utf-8")
    words = load_setup_template(path).words
    assert words["ru"].counted["GC"] == ("динар", "динара", "динаров")
    laid = replace(random_setup(4, 7), djinns=("Jafaar", "Utug", "Enki"))
    text = PdfReader(io.BytesIO(setup_card(laid, template=path, language="ru"))).pages[0].extract_text()
    assert "50 динаров" in text and "Визири дороже." in text


@pytest.mark.parametrize(
    ("table", "key", "nearest"),
    [
        ("counted", "coin", "; compare"),
        ("counted", '"turn marker"', "; the nearest is 'turn_marker';"),
        ("counted", "viziers", "; the nearest is 'vizier';"),
        ("powers", "jafar", "; the nearest is 'jafaar';"),
        ("powers", '"Ba\'al"', "; the nearest is 'baal';"),
        ("powers", "Al-Amin", "; the nearest is 'al_amin';"),
    ],
)
@pytest.mark.parametrize("where", ["words", "words_in.de"])
def test_words_that_the_card_does_not_have_are_refused_with_the_nearest(
    where: str, table: str, key: str, nearest: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    value = '["a", "b"]' if table == "counted" else '"a"'
    path.write_text(f"{SETUP}\n[{where}.{table}]\n{key} = {value}\n", encoding="utf-8")
    with pytest.raises(UnusableInputError) as caught:
        load_setup_template(path)
    name = key.strip('"')
    assert f"{where}.{table}.{name} is no key of this template{nearest}" in str(caught.value)


def test_the_words_that_may_be_counted_are_those_that_the_card_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = set()
    whole = Pen.counted

    def listening(pen: Pen, count: int, key: str) -> str:
        counted.add(counted_key(key))
        return whole(pen, count, key)

    monkeypatch.setattr(Pen, "counted", listening)
    setup_card(random_setup(4, 7))
    assert counted == set(COUNTED)


def test_every_djinn_may_have_a_power_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    powers = "".join(f'{djinn_key(name)} = "{name}"\n' for name in EVERY_DJINN)
    path.write_text(f"{SETUP}\n[words.powers]\n{powers}", encoding="utf-8")
    assert tuple(load_setup_template(path).words["en"].powers.values()) == tuple(EVERY_DJINN)


def test_a_template_of_ones_own_changes_words_and_layout(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    german = '[words_in.de.labels]\nviziers = "Wesire"\n[words_in.ru]\ntitle = "Пустыня"\n'
    path.write_text(SCORE.replace('"Elders"', '"Wise"') + german, encoding="utf-8")
    words = load_score_template(path).words
    assert (words["de"].labels.viziers, words["de"].labels.elders) == ("Wesire", "Wise")
    assert (words["ru"].title, words["ru"].labels.viziers, words["en"].labels.elders) == ("Пустыня", "Визири", "Wise")
    assert tuple(words) == (*LANGUAGES, "de")
    assert score_pad(template=path, language="de").startswith(b"%PDF")
    with pytest.raises(UsageError, match="no language 'de'; it has en, ru, uk, ko, it"):
        score_pad(language="de")


def test_a_template_of_the_format_before_still_prints(tmp_path: Path) -> None:
    """Its own words, each language in a table; what it cannot know is said in the project's words."""
    path = tmp_path / "mine.toml"
    english = SCORE[SCORE.index("[words]") :].replace("[words", "[words.en")
    old = SCORE[: SCORE.index("[words]")].replace("format = 2", "format = 1") + english
    old += '\n[words.en.arithmetic]\nopponents = "rivals"\n[words.ru]\ntitle = "Пустыня"\n'
    path.write_text(old.replace('winner = "winner"\n', ""), encoding="utf-8")
    words = load_score_template(path).words
    assert tuple(words) == ("en", "ru")
    assert (words["en"].winner, words["ru"].title, words["ru"].labels.gold) == ("winner", "Пустыня", "Золото")
    assert words["en"].arithmetic == {"opponents": "rivals"}
    assert score_pad(template=path, language="ru").startswith(b"%PDF")
    with pytest.raises(UsageError, match="no language 'it'; it has en, ru"):
        score_pad(template=path, language="it")


@pytest.mark.parametrize(("key", "line"), [("layouts.1.padding", "padding = -1"), ("marks.length", "length = 99")])
def test_the_line_of_a_fault_is_named(key: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    name = line.partition(" ")[0]
    path.write_text(re.sub(rf"^{name} = .*$", line, SCORE, count=1, flags=re.MULTILINE), encoding="utf-8")
    number = path.read_text(encoding="utf-8").splitlines().index(line) + 1
    with pytest.raises(UnusableInputError, match=rf"mine\.toml, line {number}: {key} must be from"):
        score_pad(template=path)


def test_a_ruler_that_would_stand_off_the_paper_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SCORE.replace("padding = 9\nruler = 5", "padding = 5\nruler = 3"), encoding="utf-8")
    with pytest.raises(UnusableInputError, match=r"layouts\.1 padding and ruler must be [\d.]+ mm together"):
        score_pad(template=path)


@pytest.mark.parametrize(
    "key", ["a" + ".a" * 200_000 + " = 1", "[" + "a." * 200_000 + "a]", "x = {" + "'a'." * 200_000]
)
def test_a_key_without_end_is_refused_at_once(key: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"format = 1\n{key}\n", encoding="utf-8")
    began = time.process_time()
    with pytest.raises(UnusableInputError, match=r"own\.toml is larger than 0\.2 MB"):
        load_setup_template(path)
    assert time.process_time() - began < 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_device_is_no_template() -> None:
    with pytest.raises(UnusableInputError, match="device"):
        load_setup_template(Path("/dev/zero"))


def test_a_loop_of_links_and_a_pipe_are_no_templates(tmp_path: Path) -> None:
    loop, pipe = tmp_path / "loop", tmp_path / "pipe"
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    for path in (loop, pipe):
        with pytest.raises(UnusableInputError):
            load_setup_template(path)


@pytest.mark.parametrize("words", [["setup", "-o"], ["sheet", "-o"], ["score", "samples/end.toml", "--pdf"]])
def test_a_word_without_spaces_of_thousands_of_letters_is_cut_in_no_time(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = {"setup": "setup_card"}.get(words[0], "score_sheet")
    original = template_path(f"{name}.toml").read_text(encoding="utf-8")
    endless = re.sub(
        r'^((?!kind)\w+) = "[^"#]{4,}"', lambda match: f'{match[1]} = "{"W" * 5000}"', original, flags=re.MULTILINE
    )
    assert endless != original
    own = tmp_path / "own.toml"
    own.write_text(endless, encoding="utf-8")
    began = time.process_time()
    status = main([*words, str(tmp_path / "out.pdf"), "--template", str(own)])
    assert time.process_time() - began < 20
    assert status in (0, 4), capsys.readouterr().err


def test_what_is_cut_is_as_long_as_fits() -> None:
    page = Document(Box(0, 0, 100, 100), Fonts(), title="t", language="en")
    for text in ("WWWW WWWW WWWW WWWW", "i" * 400, "a b c d e f g h i j k l m"):
        page.text(Box(0, 0, 12, 5), text, 9)
        shown = page.written[-1]
        assert shown.text.endswith("…") and text.startswith(shown.text[:-1].rstrip())
        assert shown.box.w <= 12.001
        longer = text[: len(shown.text)].rstrip() + "…"
        assert longer == shown.text or page.width(longer, 6) > 12
