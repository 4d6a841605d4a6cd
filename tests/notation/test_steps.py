"""The steps of a turn's line: read forgivingly, straight to actions, and worded in every language (docs/records.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import NotationError
from companion.language.catalogue import translate
from companion.language.glossary import LANGUAGES
from companion.notation.records import steps
from companion.notation.wording import PASS, event_words, record_words
from companion.rules.model.actions import Drop, Lift
from companion.rules.model.components import Tribe
from companion.rules.model.events import MeepleDropped, NobodyKilled, Refilled
from companion.rules.model.state import GameState, Stage, Taken
from tests.rules.tables import PINK, at_turn

ROW = ("fakir", "fish", "fakir", "silk", "fish", "ivory")


def at(tribe: Tribe | None = None, count: int = 2, stage: Stage = Stage.TRIBE, end: str = "M6") -> GameState:
    """A turn; with a tribe, so many of it were taken in hand on c3, a tile of that kind."""
    if tribe is None:
        return at_turn(row=ROW, c3="M6:gb", c4="O8:g", d4="M4:b")
    state = at_turn(row=ROW, stage=stage, c3=end)
    return replace(state, progress=replace(state.progress, taken=Taken(14, tribe, count)))


def read(text: str, state: GameState) -> str:
    """What a step says, worded as records word it."""
    words, observation = steps.split_step(text)
    actions = steps.parse_actions(words, state)
    return ": ".join(filter(None, ("; ".join(map(str, actions)), str(steps.observation_phrase(observation)))))


FORGIVEN = {
    "C3>c4G > D4b": "c3 > c4g > d4b",
    "> c4 g": "> c4g",
    "c3": "c3",
    "kill c2b": "kill b on c2",
    "2 assassins kill elder of Pink": "kill elder of pink",
    "kill w of pink": "kill elder of pink",
    "2 assassins with 1 fakir kill y on a1": "with 1 fakir kill y on a1",
    "2 assassins kill nobody": "tribe action",
    "2 VIZIERS": "tribe action",
    "builders: 6 GC": "tribe action: 6 GC",
    "builders with 1 worker kill y on a1": "with 1 fakir kill y on a1",
    "2 with 2 slaves": "with 2 fakirs",
    "kill b on c2 and g on c2 with iblis for w": "kill b on c2 and g on c2 with Iblis for elder",
    "kill nobody with iblis for elder": "kill nobody with Iblis for elder",
    "use anun nak for f on C3: y w, g": "use Anun-Nak for fakir on c3: ywg",
    "use Anun-Nak for elder on c3: yw, grb": "use Anun-Nak for elder on c3: ywg, rb",
    "use echidna for wf": "use Echidna for elder and fakir",
    "use Echidna for 2 elders: 8GC": "use Echidna for 2 elders: 8 GC",
    "use Bouraq for w on c3 with Hagis for f onto d4": "use Bouraq for elder on c3 with Hagis for fakir onto d4",
    "use Sloar for worker: ?": "use Sloar for fakir: ?",
    "Palm with lamia for elder onto d4": "tile action with Lamia for elder onto d4",
    "palace": "tile action",
    "buy Fish, slave (3)": "buy (2), (3)",
    "buy 2 fakirs": "buy (1), (3)",
    "buy (4)": "buy (4)",
    "take baal": "take Ba'al for 2 elders",
    "take utug for wf": "take Utug for elder and fakir",
    "keep UTUG": "keep Utug",
    "sell silk ivory : 3 gc": "sell ivory, silk: 3 GC",
    "sell 1 fish, 1 silk": "sell silk, fish",
    "3 merchants: fish, ?, gold, claim c3": "tribe action: fish, ?, gold, claim c3",
    "3 merchants: 2 fakirs, рыба": "tribe action: fakir, fakir, fish",
}


def test_steps_are_read_forgivingly(subtests: pytest.Subtests) -> None:
    for typed, worded in FORGIVEN.items():
        with subtests.test(typed=typed):
            assert read(typed, at()) == worded


def test_a_walk_is_a_sowing_or_so_many_steps() -> None:
    assert steps.parse_actions("c3 > c4g", at()) == (Lift(14), Drop(20, Tribe.MERCHANT))
    assert steps.parse_actions("c3", at()) == (Lift(14),)
    assert steps.parse_actions("> c4g > d4b", at()) == (Drop(20, Tribe.MERCHANT), Drop(21, Tribe.BUILDER))


def test_words_for_doing_nothing() -> None:
    assert all(map(steps.is_pass, ("pass", "PASS", "-", "buy nothing", "NO MOVE", steps.NO_MOVE, PASS)))
    assert not steps.is_pass("palm")


UNREADABLE = {
    "": "nothing before ':'",
    "dance": f"'dance' isn't something that a player does; write something like: {steps.EXAMPLES}",
    "by fish": "did you mean 'buy'?",
    "2 viziirs": "did you mean 'viziers'?",
    "c3 > c9g": "'c9g' is not a step",
    "x9 > c3g": "'x9 > c3g' doesn't begin with a tile",
    "buy ivory 2 silk": "no resource card is called 'ivory 2 silk'",
    "buy 0": "'0' names no card",
    "buy 2 fish (3)": "a place in the row holds one card",
    "buy fsh": "did you mean 'fish'?",
    "take Utug for 3 elders": "a djinn costs 2 elders, or elder and fakir",
    "take Utugg": "did you mean 'Utug'?",
    "sell fakir": "name the goods sold",
    "sell": "name the goods sold",
    "use": "write something like use Sloar",
    "use Sloar for love": "'love' is not a price",
    "kill c2": "'c2' can't be killed",
    "kill b on c2, b on c2, b on c2": "never kill more than two",
    "2 viziers: c3": "after ':' come cards, djinns, meeples, GC and claims: no resource card is called 'c3'",
    "2 viziers: Utugg": "no djinn is called 'Utugg'",
    "palm tree": "write palm or palace",
    # Patterns with several gaps take a time that grows as the cube of what they look through.
    "use a" + " with b for c" * 50_000: "is too long",
}


def test_steps_that_cannot_be_read_say_what_was_expected(subtests: pytest.Subtests) -> None:
    for typed, message in UNREADABLE.items():
        with subtests.test(typed=typed[:40]), pytest.raises(NotationError) as refused:
            read(typed, at())
        assert message in str(refused.value)


ASSASSINS = at(Tribe.ASSASSIN)
IN_RUSSIAN = [
    (at(), "c3 > c4g > d4b", "c3 > c4g > d4b", "c3 > c4g > d4b"),
    (at(Tribe.VIZIER), "viziers", "2 viziers", "2 визиря"),
    (at(Tribe.BUILDER, 3), "with 1 fakir", "3 builders with 1 fakir", "3 строителя + 1 факир"),
    (ASSASSINS, "kill c2y", "2 assassins kill y on c2", "2 ассасина убивают визиря на c2"),
    (ASSASSINS, "kill w of pink", "2 assassins kill elder of pink", "2 ассасина убивают старейшину (розовый)"),
    (
        ASSASSINS,
        "kill c2w, c2b with Iblis for elder",
        "2 assassins kill w on c2 and b on c2 with Iblis for elder",
        "2 ассасина убивают старейшину на c2 и строителя на c2 + Iblis (старейшина)",
    ),
    (ASSASSINS, "kill nobody", "2 assassins kill nobody", "2 ассасина никого не убивают"),
    (
        at(Tribe.VIZIER, stage=Stage.TILE, end="O8"),
        "palm with Lamia for elder onto d4",
        "palm with Lamia for elder onto d4",
        "пальма на d4 + Lamia (старейшина)",
    ),
    (at(Tribe.VIZIER, stage=Stage.TILE, end="V5"), "palace", "palace", "дворец"),
    (at(), "buy fish, silk (4), fish", "buy fish, silk, fish", "куплено — рыба, шёлк, рыба"),
    (at(), "buy (5)", "buy fish (5)", "куплено — рыба (5)"),
    (at(), "take Utug", "take Utug for 2 elders", "взять Utug (2 старейшины)"),
    (at(), "use Enki for f on c3", "use Enki for fakir on c3", "применить Enki (факир) на c3"),
    (at(), "keep Utug", "keep Utug", "оставить Utug"),
    (at(), "sell silk fish", "sell silk, fish", "продано — шёлк, рыба"),
]


def test_actions_are_worded_as_they_are_read_in_every_language(subtests: pytest.Subtests) -> None:
    for state, typed, english, russian in IN_RUSSIAN:
        with subtests.test(typed=typed):
            actions = steps.parse_actions(typed, state)
            phrase = record_words(state, actions[0])
            assert phrase == english
            assert translate(phrase, "ru") == russian
            assert steps.parse_actions(str(phrase), state) == actions
            words = {word for word in english.split() if word.isalpha() and word.islower() and len(word) > 2}
            for language in set(LANGUAGES) - {"en"}:
                assert not words & set(translate(phrase, language).split()), language


def test_what_was_observed_is_said_in_russian() -> None:
    seen = steps.split_step("4 merchants: fish, ?, fakir, Utug, 3 GC, claim d4")[1]
    assert translate(steps.observation_phrase(seen), "ru") == "рыба, ?, факир, Utug, 3 мон., верблюд на d4"
    assert (translate(PASS, "ru"), translate(steps.NO_MOVE, "ru")) == ("пас", "хода нет")


def test_what_brings_nothing_is_not_told() -> None:
    silent = (MeepleDropped(PINK, 8, Tribe.ELDER, None), NobodyKilled(PINK, 8, 1), Refilled(PINK, ("fish",), ()))
    assert [*map(event_words, silent)] == [None] * 3


def test_12_2_cards_from_the_deck_are_nobody_elses() -> None:
    for step, left in {
        "use Sloar for fakir: fish": "use Sloar for fakir",
        "2 assassins kill g on c2: silk, claim c2": "2 assassins kill g on c2: claim c2",
        "3 merchants: fish, silk": "3 merchants: fish, silk",
        "pass": "pass",
    }.items():
        assert steps.without_drawn_cards(step) == left
