"""What is asked about a turn, and the answers that can be tapped: each a word in an address, words, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, auto
from functools import partial

from companion.asking.question import Kind, Question, Tap
from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, capitalised, counted, joined, named, say, term
from companion.notation.names import in_english
from companion.rules.model.actions import ActTile, ActTribe, Paid, in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import Tribe

SOLD = "sold"
"""The tap that ends a set of goods."""

_LEAST = ("nothing", "nobody", "?", "on", "0")
"""Taps that change least: Enter takes them."""

_DRAWN: dict[str, Phrase] = {
    "card": say("Which card was drawn?"),
    "djinn": say("Which djinn was drawn?"),
    "meeple": say("Which meeple was drawn?"),
}
"""What is asked of a draw, by what is drawn."""


class About(StrEnum):
    """The keys of questions about a turn: what they are about, for those who know some of the answers already."""

    START = auto()
    STEP = auto()
    ORDER = auto()
    """All meeples that are left, or one after another: letters."""
    VICTIM_PLACE = auto()
    VICTIMS = auto()
    """How many were killed, or which."""
    FAKIRS = auto()
    BUILT_ON = auto()
    """The tile that a palm or palace was put on."""
    POWER = auto()
    """Whether a djinn was used here."""
    POWER_TILE = auto()
    POWER_BUILT_ON = auto()
    DJINN = auto()
    BOUGHT = auto()
    """The cards of the row that were bought, one after another."""
    DRAWN_MEEPLE = auto()
    CLOSE = auto()
    """Whether the turn may be over: "" ends it."""
    SOLD = auto()
    """The goods of one sale."""
    OTHER = auto()
    """What no photo shows: prices, sales, what was drawn."""


def tap_question(
    about: About, words: Phrase, taps: Sequence[Tap], powers: Sequence[Tap] = (), *, several: bool = False
) -> Question[str]:
    """What is asked next, with all legal answers, `several` until one ends them. Its answer is a tap's token."""
    offered = (*taps, *powers)
    tokens = {tap.token: tap.words for tap in offered}
    # Beside answers that are numbers the places of a list would be taken for them.
    plain = tuple(joined("", ("  ", tap.words)) for tap in offered) if any(map(str.isdecimal, tokens)) else ()
    least = "" if about is About.CLOSE else next(filter(tokens.get, _LEAST), None)
    return Question(
        about,
        words,
        partial(_token, about, offered, least),
        default="" if least is None else tokens[least] if least else say("yes"),
        choices=() if plain else tuple((tap.words, tap.token) for tap in offered),
        why=plain,
        completions=tuple(tokens),
        listing=lambda: plain,
        mark=" " if least is None else ": ",
        own=frozenset({"?"}.intersection(tokens)),
        kind=Kind.ORDER if several else Kind.ONE,
        taps=tuple(taps),
        powers=tuple(powers),
        left=tuple(tokens),
    )


def _token(about: About, offered: Sequence[Tap], least: str | None, line: str) -> str:
    """The token of what was tapped or typed, in any language; `least` for nothing."""
    if not line and least is not None:
        return least
    if line in [tap.token for tap in offered]:
        return line
    if about is About.SOLD and line == SOLD:
        raise NotationError("tick what was sold first")
    typed = {text.casefold(): tap.token for tap in offered for text in (tap.words, tap.token)}
    token = typed.get(in_english(line).casefold()) or typed.get(line.casefold())
    if token is None:
        raise NotationError("{text} isn't one of the answers", text=quoted(line))
    return token


def drawn_question(needed: ChanceNeededError) -> Question[str]:
    """What asks for what was drawn; what nobody but its owner saw is ?."""
    taps = [drawn_tap(needed.wanted, name) for name in needed.options]
    if needed.wanted == "card":
        taps.append(Tap("?", say("Nobody else saw it")))
    about = About.DRAWN_MEEPLE if needed.wanted == "meeple" else About.OTHER
    return tap_question(about, _DRAWN[needed.wanted], taps)


def tribe_of(letter: str) -> Tribe:
    return next(tribe for tribe in Tribe if tribe.letter == letter)


def tile_tap(square: int | None, otherwise: int = 0) -> Tap:
    square = otherwise if square is None else square
    return Tap(SQUARE_NAMES[square], SQUARE_NAMES[square], square=square)


def tribe_tap(tribe: Tribe) -> Tap:
    return Tap(tribe.letter, capitalised(term(tribe.noun)), tribes=(tribe,))


def order_tap(path: Sequence[int], drops: Sequence[Tribe]) -> Tap:
    """The meeples left along a path, in order."""
    steps = zip(path, drops, strict=True)
    words = joined(", ", [joined(" ", (SQUARE_NAMES[square], term(tribe.noun))) for square, tribe in steps])
    return Tap("".join(tribe.letter for tribe in drops), words, tribes=tuple(drops))


def card_tap(row: Sequence[str], place: int) -> Tap:
    return Tap(str(place + 1), joined(" ", (f"{place + 1}.", named(row[place]))), icon=f"card-{row[place]}")


def fakirs_tap(option: ActTribe) -> Tap:
    number = option.choice.fakirs
    return Tap(str(number), counted(number, "fakir"), icon="card-fakir")


def djinn_tap(name: str) -> Tap:
    return Tap(name, named(name), icon="djinns")


def drawn_tap(wanted: str, name: str) -> Tap:
    """What was drawn: a "card", a "djinn" or a "meeple", by its name."""
    if wanted == "djinn":
        return djinn_tap(name)
    if wanted == "card":
        return Tap(name, capitalised(term(name)), icon=f"card-{name}")
    return tribe_tap(Tribe[name.upper()])


def victim_tap(option: ActTribe) -> Tap:
    """Where the first meeple was killed: on a tile, in front of a player, or nowhere."""
    victim = option.choice.victim
    if victim is None:
        return Tap("nobody", say("Nobody"))
    if victim.square is not None:
        return tile_tap(victim.square)
    owner = str(victim.owner)
    return Tap(owner, say("in front of {owner}", owner=term(owner)), icon=f"camel-{owner}")


def number_killed_tap(option: ActTribe) -> Tap:
    """Whether one was killed, or two with a power and what was paid for it (rules 11.10)."""
    helper = option.choice.helper
    if helper is None:
        return Tap("one", say("One meeple"))
    words = say("Two, with {djinn} for {cost}", djinn=named(helper.djinn), cost=in_words(helper.elders, helper.fakirs))
    return Tap(_price(helper), words, icon="djinns")


def djinn_taken_tap(option: ActTile) -> Tap:
    name = option.choice.djinn
    return Tap("nothing", say("No djinn was taken")) if name is None else djinn_tap(name)


def djinn_price_tap(option: ActTile) -> Tap:
    """What was paid for a djinn (rules 6.5)."""
    return paid_tap(Paid("", 1, 1) if option.choice.with_fakir else Paid("", 2, 0))


def paid_tap(paid: Paid | None) -> Tap:
    return Tap("", "") if paid is None else Tap(_price(paid), in_words(paid.elders, paid.fakirs))


def _price(paid: Paid) -> str:
    """Elders and fakirs as letters: "wf"."""
    return "w" * paid.elders + "f" * paid.fakirs
