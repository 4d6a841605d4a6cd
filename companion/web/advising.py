"""Hints on their way: thought about in a process of their own, kept while the game stands as it did."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.advisor.advice import DEFAULT_PLAYOUTS
from companion.errors import CompanionError
from companion.progress import TellShare
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.table.advising import TableAdvice
from companion.web.events import EventHub
from companion.web.worker import UNFORESEEN, Worker

if TYPE_CHECKING:
    from companion.advisor.search.fairness import FairSetup

ADVISE = "companion.table.advising:advise_table"
FAIR = "companion.table.advising:fair_table"
MAX_KEPT_HINTS = 40
FAULT_KEPT_S = 5.0
"""How long a fault is the answer: until all phones that wait for the hint have seen it. Then it may be asked again."""

FAIR_TIME_S = 10.0
"""After this a fair set-up is no longer looked for: a table that waits has the fairest so far."""


@dataclass(slots=True)
class HintAsked:
    """A hint that somebody asked for: how far it has come (0 to 1); in the end what it says, or why not."""

    share: float = 0.0
    advice: TableAdvice | None = None
    fault: str = ""
    failed_s: float | None = None
    """When there was a fault, by the clock of the loop."""

    @property
    def is_ready(self) -> bool:
        """Whether there is an answer, be it that there is none."""
        return self.advice is not None or bool(self.fault)


class Adviser:
    """Thinks about turns and bids; the same question is thought about once."""

    def __init__(
        self, worker: Worker, hub: EventHub, *, playouts: int = DEFAULT_PLAYOUTS, fair_s: float = FAIR_TIME_S
    ) -> None:
        self._fair_s = fair_s
        self._worker = worker
        self._hub = hub
        self._playouts = playouts
        self._asked: OrderedDict[tuple[str, Position | GameState], HintAsked] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, game: str, asked: Position | GameState) -> HintAsked:
        """The hint for a game as a seat knows it, begun if nobody asked before; `game` is told how far it has come."""
        key = (game, asked)
        if key in self._asked and _is_over(self._asked[key]):
            del self._asked[key]
        if key not in self._asked:
            self._asked[key] = HintAsked()
            task = asyncio.create_task(self._think(game, asked, self._asked[key]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._asked.move_to_end(key)
        while len(self._asked) > MAX_KEPT_HINTS:
            self._asked.popitem(last=False)
        return self._asked[key]

    async def fair_setup(self, colours: Sequence[Colour], seed: int, tell: TellShare) -> FairSetup:
        """A set-up with an equally good start for all, of the seeds from `seed` on, or the fairest that was found."""
        found: FairSetup = await self._worker.run(FAIR, tuple(colours), seed, self._fair_s, tell=tell)
        return found

    async def _think(self, game: str, asked: Position | GameState, hint: HintAsked) -> None:
        def tell(share: float, stage: str) -> None:
            hint.share = share

        try:
            hint.advice = await self._worker.run(ADVISE, asked, self._playouts, 0, tell=tell)
        except CompanionError as error:
            hint.fault = str(error)
        except Exception:
            hint.fault = UNFORESEEN
            raise
        finally:
            if hint.fault:
                hint.failed_s = asyncio.get_running_loop().time()
            self._hub.publish(game, "hint", None)


def _is_over(hint: HintAsked) -> bool:
    """Whether a hint failed long enough ago for another try."""
    return hint.failed_s is not None and asyncio.get_running_loop().time() - hint.failed_s >= FAULT_KEPT_S
