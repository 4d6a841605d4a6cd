"""What the game is made of: immutable values and the clauses that define them (rules 1 to 3)."""
