"""The rules of Five Tribes: standard library only, no files, no printing, no clock, no hidden chance."""
