"""What an owner showed of the pieces of his own: found in a photo, kept, and made use of."""
