"""What the program brings along: the reader's weights, the layouts of prints, fonts."""

from __future__ import annotations

from pathlib import Path

from companion.errors import MissingDependencyError
from companion.health.findings import REINSTALL, Finding, State
from companion.language.phrase import joined, say, say_many

WEIGHTS = (
    "calibration.json",
    "cards.onnx",
    "piece_embeddings.json",
    "locate.onnx",
    "pieces.onnx",
    "symbol_kinds.onnx",
    "symbols.onnx",
    "tiles.onnx",
    "unknown.json",
)
"""The files of `companion/vision/weights` without which no photo is read."""


TEMPLATES = (
    "game_report.toml",
    "game_review.toml",
    "glossary.tsv",
    "reference_cards.toml",
    "score_sheet.toml",
    "setup_card.toml",
)
"""The files of `templates/` without which nothing is printed."""


def check_weights() -> Finding:
    """Whether what the reader has learnt is there."""
    folder = Path(__file__).resolve().parents[1] / "vision" / "weights"
    lacking = [name for name in WEIGHTS if not (folder / name).is_file()]
    if lacking:
        return Finding(
            "photos",
            say("reader's weights"),
            State.MISSING,
            say("without {lacking}", lacking=joined(", ", lacking)),
            REINSTALL,
        )
    size = sum((folder / name).stat().st_size for name in WEIGHTS)
    return Finding(
        "photos",
        say("reader's weights"),
        State.OK,
        say("{number} files, {size:.1f} MB", number=len(WEIGHTS), size=size / 1e6),
    )


def check_templates() -> Finding:
    """Whether the layouts of what is printed are there."""
    from companion.installation import template_path

    lacking = []
    for name in TEMPLATES:
        try:
            template_path(name)
        except FileNotFoundError:
            lacking.append(name)
    if "glossary.tsv" not in lacking:
        from companion.language.catalogue import locales_folder
        from companion.language.glossary import LANGUAGES

        folders = [locales_folder() / language for language in LANGUAGES if language != "en"]
        lacking += [f"locales/{folder.name}" for folder in folders if not any(folder.rglob("*.mo"))]
    if lacking:
        return Finding(
            "prints",
            say("templates"),
            State.MISSING,
            say("without {lacking}", lacking=joined(", ", lacking)),
            REINSTALL,
        )
    return Finding("prints", say("templates"), State.OK, say_many("{count} file", "{count} files", len(TEMPLATES)))


def check_fonts() -> Finding:
    """Whether Latin, Cyrillic and Hangul can be printed with the fonts that the program brings."""
    part, name, letters = "prints", say("fonts"), "Añяїґ한글"
    try:
        from companion.printing.core.typefaces import Face, Fonts

        fonts = Fonts(system=())
        lacking, faces = fonts.lacking(letters), {run.typeface for run in fonts.runs(letters, Face.REGULAR)}
    except ImportError:
        return Finding(
            part, name, State.MISSING, say("cannot be looked at without reportlab"), say("install reportlab first")
        )
    except MissingDependencyError as error:
        return Finding(part, name, State.MISSING, say("not all there"), str(error).partition("; ")[2])
    if lacking:
        return Finding(part, name, State.MISSING, say("no font for {lacking}", lacking=joined(" ", lacking)), REINSTALL)
    return Finding(part, name, State.OK, say("Latin, Cyrillic and Hangul ({faces})", faces=joined(", ", sorted(faces))))
