"""What the program says, gathered from its source into the catalogues of `templates/locales`.

    python -m tests.language.words      # after any change of a sentence: then translate what is new, and run it again

Messages are in calls of `say`, `say_as`, `say_each` and `say_many`, in code and on web pages, in errors and notes, in
help texts and docstrings of commands, and in `[words]` of templates. Each language but English has one catalogue.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as CatalogueMessage
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from companion.language.glossary import LANGUAGES
from hatch_build import LOCALES, compile_catalogues

ROOT = Path(__file__).resolve().parents[2]
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
DOMAIN = "companion"
STALE_LETTERS = 25
"""Shorter translations can be those of several sentences."""


class Message(NamedTuple):
    """A message: its text, or singular and plural; the context that tells it apart; the file that it stands in."""

    text: str | tuple[str, str]
    context: str
    source: str


@cache
def gather(root: Path = ROOT) -> tuple[Message, ...]:
    """Every message of the program, file by file."""
    files = sorted(path for path in (root / "companion").rglob("*.py") if "lab" not in path.relative_to(root).parts)
    found = [message for path in files for message in _of_python(path, path.relative_to(root).as_posix())]
    for path in sorted((root / "companion").rglob("*.html")):
        found += _of_page(path, path.relative_to(root).as_posix())
    for path in sorted((root / "templates").glob("*.toml")):
        found += _of_template(path, path.relative_to(root).as_posix())
    return tuple(dict.fromkeys(found))


def _of_python(path: Path, source: str) -> Iterator[Message]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="say"), args=[text, *_]):
                yield Message(_text(text, source), "", source)
            case ast.Call(func=ast.Name(id="say_as"), args=[context, text, *_]):
                yield Message(_text(text, source), _text(context, source), source)
            case ast.Call(func=ast.Name(id="say_each"), args=[context, words]):
                each = _text(words, source).split("|")
                yield from (Message(word, _text(context, source), source) for word in each)
            case ast.Call(func=ast.Name(id="say_many" | "note_many"), args=[one, many, *_]):
                yield Message((_text(one, source), _text(many, source)), "", source)
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if " " in text and (
                name == "note" or _is_our_error(name)
            ):
                yield Message(text, "", source)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="typer"), attr="Option" | "Argument" | "Typer")):
                texts = [word.value for word in node.keywords if word.arg in ("help", "rich_help_panel")]
                for text in texts:
                    yield from (Message(paragraph, "", source) for paragraph in paragraphs(_text(text, source)))
            case ast.AnnAssign(target=ast.Name(id="COMMANDS"), value=ast.Dict(keys=titles)):
                yield from (Message(_text(title, source), "", source) for title in titles if title is not None)
            case ast.FunctionDef(name=name) if _is_command(name, path):
                docstring = ast.get_docstring(node) or ""
                yield from (Message(paragraph, "", source) for paragraph in paragraphs(docstring))


def _of_page(path: Path, source: str) -> Iterator[Message]:
    for node in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        match node.node, node.args:
            case nodes.Name(name="say"), [text, *_]:
                yield Message(_text(text, source), "", source)
            case nodes.Name(name="say_as"), [context, text, *_]:
                yield Message(_text(text, source), _text(context, source), source)
            case nodes.Name(name="say_many"), [one, many, *_]:
                yield Message((_text(one, source), _text(many, source)), "", source)


def _text(node: ast.expr | nodes.Expr, source: str) -> str:
    """The text of a literal. Raises ValueError for anything else, which couldn't be gathered."""
    if isinstance(node, ast.Constant | nodes.Const) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{source}:{node.lineno}: a message must be one literal here, with {{places}}")


def _is_our_error(name: str) -> bool:
    """Whether a class is one of the errors that users meet; its message is a sentence and not English for ever."""
    return name.endswith("Error") and not hasattr(builtins, name)


def _is_command(name: str, path: Path) -> bool:
    """Whether help shows the docstring of a function: of a command, or of the program."""
    return (path.parent.name == "commands" and name == path.stem) or (path.name == "app.py" and name == "_options")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n") if paragraph.strip()]


def _of_template(path: Path, source: str) -> Iterator[Message]:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    if document.get("format", 1) >= 2:
        for key, text in words_of(document.get("words", {}), path.stem):
            yield Message(text, key, source)


def words_of(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, str]]:
    """The words of a template, each by its place: "markers.labels.gold", "markers.steps.1"."""
    for key, value in table.items():
        place = f"{where}.{key}" if where else key
        if isinstance(value, dict):
            yield from words_of(value, place)
        elif isinstance(value, list):
            yield from ((f"{place}.{number}", text) for number, text in enumerate(value))
        else:
            yield place, value


def catalogue_path(language: str, suffix: str = ".po") -> Path:
    """The catalogue of a language: `.po` is what people edit, `.mo` what the program reads, which isn't committed."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


def read_catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is on disk."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, abort_invalid=True)


def up_to_date(messages: Iterable[Message], before: Catalog) -> Catalog:
    """A catalogue with exactly these messages and the translations of `before`.

    What is said no more is kept below as obsolete (`#~`), so that nobody takes its translation for that of the sentence
    which came in its place: see `stale`.
    """
    language = str(before.locale_identifier)
    after = Catalog(locale=language, fuzzy=False, header_comment="# Update with: make words")
    # Fixed, so that an unchanged catalogue is written as it was.
    after.creation_date = after.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    for text, context, _ in messages:
        singular = text if isinstance(text, str) else text[0]
        known = before.get(singular, context or None)
        same = known is not None and known.id == text
        added = after.add(
            text,
            known.string if known is not None and same else None,
            user_comments=known.user_comments if known is not None else (),
            context=context or None,
        )
        added.flags.clear()
    after.obsolete.update(before.obsolete)
    for message in before:
        lost = message.id and after.get(message.id, message.context) is None
        if lost and len(translations(message)[0]) >= STALE_LETTERS:
            after.obsolete[message.id] = message  # type: ignore[index]
    return after


def as_po(catalogue: Catalog) -> bytes:
    """A catalogue as people edit it: in the order of the source, a text a line, with nothing between."""
    text = io.BytesIO()
    write_po(text, catalogue, width=0, omit_header=True, no_location=True)
    language = str(catalogue.locale_identifier)
    header = (
        f'{catalogue.header_comment}\nmsgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
        f'"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n'
    )
    return header.encode() + text.getvalue().strip().replace(b"\n\n", b"\n") + b"\n"


def translations(message: CatalogueMessage) -> tuple[str, ...]:
    """The translation of a message, form by form; empty texts where there is none."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def missing(catalogue: Catalog) -> list[str]:
    """The messages that lack a translation or a form of it."""
    return [str(message.id) for message in catalogue if message.id and not all(translations(message))]


def stale(catalogue: Catalog) -> list[str]:
    """The messages whose translation is that of a sentence which is said no more, word for word.

    Where it's still right, delete the obsolete sentence below.
    """
    before = {translations(message): str(message.id) for message in catalogue.obsolete.values()}
    return [
        f"{message.id} has the translation of: {before[translations(message)]}"
        for message in catalogue
        if translations(message) in before
    ]


def main() -> int:
    """Bring all catalogues up to date and print what lacks a translation."""
    messages = gather()
    for language in TRANSLATED:
        catalogue = up_to_date(messages, read_catalogue(language))
        catalogue_path(language).write_bytes(as_po(catalogue))
        waiting = missing(catalogue)
        print(f"{language}: {len(messages)} messages, {len(waiting)} not translated", *waiting[:20], sep="\n  ")
    compile_catalogues()
    return 0


if __name__ == "__main__":
    sys.exit(main())
