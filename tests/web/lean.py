"""An evening of pages with workers in processes of their own, as a test runs it where numpy is not to be had."""

from __future__ import annotations

import asyncio
import io
import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import httpx
from PIL import Image

from companion.history.database import open_history
from companion.web.pages import player_pages
from companion.web.pages.addresses import own_names
from companion.web.server.app import table_app
from companion.web.store.adviser import Adviser
from companion.web.store.services import Services, table_services

KEY = "the-key-of-this-table1"
BIDS = (5, 3, 1, 0)
PAGES = (
    "",
    "/score",
    "/sheet.pdf",
    "/result.png",
    "/record.txt",
    "/record.pdf",
    "/turn",
    "/from/a1",
    "/setup-card.pdf",
)


async def evening(services: Services) -> None:
    """Everything that a worker does for pages, and all pages with drawings; a page that fails is an error."""
    app = httpx.ASGITransport(app=table_app(services, names=own_names()))
    async with httpx.AsyncClient(
        transport=app, base_url="http://localhost", headers={"Origin": "http://localhost"}
    ) as phone:

        async def get(path: str) -> httpx.Response:
            for _ in range(600):
                answer = await phone.get(path, follow_redirects=True)
                assert answer.status_code == 200, (path, re.findall('role="alert">.*', answer.text))
                if "data-waiting" not in answer.text:
                    return answer
                await asyncio.sleep(0.05)
            raise TimeoutError(path)

        async def post(path: str, **fields: object) -> str:
            answer = await phone.post(path, data=fields)
            assert answer.status_code == 303, (path, re.findall('role="alert">.*', answer.text))
            return str(answer.headers["location"])

        photo = io.BytesIO()
        Image.new("RGB", (340, 290), "#808080").save(photo, "JPEG")
        await get(f"/k/{KEY}")
        sent = await phone.post("/photos", files=[("photos", ("a.jpg", photo.getvalue()))])
        reading = sent.headers["location"]
        read, *_ = re.findall(r'name="tile" value="([^"]+)"', (await get(reading)).text)
        await post(f"{reading}/tiles/a1", tile=read)
        await get(f"{reading}/tiles/a1")
        place = (await post(f"{reading}/accept")).removesuffix("/players")
        await post(f"{place}/players", plays=["blue", "pink"], order=["blue", "pink", "pink", "blue"])
        await get(f"{place}/hint")
        for price in BIDS:
            await post(f"{place}/bid", price=price)
        await phone.post(f"{place}/turn-photos", files=[("photos", ("b.jpg", photo.getvalue() + b"b"))])
        while "Reading the photo" in (card := (await get(place)).text):
            await asyncio.sleep(0.05)
        assert 'id="photo-turn"' in card
        await get(f"{place}/hint?level=3")
        assert (await get(f"{place}/hint-on-photo.jpg?level=3")).headers["content-type"] == "image/jpeg"
        hand = await phone.post(f"{place}/players/blue/photos", files=[("photos", ("a.jpg", photo.getvalue()))])
        found = str((await get(hand.headers["location"])).url.path)
        await post(f"{found}/cards/blue-2", name="silk")
        for page in PAGES:
            await get(place + page)
        await post("/games", how="fair", plays=["blue", "pink"])
        await post(f"{place}/finish")
        for page in ("/", "/history", "/history/plot.svg", f"{place}/score"):
            await get(page)


def main(folder: Path) -> None:
    """The evening of a table that keeps its games and photos in a folder."""
    services = table_services(
        key=KEY,
        history=open_history(folder / "games.sqlite3", now=lambda: datetime(2026, 11, 22, tzinfo=UTC)),
        photos=folder / "photos",
        now=lambda: datetime(2026, 11, 22, tzinfo=UTC),
        clock=time.monotonic,
        random=Random(7),
        see="tests.web.at_table:seen_grey",
    )
    services = replace(services, adviser=Adviser(services.workers[1], services.hub, playouts=20, fair_s=0))
    player_pages.SEE_HAND = "tests.web.test_hands:seen_hand"
    try:
        asyncio.run(evening(services))
    finally:
        services.close()
