"""How often the phone page is tapped until a photo's position is right: `python -m tests.web.taps FOLDER ...`

A player of the page who knows the truth sends each photo of a folder whose truth lies beside it
(`companion.lab.accuracy.scores.find_truths`), sees what the page offers, and taps: a reading that is offered, or a tile
on the photo, then pluses and minuses and the button; last the button that takes the position. The position that the
game then has must be the truth. Once the player lets one tap say that all the rest is right, once each tile in doubt
is confirmed by itself; and once the photo is of a game whose turns were all told.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from statistics import median

from companion.lab.accuracy.scores import find_truths
from companion.language.catalogue import translate
from companion.notation.codes import encode
from companion.notation.tokens import format_tile, parse_tile
from companion.printing.hint.fragments import square_words
from companion.progress import TellShare
from companion.rules.model.board import SQUARE_NAMES, SQUARES, Board, Tile
from companion.rules.model.components import TRIBE_LETTERS
from companion.rules.model.position import Position
from companion.table.games import open_table
from companion.table.photos import SeenTable
from companion.table.seeing import see_photos
from tests.web.at_table import AtTable, Phone


@lru_cache(maxsize=4)
def _read(photo: bytes, board: str) -> SeenTable:
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(photo)
        file.flush()
        return see_photos([file.name], False, board, lambda share, stage: None)


def seen_photo(files: list[str], own_set: bool, board: str, tell: TellShare) -> SeenTable:
    """A photo read as the server reads it, once for both ways of playing."""
    assert not own_set, "by nobody's own pieces"
    return _read(Path(files[0]).read_bytes(), board)


@dataclass
class ShownForm:
    """A form of a page: what it sends as it stands, and its buttons with what each sends besides.

    `folded`: something has to be opened first to see it.
    """

    action: str
    folded: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    steppers: set[str] = field(default_factory=set)
    choices: dict[str, set[str]] = field(default_factory=dict)


class ShownPage(HTMLParser):
    """What a page has to tap: forms by address, and the tiles of the photo with what is read out of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[ShownForm] = []
        self.tiles: dict[str, str] = {}
        self._by_id: dict[str, ShownForm] = {}
        self._form: ShownForm | None = None
        self._details: list[bool] = []
        self.feed(html)

    def form(self, end: str) -> ShownForm:
        """The only form that is sent to an address of this end, but for those that offer a reading."""
        forms = [form for form in self.forms if form.action.endswith(end)]
        (found,) = [form for form in forms if all(name != "tile" for name, _ in form.buttons)]
        return found

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what a tag gives to tap."""
        given = {name: value or "" for name, value in attributes}
        form = self._by_id[given["form"]] if "form" in given else self._form
        if tag == "form":
            self._form = ShownForm(given["action"], any(self._details))
            self.forms.append(self._form)
            if "id" in given:
                self._by_id[given["id"]] = self._form
        elif tag == "details":
            self._details.append("open" not in given)
        elif tag == "a" and "data-square" in given:
            self.tiles[given["data-square"]] = given["aria-label"]
        elif form is None:
            return
        elif tag == "input" and given.get("type") in ("radio", "checkbox"):
            form.choices.setdefault(given["name"], set()).add(given["value"])
            if "checked" in given:
                form.fields[given["name"]] = given["value"]
        elif tag == "input":
            form.fields[given["name"]] = given.get("value", "")
            if given.get("type") == "number":
                form.steppers.add(given["name"])
        elif tag == "button" and given.get("type") != "button":
            form.buttons.append((given.get("name", ""), given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        """A form is over, or what can be opened."""
        if tag == "form":
            self._form = None
        elif tag == "details":
            self._details.pop()


@dataclass(frozen=True)
class Taps:
    """What a photo asked of its player: tiles to look at, tiles read wrongly, those of them not in doubt, and taps."""

    looked_at: int
    wrong: int
    unflagged: int
    taps: int


class Player:
    """Somebody at a phone who knows what lies on the table; `careful` confirms each tile in doubt by itself."""

    def __init__(self, phone: Phone, reading: str, truth: Board, *, careful: bool) -> None:
        self._phone = phone
        self._reading = reading
        self._careful = careful
        self._taps = 0
        page = self._look()
        self._truth = max((truth, truth[::-1]), key=lambda board: -len(_wrong(page, board)))

    def play(self) -> Taps:
        """Tap until the position is right and taken."""
        page = self._look()
        wrong, asked = _wrong(page, self._truth), _asked(page)
        for name in asked:
            if name in wrong:
                self._answer(name)
            elif self._careful:
                self._send(*asked[name][0])
        for name in wrong:
            if name not in asked:
                self._answer(name)
        # What is told of one tile may make something else of another that was right, while that is in doubt.
        for _ in SQUARE_NAMES:
            page = self._look()
            if not (since := _wrong(page, self._truth)):
                break
            self._answer(since[0])
        assert not since, "all that was wrong is told"
        taking = page.form("accept")
        # The first button is the one that says that the rest is right, where there is a rest.
        self._tap(taking, taking.buttons[0])
        return Taps(len(asked), len(wrong), len(set(wrong) - set(asked)), self._taps)

    def _answer(self, name: str) -> None:
        true = self._truth[SQUARE_NAMES.index(name)]
        offered = [(form, tile) for form, tile in _asked(self._look()).get(name, []) if tile == true]
        if offered:
            self._send(*offered[0])
        else:
            # "Something else", or the tile on the photo.
            self._taps += 1
            self._tell(name, true)

    def _tell(self, name: str, true: Tile) -> None:
        """On a tile's own page: what is offered there, else piece by piece."""
        page = ShownPage(self._get(f"{self._reading}/tiles/{name}"))
        offered = [(form, tile) for form, tile in _offers(page, name) if tile == true]
        if offered:
            self._send(*offered[0])
            return
        form = page.form(f"/tiles/{name}")
        wanted = dict(zip(TRIBE_LETTERS, map(str, true.meeples), strict=True))
        wanted |= {"palms": str(true.palms), "palaces": str(true.palaces)}
        assert set(wanted) == form.steppers
        self._taps += sum(abs(int(wanted[one]) - int(form.fields[one])) for one in wanted)
        chosen = {"camel": true.camel.value if true.camel else "", "kind": true.kind.code}
        assert all(value in form.choices[one] for one, value in chosen.items())
        self._taps += sum(form.fields[one] != value for one, value in chosen.items())
        form.fields |= wanted | chosen
        self._tap(form, form.buttons[0])

    def _send(self, form: ShownForm, tile: Tile) -> None:
        offered = [button for button in form.buttons if button[0] == "tile"]
        self._tap(form, next(button for button in offered if parse_tile(button[1]) == tile))

    def _tap(self, form: ShownForm, button: tuple[str, str]) -> None:
        self._taps += 1 + form.folded
        answer = self._phone.post(form.action, form.fields | ({button[0]: button[1]} if button[0] else {}))
        assert answer.status_code == 303, answer.text

    def _look(self) -> ShownPage:
        return ShownPage(self._get(self._reading))

    def _get(self, path: str) -> str:
        answer = self._phone.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text


