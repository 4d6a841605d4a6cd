"""Blender is for whoever renders photos: half a gigabyte, so its own test is there only where it is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("bpy") else ["test_blender.py"]
