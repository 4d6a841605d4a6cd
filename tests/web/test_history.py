"""The page of the games that are kept."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.at_table import SAMPLES, AtTable


def test_games_that_are_kept_are_counted_when_they_are_over(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        assert phone.get("/history").status_code == 200
        assert phone.get("/history/plot.svg").status_code == 404
        key = table.services.history.begin((SAMPLES / "end.toml").read_text(encoding="utf-8"))
        assert "<strong>147</strong>" not in phone.get("/").text
        phone.post(f"/games/{key}/finish")
        for place in ("/", "/history"):
            (game,) = re.findall(
                rf'<a class="card player" href="/games/{key}">.*?</a>', phone.get(place).text, re.DOTALL
            )
            assert '<strong>147</strong><span aria-hidden="true">★</span>' in game and game.count("★") == 1
        page = phone.get("/history")
        assert f"/games/{key}" in page.text and "/history/plot.svg" in page.text
        plot = phone.get("/history/plot.svg")
        assert plot.headers["content-type"] == "image/svg+xml" and b"<svg" in plot.content
