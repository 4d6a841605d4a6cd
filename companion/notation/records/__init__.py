"""Game records: a whole game as text, read, written and played back (docs/records.md)."""
