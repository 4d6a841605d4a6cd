"""What pages load, and how long phones may keep it."""

from __future__ import annotations

import re

from companion.web.templating import asset_address, render
from tests.web.at_table import Phone


def test_pages_have_a_colour_for_light_and_dark_and_an_icon_for_every_phone() -> None:
    page = render("fault.html", "en", seat=None, fault="x", status=404, back="/", path="/", read_only=False, toast=None)
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
