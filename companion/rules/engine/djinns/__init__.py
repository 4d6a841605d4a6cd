"""The djinns (rules 11): what one is in `base`, a family a file, all of them by name in `registry`."""
