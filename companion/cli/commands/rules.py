"""`companion rules`: what a djinn, a tribe, a tile, a card or a clause of the rules does."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.locale import run_language, translate
from companion.cli.output import print_text, text_width, wrapped
from companion.language.phrase import capitalised, named, term
from companion.printing.core.rule_texts import asked_topics, rule_text, topic_names


def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="A djinn, tribe, tile or card, or a clause of the rules such as 6.1."),
    ] = None,
) -> None:
    """Explain a djinn, tribe, tile, card or clause of the rules; without a name, list them all.

    Example: companion rules Utug
    """
    width, language = text_width(), run_language()
    if not words:
        for kind, names in topic_names().items():
            head = "" if kind == "rules" else f"{translate(capitalised(term(kind, plural=True)))}: "
            called = [rule_text(name, language).title if kind == "rules" else translate(named(name)) for name in names]
            print_text("\n".join(wrapped(", ".join(called), width, head, "  ")))
        return
    texts = [rule_text(topic, language) for topic in asked_topics(" ".join(words))]
    for number, text in enumerate(texts):
        print_text("\n" * bool(number) + text.title)
        for line in text.lines:
            print_text("\n".join(wrapped(line, width, "  ", "    ")))
