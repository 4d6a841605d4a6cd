"""What is tried: command lines with the files, typed lines and kept data that they meet, all spoilt, by class."""

from __future__ import annotations

import io
import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
import qrcode
from PIL import Image

from companion.notation import codes
from companion.notation.files import format_json, parse_position
from companion.system.installation import template_path
from tests.fuzz.photos import mutated, sources
from tests.fuzz.spoiling import HOSTILE, spoilt
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TYPED = {
    name: tuple(lines.split("\n"))
    for name, lines in tomllib.loads(Path(__file__).with_name("typed.toml").read_text(encoding="utf-8")).items()
}
"""Lines that people type, by conversation, and the commands and options of the command line."""

FONTS = Path(__file__).resolve().parents[2] / "companion" / "printing" / "fonts"


@dataclass(frozen=True, slots=True)
class Case:
    """A command as it is run in a folder of its own.

    `files` lie in that folder, `kept` in the user's data folder; `outputs` are the names that it may write.
    `broken_off` is a conversation held before, whose draft is spoilt by chance (`spoil` is the seed).
    """

    words: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    kept: dict[str, bytes] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    broken_off: Case | None = None
    spoil: int = 0


def _sample(rng: random.Random) -> str:
    return rng.choice(("start", "mid", "end", "evening"))


@cache
def _text(name: str) -> bytes:
    return (SAMPLES / f"{name}.toml").read_bytes()


@cache
def _as_json(name: str) -> bytes:
    return format_json(parse_position(_text(name).decode())).encode()


@cache
def _code(name: str) -> str:
    return codes.encode(parse_position(_text(name).decode()))


@cache
def _board(name: str) -> bytes:
    return format_board_rows(name).encode()


def format_board_rows(name: str) -> str:
    """The five rows of a sample's board."""
    from companion.notation.tokens import format_board

    return format_board(parse_position(_text(name).decode()).board)


