"""Which legal turn a photo shows: the game before, what the photo says of each tile, and the rules name it."""
