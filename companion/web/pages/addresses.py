"""Where the table can be reached: its socket, and the addresses and names of this machine on its networks."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import CompanionError, ExitStatus, UsageError, quoted, system_reason

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PORT = 8765
"""The port that is asked for first; it is nobody's in the registry of ports that phones would meet."""

_TRIES = 10
_BACKLOG = 256

HERE = "127.0.0.1"
EVERYWHERE, EVERYWHERE_6 = "0.0.0.0", "::"
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of documents (RFC 5737, 3849), to which nothing is sent: the system tells which way it would go."""

_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""What carriers and tunnels use among themselves (RFC 6598), which Python calls neither private nor global."""

_TUNNELS = re.compile(r"u?tun|tap|wg|wireguard|ppp|ipsec|zt|zerotier|tailscale|nord|proton|mullvad|ham|.*vpn", re.I)
_BRIDGES = re.compile(
    r"br[-\d]|.*bridge|docker|podman|cni|virbr|lxc|lxd|incus|veth|vnet|vmnet|vmenet|vbox|vmware|virtualbox|hyper-v",
    re.I,
)
_WIRELESS = re.compile(r"wl|wi-?fi|wireless|ap\d", re.I)
"""How systems name tunnels, bridges to machines inside this one, and Wi-Fi."""

_FIRST_FREE_FOR_ALL = 1024
"""Ports below this one are often for the system's own programs alone."""

HOME_DOMAINS = (
    *("local", "localdomain", "lan", "home", "home.arpa", "internal", "intranet", "private", "corp"),
    *("fritz.box", "speedport.ip", "mshome.net", "attlocal.net", "ts.net"),
)
"""What routers, Bonjour and Tailscale put behind a machine's name.

Nobody can have a name of their own made there: the first are no domains of the internet, the others belong to makers.
"""

_WHOLE_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


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
        return address is not None and not address.is_private and address not in _SHARED


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
        return tuple(own.host for own in self.hosts if _address(own.host) is None)

    def addresses(self, path: str) -> tuple[str, ...]:
        """The whole addresses of a path."""
        return tuple(whole_address(own.host, self.port, path) for own in self.hosts)


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
        host = EVERYWHERE_6 if own and ":" in own[0].host else EVERYWHERE
    host = _plain(host)
    bound = _bound_socket(host, [port] if port is not None else list(range(PORT, PORT + _TRIES)), own)
    # By what the system made of it: "0" is every network too.
    address, real = bound.getsockname()[:2]
    if not ipaddress.ip_address(str(address)).is_unspecified:
        return Listening(bound, (next((known for known in own if known.host == host), OwnAddress(host)),), int(real))
    reached = tuple(known for known in own if bound.family == socket.AF_INET6 or ":" not in known.host)
    return Listening(bound, reached or (OwnAddress(HERE),), int(real))


def _plain(host: str) -> str:
    """A host without the brackets of addresses in a browser, an IPv4 address in IPv6 as what it is.

    Raises UsageError for none, and for an address that holds on one network card alone, since no browser opens it.
    """
    host = host.strip().removeprefix("[").removesuffix("]")
    if not host:
        raise UsageError("--host is empty; leave it out, or give an address of this computer")
    address = _address(host)
    if not isinstance(address, ipaddress.IPv6Address):
        return host
    if address.is_link_local:
        raise UsageError(
            "{host} is valid for one network card only, and browsers on phones can't open such an address; "
            "leave --host out, or give another one",
            host=host,
        )
    return str(address.ipv4_mapped or address)


