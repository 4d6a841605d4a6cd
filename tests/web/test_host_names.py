"""The names of this machine, with the domains that its network has given it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from companion.web import addresses
from companion.web.addresses import own_names


def test_the_domains_of_the_network_are_those_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = tmp_path / "resolv.conf"
    resolver.write_bytes(
        b"# search no.example\nnameserver 192.168.1.1\nsearch Kitchen.Example. other.example\nsearch\n\xff\n"
    )
    monkeypatch.setattr(addresses, "_RESOLVER", resolver)
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.Office.Example")
    names = own_names(others=frozenset({"table.example"}))
    for name in ("laptop.kitchen.example", "laptop.other.example:8765", "laptop.office.example", "table.example"):
        assert names.have(name)
    for name in ("laptop.no.example", "other.kitchen.example", "laptop.example"):
        assert not names.have(name)
    monkeypatch.setattr(addresses, "_RESOLVER", tmp_path / "none")
    assert own_names().have("LAPTOP.local") and not own_names().have("laptop.kitchen.example")
