"""Card play by rules of thumb, on anything that has the public fields of a view: views and positions.

``hand`` is that of the seat whose card is chosen, ``mate`` that of the seat opposite where it is seen, by
declarer and dummy, else 0; ``dummy`` what dummy holds where a defender looks at it, else 0. ``unseen`` are
the cards in the hands that are not seen.
"""

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.french_cards import WHOLE_DECK
from bridzik_sim.jit import jit
from strategies.bridge._declaring import declaring_lead
from strategies.bridge._defence import defending_lead, opening_lead
from strategies.bridge._holdings import above, cards_of, needed, run_of, top_of

JACK = 9


@jit
def choose_card(table, seat, hand, mate, dummy, legal):
    """The card that ``seat`` plays; ``hand`` and the others as above, ``legal`` the cards allowed."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    unseen = WHOLE_DECK & ~(table.played | hand | mate | dummy)
    declares = seat == table.declarer or seat == table.dummy_seat
    if table.trick_length == 0:
        if declares:
            return declaring_lead(table, seat, hand, mate, unseen)
        return (
            defending_lead(table, seat, hand, dummy, unseen)
            if table.played
            else opening_lead(table, seat, hand)
        )
    beating = cards_that_beat(table, legal)
    if table.trick_length == 3:
        return last(table, hand, mate, dummy, unseen, legal, beating)
    suited = legal & cards_of(table.lead) != 0
    if table.trick_length == 2:
        after = dummy if (seat + 1) & 3 == table.dummy_seat else unseen
        return third(table, seat, hand, mate, dummy, unseen, legal, beating, after, suited)
    return second(table, seat, hand, mate, dummy, unseen, legal, beating, suited, declares)


@jit
def cards_that_beat(table, legal):
    """The legal cards that would win the trick so far."""
    same = above(legal, table.best)
    if table.trump >= 0 and table.best // 13 != table.trump:
        same |= legal & cards_of(table.trump)
    return same


@jit
def last(table, hand, mate, dummy, unseen, legal, beating):
    """Fourth to play: as cheaply as possible, and only if partner does not win the trick."""
    if beating == 0 or table.trick[1] == table.best:
        return throw(table, hand, mate, dummy, unseen, legal)
    return cheapest_card(table, beating)


@jit
def cheapest_card(table, cards):
    """The lowest card, of the suit led rather than a trump."""
    same = cards & cards_of(table.lead)
    return lowest(same if same else cards)


@jit
def third(table, seat, hand, mate, dummy, unseen, legal, beating, after, suited):
    """Third to play: high where that may win, finessing; low where partner's card is as good.

    ``after``: the cards that the last to play may hold.
    """
    winning = table.trick[0] == table.best
    threats = above(after, table.best)
    next_seat = (seat + 1) & 3
    if table.seen_void[next_seat] >> table.lead & 1:
        threats = 0
    if beating == 0 or (winning and threats == 0):
        return throw(table, hand, mate, dummy, unseen, legal)
    if not suited:
        return cheapest_card(table, beating)
    top = highest(beating)
    if after == dummy and dummy:
        enough = above(beating, max(highest(after & cards_of(table.lead)), table.best))
        if winning and enough == 0:
            return lowest(legal)
        return lowest(enough if enough else legal)
    if winning:
        between = unseen & ((1 << top) - 1) & ~((2 << table.best) - 1)
        if between == 0:
            return lowest(legal)
        # An honour is led through the one that is missing.
        if mate and table.best % 13 >= JACK and threats & (threats - 1) == 0 and above(unseen, top) == 0:
            return lowest(legal)
    return finesse(table, hand, mate, unseen, beating, top)


@jit
def finesse(table, hand, mate, unseen, beating, top):
    """The card of ``beating`` that is worth trying: the highest, or one below a missing honour."""
    run = run_of(beating, top, unseen)
    if mate and above(unseen, top) == 0:
        lower = beating & ~run
        if lower:
            try_with = highest(lower)
            missing = above(unseen, try_with)
            out = popcount(unseen & cards_of(table.lead))
            if missing & (missing - 1) == 0 and out > (1 if missing >> top - 1 & 1 else 2):
                return lowest(run_of(beating, try_with, unseen))
    return lowest(run)


@jit
def second(table, seat, hand, mate, dummy, unseen, legal, beating, suited, declares):
    """Second to play: low, unless a high card is needed."""
    if beating == 0:
        return throw(table, hand, mate, dummy, unseen, legal)
    lead = cards_of(table.lead)
    if not suited:
        # Partner may still win what is led; a winner is ruffed.
        beaten = above(mate if declares else unseen, table.best)
        if beaten and not (declares and above(unseen, highest(beaten))):
            return throw(table, hand, mate, dummy, unseen, legal)
        return cheapest_card(table, beating)
    top = highest(beating)
    sure = above(unseen | dummy, top) == 0
    if declares:
        other = mate & lead
        if other and above(unseen, highest(other)) == 0 and highest(other) > table.best:
            return lowest(legal)
        if sure:
            return lowest(run_of(beating, top, unseen))
    elif sure and needed(table, seat) <= 1:
        return top
    if table.best % 13 >= JACK and covers(table, seat, dummy):
        return lowest(beating)
    return lowest(legal)


@jit
def covers(table, seat, dummy):
    """Whether to cover the honour that was led: not one of a sequence in dummy."""
    led_by_dummy = table.leader == table.dummy_seat
    return not (led_by_dummy and dummy >> table.best - 1 & 1)


@jit
def throw(table, hand, mate, dummy, unseen, legal):
    """A card that does not win: the lowest of the suit led, else the one that is missed least."""
    if legal & cards_of(table.lead):
        return lowest(legal)
    choice, least = lowest(legal), 1000
    for suit in range(4):
        cards = legal & cards_of(suit)
        if cards and suit != table.trump:
            value = worth_keeping(hand, mate, dummy, unseen, suit)
            if value < least:
                choice, least = lowest(cards), value
    return choice


@jit
def worth_keeping(hand, mate, dummy, unseen, suit):
    """How much the lowest card of a suit is missed: a winner, or the guard of an honour."""
    cards = hand & cards_of(suit)
    count, card = popcount(cards), lowest(cards)
    others = (unseen | dummy) & cards_of(suit)
    value = card % 13 - count
    if others == 0 or above(others, card) == 0:
        return value + 40 if others or not mate else value + 30
    losers = popcount(above(others, top_of(cards)))
    if 0 < losers < 3 and count <= losers + 1:
        value += 20
    if popcount(dummy & cards_of(suit)) >= count >= 3:
        value += 8
    return value
