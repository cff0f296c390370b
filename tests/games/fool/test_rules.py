"""Every rule of Czech Fool by name, on the reference engine and on compiled positions in step (see ``fool_rounds``)."""

import itertools

import numpy as np
import pytest
from fool_rounds import Round, ids

from bridzik_sim.games.fool import plain_round, reference, rules

PLAYERS = [(2, ()), (3, ()), (4, ()), (3, (1,)), (4, (1,)), (4, (2,)), (4, (1, 2)), (4, (2, 3)), (4, (1, 3))]


def hands_of(seats, out=(), first="", other="S3 S4 S5"):
    """Cards for everybody that is in: ``first`` and three more for seat 0."""
    cards = iter(["C3 C4 C5", "D3 D4 D5", "H3 H4 H5", other])
    return ["" if seat in out else next(cards) + (f" {first}" if seat == 0 else "") for seat in range(seats)]


def those_in(seats, out):
    return [seat for seat in range(seats) if seat not in out]


def test_a_card_fits_by_suit_or_rank_and_a_queen_always():
    r = Round("C5 D9 H9 S8 HK DQ", "C2", opened="C9", stock="S2")
    assert r.legal == "C5 D9 DQ H9 draw"


def test_a_queen_from_the_hand_does_not_go_on_an_open_eight():
    r = Round("C8 DK", "C3 CQ DQ S2", opened="C5", stock="H3")
    r.act("C8")
    assert r.open_eight
    assert r.legal == "S2 draw"


# The opening card: seat 2 deals, seat 0 would begin.


@pytest.mark.parametrize(("opened", "drawn"), [("C6", 1), ("C7", 2)])
def test_an_opening_six_or_seven_makes_the_first_player_draw_and_miss_the_turn(opened, drawn):
    r = Round("C3", "D3", "H3", opened=opened, stock="S3 S4 S5")
    assert (r.turn, r.turns) == (1, 0)
    assert r.hands == [" ".join(["C3", "S3", "S4"][: 1 + drawn]), "D3", "H3"]
    assert r.stock == 3 - drawn


def test_an_opening_ace_makes_the_first_player_miss_the_turn():
    r = Round("C3", "D3", "H3", opened="CA", stock="S3")
    assert (r.turn, r.turns, r.hands[0]) == (1, 0, "C3")


def test_an_opening_eight_has_to_be_answered_by_the_first_player():
    r = Round("C3 D2", "D3", "H3", opened="C8", stock="S3")
    assert (r.turn, r.open_eight, r.legal) == (0, 1, "D2 draw")


def test_an_opening_eight_is_plain_with_36_cards():
    r = Round("C9 DT", "D9", "H9", opened="C8", stock="S9", deck=36)
    assert (r.turn, r.open_eight, r.legal) == (0, 0, "C9 draw")


def test_an_opening_queen_asks_for_the_suit_drawn_for_it():
    r = Round("C3 D3 H3", "D4", "H4", opened="CQ", suit="D", stock="S3")
    assert (r.turn, r.chosen, r.legal) == (0, "D", "D3 draw")


@pytest.mark.parametrize("opened", ["C2", "C9", "CT", "CJ", "CK"])
def test_other_opening_cards_do_nothing(opened):
    r = Round("C3", "D3", "H3", opened=opened, stock="S3 S4")
    assert (r.turn, r.stock, r.open_eight, r.chosen) == (0, 2, 0, "")


def test_an_opening_seven_between_two_players_gives_the_dealer_the_turn():
    r = Round("C3", "D3", opened="C7", stock="S3 S4 S5")
    assert (r.turn, r.dealer, r.hands) == (1, 1, ["C3 S3 S4", "D3"])


# Six, seven, ace, queen.


@pytest.mark.parametrize(("card", "drawn"), [("C6", 1), ("C7", 2), ("CA", 0)])
@pytest.mark.parametrize(("seats", "out"), PLAYERS)
def test_six_seven_and_ace_strike_the_next_one_still_in_and_skip_it(card, drawn, seats, out):
    sitting = those_in(seats, out)
    r = Round(*hands_of(seats, out, card), opened="C9", dealer=sitting[-1], stock="HJ HT HK")
    before = list(r.hands)
    r.act(card)
    victim, following = sitting[1], sitting[2 % len(sitting)]
    assert (r.turn, r.turns) == (following, 1)
    for seat in sitting[1:]:
        assert len(r.hands[seat].split()) == 3 + (drawn if seat == victim else 0)
        assert set(before[seat].split()) <= set(r.hands[seat].split())
    assert r.last_move[victim] == ""


