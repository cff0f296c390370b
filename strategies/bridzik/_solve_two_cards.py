"""The two-card round by counterfactual regret, and how much a best response gains on what comes out.

External sampling as in Lanctot et al., "Monte Carlo Sampling for Regret Minimization in Extensive Games"
(2009), with linear weights (Brown and Sandholm 2019): whose turn it is tries every bid and both cards, all
others draw theirs from the strategy so far. The result is the average strategy. With four players nothing
guarantees that it is an equilibrium, so ``best_response`` measures.
"""

import numpy as np

from bridzik_sim import streams
from bridzik_sim.games.bridzik.rules import BONUS, RANKS, SEATS, beats, forbidden_bid
from bridzik_sim.jit import jit
from strategies.bridzik._two_cards import (
    BIDS,
    EITHER,
    HANDS,
    NODES,
    PLAYS,
    SIZE,
    choice,
    hand_number,
    in_order,
    play_number,
)

CARDS = SEATS * RANKS
FINER = RANKS * SEATS  # information sets of the response for each of the strategy
# Points by which an answer must be ahead, in sum, before a response prefers it to that of the strategy.
DOUBT = 20.0
# Purposes of streams: learning, and after it three for the response of each position.
FOR_LEARNING = 0
# Of a round: two cards by position, which of them is played first, bids. Of the first trick: how far it is.
ROUND = np.dtype(
    [("cards", "int64", (SEATS, SIZE)), ("deck", "int64", (CARDS,)), ("stream", "uint64", (4,))]
    + [(name, "int64", (SEATS,)) for name in ("chosen", "bids")]
    + [(name, "int64") for name in ("all_bids", "leader", "place", "best", "best_place", "lead", "hearts")]
)


def new_round(seed, purpose):
    """An empty round with a stream of its own by seed and purpose: record array of length 1."""
    made = np.zeros(1, ROUND)
    made["deck"] = np.arange(CARDS)
    streams.philox(seed, purpose, 0, made["stream"][0])
    return made


@jit
def deal(now):
    """Deal two cards to each position."""
    for seat in range(SEATS):
        for k in range(SIZE):
            at = SIZE * seat + k
            other = at + streams.below(now, CARDS - at)
            now.deck[at], now.deck[other] = now.deck[other], now.deck[at]
        first, second = in_order(now.deck[SIZE * seat], now.deck[SIZE * seat + 1])
        now.cards[seat, 0], now.cards[seat, 1] = first, second


@jit
def forbidden_to(now, seat):
    """The bid that ``seat`` may not make after those before it, -1 if there is none."""
    total = 0
    for other in range(seat):
        total += now.bids[other]
    return forbidden_bid(SIZE, seat, total)


@jit
def bid_number(now, seat, node):
    """Information set of ``seat`` that bids at ``node``."""
    return node * HANDS + hand_number(now.cards[seat, 0], now.cards[seat, 1])


@jit
def bid_on(now, position, stop, node, bid_policy, bid_sum, weight, explore):
    """Let positions ``position`` to ``stop`` - 1 draw their bids from ``node`` on; returns the node after.

    Adds ``weight`` times the strategy to ``bid_sum``; with chance ``explore`` a bid is drawn evenly.
    """
    for seat in range(position, stop):
        forbidden = forbidden_to(now, seat)
        row = bid_number(now, seat, node)
        if explore > 0 and streams.uniform(now) < explore:
            bid = streams.below(now, BIDS)
            while bid == forbidden:
                bid = streams.below(now, BIDS)
        else:
            draw, bid = streams.uniform(now), 0
            while bid < SIZE and draw >= bid_policy[row, bid]:
                draw -= bid_policy[row, bid]
                bid += 1
            if bid == forbidden:  # by rounding
                bid -= 1
        if weight > 0:
            for b in range(BIDS):
                bid_sum[row, b] += weight * bid_policy[row, b]
        now.bids[seat] = bid
        node = BIDS * node + 1 + bid
    return node


@jit
def start_play(now):
    """Find the leader once all have bid."""
    now.all_bids, now.leader = 0, 0
    for seat in range(SEATS):
        now.all_bids = BIDS * now.all_bids + now.bids[seat]
        if now.bids[seat] > now.bids[now.leader]:
            now.leader = seat
    now.place, now.best, now.best_place, now.lead, now.hearts = 0, -1, 0, -1, 0


@jit
def number(now, seat):
    """Information set of ``seat``, whose turn it is."""
    first, second = now.cards[seat, 0], now.cards[seat, 1]
    return play_number(now.all_bids, now.place, now.best_place, first, second, now.lead, now.best)


@jit
def fine_number(now, seat):
    """A finer information set: it tells rank of the best card and number of hearts played, too."""
    return (number(now, seat) * RANKS + max(now.best, 0) % RANKS) * SEATS + now.hearts


