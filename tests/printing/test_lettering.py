"""What somebody has typed becomes a line of letters as they are seen."""

from __future__ import annotations

import pytest

from companion.printing.core.lettering import cleaned, in_visual_order


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Jose\u0301", "José"),
        ("a\tb\r\nc", "a b  c"),
        ("a\u200b\u202eb\x07\x1b[0m\ud800", "ab[0m"),
        ("x" + "\u0302" * 50, "x\u0302\u0302"),
        ("\U0001f469\u200d\U0001f467\ufe0f", "\U0001f469"),
        ("", ""),
    ],
    ids=["accents", "white space", "control characters", "accents without end", "joined emoji", "nothing"],
)
def test_only_what_can_be_seen_is_kept(text: str, kept: str) -> None:
    assert cleaned(text) == kept


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Anna", "Anna"),
        ("שרה", "הרש"),
        ("Anna (ליאור) 5", "Anna (רואיל) 5"),
        ("שָׂרָה", "הרש"),
        ("ليلى", "\ufef0\ufee0\ufef4\ufedf"),
        ("سلام Anna 12", "\ufee1\ufefc\ufeb3 Anna 12"),
        ("کمال", "\ufedd\ufe8e\ufee4\ufb90"),
        ("می\u200cخواهم", "\ufee2\ufeeb\ufe8d\ufeee\ufea7\ufbfd\ufee3"),
        ("بـب", "\ufe90ـ\ufe91"),
        ("ـباب", "\ufe8f\ufe8e\ufe92ـ"),
        ("שלום (голубой)", "םולש (голубой)"),
        ("שרה, ליאור (голубой) +5", "רואיל ,הרש (голубой) +5"),
        ("ליאור (5)", "(5) רואיל"),
        ("(שלום) [אחד]", "[דחא] (םולש)"),
        ("שרה < ליאור", "רואיל > הרש"),
        ("سلام (blue)", "\ufee1\ufefc\ufeb3 (blue)"),
        ("שרה…", "…הרש"),
        ("Anna: שרה…", "Anna: הרש…"),
        ("שרה\u034f (a\u034f)", "הרש (a)"),
    ],
    ids=[
        "Latin",
        "Hebrew",
        "both",
        "pointed",
        "Arabic",
        "Arabic with Latin",
        "Persian",
        "parted by a non-joiner",
        "drawn out in the middle",
        "drawn out at the start",
        "a colour in brackets",
        "two names",
        "a number in brackets",
        "all in brackets",
        "a sign that has a direction",
        "Arabic with a colour",
        "cut",
        "cut after Latin",
        "marks that are not seen",
    ],
)
def test_what_is_written_from_right_to_left_stands_as_it_is_seen(text: str, seen: str) -> None:
    assert in_visual_order(cleaned(text)) == seen
