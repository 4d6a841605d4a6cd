"""Games kept: every revision of each, its results, and what they tell taken together (docs/history.md)."""
