"""Files that are no photo, told by how they begin, with what to do; and the optional reader of HEIC."""

from __future__ import annotations

_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1", b"heif")
_AVIF_BRANDS = (b"avif", b"avis")

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


def is_heic(content: bytes) -> bool:
    """Whether a file's bytes are HEIC, as iPhones take photos."""
    return content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS


def open_heic(content: bytes) -> bool:
    """Let Pillow read HEIC if these bytes are that and the optional reader is installed; whether it can now."""
    if not is_heic(content):
        return False
    try:
        from pillow_heif import register_heif_opener
    except ImportError:
        return False
    register_heif_opener()
    return True


def format_hint(content: bytes) -> str:
    """What a file is that is no picture to be read, and what to do, to end a sentence with."""
    if is_heic(content):
        return (
            ": it is HEIC; share or save it as JPEG (iPhone: Settings, Camera, Formats, Most Compatible), "
            "or install the reader for it: pip install pillow-heif"
        )
    if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS:
        return ": it is a damaged AVIF, or of a kind that is not read; share or save it as JPEG"
    for start, mark, words in _BEGINNINGS:
        if content[start : start + len(mark)] == mark:
            return f": it is {words}"
    head = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"<svg" in head:
        return ": it is a drawing in SVG; send a photo"
    if head.startswith((b"<!doctype html", b"<html")):
        return ": it is a web page; save the photo itself"
    if b"\0" not in head and _is_text(content[:1000]):
        return ": it is text; a photo as JPEG or PNG is wanted"
    return "; JPEG and PNG are"


def _is_text(content: bytes) -> bool:
    """Whether bytes, perhaps cut inside a character, are text in UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(content) - 1 and error.reason == "unexpected end of data"
    return True
