"""Judging advice: what its first turn or bid loses against the best one, by playing many of them on to the end."""
