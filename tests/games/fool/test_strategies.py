"""The built-in strategies that do not search: what they do in positions set up by hand, and how they fare."""

import collections

import pytest
from fool_views import choosing, viewing

from bridzik_sim import simulate
from bridzik_sim.games.fool.rules import DRAW, PASS, SEAT_COUNTS
from bridzik_sim.games.french_cards import DECK
from bridzik_sim.jit import jit
from strategies.fool import heuristic, server
from strategies.fool import random as at_random

DRAWS = 400


def named(code):
    return {DRAW: "draw", PASS: "pass"}.get(code) or DECK.name(code)


def answers(function, view):
    """How often each answer comes, by name."""
    return collections.Counter(named(function(view)) for _ in range(DRAWS))


def suits(function, view):
    return collections.Counter("CDHS"[function(view)] for _ in range(DRAWS))


def evenly(found, names):
    """Whether just these came, and each of them about as often."""
    share = DRAWS / len(names.split())
    return set(found) == set(names.split()) and all(abs(n - share) < 5 * share**0.5 for n in found.values())


# --------------------------------------------------------------------------------------- random and server

random_move, random_suit = jit(at_random.move), jit(at_random.suit)
server_move, server_suit = jit(server.move), jit(server.suit)


@pytest.mark.parametrize("move", [random_move, server_move])
def test_they_draw_and_pass_only_when_nothing_fits(move):
    assert set(answers(move, viewing("C2 D3", "H4"))) == {"draw"}
    assert set(answers(move, viewing("C2 D3", "H4", drawn=1))) == {"pass"}
    assert set(answers(move, viewing("C3 D4 H8 SQ", "C8", eight=1))) == {"draw"}
    assert set(answers(move, viewing("H3 D3", "H4", drawn=1))) == {"H3"}


@pytest.mark.parametrize("move", [random_move, server_move])
def test_they_answer_an_eight_with_any_two(move):
    assert evenly(answers(move, viewing("C2 D2 C8 CQ", "C8", eight=1)), "C2 D2")


def test_random_plays_any_fitting_card_and_asks_for_any_suit():
    assert evenly(answers(random_move, viewing("H3 H7 C4 SQ D9", "H4")), "H3 H7 C4 SQ")
    assert evenly(suits(random_suit, choosing("H3 H4", "CQ")), "C D H S")


def test_server_plays_special_cards_then_the_one_worth_most():
    assert evenly(answers(server_move, viewing("H6 H7 H8 HA SQ HT", "H4")), "H6 H7 H8 HA")
    assert evenly(answers(server_move, viewing("H6 H8 SQ", "H9", deck=36)), "H6")
    assert evenly(answers(server_move, viewing("H8 HT HK", "H9", deck=36)), "HT")
    assert evenly(answers(server_move, viewing("HQ SQ HT", "H4")), "SQ")
    assert evenly(answers(server_move, viewing("H2 H3 C4 HJ", "H4")), "C4")
    assert evenly(answers(server_move, viewing("C9 D9 H9", "S9")), "C9")  # the lowest id


def test_server_asks_for_the_suit_of_a_special_card_it_holds():
    assert evenly(suits(server_suit, choosing("H6 D8 C3 C4 C5", "CQ")), "H D")
    assert evenly(suits(server_suit, choosing("H6 D8", "CQ", deck=36)), "H")
    assert evenly(suits(server_suit, choosing("S3 D4", "CQ")), "S D")


# --------------------------------------------------------------------------------------------- heuristic

move, suit = jit(heuristic.move), jit(heuristic.suit)
USUAL = tuple(heuristic.PARAMS.values())


def plays(hand, top, others=(5, 5, 5), params=USUAL, **more):
    return named(move(viewing(hand, top, others, params=params, **more)))


def asks(hand, queen, **more):
    return "CDHS"[suit(choosing(hand, queen, params=USUAL, **more))]


def test_it_keeps_a_queen_to_finish_with():
    assert plays("H3 SQ", "H4") == "H3"
    assert plays("H3 HQ HT", "H4", others=(1, 1, 1)) in ("HT", "HQ")  # it is late
    assert plays("SQ", "H4") == "SQ"


def test_it_attacks_a_neighbour_that_is_nearly_out():
    assert plays("H7 HT C3 C5", "H4", others=(1, 5, 5)) == "H7"
    assert plays("HA HT C3 C5", "H4", others=(1, 5, 5)) == "HA"
    assert plays("H8 HT C3 C5", "H4", others=(1, 5, 5)) == "H8"


def test_it_sheds_points_before_another_finishes():
    assert plays("HK HT C3 D5", "H4", others=(5, 1, 5)) == "HT"


def test_it_prefers_what_can_be_followed_up():
    assert plays("H9 C9 C2 C3 C4 S5", "D9") == "C9"
    assert asks("H3 D4 D5 SQ S6", "CQ") == "D"


def test_two_players_move_again_after_a_skip():
    # The ace leaves the move to this seat, and the last card follows.
    assert plays("HA H3", "H4", others=(2,)) == "HA"
    assert plays("HA C3", "H4", others=(2,), params=USUAL) == "HA"


def test_it_remembers_what_the_neighbour_could_not_follow():
    view = viewing("H3 H9 C3 S5", "H4", others=(5,), params=USUAL)
    assert named(move(view)) == "H9"  # leaves hearts
    view.last_move[1] = PASS
    view.counts[1] += 1
    view.hand ^= 1 << DECK.id("H9")
    view.legal = view.hand & ~(1 << DECK.id("S5")) | 1 << DRAW
    view.params[heuristic.LACK] = 500
    assert named(move(view)) == "H3"
    assert [heuristic.lacks(view, number) for number in range(4)] == [0, 0, 1, 0]
    # It has drawn since: who knows what.
    view.last_move[1] = DECK.id("S9")
    view.counts[1] += 2
    move(view)
    assert [heuristic.lacks(view, number) for number in range(4)] == [0, 0, 0, 0]


def test_a_hand_that_makes_exactly_101_is_kept():
    params = list(USUAL)
    params[heuristic.EXACT] = 500
    assert plays("H9 HT C7 CA", "H4", scores=(101 - 10 - 7 - 11,), params=params) == "H9"
    assert plays("H9 HT C7 CA", "H4", scores=(101 - 9 - 7 - 11,), params=params) == "HT"


def test_it_would_rather_draw_than_play_what_it_values_less():
    params = list(USUAL)
    params[heuristic.TO_DRAW] = params[heuristic.TO_REST] = 500
    assert plays("H3 C4", "H4", params=params) == "draw"
    assert plays("H3 C4", "H4", params=params, drawn=1) == "pass"
    assert plays("H3 C4", "H4", params=params, forced=1) in ("H3", "C4")
    assert plays("C2 D2", "H8", params=params, eight=1) in ("C2", "D2")


# ------------------------------------------------------------------------------------------ whole games


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize(("deck", "draw"), [(52, "voluntary"), (36, "forced")])
@pytest.mark.parametrize(("other", "least"), [("random", 1.3), ("server", 1.1)])
def test_it_wins_more_than_its_share(seats, deck, draw, other, least):
    options = {"deck": deck, "draw": draw}
    rows = simulate(f"heuristic,{other}*{seats - 1}", 400, 5, game="fool", options=options, jobs=1).standings
    first = next(row for row in rows if row["strategy"] == "heuristic")
    assert first["wins_low"] > least / seats
