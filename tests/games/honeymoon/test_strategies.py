"""The built-in strategies: what they do in positions set up by hand, what perfect guarantees, how they fare."""

import collections

import numpy as np
import pytest
from built_in import compiled

from bridzik_sim import simulate
from bridzik_sim.games.contract import CALL_NAMES, legal_calls
from bridzik_sim.games.french_cards import DECK, WHOLE_DECK
from bridzik_sim.games.honeymoon import reference, solver
from bridzik_sim.games.honeymoon.rules import AUCTION, DRAWING, PLAY, VIEW
from bridzik_sim.games.plain import SeatView
from bridzik_sim.streams import choose
from bridzik_sim.tricks import follow
from strategies.honeymoon import heuristic
from strategies.honeymoon._thumb import tricks_by_thumb

USUAL = tuple(heuristic.PARAMS.values())
SUITS = {"C": 0, "D": 1, "H": 2, "S": 3}


def mask(names):
    """``SAK4 D7``: a word a suit."""
    return sum(1 << DECK.id(word[0] + rank) for word in names.split() for rank in word[1:])


def viewing(
    hand, phase, *, other="", led="", stock=0, trump="", contract="P", doubled=0, bidder=-1, calls=0,
    dealer=1, zones=(0, 0),
):  # fmt: skip
    """The view of seat 0; in the first phase all cards not in the hand are unseen, later those of ``other`` are."""
    view = SeatView(VIEW).record
    view.hand, view.phase, view.stock, view.dealer, view.deals = mask(hand), phase, stock, dealer, 16
    view.unseen = mask(other) if other else WHOLE_DECK & ~view.hand & ~mask(led)
    view.played = WHOLE_DECK & ~view.hand & ~view.unseen
    view.trick_length, view.best, view.lead = 0, -1, -1
    if led:
        view.trick_length, view.best, view.lead = 1, DECK.id(led), SUITS[led[0]]
    view.trump = SUITS.get(trump, -1)
    view.contract, view.doubled, view.bidder = CALL_NAMES.index(contract), doubled, bidder
    view.n_calls, view.vulnerable = calls, zones
    suited = (1 << 13) - 1 << 13 * view.lead if led else -1
    view.legal = follow(view.hand, suited, 0)
    if phase == AUCTION:
        view.legal = legal_calls(view.contract, doubled, int(bidder == 0))
    view.stream, view.params[: len(USUAL)] = (1, 2, 3, 4), USUAL
    return view


def call(name, *args, **more):
    return CALL_NAMES[compiled("honeymoon", name)["call"](viewing(args[0], AUCTION, other=args[1], **more))]


def card(name, *args, **more):
    return DECK.name(compiled("honeymoon", name)["play"](viewing(*args, **more)))


def thrown(hand, **more):
    return card("heuristic", hand, DRAWING, **more)


# ------------------------------------------------------------------------------------------------- random


def test_random_passes_every_other_time_and_bids_low():
    view = viewing("CAKQ", AUCTION, other="D432", contract="2H", bidder=1, calls=1)
    found = collections.Counter(
        CALL_NAMES[compiled("honeymoon", "random")["call"](view)] for _ in range(3000)
    )
    assert set(found) == {"P", "2S", "2NT", "3C", "3D", "3H", "X"}
    assert abs(found.pop("P") - 1500) < 150
    assert all(abs(count - 250) < 75 for count in found.values())
    assert call("random", "CA", "C2", contract="7NT", doubled=2, bidder=1, calls=3) == "P"


# --------------------------------------------------------------------------------------------- heuristic


def test_low_cards_go_and_the_rest_of_a_short_suit_first():
    assert thrown("CAKQJ D2 HKQJT SAKQJ", stock=4) == "D2"
    assert thrown("CAKQJ DAK H3 SAKQJT9", stock=4) == "H3"
    assert thrown("CAKQJ D65432 HAK SAK", stock=4)[0] == "D"


def test_who_follows_wins_with_a_card_of_little_worth_and_keeps_an_ace():
    assert thrown("C87 DAKQ HAKQ SAKQJT", led="C6", stock=4) in ("C7", "C8")
    assert thrown("CA2 DAKQ HAKQ SAKQJT", led="C6", stock=4) == "C2"


def test_it_bids_what_it_makes_and_no_more():
    spades, clubs = "SAKQJT98765432", "CAKQJT98765432"
    # Who has not dealt leads, and takes all tricks at no trump.
    assert call("heuristic", spades, clubs, dealer=0) == "7S"
    assert call("heuristic", spades, clubs, dealer=1, calls=1) == "7NT"
    assert call("heuristic", spades, clubs, dealer=0, contract="7S", bidder=0, doubled=1, calls=2) == "XX"
    assert call("heuristic", clubs, spades, dealer=0, contract="7S", bidder=1, calls=2) == "P"
    assert call("heuristic", spades, clubs, dealer=0, contract="7NT", bidder=1, calls=2) == "P"
    assert call("heuristic", spades, clubs, dealer=1, contract="7NT", bidder=1, calls=1) == "X"


