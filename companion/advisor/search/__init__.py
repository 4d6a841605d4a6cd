"""The search: whole turns and bids valued by playing on (see docs/advice.md)."""
