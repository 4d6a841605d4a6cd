"""What the server holds between requests: games' photos and forms, who is there, and work on its way."""
