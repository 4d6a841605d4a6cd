"""The questions of `companion learn --ask`: which of the numbered things beside the board is which piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.cli.dialogue.conversation import Answer, Conversation, Message, Question
from companion.errors import NotationError
from companion.language.phrase import say
from companion.notation.names import fold
from companion.notation.tokens import whole_number

_NONE = frozenset({"-", "none", "no"})


@dataclass(frozen=True, slots=True)
class Told:
    """Which piece is which so far: for each class its number in the picture, None for one that is not there."""

    numbers: Mapping[str, int | None] = field(default_factory=dict)


class ShownConversation(Conversation[Told]):
    """Asks for the number of each piece of `names` (what a class is called), 1 to `most`; `guessed` are offered."""

    quitting: str = say("leaves; nothing is learnt")

    def __init__(self, names: Mapping[str, str], most: int, guessed: Mapping[str, int]) -> None:
        super().__init__(Told())
        self._names = names
        self._most = most
        self._guessed = guessed

    def welcome(self, state: Told) -> Iterator[Message]:
        """See `Conversation.welcome`."""
        yield say("Type the number that each piece has in the picture; - for one that is not there.")

    def question(self, state: Told) -> Question[Told] | None:
        """The first piece that was not told yet."""
        kind = next((kind for kind in self._names if kind not in state.numbers), None)
        if kind is None:
            return None
        guess = self._guessed.get(kind)
        default = str(guess) if guess is not None and guess not in state.numbers.values() else "-"

        def parse(line: str) -> Answer[Told]:
            word = line.strip() if line.strip() in _NONE else fold(line) or default
            if word in _NONE:
                return Answer(replace(state, numbers={**state.numbers, kind: None}))
            number = whole_number(word)
            if number is None or not 1 <= number <= self._most:
                raise NotationError(say("type a number from 1 to {most}, or - if it is not there", most=self._most))
            taken = next((other for other, known in state.numbers.items() if known == number), None)
            if taken is not None:
                raise NotationError(say("{number} is {piece} already", number=number, piece=self._names[taken]))
            return Answer(replace(state, numbers={**state.numbers, kind: number}))

        return Question(
            key=kind,
            prompt=self._names[kind],
            parse=parse,
            default=default,
            help=say(
                "  The number beside the piece in the picture; - if it is not there; Enter takes what is offered."
            ),
        )
