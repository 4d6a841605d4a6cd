"""What the program says, gathered from its source into the catalogues of `templates/locales`.

    python -m tests.language.words      # after any change of a sentence: then translate what is new, and run it again

Gathered are calls of `say`, `say_as` and `say_many`, those of web pages too, help texts and docstrings of commands, and
`[words]` of templates.
There is a catalogue for each area of the program and each language but English; `.po` is what people edit, `.mo` what
the program reads.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import struct
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from companion.language.glossary import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
LOCALES = ROOT / "templates" / "locales"
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
PLURALS = {
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "uk": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "ko": "nplurals=1; plural=0;",
    "it": "nplurals=2; plural=(n != 1);",
}
AREAS: tuple[tuple[str, str], ...] = (
    (r"companion/cli/(commands|dialogue|views)/(score|holdings_line|players)", "score"),
    (r"companion/(notation|opening)/score_", "score"),
    (r"companion/cli/(commands|dialogue|views)/(hint|bid|moves|advice|board)", "hint"),
    (r"companion/cli/(thinking|progress|wrapping)", "hint"),
    (r"companion/cli/(commands|dialogue)/play", "game"),
    (r"companion/table/(playing|options)", "game"),
    (r"companion/table/results", "score"),
    (r"companion/cli/(commands|views)/(serve|address)", "serve"),
    (r"companion/web/(?!templating).*\.py", "serve"),
    (r"companion/cli/dialogue/(review|shown)", "read"),
    (r"companion/cli/(commands|views)/history|companion/cli/history_recorder|companion/printing/plots/", "history"),
    (r"companion/table/(photos|seeing|learning)", "read"),
    (r"companion/cli/(commands|dialogue|views)/(replay|review|arena)", "play"),
    (r"companion/cli/(commands|dialogue)/(edit|position_sheet)", "edit"),
    (
        r"companion/cli/(commands|views)/(accuracy|calibrate|learn|doctor|examples|findings|markers|paints|render)",
        "care",
    ),
    (r"companion/cli/(commands|views)/(setup|templates)", "setup"),
    (r"companion/printing/setup/", "setup"),
    (r"companion/cli/dialogue/(loop|journal|sitting|terminal|question)", "dialogue"),
    (r"companion/cli/(commands|dialogue|views)/", "read"),
    (r"companion/printing/", "printing"),
    (r"companion/web/templates/", "web"),
    (r"companion/web/", "serve"),
    (r"companion/health/", "ground"),
    (r"companion/(\w+)/", r"\1"),
    (r"companion/\w+\.py", "ground"),
    (r"templates/(\w+)\.toml", r"\1"),
)
"""The area of a source file, by the beginning of its path: each has files of its own, so that people do not collide."""

_TYPER = frozenset({"typer.Option", "typer.Argument", "typer.Typer"})
KEEPER = "write the catalogues with: make words"


@dataclass(frozen=True, slots=True)
class Gathered:
    """One message: its text, or both where it counts, what tells it apart, and the file that it stands in."""

    text: str | tuple[str, str]
    context: str
    source: str

    @property
    def area(self) -> str:
        """The area whose catalogue has it."""
        for pattern, area in AREAS:
            if found := re.match(pattern, self.source):
                return found.expand(area)
        raise ValueError(f"{self.source} belongs to no area")


def gather(root: Path = ROOT) -> list[Gathered]:
    """Every message of the program, file by file."""
    files = sorted(path for path in (root / "companion").rglob("*.py") if "lab" not in path.relative_to(root).parts)
    found = [message for path in files for message in _of_python(path, path.relative_to(root).as_posix())]
    for path in sorted((root / "companion").rglob("*.html")):
        found += _of_page(path, path.relative_to(root).as_posix())
    for path in sorted((root / "templates").glob("*.toml")):
        found += _of_template(path, path.relative_to(root).as_posix())
    return list(dict.fromkeys(found))


def _of_python(path: Path, source: str) -> Iterator[Gathered]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sayings = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "companion.language.phrase"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (ast.unparse(node.func) in sayings or ast.unparse(node.func) in _TYPER):
            yield from _of_call(node, source)
        elif isinstance(node, ast.FunctionDef) and _is_command(node, path):
            for paragraph in paragraphs(ast.get_docstring(node) or ""):
                yield Gathered(paragraph, "", source)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "COMMANDS":
            assert isinstance(node.value, ast.Dict)
            for key in node.value.keys:
                yield Gathered(_text(key, source), "", source)


def _of_call(node: ast.Call, source: str) -> Iterator[Gathered]:
    called = ast.unparse(node.func)
    match called:
        case "say":
            yield Gathered(_text(node.args[0], source), "", source)
        case "say_as":
            yield Gathered(_text(node.args[1], source), _text(node.args[0], source), source)
        case "say_many":
            yield Gathered((_text(node.args[0], source), _text(node.args[1], source)), "", source)
        case _ if called in _TYPER:
            for keyword in node.keywords:
                if keyword.arg in ("help", "rich_help_panel"):
                    for paragraph in paragraphs(_text(keyword.value, source)):
                        yield Gathered(paragraph, "", source)


def _of_page(path: Path, source: str) -> Iterator[Gathered]:
    for node in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        match node.node, node.args:
            case nodes.Name(name="say"), [text, *_]:
                yield Gathered(_page_text(text, source), "", source)
            case nodes.Name(name="say_as"), [context, text, *_]:
                yield Gathered(_page_text(text, source), _page_text(context, source), source)
            case nodes.Name(name="say_many"), [one, many, *_]:
                yield Gathered((_page_text(one, source), _page_text(many, source)), "", source)


def _page_text(node: nodes.Expr, source: str) -> str:
    """The text of a literal in a page. Raises ValueError for anything else, as `_text` does."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{source}:{node.lineno}: a message must stand here as one text, with {{places}}")