def test_between_two_players_who_plays_a_six_moves_again():
    r = Round("C6 D6 H6 S9", "H3", opened="C9", stock="HJ HT HK")
    r.act("C6", "D6", "H6")
    assert (r.turn, r.turns, r.hands) == (0, 3, ["S9", "H3 HT HJ HK"])


def test_a_six_cannot_be_answered_with_another():
    r = Round("C6 C3", "D6 D3", "H3 H4", opened="C9", stock="HJ HT HK")
    r.act("C6")
    assert (r.turn, r.hands[1]) == (2, "D3 D6 HJ")


def test_a_queen_asks_for_a_suit_that_holds_until_another_card_is_played():
    r = Round("CQ C3 H4", "H3 C4 D3 SQ", "S5 SJ D4 D5", opened="C9", stock="HT D9 DT D7")
    r.act("CQ")
    assert (r.choosing, r.turn, r.turns, r.legal) == (True, 0, 0, "CDHS")
    r.act("H")
    assert (r.turn, r.turns, r.chosen, r.legal) == (1, 1, "H", "H3 SQ draw")
    # Another queen asks anew.
    r.act("SQ", "D")
    assert (r.chosen, r.legal) == ("D", "D4 D5 draw")
    # To draw and to pass leave it.
    r.act("draw", "pass")
    assert (r.turn, r.chosen, r.legal) == (0, "D", "draw")
    r.act("draw")
    assert (r.chosen, r.legal) == ("D", "D9 pass")
    # A card of the suit ends it: then its own suit and rank fit.
    r.act("D9")
    assert (r.turn, r.chosen, r.legal) == (1, "", "D3 draw")


def test_the_suit_of_a_queen_itself_does_not_fit_if_another_was_chosen():
    r = Round("CQ D3", "C3 H3 C4", opened="C9", stock="HT")
    r.act("CQ", "H")
    assert r.legal == "H3 draw"


# Eight.


def test_an_eight_is_answered_by_any_two_from_the_hand():
    r = Round("C8 D9", "C2 S2 C9 CQ C3", opened="C5", stock="H3")
    r.act("C8")
    assert r.legal == "C2 S2 draw"
    r.act("S2")
    assert (r.turn, r.top, r.open_eight, r.legal) == (0, "S2", 0, "draw")


@pytest.mark.parametrize("answer", ["H2", "HQ", "H8", "CK"])
def test_on_an_eight_one_draws_until_a_two_a_queen_an_eight_or_its_suit_comes(answer):
    r = Round("C8 D9", "C9 D3", opened="C5", stock=f"HT SA {answer} H4")
    r.act("C8", "draw")
    assert sorted(r.hands[1].split()) == sorted(["C9", "D3", "HT", "SA", answer])
    assert (r.turn, r.turns, r.stock, r.open_eight, r.has_drawn) == (1, 1, 1, 1, 1)
    assert r.legal == answer


def test_after_the_draw_on_an_eight_that_card_or_any_two_must_be_played():
    r = Round("C8 D9", "C9 D2 H2 C3", opened="C5", stock="HT C7 H4")
    r.act("C8", "draw")
    assert r.legal == "C7 D2 H2"


def test_the_card_played_on_an_eight_acts_as_usual():
    r = Round("C8 D9", "C9 D4", "H3", opened="C5", stock="HT C7 H4 H5")
    r.act("C8", "draw", "C7")
    assert (r.turn, r.hands) == (0, ["D9", "C9 D4 HT", "H3 H4 H5"])
    r = Round("C8 D9", "C9 D4", "H2 H3", opened="C5", stock="HT D8 H4")
    r.act("C8", "draw", "D8")
    assert (r.turn, r.open_eight, r.legal) == (2, 1, "H2 draw")
    r = Round("C8 D9", "C9 D4", "H2 H3", opened="C5", stock="HT HQ H4")
    r.act("C8", "draw", "HQ", "H")
    assert (r.turn, r.open_eight, r.legal) == (2, 0, "H2 H3 draw")


