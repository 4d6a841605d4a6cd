"""Who may look at the table: the key of its address, and the cookie that a phone has for it from then on."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from companion.rules.model.components import Colour
from companion.table.seats import Seat, Spectator

COOKIE = "table"
SPECTATORS_COOKIE = "spectator"
"""Another name, since browsers send the cookies of a host to all its ports: who looks on stays in at both tables."""

COOKIE_AGE_S = 400 * 24 * 3600
"""Browsers keep no cookie for longer than 400 days."""

KEY_BYTES = 16
_TABLE = "all"
_MAX_COOKIE = 200


def new_key() -> str:
    """A key for the address of a table, which nobody guesses: 22 letters."""
    return secrets.token_urlsafe(KEY_BYTES)


def spectators_key(key: str) -> str:
    """The key of those who only look on, made from a table's key, which nobody finds out from it."""
    digest = hmac.new(key.encode(), b"read-only", sha256).digest()[:KEY_BYTES]
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Session:
    """A phone that was let in: its random name, and the seat that it has taken, as its cookie holds them.

    `seat` is None for the table's own phone, which shows all; one that looks on changes nothing.
    """

    device: str
    seat: Seat = None


def new_session() -> Session:
    """The session of a phone that has come with the right key."""
    return Session(secrets.token_urlsafe(9))


def sign_session(session: Session, key: str) -> str:
    """A session as the value of a cookie, signed, so that no phone writes itself another."""
    body = f"{session.device}.{session.seat.value if session.seat else _TABLE}"
    return f"{body}.{_signature(body, key)}"


def read_session(text: str, key: str) -> Session | None:
    """The session of a cookie's value; None for one that was not signed with this key."""
    body, _, signature = text[:_MAX_COOKIE].rpartition(".")
    if not hmac.compare_digest(signature.encode("utf-8", "replace"), _signature(body, key).encode()):
        return None
    device, _, seat = body.partition(".")
    return Session(device, parse_seat("" if seat == _TABLE else seat))


def parse_seat(text: str) -> Seat:
    """The seat of a form or a cookie, "" the table's own. Raises ValueError for none."""
    if not text:
        return None
    return Spectator.SPECTATOR if text == Spectator.SPECTATOR else Colour(text)


def is_key(text: str, key: str) -> bool:
    """Whether a text is the key, told in a time that does not hang on how much of it is right."""
    return hmac.compare_digest(text.encode("utf-8", "replace"), key.encode())


def _signature(body: str, key: str) -> str:
    return hmac.new(key.encode(), body.encode("utf-8", "replace"), sha256).hexdigest()[:32]


@dataclass(slots=True)
class RateLimit:
    """How often something may happen from one address: `most` times in `seconds`.

    `clock` tells seconds. So that many addresses take no room without end, the longest silent are forgotten.
    """

    most: int
    seconds: float
    clock: Callable[[], float]
    _times: dict[str, deque[float]] = field(default_factory=dict)

    MAX_ADDRESSES = 2000

    def is_over(self, address: str) -> bool:
        """Whether so much has come from an address that nothing more is listened to for now."""
        return len(self._recent(address)) >= self.most

    def count(self, address: str) -> None:
        """Note that it happened now."""
        times = self._recent(address)
        times.append(self.clock())
        # The latest to be heard from stand last.
        self._times.pop(address, None)
        self._times[address] = times
        while len(self._times) > self.MAX_ADDRESSES:
            self._times.pop(next(iter(self._times)))

    def _recent(self, address: str) -> deque[float]:
        times = self._times.get(address, deque(maxlen=self.most))
        while times and times[0] <= self.clock() - self.seconds:
            times.popleft()
        return times
