"""Cheats: sees all hands and searches for ways to make a high bid; not for competition, but a mark.

It takes every other seat for one of the strategies it knows, the one whose bids were most like those seen in
the game so far, and expects it to answer otherwise as often as those bids did. So there are several worlds:
in the first nobody ever answers otherwise, in each further one now and then somebody does. In every world it
looks, depth first, for cards of its own with which the bid is made, and takes the bid with the most points
over the worlds, or the card after which the bid is made in most of them. Of equal ones it takes the higher
bid, or the card that the fast policy would play.
"""

import numpy as np

from bridzik_sim.cards import highest, lowest, nth, popcount
from bridzik_sim.games.bridzik.playout import POSITION, apply, set_deal, set_public, show
from bridzik_sim.games.bridzik.rules import BONUS, MAX_SIZE, SEATS, VIEW
from bridzik_sim.jit import jit
from strategies.bridzik import heuristic, table
from strategies.bridzik._fast import different, policy_answer

CHEATS = True

# Cards of its own that are tried in one search, and how many worlds there are.
PARAMS = {"nodes": 200, "worlds": 8}
RANGES = {"nodes": (1, 1_000_000), "worlds": (1, 1000)}

heuristic_bid, heuristic_play = jit(heuristic.bid), jit(heuristic.play)
table_bid, table_play = jit(table.bid), jit(table.play)
HEURISTIC, TABLE, MODELS = 0, 1, 2
# In view.game_memory: by seat and model the bids that were not as expected; how many bids have been compared.
WRONG, DEALS = 0, MODELS * SEATS
# In view.memory: whether those of this deal have been.
COMPARED = 0
# A stranger answers otherwise about once in so many answers, until it has shown how often.
TRUST = 40

# What the others are: by seat the model, and how often in 1024 it answers otherwise.
MINDS = np.dtype([("model", "int64", (SEATS,)), ("otherwise", "int64", (SEATS,)), ("world", "int64")])

# Places in an array of positions; from FIRST on those of the search by own cards played.
NOW, FIRST = 0, 1


def bid(view):
    """The bid with the most points over the worlds."""
    positions, views, minds = room(view)
    choice, best, rest = policy_answer(positions[NOW], views[0], view.seat), 0, view.legal
    while rest != 0:
        number = highest(rest)
        rest ^= 1 << number
        if (BONUS + number) * np.int64(view.params[1]) > best:
            points = (BONUS + number) * made(positions, views, minds, view, number)
            if points > best:
                choice, best = number, points
    return choice


def play(view):
    """The card after which the bid is made in most worlds."""
    positions, views, minds = room(view)
    if view.memory[COMPARED] == 0:
        compare(positions[FIRST], views[0], view)
        view.memory[COMPARED] = 1
    if view.legal & (view.legal - 1) == 0:
        return lowest(view.legal)
    choice = policy_answer(positions[NOW], views[0], view.seat)
    show(positions[NOW], views[0])
    rest = different(views[0], choice)
    best = made(positions, views, minds, view, choice)
    rest &= ~(1 << choice)
    while rest != 0 and best < view.params[1]:
        card = highest(rest)
        rest ^= 1 << card
        worlds = made(positions, views, minds, view, card)
        if worlds > best:
            choice, best = card, worlds
    return choice


@jit
def room(view):
    """Positions, the first of them the view's with all hands; a view to show in; what the others are."""
    positions, views = np.zeros(FIRST + MAX_SIZE + 2, POSITION), np.zeros(1, VIEW)
    minds = np.zeros(1, MINDS)
    position, mind = positions[NOW], minds[0]
    set_public(position, view)
    seen = view.game_memory[DEALS]
    for seat in range(SEATS):
        position.hands[seat] = view.dealt[seat] & ~view.played
        for model in range(MODELS):
            if view.game_memory[place(seat, model)] < view.game_memory[place(seat, mind.model[seat])]:
                mind.model[seat] = model
        wrong = view.game_memory[place(seat, mind.model[seat])]
        mind.otherwise[seat] = np.int64(1024 * (wrong + 0.1) / (seen + 0.1 * TRUST))
    return positions, views, minds


@jit
def place(seat, model):
    """Where the wrong guesses of a seat's bids are counted."""
    return WRONG + MODELS * seat + model


