"""Companion for a Five Tribes table: read it, advise on it, score it, print for it.

`import companion` offers the names in `__all__`, each loaded from its module when it is first used, so that
the import alone costs nothing. docs/library.md shows them at work.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""As in `typing`, which takes longer to load than all that is needed until Ctrl-C is heeded."""

if TYPE_CHECKING:
    from companion.advisor.advice import AdvisedBid as AdvisedBid
    from companion.advisor.advice import AdvisedTurn as AdvisedTurn
    from companion.advisor.advice import BidAdvice as BidAdvice
    from companion.advisor.advice import Budget as Budget
    from companion.advisor.advice import Estimate as Estimate
    from companion.advisor.advice import FairSetup as FairSetup
    from companion.advisor.advice import TurnAdvice as TurnAdvice
    from companion.advisor.review import GameReview as GameReview
    from companion.advisor.search.advise import advise as advise
    from companion.advisor.search.bids import advise_bid as advise_bid
    from companion.advisor.search.fairness import fair_setup as fair_setup
    from companion.advisor.search.reviewing import review_record as review_record
    from companion.errors import ArgumentError as ArgumentError
    from companion.errors import CompanionError as CompanionError
    from companion.errors import IllegalMoveError as IllegalMoveError
    from companion.errors import ImpossiblePositionError as ImpossiblePositionError
    from companion.errors import MissingDependencyError as MissingDependencyError
    from companion.errors import NotationError as NotationError
    from companion.errors import PhotoError as PhotoError
    from companion.errors import Problem as Problem
    from companion.errors import UnusableInputError as UnusableInputError
    from companion.errors import UsageError as UsageError
    from companion.notation.codes import decode as decode
    from companion.notation.codes import encode as encode
    from companion.notation.files import format_json as format_json
    from companion.notation.files import format_toml as format_toml
    from companion.notation.files import parse_position as parse_position
    from companion.notation.records.lines import Record as Record
    from companion.notation.records.lines import format_record as format_record
    from companion.notation.records.lines import parse_record as parse_record
    from companion.notation.records.replay import Replayed as Replayed
    from companion.notation.records.replay import replay as replay
    from companion.notation.tokens import format_board as format_board
    from companion.notation.tokens import parse_board as parse_board
    from companion.opening.photos import played_turns as played_turns
    from companion.opening.position import Opened as Opened
    from companion.opening.position import open_position as open_position
    from companion.opening.text import open_record as open_record
    from companion.printing.cards.sheet import cards_pdf as cards_pdf
    from companion.printing.cards.sheet import kit_pdf as kit_pdf
    from companion.printing.report.report import game_report as game_report
    from companion.printing.score.sheet import filled_sheet as filled_sheet
    from companion.printing.score.sheet import score_pad as score_pad
    from companion.printing.setup.card import setup_card as setup_card
    from companion.rules.engine.counting import MoveCounts as MoveCounts
    from companion.rules.engine.counting import count_moves as count_moves
    from companion.rules.engine.game import apply as apply
    from companion.rules.engine.game import legal_actions as legal_actions
    from companion.rules.engine.legality import check_position as check_position
    from companion.rules.engine.legality import problems as problems
    from companion.rules.engine.scoring import GameResult as GameResult
    from companion.rules.engine.scoring import Score as Score
    from companion.rules.engine.scoring import result_of as result_of
    from companion.rules.engine.setup import new_game as new_game
    from companion.rules.engine.setup import random_setup as random_setup
    from companion.rules.engine.sowing import legal_sowings as legal_sowings
    from companion.rules.model.actions import Action as Action
    from companion.rules.model.actions import ActTile as ActTile
    from companion.rules.model.actions import ActTribe as ActTribe
    from companion.rules.model.actions import Drop as Drop
    from companion.rules.model.actions import EndTurn as EndTurn
    from companion.rules.model.actions import KeepDjinn as KeepDjinn
    from companion.rules.model.actions import Lift as Lift
    from companion.rules.model.actions import Paid as Paid
    from companion.rules.model.actions import PlaceBid as PlaceBid
    from companion.rules.model.actions import Sell as Sell
    from companion.rules.model.actions import Sow as Sow
    from companion.rules.model.actions import Sowing as Sowing
    from companion.rules.model.actions import TileChoice as TileChoice
    from companion.rules.model.actions import TribeChoice as TribeChoice
    from companion.rules.model.actions import UsePower as UsePower
    from companion.rules.model.board import SQUARE_NAMES as SQUARE_NAMES
    from companion.rules.model.board import Tile as Tile
    from companion.rules.model.board import parse_square as parse_square
    from companion.rules.model.chance import ChanceNeededError as ChanceNeededError
    from companion.rules.model.chance import SampledChance as SampledChance
    from companion.rules.model.components import TILE_KINDS as TILE_KINDS
    from companion.rules.model.components import Colour as Colour
    from companion.rules.model.components import Tribe as Tribe
    from companion.rules.model.events import Event as Event
    from companion.rules.model.events import Victim as Victim
    from companion.rules.model.position import Bid as Bid
    from companion.rules.model.position import Phase as Phase
    from companion.rules.model.position import Player as Player
    from companion.rules.model.position import Position as Position
    from companion.rules.model.state import GameState as GameState
    from companion.rules.model.state import Stage as Stage
    from companion.table.game import Game as Game
    from companion.tracking.inference import PlayedTurns as PlayedTurns
    from companion.tracking.inference import Verdict as Verdict

