"""A position typed line by line, apart from any terminal; what lies face up beside the board, typed or told by taps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from companion.asking.holdings_line import read_held
from companion.asking.question import Asking, Kind, Question, ask
from companion.asking.taps import drawn_tap
from companion.errors import NotationError, UnusableInputError, fault_line, quoted
from companion.language.phrase import Phrase, joined, say, say_as, say_many
from companion.notation.files import from_document, to_document
from companion.notation.names import fold, in_english, parse_card, parse_colour, parse_djinn, tiles_in_letters
from companion.notation.records.steps import Observation, parse_observation
from companion.notation.tokens import whole_number
from companion.notation.typed import parse_typed_tile, typed_square
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.legality import problems
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, Tile, empty_tile
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, GOODS, ROW_LENGTH, Colour
from companion.rules.model.position import Player, Position, count_cards

CARDS_STEP, DJINNS_STEP, PLAYERS_STEP, LAST_STEP = range(ROWS, ROWS + 4)
"""Steps after the rows 0 to 4: the card row, the djinns, the players, and nothing more to ask."""

_KEYS = {
    "row": "row",
    "cards": "row",
    "djinns": "djinns",
    "discards": "discards",
    "to_move": "to_move",
    "move": "to_move",
    "phase": "phase",
    "bid_order": "bid_order",
    "bids": "bid_order",
    "turn_order": "turn_order",
    "turns": "turn_order",
}
_WITHOUT = re.compile(r"\b(goods|djinns)[\s:]+(?:none|0)\b", re.IGNORECASE)
_KEYWORD = re.compile(r"\b(?:goods|djinns)[\s:]+(?!none\b|0)(?=[^\W\d_])", re.IGNORECASE)
_NONE = frozenset({"none", "empty"})
_UNKNOWN = frozenset({"-", "unknown"})
# A board that is right in form, to check the other keys before the typed one is whole.
_ANY_BOARD = [" ".join([str(empty_tile("O8"))] * COLUMNS)] * ROWS


@dataclass(frozen=True, slots=True)
class PositionSheet:
    """A position half typed: `tiles` by square, None where nothing is typed yet.

    `known` holds all keys of a position file but the board; `step` is what is asked next; `doubtful` squares came from
    a photo and were not looked at since; `notes` say what of the last line was read otherwise than typed.
    """

    tiles: tuple[Tile | None, ...] = (None,) * SQUARES
    known: Mapping[str, object] = field(default_factory=dict)
    step: int = 0
    doubtful: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    @property
    def laid(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile is not None]

    @property
    def position(self) -> Position | None:
        """The position, once all thirty tiles are there."""
        if len(self.laid) < SQUARES:
            return None
        return replace(_off_board(self.known), board=tuple(self.laid))

    @property
    def players(self) -> tuple[Player, ...]:
        """What is known of the players, whatever of the board is."""
        return _off_board(self.known).players

    def row_tokens(self, row: int) -> list[str]:
        """The tokens of a row, "." where nothing is typed yet."""
        tiles = self.tiles[row * COLUMNS : (row + 1) * COLUMNS]
        return [str(tile) if tile else "." for tile in tiles]


def _off_board(known: Mapping[str, object]) -> Position:
    return from_document({**known, "board": _ANY_BOARD})


def sheet_of(position: Position, doubtful: Iterable[int] = ()) -> PositionSheet:
    """A sheet that starts from a position."""
    known = {key: value for key, value in to_document(position).items() if key not in ("board", "format")}
    return PositionSheet(tuple(position.board), known, doubtful=frozenset(doubtful))


def enter(sheet: PositionSheet, line: str) -> PositionSheet:
    """The sheet after a line: a row of tiles, a square and its tile, or a key and what it holds; "" keeps what's asked.

    Raises NotationError, with what was expected, for a line that cannot be understood.
    """
    sheet = replace(sheet, notes=())
    line = tiles_in_letters(line)
    words = _words(line)
    if not words:
        return _next_step(sheet)
    if (square := typed_square(words[0])) is not None:
        return _one_tile(sheet, square, words[1:])
    if numbered := re.fullmatch(r"\s*([1-5])[:)]\s+(.*)", line):
        return _row(sheet, int(numbered[1]) - 1, _words(numbered[2]))
    named = _words(in_english(line))
    if (key := _KEYS.get(words[0].casefold())) is not None:
        return _key(sheet, key, named[1:])
    if fold(named[0]) in set(Colour):
        return _player(sheet, parse_colour(words[0]), line.strip()[len(words[0]) :].lstrip(" :,"))
    if sheet.step < ROWS:
        return _row(sheet, sheet.step, words)
    if sheet.step == CARDS_STEP:
        return replace(_key(sheet, "row", named), step=DJINNS_STEP)
    if sheet.step == DJINNS_STEP:
        return replace(_key(sheet, "djinns", named), step=PLAYERS_STEP)
    raise NotationError(
        "{word} is neither a player's colour nor a command; ? shows what you can type", word=quoted(named[0])
    )


def _words(line: str) -> list[str]:
    return line.replace(",", " ").replace(";", " ").split()


def _next_step(sheet: PositionSheet) -> PositionSheet:
    if sheet.step >= LAST_STEP:
        return sheet
    if sheet.step < ROWS:
        if missing := sheet.row_tokens(sheet.step).count("."):
            raise NotationError(
                say_many(
                    "row {row} lacks {count} tile: type six, such as O8ggw M4 V5w@P#1 …",
                    "row {row} lacks {count} tiles: type six, such as O8ggw M4 V5w@P#1 …",
                    missing,
                    row=sheet.step + 1,
                )
            )
        row = range(sheet.step * COLUMNS, (sheet.step + 1) * COLUMNS)
        sheet = replace(sheet, doubtful=sheet.doubtful - set(row))
    return replace(sheet, step=sheet.step + 1)


def _row(sheet: PositionSheet, row: int, words: list[str]) -> PositionSheet:
    """Six tiles; "." keeps the one that is there."""
    if len(words) != COLUMNS:
        raise NotationError(
            say_many(
                "row {row}: {count} tile, but a row has {columns}",
                "row {row}: {count} tiles, but a row has {columns}",
                len(words),
                row=row + 1,
                columns=COLUMNS,
            )
        )
    first = row * COLUMNS
    tiles = list(sheet.tiles)
    wrong: list[str] = []
    notes: list[str] = []
    for square, word in enumerate(words, first):
        try:
            tiles[square], tile_notes = _typed(word, tiles[square])
            notes += tile_notes
        except NotationError as error:
            wrong.append(joined(": ", (SQUARE_NAMES[square], str(error))))
    if wrong:
        raise NotationError(joined("\n", wrong))
    step = max(sheet.step, row + 1) if row <= sheet.step else sheet.step
    doubtful = sheet.doubtful - set(range(first, first + COLUMNS))
    return replace(sheet, tiles=tuple(tiles), step=step, doubtful=doubtful, notes=tuple(notes))


def _typed(word: str, before: Tile | None) -> tuple[Tile, tuple[str, ...]]:
    if word in (".", "="):
        if before is None:
            raise NotationError("there is no tile to keep yet")
        return before, ()
    typed = parse_typed_tile(word)
    return typed.tile, typed.notes


def _one_tile(sheet: PositionSheet, typed: tuple[int, tuple[str, ...]], words: list[str]) -> PositionSheet:
    square, notes = typed
    name = SQUARE_NAMES[square]
    if len(words) != 1:
        raise NotationError("{name}: type the square and its tile, such as {name} O8ggw", name=name)
    try:
        tile, tile_notes = _typed(words[0], sheet.tiles[square])
    except NotationError as error:
        raise NotationError(joined(": ", (name, str(error)))) from None
    tiles = (*sheet.tiles[:square], tile, *sheet.tiles[square + 1 :])
    return replace(sheet, tiles=tiles, doubtful=sheet.doubtful - {square}, notes=(*notes, *tile_notes))


def _key(sheet: PositionSheet, key: str, words: list[str]) -> PositionSheet:
    known = {**sheet.known}
    if not words:
        raise NotationError("{key}: type what it holds, none if it is empty, or - if you don't know", key=key)
    if len(words) == 1 and words[0].casefold() in _UNKNOWN:
        known.pop(key, None)
    elif key in ("to_move", "phase"):
        known[key] = " ".join(words)
    elif len(words) == 1 and words[0].casefold() in _NONE:
        known[key] = []
    elif key == "turn_order":
        prices = [whole_number(word) for word in words[1::2]]
        if len(words) % 2 or None in prices:
            raise NotationError("turn_order: type colours and prices in playing order, such as pink 5 black 0")
        known[key] = [{"player": colour, "price": price} for colour, price in zip(words[::2], prices, strict=True)]
    elif key == "djinns":
        known[key] = _djinns(words)
    elif key == "bid_order":
        known[key] = words
    else:
        known[key] = [_short(word, CARD_COUNTS, parse_card) for word in words]
    return _with_known(sheet, known)


def _short(word: str, names: Iterable[str], parse: Callable[[str], str]) -> str:
    """A name, or the beginning of one that no other name shares."""
    begun = [name for name in names if fold(name).startswith(fold(word))]
    return begun[0] if len(begun) == 1 and fold(word) else parse(word)


def _djinns(words: list[str]) -> list[str]:
    # "Anun Nak" is typed as two words too.
    joined = re.sub(r"\b(anun|al) (?=nak|amin)", r"\1-", " ".join(words), flags=re.IGNORECASE)
    return [_short(word, DJINNS, parse_djinn) for word in joined.split()]


def _player(sheet: PositionSheet, colour: Colour, line: str) -> PositionSheet:
    """What lies in front of a player, as `read_line` reads it; what the line does not name stays as it is.

    The words goods and djinns may stand before what they are: "gold 41 goods fish 2 djinns Jafaar".
    """
    held = read_held(_WITHOUT.sub(r", no \1,", _KEYWORD.sub("", line)))
    values: dict[str, object] = {name: getattr(held, name) for name in ("gold", "viziers", "elders", "fakirs")}
    if held.goods is not None:
        values["goods"] = {card: count for card, count in zip(GOODS, held.goods, strict=True) if count}
    if held.djinns is not None:
        values["djinns"] = list(held.djinns)
    everyone = sheet.known.get("players")
    players = dict(everyone) if isinstance(everyone, dict) else {}
    table = {**players.get(colour.value, {}), **{name: value for name, value in values.items() if value is not None}}
    return _with_known(sheet, {**sheet.known, "players": {**players, colour.value: table}})


def _with_known(sheet: PositionSheet, known: Mapping[str, object]) -> PositionSheet:
    _off_board(known)
    return replace(sheet, known=known)


def faults(sheet: PositionSheet) -> list[str]:
    """What can't be so in a whole position, in sentences; for part of one, the counts say what there's too much of."""
    position = sheet.position
    return [] if position is None else list(map(fault_line, problems(position)))


# What lies face up, came there in a clean-up, or was drawn.


FACE_UP: dict[str, tuple[Phrase, int, str, tuple[str, ...]]] = {
    "row": (say("The cards face up in the row, from its start"), ROW_LENGTH, "card", tuple(CARD_COUNTS)),
    "djinns": (say("The djinns face up"), FACE_UP_DJINNS, "djinn", tuple(DJINNS)),
}
"""What lies face up: the words that ask for it, how many there are at most, their kind, and what they may be."""


def face_up(position: Position, key: str) -> Asking[Position]:
    """Ask for the row or the djinns, unless it is known."""
    return position if getattr(position, key) is not None else (yield from ask(face_up_question(position, key)))


def face_up_question(position: Position, key: str, taps: Sequence[str] = ()) -> Question[Position]:
    """What asks for the row or the djinns of a position, as far as `taps` tell it; its answer is the position then."""
    words, most, kind, names = FACE_UP[key]
    there = getattr(position, key)
    return Question(
        key,
        words,
        partial(_laid, position, key),
        default=say_as("of what a player holds", "not known"),
        help=say("  Names with spaces or commas between them, {most} at the beginning of a game.", most=most),
        completions=names,
        kind=Kind.ORDER,
        taps=tuple(drawn_tap(kind, name) for name in left_for(position, key)),
        left=tuple(left_for(position, key, taps) if len(taps) < most else ()),
        most=most,
        known="" if there is None else ", ".join(there) or "none",
    )


def left_for(position: Position, key: str, taps: Sequence[str] = ()) -> list[str]:
    """What can lie there besides the `taps`, by what is known of the position (rules 1)."""
    if key == "row":
        unseen = count_cards(replace(position, row=None))
        return [card for card, count in unseen.items() if count.unseen > taps.count(card)]
    elsewhere = {name for player in position.players for name in player.djinns or ()}
    return [name for name in DJINNS if name not in elsewhere and name not in taps]


def _laid(position: Position, key: str, line: str) -> Position:
    if not line:
        return position
    known = enter(sheet_of(position), f"{key} {line}").position or position
    check_possible(position, known)
    return known


def check_possible(before: Position, after: Position) -> None:
    """Raises NotationError for what an answer has put into a position that cannot be (rules 1)."""
    there = problems(before)
    if wrong := [problem for problem in problems(after) if problem not in there]:
        faults = [say("{problem} (rules {rule})", problem=problem.message, rule=problem.rule) for problem in wrong]
        raise NotationError(joined("\n", faults))


def came_up(refill: Callable[[Observation], object], taps: Sequence[str]) -> tuple[Question[Observation], bool]:
    """What asks for what came next in a clean-up that a game owes (rules 8.1), and whether that is the last.

    Cards are told in the row's order, then djinns. No taps are left once all came up. Raises CompanionError for what
    cannot have come.
    """
    came = parse_observation(in_english(", ".join(taps)))
    if len(taps) > ROW_LENGTH + FACE_UP_DJINNS:
        raise UnusableInputError("the row has no room for that many cards")

    def wanted(came: Observation) -> ChanceNeededError | None:
        try:
            refill(came)
        except ChanceNeededError as needed:
            return needed
        return None

    question, needed = Question("came", say("Is that everything?"), parse_observation, kind=Kind.ORDER), wanted(came)
    if needed is None:
        return question, True
    is_djinn = needed.wanted == "djinn"
    # What can't have come any more stays where it is, so that nothing moves under a finger.
    first = wanted(replace(came, djinns=()) if is_djinn else Observation()) or needed
    left = tuple(name for name, number in needed.options.items() if number)
    question = replace(
        question,
        words=say("Which djinn came up?") if is_djinn else say("Which card came up in the row?"),
        taps=tuple(drawn_tap(needed.wanted, name) for name, number in first.options.items() if number),
        left=left,
    )
    return question, wanted(parse_observation(", ".join((*taps, left[0])))) is None
