"""Faces to train the card network on: cards laid on anything, seen from anywhere, in any light; and what is no card."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.training.card_stock import Stock
from companion.vision.cards.detection import CARDS, OTHER, cut_face
from companion.vision.load import Picture

CARD_WIDE, CARD_HIGH = 100, 152
"""A card on the flat sheet that samples are laid out on, px; the sheet is `SHEET` px a side."""

SHEET = 300
VIEW = 200

CARD_SHARE = 0.55
"""Share of samples that are cards; the rest is what must not be taken for one."""

OWN_SHARE = 0.35
"""Share of cards that show the project's own art."""

Corners = NDArray[np.float64]


def sample_face(stock: Stock, rng: np.random.Generator) -> tuple[Picture, int]:
    """A face as `detection.cut_face` cuts it, and its class."""
    if rng.random() < CARD_SHARE:
        return _card_sample(stock, rng)
    if stock.mistakes and rng.random() < 0.45:
        return _mistake_sample(stock, rng), OTHER
    return _stray_sample(stock, rng), OTHER


def choice(rng: np.random.Generator, items: Sequence[Picture]) -> Picture:
    """One of the pictures."""
    return items[int(rng.integers(len(items)))]


def face_of(stock: Stock, card: str, rng: np.random.Generator) -> Picture:
    """A face of that card: the owner's or, by `OWN_SHARE`, the project's own."""
    real = stock.real.get(card, [])
    return choice(rng, stock.own[card] if not real or rng.random() < OWN_SHARE else real)


def dyed(face: Picture, rng: np.random.Generator) -> Picture:
    """The print a little other: hue, saturation and contrast, as between printings and cameras."""
    hsv = cv2.cvtColor(face, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[:, :, 0] = (hsv[:, :, 0] + rng.normal(0, 2.5)) % 180
    hsv[:, :, 1] = np.clip(hsv[:, :, 1] * rng.uniform(0.6, 1.3), 0, 255)
    hsv[:, :, 2] = np.clip((hsv[:, :, 2] - 128) * rng.uniform(0.8, 1.15) + 128, 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), dtype=np.uint8)


def _trimmed(face: Picture, rng: np.random.Generator) -> Picture:
    """A card cut badly: part of its white rim is missing on some sides."""
    wide = face.shape[1]
    left, top, right, bottom = (int(rng.uniform(0, 0.05) * wide) if rng.random() < 0.5 else 0 for _ in range(4))
    return face[top : face.shape[0] - bottom, left : wide - right]


def lay_card(sheet: Picture, face: Picture, corners: Corners, shadow: float) -> None:
    """Lay a card onto the sheet, in place, at its corners; its own corners are round, its shadow falls below right."""
    size = (face.shape[1], face.shape[0])
    ideal = np.array([(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])], np.float32)
    warp = cv2.getPerspectiveTransform(ideal, corners.astype(np.float32))
    mask = np.zeros((size[1], size[0]), np.uint8)
    radius = size[0] // 14
    cv2.rectangle(mask, (radius, 0), (size[0] - radius, size[1]), 255, -1)
    cv2.rectangle(mask, (0, radius), (size[0], size[1] - radius), 255, -1)
    for x in (radius, size[0] - 1 - radius):
        for y in (radius, size[1] - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    low = np.maximum(np.floor(corners.min(axis=0)) - 8, 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0)) + 12, [sheet.shape[1], sheet.shape[0]]).astype(int)
    if np.any(high - low < 2):
        return
    part = sheet[low[1] : high[1], low[0] : high[0]]
    move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64) @ warp
    place = (part.shape[1], part.shape[0])
    cover = cv2.warpPerspective(mask, move, place).astype(np.float32) / 255
    picture = cv2.warpPerspective(face, move, place)
    dark = shadow * np.roll(cv2.blur(cover, (9, 9)), (2, 3), axis=(0, 1))
    part[...] = (part * ((1 - dark) * (1 - cover))[..., None] + picture * cover[..., None]).astype(np.uint8)


def _place(middle: tuple[float, float], turn: float, size: float = 1.0) -> Corners:
    half = np.array(
        [(-CARD_WIDE, -CARD_HIGH), (CARD_WIDE, -CARD_HIGH), (CARD_WIDE, CARD_HIGH), (-CARD_WIDE, CARD_HIGH)]
    )
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(half / 2 * size @ np.array([[c, s], [-s, c]]) + middle)


def _sheet(stock: Stock, rng: np.random.Generator) -> Picture:
    ground = choice(rng, stock.grounds)
    scale = float(rng.uniform(0.6, 1.6))
    side = min(int(SHEET / scale), *ground.shape[:2])
    top, left = (int(rng.integers(0, ground.shape[axis] - side + 1)) for axis in (0, 1))
    part = np.rot90(ground[top : top + side, left : left + side], int(rng.integers(4)))
    return np.asarray(cv2.resize(part, (SHEET, SHEET)), dtype=np.uint8)


