"""Pages: words in the reader's language, text of people as text, and what pages load."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from companion.errors import UsageError
from companion.language.glossary import LANGUAGES
from companion.language.phrase import say
from companion.web.templating import ASSETS, LANGUAGE_NAMES, TEMPLATES, asset_address, render

BASE: dict[str, object] = {"seat": None, "read_only": False, "path": "/"}
MOST_GZIPPED = 250_000


def test_phrases_are_said_in_the_readers_language() -> None:
    fault = UsageError(say("{tile}: empty", tile="c3"))
    said = {
        language: render("fault.html", language, **BASE, fault=fault, status=400, back="/") for language in LANGUAGES
    }
    # No browser translates what a tile is called.
    alerts = {re.search(r'role="alert"><span translate="no">c3</span>([^<]+)<', page) for page in said.values()}
    assert len({one[1] for one in alerts if one is not None}) == len(LANGUAGES)
    assert ">c3</span>: empty<" in said["en"]
    assert all(f'<html lang="{language}">' in page for language, page in said.items())


def test_what_is_told_begins_with_a_capital_but_for_tiles() -> None:
    told = UsageError(say("there is no seat of that colour"))
    page = render("fault.html", "en", **(BASE | {"toast": say("the game goes on")}), fault=told, status=422, back="/")
    assert ">There is no seat" in page and ">The game goes on<" in page


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"'><img src=x>", "x" * 10_000, "{{ 7 * 7 }}"])
def test_text_of_people_stands_as_text(name: str) -> None:
    page = render("fault.html", "en", **BASE, fault=name, status=400, back="/" + name)
    assert "<script>alert" not in page and "<img src=x" not in page
    assert (
        name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;").replace("'", "&#39;")
        in page
    )


def test_a_page_that_lacks_what_it_shows_is_a_fault() -> None:
    with pytest.raises(UndefinedError, match="back"):
        render("fault.html", "en", **BASE, fault=None, status=400)


def test_languages_have_their_own_names() -> None:
    assert tuple(LANGUAGE_NAMES) == LANGUAGES


def test_an_asset_that_changes_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.web import templating

    assert re.fullmatch(r"/assets/page\.css\?v=[0-9a-f]{8}", asset_address("page.css"))
    (tmp_path / "one.css").write_text("a {}")
    monkeypatch.setattr(templating, "ASSETS", tmp_path)
    first = asset_address("one.css")
    (tmp_path / "two.css").write_text("b {}")
    assert asset_address("two.css").partition("=")[2] != first.partition("=")[2]
    with pytest.raises(FileNotFoundError):
        asset_address("none.css")


def test_assets_are_small() -> None:
    assert sum(len(gzip.compress(path.read_bytes())) for path in ASSETS.iterdir()) <= MOST_GZIPPED


@pytest.mark.parametrize("path", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_script_or_style_stands_in_a_page(path: Path) -> None:
    """What the pages' content security policy would refuse."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


TEXTS = [path for path in (*TEMPLATES.iterdir(), *ASSETS.iterdir()) if path.suffix != ".png"]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_nothing_is_loaded_from_elsewhere(path: Path) -> None:
    found = re.findall(
        r"""(?:src|href|url|import|from)[=("'\s]+(?:https?:)?//[^"')\s]+""", path.read_text(encoding="utf-8")
    )
    assert found == []
