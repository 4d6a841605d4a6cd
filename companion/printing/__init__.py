"""Print-outs: data in, PDF bytes out. Lengths are millimetres up to the last call into reportlab."""
