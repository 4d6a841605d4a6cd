"""Jobs for a worker's process, named by tests: some do as they should, some do not."""

from __future__ import annotations

import os
import time

from companion.errors import PhotoError
from companion.language.phrase import Phrase, say
from companion.web.worker import Tell


def doubled(number: int, tell: Tell) -> int:
    tell(0.5, say("half of it"))
    return 2 * number


def process(tell: Tell) -> int:
    return os.getpid()


def refused(what: str, tell: Tell) -> Phrase:
    raise PhotoError(say("{what} is no photo", what=what))


def killed(tell: Tell) -> None:
    os._exit(9)


def greedy(size: int, tell: Tell) -> int:
    return len(bytearray(size))


def slow(seconds: float, tell: Tell) -> None:
    time.sleep(seconds)


def wrong(tell: Tell) -> None:
    raise ZeroDivisionError("never mind")


def given_back(one: object, tell: Tell) -> object:
    """What was sent, as it came here."""
    return one
