"""The history that commands keep games in, looked at beside them."""

from __future__ import annotations

import os

from companion.history.database import History, open_history
from companion.history.opening import history_path
from tests.history.games import clock


def kept_history() -> History:
    """The history of the user whom commands run as."""
    return open_history(history_path(os.environ), now=clock())
