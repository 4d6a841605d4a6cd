"""A game looked back on, for a terminal and as JSON: who lost what where, and what decided it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from companion.advisor.advice import Estimate
from companion.advisor.review import DecisionKind, DecisiveTurn, GameReview, PlayerReview, ReviewedDecision
from companion.cli.locale import translate
from companion.cli.output import broken, console
from companion.cli.views.score_table import STYLES
from companion.cli.views.tables import Column, figures, number
from companion.language.phrase import Phrase, decimal, joined, say, say_as, say_each, term
from companion.rules.model.components import Colour
from companion.table.results import ahead_document, player_name, standing

_LEGEND = say(
    "Expected final margins in VP: start + luck + turns + bids + others = end. Turns and bids: VP lost against the "
    "best. Others: what the others' play changed, and what only hindsight shows. ?: 2 VP lost, ??: 6."
)
_SHORT_LEGEND = say("Lost: VP that bids and turns gave away. Luck: VP that drawn cards brought. ?: 2 VP lost, ??: 6.")
_HEADS = say_each("head of a review", "luck|points|lost|start|turns|bids|others|end|value|loss")
_DECISIONS_WIDTH = 60
"""Columns that bids and turns take at least as a table."""
_DIGITS = 2
"""Digits of a VP in JSON."""


def review_document(review: GameReview) -> dict[str, object]:
    result = review.result
    document: dict[str, object] = {
        "turns": [_decision_document(one, "turn") for one in review.turns],
        "bids": [_decision_document(one, "bid") for one in review.bids],
        "players": {
            str(player.colour): {
                "loss": _number(player.loss.value),
                "turns": player.turns,
                "bids_loss": _number(player.bids_loss.value),
                "bids": player.bids,
                "luck": _number(player.luck.value),
                "luck_error": _number(player.luck.error),
                "start": _number(player.start.value),
                "margin": _number(player.margin.value),
                "rest": _number(player.rest),
            }
            for player in review.players
        },
        "luck": [
            {"line": draw.line, "drawn": draw.text, "players": _margins_document(draw.luck)} for draw in review.draws
        ],
        "curve": [
            {
                "line": point.line,
                "round": point.round,
                "after": str(point.after),
                "player": None if point.colour is None else str(point.colour),
                "margins": _margins_document(point.margins),
            }
            for point in review.curve
        ],
        "decisive": [
            {
                "line": one.decision.line,
                "player": str(one.decision.colour),
                "winner": str(one.winner),
                "before": _number(one.before),
                "after": _number(one.after),
                "swing": _number(one.swing.value),
                "error": _number(one.swing.error),
            }
            for one in review.decisive
        ],
        "finished": result.finished,
        **ahead_document(result),
        "playouts": review.playouts,
        "lanes": review.lanes,
        "seed": review.seed,
    }
    if review.assumed:
        document["assumed"] = list(review.assumed)
    return document


def _decision_document(one: ReviewedDecision, kind: str) -> dict[str, object]:
    return {
        "line": one.line,
        "round": one.round,
        "player": str(one.colour),
        kind: one.text,
        "played": _number(one.played.value),
        "best": _number(one.best.value),
        "loss": _number(one.loss.value),
        "error": _number(one.loss.error),
        "mark": one.mark,
        f"best_{kind}": one.best_text,
    }


def _margins_document(margins: Mapping[Colour, Estimate]) -> dict[str, object]:
    return {str(colour): _number(one.value) for colour, one in margins.items()}


def _number(value: float | None) -> float:
    """A value for JSON; an error where nothing was sampled is 0."""
    return round(value or 0.0, _DIGITS) + 0.0


def print_review(review: GameReview, title: str = "", *, game: str = "GAME", everything: bool = False) -> None:
    """Print the review; `everything` shows all decisions and sums, `game` is the record's name."""
    out = console()
    if title:
        out.print(Text(title, style="bold"))
    if review.result.scores:
        out.print(standing(review.result, review.names))
        out.print()
    out.print(_sums_table(review) if everything else _mistakes_table(review))
    out.print(Text(translate(_LEGEND if everything else _SHORT_LEGEND), style="dim"))
    by_player = ([one for one in review.decisions if one.colour is player.colour] for player in review.players)
    dearest = {max(own, key=lambda one: one.loss.value) for own in by_player if own}
    dear = [one for one in review.decisions if one.mark or (one in dearest and one.loss.value)]
    if shown := review.decisions if everything else dear:
        out.print()
        out.print(Text(translate(say("Bids and turns") if everything else say("The costliest mistakes")), style="bold"))
        out.print(_decisions_table(shown, dear))
    if review.decisive:
        out.print()
        out.print(Text(translate(say("The turns that decided it")), style="bold"))
        for number, one in enumerate(review.decisive, 1):
            words = f"{number}. {translate(decisive_words(one, review.names))}"
            out.print(broken(words, out.width, "   "))
    out.print()
    more = say("The board after a line: companion replay {game} --to LINE.", game=shlex.quote(game))
    out.print(more if everything else joined(" ", (more, say("Every bid and turn: --all."))))


