"""Who is let in: by the key once, then by the cookie, from the own pages alone."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from httpx import Response
from starlette.routing import Route

from companion.rules.model.components import Colour
from companion.web.pages.guard import MAX_WRONG_KEYS
from companion.web.pages.visit import own_path
from companion.web.server.app import all_routes
from companion.web.store.sessions import COOKIE, RateLimit, Session, new_key, read_session, sign_session, spectators_key
from tests.web.at_table import HOST, KEY, MID, MID_TEXT, AtTable, Clock, Phone, kept


def is_shut(answer: Response) -> bool:
    """Whether an answer is the one page for those without the key, which says what to do."""
    said = "<h1>This table opens with its key</h1>" in answer.text and "Scan the QR code" in answer.text
    return answer.status_code == 403 and said and "/assets" not in answer.text and "href" not in answer.text


def test_without_the_key_there_is_one_page_that_says_what_to_do(table: AtTable) -> None:
    pages = set()
    # After ten wrong keys an address is heard no more.
    for number, path in enumerate(("/", "/games/x", "/assets/page.css", "/no/such", "/k/", "/k/wrong", f"/k/{KEY}x")):
        stranger = table.stranger(f"192.168.2.{number}")
        for answer in (stranger.get(path), stranger.post(path)):
            assert is_shut(answer) and "set-cookie" not in answer.headers
            pages.add(answer.text)
    assert len(pages) == 1
    in_russian = table.stranger().get("/", **{"Accept-Language": "ru"}).text
    assert '<html lang="ru">' in in_russian
    assert '<html lang="it">' in table.stranger().get("/", Cookie="language=it", **{"Accept-Language": "ru"}).text


def test_the_key_gives_a_cookie_that_no_script_reads_and_no_other_page_sends(table: AtTable) -> None:
    phone = table.stranger()
    welcome = phone.get(f"/k/{KEY}")
    assert welcome.status_code == 200
    cookie = welcome.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert KEY not in cookie
    assert 'content="0; url=/who"' in welcome.text
    assert phone.get("/").status_code == 200


def test_every_answer_has_the_headers(table: AtTable) -> None:
    for answer in (table.stranger().get("/"), table.phone().get("/"), table.phone().get("/no/such/page")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"


def test_names_of_others_are_refused(table: AtTable) -> None:
    """A name that is turned to this machine behind a browser's back (DNS rebinding) opens nothing.

    Who has the key reads which address does, and who has none learns no more than elsewhere.
    """
    names = [
        "evil.example",
        "evil.example:8765",
        "192.168.1.5.evil.example",
        "",
        "localhost.evil",
        "other",
        "other.local",
    ]
    names += ["laptop.evil.example", "laptop.local.evil.example", "laptop.box", "laptop.fritz.box.example"]
    for number, host in enumerate([*names, "xtable.example"]):
        for path in ("/", "/k/wrong", "/games/x"):
            answer = table.stranger(f"192.168.2.{number}").get(path, Host=host)
            assert is_shut(answer)
        answer = table.stranger().get(f"/k/{KEY}", Host=host)
        assert answer.status_code == 403 and "set-cookie" not in answer.headers
        assert f"doesn&#x27;t know the name {host}</h1><p>Open it by its address:" in answer.text
        assert f'<a href="http://{HOST}/k/{KEY}">' in answer.text
        answer = table.phone().get("/games/x", Host=host)
        assert answer.status_code == 403 and f'<a href="http://{HOST}/">' in answer.text


def test_what_is_said_of_an_unknown_name_is_text_and_of_a_proxy_no_address_that_phones_lack(table: AtTable) -> None:
    assert "<b>" not in table.phone().get("/", Host="<b>x").text
    phone = table.stranger()
    told = table.run(phone.client.get(f"http://127.0.0.1:8765/k/{KEY}", headers={"Host": "proxy.example"})).text
    assert "companion serve --host-name NAME" in told and "127.0.0.1" not in told


def test_wrong_keys_are_looked_at_a_few_times_a_minute_under_any_name(table: AtTable) -> None:
    phone = table.phone(address="192.168.1.99")
    for address, host in (("192.168.1.99", HOST), ("192.168.1.97", "evil.example")):
        guesser = table.stranger(address)
        for number in range(MAX_WRONG_KEYS):
            assert guesser.get(f"/k/{number}", Host=host).status_code == 403
        assert guesser.get(f"/k/{KEY}", Host=host).status_code == 429
    # Neither other addresses nor who is in from the same one are shut out.
    assert table.stranger("192.168.1.98").get(f"/k/{KEY}").status_code == phone.get("/").status_code == 200
    table.clock.seconds += 61
    assert guesser.get(f"/k/{KEY}").status_code == 200


def test_own_names_and_addresses_are_answered(table: AtTable) -> None:
    for host in (
        *("192.168.1.5:8765", "10.0.0.7", "localhost:8765", "[::1]:8765", "[2001:db8:1::23]", "[fe80::1%25eth0]:8765"),
        *("laptop", "Laptop.local:8765", "LAPTOP.local.:8765", "laptop.fritz.box", "laptop.lan:8765", "laptop.home"),
        *("laptop.home.arpa", "laptop.tail1234.ts.net", "laptop.iot.lan", "table.example", "Table.Example.:443"),
    ):
        assert table.phone().get("/", Host=host).status_code == 200
        assert table.stranger().get(f"/k/{KEY}", Host=host).status_code == 200


def test_forms_by_a_proxy_that_puts_its_own_name_in_place_of_the_one_told(table: AtTable) -> None:
    seats = [
        table.phone().post("/seat", {"seat": "pink", "path": "/"}, Origin=f"https://{host}", Host="127.0.0.1:8765")
        for host in ("table.example", "table.example:8443", "laptop.local", "other.example")
    ]
    assert [answer.status_code for answer in seats] == [303, 303, 403, 403]


def test_forms_of_other_pages_change_nothing(table: AtTable) -> None:
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://{HOST}.evil.example"},
        {"Origin": "", "Sec-Fetch-Site": "cross-site"},
    ):
        answer = table.phone().post("/games", {"how": "random", "plays": ["blue", "pink"]}, **headers)
        assert answer.status_code == 403
        assert table.services.history.games() == ()


def test_a_browser_that_tells_no_origin_is_believed_when_it_says_same_origin(table: AtTable, phone: Phone) -> None:
    for site, status in (("same-origin", 303), ("same-site", 403), ("none", 403)):
        request = phone.client.build_request("POST", "/seat", data={"seat": ""}, headers={"Sec-Fetch-Site": site})
        assert table.run(phone.client.send(request)).status_code == status


def test_cookies_of_other_programs_on_the_machine_are_no_matter(table: AtTable, phone: Phone) -> None:
    """Browsers send the cookies of a host to all its ports, and few programs write them as the standard says."""
    own = "; ".join(f"{cookie.name}={cookie.value}" for cookie in phone.client.cookies.jar)
    odd = ['seen={"page":1}', "name=a b", 'odd="\\', "=; ;;", 'list=[1,{"b":"c"}]', "word=\u00e9", "turntable=round"]
    for other in odd:
        sent = {b"Cookie": f"{other}; {own}; {other}".encode("latin-1")}
        request = table.stranger().client.build_request("GET", "/", headers=sent)
        assert table.run(phone.client.send(request)).status_code == 200


def test_a_page_left_open_from_an_earlier_key_does_not_keep_the_phone_out(table: AtTable) -> None:
    phone = table.stranger()
    old = sign_session(Session("a"), new_key())
    for _ in range(3 * MAX_WRONG_KEYS):
        assert phone.get("/games/x/hint", Cookie=f"{COOKIE}={old}").status_code == 403
    assert phone.get(f"/k/{KEY}").status_code == 200


def test_who_may_only_look_on_is_not_let_in_where_games_are_played(tmp_path: Path) -> None:
    """Browsers send the cookies of a host to all its ports, so both tables' come to either."""
    games = tmp_path / "games"
    own, lookers = new_key(), spectators_key(KEY)
    with AtTable(games) as table, AtTable(games, key=lookers, read_only=True) as shown:
        spectator = shown.phone()
        assert lookers not in (KEY, spectators_key(own)) and KEY not in spectator.client.cookies.values()
        guest = table.stranger()
        guest.client.cookies.update(spectator.client.cookies)
        assert guest.get("/").status_code == guest.get(f"/k/{lookers}").status_code == 403
        # The same phone may be let in at both, and stays in at both, with its seat.
        assert guest.get(f"/k/{KEY}").status_code == 200
        assert guest.post("/seat", {"seat": "pink", "path": "/"}).status_code == 303
        spectator.client.cookies.update(guest.client.cookies)
        assert spectator.get("/").status_code == guest.get("/").status_code == 200
        seated = read_session(guest.client.cookies[COOKIE], KEY)
        assert seated is not None and seated.seat is Colour.PINK


