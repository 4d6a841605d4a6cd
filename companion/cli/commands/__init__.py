"""The commands, one or several of a kind in a module."""
