"""The paints of an owner's pieces: measured, learnt and applied."""
