"""What declarer leads, from either hand: ruffs, trumps, long suits, finesses, and then the winners."""

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.jit import jit
from strategies.bridge._holdings import above, cards_of, needed, run_of, sure

QUEEN = 10
FIRST, LAST = 1000, -1000


@jit
def declaring_lead(table, seat, hand, mate, unseen):
    """The card led from ``hand``; ``mate`` is the other hand of declarer's side."""
    trumps = cards_of(table.trump) if table.trump >= 0 else 0
    out = unseen & trumps
    ready = winners(hand, mate, unseen, trumps) >= needed(table, seat)
    choice, most = lowest(hand), LAST
    for suit in range(4):
        if hand & cards_of(suit) == 0:
            continue
        if suit == table.trump:
            value = value_of_trumps(hand & trumps, mate & trumps, out, hand, mate)
        else:
            value = value_of_suit(hand, mate, unseen, suit, trumps, ready)
        if value > most:
            most = value
            choice = card_to_lead(hand & cards_of(suit), mate & cards_of(suit), unseen & cards_of(suit))
    return choice


@jit
def winners(hand, mate, unseen, trumps):
    """Tricks that the two hands can take at once, about."""
    total = 0
    for suit in range(4):
        own, other, out = hand & cards_of(suit), mate & cards_of(suit), unseen & cards_of(suit)
        longer = max(popcount(own), popcount(other))
        total += min(sure(own | other, out), longer)
    return total


@jit
def value_of_trumps(own, other, out, hand, mate):
    """How good it is to lead a trump now: first of all, unless a ruff in the short hand comes first."""
    if out == 0:
        return -50
    ours = own | other
    if out & (out - 1) == 0 and above(out, highest(ours)):
        return -60
    return 60 if waits_for_ruff(hand, mate, own, other) == 0 else 20


@jit
def waits_for_ruff(hand, mate, own, other):
    """Mask of suits in which the hand with fewer trumps is shorter than the other, and can ruff."""
    suits = 0
    dummy_is_short = popcount(own) > popcount(other) > 0
    mate_is_short = popcount(other) > popcount(own) > 0
    for suit in range(4):
        here, there = popcount(hand & cards_of(suit)), popcount(mate & cards_of(suit))
        if dummy_is_short and there <= 1 and here > there + 1:
            suits |= 1 << suit
        if mate_is_short and here <= 1 and there > here + 1:
            suits |= 1 << suit
    return suits


@jit
def value_of_suit(hand, mate, unseen, suit, trumps, ready):
    """How good it is to lead a side suit now."""
    own, other, out = hand & cards_of(suit), mate & cards_of(suit), unseen & cards_of(suit)
    top, longer = sure(own | other, out), max(popcount(own), popcount(other))
    drawn = unseen & trumps == 0
    if trumps and hand & trumps and mate & trumps:
        ruffs = waits_for_ruff(hand, mate, hand & trumps, mate & trumps) >> suit & 1
        if ruffs:
            if other == 0:
                return 70 if popcount(mate & trumps) < popcount(hand & trumps) else 10
            return 50
    if out == 0:
        return 40 if drawn else 5
    if ready and drawn:
        return 30 + top if top and highest(own | other) > highest(out) else LAST + top
    more = longer - top
    if more <= 0:
        return top - 10
    honours = popcount((own | other) & 0b11111 << 13 * suit + 8)
    return 3 * longer + popcount(own | other) + 2 * honours - 4 * (honours == 0)


@jit
def card_to_lead(own, other, out):
    """The card of a suit that is led: ``own`` and ``other`` are held, ``out`` is against them."""
    top = highest(own)
    if other == 0 or out == 0:
        return top if out == 0 or above(out, top) == 0 or popcount(own) < 3 else lowest(own)
    best = highest(other)
    strong = above(out, top) == 0
    there = above(out, best) == 0
    run = run_of(own, top, out)
    if strong and (not there or popcount(own) <= popcount(other)):
        # A winner, unless the other hand has a tenace that is led up to.
        return lowest(own) if tenace(other, out) and popcount(own) > 1 and there else top
    if there and popcount(run) >= 2 and top % 13 >= QUEEN - 1:
        return top
    if (
        not there
        and top > best
        and popcount(run | other & run_of(other, best, out)) >= 2
        and top % 13 >= QUEEN
    ):
        return top
    return lowest(own)


@jit
def tenace(cards, out):
    """Whether a winner is followed by a card that only one of ``out`` beats."""
    top = highest(cards)
    lower = cards & ~run_of(cards, top, out)
    if lower == 0 or above(out, top):
        return False
    missing = above(out, highest(lower))
    return missing & (missing - 1) == 0