def _reading_command(rng: random.Random, source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A command that reads a position, quick ones more often, and the names of what it writes."""
    ways: tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...] = (
        (8, ("check", source), ()),
        (4, ("check", source, "--json"), ()),
        (8, ("show", source), ()),
        (4, ("show", source, "--json"), ()),
        (4, ("score", source), ()),
        (3, ("score", source, "--json", "--final"), ()),
        (2, ("score", source, "-o", "out.toml"), ("out.toml",)),
        (1, ("score", source, "--pdf", "out.pdf", "--bgstats"), ("out.pdf",)),
        (2, ("moves", source), ()),
        (1, ("hint", source, "--top", "2", "--playouts", "60"), ()),
        (1, ("hint", source, "--json", "--playouts", "60"), ()),
        (1, ("hint", source, "--playouts", "60"), ()),
        (1, ("hint", source, "--playouts", "60", "--picture", "out.png"), ("out.png",)),
        (2, ("bid", source, "--playouts", "60"), ()),
        (1, ("setup", "--template", source, "-o", "out.pdf"), ("out.pdf",)),
        (1, ("replay", source), ()),
        (1, ("learn", source), ()),
    )
    _, words, outputs = rng.choices(ways, weights=[weight for weight, _, _ in ways])[0]
    return words, outputs


def position(rng: random.Random) -> Case:
    """Position files in TOML and JSON."""
    name = _sample(rng)
    ending, content = rng.choice((("toml", _text(name)), ("json", _as_json(name))))
    words, outputs = _reading_command(rng, f"in.{ending}")
    return Case(words, {f"in.{ending}": spoilt(rng, content)}, outputs=outputs)


def board(rng: random.Random) -> Case:
    """Rows of tiles alone, in a file or from standard input."""
    content = spoilt(rng, _board(_sample(rng)))
    words, outputs = _reading_command(rng, rng.choice(("in.txt", "-")))
    return Case(words, {"in.txt": content}, stdin=content, outputs=outputs)


def forged(rng: random.Random, code: str) -> str:
    """A code with other letters and check letters that fit them."""
    letters = codes._letters(code)[: -codes.CHECK_LETTERS]
    values = [codes.LETTERS.index(letter) for letter in letters]
    for _ in range(rng.choice((1, 1, 3, 30))):
        way, place = rng.randrange(4), rng.randrange(len(values))
        if way < 2:
            values[place] = rng.randrange(32)
        elif way == 2:
            del values[place:]
        else:
            values.insert(place, rng.randrange(32))
        values = values or [0]
    check = codes._polymod((*codes._PREFIX_VALUES, *values, *(0,) * codes.CHECK_LETTERS)) ^ codes._TARGET
    values += [check >> 5 * (codes.CHECK_LETTERS - 1 - place) & 31 for place in range(codes.CHECK_LETTERS)]
    return codes.PREFIX + "".join(codes.LETTERS[value] for value in values)


def code(rng: random.Random) -> Case:
    """Position codes: damaged, and forged with check letters that fit."""
    text = _code(_sample(rng))
    text = forged(rng, text) if rng.random() < 0.6 else spoilt(rng, text.encode()).decode("utf-8", "surrogateescape")
    words, outputs = _reading_command(rng, text)
    return Case(words, outputs=outputs)


def record(rng: random.Random) -> Case:
    """Game records, played back, gone on with, or read as positions."""
    lines = THREE_ROUNDS.read_bytes().split(b"\n")
    content = spoilt(rng, b"\n".join(lines[: rng.randrange(7, len(lines))]) + b"\n")
    choice = rng.randrange(6)
    if choice < 2:
        return Case(("replay", "game.txt"), {"game.txt": content})
    if choice == 2:
        output = rng.choice(("out.toml", "out.json"))
        to = str(rng.randrange(1, 30))
        return Case(("replay", "game.txt", "--to", to, "-o", output), {"game.txt": content}, outputs=(output,))
    if choice == 3:
        stdin = b"\n".join(_line(rng, "play") for _ in range(5)) + b"\nquit\n"
        return Case(("play", "game.txt", "--resume"), {"game.txt": content}, stdin, outputs=("game.txt",))
    words, outputs = _reading_command(rng, "game.txt")
    return Case(words, {"game.txt": content}, outputs=outputs)


def play(rng: random.Random) -> Case:
    """Lines typed into a game that begins."""
    lines = [
        spoilt(rng, _line(rng, "play")) if rng.random() < 0.25 else _line(rng, "play") for _ in range(rng.randrange(30))
    ]
    words = ["play", "game.txt", "--players", str(rng.randrange(2, 5)), "--seed", str(rng.randrange(50))]
    if rng.random() < 0.3:
        words += ["--names", spoilt(rng, b"pink=Anna,black=Boris,blue=C").decode("utf-8", "surrogateescape")]
    if rng.random() < 0.2:
        words += ["--place", spoilt(rng, "Київ".encode()).decode("utf-8", "surrogateescape")]
    end = rng.choice((b"\nquit\n", b"", b"\n"))
    return Case(tuple(words), stdin=b"\n".join(lines) + end, outputs=("game.txt",))


def _line(rng: random.Random, conversation: str) -> bytes:
    lines: tuple[str, ...] = TYPED[conversation]
    return rng.choice(lines).encode()


def _typed(rng: random.Random, conversation: str, most: int) -> bytes:
    chosen = [_line(rng, conversation) for _ in range(rng.randrange(most))]
    return b"\n".join(spoilt(rng, line) if rng.random() < 0.3 else line for line in chosen) + rng.choice((b"\n", b""))


def edit(rng: random.Random) -> Case:
    """Lines typed into `edit`, from nothing or from a position."""
    rows = [spoilt(rng, row) if rng.random() < 0.15 else row for row in _board(_sample(rng)).split(b"\n")]
    words, files = ["edit", "-o", "out.toml"], {}
    if rng.random() < 0.5:
        files["in.toml"] = _text(_sample(rng))
        words.append("in.toml")
        rows = []
    stdin = b"\n".join(rows) + b"\n" + _typed(rng, "edit", 15) + b"\ndone\n"
    return Case(tuple(words), files, stdin, outputs=("out.toml",))


def score(rng: random.Random) -> Case:
    """Answers typed into `score --ask`, with a board and without."""
    words = ["score", "--ask"]
    files = {}
    if rng.random() < 0.5:
        files["in.toml"] = _text(_sample(rng))
        words.append("in.toml")
    if rng.random() < 0.2:
        words += ["--names", spoilt(rng, b"pink=Anna,black=Boris").decode("utf-8", "surrogateescape")]
    outputs: tuple[str, ...] = ()
    if rng.random() < 0.3 and files:
        words += ["-o", "out.json"]
        outputs = ("out.json",)
    return Case(tuple(words), files, _typed(rng, "score", 60), outputs=outputs)


def holdings(rng: random.Random) -> Case:
    """A line a player typed into `hint --ask`."""
    lines = _typed(rng, "score", 8)
    files = {"in.toml": _text(rng.choice(("mid", "evening"))).split(b"[players")[0]}
    return Case(("hint", "--ask", "in.toml", "--top", "1", "--playouts", "60"), files, lines)


PHOTO_COMMANDS = (
    ("read", "in"),
    ("read", "in", "--json"),
    ("show", "in"),
    ("check", "in"),
    ("score", "in"),
    ("learn", "in"),
    ("edit", "in", "-o", "out.toml"),
)


def photo(rng: random.Random) -> Case:
    """Photos in every format that is read, cut off or damaged."""
    name, content = rng.choice(list(sources().items()))
    content = content[: rng.randrange(len(content))] if rng.random() < 0.3 else mutated(rng, [content])
    words = rng.choice(PHOTO_COMMANDS)
    file = f"in.{name.split()[-1]}"
    return Case(tuple(file if word == "in" else word for word in words), {file: content}, outputs=("out.toml",))


def qr(rng: random.Random) -> Case:
    """Pictures that show a QR code with anything in it."""
    payload = rng.choice(
        (
            spoilt(rng, _code("start").encode()),
            forged(rng, _code(_sample(rng))).encode(),
            rng.choice(HOSTILE)[:300],
            b"https://example.org/" + rng.choice(HOSTILE)[:100],
            bytes(rng.randrange(256) for _ in range(rng.randrange(1, 100))),
        )
    )
    drawn = qrcode.QRCode(box_size=6, border=6)
    drawn.add_data(payload)
    drawn.make()
    cells = np.kron(np.where(np.array(drawn.get_matrix()), 0, 255).astype(np.uint8), np.ones((6, 6), np.uint8))
    picture = np.full((700, 900, 3), (120, 150, 170), np.uint8)
    height, width = min(cells.shape[0], 700), min(cells.shape[1], 900)
    picture[:height, :width] = cells[:height, :width, None]
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG")
    return Case((rng.choice(("read", "show", "check", "hint")), "qr.png"), {"qr.png": stream.getvalue()})


def template(rng: random.Random) -> Case:
    """Templates of all prints."""
    name, words = rng.choice(
        (
            ("setup_card.toml", ("setup", "--seed", "1")),
            ("score_sheet.toml", ("sheet",)),
            ("score_sheet.toml", ("score", "end.toml", "--pdf", "out.pdf")),
            ("reference_cards.toml", ("cards", "--only", "Utug,goods")),
        )
    )
    content = spoilt(rng, template_path(name).read_bytes())
    given: tuple[str, ...] = (*words, "--template", "own.toml", "--lang", rng.choice(("en", "ru", "uk", "it")))
    if "--pdf" not in given:
        given = (*given, "-o", "out.pdf")
    return Case(given, {"own.toml": content, "end.toml": _text("end")}, outputs=("out.pdf",))


def kept(rng: random.Random) -> Case:
    """What lies in the user's data folder: tiles."""
    commands = (("learn", "--show"), ("learn", "--show", "--json"), ("learn", "--forget"))
    return Case(rng.choice(commands), kept={"tiles.npz": spoilt(rng, b"PK\x03\x04 no tiles")})


def draft(rng: random.Random) -> Case:
    """Drafts of conversations that were broken off, gone on with."""
    files = {"in.toml": _text("mid")}
    words, first = rng.choice(
        (
            (("edit", "-o", "out.toml"), _board("start")[:120] + b"\n" + _typed(rng, "edit", 4)),
            (("edit", "in.toml", "-o", "out.toml"), _typed(rng, "edit", 4)),
            (("score", "--ask"), b"pink Anna, black Boris\n41\n2\n" + _typed(rng, "score", 4)),
            (("score", "--ask", "in.toml"), b"41\n2\n" + _typed(rng, "score", 4)),
            (("hint", "--ask", "in.toml", "--top", "1", "--playouts", "60"), _typed(rng, "score", 3)),
        )
    )
    going_on = tuple(word for word in words if word != "in.toml" or words[0] != "edit")
    typed = _typed(rng, "edit" if words[0] == "edit" else "score", 4)
    begun = Case(words, stdin=first)
    return Case((*going_on, "--resume"), files, typed, {}, ("out.toml",), begun, rng.randrange(10**6))


def font(rng: random.Random) -> Case:
    """Fonts of the user's own, for letters that the bundled ones have not."""
    content = mutated(rng, [(FONTS / "DejaVuSans.ttf").read_bytes()])
    name = rng.choice(("NanumGothic.ttf", "x.ttf", "bold.TTF"))
    names = rng.choice(("이순신,B", "کمال", "王", "Ωμέγα,★"))
    words = ("sheet", "--names", names, "--font-dir", "fonts", "-o", "out.pdf")
    return Case(words, {f"fonts/{name}": content}, outputs=("out.pdf",))


def options(rng: random.Random) -> Case:
    """Command lines of any options with any values."""
    names = (
        "in.toml in.txt nothing - . /dev/null loop folder folder/ in.toml/x out.toml out.pdf out.png @in.toml ~/x $HOME"
    )
    others = (
        "pink pink=Anna Anna,Boris black=in.toml 2 4 0 -1 99999999999999999999 x en ko a4 nan é -- -o always % $HOME"
    )
    values = (*names.split(), *others.split(), "", "a" * 300, "\x1b[31m", "\udcff")
    words = [rng.choice(TYPED["commands"])]
    for _ in range(rng.randrange(7)):
        words.append(rng.choice(TYPED["options"]) if rng.random() < 0.5 else rng.choice(values))
        if rng.random() < 0.1:
            words[-1] = spoilt(rng, words[-1].encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
    if rng.random() < 0.05:
        words = words[1:]
    files = {"in.toml": _text("end"), "in.txt": b"hello", "folder/x": b"", "loop": b"->loop"}
    outputs = ("out.toml", "out.pdf", "out.png", "score_sheet.pdf", "setup.pdf")
    return Case(tuple(words), files, b"quit\n" * 3, outputs=(*outputs, "*"))


def stdin(rng: random.Random) -> Case:
    """Anything on standard input."""
    content = rng.choice(
        (
            bytes(rng.randrange(256) for _ in range(rng.randrange(200))),
            rng.choice(HOSTILE) * rng.choice((1, 50)),
            b"\xff\xd8\xff" + bytes(rng.randrange(256) for _ in range(300)),
            b"\x89PNG\r\n\x1a\n" + bytes(300),
            spoilt(rng, _text("mid")),
            spoilt(rng, _as_json("mid")),
            spoilt(rng, _code("mid").encode()),
            spoilt(rng, THREE_ROUNDS.read_bytes()),
            "board = 'x'\n".encode(rng.choice(("utf-16", "utf-32", "utf-8-sig", "cp1252"))),
        )
    )
    words, outputs = _reading_command(rng, "-")
    if rng.random() < 0.1:
        words, outputs = ("read", "-"), ()
    return Case(words, {}, content, outputs=outputs)


CLASSES: dict[str, tuple[int, Callable[[random.Random], Case]]] = {
    "position": (32, position),
    "board": (20, board),
    "code": (24, code),
    "record": (20, record),
    "play": (10, play),
    "edit": (16, edit),
    "score": (16, score),
    "holdings": (6, holdings),
    "photo": (7, photo),
    "qr": (1, qr),
    "template": (12, template),
    "kept": (6, kept),
    "draft": (8, draft),
    "font": (5, font),
    "options": (24, options),
    "stdin": (16, stdin),
}
"""The classes of inputs: how often each is tried, in proportion, and what makes one."""


def make(seed: int, number: int, only: str | None = None) -> tuple[str, Case]:
    """The case of that number and its class: the same for the same numbers, whatever was tried before."""
    rng = random.Random(f"{seed}:{number}")
    names = list(CLASSES)
    kind = rng.choices(names, weights=[CLASSES[name][0] for name in names])[0]
    kind = only or kind
    case = CLASSES[kind][1](rng)
    # No system hands over an argument with a zero in it.
    return kind, replace(case, words=tuple(word.replace("\0", "") for word in case.words))
