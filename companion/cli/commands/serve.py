"""`companion serve`: the page for phones at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.language.phrase import say


def serve(
    here: Annotated[bool, typer.Option("--here", help="Serve this computer alone; no phone comes in.")] = False,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="The address of this computer to serve.", show_default=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="The port, if it is to be this one.", show_default=False),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Show games to spectators; nobody changes anything.")
    ] = False,
    history: Annotated[
        Path | None,
        typer.Option("--history", metavar="FILE", help="Keep games in this file.", show_default=False),
    ] = None,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Make a new key; phones that were in must scan again.")
    ] = False,
) -> None:
    """Open the table's page for phones on the home network: photos, hints, scores, every game kept; never the internet.

    Example: companion serve, then scan the QR code with a phone in the same Wi-Fi
    """
    import os
    import time
    from datetime import datetime
    from random import SystemRandom

    from companion.cli.output import note, print_text
    from companion.cli.views.address_view import print_qr
    from companion.errors import UsageError
    from companion.history.database import open_history
    from companion.history.opening import history_path
    from companion.web.addresses import EVERYWHERE, HERE, listen, own_names
    from companion.web.guard import KEY_PATH
    from companion.web.services import table_services
    from companion.web.serving import kept_key, photos_folder, serve_table

    if here and host is not None:
        raise UsageError(say("--here serves this computer alone; leave out --host"))
    key = kept_key(new=new_key)
    kept = open_history(history or history_path(os.environ), now=lambda: datetime.now().astimezone())
    for sentence in kept.told:
        note(sentence)
    listening = listen(HERE if here else host or EVERYWHERE, port)
    services = table_services(
        key=key,
        history=kept,
        photos=photos_folder(),
        now=lambda: datetime.now().astimezone(),
        clock=time.monotonic,
        random=SystemRandom(),
        read_only=read_only,
    )
    address, *others = listening.addresses(KEY_PATH + key)
    if listening.is_here_only:
        note(say("The table is open on this computer alone, at this address:"))
    else:
        note(say("The table is open. Scan the code with a phone in the same Wi-Fi, or type this address there:"))
    print_text(address)
    if not listening.is_here_only:
        print_qr(address)
        if others:
            note(say("This computer has other addresses too; if the first does not open, try these:"))
            for other in others:
                note(f"  {other}")
        note(
            say(
                "If no address opens on the phone, a firewall may be shut for port {port}, or the Wi-Fi keeps guests "
                "apart.",
                port=listening.port,
            )
        )
    note(say("Ctrl-C stops; every game is kept."))
    serve_table(services, listening, own_names())
