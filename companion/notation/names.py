"""Names of cards, djinns, colours and tribes as people write them, in five languages.

Names are read without regard to case, accents, hyphens and apostrophes, in English, Russian, Ukrainian, Korean and
Italian, in singular and plural and as they stand after numbers.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from companion.errors import NotationError, quoted
from companion.rules.engine.djinns.registry import EVERY_DJINN
from companion.rules.model.components import Colour, Tribe

_Name = TypeVar("_Name", bound=str)

_MAX_SHOWN = 40
# The nearest names of a longer word would be sought for seconds, and no name is half as long.
_MAX_LETTERS = 60


def fold(name: str) -> str:
    """A name reduced to its lower-case letters and digits: "Ba’al" and "BAAL" both give "baal"."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def _forms(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(form.strip() for form in forms.replace("|", ",").split(",")) for name, forms in table.items()}


# A bar parts the languages: English | Russian | Ukrainian | Korean | Italian.
CARD_NAMES: dict[str, tuple[str, ...]] = _forms(
    {
        # Older printings call the fakir slave or worker (rules 1.4).
        "fakir": "fakir, fakirs, slave, slaves, worker, workers"
        "| факир, факира, факиры, факиров, раб, раба, рабы, рабов"
        "| факір, факіра, факіри, факірів, раб, раби, рабів | 일꾼 | fachiro, fachiri",
        "ivory": "ivory, ivories | слоновая кость, слоновой кости, слоновые кости, слоновых кости, слоновых костей"
        "| слонова кістка, слонової кістки, слонові кістки, слонових кісток | 상아 | avorio, avori",
        "jewels": "jewels, jewel | самоцветы, самоцвет, самоцвета, самоцветов, драгоценности, драгоценностей"
        "| коштовності, коштовність, коштовностей, самоцвіт, самоцвіта, самоцвіти, самоцвітів"
        "| 보석 | gioielli, gioiello",
        "gold": "gold, golds | золото, золота | золото, золота | 금 | oro, ori",
        "papyrus": "papyrus, papyri, papyruses | папирус, папируса, папирусы, папирусов"
        "| папірус, папірусу, папіруса, папіруси, папірусів | 종이, 파피루스 | papiro, papiri",
        "silk": "silk, silks | шёлк, шёлка, шелка, шелков | шовк, шовку, шовка, шовки, шовків | 비단 | seta, sete",
        "spice": "spice, spices | специи, специй, специя, пряности, пряностей, пряность"
        "| прянощі, прянощів, спеції, спецій, спеція | 향신료 | spezie, spezia",
        "fish": "fish, fishes | рыба, рыбы, рыб, рыбу | риба, риби, риб, рибу | 물고기, 생선 | pesce, pesci",
        "wheat": "wheat, wheats | пшеница, пшеницы, пшеницу, пшениц | пшениця, пшениці, пшеницю, пшениць"
        "| 밀 | grano, grani",
        "pottery": "pottery, potteries | керамика, керамики, керамику, керамик"
        "| кераміка, кераміки, кераміку, керамік | 도자기 | ceramica, ceramiche",
    }
)
"""How each resource card may be called (rules 1.4)."""

TRIBE_NAMES: dict[Tribe, tuple[str, ...]] = {
    Tribe[tribe.upper()]: forms
    for tribe, forms in _forms(
        {
            "vizier": "vizier, viziers | визирь, визиря, визири, визирей | візир, візира, візири, візирів"
            "| 재상 | visir",
            "elder": "elder, elders | старейшина, старейшины, старейшин, мудрец, мудреца, мудрецы, мудрецов"
            "| мудрець, мудреця, мудреці, мудреців | 원로 | anziano, anziani",
            "builder": "builder, builders | строитель, строителя, строители, строителей"
            "| будівельник, будівельника, будівельники, будівельників | 건축가 | costruttore, costruttori",
            "merchant": "merchant, merchants | купец, купца, купцы, купцов, торговец, торговца, торговцы, торговцев"
            "| купець, купця, купці, купців | 상인 | mercante, mercanti",
            "assassin": "assassin, assassins | ассасин, ассасина, ассасины, ассасинов"
            "| асасин, асасина, асасини, асасинів | 암살자 | assassino, assassini",
        }
    ).items()
}
"""How a meeple of each tribe may be called."""

