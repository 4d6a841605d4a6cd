from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.errors import NotationError
from companion.notation.names import parse_card, parse_colour, parse_djinn
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.model.components import CARD_COUNTS, Colour


@pytest.mark.parametrize("name", DJINNS)
def test_djinns_are_read_without_regard_to_case_accents_and_apostrophes(name: str) -> None:
    accented = name.replace("a", "á").replace("'", "’")
    for typed in (name, name.upper(), accented, name.replace("-", " "), f"  {name.replace(chr(39), '')}\t"):
        assert parse_djinn(typed) == name


@pytest.mark.parametrize("card", CARD_COUNTS)
def test_cards_are_read_in_any_case(card: str) -> None:
    assert parse_card(card.title()) == card


@pytest.mark.parametrize("old", ["slave", "Worker"])
def test_rules_1_4_older_words_for_the_fakir(old: str) -> None:
    assert parse_card(old) == "fakir"


def test_colours() -> None:
    assert [parse_colour(name) for name in ("Black", "ORANGE", "blue", " pink ")] == list(Colour)


@pytest.mark.parametrize(
    ("parse", "typed", "words"),
    [
        (parse_card, "fsh", "did you mean 'fish'"),
        (parse_djinn, "Jaffar", "did you mean 'Jafaar'"),
        (parse_colour, "pnik", "did you mean 'pink'"),
        (parse_colour, "green", "expected one of: black, orange, blue, pink"),
        (parse_card, "", "expected one of"),
        (parse_card, "q" * 5000, "…"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(parse: Callable[..., object], typed: str, words: str) -> None:
    with pytest.raises(NotationError, match=words) as refused:
        parse(typed)
    assert len(str(refused.value)) < 200
