"""Many games side by side: a flat form of the state and the rules for playouts, held to `rules` as a twin."""
