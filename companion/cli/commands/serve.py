"""`companion serve`: the page for phones at the table."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.output import note, print_text
from companion.errors import UsageError
from companion.language.phrase import say
from companion.system.local_time import now

if TYPE_CHECKING:
    from companion.web.pages.addresses import Listening


def serve(
    context: typer.Context,
    here: Annotated[bool, typer.Option("--here", help="Serve this computer only; phones can't connect.")] = False,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address of this computer to serve on.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port to use.")] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Another name that phones may use, such as a proxy's; can be given several times."
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only show games; nobody can change anything.")
    ] = False,
    photos: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Treat each new picture in this folder as a photo of the game."),
    ] = None,
    history: Annotated[Path | None, typer.Option(help="Save games in this file.")] = None,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Make a new key; every phone has to scan the code again.")
    ] = False,
) -> None:
    """Open the table's page for phones on the home network: photos, hints, scores, saved games; never the internet.

    Example: companion serve, then scan the QR code with a phone on the same Wi-Fi
    """
    from companion.cli.history_recorder import opened_history
    from companion.table.photos import photos_folder
    from companion.web.pages.addresses import HERE, given_name, listen, own_names
    from companion.web.pages.guard import KEY_PATH
    from companion.web.server.app import PhotoFolder
    from companion.web.server.serving import serve_table, table_key
    from companion.web.store.services import table_services

    if here and host is not None:
        raise UsageError("--here serves this computer only; leave out --host")
    if read_only and photos is not None:
        raise UsageError("--read-only changes no game; leave out --photos")
    background = () if photos is None else (PhotoFolder(photos, note).look,)
    given = frozenset(given_name(name) for name in host_name or ())
    listening = listen(HERE if here else host, port)
    with listening.socket, _history_file(history) as (path, is_saved):
        key = table_key(new=new_key, read_only=read_only)
        with opened_history(path) as kept:
            services = table_services(
                key=key,
                history=kept,
                photos=photos_folder() if is_saved else path.with_name("photos"),
                now=now,
                clock=time.monotonic,
                random=SystemRandom(),
                read_only=read_only,
                address="" if listening.is_here_only else listening.addresses(KEY_PATH + key)[0],
                background=background,
            )
            _print_address(listening, KEY_PATH + key)
            names = own_names(others=given | frozenset(listening.names))
            note(say("Ctrl-C stops; every game is saved.") if is_saved else say("Ctrl-C stops."))
            serve_table(services, listening, names, context.obj)


@contextmanager
def _history_file(named: Path | None) -> Iterator[tuple[Path, bool]]:
    """The file that games are kept in, and whether it stays: not where the user wants none kept."""
    from companion.history.opening import history_path, load_setting

    if named is not None or load_setting(os.environ).keep:
        yield named or history_path(os.environ), True
        return
    note(
        "Games aren't being saved: this table's games and photos are gone when it closes. companion history --keep "
        "turns saving on again; --history FILE saves these"
    )
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        yield Path(folder) / "games.sqlite3", False


def _print_address(listening: Listening, path: str) -> None:
    """Say how phones come in: the address alone on a line, its code, and what to do where it does not open."""
    from companion.cli.views.address_view import QrInTerminal, lacks_colour

    first = listening.hosts[0]
    address, *others = listening.addresses(path)
    if listening.is_here_only:
        if listening.lacks_network:
            note("This computer isn't on a network, so no phone can connect; join the Wi-Fi and start again.")
        note("The table is open on this computer only, at this address:")
        print_text(address)
        return
    code = QrInTerminal(address)
    note(
        say("The table is open. Scan the code with a phone on the same Wi-Fi, or type this address there:")
        if code.fits_width
        else say("The table is open. Type this address on a phone on the same Wi-Fi:")
    )
    print_text(address)
    if code.fits_width:
        code.print()
    elif lacks_colour():
        note(
            "No QR code is drawn while colours are off (NO_COLOR, TERM=dumb): it could come out light on dark, "
            "which many phones can't read."
        )
    if first.is_aside:
        note(
            "This computer doesn't seem to be on a home network: {card} is a tunnel or a virtual network. If "
            "phones can't connect, join the Wi-Fi and start again.",
            card=first.card,
        )
    if others:
        note("The address above belongs to {card}. If it doesn't open, try this computer's others:", card=first.card)
        for other, own in zip(others, listening.hosts[1:], strict=True):
            note(f"  {other}  {own.card}".rstrip())
    if public := next((own.host for own in listening.hosts if own.is_public), None):
        note(
            "{host} is a public address: the internet can reach it too, unless a firewall or the router "
            "blocks it. Nobody gets in without the key.",
            host=public,
        )
    note(
        "If no address opens on the phone, a firewall may be blocking port {port}, or the Wi-Fi may keep "
        "devices apart.",
        port=listening.port,
    )
