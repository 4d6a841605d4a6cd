"""The names by which phones may call this machine.

Somebody else's name may be turned to it behind a browser's back (DNS rebinding), and opens nothing.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError, quoted
from companion.language.phrase import say

HOME_DOMAINS = (
    *("local", "localdomain", "lan", "home", "home.arpa", "internal", "intranet", "private", "corp"),
    *("fritz.box", "speedport.ip", "mshome.net", "attlocal.net", "ts.net"),
)
"""What routers, Bonjour and Tailscale put behind a machine's name.

Nobody can have a name of his own made there: the first are no domains of the internet, the others belong to makers.
"""

_RESOLVER = Path("/etc/resolv.conf")
_WHOLE_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class HostNames:
    """The names of a machine, in lower case: without a domain, the domains of its network, and `told` whole names."""

    machine: frozenset[str]
    domains: tuple[str, ...] = HOME_DOMAINS
    told: frozenset[str] = frozenset()

    def have(self, host: str) -> bool:
        """Whether a request to a host, with its port or without, was meant for this machine.

        A plain address is: only names can be turned to another machine behind a browser's back.
        """
        name = _without_port(host)
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name.strip("[]")))
        machine, _, domain = name.partition(".")
        at_home = not domain or any(domain == one or domain.endswith(f".{one}") for one in self.domains)
        return (machine in self.machine and at_home) or name in self.told

    def were_told(self, host: str) -> bool:
        """Whether a host, with its port or without, is one of those that were told."""
        return _without_port(host) in self.told


def own_names(*, told: frozenset[str] = frozenset()) -> HostNames:
    """The names of this machine in its network, and those that were told."""
    whole = socket.gethostname().lower()
    domains = dict.fromkeys((*HOME_DOMAINS, *_domains_of_network()))
    return HostNames(frozenset({"localhost", whole.partition(".")[0]}), tuple(domains), told | {whole})


def told_name(name: str) -> str:
    """A name that somebody told, as it stands in requests. Raises UsageError for what is no name of a host."""
    try:
        host = name.strip().removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        host = ""
    if not _WHOLE_NAME.fullmatch(host):
        raise UsageError(
            say(
                "--host-name {name} is no name of a host; give it as table.example, without http:// and port",
                name=quoted(name),
            )
        )
    return host


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if port.isdecimal() else host).lower().removesuffix(".")


def _domains_of_network() -> Iterator[str]:
    """The domains that this machine's network has given it."""
    with contextlib.suppress(OSError):
        for line in _RESOLVER.read_text(encoding="ascii", errors="replace").splitlines():
            kind, *domains = line.split() or [""]
            if kind in ("search", "domain"):
                yield from filter(None, (domain.lower().strip(".") for domain in domains))
