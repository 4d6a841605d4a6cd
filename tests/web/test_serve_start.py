"""What `companion serve` says when it starts: where phones come in, or why it cannot begin, each with its status."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.cli.views.address_view import QrInTerminal
from companion.errors import UsageError
from companion.history.opening import KeepingSetting, save_setting
from companion.resources import data_folder
from companion.table.photos import photos_folder
from companion.web.pages import addresses
from companion.web.pages.addresses import HERE, HostNames, Listening, NoPortError, OwnAddress, listen
from companion.web.server import serving
from companion.web.store import services as services_module
from companion.web.store.sent_photos import PhotoJobs
from companion.web.store.services import Services

ADDRESS = re.compile(r"http://(\S+):(\d+)/k/[\w-]{22}")
Said = Callable[..., tuple[int, list[str], str]]


def networks(monkeypatch: pytest.MonkeyPatch, *own: str) -> None:
    """Have this machine these addresses, each with its card, "aside" where phones hardly reach it."""
    found = [OwnAddress(one.split()[0], one.split()[1], "aside" in one) for one in own]
    monkeypatch.setattr(addresses, "own_addresses", lambda: found)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Begins `companion serve` with options and ends it at once: status, lines of standard output, what was noted."""
    names: list[str] = []

    def ended(services: Services, listening: Listening, own: HostNames, tell: object) -> None:
        names[:] = sorted(own.others)
        services.close()
        listening.socket.close()

    monkeypatch.setattr(serving, "serve_table", ended)

    def begun(*options: str) -> tuple[int, list[str], str]:
        names.clear()
        status = main(["serve", *options])
        out, told = capsys.readouterr()
        return status, [*out.splitlines(), *names], " ".join(told.split())

    return begun


def test_one_network_has_one_address_alone_on_a_line(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, "192.168.1.5 wlan0")
    status, (address, *_), told = said()
    found = ADDRESS.fullmatch(address)
    assert status == 0 and found is not None and found[1] == "192.168.1.5"
    assert "Type this address on a phone on the same Wi-Fi" in told
    assert "other addresses" not in told
    assert f"a firewall may be blocking port {found[2]}, or the Wi-Fi may keep devices apart" in told


def test_several_networks_are_told_and_the_likeliest_first(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, "192.168.1.5 wlan0", "10.8.0.2 tun0", "fd12::5 wlan0")
    _, out, told = said("--host", "::")
    assert out[0].startswith("http://192.168.1.5:") and not any("10.8.0.2" in line for line in out)
    assert re.search(
        "The address above belongs to wlan0\\. If it doesn't open, try this computer's others: "
        "http://10\\.8\\.0\\.2:\\S+ tun0 http://\\[fd12::5\\]:\\S+ wlan0 If",
        told,
    )
    assert "internet" not in told
    _, _, told = said()
    assert "fd12::5" not in told


def test_who_can_come_in_by_a_public_address_is_said(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, "192.168.1.5 wlan0", "2a02:8070:1::23 wlan0")
    assert "2a02:8070:1::23 is a public address: the internet can reach it too" in said("--host", "::")[2]
    assert "internet" not in said()[2]
    networks(monkeypatch, "2a02:8070:1::23 wlan0")
    status, out, told = said()
    assert status == 0 and out[0].startswith("http://[2a02:8070:1::23]:")
    assert "internet" in told and "isn't on a network" not in told and "alone" not in told


