"""PyTorch is for whoever trains networks: what needs it is tried only where it is installed."""

from importlib.util import find_spec

collect_ignore = (
    []
    if find_spec("torch") and find_spec("onnx")
    else [
        "test_contents.py",
        "test_export.py",
        "test_piece_embeddings.py",
        "test_pretrained.py",
        "test_quantise.py",
        "test_restore.py",
        "test_train.py",
    ]
)
