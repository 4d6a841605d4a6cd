"""Jobs for a worker's process, named by tests: some do as they should, some do not."""

from __future__ import annotations

import os
import time

from companion.errors import PhotoError
from companion.language.phrase import Phrase, say
from companion.system.progress import TellShare


def doubled(number: int, tell: TellShare) -> int:
    tell(0.5, say("half of it"))
    return 2 * number


def process(tell: TellShare) -> int:
    return os.getpid()


def refused(what: str, tell: TellShare) -> Phrase:
    raise PhotoError(say("{what} is no photo", what=what))


def killed(tell: TellShare) -> None:
    os._exit(9)


def greedy(size: int, tell: TellShare) -> int:
    return len(bytearray(size))


def slow(seconds: float, tell: TellShare) -> None:
    time.sleep(seconds)


def wrong(tell: TellShare) -> None:
    raise ZeroDivisionError("never mind")


def given_back(one: object, tell: TellShare) -> object:
    """What was sent, as it came here."""
    return one


def unsendable(tell: TellShare) -> object:
    """What no other process can have."""
    return lambda: None


def endless(tell: TellShare) -> None:
    """Goes on until it is told to stop, telling how far it has come."""
    while True:
        tell(0.5, say("half of it"))
        time.sleep(0.01)
