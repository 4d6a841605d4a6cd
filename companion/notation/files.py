"""Position files: TOML and JSON with the same keys, read strictly and written to be read again (docs/notation.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NoReturn, TypeVar

from companion.errors import NotationError, is_garbled, printable, quoted, with_odd_signs
from companion.language.phrase import joined, say, term
from companion.notation import codes
from companion.notation.names import PHASE_NAMES, by_form, fold, folded, nearest, parse_card, parse_colour, parse_djinn
from companion.notation.tokens import format_board, parse_board
from companion.rules.model.board import ROWS, Board
from companion.rules.model.components import FAKIR, GOODS, Colour
from companion.rules.model.position import Bid, Phase, Player, Position

FORMAT = 1
"""Version of the position file format that this module reads and writes."""

_LARGEST = 10**6
# Python refuses numbers of some thousand digits with a plain ValueError.
_LONG_NUMBER = say("it has a number with too many digits")
_MAX_KEYS = 100
_MAX_SHOWN_KEY = 80
_PHASES = folded(by_form(PHASE_NAMES))
_JSON_LIST = re.compile(r"\[\s*[\[\]{\"\d]")
_TOML_LINE = re.compile(r"^\s*[\w.\"'-]+[^!-~\n]*=", re.MULTILINE)
"""A key and an equals sign, with whatever can't be seen between them."""
_TILE_LIKE = re.compile(r"\b[^\W\d_]\d{1,2}(?!\d)")
_Value = TypeVar("_Value")
_Reader = Callable[[object, str], object]


def parse_position(text: str) -> Position:
    """The position in a text of any kind: TOML, JSON, a code FT1-…, or five rows of tiles; it needn't be possible.
    Raises NotationError that names the key path or the square of what is wrong.
    """
    if is_garbled(text):
        raise NotationError("the text isn't valid UTF-8; save it again as UTF-8")
    body = text.strip().removeprefix("\ufeff").strip()
    if not body:
        raise NotationError("the text is empty; expected a position file, five rows of tiles, or a code FT1-…")
    if codes.looks_like_code(body):
        return codes.decode(body)
    if body[0] == "{" or _JSON_LIST.match(body):
        return from_document(_parse_json(body))
    if _TOML_LINE.search(body):
        return from_document(parse_toml_file(body))
    # A text that speaks of a square or two isn't a board.
    if 3 * len(_TILE_LIKE.findall(body)) < len(body.split()):
        raise NotationError("neither a position file, five rows of tiles, a game record nor a code FT1-…")
    return Position(parse_board(body))


def _parse_json(text: str) -> Mapping[str, object]:
    try:
        document = json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        fault = say(
            "not well-formed JSON: {reason} at line {line}, column {column}",
            reason=parser_reason(error.msg),
            line=error.lineno,
            column=error.colno,
        )
        raise NotationError(with_odd_signs(fault, text.split("\n")[error.lineno - 1])) from None
    except RecursionError:
        raise NotationError("lists or tables nested too deeply") from None
    except ValueError:
        raise NotationError(_LONG_NUMBER) from None
    if not isinstance(document, dict):
        raise NotationError(
            'a position file is a table of keys such as "board", not {document}', document=_kind(document)
        )
    return document


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise NotationError("{key_path}: given twice", key_path=_key_path(key))
        table[key] = value
    return table


def _no_constant(name: str) -> NoReturn:
    raise NotationError("{name} is not a number that a position can have", name=name)


def from_document(document: Mapping[str, object]) -> Position:
    """The position of a table of keys, as of JSON or TOML; only `board` is required, and `companion setup`'s keys are
    not used. Raises NotationError with every fault and its key's path.
    """
    if document.get("board") is None:
        if "score_sheet" in document:
            raise NotationError("this is a score sheet without a board; only companion score FILE reads those")
        unknown = [key for key in document if key not in _KEYS][:_MAX_KEYS]
        meant = (key for key in unknown if nearest(key, ["board"]))
        guess = joined("", (say("; {key} is unknown, did you mean 'board'?", key=quoted(key)) for key in meant))
        raise NotationError("board: missing; it's the one key that every position file needs{guess}", guess=guess)
    values = _read_table(document, "", _KEYS)
    return Position(**{key: value for key, value in values.items() if key not in ("format", "seed", "fair")})