@jit
def lay(now, seat, which):
    """Play the first (0) or second (1) card to the first trick."""
    card = now.cards[seat, which]
    now.chosen[seat] = which
    if beats(card, now.best):
        now.best, now.best_place = card, now.place
    if now.place == 0:
        now.lead = card // RANKS
    now.hearts += card < RANKS
    now.place += 1


@jit
def play_on(now, stop, play_policy, play_sum, weight, explore):
    """Play the first trick on, until ``stop`` has a choice (True) or it is over (False)."""
    while now.place < SEATS:
        seat = (now.leader + now.place) % SEATS
        which = choice(now.cards[seat, 0], now.cards[seat, 1], now.lead)
        if which == EITHER:
            if seat == stop:
                return True
            row = number(now, seat)
            second = play_policy[row]
            if weight > 0:
                play_sum[row, 0] += weight * (1 - second)
                play_sum[row, 1] += weight * second
            if explore > 0 and streams.uniform(now) < explore:
                second = 0.5
            which = 1 if streams.uniform(now) < second else 0
        lay(now, seat, which)
    return False


@jit
def points(now, me):
    """Points of ``me`` after the first trick: the second is forced."""
    first_winner = (now.leader + now.best_place) % SEATS
    best, winner = -1, first_winner
    for place in range(SEATS):
        seat = (first_winner + place) % SEATS
        card = now.cards[seat, 1 - now.chosen[seat]]
        if beats(card, best):
            best, winner = card, seat
    taken = (first_winner == me) + (winner == me)
    return BONUS + now.bids[me] if taken == now.bids[me] else 0


@jit
def both_ways(now, me, play_policy, play_sum, weight, explore):
    """Points of ``me`` after its first and after its second card, each with fresh answers of the others."""
    place, best, best_place, lead, hearts = now.place, now.best, now.best_place, now.lead, now.hearts
    lay(now, me, 0)
    play_on(now, -1, play_policy, play_sum, weight, explore)
    first = points(now, me)
    now.place, now.best, now.best_place, now.lead, now.hearts = place, best, best_place, lead, hearts
    lay(now, me, 1)
    play_on(now, -1, play_policy, play_sum, weight, explore)
    return first, points(now, me)


@jit
def match_regret(regret, row, policy):
    """Set the bids' policy of a row in proportion to the positive regrets, if there are any."""
    total = 0.0
    for b in range(BIDS):
        total += max(regret[row, b], 0.0)
    if total > 0:
        for b in range(BIDS):
            policy[row, b] = max(regret[row, b], 0.0) / total


@jit
def learn(now, rounds, explore, policies, sums, regrets, learned):
    """Play ``rounds`` rounds, in each of which every position in turn learns from a deal of its own.

    All but numbers are pairs of arrays by information set, for bids and for cards; ``learned`` counts.
    """
    bid_policy, play_policy = policies
    bid_sum, play_sum = sums
    bid_regret, play_regret = regrets
    worth = np.zeros(BIDS)
    for t in range(1, rounds + 1):
        weight = t / rounds
        for me in range(SEATS):
            deal(now)
            node = bid_on(now, 0, me, 0, bid_policy, bid_sum, weight, explore)
            row = bid_number(now, me, node)
            forbidden, mean = forbidden_to(now, me), 0.0
            for bid in range(BIDS):
                if bid == forbidden:
                    continue
                now.bids[me] = bid
                bid_on(now, me + 1, SEATS, BIDS * node + 1 + bid, bid_policy, bid_sum, weight, explore)
                start_play(now)
                if play_on(now, me, play_policy, play_sum, weight, explore):
                    at = number(now, me)
                    learned[1][at] += 1
                    first, second = both_ways(now, me, play_policy, play_sum, weight, explore)
                    worth[bid] = first + play_policy[at] * (second - first)
                    play_regret[at, 0] += weight * (first - worth[bid])
                    play_regret[at, 1] += weight * (second - worth[bid])
                    one, two = max(play_regret[at, 0], 0.0), max(play_regret[at, 1], 0.0)
                    if one + two > 0:
                        play_policy[at] = two / (one + two)
                else:
                    worth[bid] = points(now, me)
                mean += bid_policy[row, bid] * worth[bid]
            for bid in range(BIDS):
                if bid != forbidden:
                    bid_regret[row, bid] += weight * (worth[bid] - mean)
            learned[0][row] += 1
            match_regret(bid_regret, row, bid_policy)


