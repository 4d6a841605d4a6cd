"""The server: all routes in one app, how it starts, and the folder that photos land in."""