def test_a_computer_with_a_tunnel_alone_is_told_that_few_phones_reach_it(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks(monkeypatch, "172.17.0.1 docker0 aside")
    assert "doesn't seem to be on a home network: docker0 is a tunnel or" in said()[2]


def test_a_computer_without_a_network_says_so(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch)
    status, out, told = said()
    assert status == 0 and out[0].startswith(f"http://{HERE}:")
    assert told.startswith("This computer isn't on a network, so no phone can connect; join the Wi-Fi and start again.")
    _, _, told = said("--here")
    assert told.startswith("The table is open on this computer only")


def test_a_code_is_announced_where_it_is_shown(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, "192.168.1.5 wlan0")
    monkeypatch.setattr(QrInTerminal, "fits_width", True)
    _, out, told = said()
    assert told.startswith("The table is open. Scan the code with a phone")
    assert len([line for line in out if "█" in line]) > 15


def test_a_name_of_this_machine_is_served_under_that_name(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "table.home.arpa"
    known = socket.getaddrinfo

    def found(host: str, *rest: Any, **options: Any) -> Any:
        return known(HERE if host == name else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(socket.socket, "getsockname", lambda bound: ("192.168.1.5", 8765))
    status, out, told = said("--host", name)
    assert status == 0 and out[0].startswith(f"http://{name}:") and name in out[1:]
    assert "on this computer only" not in told


def test_names_of_a_proxy_are_told_in_any_letters_and_what_is_no_name_is_a_mistake(said: Said) -> None:
    status, out, _ = said("--here", "--host-name", "Table.Example.", "--host-name", "bücher.example")
    assert status == 0 and {"table.example", "xn--bcher-kva.example"} <= set(out)
    for wrong in ("https://table.example", "table.example:443", "", "a b", "x" * 70):
        status, _, told = said("--here", "--host-name", wrong)
        assert status == 2 and "isn't a host name; give one like table.example, without http:// or a port" in told


def test_a_host_that_is_not_this_machine_is_a_mistake_and_nothing_is_made() -> None:
    for host, told in (
        ("", "--host is empty; leave it out"),
        ("203.0.113.7", "203.0.113.7 isn't an address of this computer; it has "),
        ("no-such.invalid", "there is no computer called 'no-such.invalid'; leave --host out"),
        ("a\0b", r"there is no computer called 'a\x00b'"),
        ("fe80::1", "fe80::1 is valid for one network card only, and browsers on phones can't open such an address"),
        ("fe80::1%lo", "fe80::1%lo is valid for one network card only"),
        ("x" * 300, "there is no computer called 'xxx"),
    ):
        with pytest.raises(UsageError) as refused:
            listen(host, None)
        assert told in str(refused.value)
    assert main(["serve", "--host", ""]) == 2
    assert not data_folder().exists()


def test_photos_come_from_a_folder_that_is_there(said: Said, tmp_path: Path) -> None:
    assert said("--here", "--photos", str(tmp_path))[0] == 0
    status, out, told = said("--here", "--photos", str(tmp_path / "none"))
    assert status == 4 and not out and "there is no folder" in told and "make it first" in told
    assert said("--here", "--read-only", "--photos", str(tmp_path))[0] == 2


def test_a_port_that_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for port, number, told in (
        (80, errno.EACCES, "port 80 is reserved for the system; choose 1024 or above with --port"),
        (8080, errno.EACCES, "cannot listen at 127.0.0.1, port 8080: "),
        (8080, errno.EADDRINUSE, "port 8080 is taken, perhaps by another companion serve; choose one with --port"),
        (8080, errno.ENOBUFS, "cannot listen at 127.0.0.1, port 8080: "),
    ):

        def refuse(bound: socket.socket, where: tuple[str, int], number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(socket.socket, "bind", refuse)
        with pytest.raises(NoPortError) as refused:
            listen(HERE, port)
        assert str(refused.value).startswith(told)
    assert main(["serve", "--here", "--port", "8080"]) == 3
    assert "cannot listen" in capsys.readouterr().err
    assert main(["serve", "--here", "--port", "0"]) == 2


def test_who_keeps_no_games_plays_without_leaving_any(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    def jobs(folder: Path, *others: Any, **options: Any) -> PhotoJobs:
        folders.append(folder)
        return PhotoJobs(folder, *others, **options)

    monkeypatch.setattr(services_module, "PhotoJobs", jobs)
    save_setting(KeepingSetting(keep=False, told=True))
    status, _, told = said("--here")
    assert status == 0 and told.startswith("Games aren't being saved: this table's games and photos are gone when")
    assert not (data_folder() / "games.sqlite3").exists()
    named = tmp_path / "kept.sqlite3"
    _, _, told = said("--here", "--history", str(named))
    assert "Games aren't being saved" not in told and named.exists()
    assert folders[1] == photos_folder() and photos_folder() not in (folders[0], *folders[0].parents)
    assert not folders[0].parent.exists()
