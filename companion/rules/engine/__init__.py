"""What the rules do with the model: sowing, turns, rounds, djinns, scoring."""