def _bound_socket(host: str, ports: list[int], own: list[OwnAddress]) -> socket.socket:
    """A socket that listens at the first of the ports that is free. Raises UsageError or NoPortError."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, ValueError):
        raise UsageError(
            "there is no computer called {host}; leave --host out, or give an address of this one", host=quoted(host)
        ) from None
    # Of a name that has addresses of both kinds, the one that every phone can come by.
    family, _, _, _, where = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    for port in ports:
        bound = socket.socket(family, socket.SOCK_STREAM)
        try:
            # A port is had again as soon as its server ended, and never by two servers at once. On Windows
            # SO_REUSEADDR lets a second server have the port too, and a port is had again without it.
            option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
            bound.setsockopt(socket.SOL_SOCKET, option, 1)
            if family == socket.AF_INET6:
                # Phones that come by an older address are let in as well.
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            bound.bind((where[0], port))
            bound.listen(_BACKLOG)
            bound.setblocking(False)
        except OSError as error:
            bound.close()
            if not _is_taken(error, port) or port == ports[-1]:
                raise _refused(error, host, port, own) from None
            continue
        return bound
    raise AssertionError("the last port is taken or refused")


def _is_taken(error: OSError, port: int) -> bool:
    """Whether somebody else has the port; Windows refuses one that another program has exclusively."""
    refused = sys.platform == "win32" and error.errno == errno.EACCES and port >= _FIRST_FREE_FOR_ALL
    return refused or error.errno == errno.EADDRINUSE


def _refused(error: OSError, host: str, port: int, own: list[OwnAddress]) -> CompanionError:
    if error.errno == errno.EADDRNOTAVAIL:
        known = ", ".join(address.host for address in own) or HERE
        return UsageError("{host} isn't an address of this computer; it has {own}", host=host, own=known)
    if _is_taken(error, port):
        return NoPortError(
            "port {port} is taken, perhaps by another companion serve; choose one with --port", port=port
        )
    if error.errno in (errno.EACCES, errno.EPERM) and port < _FIRST_FREE_FOR_ALL:
        return NoPortError(
            "port {port} is reserved for the system; choose {first} or above with --port, or leave it out",
            port=port,
            first=_FIRST_FREE_FOR_ALL,
        )
    return NoPortError(
        "cannot listen at {host}, port {port}: {reason}", host=host, port=port, reason=system_reason(error)
    )


def own_addresses() -> list[OwnAddress]:
    """The addresses of this machine that phones may open, the likeliest first; none in no network.

    First come the cards of the home network: private addresses before public ones, IPv4 before IPv6, then the card
    that leads to other machines, then Wi-Fi. Addresses that a machine gives itself when nobody else does, and those of
    tunnels and bridges, are last.
    """
    way_out = [*_way_out(socket.AF_INET), *_way_out(socket.AF_INET6)]
    found = {own.host: own for own in (*(OwnAddress(host) for host in way_out), *_of_cards(way_out))}

    def rank(own: OwnAddress) -> tuple[bool, ...]:
        address = ipaddress.ip_address(own.host)
        is_wireless = _WIRELESS.match(own.card) is not None
        is_6, leads_out = address.version == 6, own.host in way_out
        return (own.is_aside, address.is_link_local, is_6, own.is_public, not leads_out, not is_wireless)

    return sorted((own for own in found.values() if _is_typeable(own.host)), key=rank)


def _is_typeable(host: str) -> bool:
    """Whether other machines can open an address: neither loopback nor one with a zone, which no browser takes."""
    address = ipaddress.ip_address(host)
    return not address.is_loopback and not (address.version == 6 and address.is_link_local)


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
            has_wire = any(entry.family == psutil.AF_LINK and entry.address for entry in entries)
            is_tunnel = not has_wire or _TUNNELS.match(card) is not None
            for entry in entries:
                if entry.family not in _ELSEWHERE:
                    continue
                # A bridge that leads to other machines is how this one is in the home network.
                is_bridge = _BRIDGES.match(card) is not None and entry.address not in way_out
                is_alone = entry.ptp is not None or entry.netmask == "255.255.255.255"
                yield OwnAddress(entry.address, card, is_down or is_tunnel or is_bridge or is_alone)


def _address(host: str) -> IPAddress | None:
    """The address that a host is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class HostNames:
    """The names by which phones may call a machine, in lower case: its own without a domain, and whole `others`.

    Somebody else's name may be turned to it behind a browser's back (DNS rebinding), and opens nothing.
    """

    machine: frozenset[str]
    others: frozenset[str] = frozenset()

    def have(self, host: str) -> bool:
        """Whether a request to a host, with its port or without, was meant for this machine.

        A plain address is: only names can be turned to another machine behind a browser's back.
        """
        name = _without_port(host)
        if _address(name.strip("[]")) is not None:
            return True
        machine, _, domain = name.partition(".")
        at_home = not domain or any(domain == known or domain.endswith(f".{known}") for known in HOME_DOMAINS)
        return (machine in self.machine and at_home) or name in self.others

    def were_given(self, host: str) -> bool:
        """Whether a host, with its port or without, is one of the `others`."""
        return _without_port(host) in self.others


def own_names(*, others: frozenset[str] = frozenset()) -> HostNames:
    """The names of this machine in its network, and others that were given."""
    whole = socket.gethostname().lower()
    return HostNames(frozenset({"localhost", whole.partition(".")[0]}), others | {whole})


def given_name(name: str) -> str:
    """A name that somebody gave, as it stands in requests. Raises UsageError for what is no name of a host."""
    try:
        host = name.strip().removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = ""
    if not _WHOLE_NAME.fullmatch(host):
        raise UsageError(
            "--host-name {name} isn't a host name; give one like table.example, without http:// or a port",
            name=quoted(name),
        )
    return host


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if port.isdecimal() else host).lower().removesuffix(".")
