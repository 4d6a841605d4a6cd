"""A second implementation of the whole game: slow, plain, written apart from the engine it is compared with."""