def test_an_eight_is_plain_with_36_cards():
    r = Round("C8 D9", "C9 DT D8", opened="CT", stock="H9", deck=36)
    r.act("C8")
    assert (r.open_eight, r.legal) == (0, "C9 D8 draw")


def test_a_draw_on_an_eight_that_fails_ends_the_turn_and_lifts_the_eight():
    # Nothing answers: neither the stock nor what lies under the eight.
    r = Round("C9 D4", "C3 H8 D5 S9", opened="C8", under="S5", stock="HT SA")
    r.act("draw")
    assert (r.turn, r.turns, r.open_eight, r.stock) == (1, 1, 0, 0)
    assert (r.hands[0], r.returned, r.last_move) == ("C9 D4 HT S5 SA", "S5", ["draw", ""])
    assert r.legal == "C3 H8 pass"


def test_one_may_draw_in_vain_on_an_eight_when_there_is_nothing_to_draw():
    r = Round("C9 D2", "C3 D5", opened="C8")
    assert r.legal == "D2 draw"
    r.act("draw")
    assert (r.turn, r.turns, r.open_eight, r.hands[0], r.last_move) == (1, 1, 0, "C9 D2", ["draw", ""])


# The end of a round.


@pytest.mark.parametrize(
    ("card", "hand", "points"), [("C6", "D3 HT", 13), ("C7", "D3 HT SA", 24), ("CA", "D3", 3)]
)
def test_a_last_six_or_seven_makes_the_next_player_draw_and_those_cards_count(card, hand, points):
    r = Round(card, "D3", "H3", opened="C9", stock="HT SA")
    r.act(card)
    assert (r.ending, r.winner, r.turn, r.turns) == ("won", 0, -1, 1)
    assert r.hands == ["", hand, "H3"]
    assert r.points == [0, points, 3]


def test_a_last_eight_does_nothing():
    r = Round("C8", "D3", opened="C9", stock="HT SA")
    r.act("C8")
    assert (r.ending, r.hands, r.points) == ("won", ["", "D3"], [0, 3])


@pytest.mark.parametrize(("card", "points"), [("CQ", -20), ("DQ", -20), ("HQ", -20), ("SQ", -40)])
def test_a_last_queen_asks_for_no_suit_and_takes_off_its_points(card, points):
    r = Round(card, "D3", opened="C9", stock="HT SA")
    r.act(card)
    assert (r.ending, r.choosing, r.points) == ("won", False, [points, 3])


def test_a_last_ace_does_nothing():
    r = Round("CA", "D3", "H3", opened="C9", stock="HT SA")
    r.act("CA")
    assert (r.ending, r.winner, r.points) == ("won", 0, [0, 3, 3])


@pytest.mark.parametrize("card", range(52))
def test_points_of_every_card(card):
    name = plain_round.CARD_NAMES[card]
    known = {"A": 11, "K": 4, "Q": 20, "J": 2, "T": 10}
    points = 40 if name == "SQ" else known.get(name[1]) or int(name[1])
    winning, opened = ("H9", "H5") if name[0] == "C" else ("C9", "C5")
    r = Round(winning, name, opened=opened)
    r.act(winning)
    assert r.points == [0, points]


# The stock.


def test_the_stock_is_renewed_only_when_a_card_must_be_drawn_from_an_empty_one():
    r = Round("C3 D9", "D3", opened="C9", under="H5 H6", stock="HT")
    r.act("draw")
    assert (r.stock, r.returned, r.gone, r.fresh) == (0, "", "C9 H5 H6", [0] * 4)
    r.act("C3")
    assert (r.stock, r.returned, r.gone) == (0, "", "C3 C9 H5 H6")
    r.act("draw")
    assert (r.stock, r.returned, r.gone, r.fresh) == (2, "C9 H5 H6", "C3", [0, 1, 0, 0])


def test_the_pile_without_its_top_card_is_renewed_in_the_middle_of_a_draw():
    r = Round("C7 D9", "D3", "H3", opened="C9", stock="HT")
    r.act("C7")
    assert (r.hands[1], r.stock, r.returned, r.gone, r.fresh) == ("C9 D3 HT", 0, "C9", "C7", [0, 1, 0, 0])
    r = Round("C8 D9", "D3", "H3", opened="C9", stock="HT SA")
    r.act("C8", "draw")
    assert (r.hands[1], r.returned, r.gone, r.legal) == ("C9 D3 HT SA", "C9", "C8", "C9")


