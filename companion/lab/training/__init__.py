"""Training of the photo reader's networks; needs the extra `train` (PyTorch), the program itself does not."""
