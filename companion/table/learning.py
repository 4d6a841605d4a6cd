"""What the answers to doubts teach: unusual paints, learnt from all tiles that a person ever told."""

from __future__ import annotations

from collections.abc import Mapping

from companion.language.phrase import Phrase, joined, say
from companion.storage import remove_kept, write_private
from companion.vision.colour.learnt import LabelledTile, learn_paints, unusual_pieces
from companion.vision.colour.paints import format_paints, is_learnt_in_use, learnt_path, load_learnt, the_piece
from companion.vision.reading.examples import examples_folder, load_examples


def learn_from_examples(environment: Mapping[str, str]) -> tuple[Phrase, ...]:
    """Keep the unusual paints that all examples together show; a sentence on them where they are new.

    Raises UnusableInputError or UsageError if the data folder cannot be written.
    """
    path = learnt_path()
    before = unusual_pieces(load_learnt(path))
    # An example without a photo's key is from before pieces were kept: it does not tell what was read.
    examples = [example for example in load_examples(examples_folder()) if example.photo]
    paints = learn_paints([LabelledTile(example.tile, example.pieces, example.photo) for example in examples], before)
    if paints is None:
        remove_kept(path)
        return ()
    write_private(path, format_paints(paints).encode())
    new = [the_piece(piece) for piece in unusual_pieces(paints) if piece not in before]
    if not new or not is_learnt_in_use(environment):
        return ()
    learnt = joined(", ", new)
    return (say("learnt from your answers: the paint of {new}; photos are read with it from now on", new=learnt),)
