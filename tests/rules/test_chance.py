"""Chance scripted and sampled; what a table knows (rules 12)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from companion.errors import UnusableInputError
from companion.rules.engine.game import apply, step
from companion.rules.model.actions import Paid, UsePower
from companion.rules.model.chance import NOTHING_DRAWN, UNSEEN, ChanceNeededError, Drawn, SampledChance, ScriptedChance
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, Tribe
from companion.rules.model.state import GameState, Stage
from tests.rules.tables import BLACK, END, PINK, ROW, at_turn, player, scripted

SLOAR = UsePower(Paid("Sloar", 0, 1))


def drawing(**more: str | tuple[str, ...]) -> GameState:
    return at_turn(player(PINK, fakirs=1, elders=2, djinns=("Sloar", "Anun-Nak", "Sibittis")), **more)


def test_12_1_12_2_what_is_seen_is_not_drawn_again() -> None:
    state = drawing(row=("ivory", "ivory"), discards=("jewels",))
    with pytest.raises(ChanceNeededError) as needed:
        apply(state, SLOAR)
    # One fakir is in hand, and goes to the discards.
    assert needed.value.options == {
        FAKIR: 17,
        "jewels": 1,
        **{card: count for card, count in CARD_COUNTS.items() if card not in (FAKIR, "ivory", "jewels")},
    }


def test_sampled_frequencies_are_those_of_what_is_left() -> None:
    chance = SampledChance(Random(5))
    drawn = Counter(chance.card({"fish": 3, "silk": 1}, face_up=True) for _ in range(4000))
    assert abs(drawn["fish"] - 3000) < 150


def test_a_script_must_be_possible() -> None:
    with pytest.raises(UnusableInputError, match="ivory can't be the card drawn here"):
        apply(drawing(row=("ivory", "ivory")), SLOAR, scripted(["ivory"]))
    with pytest.raises(UnusableInputError, match="Utug can't be the djinn drawn here"):
        apply(drawing(), UsePower(Paid("Sibittis", 2, 0)), scripted(djinns=["Utug", "Leta", "Boaz"]))
    with pytest.raises(UnusableInputError, match="an unknown card can't be"):
        apply(at_turn(stage=Stage.CLOSE, waiting=(), row=ROW[:8]), END, scripted([None]))
    with pytest.raises(UnusableInputError, match="vizier can't be the meeple"):
        state = drawing(a1="M6:" + "y" * 16)
        apply(state, UsePower(Paid("Anun-Nak", 1, 0), 29), scripted(meeples=[Tribe.VIZIER] * 3))


def test_12_2_a_hidden_card_is_counted_and_recorded_as_unknown() -> None:
    done = step(drawing(), SLOAR, scripted([None]))
    assert (done.state.hidden, done.drawn) == ((0, 1), Drawn(cards=(None,)))
    assert sum(done.state.player(PINK).goods) == 0


def test_what_a_script_does_not_need_is_left() -> None:
    chance = scripted(["fish", "silk"])
    apply(drawing(), SLOAR, chance)
    assert chance.left == Drawn(cards=("silk",))
    assert scripted().left == NOTHING_DRAWN


def test_12_2_hidden_cards_are_not_in_the_deck() -> None:
    from tests.rules.test_rounds import all_cards

    everything = replace(all_cards(fish=1), djinns=("Sloar",))
    state = replace(at_turn(everything, player(BLACK), row=()), hidden=(1, 0))
    # Black's hidden card is the only fish; the deck is empty, so the fakir paid is its remake.
    done = step(state, SLOAR, scripted([FAKIR]))
    assert (done.state.position.discards, done.state.hidden) == ((), (1, 0))


def test_12_2_of_unchecked_hands_the_number_counts_and_not_the_names() -> None:
    """A card that somebody claims to hold can come all the same, but from a deck that has as many cards less."""
    for unchecked, options in ((False, 0), (True, CARD_COUNTS["ivory"])):
        state = replace(drawing(row=()), unchecked_hands=unchecked)
        position = state.position.with_player(player(BLACK, goods={"ivory": 2}, fakirs=0))
        with pytest.raises(ChanceNeededError) as needed:
            apply(replace(state, position=position), SLOAR)
        assert needed.value.options.get("ivory", 0) == options
    # All other cards are in black's hand, so that none is left to come.
    everything = {good: CARD_COUNTS[good] for good in GOODS}
    state = replace(drawing(row=()), unchecked_hands=True)
    position = state.position.with_player(player(BLACK, goods=everything, fakirs=CARD_COUNTS[FAKIR]))
    after = apply(replace(state, position=replace(position, discards=None)), SLOAR)
    assert after.player(PINK).goods == state.player(PINK).goods


def test_what_is_asked_for_is_named() -> None:
    for chance in (UNSEEN, ScriptedChance()):
        for wanted, ask in (
            ("card", partial(chance.card, face_up=True)),
            ("djinn", chance.djinn),
            ("meeple", chance.meeple),
        ):
            with pytest.raises(ChanceNeededError) as raised:
                ask({"fish": 1})
            assert (raised.value.wanted, raised.value.options) == (wanted, {"fish": 1})


def test_what_cannot_be_drawn_is_refused_with_what_can() -> None:
    for options, there in (({"silk": 0, "fish": 2, "fakir": 1}, "fish, fakir"), ({"silk": 0}, "nothing")):
        with pytest.raises(UnusableInputError, match=rf"silk .* card drawn here; it can be {there} \(rules 1\)"):
            ScriptedChance(Drawn(cards=("silk",))).card(options, face_up=True)


def test_a_script_gives_each_thing_once_and_in_order() -> None:
    script = ScriptedChance(Drawn(("fish", None), ("Utug",), (Tribe.BUILDER,)))
    assert script.card({"fish": 1}, face_up=True) == "fish"
    assert script.card({"fish": 1}, face_up=False) is None
    assert (script.djinn({"Utug": 1}), script.meeple({"builder": 3})) == ("Utug", Tribe.BUILDER)
    assert script.left == Drawn()
