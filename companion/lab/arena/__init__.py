"""Bots that play whole games against one another: who wins how often, and how surely."""
