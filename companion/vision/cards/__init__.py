"""Resource cards laid out in a photo: find them, tell them, put them in reading order."""
