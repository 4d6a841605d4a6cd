"""A position with everything known, as docs/notation.md shows it."""

from __future__ import annotations

EXAMPLE_ROWS = [
    "O8:ggw M4:ybr M4 V5:w@P#1 S6:bb V5",
    "V5:r O8@K^1 S12:yyw M6:g O8 O8:bg",
    "O8 M4:ww M6 M6:y M6:bb M6:r",
    "V5:g S10 O8:yg M6:w M6 M6",
    "M4:r S15:b S6 V5 S6@P S6",
]

EXAMPLE_TOML = (
    'format = 1\nboard = """\n'
    + "\n".join(EXAMPLE_ROWS)
    + '''
"""
row = ["fakir", "ivory", "fish", "fish", "silk"]
djinns = ["Utug", "Al-Amin", "Nekir"]
to_move = "pink"   # whose turn it is
phase = "turn"
bid_order = ["black", "pink"]
turn_order = [ { player = "pink", price = 5 }, { player = "black", price = 0 } ]
discards = ["fish", "fakir"]

[players.pink]
gold = 41
viziers = 2
elders = 3
fakirs = 1
goods = { ivory = 1, fish = 2 }
djinns = ["Jafaar"]

[players.black]
gold = 38
'''
)
