"""The addresses of this machine, in the order in which phones should try them."""

from __future__ import annotations

import pytest

from companion.web import addresses


def test_addresses_without_a_router_come_last_and_the_machines_own_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"_way_out": [], "_of_interfaces": ["169.254.3.4", "192.168.1.5", addresses.HERE], "_of_name": []}
    for name, hosts in found.items():
        monkeypatch.setattr(addresses, name, lambda hosts=hosts: iter(hosts))
    assert addresses.own_addresses() == ["192.168.1.5", "169.254.3.4"]
