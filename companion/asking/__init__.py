"""Questions and conversations, whoever asks them: a terminal, or a page."""
