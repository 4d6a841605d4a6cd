"""Path-traced photos: pieces as solid bodies, lamps and bounced light, drawn by Blender; see docs/training.md."""
