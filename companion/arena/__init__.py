"""Bots that play whole games against one another: their interface, a referee, tournaments and what they show."""
