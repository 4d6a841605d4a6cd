"""The library as a stranger uses it: small, lazy, typed, named in one place, and readable."""

from __future__ import annotations

import ast
import copy
import doctest
import functools
import importlib
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from types import FunctionType

import pytest

import companion
from companion.arguments import checked
from companion.cli.app import NAMES
from companion.errors import CompanionError, ImpossiblePositionError, Problem
from companion.history.saved import SpoiltGameError
from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.notation.names import UnknownNameError
from companion.notation.score_sheet import ScoreSheet
from companion.opening.text import SheetAloneError
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.state import Stage

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "companion"
HEAVY = {"numpy", "cv2", "typer", "rich", "PIL", "reportlab", "qrcode", "pytesseract", "pillow_heif", "platformdirs"}
GUIDE = PROJECT / "docs" / "library.md"
MID = str(PROJECT / "samples" / "mid.toml")


def test_the_import_alone_loads_nothing() -> None:
    code = "import sys, companion; print(*sorted(name for name in sys.modules if name.split('.')[0] != 'companion'))"
    bare = "import sys, importlib, typing; print(*sorted(sys.modules))"
    loaded, before = (
        set(subprocess.run([sys.executable, "-c", one], capture_output=True, text=True, check=True).stdout.split())
        for one in (code, bare)
    )
    assert not loaded & HEAVY
    assert loaded - before <= {"__future__"}


def test_every_public_name_is_there_and_documented(subtests: pytest.Subtests) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for name in companion.__all__:
        with subtests.test(msg=name):
            assert getattr(companion, name).__doc__ or name in ("SQUARE_NAMES", "TILE_KINDS")
            assert name in dir(companion) and (f"`{name}`" in guide or name == "__version__")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = companion.nonsense  # type: ignore[attr-defined]


