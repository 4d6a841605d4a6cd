"""What a player holds, typed on one line: read in five languages, never guessed, refused with a reason."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.holdings import CardCounts, format_holdings, read_cards, read_holdings
from companion.notation.names import CARD_NAMES, DJINN_NAMES
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import CARD_COUNTS, COINS_GC, FAKIR, GOODS, MEEPLE_COUNTS, PALACES, PALMS, Tribe
from tests.notation.refusals import check_refused

T = TypeVar("T")


def cards(**counts: int) -> CardCounts:
    fakirs = counts.pop("fakirs", 0)
    return CardCounts(goods(**counts), fakirs)


def goods(**counts: int) -> tuple[int, ...]:
    assert set(counts) <= set(GOODS)
    return tuple(counts.get(good, 0) for good in GOODS)


def test_cards(subtests: pytest.Subtests) -> None:
    for text, found in [
        ("2 silk, fish, 3 fakirs", cards(silk=2, fish=1, fakirs=3)),
        ("silk 2, fish", cards(silk=2, fish=1)),
        ("silk fish wheat", cards(silk=1, fish=1, wheat=1)),
        ("silk×2, fish ×3", cards(silk=2, fish=3)),
        ("silk х2; Х3 fish", cards(silk=2, fish=3)),
        ("3x fish + gold", cards(gold=1, fish=3)),
        ("silk: 2, fish=3, wheat - 4", cards(silk=2, fish=3, wheat=4)),
        ("fish, fish,wheat", cards(fish=2, wheat=1)),
        ("FISH2, slave 4", cards(fish=2, fakirs=4)),
        ("2 silk and fish.", cards(silk=2, fish=1)),
        ("no silk, 2 fish", cards(fish=2)),
        ("gold card", cards(gold=1)),
        ("002 silk", cards(silk=2)),
        ("слоновая кость, 2 шёлка и рыба x3", cards(ivory=1, silk=2, fish=3)),
        ("2 шовку, риба, 5 факірів", cards(silk=2, fish=1, fakirs=5)),
        ("비단 2장, 물고기, 일꾼 3", cards(silk=2, fish=1, fakirs=3)),
        ("2 seta, pesce e 3 fachiri", cards(silk=2, fish=1, fakirs=3)),
        ("none", cards()),
        (" - ", cards()),
        ("нет", cards()),
        ("no cards", cards()),
        ("no goods, 2 fakirs", cards(fakirs=2)),
    ]:
        with subtests.test(text=text):
            assert read_cards(text) == found


def test_wrong_cards_are_refused_with_a_reason() -> None:
    cases = [
        (" , ;", "', ;' names nothing that a player holds; type something like 2 silk"),
        ("2 silk, слоновая", "no resource card is called 'слоновая'; did you mean 'ivory'?"),
        ("qqq", "no resource card is called 'qqq'; type something like 2 silk, fish, 3 fakirs"),
        ("fish 2 3 wheat", "'fish 2 3 wheat' makes no sense here; type each thing as a number and a name"),
        ("ivory 2 silk", "with commas between them, as in 2 silk, fish, 3 fakirs"),
        ("fish, 2 silk 3 wheat", "'2 silk 3 wheat' makes no sense here"),
        ("2 silk fish", "'2 silk fish' makes no sense here"),
        ("no 3 wheat", "makes no sense here"),
        ("2 fish 3", "makes no sense here"),
        ("2, fish", "'2' makes no sense here"),
        ("-1 fish", "makes no sense here"),
        ("1.5 fish", "makes no sense here"),
        ("٣ fish", "(٣ is 3 in another script) makes no sense here"),
        (": 2 fish", "makes no sense here"),
        ("fish:", "makes no sense here"),
        ("fish: silk", "makes no sense here"),
        ("3 goods", "name the goods one by one"),
        ("cards", "name the cards one by one"),
        ("no goods, 2 silk", "the line says no goods, but names silk"),
        ("2 fakirs, no cards", "the line says no cards, but names fakir"),
        ("a" * 501, "a line of 501 letters is too long"),
        ("a" * 500, "no resource card is called"),
        ("9" * 450 + " fish", "999999 fish: the box holds 6 (rules 1.4)"),
    ]
    check_refused(read_cards, cases)


def test_rules_1_4_the_box_holds_no_more() -> None:
    for card, most in CARD_COUNTS.items():
        noun = "fakirs" if card == FAKIR else card
        assert str(read_cards(f"{most} {card}")) == f"{most} {noun}"
        over = f"{most + 1} {noun}: the box holds {most} (rules 1.4)"
        check_refused(read_cards, [(f"{most + 1} {card}", over), (f"{card} x{most}, {card}", over)])


COUNTS = st.builds(
    CardCounts, st.tuples(*(st.integers(0, CARD_COUNTS[good]) for good in GOODS)), st.integers(0, CARD_COUNTS[FAKIR])
)


@given(COUNTS)
def test_what_is_echoed_is_read_as_the_same(counts: CardCounts) -> None:
    assert read_cards(str(counts)) == counts


@given(COUNTS, st.data())
def test_cards_are_read_in_any_language_order_and_way_of_counting(counts: CardCounts, data: st.DataObject) -> None:
    held = [*zip(GOODS, counts.goods, strict=True), (FAKIR, counts.fakirs)]
    parts = []
    for card, count in data.draw(st.permutations(held)):
        name = data.draw(st.sampled_from(CARD_NAMES[card]))
        ways = [f"{count} {name}", f"{name} {count}", f"{name} x{count}", f"{name}×{count}", f"{count} × {name}"]
        if count == 1:
            ways.append(name.upper())
        parts.append(data.draw(st.sampled_from(ways)))
    assert read_cards(data.draw(st.sampled_from([", ", ";", " + ", "、"])).join(parts)) == counts


def test_holdings(subtests: pytest.Subtests) -> None:
    for line, held in [
        (
            "41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar",
            Holdings(gold=41, viziers=2, elders=3, fakirs=3, goods=goods(silk=2, fish=1), djinns=("Jafaar",)),
        ),
        ("41 gold", Holdings(gold=41)),
        ("3 gold, gold", Holdings(gold=3, goods=goods(gold=1))),
        ("1 GC, gold card", Holdings(gold=1, goods=goods(gold=1))),
        ("gold card x2", Holdings(goods=goods(gold=2))),
        # None of the one good alone is said by nobody, so 0 gold is coins, unless other coins are named.
        ("0 gold", Holdings(gold=0)),
        ("no gold, 2 viziers", Holdings(gold=0, viziers=2)),
        ("0 золота, рыба", Holdings(gold=0, goods=goods(fish=1))),
        ("0 gold cards", Holdings(goods=goods())),
        ("41 GC, 0 gold, fish", Holdings(gold=41, goods=goods(fish=1))),
        ("0 gold, 41 gold", Holdings(gold=41, goods=goods())),
        ("2 palms, palace", Holdings(palms=2, palaces=1)),
        ("no goods", Holdings(goods=goods())),
        ("no cards", Holdings(goods=goods(), fakirs=0)),
        ("0 fakirs", Holdings(fakirs=0)),
        ("no djinns", Holdings(djinns=())),
        ("Al Amin baal, Utug", Holdings(djinns=("Al-Amin", "Ba'al", "Utug"))),
        ("Jafaar; silk 2", Holdings(djinns=("Jafaar",), goods=goods(silk=2))),
        ("41 золото, 2 визиря, старейшина, Джафар", Holdings(gold=41, viziers=2, elders=1, djinns=("Jafaar",))),
        ("재상 2명, 금화 41개, 원로 3", Holdings(gold=41, viziers=2, elders=3)),
        ("41 monete d’oro, 2 visir, 2 oro", Holdings(gold=41, viziers=2, goods=goods(gold=2))),
    ]:
        with subtests.test(line=line):
            assert read_holdings(line) == held


def test_few_gold_may_be_coins_or_the_good() -> None:
    check_refused(
        read_holdings,
        [
            ("gold", "'gold' may be coins or the good; type 1 GC or 1 gold card"),
            ("2 золота, рыба", "'золота' may be coins or the good; type 2 GC or 2 gold cards"),
            ("2 gold, 1 gold", "type 2 GC or 2 gold cards"),
        ],
    )
    assert read_holdings("2 gold", counts_coins=True) == Holdings(gold=2)


def test_wrong_holdings_are_refused_with_a_reason() -> None:
    cases = [
        ("Jafar", "nothing that a player holds is called 'Jafar'; did you mean 'Jafaar'"),
        ("none", "'none': none of what"),
        (f"{COINS_GC + 1} gold", f"{COINS_GC + 1} GC: the box holds {COINS_GC} (rules 1.3)"),
        ("17 viziers", "17 viziers: the box holds 16 (rules 1.2)"),
        ("21 elders", "21 elders: the box holds 20 (rules 1.2)"),
        ("13 palms", "13 palms: the box holds 12 (rules 1.3)"),
        ("11 palaces", "11 palaces: the box holds 10 (rules 1.3)"),
        ("0 Utug", "0 Utug: there is one of each djinn (rules 1.5)"),
        ("Utug, utug", "2 Utug: there is one of each djinn"),
        ("2 viziers, vizier", "viziers are named twice"),
        ("5 gold, 41 gold", "coins are named twice"),
        ("2 djinns", "name the djinns one by one, such as Jafaar, Utug, or say"),
        ("no djinns, Utug", "the line says no djinns, but names Utug"),
        ("3 camels", "tiles are counted by their points"),
    ]
    check_refused(read_holdings, cases)


def maybe(numbers: st.SearchStrategy[int]) -> st.SearchStrategy[int | None]:
    return st.none() | numbers


HELD = st.builds(
    Holdings,
    gold=maybe(st.integers(0, COINS_GC)),
    viziers=maybe(st.integers(0, MEEPLE_COUNTS[Tribe.VIZIER])),
    elders=maybe(st.integers(0, MEEPLE_COUNTS[Tribe.ELDER])),
    fakirs=maybe(st.integers(0, CARD_COUNTS[FAKIR])),
    goods=st.none() | st.tuples(*(st.integers(0, CARD_COUNTS[good]) for good in GOODS)),
    djinns=st.none() | st.lists(st.sampled_from(list(DJINN_NAMES)), unique=True, max_size=4).map(tuple),
    palms=maybe(st.integers(0, PALMS)),
    palaces=maybe(st.integers(0, PALACES)),
)


@given(HELD.filter(lambda held: held != Holdings()))
def test_holdings_are_read_as_they_are_written(held: Holdings) -> None:
    assert read_holdings(format_holdings(held)) == held


def test_nothing_known_is_no_text() -> None:
    assert format_holdings(Holdings()) == ""
