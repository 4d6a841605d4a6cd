"""The addresses of this machine, in the order in which phones should try them."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from types import SimpleNamespace

import psutil
import pytest

from companion.web.pages import addresses
from companion.web.pages.addresses import HERE, PORT, NoPortError, OwnAddress, listen, own_addresses

Cards = dict[str, list[str]]
Order = Callable[..., list[str]]


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    """This machine's cards by name, to be filled in: ADDRESS[/MASK], "no line", "no address on the wire", "ptp"."""
    had: Cards = {"lo": ["127.0.0.1", "::1"]}
    monkeypatch.setattr(addresses, "_way_out", lambda family: iter(()))

    def entries() -> dict[str, list[SimpleNamespace]]:
        return {
            card: [
                SimpleNamespace(
                    family=socket.AF_INET6 if ":" in one else socket.AF_INET,
                    address=one.partition("/")[0],
                    netmask=one.partition("/")[2] or "255.255.255.0",
                    ptp="10.0.0.1" if "ptp" in of_card else None,
                )
                for one in of_card
                if "." in one or ":" in one
            ]
            + [SimpleNamespace(family=psutil.AF_LINK, address="02:00:00:00:00:01", netmask=None, ptp=None)]
            * ("no address on the wire" not in of_card)
            for card, of_card in had.items()
        }

    monkeypatch.setattr(psutil, "net_if_addrs", entries)
    monkeypatch.setattr(
        psutil, "net_if_stats", lambda: {card: SimpleNamespace(isup="no line" not in one) for card, one in had.items()}
    )
    return had


@pytest.fixture
def order(cards: Cards, monkeypatch: pytest.MonkeyPatch) -> Order:
    """A machine with such `cards` besides, which comes to others from an address: its own addresses in their order."""

    def ordered(way_out: str, **given: list[str]) -> list[str]:
        cards.update(given)
        monkeypatch.setattr(
            addresses, "_way_out", lambda family: iter([way_out] if way_out and family == socket.AF_INET else [])
        )
        return [f"{one.host} {one.card}" for one in own_addresses()]

    return ordered


HOME, WIRED = "192.168.1.23", "192.168.10.5"


def test_the_home_network_is_first_though_a_tunnel_holds_the_way_out(order: Order, cards: Cards) -> None:
    for tunnel, address in (
        ("tun0", ["10.8.0.6"]),
        ("wg0", ["100.84.12.7/255.255.255.255"]),
        ("office", ["10.9.0.2", "ptp"]),
        ("Local Area Connection 3", ["10.9.0.2", "no address on the wire"]),
        ("my work VPN", ["10.9.0.2"]),
        ("br-a1b2", ["172.18.0.1"]),
    ):
        host = address[0].partition("/")[0]
        way_out = "" if tunnel.startswith("br") else host
        assert order(way_out, **{tunnel: address, "wlan0": [HOME]}) == [f"{HOME} wlan0", f"{host} {tunnel}"]
        del cards[tunnel]


def test_of_several_cards_the_way_out_is_first_then_wi_fi_and_aside_what_no_phone_reaches(order: Order) -> None:
    found = order(
        WIRED,
        docker0=["172.17.0.1"],
        eth2=["93.184.216.34"],
        eth3=["169.254.3.4"],
        eth4=["192.168.7.7", "no line"],
        eth1=["192.168.30.5"],
        wlan0=[HOME, "fe80::1%wlan0", "fd12::5", "2a02::5"],
        eth0=[WIRED],
    )
    assert found == [
        f"{WIRED} eth0",
        f"{HOME} wlan0",
        "192.168.30.5 eth1",
        "93.184.216.34 eth2",
        "fd12::5 wlan0",
        "2a02::5 wlan0",
        "169.254.3.4 eth3",
        "172.17.0.1 docker0",
        "192.168.7.7 eth4",
    ]


def test_a_bridge_that_leads_to_other_machines_is_the_home_network(order: Order) -> None:
    assert order(HOME, docker0=["172.17.0.1"], br0=[HOME])[0] == f"{HOME} br0"


def test_where_phones_come_by_ipv6_alone_that_is_served(cards: Cards) -> None:
    for older in ([], ["169.254.3.4"]):
        cards |= {"wlan0": ["fd12::23", *older], "docker0": ["172.17.0.1"]}
        with listen(None, None).socket as bound:
            assert bound.family == socket.AF_INET6
            # Phones that come by IPv4 are let in, nobody is waited for, and the port is had again at once.
            assert not bound.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) and not bound.getblocking()
            assert bound.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        cards["wlan0"].append(HOME)
        listening = listen(None, None)
        with listening.socket as bound:
            assert bound.family == socket.AF_INET
            assert [own.host for own in listening.hosts] == [HOME, *older, "172.17.0.1"]


def test_ports_are_tried_while_somebody_else_has_them_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    for number, last in ((errno.EADDRINUSE, PORT + 9), (errno.EACCES, PORT)):

        def refuse(bound: socket.socket, where: tuple[str, int], number: int = number) -> None:
            tried.append(where[1])
            raise OSError(number, os.strerror(number))

        tried.clear()
        with monkeypatch.context() as patched, pytest.raises(NoPortError, match=f"port {last}"):
            patched.setattr(socket.socket, "bind", refuse)
            listen(HERE, None)
        assert tried == list(range(PORT, last + 1))


def test_an_address_of_ipv6_stands_in_brackets_and_may_be_told_so() -> None:
    listening = listen("[::1]", None)
    with listening.socket:
        assert listening.addresses("/k/x") == (f"http://[::1]:{listening.port}/k/x",)
    old_in_new = listen("::ffff:127.0.0.1", None)
    with old_in_new.socket:
        assert old_in_new.addresses("/") == (f"http://127.0.0.1:{old_in_new.port}/",)


def test_which_addresses_the_internet_may_reach() -> None:
    public = ["2a02::5", "93.184.216.34", "8.8.8.8"]
    own = ["192.168.1.5", "10.0.0.1", "172.31.0.1", "169.254.1.1", "100.64.0.1", "fd00::1", "table.example"]
    assert [host for host in (*public, *own) if OwnAddress(host).is_public] == public