__version__ = "0.2.0"

_HOMES = {
    "companion.advisor.advice": "AdvisedBid AdvisedTurn BidAdvice Budget Estimate FairSetup TurnAdvice",
    "companion.advisor.review": "GameReview",
    "companion.advisor.search.advise": "advise",
    "companion.advisor.search.bids": "advise_bid",
    "companion.advisor.search.fairness": "fair_setup",
    "companion.advisor.search.reviewing": "review_record",
    "companion.errors": "ArgumentError CompanionError IllegalMoveError ImpossiblePositionError MissingDependencyError "
    "NotationError PhotoError Problem UnusableInputError UsageError",
    "companion.notation.codes": "decode encode",
    "companion.notation.files": "format_json format_toml parse_position",
    "companion.notation.records.lines": "Record format_record parse_record",
    "companion.notation.records.replay": "Replayed replay",
    "companion.notation.tokens": "format_board parse_board",
    "companion.opening.position": "Opened open_position",
    "companion.opening.text": "open_record",
    "companion.opening.photos": "played_turns",
    "companion.printing.cards.sheet": "cards_pdf kit_pdf",
    "companion.printing.report.report": "game_report",
    "companion.printing.score.sheet": "filled_sheet score_pad",
    "companion.printing.setup.card": "setup_card",
    "companion.rules.engine.counting": "MoveCounts count_moves",
    "companion.rules.engine.game": "apply legal_actions",
    "companion.rules.engine.legality": "check_position problems",
    "companion.rules.engine.scoring": "GameResult Score result_of",
    "companion.rules.engine.setup": "new_game random_setup",
    "companion.rules.engine.sowing": "legal_sowings",
    "companion.rules.model.actions": "ActTile ActTribe Action Drop EndTurn KeepDjinn Lift Paid PlaceBid Sell Sow "
    "Sowing TileChoice TribeChoice UsePower",
    "companion.rules.model.board": "SQUARE_NAMES Tile parse_square",
    "companion.rules.model.chance": "ChanceNeededError SampledChance",
    "companion.rules.model.components": "TILE_KINDS Colour Tribe",
    "companion.rules.model.events": "Event Victim",
    "companion.rules.model.position": "Bid Phase Player Position",
    "companion.rules.model.state": "GameState Stage",
    "companion.table.game": "Game",
    "companion.tracking.inference": "PlayedTurns Verdict",
}
"""The names of `__all__` by where they are defined."""

_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *sorted(_HOME_OF)]

if not TYPE_CHECKING:
    # A type checker sees the imports above, and with these functions it would take any name for one.

    def __getattr__(name: str) -> object:
        """The public name, loaded from where it is defined (PEP 562)."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module
        from types import FunctionType

        from companion.arguments import checked

        found: object = getattr(import_module(_HOME_OF[name]), name)
        if isinstance(found, FunctionType):
            found = checked(found)
            # What goes to another process is looked up where it was found.
            found.__module__ = "companion"
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """What completion offers."""
        return sorted({*globals(), *__all__})