def _read_table(table: Mapping[str, object], path: str, readers: Mapping[str, _Reader]) -> dict[str, Any]:
    """Every key read by its reader; null is as if the key were not there. All faults are told together."""

    def read(key: str, value: object) -> tuple[str, object]:
        at = joined(".", (path, _key_path(key))) if path else _key_path(key)
        if key not in readers:
            guess = nearest(key, readers) or say("; the keys are {readers}", readers=joined(", ", readers))
            raise NotationError("{at}: unknown key{guess}", at=at, guess=guess)
        return key, None if value is None else readers[key](value, at)

    _check_size(table, path or say("the file"))
    values = _collected(partial(read, key, value) for key, value in table.items())
    return {key: value for key, value in values if value is not None}


def _check_size(table: Mapping[str, object], path: str) -> None:
    if len(table) > _MAX_KEYS:
        raise NotationError("{path}: too many keys ({number})", path=path, number=len(table))


def _collected(reads: Iterable[Callable[[], _Value]]) -> list[_Value]:
    """What each read gives. Raises NotationError with the faults of all of them, a line each."""
    values: list[_Value] = []
    faults: list[str] = []
    for read in reads:
        try:
            values.append(read())
        except NotationError as error:
            faults.append(str(error))
    if faults:
        raise NotationError(joined("\n", faults))
    return values


def _key_path(path: str) -> str:
    """A path of keys as it stands in messages: short, and without what a terminal would obey."""
    shown = printable(path)
    return shown if len(shown) <= _MAX_SHOWN_KEY else shown[:_MAX_SHOWN_KEY] + "…"


_KINDS: dict[type, str] = {
    type(None): "null",
    bool: say("true or false"),
    int: say("a number"),
    float: say("a decimal number"),
    str: say("text"),
    list: say("a list"),
    dict: say("a table"),
}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), say("a date or time"))


def _expect(value: object, wanted: type[_Value], path: str, what: str) -> _Value:
    if not isinstance(value, wanted) or isinstance(value, bool):
        raise NotationError("{path}: expected {what}, found {found}", path=path, what=what, found=_kind(value))
    return value


def _number(value: object, path: str) -> int:
    number = _expect(value, int, path, say("a whole number"))
    if number < 0:
        raise NotationError(
            "{path}: {number} is negative; leave out anything you don't know",
            path=path,
            number=number if number > -_LARGEST else say("the number"),
        )
    if number > _LARGEST:
        raise NotationError("{path}: the number is too large", path=path)
    return number


def _named(what: str, parse: Callable[[str], _Value]) -> Callable[[object, str], _Value]:
    def read(value: object, path: str) -> _Value:
        text = _expect(value, str, path, what)
        try:
            return parse(text)
        except NotationError as error:
            raise NotationError(joined(": ", (path, str(error)))) from None

    return read


_card = _named(say("a card's name"), parse_card)
_djinn = _named(say("a djinn's name"), parse_djinn)
_colour = _named(say("a player's colour"), parse_colour)


def _list_of(what: str, read: _Reader) -> _Reader:
    def read_all(value: object, path: str) -> tuple[object, ...]:
        items = _expect(value, list, path, say("a list of {what}", what=what))
        if len(items) > 100:
            raise NotationError("{path}: too many entries ({number})", path=path, number=len(items))
        numbered = ((item, say("{path}, no. {number}", path=path, number=at)) for at, item in enumerate(items, 1))
        return tuple(_collected(partial(read, item, at) for item, at in numbered))

    return read_all


def _format(value: object, path: str) -> int:
    version = _number(value, path)
    if version != FORMAT:
        known = (
            say("a newer version of the program may read it")
            if version > FORMAT
            else say("this program reads format {format}", format=FORMAT)
        )
        raise NotationError(
            "{path}: can't read position files of format {version}; {known}", path=path, version=version, known=known
        )
    return version


