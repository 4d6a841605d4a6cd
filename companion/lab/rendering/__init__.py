"""Pictures of a table: tile art of our own, pieces, light and lens, with the exact truth beside them."""
