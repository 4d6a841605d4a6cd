"""The command line: one module a command, no rule, pixel or price in it."""