def _wrong(page: ShownPage, truth: Board) -> list[str]:
    """The tiles of the photo that are read out otherwise than they are."""
    said = {name: translate(square_words(at, truth[at]), "en") for at, name in enumerate(SQUARE_NAMES)}
    assert len(page.tiles) == SQUARES
    return [name for name, words in page.tiles.items() if words.partition(";")[0] != said[name]]


def _asked(page: ShownPage) -> dict[str, list[tuple[ShownForm, Tile]]]:
    """The tiles that are to be looked at, in the page's order, each with the readings to tap: the first is as read."""
    names = dict.fromkeys(form.action.rsplit("/", 1)[-1] for form in page.forms if "/tiles/" in form.action)
    return {name: _offers(page, name) for name in names}


def _offers(page: ShownPage, name: str) -> list[tuple[ShownForm, Tile]]:
    forms = [form for form in page.forms if form.action.endswith(f"/tiles/{name}")]
    return [(form, parse_tile(value)) for form in forms for button, value in form.buttons if button == "tile"]


def count_taps(
    folder: Path,
    photo: bytes,
    truth: Board,
    *,
    careful: bool = False,
    in_game: bool = False,
    see: str = "tests.web.taps:seen_photo",
) -> Taps:
    """Send a photo to a new table in a folder and play until its game has the true position; `see` reads it.

    `in_game`: the photo is of a game that is where it was photographed, since all its turns were told.
    """
    with AtTable(folder, see=see) as table:
        phone = table.phone()
        place = ""
        if in_game:
            place = phone.post("/games", {"how": "code", "code": encode(Position(truth))}).headers["location"]
            place = "/".join(place.split("/")[:3])
        reading = phone.send_photos(f"{place}/photos", photo).headers["location"]
        taps = Player(phone, reading, truth, careful=careful).play()
        (game,) = table.services.history.games()
        board = open_table(table.services.history.current(game.key).text).position.board
        assert board in (truth, truth[::-1]), [*map(format_tile, board)]
        return taps


def main(folders: list[str]) -> None:
    """Print the taps of every photo, and the median of each folder."""
    for folder in map(Path, folders or ["samples"]):
        counts: list[tuple[Taps, Taps, Taps]] = []
        for photo, truth, scenario in find_truths(folder):
            with tempfile.TemporaryDirectory() as name:
                place, content = Path(name), photo.read_bytes()
                quick = count_taps(place / "quick", content, truth)
                careful = count_taps(place / "careful", content, truth, careful=True)
                told = count_taps(place / "told", content, truth, in_game=True)
            counts.append((quick, careful, told))
            print(
                f"{photo.name:12} {scenario:38} {quick.looked_at:2} to look at, {quick.wrong} wrong, "
                f"{quick.unflagged} of them not in doubt: {quick.taps} taps, {careful.taps} each by itself, "
                f"{told.taps} in a game that is told",
                flush=True,
            )
        if not counts:
            raise SystemExit(f"{folder} holds no photo with its truth beside it; name such a folder")
        first, second, third = (median(each[way].taps for each in counts) for way in range(3))
        print(
            f"{folder}: median of {len(counts)} photos: {first:g} taps, {second:g} each by itself, "
            f"{third:g} in a game that is told"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
