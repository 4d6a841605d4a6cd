"""What commands print, searched for English that is left over and for lines that are wider than the terminal.

    output = run_in("qps", capsys, "hint", "samples/mid.toml", "--playouts", "60")
    assert output.english() == [] and output.too_wide() == []

Names, files and records that a command was given stay as they are: name them, `output.english("Anna", record_text)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from rich.cells import cell_len

from companion.cli.main import main
from companion.language.catalogue import PSEUDO
from companion.language.glossary import glossary

COLUMNS = 80
"""How wide the terminal is that commands are tried in."""

_SQUARE = r"[a-f][1-5]"
_KEPT = re.compile(
    r"\x1b\[[\d;?]*[a-zA-Z]"  # what colours a terminal
    r"|FT1-[A-Z2-7]+|\b[0-9a-f]{16,}\b"  # codes and digests
    r"|\S*[\w}]\.(?:toml|json|jsonl|txt|jpe?g|png|svg|pdf|csv|tsv|gz|po|mo|tmp)(?![a-z])"  # files
    r"|(?<![\w.])[\w.~-]*/[\w./~-]+"  # folders
    r"|(?<![\w-])--?[a-z][a-z-]*"  # options
    r"|\b(?:python -m )?companion\b(?: (?!--)[a-z]+)?"  # commands
    rf"|\b{_SQUARE}[ybgrw]?\b"  # squares and steps
    rf"|\b{_SQUARE} [ybgrw]\b"
    r"|\b[VOMS]\d+(?::[ybgrw]*)?(?:@[KOBP])?(?:\^\d+)?(?:#\d+)?"  # tiles
)
"""What is the same in every language."""

_DJINNS = frozenset(
    word for key, entry in glossary().items() if entry.kind == "djinn" for word in re.findall(r"[^\W\d_]+", key)
)
_WORD = re.compile(r"[^\W\d_]+")
_LENGTHENED = "àèìöù"
"""How every word of the pseudo-language ends."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed in a language: its exit status, standard output and standard error."""

    language: str
    status: int
    out: str
    err: str

    def english(self, *given: str) -> list[str]:
        """The words that aren't in the language, see `english_left`."""
        return english_left(self.out + "\n" + self.err, self.language, given)

    def too_wide(self) -> list[str]:
        """The lines of the result that are wider than the terminal, but for a long path alone on a line."""
        return [line for line in self.out.splitlines() if cell_len(line) > COLUMNS and " " in line.strip()]


def run_in(language: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> Output:
    """Run a command in a language, in a terminal of `COLUMNS`, and catch what it prints."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(COLUMNS))
        status = main([*arguments, "--lang", language])
    printed = capsys.readouterr()
    return Output(language, status, printed.out, printed.err)


def english_left(text: str, language: str, given: Iterable[str] = ()) -> list[str]:
    """The words of a text that are still English, each once; for the pseudo-language, ru, uk and ko.

    Coordinates, tiles, codes, files, options, commands, djinns and single letters are in no language; nor are the words
    of what was `given`. Words in capitals (FILE, PDF) are passed over.
    """
    kept = _DJINNS | {word for words in given for word in _WORD.findall(words)}
    for words in sorted(filter(None, given), key=len, reverse=True):
        # As words of their own: "c3" in a digest is not the square that was typed. A table breaks a long path anywhere.
        broken = r"(?: *\n *)?".join(map(re.escape, words))
        text = re.sub(rf"(?<!\w){broken}(?!\w)", " ", text)
    words_left = dict.fromkeys(_WORD.findall(_KEPT.sub(" ", text)))
    return [word for word in words_left if word not in kept and _is_english(word, language)]


def _is_english(word: str, language: str) -> bool:
    if len(word) < 2 or not re.search("[a-z]", word):
        return False
    # A word of the pseudo-language may have an s hung on, or be put together with English.
    return not word.endswith(tuple(_LENGTHENED)) if language == PSEUDO else bool(re.fullmatch("[A-Za-z]+", word))
