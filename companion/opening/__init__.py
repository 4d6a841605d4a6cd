"""What a person holds, opened: a position file, a code, a record or photos."""