def test_the_guide_names_the_function_of_each_command() -> None:
    rows = re.findall(r"^\| (`companion .+?) \| (.+?) \| .+ \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for commands, _ in rows for name in re.findall(r"`companion ([a-z]+)`", commands)}
    apart = {"serve", "rules", "edit", "history", "templates", "doctor", "learn"}
    assert named == set(NAMES) - apart, "those of phones, questions and this computer are no functions"
    functions = {name for _, calls in rows for name in re.findall(r"`(\w+)`", calls)}
    assert functions <= set(companion.__all__) and len(functions) > 20


def test_type_checkers_see_the_names_that_run() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    typed = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert typed == companion._HOME_OF


class LineByLine(doctest.OutputChecker):
    """What is left out of a line ends with it; only dots that stand alone are as many lines as there are."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        wanted, told = want.splitlines(), got.splitlines()
        if "..." in wanted:
            return super().check_output(want, got, optionflags)
        each = (super(LineByLine, self).check_output(*pair, optionflags) for pair in zip(wanted, told, strict=False))
        return len(wanted) == len(told) and all(each)


@pytest.mark.slow
def test_the_guide_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    text = GUIDE.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert examples.count(">>>") > 20
    case = doctest.DocTestParser().get_doctest(examples, {}, "library.md", str(GUIDE), 0)
    told: list[str] = []
    doctest.DocTestRunner(LineByLine(), optionflags=doctest.ELLIPSIS).run(case, out=told.append)
    assert not told, "".join(told)


def every_error(kind: type[CompanionError] = CompanionError) -> set[type[CompanionError]]:
    return {kind}.union(*(every_error(other) for other in kind.__subclasses__()))


def test_every_error_survives_the_way_from_another_process() -> None:
    for module in pkgutil.walk_packages(companion.__path__, "companion."):
        if not module.name.startswith("companion.lab") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    raised = {
        ImpossiblePositionError: ImpossiblePositionError([Problem("c3", "1.2", "too many")]),
        ChanceNeededError: ChanceNeededError("card", {"fish": 2}),
        UnknownNameError: UnknownNameError("isn't a card", "slik", ["silk"]),
        SpoiltGameError: SpoiltGameError("abc"),
        SheetAloneError: SheetAloneError("sheet.toml", ScoreSheet()),
    }
    assert len(every_error()) > 20
    for kind in every_error():
        error = raised.get(kind) or kind.__new__(kind, say("no row {row} on this board", row=3))
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and again.args == error.args and vars(again) == vars(error)
        assert translate(str(again), "it") == translate(str(error), "it") and copy.copy(error).args == error.args
    assert pickle.loads(pickle.dumps(raised[UnknownNameError])).nearest == "silk"


def test_arguments_that_no_call_takes_are_told_of_as_the_guide_promises(subtests: pytest.Subtests) -> None:
    position = companion.open_position(MID).position
    few = companion.Budget(playouts=60)
    wrong: dict[str, Callable[[], object]] = {
        "tries must be 1 or more": lambda: companion.fair_setup(2, 1, tries=0),
        "2, 3 or 4 players": lambda: companion.random_setup(5, 1),
        "3 players need 3 different": lambda: companion.new_game(3, 1, colours=["black", "blue", "green"]),
        "'z9' is not a square": lambda: companion.parse_square("z9"),
        "more than 0 seconds, not nan": lambda: companion.Budget(seconds=float("nan")),
        "not inf": lambda: companion.Budget(seconds=float("inf")),
        "1 playout or more": lambda: companion.Budget(playouts=0),
        "such as opened.position, not Opened": lambda: companion.advise(companion.open_position(MID)),  # type: ignore
        "opened.position": lambda: companion.advise_bid(companion.open_position(MID)),  # type: ignore
        "a seed is 0 or more": lambda: companion.advise(position, seed=-1, budget=few),
        "seed is 0": lambda: companion.advise_bid(position, seed=-1, budget=few),
        "'green' isn't a player's colour": lambda: companion.advise(position, player="green", budget=few),
        "isn't a player's colour; the colours are black": lambda: position.player("green"),
        "isn't a player's colour": lambda: position.camels_left("green"),
        "apply: action can't be 3": lambda: companion.apply(companion.new_game(3, 1), 3),  # type: ignore[arg-type]
        "kit_pdf: ink can't be 3": lambda: companion.kit_pdf(ink=3),  # type: ignore[call-arg]
        "missing a required argument: 'seed'": lambda: companion.random_setup(3),  # type: ignore[call-arg]
        "1 to 1000 copies, not -1": lambda: companion.score_pad(pages=-1),
        "a budget is a number": lambda: companion.Budget("many"),  # type: ignore[arg-type]
        "5, not 30": lambda: next(companion.legal_sowings(position.board[:5])),
    }
    for words, call in wrong.items():
        with subtests.test(msg=words), pytest.raises(companion.CompanionError, match=words):
            call()
    assert position.player("blue") == position.player(companion.Colour.BLUE) != companion.Player(companion.Colour.BLUE)
    assert position.camels_left("blue") == position.camels_left(companion.Colour.BLUE)
    assert companion.advise(position, player="orange", budget=few).to_move is companion.Colour.ORANGE


def odd_values() -> list[object]:
    """What nobody should give to a call, of every kind, empty and large, and values that are wrong inside."""
    board = companion.parse_board("\n".join(["O8 " * 6] * 5))
    return [
        *(None, True, 3, -1, 10**30, 2.5, float("nan"), "", "z9", "\0", b"", b"\xff", [], [3], ("a",), {}, {1: 2}, {3}),
        *(object(), len, iter("ab"), range(3), Path("/nowhere"), companion.Colour.BLUE, companion.Tile, board[0]),
        *(companion.Position(rows) for rows in ((), 3, board[:5], (3,) * 30)),  # type: ignore[arg-type]
        companion.Position(board, players=(3,)),  # type: ignore[arg-type]
        companion.GameState(3, companion.Stage.BID),  # type: ignore[arg-type]
        companion.Record(None),  # type: ignore[arg-type]
        *(companion.Lift(99), companion.Drop(-1, companion.Tribe.ELDER), companion.PlaceBid(3), companion.EndTurn),
    ]


def calls_with(odd: object, usual: Mapping[str, object]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every public function with an odd value in place of each of its arguments in turn."""
    for name in companion.__all__:
        call = getattr(companion, name)
        if not isinstance(call, FunctionType):
            continue
        parameters = inspect.signature(call).parameters.values()
        named = [one for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        for odd_one in named:
            needed = {one.name: usual.get(one.name) for one in named if one.default is one.empty}
            yield f"{name}({odd_one.name})", partial(call, **{**needed, odd_one.name: odd})


def test_each_public_call_refuses_what_it_cannot_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call takes it, or raises an error for people: never one that tells of the code."""
    monkeypatch.chdir(PROJECT)
    position = companion.open_position("samples/mid.toml").position
    record = companion.open_record("samples/game.txt", last=5)
    usual = {"position": position, "board": position.board, "state": companion.new_game(3, 42), "record": record.record}
    usual |= {"players": 3, "seed": 1, "action": companion.PlaceBid(3), "result": companion.result_of(position)}
    usual |= {"text": "", "source": "samples/mid.toml", "name": "c3", "played": record, "before": position}
    # These work for long once an argument is right; whether it is, is asked before.
    slow = (
        "advise",
        "advise_bid",
        "fair_setup",
        "review_record",
        "game_report",
        "score_pad",
        "filled_sheet",
        "setup_card",
    )
    for name in (*slow, "cards_pdf", "kit_pdf"):
        home = importlib.import_module(companion._HOME_OF[name])
        monkeypatch.setattr(companion, name, checked(_nothing_like(getattr(home, name))))
    tried = 0
    for odd in odd_values():
        for called, call in calls_with(odd, usual):
            tried += 1
            try:
                found = call()
                if isinstance(found, Iterator):
                    next(found, None)
            except CompanionError as error:
                assert str(error)
            except Exception as error:
                error.add_note(f"{called} of {odd!r}")
                raise
    assert tried > 2000


def _nothing_like(call: Callable[..., object]) -> Callable[..., object]:
    """A function with the arguments of another that does nothing."""

    @functools.wraps(call)
    def nothing(*_: object, **__: object) -> None:
        return None

    return nothing


def test_values_print_as_python_reads_them() -> None:
    assert pickle.loads(pickle.dumps(companion.advise)) is companion.advise
    position = companion.open_position(str(PROJECT / "samples" / "mid.toml")).position
    names = {name: getattr(companion, name) for name in companion.__all__}
    sowing = next(companion.legal_sowings(position.board))
    for value in (
        position,
        sowing,
        companion.Colour.BLUE,
        companion.Stage.MOVE,
        companion.ActTile(),
        position.board[3],
    ):
        assert eval(repr(value), names) == value
    assert repr(position.board[3]) == "Tile(kind=TILE_KINDS['M6'], camel=Colour.BLUE)"
    assert companion.decode(companion.encode(position)) == position


def test_advice_inside_a_turn_is_refused() -> None:
    state, chance = companion.new_game(3, 42), companion.SampledChance(Random(1))
    while not state.is_over and state.stage not in (inside := {Stage.SOW, Stage.TRIBE, Stage.TILE, Stage.SELL}):
        state = companion.apply(state, companion.legal_actions(state)[0], chance)
    assert state.stage in inside
    for advise in (companion.advise, companion.advise_bid):
        for player in (None, companion.Colour.PINK):
            with pytest.raises(companion.UnusableInputError, match="whole turns"):
                advise(state, player=player, budget=companion.Budget(playouts=60))
