"""Profiles: the ranges that scenes are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Profile:
    """Ranges that a scene is drawn from.

    `elevation`, `azimuth`, `roll` in degrees; `share` of the frame; `lamps` at most; `height` of the lamps
    above the board in degrees, their `radius` in mm; `kelvin` of their light; `ambient` its share;
    `exposure` linear; `noise`; `blur` in px at 1500 px; `motion` the chance of a shaken picture; `gloss` of
    tiles; `extras` and `spares` at most; `tilt` of tiles and `gap` in degrees and mm; `lying` the share of
    meeples; `reach` from a tile's middle at which feet stand at most, in tile sides; `turned` the chance that
    tiles lie turned by quarters; `tables` the kinds of table tops; `glare` the chance that a lamp is mirrored
    in the tiles; `spared` the share of the picture that the exposure spares; `tight` the share of tiles whose
    pieces are pushed together; `crowded` the chance of a board full of crowds and heaps; `barrel` the lens's
    distortion, and `tele` the chance that `lens` is drawn from in place of a phone's plain lens; `vignette`
    the loss in the corners; `lighting` one of `lighting.LIGHTINGS`; `pieces` one of `sampling.PIECE_SETS`;
    `whole` whether the board is never cut off; `bare` the chance that nothing stands on the tiles; `company` the chance
    of a board late in a game whose palms and palaces have the meeples beside them that they are taken for.
    """

    elevation: Range = (60, 82)
    azimuth: Range = (-20, 20)
    roll: Range = (-3, 3)
    lens: Range = (24, 52)
    share: Range = (0.72, 0.93)
    lamps: int = 2
    height: Range = (35, 75)
    radius: Range = (30, 250)
    kelvin: Range = (2900, 6500)
    ambient: Range = (0.25, 0.5)
    exposure: Range = (0.2, 0.32)
    noise: Range = (0.004, 0.014)
    blur: Range = (0.35, 0.8)
    motion: float = 0.1
    gloss: Range = (0.03, 0.15)
    extras: int = 3
    spares: int = 4
    tilt: float = 0.8
    gap: float = 0.8
    lying: Range = (0.05, 0.4)
    reach: Range = (0.34, 0.4)
    turned: float = 0.0
    tables: tuple[str, ...] = ("wood", "wood", "cloth", "cloth", "plain")
    glare: float = 0.0
    spared: Range = (0.95, 0.95)
    tight: Range = (0.0, 0.0)
    barrel: Range = (-0.03, 0.012)
    tele: float = 0.35
    vignette: Range = (0.0, 0.35)
    lighting: str = "lamps"
    pieces: str = "box"
    whole: bool = False
    crowded: float = 0.0
    bare: float = 0.0
    company: float = 0.0


PROFILES: Mapping[str, Profile] = {
    "table": Profile(),
    "topdown": Profile(elevation=(85, 90), share=(0.8, 0.97)),
    "seated": Profile(elevation=(40, 58), azimuth=(-35, 35), lens=(24, 30)),
    "turned": Profile(azimuth=(90, 330), share=(0.65, 0.9)),
    "dim": Profile(exposure=(0.07, 0.13), noise=(0.015, 0.035), kelvin=(2300, 3200), lamps=1, ambient=(0.2, 0.35)),
    "glare": Profile(gloss=(0.5, 1.0), radius=(30, 120), height=(55, 85), glare=1.0),
    "clutter": Profile(extras=14, spares=10),
    "train": Profile(
        elevation=(40, 90),
        azimuth=(0, 360),
        roll=(-6, 6),
        share=(0.52, 0.96),
        height=(20, 85),
        radius=(5, 400),
        kelvin=(2500, 8000),
        ambient=(0.15, 0.65),
        exposure=(0.09, 0.38),
        noise=(0.002, 0.03),
        blur=(0.2, 1.5),
        motion=0.3,
        gloss=(0.0, 0.7),
        extras=9,
        spares=8,
        tilt=2.0,
        gap=2.5,
        lying=(0.0, 0.9),
        reach=(0.33, 0.44),
        spared=(0.95, 0.99),
        tight=(0.0, 1.0),
        pieces="varied",
        whole=True,
        barrel=(-0.045, 0.015),
        crowded=0.6,
        turned=0.15,
        tables=("wood", "wood", "cloth", "plain", "pattern", "blobs"),
        glare=0.25,
    ),
    "heldout": Profile(
        elevation=(56, 82),
        azimuth=(-180, 180),
        roll=(-5, 5),
        lens=(18, 22.5),
        share=(0.7, 0.94),
        kelvin=(2700, 6200),
        ambient=(0.22, 0.5),
        exposure=(0.17, 0.35),
        noise=(0.003, 0.022),
        blur=(0.3, 1.1),
        motion=0.2,
        gloss=(0.02, 0.4),
        extras=6,
        spares=6,
        tilt=1.5,
        gap=1.6,
        lying=(0.05, 0.6),
        reach=(0.33, 0.42),
        turned=0.1,
        tables=("terrazzo", "slats", "rug"),
        spared=(0.97, 0.99),
        tight=(0.2, 0.9),
        crowded=0.3,
        barrel=(0.02, 0.034),
        vignette=(0.2, 0.48),
        tele=0.3,
        lighting="places",
        pieces="foreign",
        whole=True,
    ),
}
"""Profiles by name; "train" is the widest, "heldout" what that never draws."""

_LOW = (40.0, 58.0)
"""Degrees above the table of a seated person's photos."""


def ordinary_profiles() -> tuple[Profile, ...]:
    """Photos as people take them: what confidences are fitted on.

    Every difficulty comes from above and from a seat, and with the pieces of the game's printings as often as
    with others.
    """
    names = ("table", "topdown", "turned", "dim", "glare", "clutter")
    above = [PROFILES[name] for name in names]
    seated = [PROFILES["seated"], *(replace(PROFILES[name], elevation=_LOW) for name in names[2:])]
    return tuple(
        replace(profile, pieces=pieces, whole=True, azimuth=(-180, 180), tight=(0.0, 0.4), crowded=0.05, turned=0.1)
        for profile in (*above, *seated, PROFILES["seated"])
        for pieces in ("varied", "box")
    )


def usual_profiles() -> tuple[Profile, ...]:
    """Photos of the game's own pieces as people take them and varied wider, with what is easily confused, to train on.

    Palms and palaces stand among the meeples that they are taken for, camels are seen from straight above, in the
    long shadows of a low lamp, and now and then tiles are bare.
    """
    above = replace(
        PROFILES["topdown"], height=(10, 40), lamps=1, ambient=(0.15, 0.4), exposure=(0.1, 0.3), azimuth=(-180, 180)
    )
    wide = replace(PROFILES["train"], crowded=0.35)
    ordinary = (profile for profile in ordinary_profiles() if profile.pieces == "box")
    return tuple(
        replace(profile, pieces="box", whole=True, tight=(0.0, 0.8), company=0.5, bare=0.04)
        for profile in (*ordinary, *(above,) * 4, *(wide,) * 8)
    )
