"""`companion rules`: what a djinn, a tribe, a tile, a card or a clause does, as the reference cards say it."""

from __future__ import annotations

import pytest

from companion.language.glossary import LANGUAGES, forms_in, glossary
from companion.printing.core.kinds import djinn_power
from companion.printing.core.rule_texts import asked_topics, rule_text, topic_names
from companion.rules.engine.djinns import EVERY_DJINN
from tests.cli.ran import Capsys, ran

CLAUSES = {1: 6, 2: 7, 3: 4, 4: 8, 5: 6, 6: 5, 7: 1, 8: 1, 9: 3, 10: 7, 11: 12, 12: 2}
"""How many clauses each part of the rules has."""

ASKED = {
    "Utug": ("4 VP", "2 elders, or 1 elder and 1 fakir", "meeples and nothing else", "No camel, palm tree or palace"),
    "VIZIERS": ("× 16", "10 VP for each opponent with fewer"),
    "small market": ("× 8, 6 VP", "Pay 3 GC: take 1 of the first 3 cards"),
    "s12": ("Sacred place × 7, 6–15 VP", "take a face-up djinn"),
    "fish": ("× 6", "1, 3, 7, 13, 21, 30, 40, 50, 60"),
    "tie": ("a tie is shared",),
    "set-up": ("50 GC, 8 camels",),
    "palms": ("Oasis: Put a palm tree on it.", "Victory points: each palm tree on your tiles: 3"),
    "djinns": ("Sacred place: Pay 2 elders", "Victory points: djinns, as printed"),
    "6.1": ("Oasis", "You must:", "Put a palm tree on it."),
    "4.3": ("(4.3)", "Never straight back"),
    "4.4": ("Your turn", "2. Lift all meeples"),
    "10.5": ("each palm tree on your tiles: 3", "each palace on your tiles: 5"),
    "11.6": ("Nekir", "Kandicha"),
    "12.2": ("Coins, resource cards in hand and the decks are hidden",),
}
"""What is asked, and what is among the answer."""


def test_what_is_asked_is_told(capsys: Capsys, subtests: pytest.Subtests) -> None:
    for words, told in ASKED.items():
        with subtests.test(words):
            said = " ".join(ran(capsys, ["rules", *words.split()]).out.split())
            assert [text for text in told if text not in said] == []


def test_every_name_in_every_language_and_every_clause_leads_somewhere() -> None:
    names = [name for group in topic_names().values() for name in group]
    for language in LANGUAGES:
        for name in names:
            title = rule_text(name, language).title.partition(" ×")[0].partition(",")[0].partition(" (")[0]
            forms = forms_in(language, name) if name in glossary() else ()
            assert all(name in asked_topics(form) for form in (title, *forms))
    for part, number in CLAUSES.items():
        for clause in range(1, number + 1):
            assert all(rule_text(topic, "en").lines for topic in asked_topics(f"{part}.{clause}"))


def test_11_djinns_are_told_as_their_cards_tell_them_in_each_language() -> None:
    for language in LANGUAGES:
        for djinn in EVERY_DJINN:
            assert djinn_power(djinn, language) in rule_text(djinn, language).lines


def test_a_word_of_a_name_or_of_the_texts_leads_to_all_that_have_it() -> None:
    assert asked_topics("market") == asked_topics("рынок") == ("small market", "large market")
    assert asked_topics("Sacred") == ("sacred place",)
    assert {"assassin", "Boaz", "Iblis", "Nekir"} <= set(asked_topics("kill"))
    assert "goods" in asked_topics("sell") and "ivory" not in asked_topics("sell")


def test_without_a_name_it_lists_what_can_be_asked(capsys: Capsys) -> None:
    listed = ran(capsys, ["rules", "--lang", "it"]).out
    assert {"Utug", "Oasi", "Visir", "Il round", "Pareggio"} <= {
        word.strip().partition(": ")[2] or word.strip()
        for word in listed.replace("\n  ", " ").replace("\n", ",").split(",")
    }


def test_what_the_rules_do_not_know_is_refused_with_what_may_be_meant(capsys: Capsys) -> None:
    assert "did you mean 'Utug'?" in ran(capsys, ["rules", "Utgu"], 2).err
    assert "'оазис'?" in ran(capsys, ["rules", "оазс", "--lang", "ru"], 2).err
    for unknown in ("13", "xqz", "?"):
        assert "companion rules lists everything" in ran(capsys, ["rules", unknown], 2).err
