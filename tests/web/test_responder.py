"""What all pages of a table share: where a phone is sent on to."""

from __future__ import annotations

import pytest

from companion.web.visit import own_path


@pytest.mark.parametrize("path", ["/", "/games/x/tiles/c3", "/history?name=%D0%9E", "/" + "a" * 298])
def test_an_address_of_this_table_is_gone_on_to(path: str) -> None:
    assert own_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "games/x",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "/a\r\nSet-Cookie: table=x",
        "/a\tb",
        "/" + "a" * 299,
    ],
)
def test_any_other_address_is_the_first_page(path: str) -> None:
    assert own_path(path) == "/"
