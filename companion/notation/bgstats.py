"""A game's result as a link that the app BG Stats opens as a play to save.

The fields and their traps are those of the app's page "Push plays to BG Stats from other apps or websites".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import quote

from companion.rules.engine.result import GameResult
from companion.rules.model.components import Colour

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="

SOURCE_NAME = "Five Tribes companion"
"""Part of what the app knows a play by: a new name would make doubles of all plays sent before."""

BGG_ID = 157354
"""Five Tribes on BoardGameGeek; the app wants a number, not text."""


def push_link(result: GameResult, names: Mapping[Colour, str], *, played: datetime, place: str = "") -> str:
    """The link for a game that ended at `played`, a time with its zone, at a place that may be ""; it has no side
    effects until opened.

    The same players with the same points on the same day are the same play, so that opening the link twice,
    or making it again, does not count the game twice. A game that is not over, or of which something that counts is not
    known, has no winner and no ranks in it.
    """
    moment = played.astimezone(UTC)
    players = [
        {
            "name": names.get(colour) or str(colour).capitalize(),
            "sourcePlayerId": names.get(colour) or str(colour),
            "role": str(colour),
            "score": score.total,
            **_rank(result, colour),
            # Without both of these the app for Android refuses the play.
            "winner": colour in result.winners,
            "startPlayer": False,
        }
        for colour, score in result.scores.items()
    ]
    play = json.dumps([f"{moment:%Y-%m-%d}", players], sort_keys=True)
    data = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": hashlib.sha256(play.encode()).hexdigest()[:16],
        "playDate": f"{moment:%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": "Five Tribes",
            "sourceGameId": "five-tribes",
            "bggId": BGG_ID,
            "highestWins": True,
            "noPoints": False,
        },
        "players": players,
    }
    if place:
        data["location"] = place
    # What may stand in a query as it is: the link is a QR code as well.
    return ADDRESS + quote(json.dumps(data, ensure_ascii=False, separators=(",", ":")), safe=",:'()!*")


def _rank(result: GameResult, colour: Colour) -> dict[str, int]:
    """A player's rank from 1, shared by tied players; nothing where nobody is known to have won."""
    if not result.winners:
        return {}
    return {"rank": 1 + sum(other.total > result.scores[colour].total for other in result.scores.values())}