def _text(node: ast.expr | None, source: str) -> str:
    """The text of a literal. Raises ValueError for anything else, which could not be gathered."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{source}:{getattr(node, 'lineno', 0)}: a message must stand here as one text, with {{places}}")


def _is_command(node: ast.FunctionDef, path: Path) -> bool:
    """Whether help shows the docstring of a function: of a command, or of the program."""
    folder = path.parent.name
    return (folder == "commands" and node.name == path.stem) or (path.name == "app.py" and node.name == "_options")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a help text, each on one line."""
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n") if paragraph.strip()]


def _of_template(path: Path, source: str) -> Iterator[Gathered]:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    if document.get("format", 1) >= 2:
        for key, text in words_of(document.get("words", {}), path.stem):
            yield Gathered(text, key, source)


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


def catalogue_path(language: str, area: str, suffix: str = ".po") -> Path:
    """The catalogue of an area."""
    return LOCALES / language / "LC_MESSAGES" / f"{area}{suffix}"


def read_catalogue(path: Path) -> Catalog:
    """A catalogue of the disk."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def up_to_date(messages: list[Gathered], language: str, area: str) -> Catalog:
    """The catalogue of an area with exactly these messages, with the translations that there are."""
    path = catalogue_path(language, area)
    before = read_catalogue(path) if path.exists() else Catalog()
    made = Catalog(locale=language, fuzzy=False, header_comment=f"# {area}: {KEEPER}")
    by_key: dict[tuple[str | tuple[str, str], str], Message] = {}
    for message in messages:
        if message.area != area:
            continue
        key = (message.text, message.context)
        if key in by_key:
            by_key[key].locations.append(_place(message.source))
            continue
        one = message.text if isinstance(message.text, str) else message.text[0]
        known = before.get(one, message.context or None)
        same = known is not None and known.id == message.text
        by_key[key] = made.add(
            message.text,
            known.string if known is not None and same else None,
            locations=[_place(message.source)],
            flags={"python-brace-format"} & _flags(message.text),
            user_comments=known.user_comments if known is not None else (),
            context=message.context or None,
        )
    return made


def _place(source: str) -> tuple[str, Any]:
    """Where a message stands: the file alone, for lines change with everything."""
    return source, None


def _flags(text: str | tuple[str, str]) -> set[str]:
    texts = (text,) if isinstance(text, str) else text
    return {"python-brace-format"} if any("{" in one for one in texts) else set()


def as_po(catalogue: Catalog) -> bytes:
    """A catalogue as the text that people edit: in the order of the source, without dates."""
    text = io.BytesIO()
    write_po(text, catalogue, width=120, omit_header=True)
    language = str(catalogue.locale_identifier)
    header = (
        f'{catalogue.header_comment}\nmsgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
        f'"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {PLURALS[language]}\\n"\n\n'
    )
    return header.encode() + text.getvalue()


def as_mo(po: bytes) -> bytes:
    """A catalogue as the program reads it."""
    catalogue = read_po(io.BytesIO(po))
    language = str(catalogue.locale_identifier)
    said = {"": f"Content-Type: text/plain; charset=utf-8\nPlural-Forms: {PLURALS[language]}\n"}
    for message in catalogue:
        forms = _forms(message)
        if message.id and all(forms):
            key = message.id if isinstance(message.id, str) else "\0".join(message.id)
            said[f"{message.context}\4{key}" if message.context else key] = "\0".join(forms)
    # As gettext lays it out, without the dates and versions that Babel puts into it.
    texts = [(key.encode(), said[key].encode()) for key in sorted(said)]
    start = 28 + 16 * len(texts)
    tables: tuple[list[int], list[int]] = ([], [])
    body = b""
    for column, table in enumerate(tables):
        for pair in texts:
            table += [len(pair[column]), start + len(body)]
            body += pair[column] + b"\0"
    head = (0x950412DE, 0, len(texts), 28, 28 + 8 * len(texts), 0, start)
    return struct.pack(f"<{7 + 4 * len(texts)}I", *head, *tables[0], *tables[1]) + body


def _forms(message: Message) -> tuple[str, ...]:
    """The translation of a message, form by form; texts are empty where there is none."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def missing(catalogue: Catalog) -> list[str]:
    """The messages that are not translated, in all forms."""
    return [str(message.id) for message in catalogue if message.id and not all(_forms(message) or ("",))]


def main() -> int:
    """Bring all catalogues up to date; how many messages wait for a translation is told."""
    messages = gather()
    areas = sorted({message.area for message in messages})
    for language in TRANSLATED:
        folder = LOCALES / language / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.stem not in areas:
                path.unlink()
        waiting = []
        for area in areas:
            catalogue = up_to_date(messages, language, area)
            po = as_po(catalogue)
            catalogue_path(language, area).write_bytes(po)
            catalogue_path(language, area, ".mo").write_bytes(as_mo(po))
            waiting += [f"{area}: {text}" for text in missing(catalogue)]
        print(f"{language}: {len(messages)} messages, {len(waiting)} not translated")
        for text in waiting[:20]:
            print(f"  {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