COLOUR_NAMES: dict[Colour, tuple[str, ...]] = {
    Colour(colour): forms
    for colour, forms in _forms(
        {
            "black": "black | чёрный, чёрная, чёрные | чорний, чорна, чорні | 검은색, 검정색, 검정 | nero, nera, neri",
            "orange": "orange | оранжевый, оранжевая, оранжевые | помаранчевий, помаранчева, помаранчеві, оранжевий"
            "| 주황색, 주황 | arancione, arancioni",
            "blue": "blue | голубой, голубая, голубые, синий, синяя, синие"
            "| синій, синя, сині, блакитний, блакитна, блакитні | 파란색, 파랑 | blu",
            "pink": "pink | розовый, розовая, розовые | рожевий, рожева, рожеві | 분홍색, 분홍 | rosa",
        }
    ).items()
}
"""How each player's colour may be called (rules 1.5)."""

DJINN_SPELLINGS: dict[str, tuple[str, ...]] = {
    "Al-Amin": ("Аль-Амин", "Аль-Амін", "알아민"),
    "Anun-Nak": ("Анун-Нак", "아눈나크", "아눈낙"),
    "Ba'al": ("Баал", "Ваал", "바알"),
    "Boaz": ("Боаз", "보아즈", "보아스"),
    "Bouraq": ("Бурак", "부라크"),
    "Echidna": ("Ехидна", "Эхидна", "Єхидна", "Єхідна", "에키드나"),
    "Enki": ("Энки", "Енки", "Енкі", "엔키"),
    "Hagis": ("Хагис", "Хагіс", "Гагіс", "하기스"),
    "Haurvatat": ("Хаурватат", "Гаурватат", "하우르바타트"),
    "Iblis": ("Иблис", "Ібліс", "이블리스"),
    "Jafaar": ("Джафар", "Джафаар", "자파르"),
    "Kandicha": ("Кандиша", "Кандича", "Кандіша", "Кандіча", "칸디샤", "칸디차"),
    "Kumarbi": ("Кумарби", "Кумарбі", "쿠마르비"),
    "Lamia": ("Ламия", "Ламія", "라미아"),
    "Leta": ("Лета", "레타"),
    "Marid": ("Марид", "Марід", "마리드"),
    "Monkir": ("Монкир", "Мункир", "Монкір", "Мункір", "몬키르"),
    "Nekir": ("Некир", "Накир", "Некір", "Накір", "네키르"),
    "Shamhat": ("Шамхат", "샴하트", "샤마트"),
    "Sibittis": ("Сибиттис", "Сибитис", "Сібіттіс", "시비티스"),
    "Sloar": ("Слоар", "슬로아르", "슬로어"),
    "Utug": ("Утуг", "Утуґ", "우투그"),
}
"""Russian, Ukrainian and Korean spellings by name, as the names sound.

The rulebooks in these languages print no list of names but one, and that one in Latin letters, as most printings of
the cards do; so these are transliterations.
"""

# The promo djinn can be named too; whether it is in a game is not for names to say.
DJINN_NAMES: dict[str, tuple[str, ...]] = {name: (name, *DJINN_SPELLINGS.get(name, ())) for name in EVERY_DJINN}
"""How each djinn may be called (rules 11)."""

GOLD_CARD_NAMES = _forms(
    {
        "gold": "gold card, gold cards | карта золота, карты золота, карт золота | карта золота, карти золота"
        "| 금 카드 | carta oro, carte oro"
    }
)
"""The good in words that never mean coins: in every language coins are called gold too."""

CARDS_TOGETHER = _forms(
    {
        "goods": "good, goods | товар, товара, товары, товаров | товари, товарів | 상품 | merce, merci",
        "cards": "card, cards | карта, карты, карт | карти | 카드, 자원 카드 | carta, carte",
    }
)
"""All goods, and all resource cards, as they are called together."""

