"""The advisor: a position in, ranked turns with their reasons out."""