def test_a_renewed_stock_is_shuffled():
    tops = set()
    for stock in itertools.permutations(("HT", "HJ", "HK")):
        r = Round("C3 C4", "D3", opened="C9", under="H5 H6 D7 D8", stock=" ".join(stock))
        r.act("draw", "pass", "draw", "pass", "draw", "pass", "draw")
        assert r.returned == "D7 D8 H5 H6"
        tops.add(r.hands[1])
    assert len(tops) > 1


def test_a_card_drawn_after_a_reshuffle_is_fresh_until_it_is_played_or_the_next_one():
    r = Round("C3 C4", "D3 D5", opened="C9", under="C5", stock="")
    r.act("draw")
    assert (r.returned, r.fresh, r.hands[0]) == ("C5", [1, 0, 0, 0], "C3 C4 C5")
    r.act("C5")
    assert (r.fresh, r.stock) == ([0] * 4, 0)
    r.act("draw")
    assert (r.returned, r.gone, r.fresh) == ("C9", "C5", [0, 1, 0, 0])
    r.act("C9", "C3", "draw")
    assert (r.returned, r.stock, r.fresh) == ("C5 C9", 1, [0, 1, 0, 0])


@pytest.mark.parametrize(("card", "drawn"), [("C6", "C9"), ("C7", "C9")])
def test_six_and_seven_give_what_cards_there_are(card, drawn):
    r = Round(f"{card} C3", "D3", "H3", opened="C9")
    r.act(card)
    assert (r.turn, r.hands[1], r.stock, r.gone) == (2, f"{drawn} D3", 0, card)


def test_an_opening_seven_without_a_stock_gives_nothing_and_skips():
    r = Round("C3", "D3", "H3", opened="C7")
    assert (r.turn, r.hands) == (1, ["C3", "D3", "H3"])


# Drawing and passing.


def test_one_draws_once_a_turn_and_may_then_play_any_card_that_fits_or_pass():
    r = Round("C3 H5", "D3", opened="C9", stock="C4 D9 HT")
    assert r.legal == "C3 draw"
    r.act("draw")
    assert (r.turn, r.turns, r.legal, r.last_move) == (0, 0, "C3 C4 pass", ["", ""])
    r.act("pass")
    assert (r.turn, r.turns, r.last_move) == (1, 1, ["pass", ""])


def test_drawing_is_voluntary_or_only_for_who_has_no_card_that_fits():
    for draw, legal in (("voluntary", "C3 draw"), ("forced", "C3")):
        assert Round("C3 H5", "D3", opened="C9", stock="C4", draw=draw).legal == legal
        r = Round("D3 H5", "D4", opened="C9", stock="C4", draw=draw)
        assert r.legal == "draw"
        r.act("draw")
        assert r.legal == "C4 pass"


def test_when_drawing_is_forced_a_two_must_be_played_on_an_eight():
    for draw, legal in (("voluntary", "S2 draw"), ("forced", "S2")):
        r = Round("C8 D9", "C3 S2", opened="C5", stock="C4", draw=draw)
        r.act("C8")
        assert r.legal == legal
        r = Round("C8 D9", "C3 S3", opened="C5", stock="C4", draw=draw)
        r.act("C8")
        assert r.legal == "draw"


def test_one_passes_only_when_there_is_nothing_to_draw():
    for draw, legal in (("voluntary", "C3 pass"), ("forced", "C3")):
        assert Round("C3 H5", "D3", opened="C9", draw=draw).legal == legal
        assert Round("D3 H5", "D4", opened="C9", draw=draw).legal == "pass"
        assert Round("D3 H5", "D4", opened="C9", under="H6", draw=draw).legal == "draw"


def test_a_circle_of_passes_with_nothing_to_draw_blocks_the_round_and_all_score():
    r = Round("D3 CQ", "D4", "DA", opened="C9")
    r.act("pass", "pass")
    assert r.ending == ""
    r.act("pass")
    assert (r.ending, r.winner, r.turn, r.turns, r.points) == ("blocked", -1, -1, 3, [23, 4, 11])


