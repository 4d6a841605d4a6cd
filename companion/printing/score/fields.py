"""The fields of a score sheet that is filled in on a screen; the viewer works out what follows from others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from companion.printing.core.form import Field
from companion.printing.core.geometry import Box
from companion.printing.score.layout import CATEGORY_ROWS, COUNTED
from companion.printing.score.pen import ScorePen, SheetContents
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.components import GOODS, SET_PRICES_GC

_RIM_MM = 0.5
"""Between a field and the lines around it."""
_NUMBER_SHARE = 1.1
"""Type size of numbers, as a share of the labels'."""


class FormFields(SheetContents):
    """Fields in every place where something is written; Tab goes from left to right, row by row.

    They are named `date`, `place`, `name1`, `gold1` ... `total1`, `count1` for viziers, `ivory_cards1` ... and `sets1`;
    the number is the player's, from 1. `names` stand in their fields from the start. The viewer works out the sets, the
    points for goods and for viziers, which may be typed over, and the total; `reckoned1`, which is hidden, is what
    it made of the viziers.
    """

    def __init__(self, names: Sequence[str], players: int) -> None:
        self._names = names
        self._counts = [f"count{player}" for player in range(1, players + 1)]

    def draw_blank(self, pen: ScorePen, box: Box, name: str) -> None:
        pen.page.field(Field(name, pen.words[name], box, pen.layout.small_pt))

    def draw_name(self, pen: ScorePen, box: Box, column: int) -> None:
        given = self._names[column] if self._names else ""
        words = f"{pen.words.players} {column + 1}"
        pen.page.field(Field(f"name{column + 1}", words, box, pen.layout.label_pt, align="centre", value=given))

    def draw_count(self, pen: ScorePen, box: Box, column: int) -> None:
        words = f"{pen.words.labels.viziers}, {pen.words.count}"
        pen.page.field(replace(self._number(pen, box, column, "count", words), digits=CARD_DIGITS))

    def draw_points(self, pen: ScorePen, box: Box, category: str, column: int) -> None:
        player = column + 1
        points = self._number(pen, box, column, category, pen.words.labels[category])
        if category == "total":
            summed = tuple(f"{category_of}{player}" for category_of in CATEGORY_ROWS if category_of != "total")
            pen.page.field(replace(points, sum_of=summed, locked=True))
        elif category == "goods":
            pen.page.field(replace(points, script=goods_script(_cards(player), f"sets{player}", points.name)))
        elif category == COUNTED:
            reckoned = replace(
                points,
                name=f"reckoned{player}",
                script=reckoned_script(self._counts, column),
                locked=True,
                hidden=True,
            )
            script = viziers_script(self._counts, column, reckoned.name, points.name)
            pen.page.field(replace(points, script=script))
            # After the points: what it remembers is what was worked out the time before.
            pen.page.field(reckoned)
        else:
            pen.page.field(points)

    def draw_cards(self, pen: ScorePen, box: Box, good: str, column: int) -> None:
        cards = self._number(pen, box, column, f"{good}_cards", pen.words.goods[good])
        pen.page.field(replace(cards, size=pen.layout.small_pt, digits=CARD_DIGITS))

    def draw_sets(self, pen: ScorePen, box: Box, column: int) -> None:
        words = f"{self._player(pen, column)}: {pen.words.sets}"
        script = sets_script(_cards(column + 1))
        pen.page.field(
            Field(
                f"sets{column + 1}",
                words,
                box.inset(_RIM_MM),
                pen.layout.small_pt,
                align="centre",
                script=script,
                locked=True,
            )
        )

    def _player(self, pen: ScorePen, column: int) -> str:
        return (self._names[column] if self._names else "") or f"{pen.words.players} {column + 1}"

    def _number(self, pen: ScorePen, box: Box, column: int, name: str, said: str) -> Field:
        return Field(
            f"{name}{column + 1}",
            f"{self._player(pen, column)}: {said}",
            box.inset(_RIM_MM),
            pen.layout.label_pt * _NUMBER_SHARE,
            align="centre",
            number=True,
        )


def _cards(player: int) -> list[str]:
    """The fields of a player's goods. The good gold must not share its field's name with the category."""
    return [f"{good}_cards{player}" for good in GOODS]


CARD_DIGITS = 2
"""Digits of a number of cards or of viziers."""

_PLUS = " + "

_SELL = """
  var cards = [], typed = false, sets = [];
  for (var i = 0; i < fields.length; i++) {
    var text = String(doc.getField(fields[i]).value), number = Math.floor(Number(text));
    typed = typed || text !== "";
    cards.push(number > 0 ? Math.min(number, most) : 0);
  }
  for (;;) {
    var size = 0;
    for (var j = 0; j < cards.length; j++) if (cards[j] > 0) { cards[j]--; size++; }
    if (size === 0) break;
    sets.push(prices[size]);
  }"""

_RANK = """
  var counts = [], known = true, points = "";
  for (var i = 0; i < fields.length; i++) {
    var text = String(doc.getField(fields[i]).value);
    known = known && text !== "";
    counts.push(Number(text));
  }
  if (known) {
    points = counts[own];
    for (var j = 0; j < counts.length; j++) if (counts[j] < counts[own]) points += more;
  }"""

_ADD = """
  function added(terms) {
    var sum = 0;
    for (var n = 0; n < terms.length; n++) sum += Number(terms[n]);
    return sum;
  }"""

_SHOW = """
  event.value = worked;"""
_FILL = """
  var there = String(doc.getField(shown).value);
  if (there === "" || there === before) event.value = worked;"""


def sets_script(cards: Sequence[str]) -> str:
    """What a player's cards bring, set by set, the largest first, which is the best sale (rules 7.1, 10.7): "30 + 3".

    `cards` are the fields of the goods. Nothing while no number is there, "0" for none of any.
    """
    worked = f'\n  var worked = sets.length ? sets.join({json.dumps(_PLUS)}) : typed ? "0" : "";'
    return _script(_SELL + worked + _SHOW, fields=list(cards), prices=list(SET_PRICES_GC), most=_MAX_CARDS)


def goods_script(cards: Sequence[str], sets: str, points: str) -> str:
    """The points for goods in the field `points`; the field `sets` says what the viewer has put there before."""
    worked = '\n  var worked = typed ? added(sets) : "", before = String(doc.getField(remembered).value);'
    before = f'\n  if (before !== "") before = String(added(before.split({json.dumps(_PLUS)})));'
    return _script(
        _ADD + _SELL + worked + before + _FILL,
        fields=list(cards),
        prices=list(SET_PRICES_GC),
        most=_MAX_CARDS,
        remembered=sets,
        shown=points,
    )


def reckoned_script(counts: Sequence[str], player: int) -> str:
    """A player's points for viziers, once everybody's number is there (rules 10.2); `player` counts from 0."""
    return _script(_RANK + "\n  var worked = points;" + _SHOW, fields=list(counts), own=player, more=_MORE)


def viziers_script(counts: Sequence[str], player: int, reckoned: str, points: str) -> str:
    """The same for the field `points`; the field `reckoned` says what the viewer has put there before."""
    worked = "\n  var worked = points, before = String(doc.getField(remembered).value);"
    return _script(
        _RANK + worked + _FILL, fields=list(counts), own=player, more=_MORE, remembered=reckoned, shown=points
    )


_MAX_CARDS = 10**CARD_DIGITS - 1
_MORE = VP_FOR_FEWER_VIZIERS


def _script(body: str, **values: object) -> str:
    """A script with its values, and with names of its own, since all scripts of a file share theirs."""
    given = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
    return f"(function (doc) {{\n  var {given};{body}\n}})(this);"