@jit
def compare(position, shown, view):
    """Count for every other seat the models that would not have bid what it did."""
    set_deal(position, view.deal, view.size, view.starter)
    for seat in range(SEATS):
        position.hands[seat], position.scores[seat] = view.dealt[seat], view.scores[seat]
    while position.bidders < SEATS:
        seat = position.turn
        for model in range(MODELS if seat != view.seat else 0):
            view.game_memory[place(seat, model)] += answer_as(model, position, shown) != view.bids[seat]
        apply(position, view.bids[seat])
    view.game_memory[DEALS] += 1


@jit
def answer_as(model, position, view):
    """What a strategy of that kind answers at ``position``."""
    show(position, view)
    legal = view.legal
    if legal & (legal - 1) == 0:
        return lowest(legal)
    if position.bidders < SEATS:
        answer = table_bid(view) if model == TABLE else heuristic_bid(view)
    else:
        answer = table_play(view) if model == TABLE else heuristic_play(view)
    return answer if answer >= 0 and legal >> answer & 1 else lowest(legal)


@jit
def answer_in(mind, position, view):
    """What the seat to decide answers in a world: its model's answer, or another by chance."""
    seat = position.turn
    if mind.world > 0:
        mixed = mix(mix(mix(mind.world, position.played), position.bid_sum), seat)
        if mixed & 1023 < mind.otherwise[seat]:
            show(position, view)
            return nth(view.legal, (mixed >> 10) % popcount(view.legal))
    return answer_as(mind.model[seat], position, view)


@jit
def mix(digest, number):
    """A number of 31 bits that looks random."""
    digest = (digest ^ number) * 0x45D9F3B & 0x7FFFFFFF
    return (digest ^ digest >> 15) * 0x2C1B3C6D >> 7 & 0x7FFFFFFF


@jit
def made(positions, views, minds, view, answer):
    """Number of worlds in which the bid can be made after ``answer``, as far as was found."""
    count = 0
    for world in range(np.int64(view.params[1])):
        minds[0].world = world
        positions[FIRST] = positions[NOW]
        apply(positions[FIRST], answer)
        count += find(positions, views[0], minds[0], view.seat, np.int64(view.params[0]))
    return count


@jit
def find(positions, view, mind, seat, nodes):
    """Whether a way to make the bid from the position at FIRST was found."""
    untried, wished = np.zeros(MAX_SIZE + 1, np.int64), np.zeros(MAX_SIZE + 1, np.int64)
    if not goes_on(positions[FIRST], view, mind, seat):
        return False
    if positions[FIRST].turn < 0:
        return True
    open_choice(positions[FIRST], view, untried, wished, 0)
    depth = 0
    while depth >= 0 and nodes > 0:
        if untried[depth] == 0:
            depth -= 1
            continue
        nodes -= 1
        card = wished[depth] if untried[depth] >> wished[depth] & 1 else highest(untried[depth])
        untried[depth] ^= 1 << card
        positions[FIRST + depth + 1] = positions[FIRST + depth]
        position = positions[FIRST + depth + 1]
        apply(position, card)
        if goes_on(position, view, mind, seat):
            if position.turn < 0:
                return True
            depth += 1
            open_choice(position, view, untried, wished, depth)
    return False


@jit
def open_choice(position, view, untried, wished, depth):
    """Note the cards to try at ``depth``, and the policy's, which comes first."""
    wished[depth] = policy_answer(position, view, position.turn)
    show(position, view)
    untried[depth] = different(view, wished[depth])


@jit
def goes_on(position, view, mind, seat):
    """Let the others answer until ``seat`` is to play; whether its bid is within reach, or made."""
    while position.turn >= 0 and (position.turn != seat or position.bidders < SEATS):
        apply(position, answer_in(mind, position, view))
        if position.bidders == SEATS and not within_reach(position, seat):
            return False
    return within_reach(position, seat)


@jit
def within_reach(position, seat):
    """Whether the tricks that ``seat`` still needs are not more than are left, nor below 0."""
    need, left = position.bids[seat] - position.taken[seat], position.size
    for other in range(SEATS):
        left -= position.taken[other]
    return 0 <= need <= left