def test_a_key_of_spectators_does_not_tell_the_tables() -> None:
    key = new_key()
    assert spectators_key(key) == spectators_key(key) != key
    assert len(spectators_key(key)) == len(key) == 22
    assert read_session(sign_session(Session("a"), spectators_key(key)), key) is None


def test_no_phone_writes_itself_a_seat() -> None:
    key = new_key()
    value = sign_session(Session("a", Colour.PINK), key)
    assert read_session(value, key) == Session("a", Colour.PINK)
    forged = [value.replace("pink", "blue"), value.replace("pink", "all"), value[:-1], "", ".", "a.pink.", value + "0"]
    assert [read_session(text, key) for text in forged] == [None] * len(forged)
    assert read_session(value, new_key()) is None
    assert read_session("é.ü.ß", key) is None


def test_phones_speak_their_language(phone: Phone) -> None:
    assert '<html lang="uk">' in phone.get("/", **{"Accept-Language": "fr, uk;q=0.8, en;q=0.5"}).text
    chosen = phone.post("/language", {"language": "it", "path": "/"})
    assert chosen.headers["location"] == "/"
    assert '<html lang="it">' in phone.get("/", **{"Accept-Language": "uk"}).text
    assert phone.post("/language", {"language": "it", "path": "//evil.example"}).headers["location"] == "/"


