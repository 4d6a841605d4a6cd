"""Hints on pictures and pages: the turn as numbered arrows on a drawn board or on the photo."""