# Seat 0 takes nine tricks with spades for trumps, and seat 1 eleven with hearts.
SPADES, HEARTS = "SAKQJT9832 H32 D3 C3", "S76 HAKQJT98 DAK CAK"


def test_a_sacrifice_depends_on_vulnerability():
    made = {"contract": "5H", "bidder": 1, "calls": 2, "dealer": 0}
    assert call("heuristic", SPADES, HEARTS, **made, zones=(0, 1)) == "5S"  # 300 for 650
    assert call("heuristic", SPADES, HEARTS, **made, zones=(1, 0)) == "P"  # 500 for 450


@pytest.mark.parametrize(
    ("own", "other", "more", "wanted"),
    [
        ("CAK S2", "C432", {"trump": ""}, "CA"),  # cashes
        ("CK2 SAK", "C43 S43", {"trump": "S"}, "SA"),  # draws trumps
        ("CK2", "CA3", {"trump": ""}, "CK"),  # leads high
        ("CQ42", "CAK", {"led": "C3"}, "C4"),  # wins cheaply
        ("CQ2", "CA4", {"led": "CK"}, "C2"),
        ("D92 S32", "CA4 D4", {"led": "CK", "trump": "S"}, "S2"),  # ruffs low
        ("D9 H2 S3", "CA4", {"led": "CK", "trump": "D"}, "D9"),
        ("D9 H2 S3", "CA4", {"led": "CK"}, "H2"),
    ],
)
def test_it_plays_by_rules_of_thumb(own, other, more, wanted):
    assert card("heuristic", own, PLAY, other=other, **more) == wanted


def test_its_tricks_are_mostly_close_to_those_of_best_play():
    random, table, errors = np.random.default_rng(3), solver.new_table(), []
    for _ in range(200):
        ids = random.permutation(52)[:26].tolist()
        one, other = (sum(1 << i for i in half) for half in (ids[:13], ids[13:]))
        for trump in (-1, 2):
            exact = solver.tricks(one, other, trump, -1, table)
            errors.append(abs(int(tricks_by_thumb(one, other, trump, True)) - exact))
    assert np.mean(errors) < 1.2
    assert np.mean(np.array(errors) == 0) > 0.3


# ----------------------------------------------------------------------------------------------- perfect


class DrawsAtRandom:
    """A strategy that is itself from the auction on."""

    def __init__(self, name):
        self.call, self.name = compiled("honeymoon", name)["call"], name

    def play(self, view):
        return choose(view) if view.phase == DRAWING else compiled("honeymoon", self.name)["play"](view)


def matches(one, other, units, deals=16):
    """The deals of some matches, each with its par (by the reference engine's judge)."""
    players, params = [DrawsAtRandom(one), DrawsAtRandom(other)], np.zeros((2, 16))
    params[:, : len(USUAL)] = USUAL
    for unit in range(units):
        played = reference.play_game(players, seed=5, unit=unit, params=params, par="on", deals=deals)
        yield from played.deals


@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_perfect_never_gets_less_than_par(opponent):
    ahead = 0
    for seat, pair in enumerate([("perfect", opponent), (opponent, "perfect")]):
        for deal in matches(*pair, 1):
            net, par = deal.points[seat] - deal.points[1 - seat], deal.par if seat == 0 else -deal.par
            assert net >= par
            assert deal.auction_lost[seat] == deal.play_lost[seat] == 0
            ahead += net > par
    assert ahead > 10


def test_perfect_against_itself_gets_par():
    nets = [(deal.points[0] - deal.points[1], deal.par) for deal in matches("perfect", "perfect", 1)]
    assert all(net == par for net, par in nets)
    assert len({net for net, _ in nets}) > 5


def test_of_equal_calls_it_makes_the_one_that_gains_most_if_the_other_passes():
    # In the end the other makes eleven tricks, with no bid up to 5S to hinder it; 1S makes 140 if it lets it.
    assert call("perfect", SPADES, HEARTS, dealer=0) == "1S"


def test_perfect_sacrifices_where_that_is_cheaper():
    made = {"contract": "5H", "bidder": 1, "calls": 1, "dealer": 1}
    assert call("perfect", SPADES, HEARTS, **made, zones=(0, 0)) == "5S"
    assert call("perfect", SPADES, HEARTS, **made, zones=(1, 0)) == "P"


def test_of_equal_cards_it_plays_the_one_that_is_hardest_to_answer():
    # No card takes a trick. The king of the suit of which the other has two may be answered wrongly.
    assert card("perfect", "CKQ DK", PLAY, other="CA DAQ") == "DK"
    assert card("perfect", "CK DKQ", PLAY, other="CAQ DA") == "CK"


# ------------------------------------------------------------------------------------------ whole matches


@pytest.mark.parametrize(
    ("better", "worse", "games", "least"),
    [("perfect", "heuristic", 20, 100), ("heuristic", "random", 20, 500)],
)
def test_each_beats_the_next(better, worse, games, least):
    rows = simulate(f"{better},{worse}", games, 5, game="honeymoon", jobs=1).standings
    first = next(row for row in rows if row["strategy"] == better)
    assert first["points_low"] > least