def test_the_circle_is_of_those_still_in():
    r = Round("D3", "", "D4", "", opened="C9", dealer=2)
    r.act("pass", "pass")
    assert (r.ending, r.points) == ("blocked", [3, 0, 4, 0])


def test_any_other_turn_breaks_the_circle():
    r = Round("D3 D5", "D4 S3", "DA C3", opened="C9")
    r.act("pass", "pass", "C3")
    # The first card can be drawn now; to pass after that is no pass with nothing to draw.
    r.act("draw", "pass", "pass", "pass")
    assert r.ending == ""
    r.act("pass")
    assert (r.ending, r.turns) == ("blocked", 7)


def test_a_draw_on_an_eight_that_fails_is_no_pass():
    r = Round("D3 D5", "D4 S3", opened="C8")
    r.act("draw", "pass")
    assert r.ending == ""
    r.act("pass")
    assert (r.ending, r.turns) == ("blocked", 3)


# The cap of turns.


def test_after_the_last_turn_that_may_be_played_nobody_wins_and_all_score():
    r = Round("C3 D9", "C4 HT", opened="C9", stock="S3", cap=2)
    r.act("C3")
    assert r.ending == ""
    r.act("C4")
    assert (r.ending, r.winner, r.turn, r.turns, r.points) == ("capped", -1, -1, 2, [9, 10])


@pytest.mark.parametrize(("card", "points"), [("C6", [9, 13]), ("C7", [9, 17])])
def test_a_six_or_seven_played_in_the_last_turn_makes_the_next_player_draw(card, points):
    r = Round(f"{card} D9", "S3", opened="C5", stock="HT D4", cap=1)
    r.act(card)
    assert (r.ending, r.turns, r.points) == ("capped", 1, points)


def test_a_queen_played_in_the_last_turn_asks_for_a_suit():
    r = Round("CQ D9", "S3", opened="C5", stock="HT", cap=1)
    r.act("CQ")
    assert (r.ending, r.legal) == ("", "CDHS")
    r.act("H")
    assert (r.ending, r.turns, r.chosen) == ("capped", 1, "H")


def test_skipped_turns_do_not_count():
    r = Round("CA C3", "S3 S4", opened="C5", stock="HT", cap=2)
    r.act("CA")
    assert (r.ending, r.turns, r.turn) == ("", 1, 0)


def test_the_turn_that_wins_counts_and_wins_also_as_the_last_one():
    r = Round("C3", "S3", opened="C5", stock="HT", cap=1)
    r.act("C3")
    assert (r.ending, r.winner, r.turns) == ("won", 0, 1)


def test_a_circle_that_is_closed_in_the_last_turn_blocks():
    r = Round("D3", "D4", opened="C9", cap=2)
    r.act("pass", "pass")
    assert (r.ending, r.turns) == ("blocked", 2)


# Legality and points on masks against the plain rules, card by card.


@pytest.mark.parametrize("chosen", [-1, 0, 1, 2, 3])
def test_what_fits_on_every_card(chosen):
    for top in range(52):
        mask = rules.fitting((1 << 52) - 1, top, chosen, 0)
        assert [card for card in range(52) if mask >> card & 1] == [
            card for card in range(52) if plain_round.fits(card, top, chosen)
        ]


def test_what_answers_every_eight():
    for eight in ids("C8 D8 H8 S8"):
        for card in range(52):
            assert rules.answers_eight(card, eight) == plain_round.answers_eight(card, eight)


@pytest.mark.parametrize("deck", [52, 36])
def test_kinds_of_opening_and_last_cards(deck):
    eights = 1 if deck == 52 else 0
    for card in plain_round.DECKS[deck]:
        assert rules.opening_kind(card, eights) == reference.opening_kind(card, deck)
        assert rules.last_card_kind(card) == reference.last_card_kind(card)
    kinds = [reference.opening_kind(card, deck) for card in plain_round.DECKS[deck]]
    assert np.bincount(kinds).tolist() == ([32, 4, 4, 4, 4, 4] if deck == 52 else [20, 4, 4, 0, 4, 4])


def test_the_decks():
    for deck, mask in rules.DECKS.items():
        assert [card for card in range(52) if mask >> card & 1] == plain_round.DECKS[deck]
        assert len(plain_round.DECKS[deck]) == deck
    assert sum(plain_round.card_points(card) for card in range(52)) == 384
