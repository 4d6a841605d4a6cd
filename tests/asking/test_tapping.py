"""Turns told by taps: every legal turn can be told, and what was told is that turn and no other (rules 4 to 7, 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from companion.asking.question import Kind, Tap
from companion.asking.tapping import tapped_turn
from companion.asking.taps import About, djinn_tap, tap_question, tile_tap
from companion.asking.turn_questions import TurnQuestions
from companion.errors import NotationError, UnusableInputError
from companion.language.phrase import say
from companion.notation.files import parse_position
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.engine.sowing import legal_sowings, lifted, order_options, path_options, standing_on
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    Paid,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.board import SQUARE_NAMES, SQUARES, with_meeples
from companion.rules.model.chance import Drawn, SampledChance, ScriptedChance
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import GameState, Stage
from companion.table.games import TableGame, open_table, played
from companion.table.playing import Playing, play_line
from tests.notation.recorded_example import THREE_ROUNDS
from tests.rules.random_games import random_choice
from tests.samples import MID, SAMPLES, START


def at(state: GameState) -> TableGame:
    """A game that stands at the beginning of a turn."""
    record = Record(new_header(state.position, {}))
    return TableGame(state.position, Playing(record, state, owes=False))


def random_turn(random: Random, state: GameState) -> tuple[list[Action], list[Drawn], GameState]:
    """A legal turn picked at random, what it drew, and the state before its end."""
    actions: list[Action] = []
    drawn: list[Drawn] = []
    chance = SampledChance(random)
    while True:
        options = legal_actions(state)
        powers = [option for option in options if isinstance(option, UsePower)]
        action = random.choice(powers) if powers and random.random() < 0.3 else random_choice(random, state, options)
        if isinstance(action, EndTurn):
            return actions, drawn, state
        done = step(state, action, chance)
        actions.append(action)
        drawn.append(done.drawn)
        state = done.state


def turns(players: int, seed: int, *, rich: bool) -> Iterator[tuple[GameState, list[Action], list[Drawn], GameState]]:
    """All turns of a random game; in a `rich` one players begin with djinns, goods, elders and fakirs."""
    random = Random(f"{players}/{seed}")
    position = random_setup(players, seed)
    state = start_game(_rich(position, random) if rich else position)
    chance = SampledChance(random)
    while not state.is_over:
        if state.stage is Stage.BID:
            state = step(state, random.choice(legal_actions(state)), chance).state
            continue
        actions, drawn, after = random_turn(random, state)
        yield state, actions, drawn, after
        state = step(after, EndTurn(), chance).state


def _rich(position: Position, random: Random) -> Position:
    names = [name for name in DJINNS if name not in (position.djinns or ())]
    random.shuffle(names)
    row = ("ivory", "fish", "papyrus", "silk", "spice", "jewels", "fish", "silk", "spice")
    players = []
    for player in position.players:
        own, names = tuple(names[:5]), names[5:]
        players.append(replace(player, djinns=own, fakirs=4, goods=(0, 0, 0, 0, 0, 0, 0, 1, 1)))
    return replace(position, players=tuple(players), row=row)


def whole(state: GameState, actions: list[Action], drawn: list[Drawn]) -> tuple[list[Action], list[Drawn]]:
    """A turn with its lift and drops as one action, as it is told."""
    told: list[Action] = []
    kept: list[Drawn] = []
    start, count = 0, 0
    path: list[int] = []
    drops: list[Tribe] = []
    for action, one in zip(actions, drawn, strict=True):
        if isinstance(action, Lift):
            start, count, path, drops = action.square, sum(state.position.board[action.square].meeples), [], []
        elif isinstance(action, Drop):
            path.append(action.square)
            drops.append(action.tribe)
            if len(path) == count:
                told.append(Sow(Sowing(start, tuple(path), tuple(drops))))
                kept.append(Drawn())
        else:
            told.append(action)
            kept.append(one)
        state = step(state, action, ScriptedChance(one)).state
    return told, kept


def words_of(action: Action, drawn: Drawn) -> set[str]:
    """Every tap that may belong to an action."""
    found = {"on", *(card or "?" for card in drawn.cards), *drawn.djinns, *(tribe.letter for tribe in drawn.meeples)}
    match action:
        case Sow(sowing):
            letters = "".join(tribe.letter for tribe in sowing.drops)
            found |= {SQUARE_NAMES[square] for square in (sowing.start, *sowing.path)}
            found |= {letters[at:] for at in range(len(letters))} | set(letters)
        case ActTribe(choice):
            found |= {str(choice.fakirs), "one", "nobody", _price(choice.helper)}
            for victim in choice.victims:
                found |= {victim.tribe.letter, str(victim.owner)}
                found |= {SQUARE_NAMES[victim.square]} if victim.square is not None else set()
        case ActTile(choice):
            found |= {"nothing", _price(choice.helper), choice.djinn or "", "wf" if choice.with_fakir else "ww"}
            found |= {str(place + 1) for place in choice.cards}
            found |= {SQUARE_NAMES[choice.onto]} if choice.onto is not None else set(SQUARE_NAMES)
        case UsePower():
            found |= {f"use {action.paid.djinn}", _price(action.paid), _price(action.helper)}
            found |= {SQUARE_NAMES[square] for square in (action.square, action.onto) if square is not None}
        case KeepDjinn(djinn):
            found.add(djinn)
        case Sell(goods):
            found |= {"sell", *goods, "sold"}
    return found


def _price(paid: Paid | None) -> str:
    return "" if paid is None else "w" * paid.elders + "f" * paid.fakirs


def taps_for(state: GameState, actions: list[Action], drawn: list[Drawn], *, stops: bool) -> list[str] | None:
    """Taps that tell exactly this turn; None if there are none."""

    def search(taps: list[str]) -> list[str] | None:
        asked = TurnQuestions(state, stops_for_powers=stops)
        for tap in taps:
            asked.interview.answer(tap)
        question = asked.interview.question
        so_far = len(asked.actions)
        if asked.actions != actions[:so_far] or asked.drawn != drawn[:so_far]:
            return None
        if so_far == len(actions) and (question is None or question.key == About.CLOSE):
            return taps
        if question is None or so_far == len(actions):
            return None
        now = actions[so_far]
        if isinstance(now, Sow):
            reached = list(now.sowing.path[: len(asked.path)])
            if (asked.start not in (None, now.sowing.start)) or asked.path != reached:
                return None
            if asked.drops != now.sowing.drops[: len(asked.drops)]:
                return None
        wanted = words_of(now, drawn[so_far])
        for offered in question.offered:
            if offered.token in wanted and (found := search([*taps, offered.token])) is not None:
                return found
        return None

    return search([])


@pytest.mark.parametrize(
    ("players", "seed", "rich"), [(2, 1, False), (3, 2, True), pytest.param(4, 3, True, marks=pytest.mark.slow)]
)
def test_every_turn_of_a_random_game_can_be_told(players: int, seed: int, rich: bool) -> None:
    counts, stopped = [], 0
    for state, acted, drew, after in turns(players, seed, rich=rich):
        actions, drawn = whole(state, acted, drew)
        # Powers between two steps are told by whoever asks for them; all else without.
        taps, stops = taps_for(state, actions, drawn, stops=False), False
        if taps is None:
            taps, stops = taps_for(state, actions, drawn, stops=True), True
        assert taps is not None, actions
        stopped += stops
        told = tapped_turn(at(state), taps, stops_for_powers=stops)
        counts.append(len(taps) + 1)
        game = at(state).playing
        assert told.line is not None and game is not None
        # The line alone plays that turn.
        assert play_line(game, told.line).state == after
        assert len(told.said) == len(actions) or not actions
    assert sorted(counts)[len(counts) // 2] <= (10 if rich else 7)
    assert stopped or not rich


def test_a_tap_on_the_end_tells_the_only_way_there() -> None:
    game = open_table((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    lifted_ = tapped_turn(game, ["c4"])
    offered = {tap.token for tap in lifted_.question.taps} if lifted_.question is not None else set()
    # Two meeples go straight to a4 by b4 alone; to b5 they go by b4 or by c5.
    assert "a4" in offered and "b4" in offered and "b5" not in offered
    assert lifted_.ends.keys() >= {SQUARE_NAMES.index(name) for name in ("a4", "b5")}
    assert tapped_turn(game, ["c4", "a4"]).path == tapped_turn(game, ["c4", "b4", "a4"]).path
    assert tapped_turn(game, ["c4", "a4"]).back == 1
    # A longer hand has other ways everywhere, or so many that nobody looks for one.
    assert {tap.token for tap in tapped_turn(game, ["e2"]).question.taps} == {"e1", "d2", "e3", "f2"}  # type: ignore[union-attr]


def test_tiles_and_meeples_offered_are_those_of_the_legal_sowings() -> None:
    """Rules 4.2 to 4.5: tile by tile along the path, then meeple by meeple."""
    boards = [parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8")).board for name in ("mid", "end")]
    for board, start in product(boards, range(SQUARES)):
        hand = board[start].meeples
        if not 0 < sum(hand) <= 5:
            continue
        standing = lifted(standing_on(board), start)
        ways: dict[tuple[int, ...], set[int]] = {}
        to_end: dict[tuple[tuple[int, ...], int], set[int]] = {}
        orders: dict[tuple[tuple[int, ...], tuple[Tribe, ...]], set[Tribe]] = {}
        for sowing in legal_sowings(board, [start]):
            for at_ in range(len(sowing.path)):
                ways.setdefault(sowing.path[:at_], set()).add(sowing.path[at_])
                to_end.setdefault((sowing.path[:at_], sowing.path[-1]), set()).add(sowing.path[at_])
                orders.setdefault((sowing.path, sowing.drops[:at_]), set()).add(sowing.drops[at_])
        assert ways or not path_options(None, start, (), hand, standing)
        for walked, squares in ways.items():
            before = (None, start, *walked)[-2]
            here = (start, *walked)[-1]
            assert set(path_options(before, here, walked, hand, standing)) == squares
            for end in range(SQUARES):
                found = set(path_options(before, here, walked, hand, standing, end))
                assert found == to_end.get((walked, end), set())
        for (walked, drops), tribes in orders.items():
            assert set(order_options(walked, drops, hand, standing)) == tribes


def test_a_hand_of_thirty_is_told_as_quickly_as_one_of_three() -> None:
    """No list of all its orders is made."""
    position = START
    board = list(position.board)
    board[14] = with_meeples(board[14], (6, 6, 6, 6, 6))
    for square in range(SQUARES):
        if square not in (14, 15):
            board[square] = with_meeples(board[square], (0, 0, 0, 0, 0))
    board[15] = with_meeples(board[15], (1, 1, 1, 1, 1))
    bidding = start_game(position)
    state = replace(bidding, position=replace(bidding.position, board=tuple(board), phase=Phase.TURN), stage=Stage.MOVE)
    taps, asked = ["c3"], ""
    while (told := tapped_turn(at(state), taps)).hand:
        assert told.question is not None
        taps.append(told.question.taps[-1].token)
        asked += told.question.words
        # What is told of a meeple takes it out of the hand.
        letters = sum(len(tap) == 1 for tap in taps[:-1])
        assert (len(told.hand) < 30) == (letters > 0)
    assert "step 1?" in asked and "step 2?" in asked
    assert len(taps) > 30 and "c3 > " in told.said[0]


def test_a_turn_on_a_board_alone_is_told_with_what_nobody_knows() -> None:
    """Where gold is not known, a card may have been bought all the same."""
    position = MID
    unknown = tuple(replace(player, gold=None, elders=None, fakirs=None) for player in position.players)
    alone = replace(position, players=unknown, to_move=Colour.BLUE, turn_order=None, bid_order=None, phase=None)
    game = TableGame(alone)
    taps = ["c4", "d4"]
    for tap in ("0", "1", "2"):
        told = tapped_turn(game, taps)
        assert told.question is not None and tap in {one.token for one in told.question.taps}
        assert told.question.kind is Kind.ONE and told.back == len(taps) - 1, "each tap is a step of its own"
        taps.append(tap)
    told = tapped_turn(game, taps)
    assert told.line is not None and "buy" in told.line
    assert played(game, told.line).position.board != alone.board


def test_answers_are_typed_as_words_or_taps_and_enter_takes_what_changes_least() -> None:
    c3, nobody = tile_tap(14), Tap("nobody", say("Nobody"))
    killed = tap_question(About.VICTIM_PLACE, say("Who was killed?"), [c3, nobody])
    assert [killed.parse(line) for line in ("c3", "C3", "Nobody", "")] == ["c3", "c3", "nobody", "nobody"]
    assert killed.prompt() == "Who was killed? [Nobody]: "
    over = tap_question(About.CLOSE, say("Was that all?"), [], [djinn_tap("Utug")])
    assert [over.parse(line) for line in ("", "utug")] == ["", "Utug"] and over.default == "yes"
    for question, line in ((killed, "d4"), (over, "yes, sir"), (tap_question(About.STEP, say("Where?"), [c3]), "")):
        with pytest.raises(NotationError, match="isn't one of the answers"):
            question.parse(line)
    with pytest.raises(NotationError, match="tick what was sold first"):
        tap_question(About.SOLD, say("Which goods?"), [Tap("fish", say("fish"))], several=True).parse("sold")


def test_as_far_as_taps_lead_a_turn_is_told() -> None:
    game = open_table((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    whole = tapped_turn(game, ["c4", "b4"])
    part = tapped_turn(game, ["c4", "b4", "f1", "a1"], as_far_as_possible=True)
    assert part.taps == ("c4", "b4") == whole.taps and part.question is not None and whole.fault is None
    assert part.path == whole.path and "'f1'" in str(part.fault)


def test_what_cannot_be_tapped_is_said() -> None:
    game = open_table(THREE_ROUNDS.read_text(encoding="utf-8").partition("\nround 2")[0] + "\n")
    with pytest.raises(UnusableInputError, match=r"say what came|bids come"):
        tapped_turn(game, [])
    mid = open_table((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    playing = TableGame(replace(mid.position, to_move=Colour.BLUE)) if mid.playing is None else mid
    for taps in (["a9"], ["c4", "c4"], ["<script>"], ["c4"] * 300):
        with pytest.raises(UnusableInputError):
            tapped_turn(playing, taps)
