"""The report on a recorded game: its result, its curves, its boards, what each turn brought and what was better."""