def _mistakes_table(review: GameReview) -> Table:
    """How many mistakes each player made, what they and luck came to, and the points."""
    headings = ("??", "?", _HEADS["lost"], _HEADS["luck"], _HEADS["points"])
    rows = []
    for player in review.players:
        marks = [one.mark for one in review.decisions if one.colour is player.colour]
        lost = -player.loss.value - player.bids_loss.value
        counts = (str(marks.count("??")), str(marks.count("?")))
        rows.append(
            (_name(player, review), *counts, _signed(lost), _signed(player.luck.value), _points(player, review))
        )
    return figures([Column(wraps=False), *map(number, headings)], rows, tight=True)


def _name(player: PlayerReview, review: GameReview) -> Text:
    return Text(translate(player_name(player.colour, review.names)), style=STYLES[player.colour])


def _points(player: PlayerReview, review: GameReview) -> str:
    # What is not known of a player's points is not 0.
    score = review.result.scores.get(player.colour)
    return "?" if score is None or review.result.unknown else str(score.total)


def _sums_table(review: GameReview) -> Table:
    headings = [_HEADS[name] for name in ("start", "luck", "turns", "bids", "others", "end", "points")]
    rows = []
    for player in review.players:
        rows.append(
            (
                _name(player, review),
                _signed(player.start.value),
                _with_error(player.luck),
                _with_error(Estimate(-player.loss.value, player.loss.error)),
                _with_error(Estimate(-player.bids_loss.value, player.bids_loss.error)),
                _signed(player.rest),
                _signed(player.margin.value),
                _points(player, review),
            )
        )
    return figures([Column(wraps=False), *map(number, headings)], rows, tight=True)


def _decisions_table(decisions: Sequence[ReviewedDecision], dear: Sequence[ReviewedDecision]) -> Table:
    """Decisions in their order; of those that lost most, what would have been better."""
    columns = [
        number(say_as("head of a record's lines", "line"), style="dim"),
        Column(),
        Column(say_as("head of a review", "played, and what would have been better"), share=1),
        *(number(_HEADS["value"]), number(_HEADS["loss"])),
    ]
    table = figures(columns, ())
    table.least = _DECISIONS_WIDTH
    before = None
    for decision in decisions:
        if before not in (None, decision.round):
            table.add_section()
        before = decision.round
        played = Text(translate(_played(decision, decision.said)))
        if decision in dear:
            better = say("better: {turn}", turn=_played(decision, decision.best_said))
            played.append(f"\n{translate(better)}", style="dim")
        lost = joined("±", (_signed(-decision.loss.value), decimal(decision.loss.error or 0.0)))
        loss = f"{translate(lost)} {decision.mark:<2}" if decision.loss.value else ""
        table.add_row(
            str(decision.line),
            Text(translate(term(decision.colour)), style=STYLES[decision.colour]),
            played,
            _signed(decision.played.value),
            Text(loss, style={"?": "bold yellow", "??": "bold red"}.get(decision.mark, "")),
        )
    return table


def _played(one: ReviewedDecision, said: Phrase) -> Phrase:
    """A bid or turn without the player, who stands beside it."""
    return say_as("of a review", "bid {bid}", bid=said) if one.kind is DecisionKind.BID else said


def decisive_words(one: DecisiveTurn, names: Mapping[Colour, str]) -> Phrase:
    """A turn that decided the game in a sentence or two."""
    decision = one.decision
    words = say(
        "Line {line}, {player}: {turn}. The margin of {winner} went from {before} to {after} ({swing} VP).",
        line=decision.line,
        player=player_name(decision.colour, names),
        turn=_played(decision, decision.said),
        winner=player_name(one.winner, names),
        before=_signed(one.before),
        after=_signed(one.after),
        swing=_with_error(one.swing),
    )
    if not decision.loss.value:
        return words
    better = say(
        "Better by {loss:.1f} VP: {turn}.", loss=decision.loss.value, turn=_played(decision, decision.best_said)
    )
    return joined(" ", (words, better))


def _with_error(one: Estimate) -> Phrase:
    value = _signed(one.value)
    return joined("±", (value, decimal(one.error))) if one.error else value


def _signed(value: float) -> Phrase:
    """A value with its sign; what rounds to 0 has none."""
    return decimal(0.0) if abs(value) < 0.05 else decimal(value, signed=True)
