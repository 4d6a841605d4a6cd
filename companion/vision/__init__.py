"""From a photo of the table to a position: load, locate, rectify, tiles, pieces, evidence, reading."""