def even_policies():
    """Policies that answer evenly: of bids, float64[6240, 3], and of the second card, float64[PLAYS]."""
    bids = np.full((NODES, HANDS, BIDS), 1 / BIDS)
    for node in range(NODES - BIDS ** (SEATS - 1), NODES):
        before = node - (NODES - BIDS ** (SEATS - 1))
        forbidden = forbidden_bid(SIZE, SEATS - 1, sum(before // BIDS**k % BIDS for k in range(SEATS - 1)))
        if forbidden >= 0:
            bids[node] = 1 / SIZE
            bids[node, :, forbidden] = 0
    return bids.reshape(-1, BIDS), np.full(PLAYS, 0.5)


def solve(seed, rounds, explore):
    """Learn for ``rounds``: the sums of the strategies and how often each information set was learned.

    ``(bids, cards), (bids, cards)``: float64[6240, 3], float64[PLAYS, 2], then int64[6240], int64[PLAYS].
    """
    policies = even_policies()
    shapes = (NODES * HANDS, BIDS), (PLAYS, 2)
    sums, regrets = ((np.zeros(shapes[0]), np.zeros(shapes[1])) for _ in range(2))
    learned = np.zeros(shapes[0][0], np.int64), np.zeros(PLAYS, np.int64)
    learn(new_round(seed, FOR_LEARNING)[0], rounds, explore, policies, sums, regrets, learned)
    return sums, learned


@jit
def learn_cards(now, rounds, me, bid_policy, play_policy, worth):
    """Add up what either card is worth to ``me`` at each of its choices, all its bids being tried evenly."""
    none = np.zeros((0, 2))
    for _ in range(rounds):
        deal(now)
        node = bid_on(now, 0, me, 0, bid_policy, none, 0.0, 0.0)
        node = bid_on(now, me, me + 1, node, bid_policy, none, 0.0, 1.0)
        bid_on(now, me + 1, SEATS, node, bid_policy, none, 0.0, 0.0)
        start_play(now)
        if play_on(now, me, play_policy, none, 0.0, 0.0):
            at = fine_number(now, me)
            first, second = both_ways(now, me, play_policy, none, 0.0, 0.0)
            worth[at, 0] += first
            worth[at, 1] += second


@jit
def respond(now, me, node, bid, bid_policy, play_policy, worth):
    """Points of ``me`` with a bid and the cards that are worth more, the others keeping to their policies."""
    none = np.zeros((0, 2))
    now.bids[me] = bid
    bid_on(now, me + 1, SEATS, BIDS * node + 1 + bid, bid_policy, none, 0.0, 0.0)
    start_play(now)
    if play_on(now, me, play_policy, none, 0.0, 0.0):
        at = fine_number(now, me)
        lay(now, me, 1 if worth[at, 1] > worth[at, 0] else 0)
        play_on(now, -1, play_policy, none, 0.0, 0.0)
    return points(now, me)


@jit
def learn_bids(now, rounds, me, bid_policy, play_policy, worth, bid_worth):
    """Add up what every bid is worth to ``me`` when it then plays the cards that are worth more."""
    none = np.zeros((0, 2))
    for _ in range(rounds):
        deal(now)
        node = bid_on(now, 0, me, 0, bid_policy, none, 0.0, 0.0)
        row, forbidden = bid_number(now, me, node), forbidden_to(now, me)
        for bid in range(BIDS):
            if bid != forbidden:
                bid_worth[row, bid] += respond(now, me, node, bid, bid_policy, play_policy, worth)


@jit
def compare(now, rounds, me, bid_policy, play_policy, worth, bid_worth):
    """On fresh deals: sums for ``me`` of its points, their squares, exact bids, the gain and its squares."""
    none, sums = np.zeros((0, 2)), np.zeros(5)
    for _ in range(rounds):
        deal(now)
        node = bid_on(now, 0, me, 0, bid_policy, none, 0.0, 0.0)
        bid_on(now, me, SEATS, node, bid_policy, none, 0.0, 0.0)
        start_play(now)
        play_on(now, -1, play_policy, none, 0.0, 0.0)
        own = points(now, me)
        row = bid_number(now, me, node)
        best = np.argmax(bid_worth[row])
        gain = respond(now, me, node, best, bid_policy, play_policy, worth) - own
        sums += np.array([own, own * own, own > 0, gain, gain * gain])
    return sums


def best_response(seed, rounds, me, bid_policy, play_policy):
    """Learn an answer of position ``me`` on two sets of deals and try it on a third, ``rounds`` each.

    Returns mean points, their standard error, share of exact bids, mean gain and its standard error. As the
    response is learned, the gain is a lower bound of a best response's, but for that error.
    """
    bid_worth = DOUBT * (bid_policy - 1)
    worth = DOUBT * np.repeat(np.column_stack([1 - play_policy, play_policy]), FINER, axis=0)
    rounds_of = [new_round(seed, FOR_LEARNING + 1 + 3 * me + k)[0] for k in range(3)]
    learn_cards(rounds_of[0], rounds, me, bid_policy, play_policy, worth)
    learn_bids(rounds_of[1], rounds, me, bid_policy, play_policy, worth, bid_worth)
    sums = compare(rounds_of[2], rounds, me, bid_policy, play_policy, worth, bid_worth) / rounds
    errors = [((sums[k + 1] - sums[k] ** 2) / rounds) ** 0.5 for k in (0, 3)]
    return sums[0], errors[0], sums[2], sums[3], errors[1]
