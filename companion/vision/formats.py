"""What a file is, told by how it begins: a picture that is read, or something else, with what to do about it."""

from __future__ import annotations

import re

_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1", b"heif")
_AVIF_BRANDS = (b"avif", b"avis")
_BMP_HEADERS = (12, 16, 40, 52, 56, 64, 108, 124)
"""Lengths in bytes that the header of a BMP may have: "BM" alone may begin a text."""

_PICTURES = re.compile(
    rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*|II\+\0|MM\0\+|P[1-6][\s#]",
    re.DOTALL,
)
"""JPEG, PNG, GIF, WebP, TIFF and BigTIFF in both orders of bytes, PBM, PGM and PPM."""

_BEGINNINGS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF", "a PDF; send a photo or a picture of the page"),
    (0, b"PK\x03\x04", "an archive or a document; take the photo out of it"),
    (0, b"\x1aE\xdf\xa3", "a video; take a photo"),
    (8, b"AVI ", "a video; take a photo"),
    (0, b"\xff\x0a", "JPEG XL; share or save it as JPEG"),
    (4, b"JXL ", "JPEG XL; share or save it as JPEG"),
    (4, b"ftypcrx", "a camera's raw file; save it as JPEG"),
    (0, b"FUJIFILMCCD-RAW", "a camera's raw file; save it as JPEG"),
    (0, b"8BPS", "a Photoshop file; save it as JPEG"),
    (0, b"%!PS", "PostScript; send a photo"),
    (4, b"ftyp", "a video; take a photo"),
)
"""Where a mark stands, the mark, and what a file is that has it; the first that fits counts."""


def is_picture(head: bytes) -> bool:
    """Whether a file that begins with these bytes, 32 of them or all, is a picture of a kind that is read.

    >>> is_picture(b"P6 640 480 255 "), is_picture(b"board = ")
    (True, False)
    """
    if _PICTURES.match(head) or is_heic(head):
        return True
    if head[4:8] == b"ftyp":
        return head[8:12] in _AVIF_BRANDS
    return head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in _BMP_HEADERS


def is_heic(head: bytes) -> bool:
    """Whether a file that begins so is HEIC, as iPhones take photos."""
    return head[4:8] == b"ftyp" and head[8:12] in _HEIC_BRANDS


def format_hint(content: bytes) -> str:
    """What a file is that is no picture to be read, and what to do, to end a sentence with."""
    kind = foreign_kind(content)
    if kind is not None:
        return f": it is {kind}"
    if b"\0" not in content[:1000] and _is_text(content[:1000]):
        return ": it is text; a photo as JPEG or PNG is wanted"
    return "; JPEG and PNG are"


def foreign_kind(content: bytes) -> str | None:
    """What a file is that is neither a picture to be read nor text of this program's, and what to do instead.

    >>> foreign_kind(b"%PDF-1.7")
    'a PDF; send a photo or a picture of the page'

    None for what is not known.
    """
    if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS:
        return "a damaged AVIF, or of a kind that is not read; share or save it as JPEG"
    for start, mark, words in _BEGINNINGS:
        if content[start : start + len(mark)] == mark:
            return words
    head = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"<svg" in head:
        return "a drawing in SVG; send a photo"
    if head.startswith((b"<!doctype html", b"<html")):
        return "a web page; save the photo itself"
    return None


def _is_text(content: bytes) -> bool:
    """Whether bytes, perhaps cut inside a character, are text in UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(content) - 1 and error.reason == "unexpected end of data"
    return True
