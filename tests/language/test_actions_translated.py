"""Actions and what is to be decided, as refusals of the rules name them: no English is left in another language."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.language.catalogue import translate
from companion.notation.tokens import parse_sowing
from companion.rules.engine.game import apply
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    Paid,
    PlaceBid,
    Sell,
    Sow,
    TileChoice,
    UsePower,
)
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim
from companion.rules.model.state import GameState, Stage
from tests.language.output import english_left
from tests.rules.tables import BLACK, ORANGE, PINK, at_bid, at_turn, player, tile_action, tribe

C3, D3 = parse_square("c3"), parse_square("d3")
HELPER = Paid("Hagis", 1, 1)
IN_WORDS: dict[str, Action] = {
    "bid 8": PlaceBid(8),
    "bid 8 with 2 fakirs": PlaceBid(8, 2),
    "use Sloar for fakir": UsePower(Paid("Sloar", 0, 1)),
    "use Utug for 2 elders on square 30": UsePower(Paid("Utug", 2), 30),
    "use Utug for elder on c3 with Hagis for elder and fakir onto d3": UsePower(Paid("Utug", 1), C3, HELPER, D3),
    "keep Utug": KeepDjinn("Utug"),
    "c3": Lift(C3),
    "> c3g": Drop(C3, Tribe.MERCHANT),
    "c3 > c4y": Sow(parse_sowing("c3>c4y")),
    "tribe action": ActTribe(),
    "with 1 fakir": tribe(1),
    "kill vizier of black": tribe(0, Victim(Tribe.VIZIER, owner=BLACK)),
    "with 2 fakirs kill w on c3 and b on d3 with Hagis for elder and fakir": tribe(
        2, Victim(Tribe.ELDER, square=C3), Victim(Tribe.BUILDER, square=D3), HELPER
    ),
    "tile action": ActTile(),
    "buy (1), (3)": ActTile(TileChoice(cards=(0, 2))),
    "take Utug for elder and fakir": tile_action(djinn="Utug", with_fakir=True),
    "tile action with Hagis for elder and fakir onto d3": tile_action(helper=HELPER, onto=D3),
    "sell ivory, papyrus": Sell(("ivory", "papyrus")),
    "the end of the turn": EndTurn(),
}
EXPECTED = {
    Stage.BID: "rules 3.1",
    Stage.MOVE: "rules 4.2, 11",
    Stage.SOW: "rules 4.2",
    Stage.TRIBE: "rules 5, 11",
    Stage.TILE: "rules 6, 11",
    Stage.CLOSE: "rules 7, 11",
    Stage.SELL: "rules 7",
    Stage.KEEP: "rules 11",
    Stage.END: "rules 9",
}
"""The clauses that say what is to be decided at each stage."""


def refusal(state: GameState, action: Action) -> str:
    with pytest.raises(IllegalMoveError) as refused:
        apply(state, action)
    return str(refused.value)


def test_actions_are_named_in_every_language() -> None:
    assert [str(action) for action in IN_WORDS.values()] == [*IN_WORDS]
    for words in map(str, IN_WORDS.values()):
        assert english_left(translate(words, "qps"), "qps") == []
        # The arena's workers send what bots did wrong from one process to another.
        assert translate(pickle.loads(pickle.dumps(words)), "qps") == translate(words, "qps")


def test_actions_at_the_wrong_stage_are_refused_in_every_language() -> None:
    for stage in Stage:
        action = Lift(C3) if stage is Stage.BID else PlaceBid(8, 2)
        message = refusal(replace(at_turn(), stage=stage), action)
        assert str(action) in message and f"({EXPECTED[stage]})" in message
        assert english_left(translate(message, "qps"), "qps") == []


def test_refusals_name_the_action_in_every_language() -> None:
    sown = apply(at_turn(c3="M6:yw", c4="M6", d4="M6:w"), Lift(C3))
    powers = player(PINK, elders=2, djinns=("Bouraq", "Hagis"))
    refusals = {
        "orange has 4 GC and can't pay for bid 5": refusal(at_bid(player(ORANGE, gold=4), player(PINK)), PlaceBid(5)),
        "after c4w the last meeple could not land": refusal(sown, Drop(parse_square("c4"), Tribe.ELDER)),
        "a power that diverts needs a tile to divert to": refusal(
            at_turn(powers, c3="V5@P"), UsePower(Paid("Bouraq", 1), C3, Paid("Hagis", 1))
        ),
    }
    for words, said in refusals.items():
        assert words in said
        assert english_left(translate(said, "qps"), "qps") == []
