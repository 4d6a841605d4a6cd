"""Reference cards, the player aid, the bid track aid, and all of them as one kit."""
