"""What the meeples taken in hand do: the tribe actions (rules 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, say, term
from companion.rules.engine.decks import draw_card, has_fakirs
from companion.rules.engine.djinns import Djinn
from companion.rules.engine.mutable_game import MutableGame, lacks_fakirs
from companion.rules.engine.powers import pay, payable
from companion.rules.model.actions import NOTHING_TO_CHOOSE, TribeChoice
from companion.rules.model.board import MAX_DISTANCE, NO_MEEPLES, SQUARE_NAMES, WITHIN
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import AssassinsKilled, BuildersPaid, MeeplesKept, NobodyKilled, Victim, VictimReaped
from companion.rules.model.state import Stage, Taken

KILLABLE_IN_FRONT = (Tribe.VIZIER, Tribe.ELDER)


def tribe_choices(game: MutableGame, taken: Taken) -> Iterator[TribeChoice]:
    """Every choice that the meeples in hand allow; unknown fakirs are taken as none."""
    match taken.tribe:
        case Tribe.BUILDER:
            yield from (TribeChoice(fakirs) for fakirs in _fakir_numbers(game))
        case Tribe.ASSASSIN:
            yield from _assassin_choices(game, taken)
        case _:
            yield NOTHING_TO_CHOOSE


def _fakir_numbers(game: MutableGame) -> range:
    return range((game.moving.fakirs or 0) + 1)


def _assassin_choices(game: MutableGame, taken: Taken) -> Iterator[TribeChoice]:
    if not must_kill(game, taken):
        yield NOTHING_TO_CHOOSE
    for fakirs in _fakir_numbers(game):
        for victim in victims(game, taken, fakirs):
            yield _kill(fakirs, victim)
        yield from _helped_choices(game, taken, fakirs)


_kill = lru_cache(maxsize=1 << 13)(TribeChoice)


@cache
def _on_tile(square: int) -> tuple[Victim, ...]:
    """A victim of each tribe on a tile."""
    return tuple(Victim(tribe, square=square) for tribe in Tribe)


def _kills_more(djinn: Djinn) -> bool:
    return djinn.kills > 1


def _helped_choices(game: MutableGame, taken: Taken, fakirs: int) -> Iterator[TribeChoice]:
    """Choices in which a power kills more than one where more than one are (rules 11.10)."""
    for helper in payable(game, _kills_more, fakirs_kept=fakirs):
        for killed in _groups(game, taken, fakirs):
            yield TribeChoice(fakirs, killed[0], killed[1] if len(killed) > 1 else None, helper)


def _in_reach(game: MutableGame, taken: Taken, fakirs: int) -> list[int]:
    """Squares with meeples that assassins and fakirs reach (rules 5.4)."""
    reach = min(taken.count + fakirs, MAX_DISTANCE)
    return [square for square in WITHIN[taken.end][reach] if game.board[square].meeples != NO_MEEPLES]


def _groups(game: MutableGame, taken: Taken, fakirs: int) -> Iterator[tuple[Victim, ...]]:
    """Whom assassins can kill two at a time: on one tile, or in front of one opponent (rules 11.10)."""
    for square in _in_reach(game, taken, fakirs):
        yield from _pairs(_on_tile(square), game.board[square].meeples)
    for colour in game.players if not fakirs else ():
        if colour is not game.mover and not is_guarded(game, colour):
            in_front = [Victim(tribe, owner=colour) for tribe in KILLABLE_IN_FRONT]
            yield from _pairs(in_front, [_in_front(game, colour, tribe) for tribe in KILLABLE_IN_FRONT])


def _pairs(there: Sequence[Victim], counts: Sequence[int]) -> Iterator[tuple[Victim, ...]]:
    """Two of those who are there, or the only one."""
    if sum(counts) == 1:
        yield from ((victim,) for victim, count in zip(there, counts, strict=True) if count)
        return
    for first, second in combinations_with_replacement(range(len(there)), 2):
        if counts[first] and counts[second] and (first != second or counts[first] > 1):
            yield there[first], there[second]


def victims(game: MutableGame, taken: Taken, fakirs: int) -> Iterator[Victim]:
    """Whom assassins can kill: within a distance, longer with fakirs, or without any in front of others (rules 5.4)."""
    for square in _in_reach(game, taken, fakirs):
        for victim, count in zip(_on_tile(square), game.board[square].meeples, strict=True):
            if count:
                yield victim
    if not fakirs:
        yield from victims_in_front(game)


def victims_in_front(game: MutableGame) -> Iterator[Victim]:
    """Viziers and elders in front of opponents whom no djinn guards (rules 5.4)."""
    for colour in game.players:
        if colour is not game.mover and not is_guarded(game, colour):
            yield from (Victim(tribe, owner=colour) for tribe in KILLABLE_IN_FRONT if _in_front(game, colour, tribe))


def is_guarded(game: MutableGame, colour: Colour) -> bool:
    """Whether a djinn keeps the player's viziers and elders from being killed (rules 11)."""
    return any(djinn.guards for djinn in game.powers(colour))


def _in_front(game: MutableGame, colour: Colour, tribe: Tribe) -> int:
    player = game.players[colour]
    return (player.viziers if tribe is Tribe.VIZIER else player.elders) or 0


def must_kill(game: MutableGame, taken: Taken) -> bool:
    """Whether there is somebody to kill without spending fakirs, so that one must be (rules 5.4, ruling)."""
    return next(victims(game, taken, 0), None) is not None


