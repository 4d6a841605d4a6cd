"""What the machine gives: programs, the day and hour, where the package lies, and how far work has come."""
