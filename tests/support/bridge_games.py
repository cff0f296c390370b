"""Games of bridge by the kernel and by the reference engine, compared."""

import kernel_checks
import numpy as np
from contract_tallies import rows_of

from bridzik_sim.cards import highest, lowest, popcount
from bridzik_sim.games.bridge import kernel, playout
from bridzik_sim.games.bridge.rules import GAME
from bridzik_sim.games.contract import DOUBLE, PASS
from bridzik_sim.games.plain_contract import CARD_NAMES, Auction, strain_of
from bridzik_sim.jit import jit
from bridzik_sim.streams import below, choose

# The third strategy always passes and plays low cards, the last one doubles or bids 7NT and plays high ones.
RUBBERS = np.array([[0, 1, 0, 1], [0, 2, 1, 2], [1, 3, 0, 2], [3, 2, 3, 2], [2, 2, 2, 2]])
BOARDS = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [2, 3, 2, 3], [3, 2, 3, 2], [1, 2, 1, 2], [2, 1, 2, 1]])


def game_of(options, command="compare"):
    """The game with its measure and counts: IMPs in duplicate, where entrants are compared."""
    return GAME.played(options, command)


HIGH_CARDS = 0b1111 << 9 | 0b1111 << 22 | 0b1111 << 35 | 0b1111 << 48
SLAMS = 0b11111 << 26


@jit
def pick(view):
    """Calls that follow the cards a little, so that contracts are made, too; high cards most of the time."""
    if view.declarer >= 0:
        return highest(view.legal) if below(view, 8) else choose(view)
    held, kind = popcount(view.hand & HIGH_CARDS), below(view, 64)
    doubles, slams = view.legal >> DOUBLE, view.legal & SLAMS
    if kind == 0:
        return choose(view)
    if doubles and kind < 4 * held:
        return DOUBLE + highest(doubles)
    if held < 5 or kind < 8 or view.contract > 9:
        return PASS
    return lowest(slams) if held > 7 and slams else lowest(view.legal & ~1)


def chunk_of(functions, first, stop, seatings, options, forfeit=False, rows=400, command="compare"):
    """Units to be played by the kernel, with room for ``rows`` a game."""
    room, game = (stop - first) * len(seatings) * rows, game_of(options, command)
    return kernel_checks.chunk_of(game, functions, first, stop, seatings, options, room, forfeit)


def play_by_reference(functions, unit, seatings, seating, options, **more):
    """The record of a game and the players' hashes."""
    how = options | more
    record, players = kernel_checks.play_by_reference(
        GAME, functions, seatings[seating], unit, seating, **how
    )
    assert record.decisions == sum(player.asked for player in players)
    return record, [player.hash for player in players]


def compare(functions, hashes, unit, seatings, options):
    """Play a unit in all seatings by both; returns (unit, seating, record) of each game and the kernel's counts."""
    games, rows = [], []
    for seating, entrants in enumerate(seatings):
        record, expected = play_by_reference(functions, unit, seatings, seating, options)
        games.append((unit, seating, record))
        rows += rows_of(record, entrants, unit, seating)
        up_to_here = chunk_of(functions, unit, unit + 1, seatings[: seating + 1], options, command="simulate")
        kernel.play_chunk(up_to_here)
        assert hashes(4) == expected, (unit, seating, options)
    chunk = chunk_of(functions, unit, unit + 1, seatings, options)
    kernel.play_chunk(chunk)
    filled = chunk.rows[chunk.rows[:, 0] >= 0]
    assert list(map(tuple, filled.tolist())) == rows, (unit, options)
    return games, chunk.counts


def events_of(record, honours):
    """What happened in a game that happens rarely."""
    below = [0, 0]
    yield ("two to none", "two to one", "unfinished", "board")[record.ending]
    yield "tied" if len(record.winners) == 4 else "won"
    if record.ending == 2:
        games, open_parts = record.deals[-1].games, record.deals[-1].below
        yield f"unfinished, games {min(games)}:{max(games)}"
        if any(open_parts) and not all(open_parts):
            yield "unfinished, one part-score"
        if sorted(map(bool, games)) == sorted(map(bool, open_parts)) == [False, True]:
            yield "unfinished, " + (
                "both to one" if games.index(1) == open_parts.index(max(open_parts)) else "one each"
            )
    for deal in record.deals:
        yield from deal_events(deal, below)
        if honours and deal.contract:
            yield from honour_events(deal)
        below = deal.below


def deal_events(deal, below):
    """What happened in a deal; ``below``: the open part-scores before it."""
    if deal.contract == 0:
        yield "passed out"
        return
    side, level = deal.declarer % 2, (deal.contract + 4) // 5
    made = "made" if deal.declarer_tricks >= 6 + level else "down"
    vulnerable = " vulnerable" if deal.vulnerable >> side & 1 else ""
    yield f"{made}{('', ' doubled', ' redoubled')[deal.doubled]}{vulnerable}"
    if made == "made" and level > 5:
        yield ("small slam", "grand slam")[level - 6]
    if made == "made" and deal.declarer_tricks > 6 + level:
        yield "overtricks"
    if not deal.board and made == "made" and deal.below == [0, 0]:
        yield "game of several deals" if below[side] else "game in one deal"
        if below[1 - side]:
            yield "part-score struck"
    if first_of(deal) != bidder_of(deal):
        yield "the last bidder was not the first to name the strain"
    if deal.declarer != first_of(deal):
        yield "the last bidder declares"


def honour_events(deal):
    suit = strain_of(deal.contract)
    for hand in deal.hands:
        names = {CARD_NAMES[card] for card in hand}
        held = sum(f"{suit}{rank}" in names for rank in "AKQJT")
        if held > 3:
            yield f"{held} honours"
        if suit == "NT" and names >= {"CA", "DA", "HA", "SA"}:
            yield "four aces"


def auction_of(deal):
    auction = Auction(4, deal.dealer)
    for call in deal.calls:
        auction.make(call)
    return auction


def bidder_of(deal):
    return auction_of(deal).bidder


def first_of(deal):
    return auction_of(deal).first_to_name()


def opened(dealer, last_bid_declares=0):
    """A position of playouts before the first call."""
    position = np.zeros(1, playout.POSITION).view(np.recarray)[0]
    position.last_bid_declares = last_bid_declares
    playout.open_deal(position, dealer)
    return position
