"""Where the table can be reached: sockets, and the addresses of this machine on its networks."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import CompanionError, ExitStatus, UsageError, quoted, system_reason
from companion.language.phrase import say

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PORT = 8765
"""The port that is asked for first; it is nobody's in the registry of ports that phones would meet."""

_TRIES = 10
_BACKLOG = 256

HERE = "127.0.0.1"
EVERYWHERE, EVERYWHERE_6 = "0.0.0.0", "::"
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of documents (RFC 5737, 3849), to which nothing is sent: the system tells which way it would go."""

_AT_HOME = tuple(
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8",
                    "fc00::/7", "fe80::/10", "::1/128")
)  # fmt: skip
"""What no router of the internet leads to: private, link-local, carriers' and tunnels' own, loopback."""

_TUNNELS = re.compile(
    r"u?tun|tap|wg|wireguard|ppp|ipsec|gif|gre|sit|vti|zt|zerotier|tailscale|wt\d|nord|proton|mullvad|ham|.*vpn", re.I
)
_BRIDGES = re.compile(
    r"br[-\d]|.*bridge|docker|podman|cni|virbr|lxc|lxd|incus|mpqemu|veth|vnet|vmnet|vmenet|vbox|vmware|virtualbox|hyper-v"
    r"|flannel|cali|cilium|kube|waydroid|lima|bluetooth|pan\d",
    re.I,
)
_WIRELESS = re.compile(r"wl|wi-?fi|wireless|ap\d", re.I)
"""How systems name network cards; what has another name and no address of its own on a wire is a tunnel too."""

_FIRST_FREE_FOR_ALL = 1024
"""Ports below this one are often for the system's own programs alone."""


class NoPortError(CompanionError):
    """No socket can be had at an address; nothing is served."""

    status = ExitStatus.MISSING


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address or a name of this machine, and the network card that has it; "" where that is not known.

    `is_aside` is an address of a tunnel, of a bridge to machines inside this one, or of a card without a line.
    """

    host: str
    card: str = ""
    is_aside: bool = False

    @property
    def is_public(self) -> bool:
        """Whether the internet may lead here, unless a firewall or a router keeps it out."""
        address = _address(self.host)
        return address is not None and not any(address in network for network in _AT_HOME)


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that listens, and the addresses that lead to it, the likeliest for phones first."""

    socket: socket.socket
    hosts: tuple[OwnAddress, ...]
    port: int

    @property
    def is_here_only(self) -> bool:
        """Whether no other machine can come in."""
        return self._bound.is_loopback or self.lacks_network

    @property
    def lacks_network(self) -> bool:
        """Whether every network of this machine is listened to, and there is none."""
        return self._bound.is_unspecified and self.hosts == (OwnAddress(HERE),)

    @property
    def _bound(self) -> IPAddress:
        return ipaddress.ip_address(str(self.socket.getsockname()[0]))

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the hosts that are names and no addresses."""
        return tuple(one.host for one in self.hosts if _address(one.host) is None)

    def addresses(self, path: str) -> tuple[str, ...]:
        """The whole addresses of a path."""
        return tuple(whole_address(one.host, self.port, path) for one in self.hosts)


def whole_address(host: str, port: int, path: str) -> str:
    """The address of a path as it is typed into a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def listen(host: str | None, port: int | None) -> Listening:
    """Listen at a host's address, or in every network for None; with no port named, at the first free from `PORT` on.

    Every network is those of IPv4, or those of both kinds where phones can come by IPv6 alone. Raises UsageError for a
    host that is not this machine, NoPortError where nothing can be had.
    """
    own = own_addresses()
    if host is None:
        host = EVERYWHERE_6 if own and _is_6(own[0].host) else EVERYWHERE
    if not host.strip():
        raise UsageError(say("--host is empty; leave it out, or give an address of this machine"))
    host = _plain(host.strip())
    ports = [port] if port is not None else list(range(PORT, PORT + _TRIES))
    for number in ports:
        try:
            bound = _bound_socket(host, number)
        except (socket.gaierror, ValueError):
            raise UsageError(
                say(
                    "there is no machine called {host}; leave --host out, or give an address of this one",
                    host=quoted(host),
                )
            ) from None
        except OSError as error:
            if _is_taken(error, number) and number != ports[-1]:
                continue
            raise _refused(error, host, number, own) from None
        # By what the system made of it: "0" is every network too.
        address, real = bound.getsockname()[:2]
        if not ipaddress.ip_address(str(address)).is_unspecified:
            return Listening(bound, (next((one for one in own if one.host == host), OwnAddress(host)),), int(real))
        reached = tuple(one for one in own if bound.family == socket.AF_INET6 or not _is_6(one.host))
        return Listening(bound, reached or (OwnAddress(HERE),), int(real))
    raise AssertionError("the last port is taken or refused")


