"""Where the sultanate lies in a photo, and what else the photo holds."""