def _board(value: object, path: str) -> Board:
    if isinstance(value, list):
        numbered = ((say("{path}, row {number}", path=path, number=at), row) for at, row in enumerate(value, 1))
        rows = [_expect(row, str, at, say("text")) for at, row in numbered]
        if len(rows) != ROWS:
            raise NotationError("{path}: expected {rows} rows, found {number}", path=path, rows=ROWS, number=len(rows))
        value = "\n".join(rows)
    return _named(say("text with five rows of tiles"), parse_board)(value, path)


def _phase(value: object, path: str) -> Phase:
    text = _expect(value, str, path, say("a phase")).strip().casefold()
    if (phase := _PHASES.get(fold(text))) is None:
        raise NotationError("{path}: {text} is not a phase; expected bid, turn or end", path=path, text=quoted(text))
    return phase


def _bid(value: object, path: str) -> Bid:
    readers: dict[str, _Reader] = {"player": _colour, "price": _number}
    given = _expect(value, dict, path, say("a table such as {example}", example='{ player = "pink", price = 5 }'))
    table = _read_table(given, path, readers)
    missing = [key for key in readers if key not in table]
    if len(missing) == 1:
        raise NotationError("{path}: {key} is missing", path=path, key=missing[0])
    if missing:
        raise NotationError("{path}: {keys} are missing", path=path, keys=joined(say(" and "), missing))
    return Bid(table["player"], table["price"])


def _goods(value: object, path: str) -> tuple[int, ...]:
    counts: dict[str, int] = {}

    def read(key: str, number: object) -> None:
        card, at = _card(key, path), joined(".", (path, _key_path(key)))
        count = _number(number, at)
        if card == FAKIR:
            raise NotationError(
                "{at}: fakirs are not goods; write fakirs = {number} next to goods", at=at, number=count
            )
        if card in counts:
            raise NotationError("{at}: {what} given twice", at=at, what=card)
        counts[card] = count

    table = _expect(value, dict, path, say("a table such as {example}", example="{ ivory = 1 }"))
    _check_size(table, path)
    _collected(partial(read, key, number) for key, number in table.items())
    return tuple(counts.get(good, 0) for good in GOODS)


def _players(value: object, path: str) -> tuple[Player, ...]:
    players: dict[Colour, Player] = {}

    def read(key: str, held: object) -> None:
        at = joined(".", (path, _key_path(key)))
        colour = _colour(key, path)
        if colour in players:
            raise NotationError("{at}: {what} given twice", at=at, what=colour)
        table = _expect(held, dict, at, say("a table such as {example}", example="{ gold = 41 }"))
        known = _read_table(table, at, _PLAYER_KEYS)
        players[colour] = Player(colour, **known)

    table = _expect(value, dict, path, say("a table of players by colour"))
    _check_size(table, path)
    _collected(partial(read, key, held) for key, held in table.items())
    return tuple(players[colour] for colour in Colour if colour in players)


_KEYS: dict[str, _Reader] = {
    "format": _format,
    "board": _board,
    "row": _list_of(term("cards", plural=True), _card),
    "djinns": _list_of(term("djinns", plural=True), _djinn),
    "to_move": _colour,
    "phase": _phase,
    "bid_order": _list_of(say("colours"), _colour),
    "turn_order": _list_of(say("bids"), _bid),
    "discards": _list_of(term("cards", plural=True), _card),
    "players": _players,
    # What `companion setup` tells of a set-up beside it.
    "seed": lambda seed, path: seed if isinstance(seed, str) else _expect(seed, int, path, say("a number or text")),
    "fair": lambda value, path: _expect(value, dict, path, say("a table")),
}
_PLAYER_KEYS: dict[str, _Reader] = {
    **dict.fromkeys(("gold", "viziers", "elders", "fakirs"), _number),
    "goods": _goods,
    "djinns": _KEYS["djinns"],
}


def to_document(position: Position) -> dict[str, object]:
    """The position as plain lists, tables, numbers and text, ready for JSON; what is unknown is left out."""
    keys = ("row", "djinns", "to_move", "phase", "bid_order", "turn_order", "discards")
    document = {"format": FORMAT, "board": format_board(position.board), **_known(position, keys)}
    if position.players:
        document["players"] = {player.colour.value: _known(player, _PLAYER_KEYS) for player in position.players}
    return document