def _plain(host: str) -> str:
    """A host without the brackets of addresses in a browser, an IPv4 address in IPv6 as what it is.

    Raises UsageError for an address that holds on one network card alone, since no browser opens it.
    """
    host = host.removeprefix("[").removesuffix("]")
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_link_local:
            raise UsageError(
                say(
                    "{host} holds for one network card alone, and browsers on phones open no such address; leave "
                    "--host out, or give another one",
                    host=host,
                )
            )
        return str(address.ipv4_mapped or address)
    return host


def _bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # Of a name that has addresses of both kinds, the one that every phone can come by.
    family, _, _, _, where = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, _port_option(), 1)
        if family == socket.AF_INET6:
            # Phones that come by an older address are let in as well.
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        bound.bind(where)
        bound.listen(_BACKLOG)
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound


def _port_option() -> int:
    """The option by which a port is had again as soon as its server ended, and never by two servers at once."""
    if sys.platform == "win32":
        # There SO_REUSEADDR lets a second server have the port too, and a port is had again without it.
        return socket.SO_EXCLUSIVEADDRUSE
    return socket.SO_REUSEADDR


def _is_taken(error: OSError, port: int) -> bool:
    """Whether somebody else has the port."""
    import errno

    if error.errno == errno.EADDRINUSE:
        return True
    # Windows says so of a port that somebody else has for himself alone.
    return sys.platform == "win32" and error.errno == errno.EACCES and port >= _FIRST_FREE_FOR_ALL


def _refused(error: OSError, host: str, port: int, own: list[OwnAddress]) -> CompanionError:
    import errno

    if error.errno == errno.EADDRNOTAVAIL:
        there = ", ".join(one.host for one in own) or HERE
        return UsageError(say("{host} is no address of this machine; it has {own}", host=host, own=there))
    if _is_taken(error, port):
        return NoPortError(
            say("port {port} is taken, perhaps by another companion serve; choose one with --port", port=port)
        )
    if error.errno in (errno.EACCES, errno.EPERM) and port < _FIRST_FREE_FOR_ALL:
        return NoPortError(
            say(
                "port {port} is for the system's own programs here; choose one from {first} on with --port, or leave "
                "it out",
                port=port,
                first=_FIRST_FREE_FOR_ALL,
            )
        )
    return NoPortError(
        say("cannot listen at {host}, port {port}: {reason}", host=host, port=port, reason=system_reason(error))
    )


def own_addresses() -> list[OwnAddress]:
    """The addresses of this machine that phones may open, the likeliest first; none in no network.

    First come the cards of the home network: private addresses before public ones, IPv4 before IPv6, then the card
    that leads to other machines, then Wi-Fi. Addresses that a machine gives itself when nobody else does, and those of
    tunnels and bridges, are last.
    """
    way_out = [*_way_out(socket.AF_INET), *_way_out(socket.AF_INET6)]
    found = {one.host: one for one in (*(OwnAddress(host) for host in way_out), *_of_cards(way_out))}

    def rank(one: OwnAddress) -> tuple[bool, ...]:
        address = ipaddress.ip_address(one.host)
        return (
            one.is_aside,
            address.is_link_local,
            _is_6(one.host),
            one.is_public,
            one.host not in way_out,
            _WIRELESS.match(one.card) is None,
        )

    return sorted((one for one in found.values() if _is_typeable(one.host)), key=rank)


def _is_typeable(host: str) -> bool:
    """Whether other machines can open an address: neither loopback nor one with a zone, which no browser takes."""
    address = ipaddress.ip_address(host)
    return not address.is_loopback and not (_is_6(host) and address.is_link_local)


def _way_out(family: socket.AddressFamily) -> Iterator[str]:
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((_ELSEWHERE[family], 9))
        yield str(asking.getsockname()[0])


def _of_cards(way_out: list[str]) -> Iterator[OwnAddress]:
    """What the system's network cards have; nothing where it does not tell."""
    import psutil

    with contextlib.suppress(OSError):
        states = psutil.net_if_stats()
        for card, entries in psutil.net_if_addrs().items():
            is_down = card in states and not states[card].isup
            is_tunnel = _TUNNELS.match(card) is not None or not any(
                entry.family == psutil.AF_LINK and entry.address for entry in entries
            )
            for entry in entries:
                if entry.family not in _ELSEWHERE:
                    continue
                # A bridge that leads to other machines is how this one is in the home network.
                is_bridge = _BRIDGES.match(card) is not None and entry.address not in way_out
                is_alone = entry.ptp is not None or entry.netmask == "255.255.255.255"
                yield OwnAddress(entry.address, card, is_down or is_tunnel or is_bridge or is_alone)


def _is_6(host: str) -> bool:
    return ":" in host


def _address(host: str) -> IPAddress | None:
    """The address that a host is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
