"""The score sheet, empty or filled in."""
