"""The table of an evening: what the command line and the page both do with photos and games in progress."""
