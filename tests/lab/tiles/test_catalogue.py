"""Styles of tiles that training never sees, and those that it draws from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from companion.lab.tiles.catalogue import LAYOUTS, all_families, held_out_styles, trained_families
from companion.lab.tiles.styles import held_out_style, training_style
from companion.lab.tiles.unknown import EXPANSIONS, UNKNOWNS
from companion.lab.world.catalogue import TRAINING, families

FIXED: Mapping[str, set[str]] = {
    "motif": {"silhouette", "linework", "cutout"},
    "numerals": {"serif-bold", "script", "brush", "stencil"},
    "plate": {"drop", "banner", "star", "scroll"},
    "symbols": {"pips", "emblems"},
    "badge": {"cloud", "swallowtail"},
    "inks": {"white", "sand"},
    "layout": {"crown", "footer", "portrait"},
    "paper": {"dusk", "home-paper", "pastel"},
}
"""Held out since before anything was trained on tiles of other styles."""

STYLES = ["shadow-play", "print-and-play", "picture-book", "attic-find"]


def test_the_families_held_out_are_those_of_old() -> None:
    trained = trained_families()
    assert {what: set(names) - set(trained[what]) for what, names in all_families().items()} == FIXED


def test_held_out_styles_are_made_of_held_out_families_alone() -> None:
    assert list(held_out_styles()) == STYLES
    for chosen in held_out_styles().values():
        assert set(chosen) == set(FIXED)
        for what, name in chosen.items():
            assert name in FIXED[what]


def test_training_draws_every_family_that_is_not_held_out_and_no_other() -> None:
    rng = np.random.default_rng(5)
    drawn: dict[str, set[str]] = defaultdict(set)
    for _ in range(900):
        style = training_style(rng)
        assert style.printing in families(TRAINING)["tiles"]
        for what, name in style.families.items():
            drawn[what].add(name)
    assert drawn == {what: set(names) for what, names in trained_families().items()}


def test_places_drawn_anywhere_are_none_of_the_held_out_ones() -> None:
    rng = np.random.default_rng(11)
    held_out = [place for name in sorted(FIXED["layout"]) for place in LAYOUTS[name] or ()]
    assert len(held_out) == 6
    styles = [style for style in (training_style(rng) for _ in range(300)) if style.families["layout"] == "anywhere"]
    assert len(styles) > 60
    for style in styles:
        assert np.hypot(*np.subtract(style.value, style.badge)) > 0.3
        for place in (style.value, style.badge):
            # They are moved a little afterwards, as all are.
            assert min(np.hypot(*np.subtract(place, other)) for other in held_out) > 0.03


def test_outside_fonts_are_drawn_among_the_families() -> None:
    rng = np.random.default_rng(3)
    styles = [training_style(rng, ("one.ttf", "two.otf")) for _ in range(200)]
    drawn = [style.lettering.family for style in styles]
    assert 30 < drawn.count("one.ttf") < 90 and 30 < drawn.count("two.otf") < 90
    assert len(set(drawn)) > 20


def test_a_seed_draws_one_printing_of_a_style() -> None:
    assert held_out_style("shadow-play", 3) == held_out_style("shadow-play", 3)
    assert held_out_style("shadow-play", 3) != held_out_style("shadow-play", 4)


def test_no_expansion_is_trained_on() -> None:
    assert set(UNKNOWNS).isdisjoint(EXPANSIONS)
