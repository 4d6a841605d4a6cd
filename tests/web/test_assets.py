"""What pages load: icons for home screens, and how long phones may keep it all."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

from companion.web.templating import ASSETS, asset_address, render
from tests.web.at_table import Phone

ICONS = Path(__file__).resolve().parents[2] / "docs" / "icons.py"
"""The radius, in sides of the icon, of the circle that no phone cuts off of a maskable one."""

MOST_APART = 2.0
"""The mean difference of pixels (0 to 255) that other versions of Pillow may make."""


@pytest.fixture(scope="module")
def icons() -> ModuleType:
    spec = importlib.util.spec_from_file_location("icons", ICONS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pixels(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGBA"), float)


def test_icons_are_those_that_the_picture_gives(icons: ModuleType) -> None:
    assert {path.name for path in ASSETS.glob("*.png")} == set(icons.ICONS)
    for name in icons.ICONS:
        kept, drawn = pixels((ASSETS / name).read_bytes()), pixels(icons.icon_png(name))
        assert np.abs(kept - drawn).mean() < MOST_APART, f"{name}: make icons"


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