def _seen(sheet: Picture, corners: Corners, rng: np.random.Generator) -> tuple[Picture, Corners]:
    """The sheet as a camera sees it that looks at the card from a slant; and the card's corners there."""
    middle = corners.mean(axis=0)
    tilt = np.radians(rng.uniform(0, 52)) * (rng.random() < 0.8)
    turn, spin = rng.uniform(0, 2 * np.pi, 2)
    wide = float(np.exp(rng.uniform(np.log(34), np.log(105))))
    away = float(rng.uniform(4, 14)) * CARD_HIGH
    c, s = np.cos(turn), np.sin(turn)
    towards = np.array([[c, s], [-s, c]])
    back = np.array([[np.cos(spin), np.sin(spin)], [-np.sin(spin), np.cos(spin)]])

    def project(points: Corners) -> Corners:
        flat = (points - middle) @ towards
        depth = away + flat[:, 1:] * np.sin(tilt)
        across = np.column_stack([flat[:, 0], flat[:, 1] * np.cos(tilt)]) * away / depth
        return np.asarray(across @ back * wide / CARD_WIDE + VIEW / 2)

    seen = project(corners)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    source = cv2.GaussianBlur(sheet, (0, 0), max(0.5 * CARD_WIDE / wide - 0.3, 0.01)) if wide < CARD_WIDE else sheet
    view = cv2.warpPerspective(source, warp, (VIEW, VIEW), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(view, dtype=np.uint8), seen


def weathered(view: Picture, rng: np.random.Generator) -> Picture:
    """The picture under a lamp and through a phone: colour, shade, glare, blur, noise; wider than looks natural."""
    high, wide = view.shape[:2]
    across = np.linspace(-1, 1, wide, dtype=np.float32)[None]
    down = np.linspace(-1, 1, high, dtype=np.float32)[:, None]
    warm = rng.normal(0, 0.22)
    dim = rng.random() < 0.4
    gain = np.exp((rng.uniform(-1.3, 0.35) if dim else rng.normal(0, 0.15)) + np.array([-warm, 0.0, 0.6 * warm]))
    levels = np.linspace(0, 1, 256) ** (np.exp(rng.normal(0, 0.25)) if rng.random() < 0.4 else 1.0)
    curves = np.clip(255 * levels[:, None] * gain * np.exp(rng.normal(0, 0.05, 3)), 0, 255)
    lit = np.asarray(cv2.LUT(view, curves.astype(np.uint8)[:, None, :]), np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    slope = np.float32(np.cos(turn)) * across + np.float32(np.sin(turn)) * down
    light = np.exp(np.float32(rng.normal(0, 0.18)) * slope)
    if rng.random() < 0.3:
        edge = 1 / (1 + np.exp(-(slope - np.float32(rng.uniform(-0.5, 0.5))) * np.float32(rng.uniform(4, 40))))
        light *= 1 - np.float32(rng.uniform(0.1, 0.6)) * edge
    lit *= light[..., None]
    if rng.random() < 0.25:
        x, y, reach, bright = rng.uniform([-0.6, -0.6, 0.01, 30], [0.6, 0.6, 0.3, 230]).astype(np.float32)
        lit += (bright * np.exp(-((across - x) ** 2 + (down - y) ** 2) / reach))[..., None]
    result = np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)
    if rng.random() < 0.5:
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.3, 1.6))), np.uint8)
    if rng.random() < 0.12:
        smear = int(rng.integers(2, 6))
        result = np.asarray(cv2.blur(result, (smear, 1) if rng.random() < 0.5 else (1, smear)), np.uint8)
    cv2.setRNGSeed(int(rng.integers(2**31)))
    noise = np.empty(result.shape, np.int16)
    cv2.randn(noise, np.zeros(3), np.full(3, rng.uniform(0.5, 5 if dim else 8)))
    result = np.asarray(cv2.add(result, noise, dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.4:
        _, coded = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 92))])
        result = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
    return result


def _inset(corners: Corners, shares: NDArray[np.float64]) -> Corners:
    """The outline with its left, top, right and bottom side moved inwards, in parts of its width and height."""
    left, top, right, bottom = shares
    ideal = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    warp = cv2.getPerspectiveTransform(ideal, corners.astype(np.float32))
    moved = np.array([[(left, top), (1 - right, top), (1 - right, 1 - bottom), (left, 1 - bottom)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(moved, warp)[0])


def _clutter(sheet: Picture, stock: Stock, rng: np.random.Generator, corners: Corners) -> None:
    """Cover a little of the card, in place: a piece, a coin, a finger, the edge of another card."""
    if rng.random() < 0.35:
        turn = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(turn) * CARD_WIDE, np.sin(turn) * CARD_HIGH]) * rng.uniform(0.78, 1.0)
        middle = corners.mean(axis=0) + away
        lay_card(sheet, _any_card(stock, rng), _place((middle[0], middle[1]), rng.uniform(0, 2 * np.pi)), 0.4)
        return
    for _ in range(int(rng.integers(1, 3))):
        at = corners.mean(axis=0) + rng.uniform(-0.55, 0.55, 2) * [CARD_WIDE, CARD_HIGH]
        size = rng.uniform(5, 17, 2)
        colour = rng.uniform(0, 255, 3).tolist()
        cv2.ellipse(sheet, at.astype(int).tolist(), size.astype(int).tolist(), rng.uniform(0, 180), 0, 360, colour, -1)


