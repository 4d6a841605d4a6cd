"""The score sheet to fill in on a screen: its fields, what is said of them, their letters, and their sums."""

from __future__ import annotations

import io
import re
from random import Random

import numpy as np
import pikepdf
import pypdfium2
from pypdf import PdfReader

from companion.printing.core.geometry import PAPERS, Box, Boxes
from companion.printing.core.kinds import SCORE, pick_layout
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.template import pick_words
from companion.printing.score.layout import CATEGORY_ROWS, lay_out
from companion.printing.score.pen import name_room
from companion.printing.score.sheet import score_form
from companion.rules.model.components import GOODS, best_sets
from tests.printing.form_viewer import FormViewer

TEMPLATE = SCORE.load()
EN = pick_words(TEMPLATE, "en")
_SUM = re.compile(r'AFSimple_Calculate\("SUM", new Array\(("\w+"(?:, "\w+")*)\)\);')


def _slip(players: int, paper: str = "a4") -> Boxes:
    return lay_out(TEMPLATE, PAPERS[paper], pick_layout(TEMPLATE, "1"), players).slips[0]


def _picture(pdf: bytes, box: Box) -> np.ndarray:
    """What a viewer shows in a box, in grey."""
    with pypdfium2.PdfDocument(pdf) as document:
        document.init_forms()
        page = document[0].render(scale=4, may_draw_forms=True).to_numpy().mean(axis=2)
    scale = 4 * PT_PER_MM
    return page[int(box.y * scale) : int(box.bottom * scale), int(box.x * scale) : int(box.right * scale)]


def _typed(pdf: bytes, values: dict[str, str]) -> bytes:
    """The form with values put in, as a viewer leaves them."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.Root.AcroForm.NeedAppearances = True
        for field in file.Root.AcroForm.Fields:
            if str(field.T) in values:
                field.V = pikepdf.String(values[str(field.T)])
        file.save(written)
    return written.getvalue()


def test_the_tab_key_goes_row_by_row_and_readers_say_whose_and_what() -> None:
    with pikepdf.open(io.BytesIO(score_form(players=2, names=["Anna", "Борис"]))) as file:
        said = {str(field.T): str(field.TU) for field in file.Root.AcroForm.Fields}
        assert file.pages[0].obj.Tabs == "/S"
        parents = dict(zip(*[iter(file.Root.StructTreeRoot.ParentTree.Nums)] * 2, strict=True))
        seen = [field for field in file.Root.AcroForm.Fields if int(field.F) == 4]
        assert {str(field.T) for field in file.Root.AcroForm.Fields if field not in seen} == {"reckoned1", "reckoned2"}
        owners = [parents[int(field.StructParent)] for field in seen]
        for field, owner in zip(seen, owners, strict=True):
            assert owner.S == "/Form" and owner.K[0].Obj.objgen == field.objgen
    assert list(said)[:8] == ["date", "place", "name1", "name2", "gold1", "gold2", "count1", "viziers1"]
    labels = EN.labels
    assert said["silk_cards1"] == f"Anna: {TEMPLATE.words['en'].goods.silk}"
    assert said["gold1"] == f"Anna: {labels.gold}" and said["total2"] == f"Борис: {labels.total}"


def test_a_viewer_adds_up_each_players_points_in_order() -> None:
    """The viewer's own sum is read and worked out here, after values were typed in and read back by another library."""
    points = {
        f"{category}{player}": str(7 * place + player)
        for place, category in enumerate(CATEGORY_ROWS[:-1])
        for player in (1, 2, 3)
    }
    reader = PdfReader(io.BytesIO(_typed(score_form(players=3), points)))
    fields = reader.get_fields() or {}
    for player in (1, 2, 3):
        script = str(fields[f"total{player}"]["/AA"]["/C"]["/JS"])
        found = _SUM.fullmatch(script)
        assert found is not None, script
        names = [name.strip(' "') for name in found[1].split(",")]
        assert names == [f"{category}{player}" for category in CATEGORY_ROWS[:-1]]
        assert sum(int(str(fields[name]["/V"])) for name in names) == 7 * 28 + 8 * player
    order = [str(one.get_object()["/T"]) for one in reader.trailer["/Root"]["/AcroForm"]["/CO"]]  # type: ignore[index]
    assert [name for name in order if name.startswith("total")] == ["total1", "total2", "total3"]
    for player in (1, 2, 3):
        places = [order.index(f"{name}{player}") for name in ("viziers", "reckoned", "goods", "total")]
        assert places == sorted(places) and order.index(f"goods{player}") < order.index(f"sets{player}")
    locked = {name for name, field in fields.items() if int(field.get("/Ff", 0)) & 1}
    assert locked == {f"{name}{player}" for name in ("total", "sets", "reckoned") for player in (1, 2, 3)}


