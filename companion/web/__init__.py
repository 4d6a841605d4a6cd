"""The page for phones at the table: a second thin client of the library, beside the command line."""
