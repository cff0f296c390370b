"""What defenders lead: the opening lead, and later ones with dummy in sight."""

import numpy as np

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.bridge.rules import partner_of
from bridzik_sim.games.contract import BIDS, strain
from bridzik_sim.jit import jit
from strategies.bridge._holdings import above, cards_of, needed, sure

ACE, KING, QUEEN, JACK, TEN = 12, 11, 10, 9, 8
LAST = -1000


@jit
def named(table, seat):
    """Mask of the strains that a seat has bid."""
    suits = 0
    for i in range(table.n_calls):
        made = np.int64(table.calls[i])
        if 0 < made <= BIDS and (table.dealer + i) & 3 == seat:
            suits |= 1 << strain(made)
    return suits


@jit
def opening_lead(table, seat, hand):
    """The first card of the play."""
    partner, theirs = named(table, partner_of(seat)), 0
    theirs = named(table, table.declarer) | named(table, partner_of(table.declarer))
    choice, most = lowest(hand), LAST
    for suit in range(4):
        cards = hand & cards_of(suit)
        if cards == 0:
            continue
        value = lead_value(cards, suit, table.trump, popcount(hand & cards_of(max(table.trump, 0))))
        value += 7 * (partner >> suit & 1) - 4 * (theirs >> suit & 1)
        if value > most:
            choice, most = card_of(cards, suit, table.trump), value
    return choice


@jit
def lead_value(cards, suit, trump, trumps):
    """How good it is to lead a suit, by the cards held in it."""
    count, held = popcount(cards), cards >> 13 * suit
    sequence = popcount(held & held << 1 & 0b1111 << JACK)
    aces, kings, queens = held >> ACE & 1, held >> KING & 1, held >> QUEEN & 1
    if suit == trump:
        return 1 - 2 * (kings | queens) - 3 * (count == 1)
    if trump < 0:
        return 2 * count + 3 * sequence + (aces + kings + queens > 0)
    value = 4 * sequence - 2 * (kings + queens) * (sequence == 0)
    if aces:
        value += 5 if kings else -5
    if count == 1:
        value += 5 if trumps <= 3 and not kings else 0
    return value + (count == 2) - (count > 5)


@jit
def card_of(cards, suit, trump):
    """The card of a suit that is led: top of a sequence or of two, an ace at a suit contract, fourth best."""
    top, count = highest(cards), popcount(cards)
    rank = top % 13
    touching = cards >> top - 1 & 1 if rank else 0
    if count <= 2 or (touching and rank >= TEN):
        return top
    if rank == ACE and trump >= 0 and suit != trump:
        return top
    if rank <= TEN and count == 3:
        return top if rank < TEN else lowest(cards)
    return fourth(cards) if count >= 4 else lowest(cards)


@jit
def fourth(cards):
    """The fourth highest card."""
    for _ in range(3):
        cards ^= 1 << highest(cards)
    return highest(cards)


@jit
def defending_lead(table, seat, hand, dummy, unseen):
    """A later lead of a defender."""
    wanted, own = needed(table, seat), 0
    others = unseen | dummy
    choice, most = lowest(hand), LAST
    for suit in range(4):
        own += sure(hand & cards_of(suit), others & cards_of(suit)) if suit != table.trump else 0
    cash = own >= wanted > 0 or wanted == 1 or table.contract > 25
    for suit in range(4):
        cards = hand & cards_of(suit)
        if cards == 0:
            continue
        value = later_value(table, seat, cards, dummy & cards_of(suit), unseen & cards_of(suit), suit, cash)
        if value > most:
            choice, most = later_card(cards, others & cards_of(suit), suit, table.trump), value
    return choice


@jit
def later_value(table, seat, cards, dummy, unseen, suit, cash):
    """How good it is for a defender to lead a suit with dummy in sight."""
    partner, declarer, trump = partner_of(seat), table.declarer, table.trump
    count, winners = popcount(cards), sure(cards, dummy | unseen)
    ruffs = trump >= 0 and suit != trump
    if ruffs and table.seen_void[declarer] >> suit & 1:
        return -30 if dummy == 0 else -8
    if ruffs and table.seen_void[partner] >> suit & 1 and table.seen_void[partner] >> trump & 1 == 0:
        return 25
    if suit == trump:
        return 2 - 3 * (highest(cards) % 13 >= QUEEN)
    value = 2 * count if trump < 0 else 0
    if winners:
        value += 30 if cash else 4 if trump < 0 else 9
        if ruffs and dummy == 0:
            value -= 20
    elif unseen == 0 and dummy == 0:
        return 0
    strength = popcount(dummy & 0b11111 << 13 * suit + TEN)
    touching = cards >> highest(cards) - 1 & 1
    value += 3 * touching * (highest(cards) % 13 >= JACK)
    if highest(cards) % 13 in (ACE, KING, QUEEN) and not touching and not winners:
        value -= 2
    # Through strength in dummy, and up to weakness.
    if (seat + 1) & 3 == table.dummy_seat:
        value += 2 * strength * (dummy >> 13 * suit + ACE & 1 == 0) + strength
    else:
        value -= 3 * strength
    return value + 4 * led_before(table, seat, suit)


@jit
def led_before(table, seat, suit):
    """Whether partner has bid a suit."""
    return named(table, partner_of(seat)) >> suit & 1


@jit
def later_card(cards, others, suit, trump):
    """The card of a suit that a defender leads later."""
    top, count = highest(cards), popcount(cards)
    if others == 0 or above(others, top) == 0:
        return top
    if count <= 2 or (cards >> top - 1 & 1 and top % 13 >= TEN):
        return top
    return lowest(cards)
