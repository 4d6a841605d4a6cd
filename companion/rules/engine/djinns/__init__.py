"""The djinns (rules 11), a family a file; `DJINNS` has the 22 of the game by name."""

from companion.rules.engine.djinns.registry import DJINNS, EVERY_DJINN, PROMO_DJINNS, djinns_in_game

__all__ = ["DJINNS", "EVERY_DJINN", "PROMO_DJINNS", "djinns_in_game"]
