"""Cards in photos: which of them are the row, and what a player has (rules 1.4, 2.6)."""

from __future__ import annotations

import pytest

from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Player
from companion.vision.cards.laid_out import CardsSeen, find_row, row_names, with_cards
from companion.vision.cards.sight import CardSight


def cards(text: str, line: int = 0) -> tuple[CardSight, ...]:
    """Cards by name; "ivory?" is not told for sure, "?" not at all."""
    return tuple(
        CardSight(
            None if name.endswith("?") else name,
            0.6 if "?" in name else 0.97,
            name.rstrip("?") or None,
            ((0, 0),) * 4,
            line,
        )
        for name in text.split()
    )


def row_of(*photos: CardsSeen) -> tuple[str, ...] | None:
    return row_names(find_row(photos)[0])


def test_cards_alone_are_the_row_in_one_line_or_two() -> None:
    assert row_of(CardsSeen("cards.jpg", cards("fish silk fakir"), False)) == ("fish", "silk", "fakir")
    two = cards("fish silk fakir ivory gold") + cards("spice wheat fish pottery", 1)
    assert row_of(CardsSeen("cards.jpg", two, False)) == tuple(card.card for card in two)


def test_beside_the_board_the_longest_line_is_the_row() -> None:
    hands = cards("ivory", 0) + cards("fish silk fakir", 1) + cards("gold gold", 2)
    assert row_of(CardsSeen("table.jpg", hands, True)) == ("fish", "silk", "fakir")


def test_one_card_beside_the_board_is_no_row() -> None:
    assert find_row([CardsSeen("table.jpg", cards("ivory"), True)]) == ((), ())


def test_of_several_photos_the_one_that_shows_most_counts_then_the_closer_one() -> None:
    far = CardsSeen("table.jpg", cards("fish silk gold"), True)
    near = CardsSeen("cards.jpg", cards("fish silk spice"), False)
    assert row_of(far, near) == ("fish", "silk", "spice")
    assert row_of(CardsSeen("table.jpg", cards("fish silk gold ivory"), True), near) == (
        "fish",
        "silk",
        "gold",
        "ivory",
    )


def test_more_cards_than_the_row_holds_are_not_guessed_at() -> None:
    row, notes = find_row([CardsSeen("cards.jpg", cards("fish " * 6 + "wheat " * 4), False)])
    assert row == () and "10 cards" in notes[0] and "holds 9" in notes[0]


@pytest.mark.parametrize(("text", "names"), [("fish ivory?", ("fish", "ivory")), ("fish ?", None)])
def test_a_guess_is_a_name_and_no_name_is_no_row(text: str, names: tuple[str, ...] | None) -> None:
    assert row_names(cards(text)) == names


def test_a_players_cards_are_counted_into_goods_and_fakirs() -> None:
    player = with_cards(Player(Colour.PINK, gold=7), cards("fakir fish fish ivory? fakir"))
    assert (player.gold, player.fakirs) == (7, 2)
    assert dict(zip(GOODS, player.goods or (), strict=True)) == {**dict.fromkeys(GOODS, 0), "fish": 2, "ivory": 1}
