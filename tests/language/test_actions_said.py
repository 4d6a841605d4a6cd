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
from tests.language.said import english_left
from tests.rules.tables import BLACK, ORANGE, PINK, at_bid, at_turn, player, tile_action, tribe

C3, D3 = parse_square("c3"), parse_square("d3")
HELPER = Paid("Hagis", 1, 1)
IN_WORDS: dict[str, Action] = {
    "bid 8": PlaceBid(8),
    "bid 8 with 2 fakirs": PlaceBid(8, 2),
    "use Sloar (1 fakir)": UsePower(Paid("Sloar", 0, 1)),
    "use Sloar (nothing)": UsePower(Paid("Sloar")),
    "use Utug (2 elders) on c3": UsePower(Paid("Utug", 2), C3),
    "use Utug (2 elders) on square 30": UsePower(Paid("Utug", 2), 30),
    "use Utug (1 elder) on c3 with Hagis (1 elder and 1 fakir) onto d3": UsePower(Paid("Utug", 1), C3, HELPER, D3),
    "use Sloar (1 fakir) with Hagis (1 elder and 1 fakir) onto d3": UsePower(Paid("Sloar", 0, 1), None, HELPER, D3),
    "keep Utug": KeepDjinn("Utug"),
    "lift c3": Lift(C3),
    "drop c3g": Drop(C3, Tribe.MERCHANT),
    "sow c3>c4y": Sow(parse_sowing("c3>c4y")),
    "tribe action": ActTribe(),
    "tribe action with 1 fakir": tribe(1),
    "tribe action killing vizier of black": tribe(0, Victim(Tribe.VIZIER, owner=BLACK)),
    "tribe action with 2 fakirs killing elder on c3 and builder on d3 by Hagis (1 elder and 1 fakir)": tribe(
        2, Victim(Tribe.ELDER, square=C3), Victim(Tribe.BUILDER, square=D3), HELPER
    ),
    "tile action": ActTile(),
    "tile action buying card 1 and card 3": ActTile(TileChoice(cards=(0, 2))),
    "tile action taking Utug for 2 elders": tile_action(djinn="Utug"),
    "tile action taking Utug for 1 elder and 1 fakir": tile_action(djinn="Utug", with_fakir=True),
    "tile action with Hagis (1 elder and 1 fakir) onto d3": tile_action(helper=HELPER, onto=D3),
    "sell ivory papyrus": Sell(("ivory", "papyrus")),
    "end turn": EndTurn(),
}
EXPECTED: dict[Stage, str] = {
    Stage.BID: "pink is to bid (rules 3.1)",
    Stage.MOVE: "pink is to move meeples or use a power (rules 4.2, 11)",
    Stage.SOW: "pink is to leave a meeple on a neighbouring tile (rules 4.2)",
    Stage.TRIBE: "pink is to do the tribe action or use a power (rules 5, 11)",
    Stage.TILE: "pink is to do the tile action or use a power (rules 6, 11)",
    Stage.CLOSE: "pink is to use a power, sell or end the turn (rules 7, 11)",
    Stage.SELL: "pink has sold, and sells more or ends the turn (rules 7)",
    Stage.KEEP: "pink is to keep one of the djinns drawn (rules 11)",
    Stage.END: "the game is over (rules 9)",
}


def refusal(state: GameState, action: Action) -> str:
    with pytest.raises(IllegalMoveError) as refused:
        apply(state, action)
    return str(refused.value)


@pytest.mark.parametrize("words", IN_WORDS)
def test_an_action_has_its_words_in_every_language(words: str) -> None:
    said = str(IN_WORDS[words])
    assert said == words
    assert english_left(translate(said, "qps"), "qps") == []
    # The arena's workers send what bots did wrong from one process to another.
    assert translate(pickle.loads(pickle.dumps(said)), "qps") == translate(said, "qps")


@pytest.mark.parametrize("stage", Stage)
def test_an_action_at_the_wrong_stage_is_refused_in_every_language(stage: Stage) -> None:
    action = Lift(C3) if stage is Stage.BID else PlaceBid(8, 2)
    said = refusal(replace(at_turn(), stage=stage), action)
    assert said == f"{action} is not possible now: {EXPECTED[stage]}"
    assert english_left(translate(said, "qps"), "qps") == []


def test_refusals_name_the_action_in_every_language() -> None:
    sown = apply(at_turn(c3="M6:yw", c4="M6", d4="M6:w"), Lift(C3))
    powers = player(PINK, elders=2, djinns=("Bouraq", "Hagis"))
    refusals = {
        "orange has 4 GC and cannot pay for bid 5": refusal(at_bid(player(ORANGE, gold=4), player(PINK)), PlaceBid(5)),
        "after drop c4w the last meeple could not land": refusal(sown, Drop(parse_square("c4"), Tribe.ELDER)),
        "a power that diverts needs a tile to divert to": refusal(
            at_turn(powers, c3="V5@P"), UsePower(Paid("Bouraq", 1), C3, Paid("Hagis", 1))
        ),
    }
    for words, said in refusals.items():
        assert words in said
        assert english_left(translate(said, "qps"), "qps") == []
