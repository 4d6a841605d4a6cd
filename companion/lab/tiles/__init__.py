"""Tiles as other printings, other languages and people at home draw them: one game, other pictures and signs."""
