"""What pictures, prints and terminals share: colours, and where labels have room."""
