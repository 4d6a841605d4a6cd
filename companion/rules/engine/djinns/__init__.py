"""The djinns (rules 11): what one is in `base`, those without a cost and with one, all by name in `registry`."""