HELD_NAMES = _forms(
    {
        "coins": "coins, coin, GC, gold coin, gold coins | монета, монеты, монет, мон, золотая монета, золотые монеты,"
        "золотых монеты, золотых монет | монети, золота монета, золоті монети, золотих монет"
        "| 금화 | MO, moneta, monete, moneta d'oro, monete d'oro",
        "palms": "palm, palms, palm tree, palm trees | пальма, пальмы, пальм | пальми | 야자수 | palma, palme",
        "palaces": "palace, palaces | дворец, дворца, дворцы, дворцов | палац, палаца, палаци, палаців"
        "| 궁전 | palazzo, palazzi",
        "djinns": "djinn, djinns | джинн, джинна, джинны, джиннов | джин, джина, джини, джинів | 정령 | genio, geni",
    }
)
"""What else a player holds."""


def by_form(names: Mapping[_Name, Iterable[str]]) -> dict[str, _Name]:
    """The name that each form stands for, by the form as it is written in the tables."""
    return {form: name for name, forms in names.items() for form in forms}


_CARDS: Mapping[str, str] = by_form(CARD_NAMES)
_DJINNS: Mapping[str, str] = by_form(DJINN_NAMES)
_COLOURS: Mapping[str, str] = {form: colour.value for form, colour in by_form(COLOUR_NAMES).items()}


def folded(forms: Mapping[str, _Name]) -> dict[str, _Name]:
    """The same names by folded form."""
    return {fold(form): name for form, name in forms.items()}


_FOLDED = {"resource card": folded(_CARDS), "djinn": folded(_DJINNS), "player's colour": folded(_COLOURS)}


NOTHING = frozenset(
    map(fold, ("0", "none", "no", "nothing", "нет", "ничего", "немає", "нічого", "없음", "niente", "nessuno", "nulla"))
)
"""Whole answers for none, folded."""

NO = frozenset(map(fold, ("no", "нет", "без", "немає", "없음", "nessun", "nessuno", "nessuna", "senza")))
"""Words for none of a thing, folded: "no fakirs"."""

AND = frozenset(map(fold, ("and", "и", "та", "і", "й", "e", "ed")))
"""Words that part things as a comma does, folded."""


def _near(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are most like a name, the likest first."""
    word = fold(name[: 2 * _MAX_LETTERS])
    if len(word) > _MAX_LETTERS:
        return []
    by_folded = {fold(candidate): candidate for candidate in known}
    return [by_folded[match] for match in difflib.get_close_matches(word, by_folded, n=4, cutoff=0.6)]


def _question(names: Iterable[str]) -> str:
    shown = " or ".join(map(repr, names))
    return f"; did you mean {shown}?" if shown else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as a sentence's end: "; did you mean 'ivory'?", or "" if nothing is near."""
    return _question(_near(name, known)[:2])


def nearest_form(name: str, forms: Mapping[str, Hashable]) -> str:
    """As `nearest`, of words with what they stand for: of two words for one thing the likest is told."""
    likest: dict[Hashable, str] = {}
    for form in _near(name, forms):
        likest.setdefault(forms[form], form)
    return _question(list(likest.values())[:2])


def _parse(name: str, what: str, forms: Mapping[str, str]) -> str:
    try:
        return _FOLDED[what][fold(name)]
    except KeyError:
        names = list(dict.fromkeys(forms.values()))
        guess = nearest_form(name, forms) or f"; expected one of: {', '.join(names)}"
        raise NotationError(f"no {what} is called {quoted(name, _MAX_SHOWN)}{guess}") from None


def parse_card(text: str) -> str:
    """The resource card of that name, as in `components.CARD_COUNTS` (rules 1.4).

    >>> parse_card("Papyrus"), parse_card("slave"), parse_card("шёлк")
    ('papyrus', 'fakir', 'silk')

    Raises NotationError with the nearest names.
    """
    return _parse(text, "resource card", _CARDS)


def parse_djinn(text: str) -> str:
    """The djinn of that name, as in `djinns.EVERY_DJINN` (rules 11).

    >>> parse_djinn("baal"), parse_djinn("Anun Nak"), parse_djinn("Джафар")
    ("Ba'al", 'Anun-Nak', 'Jafaar')

    Raises NotationError with the nearest names.
    """
    return _parse(text, "djinn", _DJINNS)


def parse_colour(text: str) -> Colour:
    """The player's colour of that name: black, orange, blue or pink, in any of the five languages.

    Raises NotationError with the nearest names.
    """
    return Colour(_parse(text, "player's colour", _COLOURS))
