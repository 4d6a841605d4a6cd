"""The report on a game that was looked back on."""