def test_7_1_10_7_the_viewer_sells_goods_in_the_best_way() -> None:
    """As the engine does, for hands of all sizes, with the prices that it took set by set."""
    form, chance = FormViewer(score_form(players=2)), Random(7)
    for hand in [(0,) * 9, (1,) * 9, (6,) * 9, *([chance.choice((0, 0, 1, 2, 3)) for _ in GOODS] for _ in range(20))]:
        shown = form.type(**{f"{good}_cards2": number for good, number in zip(GOODS, hand, strict=True)})
        prices = [int(price) for price in shown["sets2"].split(" + ")]
        assert prices == ([sold.price for sold in best_sets(tuple(hand))] or [0])
        assert int(shown["goods2"]) == sum(prices) == int(shown["total2"])
        assert shown["goods1"] == shown["sets1"] == "", "nothing is known of the other's cards"


def test_10_2_the_viewer_counts_viziers_once_everybodys_number_is_there() -> None:
    form = FormViewer(score_form(players=4))
    assert form.type(count1=3, count2=0, count3=3)["viziers1"] == ""
    shown = form.type(count4=5)
    assert [shown[f"viziers{player}"] for player in (1, 2, 3, 4)] == ["13", "0", "13", "35"]
    assert form.type(count4="")["viziers1"] == ""


def test_what_is_typed_over_stays_until_it_is_emptied() -> None:
    """Djinns may bring more than the numbers show (rules 11)."""
    form = FormViewer(score_form(players=2))
    form.type(count1=4, count2=1, fish_cards1=1, silk_cards1=1)
    form.type(viziers1=22, goods1=13)
    shown = form.type(count2=2, gold1=5, spice_cards1=1)
    assert (shown["viziers1"], shown["goods1"], shown["sets1"], shown["total1"]) == ("22", "13", "7", "40")
    shown = form.type(viziers1="", goods1="")
    assert (shown["viziers1"], shown["goods1"], shown["total1"]) == ("14", "7", "26")
    shown = form.type(fish_cards1="", silk_cards1="", spice_cards1="")
    assert shown["goods1"] == shown["sets1"] == ""
    assert form.type(goods1=0)["goods1"] == "0", "nought is an answer"


def test_numbers_of_cards_are_short_and_odd_ones_do_no_harm() -> None:
    pdf = score_form(players=2)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        short = {str(field.T) for field in file.Root.AcroForm.Fields if field.get("/MaxLen") == 2}
    assert short == {f"{name}{player}" for name in ("count", *(f"{good}_cards" for good in GOODS)) for player in (1, 2)}
    shown = FormViewer(pdf).type(ivory_cards1=-3, fish_cards1=10**9, silk_cards1="many")
    assert shown["sets1"] == " + ".join(["1"] * 99)


def test_what_is_typed_shows_letter_by_letter_with_no_font_of_the_system() -> None:
    """A viewer draws each letter that is typed; what it has no font for it leaves out."""
    box = _slip(2).blanks[1]
    line = Box(box.x + 20, box.y, box.w - 22, box.h * 0.95)
    for language, letters in (("en", "Їжак"), ("it", "Łź"), ("ko", "지훈n")):
        form = score_form(players=2, language=language)
        empty, *inks = [(_picture(_typed(form, {"place": text * 20}), line) < 128).sum() for text in ("", *letters)]
        assert min(inks) - empty > 20 * 8, dict(zip(letters, inks, strict=True))


def test_names_that_are_given_show_in_their_fields_in_any_script() -> None:
    names = ["지훈", "שרה", "A €№ ½ ←", "\U0001f42a"]
    filled, empty = score_form(names=names), score_form()
    for box in _slip(4).names:
        inside = name_room(box).inset(1.0, 2.0)
        assert (_picture(filled, inside) < 128).sum() > 100 > (_picture(empty, inside) < 128).sum()
    mapped: set[str] = set()
    with pikepdf.open(io.BytesIO(score_form(names=[*names[:3], "Bo 𝔸 😀"]))) as file:
        assert [str(field.V) for field in file.Root.AcroForm.Fields][2:5] == names[:3]
        for font in file.Root.AcroForm.DR.Font.values():
            assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor
            # Letters beyond U+FFFF too, which a CMap writes as two halves of four digits each.
            lines = re.findall(r"^<\w{4}> <(\w+)>$", font.ToUnicode.read_bytes().decode("ascii"), re.MULTILINE)
            mapped |= {bytes.fromhex(code).decode("utf-16-be") for code in lines if code != "FFFF"}
    assert set("Bo 𝔸 😀") <= mapped and all(len(letter) == 1 for letter in mapped)


def test_a_long_name_is_set_smaller_but_not_below_6_points() -> None:
    sizes = []
    for name in ("A", "Maximiliane von der Heide zu Hohenburg", "W" * 60):
        with pikepdf.open(io.BytesIO(score_form(players=2, names=[name, "B"]))) as file:
            sizes.append(float(str(file.Root.AcroForm.Fields[2].DA).split()[1]))
    assert sizes[0] > sizes[1] > sizes[2] == 6.0
