"""Lead suit, legal cards and winner of tricks: mask rules and plain engine against a third statement of the rules.

That third statement works on names of cards: W and J, and T, L, O for number cards of three suits, of which T may be
trump. ``golden/wizard_tricks.txt`` holds all tricks of three and four cards; longer ones are compared here only.
"""

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from bridzik_sim.games.wizard import reference, rules

GOLDEN = Path(__file__).parents[2] / "golden" / "wizard_tricks.txt"
SUIT_OF = {"T": 2, "L": 0, "O": 3}
CLASSES = "WJTLO"


def cards_of(trick, ascending):
    """Ids for a trick of classes; the numbers rise or fall in the order of play."""
    cards, specials = [], {"W": iter(range(52, 56)), "J": iter(range(56, 60))}
    for place, kind in enumerate(trick):
        number = 3 + place if ascending else 12 - place
        cards.append(next(specials[kind]) if kind in specials else 13 * SUIT_OF[kind] + number)
    return cards


def lead_of(trick):
    """The class to follow: that of the first number card, if nothing but jesters lie before it."""
    found = re.match("J*([TLO])", trick)
    return found[1] if found else "-"


def winner_of(trick, trump, ascending):
    """The place that wins, by asking for one kind of card after the other."""
    highest = trick.rfind if ascending else trick.find
    for kind, search in (("W", trick.find), (trump, highest), (lead_of(trick), highest), ("J", trick.find)):
        if kind in trick:
            return search(kind)
    raise AssertionError(trick)


def tricks_of(length):
    """All orders of the classes; there are but four wizards and four jesters."""
    for trick in product(CLASSES, repeat=length):
        counts = Counter(trick)
        if max(counts["W"], counts["J"]) <= 4:
            yield "".join(trick)


def suit(kind):
    return SUIT_OF.get(kind, -1)


def golden_lines():
    return [line.split() for line in GOLDEN.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


def test_the_golden_table_holds_every_trick_of_three_and_four_cards():
    lines = golden_lines()
    assert [trick for trick, *_ in lines] == [*tricks_of(3), *tricks_of(4)]
    for trick, lead, rising, falling, no_trump in lines:
        assert lead == lead_of(trick)
        places = winner_of(trick, "T", True), winner_of(trick, "T", False), winner_of(trick, "-", True)
        assert (int(rising), int(falling), int(no_trump)) == places


def test_the_golden_table_is_kept_by_both_engines():
    for trick, lead, rising, falling, no_trump in golden_lines():
        for place, trump, ascending in ((rising, "T", True), (falling, "T", False), (no_trump, "-", True)):
            cards = cards_of(trick, ascending)
            assert reference.lead_suit(cards) == suit(lead)
            assert cards.index(reference.winning_card(cards, suit(trump))) == int(place)
            assert folded(cards, suit(trump)) == (suit(lead), cards[int(place)])


def folded(cards, trump):
    """Lead suit and winning card as the kernel finds them, card by card."""
    lead = best = -1
    for card in cards:
        lead = rules.next_lead(lead, best, card)
        best = card if rules.beats(card, best, lead, trump) else best
    return lead, best


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("trump", ["T", "-"])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_lead_suit_and_winner_of_every_order(length, trump, ascending):
    for trick in tricks_of(length):
        cards, lead = cards_of(trick, ascending), suit(lead_of(trick))
        best = cards[winner_of(trick, trump, ascending)]
        assert reference.lead_suit(cards) == lead, trick
        assert reference.winning_card(cards, suit(trump)) == best, trick
        assert folded(cards, suit(trump)) == (lead, best), trick


HANDS = [
    [kind for kind, held in zip("WJTLO", some, strict=True) if held] for some in product((0, 1), repeat=5)
]


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5])
def test_legal_cards_and_shown_voids_after_every_order(length):
    for trick in tricks_of(length):
        lead, before = lead_of(trick), cards_of(trick, True)
        for hand in HANDS if length < 5 else HANDS[::5]:
            kinds = {"W": [55], "J": [59], **{kind: [13 * suit(kind), 13 * suit(kind) + 1] for kind in "TLO"}}
            held = sorted(card for kind in hand for card in kinds[kind])
            bound = lead in hand
            free = [card for kind in hand if not bound or kind in ("W", "J", lead) for card in kinds[kind]]
            assert reference.legal_cards(held, before) == sorted(free), (trick, hand)
            assert rules.legal_cards(mask(held), suit(lead)) == mask(free), (trick, hand)
        for kind, (card, *_) in {"W": [55], "J": [59], **{one: [13 * suit(one)] for one in "TLO"}}.items():
            shown = [suit(lead)] if lead != "-" and kind not in ("W", "J", lead) else []
            assert reference.shown_voids(card, before) == shown, (trick, kind)
            after = suit(lead_of(trick + kind))
            assert rules.shown_void(card, after) == sum(1 << one for one in shown), (trick, kind)


def mask(cards):
    return sum(1 << card for card in cards)
