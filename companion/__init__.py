"""Companion for a Five Tribes table: read it, advise on it, score it, print for it."""

__version__ = "0.2.0"