def test_whoever_may_only_look_changes_nothing_by_any_form(tmp_path: Path) -> None:
    """Each form's address, those that are added one day too: but a phone may choose its language and its seat."""
    with AtTable(tmp_path, read_only=True) as table:
        key = table.services.history.begin(MID_TEXT)
        phone, before = table.phone(), table.services.history.revisions(key)
        places = {"key": key, "colour": "blue", "square": "c3", "reading": "none", "label": "row-1"}
        paths = {
            re.sub(r"{(\w+)}", lambda found: places.get(found[1], "none"), route.path)
            for route in all_routes()
            if isinstance(route, Route) and "POST" in (route.methods or ())
        }
        assert len(paths) > 15
        answered = {path: phone.post(path, {"revision": "1", "gold": "3"}).status_code for path in paths}
        assert {path for path, status in answered.items() if status != 403} == {"/language", "/seat"}
        assert table.services.history.revisions(key) == before and len(table.services.history.games()) == 1


def test_of_many_addresses_who_was_heard_last_is_forgotten_last() -> None:
    limit = RateLimit(2, 60.0, Clock())
    for number in range(3 * RateLimit.MAX_ADDRESSES):
        limit.count(f"10.{number}")
    assert len(limit._times) == RateLimit.MAX_ADDRESSES and not limit.is_over("10.1")
    limit = RateLimit(2, 60.0, Clock())
    limit.count("192.168.1.5")
    for number in range(RateLimit.MAX_ADDRESSES - 1):
        limit.count(f"10.{number}")
    limit.count("192.168.1.5")
    limit.count("192.168.1.6")
    assert limit.is_over("192.168.1.5")


def test_a_phone_is_sent_on_within_this_table_alone() -> None:
    for path in ("/", "/games/x/tiles/c3", "/history?name=%D0%9E", "/" + "a" * 298):
        assert own_path(path) == path
    odd = ["", "games/x", "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example/"]
    for path in (*odd, "/a\r\nSet-Cookie: table=x", "/a\tb", "/" + "a" * 299):
        assert own_path(path) == "/"


def test_pages_are_sent_compressed_but_for_the_one_with_the_key_and_what_is_told_bit_by_bit(
    table: AtTable, phone: Phone
) -> None:
    place = f"/games/{kept(table, MID)}"
    packed, paths = {"Accept-Encoding": "gzip"}, (place, "/assets/page.css", "/", "/assets/icon-192.png")
    sent = {path: phone.get(path, **packed) for path in paths}
    encodings = [answer.headers.get("content-encoding") for answer in sent.values()]
    assert encodings == ["gzip", "gzip", "identity", None] and KEY in sent["/"].text
    game = sent[place]
    assert int(game.headers["content-length"]) < len(game.content) / 4 and "Vary" in game.headers
    assert "content-encoding" not in phone.get(place).headers

    async def news() -> list[tuple[bytes, bytes]]:
        started: list[tuple[bytes, bytes]] = []
        scope = {
            **{"type": "http", "method": "GET", "path": f"{place}/events", "query_string": b"", "root_path": ""},
            **{"client": ("192.168.1.20", 1), "server": ("192.168.1.5", 8765), "scheme": "http", "http_version": "1.1"},
        }
        cookie = "; ".join(f"{name}={value}" for name, value in phone.client.cookies.items())
        headers = {"host": HOST, "accept-encoding": "gzip", "cookie": cookie}
        scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                started.extend(message["headers"])
            elif b"event: changed" in message["body"]:
                table.services.hub.close()

        async def receive() -> Any:
            await asyncio.sleep(60)

        await table.app(scope, receive, send)
        return started

    headers = dict(table.run(asyncio.wait_for(news(), 20)))
    assert headers[b"content-type"].startswith(b"text/event-stream") and b"content-encoding" not in headers
