"""Questions and answers at the terminal."""
