"""Text forms of positions: tile tokens, boards, position files and position codes."""
