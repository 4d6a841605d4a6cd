"""The reader's workshop: rendering, training and measuring; in the repository and the sdist, not in the wheel."""
