"""What stands on the thirty tiles of a rectified board."""
