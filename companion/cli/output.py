"""What goes to the user: one JSON document on standard output, words on standard error, whole files.

Phrases are translated here; JSON stays English. Text is broken into lines as wide as a terminal shows it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.cli.locale import translate
from companion.errors import UsageError, printable
from companion.language import phrase
from companion.language.phrase import Phrase, joined, say
from companion.storage import check_free, write_file

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


POSITION_ENDINGS = (".toml", ".json")
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png")


def print_json(document: object) -> None:
    """Print one JSON document on standard output, with control characters and what the stream cannot show escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=1)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not _can_show(text, encoding):
        # Those stand inside strings: between them there are only spaces, newlines and signs.
        text = "".join(letter if _can_show(letter, encoding) else json.dumps(letter)[1:-1] for letter in text)
    sys.stdout.write(text + "\n")


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return printable(text) == text


def print_text(text: str, *, end: str = "\n") -> None:
    """Print text of a result on standard output, plain."""
    sys.stdout.write(printable(translate(text)) + end)


def is_at_terminal() -> bool:
    """Whether a person sits there who can be asked something."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def note(message: str, /, **values: object) -> None:
    """Tell the user something on standard error at once: a phrase, or a template and its values, as of errors."""
    words = printable(translate(message if isinstance(message, Phrase) else phrase.say(message, **values)))
    # Where nothing can be told any more, what the command does goes on.
    with suppress(OSError):
        print(fitted(words, sys.stderr), file=sys.stderr, flush=True)


def note_many(one: str, many: str, count: int, /, **values: object) -> None:
    """The same of a message that counts."""
    note(phrase.say_many(one, many, count, **values))


def console() -> Console:
    """A rich console on standard output that translates phrases, 80 columns wide if it is no terminal. All that is
    printed on it goes through `printable`, so that no text from outside moves the cursor.
    """
    from rich.console import Console, ConsoleRenderable, RenderHook
    from rich.segment import Segment
    from rich.text import Text

    class Speaking(Console):
        """A console that translates phrases, wherever text is given as it is, and cuts nothing off."""

        def render_str(self, text: str, *args: Any, **kwargs: Any) -> Text:
            return super().render_str(translate(text), *args, **kwargs)

        def print(self, *objects: Any, crop: bool = False, **kwargs: Any) -> None:
            super().print(*objects, crop=crop, **kwargs)

    class Cleaned:
        """Something to print, with its text cleaned; rich's own colours come after it."""

        def __init__(self, renderable: ConsoleRenderable) -> None:
            self._renderable = renderable

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for segment in console.render(self._renderable, options):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

    class Cleaning(RenderHook):
        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            return [Cleaned(renderable) for renderable in renderables]

    made = Speaking(highlight=False, markup=False, emoji=False, _environ=known_sizes())
    made.push_render_hook(Cleaning())
    return made


def known_sizes() -> dict[str, str]:
    """The environment for a console, without sizes of 0, which say that a size isn't known."""
    return {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES") or value.strip("0")}


def write_and_tell(files: Mapping[Path, bytes | Iterator[bytes]], *, force: bool) -> None:
    """Write files, and say that they were written. Raises what `write_file` raises."""
    for path, content in files.items():
        write_file(path, content, force=force)
    for path in files:
        note("written: {path}", path=path)


def check_outputs(
    *outputs: tuple[Path | None, tuple[str, ...]], force: bool, inputs: Iterable[Path | str | None] = ()
) -> None:
    """Refuse early what `write_file` would refuse in the end: outputs, each with its endings, that exist or are one of
    the `inputs` or the history in use. Raises UsageError, and as `check_free`.
    """
    read = [Path(name) for name in inputs if name is not None]
    if force:
        from companion.history.opening import files_at, history_path

        read += files_at(history_path(os.environ))
    taken: set[str] = set()
    for path, endings in outputs:
        if path is None:
            continue
        if endings and path.suffix.lower() not in endings:
            wanted = joined(say(" or "), filter(None, (", ".join(endings[:-1]), endings[-1])))
            raise UsageError("{path}: the name must end in {wanted}", path=path, wanted=wanted)
        check_free(path, force=force, inputs=read)
        place = os.path.normcase(os.path.realpath(path))
        if place in taken:
            raise UsageError("{path} is given for two files; choose another name for one of them", path=path)
        taken.add(place)


# Lines as wide as the terminal.


TIE = "\xa0"
"""A space that no line is broken at; it is printed as a plain one."""

_BETWEEN_WORDS = re.compile(r"[ \t\n]+")


MAX_WIDTH = 100
"""Columns that text is broken at in a wider terminal: longer lines are hard to read."""


def text_width() -> int:
    """Columns that text takes in this terminal."""
    return min(shutil.get_terminal_size().columns, MAX_WIDTH)


def wrapped(text: str, width: int, head: str = "", indent: str = "") -> list[str]:
    """Lines of a text: the first begins with `head`, the others with `indent`. No word is broken.

    >>> wrapped("one two three", 9, "- ", "  ")
    ['- one two', '  three']
    """
    from rich.cells import cell_len

    lines: list[str] = []
    line, used = head, cell_len(head)
    begun = False
    for word in _BETWEEN_WORDS.split(text.strip(" \t\n")):
        wide = cell_len(word)
        if begun and used + 1 + wide > width:
            lines.append(line)
            line, used, begun = indent, cell_len(indent), False
        line += f" {word}" if begun else word
        used += wide + begun
        begun = True
    return [line.replace(TIE, " ") for line in (*lines, line)]


def fitted(text: str, stream: TextIO) -> str:
    """Text for a stream: broken between words, where it is a terminal; spaces at the end, as of a prompt, stay."""
    if not stream.isatty():
        return text
    width, said = shutil.get_terminal_size().columns, text.rstrip(" ")
    return "\n".join(broken(line, width) for line in said.split("\n")) + text[len(said) :]


def broken(line: str, width: int, indent: str = "") -> str:
    """A line broken between words where it is wider than that; what follows is indented as it is, and `indent` more."""
    from rich.cells import cell_len

    if cell_len(line) <= width:
        return line.replace(TIE, " ")
    head = line[: len(line) - len(line.lstrip())]
    return "\n".join(wrapped(line, width, head, head + indent))
