"""What the program says to people, in five languages: sentences, catalogues, the game's names, the language chosen."""
