"""How often something may happen from one address."""

from __future__ import annotations

from companion.web.sessions import RateLimit
from tests.web.at_table import Clock


def test_who_was_heard_last_is_forgotten_last() -> None:
    limit = RateLimit(2, 60.0, Clock())
    limit.count("192.168.1.5")
    for number in range(RateLimit.MAX_ADDRESSES - 1):
        limit.count(f"10.{number}")
    limit.count("192.168.1.5")
    limit.count("192.168.1.6")
    assert limit.is_over("192.168.1.5")
