"""Whole commands with spoilt inputs (`python -m tests.fuzz`), and killed (`python -m tests.fuzz.kills`)."""
