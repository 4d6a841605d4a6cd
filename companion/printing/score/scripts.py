"""What the viewer of a score form works out by itself: JavaScript for its fields (ECMAScript 5, as all viewers know).

Whatever somebody types into a field of points stays. The viewer fills such a field while it is empty or holds what the
viewer itself has put there; a field beside it, which nobody types into, remembers what that was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS
from companion.rules.model.components import SET_PRICES_GC

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
    return _script(_SELL + worked + _SHOW, fields=list(cards), prices=list(SET_PRICES_GC), most=_MOST)


def goods_script(cards: Sequence[str], sets: str, points: str) -> str:
    """The points for goods in the field `points`; the field `sets` says what the viewer has put there before."""
    worked = '\n  var worked = typed ? added(sets) : "", before = String(doc.getField(remembered).value);'
    before = f'\n  if (before !== "") before = String(added(before.split({json.dumps(_PLUS)})));'
    return _script(
        _ADD + _SELL + worked + before + _FILL,
        fields=list(cards),
        prices=list(SET_PRICES_GC),
        most=_MOST,
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


_MOST = 10**CARD_DIGITS - 1
_MORE = VP_FOR_FEWER_VIZIERS


def _script(body: str, **values: object) -> str:
    """A script with its values, and with names of its own, since all scripts of a file share theirs."""
    given = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
    return f"(function (doc) {{\n  var {given};{body}\n}})(this);"
