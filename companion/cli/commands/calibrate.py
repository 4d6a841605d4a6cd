"""`companion calibrate`: `companion learn` by the name that it had when it knew the printed card alone."""

from __future__ import annotations

from companion.cli.commands.learn import learn

calibrate = learn
