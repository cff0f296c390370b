"""The rules of Czech Fool from round to round, by name: totals, who is out, who has won, who deals; nothing else is kept."""

import numpy as np
from fool_rounds import OUT, Compiled, empty_position, ids

from bridzik_sim.games.fool import counting, kernel, plain_round, playout, reference

# The kernel's part is called on a table at which a round has ended.


def held_worth(points, deck):
    """A mask of cards, taken out of ``deck``, that are worth so many points."""
    held = 0
    for card in sorted(deck, key=lambda card: -plain_round.card_points(card)):
        if plain_round.card_points(card) <= points and points - plain_round.card_points(card) != 1:
            points -= plain_round.card_points(card)
            held |= 1 << card
            deck.remove(card)
    assert points == 0
    return held


def settle(scores, points):
    """Totals, places, dealer (-1: drawn at random) and resets after a round with these points, None for who was out.

    By both engines; places of who is still in are 0, of who was out before 9.
    """
    seats, sitting = len(scores), [seat for seat, got in enumerate(points) if got is not None]
    got = [point or 0 for point in points]
    totals = reference.totals_after(scores, got)
    places = [0 if seat in sitting else 9 for seat in range(seats)]
    reference.add_places(places, sitting, totals)
    hands = [[0] if seat in sitting else [] for seat in range(seats)]
    blank = dict.fromkeys(reference.DealRecord.__dataclass_fields__)
    last = reference.DealRecord(**blank | {"hands": hands, "points": got, "totals": totals})
    made = totals, places, reference.next_dealer(last)
    assert made == settle_compiled(scores, points, sitting)
    return made


def settle_compiled(scores, points, sitting):
    seats, deck = len(scores), list(range(52))
    table = np.zeros(1, kernel.TABLE).view(np.recarray)[0]
    table.seats, table.scores[:seats], table.winner, table.top = seats, scores, -1, ids("C9")[0]
    playout.set_scores(table)
    for seat in range(seats):
        table.place[seat] = 0 if seat in sitting else 9
        if points[seat] is not None and points[seat] <= 0:
            table.winner, table.top = seat, ids({0: "C9", -20: "CQ", -40: "SQ"}[points[seat]])[0]
        else:
            table.hands[seat] = held_worth(points[seat] or 0, deck)
        table.got[seat] = playout.points(table, seat)
    events = np.zeros((1, len(counting.EVENTS)), np.int64)
    dealer = kernel.close_round(table, events)
    totals = table.scores.tolist()[:seats]
    exits, resets = events[0]
    assert exits == sum(totals[seat] > 101 for seat in sitting)
    assert resets == sum(scores[seat] + (points[seat] or 0) == 101 for seat in sitting)
    return totals, table.place.tolist()[:seats], dealer


def test_points_are_added_up():
    assert settle([10, 20, 30], [0, 11, 7]) == ([10, 31, 37], [0, 0, 0], 1)
    assert settle([10, 20, 30], [-20, 11, 7])[0] == [-10, 31, 37]
    assert settle([10, 20, 30], [-40, 11, 7])[0] == [-30, 31, 37]


def test_exactly_101_becomes_0_and_stays_in():
    assert settle([90, 20, 30], [11, 0, 7]) == ([0, 20, 37], [0, 0, 0], 0)


def test_100_is_in_and_102_is_out():
    totals, places, _ = settle([90, 90, 30], [10, 12, 0])
    assert (totals, places) == ([100, 102, 30], [0, 3, 0])


def test_who_is_out_scores_no_more():
    assert settle([150, 20, 30], [None, 0, 7])[:2] == ([150, 20, 37], [9, 0, 0])


def test_the_last_one_in_wins():
    assert settle([90, 150, 30], [12, None, 0])[:2] == ([102, 150, 30], [2, 9, 1])


def test_who_go_out_together_share_a_place():
    assert settle([95, 96, 30, 40], [12, 20, 0, 7])[1] == [3, 3, 0, 0]
    assert settle([95, 96, 97, 40], [12, 20, 30, 0])[1] == [2, 2, 2, 1]


def test_when_all_go_out_the_lowest_total_wins_and_ties_share():
    assert settle([95, 96, 97], [12, 20, 30])[:2] == ([107, 116, 127], [1, 2, 2])
    assert settle([95, 96, 97], [12, 11, 30])[1] == [1, 1, 3]
    assert settle([95, 150, 97, 98], [12, None, 20, 9])[1] == [1, 9, 3, 1]


def test_who_scored_most_in_the_round_deals_next_and_of_several_the_first():
    assert settle([80, 0, 0], [4, 7, 0])[2] == 1
    assert settle([80, 0, 0], [7, 0, 7])[2] == 0
    assert settle([0, 0, 0, 0], [0, 4, 9, 9])[2] == 2


def test_when_that_one_is_out_the_dealer_is_drawn():
    assert settle([95, 0, 0], [9, 7, 0])[2] == -1
    # Also when another one scored as much.
    assert settle([95, 0, 0], [9, 9, 0])[2] == -1
    assert settle([0, 95, 0], [9, 9, 0])[2] == 0


def test_nothing_is_left_of_the_round_before():
    dirty = empty_position()
    for name in playout.POSITION.names:
        dirty[name] = 77
    dirty.hands[:] = 0
    given = ([ids("C3 C4"), ids("D3"), []], ids("C9")[0], -1, 1, ids("HT HJ"), [], [0, 0, OUT])
    options = {"deck": 52, "draw": "voluntary", "max_turns": 50}
    again, fresh = (Compiled(*given, options, position) for position in (dirty, None))
    before, after = again.state(), fresh.state()
    for name in ("counts", "still_in", "distance", "scores", "fresh", "last_move"):
        before[name], after[name] = before[name][:3], after[name][:3]
    before["counts"][2] = 0
    assert before == after
    assert (dirty.passes, dirty.must, dirty.renewals) == (0, -1, 0)


def test_nothing_is_left_of_the_round_before_in_a_game():
    clean = {"chosen_suit": -1, "open_eight": 0, "has_drawn": 0, "turns": 0, "returned": 0}
    firsts, dirty = [], set()

    def watch(event):
        view = event.view
        if event.moment == "before" and view.turns == 0 and len(firsts) <= view.deal:
            firsts.append({name: int(view[name]) for name in clean})
            assert view.last_move.tolist() == [-1] * 4
            assert view.fresh.tolist() == [0] * 4
            assert view.memory.tolist() == [0] * 64
        dirty.update(name for name, value in clean.items() if view[name] != value)

    class Drawing:
        def move(self, view):
            view.memory[:] = 1
            codes = rules_answers(view)
            return codes[view.turns % len(codes)]

        def suit(self, view):
            return int(view.turns) % 4

    for unit in range(2):
        firsts.clear()
        record = reference.play_game([Drawing()] * 3, seed=3, unit=unit, max_turns=60, observer=watch)
        opened = [deal.open_card % 13 for deal in record.deals]
        assert len(firsts) == len(record.deals)
        for first, rank in zip(firsts, opened, strict=True):
            assert (first["chosen_suit"] >= 0) == (rank == 10)
            assert first["open_eight"] == (rank == 6)
            assert {name: first[name] for name in ("has_drawn", "turns", "returned")} == dict.fromkeys(
                ("has_drawn", "turns", "returned"), 0
            )
    assert dirty == set(clean)


def rules_answers(view):
    return [code for code in range(54) if int(view.legal) >> code & 1]
