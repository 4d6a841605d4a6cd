"""`companion setup` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.advisor.advice import Estimate, Fairness, FairSetup
from companion.advisor.search import fairness
from companion.cli.main import main
from companion.errors import ExitStatus
from companion.notation.codes import decode
from companion.notation.files import parse_position
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.printing.checks import page_texts

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def test_json_is_the_position_with_its_seed(capsys: Capsys) -> None:
    for players in (2, 3, 4):
        out, err = ran(capsys, ["setup", "--players", str(players), "--seed", "42", "--json"])
        assert json.loads(out)["seed"] == 42 and parse_position(out) == random_setup(players, 42) and err == ""
    seeds = set()
    for _ in range(4):
        out = ran(capsys, ["setup", "--json"]).out
        seeds.add(json.loads(out)["seed"])
        assert parse_position(out) == random_setup(2, json.loads(out)["seed"])
    assert len(seeds) > 1


def test_words_and_board_on_the_terminal(capsys: Capsys) -> None:
    out = ran(capsys, ["setup", "--players", "3", "--seed", "7", "--colours", "pink, Black, blue"]).out
    position = random_setup(3, 7, colours=(Colour.BLACK, Colour.BLUE, Colour.PINK))
    assert "3 players, seed 7" in out and "8 camels, 1 turn marker, 50 GC" in out
    code = next(word for word in out.split() if word.startswith("FT1-"))
    assert decode(code) == position
    assert position.djinns is not None and all(name in out for name in position.djinns)
    assert "  ".join(f"{place} {colour}" for place, colour in enumerate(position.bid_order or (), 1)) in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_card_is_written_and_the_way_back_is_told(capsys: Capsys, tmp_path: Path) -> None:
    card = tmp_path / "card.pdf"
    arguments = ["setup", "--seed", "7", "--paper", "letter", "--lang", "uk", "-o", str(card)]
    out, err = ran(capsys, arguments)
    assert card.read_bytes().startswith(b"%PDF") and out == "" and "--seed 7" in err
    before = card.read_bytes()
    assert "--force" in ran(capsys, arguments, ExitStatus.USAGE).err and card.read_bytes() == before
    assert printed_json(capsys, [*arguments, "--force"])["seed"] == 7
    assert card.read_bytes() == before, "the same set-up, the same bytes"
    assert [path.name for path in tmp_path.iterdir()] == ["card.pdf"]


WRONG = {
    "--count 0": "--count",
    "--players 2 --colours black,pink": "rules 2.1",
    "--players 3 --colours black,pink": "3 different colours",
    "--players 3 --colours black,pink,mauve": "mauve",
    "-o card.png": ".pdf",
    "-o no/such/folder/card.pdf": "does not exist",
    "-o card.pdf --lang fr": "no language 'fr'",
    "-o card.pdf --template absent.toml": "absent.toml",
    "-o card.pdf --font-dir absent": "no such folder",
    "--lang xx --json": "no language 'xx'",
    "--template absent.toml": "absent.toml",
    "--font-dir absent": "no such folder",
}


def test_wrong_usage_is_told_and_leaves_nothing_behind(
    capsys: Capsys, tmp_path: Path, monkeypatch: Patch, subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in WRONG.items():
        with subtests.test(msg=words):
            assert main(["setup", *words.split()]) == (4 if "--template" in words else 2)
            out, err = capsys.readouterr()
            assert message in err and out == "" and not any(tmp_path.iterdir())


def test_a_fair_set_up_says_how_fair_it_is_and_comes_out_the_same(monkeypatch: Patch, capsys: Capsys) -> None:
    monkeypatch.setattr("companion.cli.commands.setup.FAIR_TIME_S", 600.0)
    out, err = ran(capsys, ["setup", "--fair", "--seed", "1000", "--json"])
    document = json.loads(out)
    fair = document["fair"]
    assert err == f"Seed 1000 isn't fair to all seats; the next one that is: {document['seed']}.\n"
    assert fair["within"] is True and 0 <= fair["spread"] <= 2 and len(fair["open_captures"]) <= 1
    assert [one["player"] for one in fair["first_turns"]] == document["bid_order"]
    values = [one["value"] for one in fair["first_turns"]]
    assert max(values) - min(values) == pytest.approx(fair["spread"], abs=0.02)
    assert parse_position(out) == random_setup(2, document["seed"]), "its seed gives it without looking again"
    found, said = ran(capsys, ["setup", "--fair", "--seed", str(document["seed"]), "--json"])
    again = json.loads(found)
    assert said == "" and again == {**document, "fair": {**fair, "tried": 1}}


def test_a_set_up_that_is_not_fair_says_so(monkeypatch: Patch, capsys: Capsys) -> None:
    monkeypatch.setattr("companion.advisor.search.fairness.TRIES", 2)
    monkeypatch.setattr("companion.advisor.advice.FAIR_VP", -1.0)
    monkeypatch.setattr("companion.cli.commands.setup.FAIR_TIME_S", 0.001)
    out, err = ran(capsys, ["setup", "--fair", "--seed", "5"])
    assert "tried from seed 5 on" in err and "None is fair" in err
    assert re.search(r"all seats within \d\.\d VP; tiles open", " ".join(out.split()))


def test_many_set_ups_follow_one_another_from_the_seed(capsys: Capsys) -> None:
    words = ["setup", "--players", "3", "--colours", "pink,blue,black", "--seed", "40"]
    colours = (Colour.BLACK, Colour.BLUE, Colour.PINK)
    document = printed_json(capsys, [*words, "--count", "3"])
    assert (document["players"], document["seed"]) == (3, 40)
    assert [one["seed"] for one in document["setups"]] == [40, 41, 42]
    for one in document["setups"]:
        assert parse_position(json.dumps(one)) == random_setup(3, one["seed"], colours=colours)
    out = ran(capsys, [*words, "--count", "3"]).out
    assert "3 set-ups, 3 players, from seed 40 on" in out
    for seed in (40, 41, 42):
        position = random_setup(3, seed, colours=colours)
        order, djinns = " ".join(position.bid_order or ()), ", ".join(position.djinns or ())
        assert re.search(rf"^ *{seed} +{order} +{djinns} *$", out, re.MULTILINE)
    assert "companion setup --players 3 --colours pink,blue,black --seed SEED" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_many_cards_are_the_pages_of_one_file(tmp_path: Path, capsys: Capsys) -> None:
    cards = tmp_path / "cards.pdf"
    said = " ".join(ran(capsys, ["setup", "--seed", "8", "--count", "3", "-o", str(cards)]).err.split())
    assert "3 set-up cards written" in said and "--players 2 --seed 8 --count 3 gives the same again" in said
    pages = page_texts(cards)
    assert [re.findall(r"seed: (\d+)", page) for page in pages] == [["8"], ["9"], ["10"]]
    alone = tmp_path / "alone.pdf"
    assert main(["setup", "--seed", "10", "-o", str(alone)]) == ExitStatus.DONE
    assert page_texts(alone) == pages[2:]
    words = ["--count", "3", "--per-page", "2", "-o", str(alone), "--force"]
    assert main(["setup", "--seed", "8", *words]) == 0 and len(page_texts(alone)) == 2


def test_many_fair_set_ups_are_listed_with_their_measures_and_what_is_not_fair_is_said(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    def searched(players: int, seed: int, **_: object) -> FairSetup:
        """Fair from every seed but one on, five further."""
        spread = 3.1 if seed == 7 + fairness.TRIES else 1.4
        found = Fairness((Estimate(spread), Estimate(0.0)), (8,))
        return FairSetup(random_setup(players, seed + 5), seed + 5, found, 6)

    monkeypatch.setattr(fairness, "fair_setup", searched)
    cards = tmp_path / "cards.pdf"
    words = ["setup", "--fair", "--seed", "7", "--count", "3"]
    out, err = ran(capsys, words)
    assert re.search(r"^ *12 +1\.4 VP +c2 ", out, re.MULTILINE)
    assert re.search(r"^ *252 +3\.1 VP, not fair +c2 ", out, re.MULTILINE)
    assert re.search(r"^ *492 +1\.4 VP +c2 ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    assert "1 of 3 set-ups not fair to within 2 VP, by seed: 252. It is the fairest of the 240" in " ".join(err.split())
    assert main([*words, "-o", str(cards)]) == ExitStatus.DONE
    assert "--seed 7 --fair --count 3 gives the same again" in " ".join(capsys.readouterr().err.split())
    pages = page_texts(cards)
    assert ["all seats within 3.1 VP" in page for page in pages] == [False, True, False]
