"""Between the readable engine's states and batches: `pack` lays states out side by side, `unpack` gives one back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, compress, repeat

import numpy as np

from companion.rules.engine.djinns import djinns_in_game
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    BID_SPOTS,
    CARD_COUNTS,
    FACE_UP_DJINNS,
    ROW_LENGTH,
    TILE_KINDS,
    Colour,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, GameState, Stage, Taken, TurnProgress
from companion.simulation import decks
from companion.simulation.batch import PLACES, Batch
from companion.simulation.layout import (
    AROUND,
    CARD_ID,
    CARDS,
    DJINN_ID,
    DJINN_NAMES,
    FAKIR_ID,
    KIND_ID,
    KINDS,
    NONE,
    STAGE_ID,
    STAGES,
    TILE_ACTION,
    TILE_BLUE,
    TILE_VP,
    TRIBES,
    Ints,
)
from companion.simulation.sowing import LAST_CAMEL, NO_MOVE, NOT_ENDING

_ENDINGS: dict[Ending | None, int] = {None: NOT_ENDING, Ending.LAST_CAMEL: LAST_CAMEL, Ending.NO_MOVE: NO_MOVE}
_ENDING_OF = {number: ending for ending, number in _ENDINGS.items()}
_PHASES = {Stage.BID: Phase.BID, Stage.END: Phase.END}
_CARD_COUNTS: Ints = np.array(list(CARD_COUNTS.values()), dtype=np.int16)
_TRIBE = tuple(Tribe)


def pack(states: Sequence[GameState], worlds: Sequence[int]) -> Batch:
    """Games side by side, a lane each; where nobody knows the order of the decks it is drawn from the lane's world.

    Cards that are hidden in a hand stay out of the decks and of the hands: whoever wants to know them names them in
    the states first. Raises ValueError where a state holds another unknown, or a hand is on its way (stage SOW).
    """
    distinct: dict[int, int] = {}
    for state in states:
        distinct.setdefault(id(state), len(distinct))
    batch = Batch.blank(len(distinct))
    packed = set()
    for state in states:
        if id(state) not in packed:
            packed.add(id(state))
            _fill(batch, distinct[id(state)], state)
    batch.tile_vp[...] = TILE_VP[batch.kind]
    batch.tile_action[...] = TILE_ACTION[batch.kind]
    batch.blue_around[...] = AROUND @ TILE_BLUE[batch.kind].astype(np.int16)
    batch = batch.select([distinct[id(state)] for state in states])
    batch.world[...] = worlds
    _shuffle(batch, states)
    return batch


def _shuffle(batch: Batch, states: Sequence[GameState]) -> None:
    """Decks of what lies nowhere else; hidden cards are in hands, and nobody knows which they are."""
    everywhere = np.arange(len(batch))
    unseen = _CARD_COUNTS[:, None] - batch.discards - batch.cards.sum(axis=0, dtype=np.int16)
    for card in range(len(CARDS)):
        unseen[card] -= (batch.row == card).sum(axis=0, dtype=np.int16)
    unseen = np.maximum(unseen, 0)
    batch.deck[...] = decks.card_order(batch, everywhere, unseen)
    size = np.maximum(unseen.sum(axis=0) - batch.hidden.sum(axis=0), 0)
    batch.deck_size[...] = size
    batch.deck[np.arange(len(batch.deck))[:, None] >= size] = NONE
    in_game = np.array([[name in djinns_in_game(promo=state.promo) for state in states] for name in DJINN_NAMES])
    there = (in_game & ~batch.owns.any(axis=0) & ~batch.djinn_discards.astype(bool)).astype(np.int16)
    for shown in (*batch.face_up, *batch.drawn):
        lanes = np.nonzero(shown != NONE)[0]
        there[shown[lanes], lanes] = 0
    batch.djinn_deck[...] = decks.djinn_order(batch, everywhere, there)
    batch.djinn_size[...] = there.sum(axis=0)


def _fill(batch: Batch, lane: int, state: GameState) -> None:
    """Everything of a state but the decks."""
    position, progress = state.position, state.progress
    if state.stage is Stage.SOW:
        raise ValueError("a hand is on its way; play the whole sowing first")
    if position.row is None or position.djinns is None or position.discards is None:
        raise ValueError("the row, the face-up djinns and the discards must be known")
    if position.bid_order is None or position.turn_order is None:
        raise ValueError("both tracks must be known")
    seat = {player.colour: number for number, player in enumerate(position.players)}
    _fill_board(batch, lane, position.board, seat)
    for player in position.players:
        _fill_player(batch, lane, seat[player.colour], player, position)
    batch.hidden[: len(state.hidden), lane] = state.hidden
    batch.seats[lane] = len(seat)
    batch.row[:, lane] = _filled_up((CARD_ID[card] for card in position.row), ROW_LENGTH)
    batch.face_up[:, lane] = _filled_up((DJINN_ID[name] for name in position.djinns), FACE_UP_DJINNS)
    for card, number in Counter(position.discards).items():
        batch.discards[CARD_ID[card], lane] = number
    batch.djinn_discards[[DJINN_ID[name] for name in state.djinn_discards], lane] = 1
    batch.bid_order[:, lane] = _filled_up((seat[colour] for colour in position.bid_order), BID_SPOTS)
    batch.turn_seat[:, lane] = _filled_up((seat[bid.colour] for bid in position.turn_order), BID_SPOTS)
    batch.turn_price[:, lane] = _filled_up((bid.price for bid in position.turn_order), BID_SPOTS)
    batch.mover[lane] = 0 if position.to_move is None else seat[position.to_move]
    batch.stage[lane] = STAGE_ID[state.stage]
    batch.ending[lane] = _ENDINGS[state.ending]
    _fill_progress(batch, lane, progress)


def _fill_board(batch: Batch, lane: int, board: Board, seat: dict[Colour, int]) -> None:
    meeples = chain.from_iterable(tile.meeples for tile in board)
    batch.meeples[:, :, lane] = np.fromiter(meeples, dtype=np.int16, count=SQUARES * TRIBES).reshape(SQUARES, TRIBES)
    batch.camel[:, lane] = [NONE if tile.camel is None else seat[tile.camel] for tile in board]
    batch.palms[:, lane] = [tile.palms for tile in board]
    batch.palaces[:, lane] = [tile.palaces for tile in board]
    batch.kind[:, lane] = [KIND_ID[tile.kind.code] for tile in board]


def _fill_player(batch: Batch, lane: int, seat: int, player: Player, position: Position) -> None:
    if player.gold is None or player.viziers is None or player.elders is None:
        raise ValueError(f"the gold, viziers and elders of {player.colour} must be known")
    if player.fakirs is None or player.goods is None or player.djinns is None:
        raise ValueError(f"the cards and djinns of {player.colour} must be known")
    batch.gold[seat, lane] = player.gold
    batch.viziers[seat, lane] = player.viziers
    batch.elders[seat, lane] = player.elders
    batch.cards[seat, :, lane] = (player.fakirs, *player.goods)
    batch.owns[seat, [DJINN_ID[name] for name in player.djinns], lane] = 1
    placed = sum(tile.camel is player.colour for tile in position.board)
    batch.camels[seat, lane] = camels_in_box(player.colour, len(position.players)) - placed


def _fill_progress(batch: Batch, lane: int, progress: TurnProgress) -> None:
    batch.used[[DJINN_ID[name] for name in progress.used], lane] = 1
    batch.income[lane] = progress.income
    batch.factor[lane] = progress.factor
    if progress.taken is not None:
        batch.end[lane] = progress.taken.end
        batch.tribe[lane] = progress.taken.tribe
        batch.count[lane] = progress.taken.count
    batch.drawn[:, lane] = _filled_up((DJINN_ID[name] for name in progress.drawn), FACE_UP_DJINNS)
    batch.resume[lane] = 0 if progress.resume is None else STAGE_ID[progress.resume]


def _filled_up(ids: Iterable[int], length: int) -> list[int]:
    there = list(ids)
    return there + [NONE] * (length - len(there))


def unpack(batch: Batch, lane: int, like: GameState) -> GameState:
    """One lane as a state; `like` is a state of the same game, for its colours and whether it has the promo djinn.

    What has no order in a batch comes in the order of `layout`: discards, djinns and powers used.
    """
    game = _Column(batch.data[:, lane].tolist())
    stage = STAGES[game.number("stage")]
    colours = tuple(player.colour for player in like.position.players)
    position = Position(
        _board(game, colours),
        players=tuple(_player(game, seat, colour) for seat, colour in enumerate(colours)),
        row=tuple(CARDS[card] for card in game.there("row")),
        djinns=tuple(DJINN_NAMES[djinn] for djinn in game.there("face_up")),
        to_move=None if stage is Stage.END else colours[game.number("mover")],
        phase=_PHASES.get(stage, Phase.TURN),
        bid_order=tuple(colours[seat] for seat in game.there("bid_order")),
        turn_order=tuple(
            Bid(colours[seat], price)
            for seat, price in zip(game.there("turn_seat"), game.there("turn_price"), strict=True)
        ),
        discards=tuple(chain.from_iterable(map(repeat, CARDS, game.numbers("discards")))),
    )
    return GameState(
        position,
        stage,
        progress=_progress(game, stage),
        hidden=tuple(game.numbers("hidden")[: len(colours)]),
        djinn_discards=_djinns(game.numbers("djinn_discards")),
        ending=_ENDING_OF[game.number("ending")],
        promo=like.promo,
    )


class _Column:
    """The numbers of one lane, by field: plain ones, which are read one by one faster than arrays."""

    def __init__(self, column: list[int]) -> None:
        self._column = column

    def numbers(self, field: str) -> list[int]:
        """All numbers of a field, its axes one after the other."""
        return self._column[PLACES[field][0]]

    def number(self, field: str) -> int:
        """The only number of a field."""
        return self._column[PLACES[field][0].start]

    def there(self, field: str) -> list[int]:
        """The ids of a field that are there, in order."""
        return [number for number in self.numbers(field) if number != NONE]


def _board(game: _Column, colours: Sequence[Colour]) -> Board:
    meeples = game.numbers("meeples")
    rest = zip(game.numbers("kind"), game.numbers("camel"), game.numbers("palms"), game.numbers("palaces"), strict=True)
    return tuple(
        Tile(
            TILE_KINDS[KINDS[kind]],
            tuple(meeples[square * TRIBES : (square + 1) * TRIBES]),
            None if camel == NONE else colours[camel],
            palms,
            palaces,
        )
        for square, (kind, camel, palms, palaces) in enumerate(rest)
    )


def _player(game: _Column, seat: int, colour: Colour) -> Player:
    cards = game.numbers("cards")[seat * len(CARDS) : (seat + 1) * len(CARDS)]
    return Player(
        colour,
        gold=game.numbers("gold")[seat],
        viziers=game.numbers("viziers")[seat],
        elders=game.numbers("elders")[seat],
        fakirs=cards[FAKIR_ID],
        goods=tuple(cards[FAKIR_ID + 1 :]),
        djinns=_djinns(game.numbers("owns")[seat * len(DJINN_NAMES) : (seat + 1) * len(DJINN_NAMES)]),
    )


def _progress(game: _Column, stage: Stage) -> TurnProgress:
    resume = STAGES[game.number("resume")] if stage is Stage.KEEP else None
    taken = None
    if (resume or stage) in (Stage.TRIBE, Stage.TILE):
        taken = Taken(game.number("end"), _TRIBE[game.number("tribe")], game.number("count"))
    return TurnProgress(
        used=_djinns(game.numbers("used")),
        taken=taken,
        drawn=tuple(DJINN_NAMES[djinn] for djinn in game.there("drawn")),
        resume=resume,
        income=game.number("income"),
        factor=game.number("factor"),
    )


def _djinns(flags: Iterable[int]) -> tuple[str, ...]:
    return tuple(compress(DJINN_NAMES, flags))
