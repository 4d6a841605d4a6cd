"""Templates: the project's own are whole, and a broken one is refused with its file, line and key."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.drawing.palette import TRIBES
from companion.errors import UnusableInputError, UsageError
from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES, name_in
from companion.printing.core.kinds import CARDS, COUNTED, DJINN_KEYS, REPORT, REVIEW, SCORE, SETUP, pick_layout
from companion.printing.core.template import Table, TemplateKind, filled, originals, pick_words, template_kind
from companion.printing.score.sheet import score_pad
from companion.printing.setup.card import setup_card
from companion.printing.setup.steps import Pen
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.engine.setup import random_setup
from companion.system.installation import template_path
from tests.printing.checks import page_texts

KINDS = (SCORE, SETUP, CARDS, REVIEW, REPORT)
TEXTS = {kind.name: template_path(f"{kind.name}.toml").read_text(encoding="utf-8") for kind in KINDS}
SHEET, CARD = TEXTS["score_sheet"], TEXTS["setup_card"]


def _own(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _refusal(kind: TemplateKind, path: Path) -> str:
    with pytest.raises(UnusableInputError) as caught:
        kind.load(path)
    return str(caught.value)


def _texts(table: object, path: str = "") -> dict[str, str]:
    if isinstance(table, dict):
        return {at: text for key, value in table.items() for at, text in _texts(value, f"{path}.{key}").items()}
    return {path: str(table)}


def test_own_templates_speak_all_languages() -> None:
    for kind in KINDS:
        template = kind.load()
        assert template.words.languages == LANGUAGES
        english = _texts(pick_words(template, "en"))
        for language in ("ru", "uk", "ko"):
            texts = _texts(pick_words(template, language))
            assert texts.keys() == english.keys() and all(text.strip() for text in texts.values())
        pseudo = _texts(pick_words(template, PSEUDO))
        places = re.compile(r"\{\w+\}")
        for path, text in english.items():
            assert places.findall(text) == places.findall(pseudo[path])
    with pytest.raises(UsageError, match="no language 'xx'; it has en"):
        pick_words(SCORE.load(), "xx")


def test_names_of_the_game_come_from_the_glossary() -> None:
    for language in LANGUAGES:
        words = pick_words(SETUP.load(), language)
        assert words.colours.pink == name_in(language, "pink")
        assert words.actions.small_market.casefold() == name_in(language, "small market").casefold()
    assert pick_words(SETUP.load(), "ru").cards.jewels == "Самоцветы"
    assert pick_words(SETUP.load(), "uk").tribes.vizier == "Візири"


def test_no_key_hides_behind_a_method_and_every_number_has_bounds() -> None:
    def check(kind: TemplateKind, table: dict[str, Any], place: str) -> None:
        for key, value in table.items():
            assert not hasattr(dict, key), key
            if isinstance(value, dict) and key != "words":
                check(kind, value, f"{place}{'*' if place == 'layouts.' else key}.")
            elif isinstance(value, int | float) and not isinstance(value, bool):
                low, high = kind._bounds[f"{place}{key}"]
                assert low <= value <= high, key

    for kind in KINDS:
        template = kind.load()
        check(kind, template, "")
        check(kind, Table(words=pick_words(template, "en")), "")


BROKEN = {
    "not TOML": ("= oops", "not TOML"),
    "an unknown key": (SHEET + "\n[extra]\nx = 1\n", "extra is"),
    "an unknown key inside": (SHEET.replace("[marks]\n", "[marks]\nglow = 1\n"), "marks.glow is"),
    "a misspelt key": (SHEET.replace("[marks]\n", "[marks]\nlenght = 1\n"), "the nearest is 'length'"),
    "an unknown word of a language": (SHEET + "\n[words_in.ru]\nglow = 'x'\n", "words_in.ru.glow is"),
    "no table of a language": (SHEET + "\n[words_in]\nru = 'x'\n", "words_in.ru must be a table"),
    "a text for words": ("words = 5\n" + SHEET[: SHEET.index("[words]")], "words must be a table"),
    "a value for a table": (
        SHEET.replace("format = 2", "format = 2\nmarks = 3").replace("[marks]\nlength = 3\nwidth = 0.15", ""),
        "marks must be a table",
    ),
    "text for a number": (SHEET.replace("padding = 9", 'padding = "9"'), "layouts.1.padding must be a number"),
    "true for a number": (SHEET.replace("padding = 9", "padding = true"), "layouts.1.padding must be a number"),
    "a number for true": (SHEET.replace("landscape = true", "landscape = 1"), "layouts.2.landscape must be true or"),
    "a number for text": (SHEET.replace('title = "Five Tribes"', "title = 5"), "words.title must be text"),
    "a part for a whole": (SHEET.replace("columns = 2", "columns = 2.5"), "layouts.2.columns must be a whole number"),
    "out of range": (SHEET.replace("title_pt = 28", "title_pt = 2800"), "layouts.1.title_pt must be from 6.5 to 60"),
    "no number at all": (SHEET.replace("title_pt = 28", "title_pt = nan"), "layouts.1.title_pt must be from"),
    "a number without end": (SHEET.replace("padding = 9", "padding = 1" + "0" * 150), "not 1e+150"),
    "no colour": (SHEET.replace("#2E2A26", "ink"), "palette.ink must be a colour"),
    "no colour of a tribe": (SHEET + "\n[tribes]\nelder = 'white'\n", "tribes.elder must be a colour"),
    "another version": (SHEET.replace("format = 2", "format = 3"), "format must be 2"),
    "no version": (SHEET.replace("format = 2", "format = true"), "format must be 2"),
    "no kind": (SHEET.replace('kind = "score_sheet"', ""), 'have kind = "score_sheet"'),
    "another print-out's": (CARD, "kind must be"),
    "a misnamed layout": (SHEET.replace("[layouts.4]", "[layouts.6]"), "layouts.6 has 2 x 2"),
    "an unknown layout": (SHEET.replace('layout = "1"', 'layout = "9"'), "layouts, 1, 2, 4, not '9'"),
    "too near to the edge": (SHEET.replace("padding = 9", "padding = 4"), "layouts.1.padding must be from 5"),
    "a ruler off the paper": (
        SHEET.replace("padding = 9\nruler = 5", "padding = 5\nruler = 3"),
        "layouts.1 padding and ruler must be",
    ),
}


def test_a_broken_template_is_refused_with_its_file_and_key(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, (text, message) in BROKEN.items():
        with subtests.test(msg=name):
            said = _refusal(SCORE, _own(tmp_path, text))
            assert message in said and "mine.toml" in said and len(said) < 500


def test_the_line_of_a_fault_is_named(tmp_path: Path) -> None:
    for kind, text, old, new in (
        (SCORE, SHEET, "padding = 9", "padding = -1"),
        (SCORE, SHEET, "length = 3", "length = 99"),
        (SETUP, CARD, "bag = 34", "bag = 3"),
        (SETUP, CARD, 'seed = "seed"', "sed = 1"),
    ):
        line = 1 + text[: text.index(f"\n{old}") + 1].count("\n")
        assert f"mine.toml, line {line}: " in _refusal(kind, _own(tmp_path, text.replace(f"\n{old}", f"\n{new}", 1)))


def test_parts_that_leave_no_room_are_refused(tmp_path: Path) -> None:
    for text, message in (
        (SHEET.replace("ladder = 9", "ladder = 30"), "names of 5.0 mm"),
        (SHEET.replace("names = 12\n", "names = 40\n").replace("header = 12", "header = 60"), "rows of"),
        (SHEET.replace("label = 35\n", "label = 70\n"), "columns of"),
    ):
        with pytest.raises(UnusableInputError, match=message):
            score_pad(template=_own(tmp_path, text))
    for text, message in (
        (CARD.replace("djinns = 46", "djinns = 90").replace("row = 24", "row = 60"), "leave tiles of"),
        (CARD.replace("heading = 50", "heading = 90").replace("side = 12", "side = 20"), "what each player takes"),
        (CARD.replace("code = 44", "code = 80").replace("side = 12", "side = 40"), "for the djinns|leave tiles of"),
    ):
        with pytest.raises(UnusableInputError, match=message):
            setup_card(random_setup(2, 1), template=_own(tmp_path, text))


def test_files_that_are_no_templates_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SHEET, encoding="utf-16")
    assert "mine.toml is not text in UTF-8" in _refusal(SCORE, path)
    path.write_bytes(b"#" * 300_000)
    assert "larger than" in _refusal(SCORE, path)
    assert "no file" in _refusal(SCORE, tmp_path / "absent.toml")
    path.write_text(SHEET, encoding="utf-8-sig")
    assert SCORE.load(path).layouts == SCORE.load().layouts, "a mark of the encoding is no fault"


def test_what_a_template_leaves_out_stays_as_it_is(tmp_path: Path) -> None:
    own = 'format = 2\nkind = "setup_card"\n[parts]\nbag = 40\n[words]\nseed = "number"\n[tribes]\nelder = "#EEEEEE"\n'
    template, original = SETUP.load(_own(tmp_path, own)), SETUP.load()
    assert template.parts == {**original.parts, "bag": 40}
    assert template.tribes == {**TRIBES, "elder": "#EEEEEE"} and template.palette == original.palette
    words, usual = pick_words(template, "en"), pick_words(original, "en")
    assert words == {**usual, "seed": "number"}
    assert pick_words(template, "ru").title == pick_words(original, "ru").title
    assert original.parts.bag == 34, "nothing of the project's own has changed"


def test_words_and_layouts_of_ones_own(tmp_path: Path) -> None:
    german = '[words_in.de.labels]\nviziers = "Wesire"\n[words_in.ru]\ntitle = "Пустыня"\n'
    layout = "[layouts.6]\ncolumns = 3\nrows = 2\n"
    template = SCORE.load(_own(tmp_path, SHEET.replace('"Elders"', '"Wise"') + german + layout))
    words = template.words
    assert (words["de"].labels.viziers, words["de"].labels.elders) == ("Wesire", "Wise")
    assert (words["ru"].title, words["ru"].labels.viziers, words["en"].labels.elders) == ("Пустыня", "Визири", "Wise")
    assert pick_layout(template, "6").padding == pick_layout(template, "1").padding
    with pytest.raises(UsageError, match="1, 2, 4, 6"):
        pick_layout(template, "3")


def test_words_of_ones_own_stand_on_the_card(tmp_path: Path) -> None:
    own = '\n[words_in.ru.counted]\nGC = ["динар", "динара", "динаров"]\n'
    own += '[words_in.ru.powers]\njafaar = "Визири дороже."\n'
    path = _own(tmp_path, CARD + own)
    laid = replace(random_setup(4, 7), djinns=("Jafaar", "Utug", "Enki"))
    text = page_texts(setup_card(laid, template=path, language="ru"))[0]
    assert "50 динаров" in text and "Визири дороже." in text


def test_words_that_the_card_does_not_have_are_refused_with_the_nearest(tmp_path: Path) -> None:
    for where in ("words", "words_in.de"):
        for table, key, nearest in (
            ("counted", "coin", "; compare"),
            ("counted", '"turn marker"', "'turn_marker'"),
            ("powers", "jafar", "'jafaar'"),
            ("powers", '"Ba\'al"', "'baal'"),
        ):
            value = '["a", "b"]' if table == "counted" else '"a"'
            said = _refusal(SETUP, _own(tmp_path, f"{CARD}\n[{where}.{table}]\n{key} = {value}\n"))
            name = key.strip('"')
            assert f"{where}.{table}.{name} is" in said and nearest in said
    assert "must be a list" in _refusal(SETUP, _own(tmp_path, f"{CARD}\n[words.counted]\ncamel = []\n"))


def test_the_words_that_may_be_counted_are_those_that_the_card_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = set()
    whole = Pen.counted

    def listening(pen: Pen, count: int, key: str) -> str:
        counted.add(key.replace(" ", "_"))
        return whole(pen, count, key)

    monkeypatch.setattr(Pen, "counted", listening)
    setup_card(random_setup(4, 7))
    assert counted == set(COUNTED) and len(DJINN_KEYS) == len(EVERY_DJINN)


def test_originals_are_listed_with_their_commands() -> None:
    known = {original.name: original.commands for original in originals()}
    assert known.keys() == TEXTS.keys() and all(known.values())
    assert "companion setup -o card.pdf" in known["setup_card"]
    assert {template_kind(template_path(f"{name}.toml")) for name in known} == known.keys()


def test_braces_that_mean_nothing_stay() -> None:
    assert filled("{page} of {pages} {", page=3) == "3 of {pages} {"