def _known(thing: Position | Player, keys: Iterable[str]) -> dict[str, object]:
    values = ((key, getattr(thing, key)) for key in keys)
    return {key: _plain(key, value) for key, value in values if value is not None}


def _plain(key: str, value: Any) -> object:
    if key == "goods":
        return {card: count for card, count in zip(GOODS, value, strict=True) if count}
    if key == "turn_order":
        return [{"player": bid.colour.value, "price": bid.price} for bid in value]
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return str(value) if isinstance(value, str) else value


def format_position(position: Position, suffix: str) -> str:
    """The position as a file whose name ends in `suffix`: JSON for ".json", TOML for anything else."""
    return format_json(position) if suffix.lower() == ".json" else format_toml(position)


def format_json(position: Position) -> str:
    """The position as a JSON file that `parse_position` reads back to the same position."""
    return json.dumps(to_document(position), ensure_ascii=False, indent=1) + "\n"


def format_toml(position: Position) -> str:
    """The position as a TOML file that `parse_position` reads back to the same; players are at its end."""
    document = to_document(position)
    lines = [f"format = {document['format']}", 'board = """', str(document["board"]), '"""']
    others = {key: value for key, value in document.items() if key not in ("format", "board", "players")}
    lines += [f"{key} = {_toml(value)}" for key, value in others.items()]
    players = document.get("players", {})
    assert isinstance(players, dict)
    for colour, table in players.items():
        lines += ["", f"[players.{colour}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # Names hold no character that TOML and JSON would quote differently.
    return json.dumps(value, ensure_ascii=False)


MAX_LETTERS = 300_000
"""Letters of a whole text; one that somebody wrote has some thousands."""

_REASONS = {
    "Invalid statement": say("this is not a key"),
    "Invalid value": say("this is not a value"),
    "Expected '=' after a key in a key/value pair": say("expected an equals sign after the key"),
    "Expected newline or end of document after a statement": say("there is something after the value"),
    "Unclosed array": say("a list is not closed"),
    "Unclosed inline table": say("a table in braces is not closed"),
    "Unterminated string": say("a piece of text is not closed"),
    "Cannot overwrite a value": say("a key is given twice"),
    "Expecting value": say("this is not a value"),
    "Expecting property name enclosed in double quotes": say("expected a key in double quotes"),
    "Expecting ':' delimiter": say("expected a colon"),
    "Expecting ',' delimiter": say("expected a comma"),
    "Extra data": say("there is something after the end"),
    "Unterminated string starting at": say("a piece of text is not closed"),
    "Illegal trailing comma before end of object": say("there is a comma after the last entry"),
    "Illegal trailing comma before end of array": say("there is a comma after the last entry"),
}
"""What Python's readers of TOML and JSON find most often, for people."""
_PLACED = re.compile(r"(?P<reason>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


def parser_reason(said: str) -> str:
    """What a reader of TOML or JSON has to say of a text, as people read it."""
    return _REASONS.get(said, said)


def _fault(said: str) -> str:
    match = _PLACED.fullmatch(said)
    if match is None:
        return parser_reason(said)
    reason = parser_reason(match["reason"])
    if match["line"] is None:
        return say("{reason} (at the end of the text)", reason=reason)
    return say("{reason} (at line {line}, column {column})", reason=reason, line=match["line"], column=match["column"])


def parse_toml(text: str) -> dict[str, object]:
    """The tables and keys of a text. Raises NotationError, with the line, if it is not TOML that somebody wrote."""
    if len(text) > MAX_LETTERS:
        raise NotationError(
            "it has {number:,} letters, and at most {most:,} are allowed", number=len(text), most=MAX_LETTERS
        )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotationError("lists or tables nested too deeply") from None
    except ValueError as error:
        # Of TOML itself, or of a number or date that there is not.
        at = re.search(r"at line (\d+)", str(error))
        wrong = text.split("\n")[int(at[1]) - 1] if at else ""
        raise NotationError(with_odd_signs(_fault(str(error)), wrong)) from None


def parse_toml_file(text: str) -> dict[str, object]:
    """The same, for a whole file: the fault says that it's one of TOML."""
    try:
        return parse_toml(text)
    except NotationError as error:
        raise NotationError("not well-formed TOML: {error}", error=error) from None
