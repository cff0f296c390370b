"""The bidding system once partner has acted: raises, no trump, new suits, and what opens in no trump."""

from bridzik_sim.games.bridge.rules import partner_of, side_of
from bridzik_sim.games.contract import NO_TRUMP, level, strain
from bridzik_sim.jit import jit
from strategies.bridge._levels import (
    ALL_SUITS,
    ANSWER_TO_STRONG,
    ASKING,
    CLUBS,
    DIAMONDS,
    DOUBLED_FIRST,
    FIT,
    FIT_GAME,
    GAME,
    HEARTS,
    NEW_MAJOR,
    NEW_SUIT,
    NEW_SUIT_WORTH,
    OPENING,
    OWN_MAJOR,
    OWN_MINOR,
    PLAIN,
    PLAIN_WORTH,
    RAISED_MINOR,
    SLAM,
    SPADES,
    STRONG,
    STRONG_CLUBS,
    SUIT_WORTH,
    goal,
    next_worth,
    set_meaning,
    worth,
)
from strategies.bridge._reading import (
    A_MAJOR,
    BALANCED_STOPPERS,
    HIGH_CARDS,
    MOST_POINTS,
    POINTS,
    STOPPERS,
    cheapest,
    is_ours,
    named_by_them,
)


@jit
def set_answer(call, meaning):
    """The answer to two or three clubs that ask for majors."""
    suit = strain(call)
    set_meaning(meaning, 0, MOST_POINTS, POINTS, 70 - suit, suit)
    if suit == DIAMONDS:
        meaning.most[HEARTS] = meaning.most[SPADES] = 3
        meaning.strain = -1
    elif suit in (HEARTS, SPADES):
        meaning.least[suit] = 4
    else:
        meaning.means = 0
    meaning.means = meaning.means and level(call) <= 3


@jit
def set_no_trump(table, reading, seat, height, meaning):
    """No trump, once partner has acted."""
    partner = partner_of(seat)
    shown = reading.low[partner]
    low, high = worth(height, NO_TRUMP) - shown, next_worth(table, seat, height, NO_TRUMP) - 1 - shown
    jump = height - cheapest(reading, NO_TRUMP)
    game = height >= goal(table, seat, NO_TRUMP)
    if shown >= STRONG and reading.acted[seat] == 0:
        low = ANSWER_TO_STRONG
    elif reading.forced == seat and jump == 0 and not game:
        low = min(low, 7)
    rank = SLAM - 2 if height >= 6 else GAME - 1 if game else PLAIN
    set_meaning(meaning, low, high, HIGH_CARDS, rank, NO_TRUMP)
    once = height <= 2 and reading.acted[seat] > 0 and not reading.balanced[seat]
    meaning.test = BALANCED_STOPPERS if once else STOPPERS
    meaning.means = height != 4 and height != 5


@jit
def set_suit(table, reading, seat, call, meaning):
    """A suit, once partner has acted."""
    height, suit, partner = level(call), strain(call), partner_of(seat)
    if reading.balanced[partner] and reading.acted[partner] == 1 and reading.acted[seat] == 0:
        set_over_no_trump(table, reading, seat, call, meaning)
    elif call == 7 and reading.lately[partner] == STRONG_CLUBS and reading.low[partner] >= STRONG:
        set_meaning(meaning, 0, 7, POINTS, 40, -1)
    elif named_by_them(reading, seat) >> suit & 1:
        meaning.means = 0
    elif reading.least[partner, suit] >= 3:
        set_raise(table, reading, seat, height, suit, meaning)
    elif reading.named[seat] >> suit & 1:
        set_rebid(table, reading, seat, height, suit, meaning)
    else:
        set_new_suit(reading, seat, height, suit, meaning)


@jit
def set_over_no_trump(table, reading, seat, call, meaning):
    """A suit over partner's opening or overcall of no trump: clubs ask, the others are weak, jumps strong."""
    height, suit, shown = level(call), strain(call), reading.low[partner_of(seat)]
    jump = height - cheapest(reading, suit)
    game = PLAIN_WORTH[3] - shown
    if height >= 4:
        low, high = worth(height, suit) - shown, next_worth(table, seat, height, suit) - shown - 1
        set_meaning(meaning, low, high, POINTS, FIT_GAME if suit >= HEARTS else 40, suit)
        meaning.least[suit] = 6
        meaning.means = jump > 0 or height < 6
    elif suit == CLUBS and jump == 0:
        set_meaning(meaning, game - 2, MOST_POINTS, POINTS, ASKING, -1)
        meaning.forcing, meaning.test = 1, A_MAJOR
    elif jump == 0 and height == 2:
        set_meaning(meaning, 0, game - 3, POINTS, NEW_SUIT, suit)
        meaning.least[suit] = 5
    else:
        set_meaning(meaning, game, MOST_POINTS, POINTS, NEW_MAJOR if suit >= HEARTS else 50, suit)
        meaning.least[suit], meaning.forcing = 5 if suit >= HEARTS else 6, 1


