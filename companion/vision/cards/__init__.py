"""Resource cards laid out in a photo: find them, classify them, put them in reading order."""
