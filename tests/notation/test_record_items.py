"""The parts of a turn's line: read forgivingly, written one way, or refused with what to write."""

from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.notation.records.steps import EXAMPLES, format_step, parse_step


def test_items_are_read_forgivingly_and_written_one_way(subtests: pytest.Subtests) -> None:
    for typed, written in [
        ("C3>c4G > D4b", "c3 > c4g > d4b"),
        ("> c4 g", "> c4g"),
        ("2 VIZIERS", "2 viziers"),
        ("kill c2b", "kill b on c2"),
        ("kill elder of Pink", "kill elder of pink"),
        ("kill w of pink", "kill elder of pink"),
        ("2 assassins with 1 fakir kill y on a1", "2 assassins with 1 fakir kill y on a1"),
        ("2 assassins kill nobody", "2 assassins kill nobody"),
        ("kill b on c2 and g on c2 with iblis for w", "kill b on c2 and g on c2 with Iblis for elder"),
        ("use anun nak for f on C3: y w, g", "use Anun-Nak for fakir on c3: ywg"),
        ("use echidna for wf", "use Echidna for elder and fakir"),
        ("use Echidna for 2 elders: 8GC", "use Echidna for 2 elders: 8 GC"),
        (
            "use Bouraq for elder on c3 with Hagis for fakir onto d4",
            "use Bouraq for elder on c3 with Hagis for fakir onto d4",
        ),
        ("Palm with lamia for elder onto d4", "palm with Lamia for elder onto d4"),
        ("buy Fish, slave (3)", "buy fish, fakir (3)"),
        ("take baal", "take Ba'al for 2 elders"),
        ("sell silk ivory : 3 gc", "sell ivory, silk: 3 GC"),
        ("use Sloar for fakir: ?", "use Sloar for fakir: ?"),
        ("3 merchants: fish, ?, gold, claim c3", "3 merchants: fish, ?, gold, claim c3"),
        ("buy nothing", "pass"),
        ("NO MOVE", "no move"),
        # Number and tribe may be left out, and stay left out.
        ("builders: 6 GC", "builders: 6 GC"),
        ("elder", "elders"),
        ("1 elders", "1 elder"),
        ("assassins", "assassins kill nobody"),
        ("2 kill b on c2", "2 kill b on c2"),
        ("2 kill nothing", "2 kill nobody"),
        ("kill nobody", "kill nobody"),
        ("kill nobody with iblis for elder", "kill nobody with Iblis for elder"),
        ("with 1 fakir", "with 1 fakir"),
        ("2 with 2 slaves", "2 with 2 fakirs"),
        ("builders with 1 worker kill y on a1", "builders with 1 fakir kill y on a1"),
        ("use Sloar for worker", "use Sloar for fakir"),
        ("use Anun-Nak for elder on c3: ywg, rb", "use Anun-Nak for elder on c3: ywg, rb"),
        ("use Anun-Nak for elder on c3: yw, grb", "use Anun-Nak for elder on c3: ywg, rb"),
        ("2 merchants: рыба", "2 merchants: fish"),
        ("3 merchants: 2 fakirs, fish", "3 merchants: fakir, fakir, fish"),
        ("buy 2 fakirs", "buy fakir, fakir"),
        ("buy 1 silk, fish x2", "buy silk, fish, fish"),
        ("sell 1 fish, 1 silk", "sell silk, fish"),
    ]:
        with subtests.test(typed=typed):
            assert format_step(parse_step(typed)) == written
            assert format_step(parse_step(written)) == written


def test_items_that_cannot_be_read_are_told(subtests: pytest.Subtests) -> None:
    for typed, message in [
        ("", f"nothing stands before ':' or between ';'; write one of: {EXAMPLES}"),
        ("dance", f"'dance' is nothing that a player does; write such as: {EXAMPLES}"),
        ("by fish", f"'by fish' is nothing that a player does; did you mean 'buy'?; write such as: {EXAMPLES}"),
        ("c3 > c9g", "'c9g' is not a step: expected a tile and a meeple's letter, such as c4g"),
        ("x9 > c3g", "'x9 > c3g' does not begin with a tile such as c3; write c3 > c4g > d4y"),
        ("buy ivory 2 silk", "'ivory 2 silk' may mean '2 ivory, 1 silk' or '1 ivory, 2 silk'; type one of them"),
        ("buy 0", "'0' names no card; write such as 2 fakirs"),
        ("buy 2 fish (3)", "'buy 2 fish (3)': a place of the row holds one card; name each card with its own"),
        ("buy fsh", "no resource card is called 'fsh'; did you mean 'fish'?"),
        ("take Utug for 3 elders", "'take Utug for 3 elders': a djinn costs 2 elders, or elder and fakir (rules 6.5)"),
        ("take Utugg", "no djinn is called 'Utugg'; did you mean 'Utug'?"),
        ("sell fakir", "'sell fakir': name the goods sold, such as sell fish, silk; fakirs are none"),
        ("sell", "'sell': name the goods sold, such as sell fish, silk; fakirs are none"),
        ("use Sloar for love", "'love' is no price: write such as elder, fakir, 2 elders, elder and fakir"),
        ("kill c2", "'c2' is nobody to kill: write such as b on c2, or elder of pink"),
        (
            "kill b on c2, b on c2, b on c2",
            "'kill b on c2, b on c2, b on c2': assassins never kill more than two (rules 5.4, 11.10)",
        ),
        (
            "2 viziers: c3",
            "after ':' come cards, djinns, meeples, GC and claims: no resource card is called 'c3'; "
            "expected one of: fakir, ivory, jewels, gold, papyrus, silk, spice, fish, wheat, pottery",
        ),
        ("use", "'use': write such as use Sloar for fakir, or use Enki for elder on c3"),
        ("palm tree", "'palm tree': write palm or palace, or such as palm with Lamia for elder onto d4"),
    ]:
        with subtests.test(typed=typed):
            with pytest.raises(NotationError) as refused:
                parse_step(typed)
            assert str(refused.value) == message
