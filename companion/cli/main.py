"""The one place where faults become a line of text and an exit status."""

from __future__ import annotations

import errno
import gc
import os
import sys
import traceback
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from companion.cli import interrupts
from companion.cli.locale import asked_language, language_for, speaking, translate
from companion.cli.output import fitted, note, note_many
from companion.errors import CompanionError, ExitStatus, printable, system_reason, with_odd_signs
from companion.language.phrase import Phrase, joined, say, say_many
from companion.printing.core.lettering import LetterProblems, letter_problems
from companion.storage import is_disk_full

FAULT_HINT = say("This is a bug, not a problem with your input; run again with --debug to see where.")

MAX_LINE_LENGTH = 500
"""Characters of a line of a message; what is cut off there repeats a damaged input."""

MAX_LINES = 40
"""Lines of a message: a fault for each tile of the board, and some."""

MAX_LETTERS_TOLD = 8
"""Letters without a font that a note names."""

_OPENCV_NO_MEMORY = -4
"""`cv2.Error.StsNoMem`; OpenCV itself may not have been loaded."""

_LOADING_NEEDS_MEMORY = ("failed to map segment", "cannot allocate memory", "cannot apply additional memory protection")
"""How the loader says that there was no memory for a library."""

_UNUSABLE = frozenset(
    getattr(errno, name)
    for name in ("EACCES", "EPERM", "EIO", "EISDIR", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EROFS", "ENXIO", "ESTALE")
    if hasattr(errno, name)
)
"""What is wrong with a file that was named, rather than with the program."""

_TOO_MANY_FILES = frozenset({errno.EMFILE, errno.ENFILE})

GARBAGE_AFTER = 100_000
"""Objects made and not let go after which Python looks for garbage; left to itself it does so at every 700, in vain."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; its exit status. `argv` is without the program's name, None the process's own."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    with speaking(language_for(arguments, os.environ), asked_language(arguments), arguments):
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    tell = partial(_tell_fault, arguments=arguments)
    try:
        from companion.cli.app import app

        words = [argument for argument in arguments if argument != "--debug"]
        with letter_problems() as problems:
            try:
                # What goes on after a fault, as a server does, has it told in the same words.
                status = app(args=words, prog_name="companion", standalone_mode=False, obj=tell)
            finally:
                # What is still on its way out must not fail unseen when Python ends.
                sys.stdout.flush()
        _note_letters(problems)
        return status if isinstance(status, int) else int(ExitStatus.DONE)
    except (KeyboardInterrupt, EOFError):
        # Typer answers Ctrl-C in commands; this one came while they were loaded.
        return int(ExitStatus.INTERRUPTED)
    except SystemExit as leaving:
        if _is_reader_gone(leaving.__context__):
            # Typer leaves with 1.
            return int(ExitStatus.DONE)
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except Exception as error:
        if interrupts.was_pressed():
            # What was broken off anywhere may end as any fault.
            return int(ExitStatus.INTERRUPTED)
        if _is_reader_gone(error):
            return int(ExitStatus.DONE)
        return int(tell(error))


def _tell_fault(error: Exception, *, arguments: Sequence[str]) -> ExitStatus:
    """Tell the user of an error, after its traceback where `--debug` asks for it; the exit status that it ends in."""
    text, status = explain(error)
    if "--debug" in arguments and status is not ExitStatus.USAGE:
        traceback.print_exception(error)
    if not isinstance(error, CompanionError) and status is ExitStatus.USAGE:
        # Typer repeats of what was typed a part at most.
        text = with_odd_signs(text, " ".join(arguments))
    _tell(text)
    return status


def _is_reader_gone(error: BaseException | None) -> bool:
    """Whether an error is that whoever read the output (head, a pager) had enough, which is no fault."""
    if isinstance(error, BrokenPipeError):
        return True
    if sys.platform != "win32" or not isinstance(error, OSError):
        return False
    if error.errno != errno.EINVAL or error.filename is not None:
        return False
    # Windows calls a pipe without a reader an invalid argument, as it does much else: another line tells.
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _named(letters: Collection[str]) -> Phrase:
    """Letters with their code points, the first of many."""
    shown = [f"{letter} (U+{ord(letter):04X})" for letter in [*letters][:MAX_LETTERS_TOLD]]
    if more := len(letters) - len(shown):
        shown.append(say("and {count} more", count=more))
    return joined(", ", shown)


def _note_letters(problems: LetterProblems) -> None:
    """Tell which letters of names and words a print has no font for, or draws unjoined, and which fonts are no use."""
    for font, why in problems.unusable.items():
        note("the font {font} can't be used: {why}", font=font, why=why)
    if letters := problems.unshaped:
        note_many(
            "{count} letter is drawn in its standalone form, which its script doesn't use within a word: {letters}",
            "{count} letters are drawn in their standalone form, which their script doesn't use within a word: "
            "{letters}",
            len(letters),
            letters=_named(letters),
        )
    if letters := problems.replaced:
        note_many(
            "{count} letter is drawn as a question mark in a frame, since no font has it: {letters}; prints take a "
            "folder of fonts that do with --font-dir",
            "{count} letters are drawn as question marks in frames, since no font has them: {letters}; prints take a "
            "folder of fonts that do with --font-dir",
            len(letters),
            letters=_named(letters),
        )


def explain(error: Exception) -> tuple[str, ExitStatus]:
    """What to tell the user of an error, and the exit status it ends in; nothing to tell if that was done."""
    if isinstance(error, CompanionError):
        return str(error), error.status
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        # Typer refuses what was typed.
        return _usage(error), ExitStatus.USAGE
    if _is_out_of_memory(error):
        return say(
            "there isn't enough memory for this; close other programs, raise the limit (ulimit -v), or try a smaller "
            "photo"
        ), ExitStatus.MISSING
    if isinstance(error, OSError) and (known := _explain_system(error)):
        return known
    if isinstance(error, ImportError) and not (error.name or "").startswith("companion"):
        reason = " ".join(str(error).split())
        return say(
            "a package cannot be loaded: {reason}; companion doctor says how to get it, in the Python that the program "
            "was installed with",
            reason=reason,
        ), ExitStatus.MISSING
    return say(
        "unexpected {name}: {reason}. {hint}",
        name=type(error).__name__,
        reason=" ".join(str(error).split()),
        hint=FAULT_HINT,
    ), ExitStatus.FAULT


def _usage(error: Any) -> str:
    """What was typed wrongly, and where to look."""
    from companion.cli.help import usage_words, with_help

    return with_help(usage_words(error), error.ctx.command_path if error.ctx is not None else "companion")


def _explain_system(error: OSError) -> tuple[str, ExitStatus] | None:
    """The same for what the operating system refused; None where that is the program's own fault."""
    if is_disk_full(error):
        what = {"path": say("the result"), "reason": system_reason(error)}
        return say("cannot write {path}: {reason}. Make room and run again", **what), ExitStatus.MISSING
    if error.errno == errno.EBADF and error.filename is None:
        return say("cannot write the result: standard output is closed"), ExitStatus.MISSING
    if error.errno in _TOO_MANY_FILES:
        return say(
            "{reason}; close other programs or raise the limit (ulimit -n)", reason=system_reason(error)
        ), ExitStatus.MISSING
    if isinstance(error, FileNotFoundError) and not _has_working_folder():
        return say("the folder you are in was deleted; change to another (cd) and run again"), ExitStatus.MISSING
    if error.errno in _UNUSABLE and error.filename is not None:
        return say(
            "cannot use {name}: {reason}", name=os.fsdecode(error.filename), reason=system_reason(error)
        ), ExitStatus.UNUSABLE_INPUT
    return None


def _has_working_folder() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _is_out_of_memory(error: Exception) -> bool:
    """Whether memory was too little: for Python, the system, OpenCV, or for loading a library."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, ImportError):
        return any(words in str(error).lower() for words in _LOADING_NEEDS_MEMORY)
    return type(error).__module__ == "cv2" and (
        getattr(error, "code", None) == _OPENCV_NO_MEMORY or "bad_alloc" in str(error)
    )


def _tell(text: str) -> None:
    said = _cut(printable(f"companion: {translate(text)}"))
    with suppress(ImportError):
        # Without rich, lines break wherever the terminal is full.
        said = fitted(said, sys.stderr)
    # The status tells it too, where nothing else can.
    with suppress(OSError):
        print(said, file=sys.stderr, flush=True)


def _cut(text: str) -> str:
    """The message at a length that somebody reads."""
    lines = [line if len(line) <= MAX_LINE_LENGTH else f"{line[: MAX_LINE_LENGTH - 1]}…" for line in text.splitlines()]
    if len(lines) > MAX_LINES:
        left_out = len(lines) - MAX_LINES
        lines[MAX_LINES:] = [translate(say_many("… and {count:,} more line", "… and {count:,} more lines", left_out))]
    return "\n".join(lines)


def _drop_unwritten() -> None:
    """Turn output away from where nothing more can be written, of which `main` has told the user where it could.

    Python tries what is left once more when it ends, and some 3.11 complain and change the exit status then.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _replace_closed() -> None:
    """Replace standard streams that are closed, so that no file opened later takes their numbers."""
    # What is written to a result that nobody gets must fail; a message that nobody reads need not.
    modes = {"stdin": ("r", os.O_RDONLY), "stdout": ("w", os.O_RDONLY), "stderr": ("w", os.O_WRONLY)}
    for name, (mode, access) in modes.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode, encoding="utf-8"))


def run() -> None:
    """Console script: run and leave with the exit status."""
    _replace_closed()
    # What is loaded stays to the end: to look through it again and again takes a tenth of a small command's time.
    gc.set_threshold(GARBAGE_AFTER)
    # OpenCV's remarks on a photo's QR code are for whoever programs it.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a fault.
            stream.reconfigure(errors="replace")
    status = main()
    interrupts.exit_immediately()
    _drop_unwritten()
    if status == ExitStatus.INTERRUPTED:
        # While it tidies up after itself Python lets go of Ctrl-C, and a second one would end it with another status.
        os._exit(status)
    # On its way out Python looks through everything again, which takes as long as to draw a page.
    gc.freeze()
    sys.exit(status)
