"""The reader's constants that were fitted, each with what it was fitted on: measure anew whatever changes here.

What the lab's commands fit lies in `weights/*.json` (docs/training.md). All other constants of the reader follow from
the game, a format or a method, and stand where they're used, with why they're so.
"""

from __future__ import annotations

# Pieces and what stands on tiles, on photos that no network was trained on

LARGE_PIECE_TILES: dict[str, float] = {"palm": 0.22, "palace": 0.22}
"""Feet of these classes closer together than this, in tile sides, are one piece seen twice. On rendered photos held out
of training it took away a third of the palms and palaces too many and lost none."""

CAMEL_SPOT, SPOT_TILES = (0.8, 0.83), 0.14
"""The middle of a tile's circle for the camel, from the tile's upper left corner, and how near to it a piece is in it:
two of three camels are, and one of thirty meeples, as photos are rendered."""

BLUE_IN_SPOT = 1.0
"""A builder in the circle is no more likely than this, in nats, than a blue camel: from straight above a navy one is
hardly told from it. It brings one doubt in ten rendered boards."""

RANKED_WEIGHT = 0.5
"""What the ranking of whole contents counts for any of them; the rest is for the numbers of each kind. On 284 turns in
56 photos the turn's board comes first 282 times by both, 280 by the numbers alone."""

STAYS, UNTOUCHED = 4.0, 1.5
"""What speaks, in nats, against a palm, a palace or a camel having gone: none ever does (rules 4.8, 6), but the game's
board may have been told wrong; and for a tile that lies as it did: a turn changes some seven of thirty. On 102 rendered
boards with three boards before each, some eight doubts a board became three, and four tiles more of a hundred right."""

FEW_COLOURS_LOGIT = 1.25
"""How much less sure, in nats, what was read in a picture of few colours is. On GIFs of 22 rendered tables 98% of the
wrong tiles are doubtful by it, for 85%, and six tiles a board for four."""

MAX_OFFERED = 5
"""How many other readings of a tile are offered to a person, the likeliest. Of 177 tiles read wrong in 64 photos the
right one is among three 101 times, among five 118 times; picked for being unlike one another they're right less often.
"""

# Tables in several photos, on 28 rendered ones seen from three sides

EVIDENCE, HIDDEN = 1.4, 0.35
"""What all photos of a table show together, beside what one shows: little more, for they misread the same pieces alike,
where photos that erred independently would count for as many as there are. 89% of the wrong tiles are doubtful by it,
as of one photo; by 2, 70%. And what speaks, in nats, for each piece more on a tile, a photo, sooner hidden from one
than made up by it: three photos leave 1.25 wrong tiles a board, 1.5 without; one photo leaves 2.3."""

EVIDENCE_ALONE, HIDDEN_ALONE = 1.2, 0.3
"""The same for what is looked at apart, a tile's kind and the numbers of one piece, of all photos together."""

# Kinds of tiles, on boards in the styles of training, kept apart

PATCHES_ALIKE, FEATURES_ALIKE, ALIKE_OFFSET = 1.06, 1.08, -1.6
"""Evidence, in nats, that two tiles are of one kind: for each deviation by which their patches, and their features,
agree more than those of other pairs do (a logistic regression), and for any two, less than by that regression, which
takes pairs for independent."""

PAIR_WEIGHT, FIELD_SHARE = 0.9, 0.35
"""Power of what pairs show for each unit of the network's doubt, up to 1: it knows usual printings better than pairs
do, and strange ones worse. This share of it counts for the chances, since a tile's many pairs do not err independently.
The first was chosen, with the offset, by the log loss; the second so that few tiles of other styles are wrong without a
doubt."""

UNKNOWN, UNKNOWN_FROM = (1.1407, -0.212, 8.0, 0.5109), 0.1888
"""A logistic regression of whether a tile is of no kind in the box, on `tiles.strangeness`, with an offset, and from
which chance it's called so, as 0.7% of known tiles are. Without the third weight, for how badly all tiles fit, a
quarter of those in other styles were called so, with it 2%."""

OWN_FEATURES, OWN_PATCHES, OWN_CLASSES = 6.0, 23.0, 4.0
"""How much likelier a tile is what an owner's picture shows the more alike they are: in nats for features that point
the same way, for patches that correlate fully, and for each unit by which the squared Hellinger distance of what the
network takes either for is less. In a strange printing the network may take every 12 for a 15; it does so in both."""

OWN_UNKNOWN = (1.73, -0.23, -0.65, 0.63)
"""A logistic regression of whether a tile is none that its owner showed: on the log odds by which the network calls it
unknown and those by which it calls the picture so that it is likest to, on the evidence for that picture, and an
offset."""

OWNED_EVIDENCE = 6.0
"""In nats, the mean over thirty tiles from which an owner's own lie where none were told: on these boards they have 7
to 22, something else that has a board's shape up to 5.5."""

SELF_CHECK_TILES = 20
"""Of an owner's tiles that the box has two or more of, this many of 27 must be recognised by the others' pictures: with
wrong rows some ten are, with right ones nearly all unless pieces hide them."""

FAMILIAR_FROM = 0.9
"""From this mean probability on the printing is known, and classifying tiles jointly changed none of 1,770 on rendered
photos."""

# What is no board, on other games, and on sultanates in styles that nothing was trained on

FOREIGN_BELOW = 0.32
"""Mean probability of the thirty tiles under which they are another game's: such came to 0.28 at most, sultanates to
0.34 at least."""

CLEARLY_FOREIGN = 0.34
"""The same at one look, from one side: printed text, keyboards and chessboards came to 0.29 at most, sultanates to 0.48
at least, 0.40 mirrored (157 photos)."""

POORLY_CLASSIFIED, FOREIGN_ABOVE = 0.5, 0.65
"""Below the first they are another game's as well if the network calls them none of the box with more than the second
in the mean: playing cards, whose figures can be read, came to 0.80, sultanates to 0.49 at most."""

MIRROR_BELOW, MIRROR_GAIN = 0.85, 0.12
"""Below the first it is worth trying whether the picture is mirrored: mirrored ones came to 0.63 at most. The second is
by how much their tiles are surer when they are mirrored back."""

MIN_BEYOND_SCORE = 0.5
"""Least score of a tile beside the board: a dotted table cloth comes to 0.3."""