def do_tribe_action(game: MutableGame, taken: Taken, choice: TribeChoice) -> None:
    """Let the meeples in hand act. Raises IllegalMoveError for a choice that they do not allow."""
    fakirs = choice.fakirs
    if fakirs < 0 or not has_fakirs(game, fakirs):
        raise lacks_fakirs(game, fakirs, "5.3, 5.4")
    if fakirs and taken.tribe not in (Tribe.BUILDER, Tribe.ASSASSIN):
        raise IllegalMoveError("{tribe} have no use for fakirs (rules 5)", tribe=term(taken.tribe.noun, plural=True))
    if (choice.victims or choice.helper) and taken.tribe is not Tribe.ASSASSIN:
        raise IllegalMoveError("{tribe} kill nobody (rules 5.4)", tribe=term(taken.tribe.noun, plural=True))
    # The meeples are out of hand now: kept, or back in the bag.
    game.stage = Stage.TILE
    _ACTIONS[taken.tribe](game, taken, choice)


def _keep(game: MutableGame, taken: Taken, _: TribeChoice) -> None:
    game.add_meeples(game.mover, taken.tribe, taken.count)
    game.announce(MeeplesKept(game.mover, taken.tribe, taken.count))


def _merchants(game: MutableGame, taken: Taken, _: TribeChoice) -> None:
    if game.row is None:
        game.give_cards((None,) * taken.count)
        return
    cards, game.row = game.row[: taken.count], game.row[taken.count :]
    game.give_cards(cards)


def _builders(game: MutableGame, taken: Taken, choice: TribeChoice) -> None:
    blue, factor = game.blue_tiles(taken.end), game.progress.factor
    income = BuildersPaid(game.mover, taken.end, taken.count, choice.fakirs, blue, factor)
    game.discard_fakirs(choice.fakirs)
    game.add(game.mover, gold=income.gold)
    _note_income(game, income.gold)
    game.announce(income)


def _note_income(game: MutableGame, gold: int) -> None:
    """Remember what builders brought in this turn (rules 11.9)."""
    game.progress = replace(game.progress, income=game.progress.income + gold)


def _assassins(game: MutableGame, taken: Taken, choice: TribeChoice) -> None:
    end = SQUARE_NAMES[taken.end]
    if choice.victim is None:
        if choice.fakirs or choice.helper or choice.second or must_kill(game, taken):
            raise IllegalMoveError("the assassins of {end} must kill somebody (rules 5.4)", end=end)
        game.announce(NobodyKilled(game.mover, taken.end, taken.count))
        return
    for victim in choice.victims:
        # A lazy walk over the few squares in reach: it ends at the victim.
        if victim not in victims(game, taken, choice.fakirs):
            place = (
                say("in front of {owner}", owner=victim.owner)
                if victim.square is None
                else say("on {square}", square=SQUARE_NAMES[victim.square])
            )
            raise IllegalMoveError(
                "no {tribe} {place} that {assassins} from {end} with {fakirs} can kill (rules 5.4)",
                tribe=term(victim.tribe.noun),
                place=place,
                assassins=counted(taken.count, "assassin"),
                end=end,
                fakirs=counted(choice.fakirs, "fakir"),
            )
    _check_number(game, taken, choice)
    game.discard_fakirs(choice.fakirs)
    if choice.helper is not None:
        pay(game, choice.helper, _kills_more)
    for victim in choice.victims:
        _remove(game, victim)
    game.announce(AssassinsKilled(game.mover, choice.victims, choice.fakirs))
    for victim in choice.victims:
        _reap(game, victim)
    if choice.victim.square is not None:
        game.claim_if_bare(choice.victim.square)


def _check_number(game: MutableGame, taken: Taken, choice: TribeChoice) -> None:
    """One is killed, or with a helping power as many as are there, up to two (rules 5.4, 11.10)."""
    if choice.helper is None:
        if choice.second is not None:
            raise IllegalMoveError("assassins kill exactly one meeple (rules 5.4)")
        return
    # Two victims are a choice in either order, and victims have no order of their own to sort by.
    wanted = sorted(map(repr, choice.victims))
    if all(sorted(map(repr, group)) != wanted for group in _groups(game, taken, choice.fakirs)):
        raise IllegalMoveError(
            "{djinn} kills two meeples on one tile or in front of one opponent, and one only if there is no "
            "other (rules 11, 11.10)",
            djinn=choice.helper.djinn,
        )


def _remove(game: MutableGame, victim: Victim) -> None:
    if victim.square is not None:
        tile = game.board[victim.square]
        meeples = tuple(count - (tribe == victim.tribe) for tribe, count in enumerate(tile.meeples))
        game.board[victim.square] = replace(tile, meeples=meeples)
    elif victim.owner is not None:
        game.add_meeples(victim.owner, victim.tribe, -1)


def _reap(game: MutableGame, victim: Victim) -> None:
    """Give the killer what the killer's djinns make of the victim (rules 11)."""
    income = 0 if victim.square is None else game.blue_tiles(victim.square) * game.progress.factor
    for djinn in game.powers(game.mover):
        if djinn.reaps is None:
            continue
        spoils = djinn.reaps(victim.tribe, income)
        game.add(game.mover, gold=spoils.gold)
        if spoils.kept:
            game.add_meeples(game.mover, victim.tribe, 1)
        if spoils.kept or spoils.gold:
            game.announce(VictimReaped(game.mover, djinn.name, victim, spoils.kept, spoils.gold))
        if victim.tribe is Tribe.BUILDER:
            _note_income(game, spoils.gold)
        for _ in range(spoils.cards):
            game.give_cards(draw_card(game, face_up=False))


_ACTIONS: dict[Tribe, Callable[[MutableGame, Taken, TribeChoice], None]] = {
    Tribe.VIZIER: _keep,
    Tribe.ELDER: _keep,
    Tribe.BUILDER: _builders,
    Tribe.MERCHANT: _merchants,
    Tribe.ASSASSIN: _assassins,
}
