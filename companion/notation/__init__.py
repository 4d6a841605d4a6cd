"""What people and programs write of a game: tiles, boards, holdings, position files, codes, records.

What is printed for the camera stands here too (`fiducials`), since those who print and those who read share it.
"""