@jit
def set_raise(table, reading, seat, height, suit, meaning):
    """Partner's suit: the two hands are worth this level."""
    partner = partner_of(seat)
    shown, known = reading.low[partner], reading.least[partner, suit]
    low, high = worth(height, suit) - shown, next_worth(table, seat, height, suit) - shown - 1
    jump, game = height - cheapest(reading, suit), height >= goal(table, seat, suit)
    ours, theirs = table.vulnerable[side_of(seat)], table.vulnerable[1 - side_of(seat)]
    if jump == 0 and reading.forced == seat and not game:
        low = 0
    elif jump == 0 and not is_ours(reading, seat):
        # In competition with less, and over their game too where going down is cheap.
        low -= (4 if theirs > ours else 0) if game else 3 - ours
    rank = SLAM if height >= 6 else FIT_GAME if game else FIT
    if suit < HEARTS and height < 6:
        rank = RAISED_MINOR
    set_meaning(meaning, low, high, suit, rank, suit)
    preference = jump == 0 and reading.acted[seat] > 0 and reading.least[seat, suit] == 0
    meaning.least[suit] = max(8 - known - int(preference and known >= 5), 2)
    if known == 3:
        meaning.least[suit] = 5 if reading.named[partner] >> suit & 1 else 4


@jit
def set_rebid(table, reading, seat, height, suit, meaning):
    """The own suit again: six cards."""
    shown = reading.low[partner_of(seat)]
    low, high = worth(height, suit) - shown, next_worth(table, seat, height, suit) - shown - 1
    game = height >= goal(table, seat, suit)
    if height == cheapest(reading, suit) and not game:
        low = 0
    rank = SLAM - 1 if height >= 6 else OWN_MAJOR + (8 if game else 0) if suit >= HEARTS else OWN_MINOR
    set_meaning(meaning, low, high, POINTS, rank, suit)
    more = reading.least[seat, suit] >= 6 and reading.forced != seat
    meaning.least[suit] = max(6, reading.least[seat, suit] + int(more))


@jit
def doubled_first(reading, seat):
    """Whether a seat has doubled for takeout and not offered a strain yet."""
    return reading.acted[seat] > 0 and reading.named[seat] == 0 and reading.low[seat] < STRONG


@jit
def set_new_suit(reading, seat, height, suit, meaning):
    """A suit that our side has not named."""
    shown, own = reading.low[partner_of(seat)], reading.named[seat] & ALL_SUITS
    jump = height - cheapest(reading, suit)
    rank = NEW_MAJOR if height == 1 and suit >= HEARTS else NEW_SUIT
    together = NEW_SUIT_WORTH[min(height, 3)]
    if doubled_first(reading, seat):
        set_meaning(meaning, DOUBLED_FIRST, MOST_POINTS, POINTS, rank, suit)
        meaning.least[suit] = 5
    elif reading.acted[seat] == 0:
        low = ANSWER_TO_STRONG if shown >= STRONG else together - shown
        set_meaning(meaning, low, MOST_POINTS, POINTS, rank, suit)
        long = height == 3 or (height == 2 and suit >= HEARTS) or shown < OPENING
        meaning.least[suit], meaning.forcing = 5 if long else 4, 1
    elif reading.low[seat] < shown:
        # Who has answered before shows a second suit only with more.
        set_meaning(meaning, max(together, 22) - shown, MOST_POINTS, POINTS, rank, suit)
        meaning.least[suit], meaning.forcing = 4, 1
    else:
        reverse = height == 2 and own != 0 and own >> suit == 0
        strong = reverse or jump == 1 or height == 3
        low = (SUIT_WORTH[4] if jump == 1 else 23 if strong else 18) - shown
        set_meaning(meaning, low, MOST_POINTS if strong else 18, POINTS, rank, suit)
        meaning.least[suit], meaning.forcing = 4, int(strong or reading.low[seat] >= STRONG)
    meaning.means = height <= 3 and (jump == 0 or (jump == 1 and reading.acted[seat] > 0))
