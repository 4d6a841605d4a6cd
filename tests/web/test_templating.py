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
from companion.notation.tokens import parse_tile
from companion.web.pages.templating import ASSETS, TEMPLATES, asset_address, render
from companion.web.store.services import Notice
from tests.web.at_table import Phone

BASE: dict[str, object] = {"seat": None, "read_only": False, "path": "/"}
MAX_GZIPPED = 250_000


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
    page = render(
        "fault.html", "en", **(BASE | {"notice": Notice(say("the game goes on"))}), fault=told, status=422, back="/"
    )
    assert ">There is no seat" in page and ">The game goes on<" in page


def test_text_of_people_stands_as_text() -> None:
    for name in ("<script>alert(1)</script>", "\"'><img src=x>", "{{ 7 * 7 }}"):
        page = render("fault.html", "en", **BASE, fault=name, status=400, back="/" + name)
        assert "<script>alert" not in page and "<img src=x" not in page
        signs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
        assert "".join(signs.get(sign, sign) for sign in name) in page


def test_a_page_that_lacks_what_it_shows_is_a_fault() -> None:
    with pytest.raises(UndefinedError, match="back"):
        render("fault.html", "en", **BASE, fault=None, status=400)


def test_an_asset_that_changes_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.web.pages import templating

    assert re.fullmatch(r"/assets/page\.css\?v=[0-9a-f]{8}", asset_address("page.css"))
    (tmp_path / "one.css").write_text("a {}")
    monkeypatch.setattr(templating, "ASSETS", tmp_path)
    first = asset_address("one.css")
    (tmp_path / "two.css").write_text("b {}")
    assert asset_address("two.css").partition("=")[2] != first.partition("=")[2]
    with pytest.raises(FileNotFoundError):
        asset_address("none.css")


def test_assets_are_small() -> None:
    assert sum(len(gzip.compress(path.read_bytes())) for path in ASSETS.iterdir()) <= MAX_GZIPPED


def test_no_script_or_style_stands_in_a_page_and_nothing_is_loaded_from_elsewhere() -> None:
    """What the pages' content security policy would refuse."""
    elsewhere = re.compile(r"""(?:src|href|url|import|from)[=("'\s]+(?:https?:)?//[^"')\s]+""")
    for path in (*TEMPLATES.iterdir(), *(path for path in ASSETS.iterdir() if path.suffix != ".png")):
        text = path.read_text(encoding="utf-8")
        assert elsewhere.findall(text) == [], path
        if path.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text), path
            assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text)), path


def test_pages_have_a_colour_for_light_and_dark_and_an_icon_for_every_phone() -> None:
    page = render("fault.html", "en", seat=None, fault="x", status=404, back="/", path="/", read_only=False)
    for scheme in ("light", "dark"):
        assert re.search(rf'<meta name="theme-color" media="\(prefers-color-scheme: {scheme}\)" content="#\w+">', page)
    for name in ("apple-touch-icon.png", "icon.svg", "manifest.webmanifest"):
        assert f'href="{asset_address(name)}"' in page


def test_phones_keep_what_changes_its_address_and_ask_again_for_all_else(phone: Phone) -> None:
    dated = phone.get(asset_address("page.js"))
    assert "immutable" in dated.headers["cache-control"]
    # A module is named by another module, an icon by the manifest: without a date.
    for name in ("live.js", "icon-192.png"):
        plain = phone.get(f"/assets/{name}")
        assert plain.status_code == 200 and plain.headers["cache-control"] == "private, no-cache"
        again = phone.get(f"/assets/{name}", **{"If-None-Match": plain.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert phone.get("/assets/icon-192.png").headers["content-type"] == "image/png"
    assert "immutable" not in phone.get("/assets/page.js?v=00000000").headers["cache-control"]


def test_crowded_tiles_are_told_apart_by_numbers() -> None:
    for tokens, numbers in (
        (("V5:yyyg", "V5:yyg"), []),
        (("V5:yyyyg", "V5:yyyg"), ["4", "3"]),
        (("V5:yyyyg", "V5:yyyyg^1"), []),
        (("V5:yyw", "V5:yyywgg"), ["2", "0", "3", "2"]),
    ):
        offers = [parse_tile(token) for token in tokens]
        page = render("offers.html", "en", offers=offers, chosen=offers[1], in_game=None)
        assert re.findall(r"</span>(\d+)</span>", page) == numbers
        assert page.index("offer current") > page.index(f'value="{tokens[0]}"'), "what was chosen stays in its place"
