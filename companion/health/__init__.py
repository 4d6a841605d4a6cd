"""What the program finds on this machine and what it misses, each with its remedy."""
