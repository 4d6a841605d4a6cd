"""Where the table can be reached: sockets, and the addresses of this machine on its networks."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import CompanionError, ExitStatus, UsageError, quoted, system_reason
from companion.language.phrase import say

PORT = 8765
"""The port that is asked for first; it is nobody's in the registry of ports that phones would meet."""

_TRIES = 10
_BACKLOG = 256
_ADDRESS_OF_INTERFACE = 0x8915
"""SIOCGIFADDR of Linux."""

HERE = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
_ELSEWHERE = "192.0.2.1"
"""An address of documents (RFC 5737), to which nothing is sent: the system tells which way it would go."""


_FIRST_FREE_FOR_ALL = 1024
"""Ports below this one are often for the system's own programs alone."""


class NoPortError(CompanionError):
    """No socket can be had at an address; nothing is served."""

    status = ExitStatus.MISSING


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that listens, and the addresses that lead to it, the likeliest for phones first."""

    socket: socket.socket
    hosts: tuple[str, ...]
    port: int

    @property
    def is_here_only(self) -> bool:
        """Whether no other machine can come in."""
        return self._bound.is_loopback or self.lacks_network

    @property
    def lacks_network(self) -> bool:
        """Whether every network of this machine is listened to, and there is none."""
        return self._bound.is_unspecified and self.hosts == (HERE,)

    @property
    def _bound(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        return ipaddress.ip_address(str(self.socket.getsockname()[0]))

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the hosts that are names and no addresses."""
        return tuple(host for host in self.hosts if not _is_address(host))

    def addresses(self, path: str) -> tuple[str, ...]:
        """The whole addresses of a path."""
        return tuple(f"http://{f'[{host}]' if ':' in host else host}:{self.port}{path}" for host in self.hosts)


def listen(host: str, port: int | None) -> Listening:
    """Listen at a host's address; with no port named, at the first free one from `PORT` on.

    Raises UsageError for a host that is not this machine, NoPortError where nothing can be had.
    """
    if not host.strip():
        raise UsageError(say("--host is empty; leave it out, or give an address of this machine"))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = [port] if port is not None else list(range(PORT, PORT + _TRIES))
    for number in ports:
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, _port_option(), 1)
        try:
            if family == socket.AF_INET6 and hasattr(socket, "IPPROTO_IPV6"):
                # Phones that come by an older address are let in as well.
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            bound.bind((host, number))
            bound.listen(_BACKLOG)
        except (socket.gaierror, TypeError):
            bound.close()
            raise UsageError(
                say(
                    "there is no machine called {host}; leave --host out, or give an address of this one",
                    host=quoted(host),
                )
            ) from None
        except OSError as error:
            bound.close()
            if _is_taken(error, number) and number != ports[-1]:
                continue
            raise _refused(error, host, number) from None
        bound.setblocking(False)
        # By what the system made of it: "0" is every network too.
        address, real = bound.getsockname()[:2]
        is_everywhere = ipaddress.ip_address(str(address)).is_unspecified
        return Listening(bound, tuple(own_addresses()) if is_everywhere else (host,), int(real))
    raise AssertionError("the last port is taken or refused")


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


def _refused(error: OSError, host: str, port: int) -> CompanionError:
    import errno

    # An address of one network card alone (fe80::) is none without the card's name.
    if error.errno in (errno.EADDRNOTAVAIL, errno.EINVAL):
        return UsageError(
            say("{host} is no address of this machine; it has {own}", host=host, own=", ".join(own_addresses()))
        )
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


def own_addresses() -> list[str]:
    """The IPv4 addresses of this machine, the one that leads to other machines first; this machine's own name last."""
    found = dict.fromkeys([*_way_out(), *_of_interfaces(), *_of_name()])
    plain = [one for one in found if not ipaddress.ip_address(one).is_loopback]
    # Addresses that a machine gives itself when nobody else does are of little use, and last.
    return sorted(plain, key=lambda one: ipaddress.ip_address(one).is_link_local) or [HERE]


def own_names() -> list[str]:
    """The names by which this machine may be called, besides its addresses."""
    name = socket.gethostname().partition(".")[0]
    return ["localhost", name, f"{name}.local"]


def _way_out() -> Iterator[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((_ELSEWHERE, 9))
        yield str(asking.getsockname()[0])


def _of_interfaces() -> Iterator[str]:
    if sys.platform == "win32":
        return
    import fcntl

    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), _ADDRESS_OF_INTERFACE, struct.pack("256s", name[:15].encode()))
                yield socket.inet_ntoa(answer[20:24])


def _of_name() -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(entry[4][0])


def _is_address(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False