def _any_card(stock: Stock, rng: np.random.Generator) -> Picture:
    if rng.random() < 0.3:
        return choice(rng, stock.others)
    return face_of(stock, CARDS[int(rng.integers(len(CARDS)))], rng)


def _laid_out(stock: Stock, face: Picture, rng: np.random.Generator) -> tuple[Picture, Corners]:
    """A sheet with the card in its middle and, now and then, others close by."""
    sheet = _sheet(stock, rng)
    corners = _place((SHEET / 2, SHEET / 2), 0.0) + rng.normal(0, 0.8, (4, 2))
    shadow = float(rng.uniform(0, 0.6))
    for way in (-1, 1):
        if rng.random() < 0.3:
            gap = CARD_WIDE * (1 + max(rng.normal(0.05, 0.08), 0.0))
            beside = _place((SHEET / 2 + way * gap, SHEET / 2 + rng.normal(0, 4)), rng.normal(0, 0.04))
            lay_card(sheet, _any_card(stock, rng), beside, shadow)
    lay_card(sheet, face, corners, shadow)
    return sheet, corners


def _card_sample(stock: Stock, rng: np.random.Generator) -> tuple[Picture, int]:
    kind = int(rng.integers(len(CARDS)))
    face = dyed(_trimmed(face_of(stock, CARDS[kind], rng), rng), rng)
    sheet, corners = _laid_out(stock, face, rng)
    if rng.random() < 0.22:
        _clutter(sheet, stock, rng, corners)
    view, seen = _seen(sheet, corners, rng)
    # An outline is that of the card or of the panel inside the rim, and never exact.
    base = np.array([0.0, 0.0, 0.0, 0.0]) if rng.random() < 0.5 else np.array([0.07, 0.047, 0.07, 0.047])
    outline = _inset(seen, base + rng.uniform(-0.035, 0.02) + rng.normal(0, 0.013, 4))
    down = int(rng.random() < 0.5)
    return cut_face(weathered(view, rng), np.roll(outline, 2 * down, axis=0)), kind * 2 + down


def _stray_sample(stock: Stock, rng: np.random.Generator) -> Picture:
    """Something that is no card: another kind of card, a card badly outlined or on its side, or a piece of table."""
    way = rng.random()
    if way < 0.3:
        sheet, corners = _laid_out(stock, dyed(choice(rng, stock.others), rng), rng)
        view, seen = _seen(sheet, corners, rng)
        outline = _inset(seen, rng.uniform(-0.04, 0.09) + rng.normal(0, 0.015, 4))
    elif way < 0.75:
        kind = CARDS[int(rng.integers(len(CARDS)))]
        sheet, corners = _laid_out(stock, dyed(face_of(stock, kind, rng), rng), rng)
        view, seen = _seen(sheet, corners, rng)
        how = rng.random()
        if how < 0.3:
            outline = np.roll(_inset(seen, rng.uniform(-0.04, 0.08) + rng.normal(0, 0.015, 4)), 1, axis=0)
        elif how < 0.5:
            outline = _inset(seen, -rng.uniform(0.2, 0.6) + rng.normal(0, 0.03, 4))
        elif how < 0.75:
            outline = _inset(seen, rng.uniform(0.2, 0.33) + rng.normal(0, 0.06, 4))
        else:
            shares = np.zeros(4)
            side = int(rng.integers(4))
            shares[side] = rng.uniform(0.4, 0.7)
            shares[(side + 2) % 4] = rng.uniform(-0.6, 0.1)
            outline = _inset(seen, shares)
    else:
        sheet = _sheet(stock, rng)
        size = float(rng.uniform(0.5, 1.3))
        corners = _place((SHEET / 2, SHEET / 2), rng.uniform(0, 6.3), size) + rng.normal(0, 6, (4, 2))
        view, outline = _seen(sheet, corners, rng)
    return cut_face(weathered(view, rng), np.roll(outline, 2 * int(rng.random() < 0.5), axis=0))


def _mistake_sample(stock: Stock, rng: np.random.Generator) -> Picture:
    photo, quads = stock.mistakes[int(rng.integers(len(stock.mistakes)))]
    quad = quads[int(rng.integers(len(quads)))]
    size = float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
    shaken = quad + rng.normal(0, 0.02 * size, (4, 2))
    low, high = shaken.min(axis=0) - 0.1 * size, shaken.max(axis=0) + 0.1 * size
    left, top = np.maximum(low, 0).astype(int)
    part = photo[top : int(high[1]) + 1, left : int(high[0]) + 1]
    scale = min(1.0, VIEW / max(part.shape[:2]))
    part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    outline = (shaken - [left, top]) * scale
    return cut_face(weathered(part, rng), np.roll(outline, int(rng.integers(4)), axis=0))
