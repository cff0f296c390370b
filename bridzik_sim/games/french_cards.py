"""The 52 French cards: names, ids and words, for the games that are played with them.

Cards: id = 13 * suit + rank for the suits C D H S (clubs, diamonds, hearts, spades) and the ranks 2 3 … 9 T J
Q K A, lowest 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridzik_sim.cards import CardWords, Deck

SUITS, RANKS = 4, 13
CARDS = SUITS * RANKS
SUIT_CARDS = (1 << RANKS) - 1
WHOLE_DECK = (1 << CARDS) - 1
DECK = Deck(("C", "D", "H", "S"), tuple("23456789TJQKA"))

_RANKS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_RANKS_SK = (
    *("dvojka", "trojka", "štvorka", "päťka", "šestka", "sedmička", "osmička", "deviatka", "desiatka"),
    *("dolník", "dáma", "kráľ", "eso"),
)
_ENDINGS_SK = ("ová",) * 9 + ("ový", "ová", "ový", "ové")


def _words(suits: Sequence[str], cards: Sequence[str]) -> CardWords:
    return CardWords(tuple(suits), tuple("10" if rank == "T" else rank for rank in DECK.ranks), tuple(cards))


_SUITS = ("clubs", "diamonds", "hearts", "spades")
WORDS = {
    "en": _words(_SUITS, [f"{rank} of {suit}" for suit in _SUITS for rank in _RANKS]),
    "sk": _words(
        ("kríže", "káro", "srdcia", "piky"),
        [
            f"{stem}{ending} {rank}"
            for stem in ("kríž", "kár", "srdc", "pik")
            for ending, rank in zip(_ENDINGS_SK, _RANKS_SK, strict=True)
        ],
    ),
}
"""By language: how the cards are called."""
