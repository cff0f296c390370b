"""The plain engine of honeymoon bridge: the cards of a unit, whole matches, every field of a view, options, faults."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from bridzik_sim.games.honeymoon import reference as ref
from bridzik_sim.games.honeymoon.plain_deal import deal_table, dealer_of
from bridzik_sim.games.honeymoon.rules import VIEW
from bridzik_sim.games.plain import PlainStream, StrategyFault, strategy_purpose, stream_tag, unit_words

TAG = stream_tag("honeymoon", 1)
PASS, DOUBLE, REDOUBLE = 0, 36, 37
NOTES = {"stream", "params", "memory", "game_memory", "dealt"}


def codes(mask):
    return [code for code in range(63) if int(mask) >> code & 1]


def lowest(view):
    return codes(view.legal)[0]


def player(call=lowest, play=lowest):
    return SimpleNamespace(call=call, play=play)


def chooser(seed):
    """Plays any card; doubles or redoubles every third time, else passes or makes one of the next few bids."""
    rng = random.Random(seed)

    def call(view):
        answers = codes(view.legal)
        double = answers[-1] in (DOUBLE, REDOUBLE) and rng.random() < 0.3
        return answers[-1] if double else rng.choice([PASS, *answers[:6]])

    return player(call, lambda view: rng.choice(codes(view.legal)))


def random_game(unit, **options):
    return ref.play_game([chooser(2 * unit), chooser(2 * unit + 1)], seed=11, unit=unit, **options)


# The cards of a unit.


def test_hands_and_stock_come_from_the_stream_of_the_deal():
    words, deck = unit_words(5, TAG, 9), list(range(52))
    stream = PlainStream.of(words, 3, 0)
    hands = [sorted(stream.take(deck, 8) + stream.take(deck, 5)) for _ in range(2)]
    stock = [stream.take(deck, 1)[0] for _ in range(26)]
    table = deal_table(words, 3, [0, 0], ref.DEFAULTS)
    assert (table.dealt, table.stock, deck) == (hands, stock, [])
    assert stock != sorted(stock)


def test_a_seats_private_stream_depends_on_deal_seat_and_seating():
    streams = []

    def look(view):
        if view.phase == 0 and view.stock == 26:
            streams.append((int(view.deal), int(view.seat), view.stream.tolist()))
        return lowest(view)

    ref.play_game([player(play=look)] * 2, seed=5, unit=9, seating=3, deals=2)
    words = unit_words(5, TAG, 9)
    assert len(streams) == 4
    for deal, seat, state in streams:
        assert state == PlainStream.of(words, deal, strategy_purpose(3, seat)).state


def test_the_same_unit_gives_the_same_cards_to_all_seatings():
    one, other = (ref.play_game([chooser(1)] * 2, seed=3, unit=2, seating=k, deals=3) for k in (0, 1))
    assert [deal.hands for deal in one.deals] == [deal.hands for deal in other.deals]
    following = ref.play_game([chooser(1)] * 2, seed=3, unit=3, deals=3)
    assert [deal.hands for deal in one.deals] != [deal.hands for deal in following.deals]


# Dealers, vulnerability, length of a match.


def silent_match(**options):
    """Both always pass: no play."""
    return ref.play_game([player()] * 2, seed=1, **({"unit": 0} | options))


def test_all_eight_combinations_of_dealer_and_vulnerability_occur_in_eight_deals():
    deals = silent_match(deals=16).deals
    assert [deal.dealer for deal in deals] == [0, 1, 0, 1, 1, 0, 1, 0] * 2
    assert [deal.vulnerable for deal in deals] == [0, 1, 2, 3] * 4
    for first in range(8):
        assert len({(deal.dealer, deal.vulnerable) for deal in deals[first : first + 8]}) == 8


@pytest.mark.parametrize(("vulnerability", "mask"), [("none", 0), ("both", 3)])
def test_vulnerability_may_always_be_the_same(vulnerability, mask):
    assert {deal.vulnerable for deal in silent_match(vulnerability=vulnerability).deals} == {mask}


def test_a_random_vulnerability_comes_from_a_stream_of_its_own():
    masks = [deal.vulnerable for deal in silent_match(unit=4, vulnerability="random", deals=40).deals]
    words = unit_words(1, TAG, 4)
    assert masks == [PlainStream.of(words, deal, 3).below(4) for deal in range(40)]
    assert {*masks} == {0, 1, 2, 3}


def test_a_match_is_sixteen_deals_or_as_many_as_are_asked_for():
    assert len(silent_match().deals) == 16
    assert len(silent_match(deals=1).deals) == 1


# Whole matches.


@pytest.mark.parametrize("unit", range(4))
def test_totals_are_the_sums_of_the_gains_and_the_higher_one_wins(unit):
    record = random_game(unit, deals=(1, 2, 9, 16)[unit])
    assert record.totals == [sum(deal.points[seat] for deal in record.deals) for seat in (0, 1)]
    best = max(record.totals)
    assert record.winners == [seat for seat in (0, 1) if record.totals[seat] == best]
    for deal in record.deals:
        assert min(deal.points) == 0
        assert (max(deal.points) == 0) == (deal.contract == 0)


def test_equal_totals_share_the_win():
    record = silent_match(deals=3)
    assert (record.totals, record.winners) == ([0, 0], [0, 1])


class Follower:
    """Follows a finished deal decision by decision, and says what the one to decide should see."""

    def __init__(self, deal, scores, deals):
        self.deal, self.scores, self.deals = deal, scores, deals
        self.hands = [{*hand} for hand in deal.hands]
        self.out, self.calls, self.trick, self.tricks = [], [], [], []
        self.taken = [0, 0]

    def expected(self):
        """Fields of the view, but for the seat's own notes."""
        deal, drawn = self.deal, len(self.tricks)
        phase = 0 if drawn < 13 else 1 if len(self.calls) < len(deal.calls) else 2
        calling, playing = phase == 1, phase == 2
        leader = -1 if calling else ([*deal.draw_phase, *deal.tricks][drawn]).leader
        seat = (deal.dealer + len(self.calls)) % 2 if calling else (leader + len(self.trick)) % 2
        bids = [(i, call) for i, call in enumerate(self.calls) if 1 <= call <= 35]
        last, contract = bids[-1] if bids else (-1, 0)
        trump = (contract - 1) % 5 if playing else -1
        trump = -1 if trump == 4 else trump
        lead = self.trick[0] // 13 if self.trick else -1
        held = self.hands[seat]
        cards = [card for card in held if card // 13 == lead] or held
        legal = self.legal_calls(contract, last) if calling else cards
        self.seat = seat
        return {
            "deal": deal.deal,
            "deals": self.deals,
            "scores": self.scores,
            "phase": phase,
            "stock": 26 - 2 * min(drawn, 13),
            "vulnerable": [deal.vulnerable & 1, deal.vulnerable // 2],
            "dealer": deal.dealer,
            "calls": self.calls + [-1] * (112 - len(self.calls)),
            "n_calls": len(self.calls),
            "contract": contract,
            "doubled": max([0, *(call - 35 for call in self.calls[last + 1 :] if call > 35)]),
            "bidder": (deal.dealer + last) % 2 if bids else -1,
            "declarer": deal.declarer if playing else -1,
            "trump": trump,
            "leader": leader,
            "trick_length": len(self.trick),
            "trick": self.trick + [-1] * (2 - len(self.trick)),
            "lead": lead,
            "best": self.trick[0] if self.trick else -1,
            "played": sum(1 << card for card in self.out),
            "taken": self.taken,
            "seen_void": [self.voids(one) if playing else 0 for one in (0, 1)],
            "seat": seat,
            "hand": sum(1 << card for card in held),
            "unseen": sum(1 << card for card in range(52) if card not in held and card not in self.out),
            "legal": sum(1 << code for code in legal),
        }

    def legal_calls(self, contract, last):
        """Pass and higher bids; double what the other one bid last; redouble what has just been doubled."""
        after, theirs = self.calls[last + 1 :], (len(self.calls) - last) % 2 == 1
        may_double = contract > 0 and theirs and not {DOUBLE, REDOUBLE} & {*after}
        may_redouble = after == [DOUBLE]
        doubles = [DOUBLE] * may_double + [REDOUBLE] * may_redouble
        return [PASS, *range(contract + 1, 36), *doubles]

    def voids(self, seat):
        """Suits that a seat has not followed in the play."""
        shown = 0
        for trick in self.deal.tricks[: max(0, len(self.tricks) - 13)]:
            led, followed = (card // 13 for card in trick.cards)
            shown |= 1 << led if trick.leader != seat and led != followed else 0
        return shown

    def follow(self, answer, phase):
        """Go on to the next decision."""
        if phase == 1:
            self.calls.append(answer)
            return
        self.hands[self.seat].remove(answer)
        self.out.append(answer)
        self.trick.append(answer)
        if len(self.trick) == 2:
            trick = [*self.deal.draw_phase, *self.deal.tricks][len(self.tricks)]
            assert trick.cards == self.trick
            for seat in (0, 1):
                if phase == 0:
                    self.hands[seat].add(trick.drawn[seat])
                else:
                    self.taken[seat] += trick.winner == seat
            self.tricks.append(trick)
            self.trick = []


@pytest.mark.parametrize("unit", range(4))
def test_every_field_of_every_view_is_what_the_seat_may_know(unit):
    events = []

    def watch(event):
        if event.moment == "before":
            seen = {name: event.view[name].tolist() for name in event.view.dtype.names if name not in NOTES}
            events.append([event.deal, event.seat, event.decision, seen])
        else:
            events[-1].append(event.answer)

    record = random_game(unit, deals=9, observer=watch)
    assert record.decisions == len(events)
    assert {*VIEW.names} - NOTES == {*events[0][3]}
    scores, left = [0, 0], iter(events)
    for deal in record.deals:
        follower = Follower(deal, list(scores), 9)
        for _ in range(26 + len(deal.calls) + 2 * len(deal.tricks)):
            number, seat, decision, seen, answer = next(left)
            expected = follower.expected()
            assert seen == expected
            kind = "call" if expected["phase"] == 1 else "play"
            assert (number, seat, decision) == (deal.deal, expected["seat"], kind)
            follower.follow(answer, expected["phase"])
        scores = [score + points for score, points in zip(scores, deal.points, strict=True)]
    assert next(left, None) is None


def test_matches_reach_all_that_the_views_should_show():
    deals = [deal for unit in range(4) for deal in random_game(unit, deals=9).deals]
    assert {deal.doubled for deal in deals} == {0, 1, 2}
    assert any(deal.contract == 0 for deal in deals)
    assert {(deal.contract - 1) % 5 for deal in deals if deal.contract} == {0, 1, 2, 3, 4}
    assert {deal.declarer == deal.dealer for deal in deals if deal.contract} == {True, False}
    assert max(len(deal.calls) for deal in deals) > 8


def test_the_longest_auction_has_107_calls():
    def linger(view):
        answers = codes(view.legal) if view.n_calls else [PASS]
        return answers[-1] if answers[-1] > 35 else answers[:2][-1]

    deal = ref.play_game([player(linger)] * 2, seed=1, unit=1, deals=1).deals[0]
    assert len(deal.calls) == 107
    assert deal.calls[:5] == [PASS, 1, DOUBLE, REDOUBLE, 2]
    assert (deal.contract, deal.doubled) == (35, 2)


# What is dealt instead.


def test_other_cards_are_dealt_where_a_permutation_says_so():
    mapping = random.Random(5).sample(range(52), 52)
    words = unit_words(5, TAG, 1)
    plain, mapped = (deal_table(words, 1, [0, 0], ref.DEFAULTS, given) for given in (None, mapping))
    assert mapped.dealt == [sorted(mapping[card] for card in hand) for hand in plain.dealt]
    assert mapped.stock == [mapping[card] for card in plain.stock]
    games = [
        ref.play_game([player()] * 2, seed=5, unit=1, deals=2, dealt=dealt)
        for dealt in (None, {1: list(range(52))}, {1: mapping})
    ]
    assert games[0] == games[1]
    assert games[0].deals[0] == games[2].deals[0]
    assert games[2].deals[1].hands == mapped.dealt


@pytest.mark.parametrize("mapping", [[0] * 52, list(range(51)), list(range(1, 53))])
def test_only_a_permutation_of_the_cards_can_be_dealt(mapping):
    with pytest.raises(ValueError, match="dealt: must be permutations of the cards"):
        ref.play_game([player()] * 2, seed=1, unit=1, dealt={0: mapping})


def test_only_who_cheats_is_told_both_hands_as_dealt():
    told = {0: set(), 1: set()}

    def look(view):
        told[int(view.seat)].add(tuple(view.dealt.tolist()))
        return lowest(view)

    record = ref.play_game([player(look, look)] * 2, seed=1, unit=1, deals=2, cheats=[False, True])
    hands = {tuple(sum(1 << card for card in hand) for hand in deal.hands) for deal in record.deals}
    assert told == {0: {(0, 0)}, 1: hands}


# Options and faults.


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (1, {}, "players: honeymoon has 2, not 1"),
        (4, {}, "players: honeymoon has 2, not 4"),
        (2, {"deals": 0}, "deals: must be 1 … 1000, not 0"),
        (2, {"deals": 1001}, "deals: must be 1 … 1000, not 1001"),
        (2, {"deals": True}, "deals: must be 1 … 1000, not True"),
        (2, {"vulnerability": "N"}, "vulnerability: must be cycle or random or none or both, not 'N'"),
        (2, {"par": "yes"}, "par: must be off or on, not 'yes'"),
        (2, {"params": np.zeros((3, 16))}, "params must have the shape"),
    ],
)
def test_wrong_options_are_refused(seats, options, reason):
    with pytest.raises(ValueError, match=reason):
        ref.play_game([player()] * seats, seed=1, unit=0, **options)


def test_a_wrong_answer_stops_the_match_or_forfeits_to_the_lowest_legal_one():
    with pytest.raises(StrategyFault, match="seat 1 answered 60 to 'play' in deal 0"):
        ref.play_game([player(), player(play=lambda view: 60)], seed=1, unit=0)
    with pytest.raises(StrategyFault, match="seat 0 answered 36 to 'call' in deal 0"):
        ref.play_game([player(lambda view: DOUBLE), player()], seed=1, unit=0)
    wrong = player(lambda view: -1, lambda view: 52)
    record = ref.play_game([player(lambda view: 7), wrong], seed=1, unit=0, deals=1, on_error="forfeit")
    right = ref.play_game([player(lambda view: 7), player()], seed=1, unit=0, deals=1)
    assert record.deals == right.deals
    assert {fault.decision for fault in record.faults} == {"call", "play"}
    assert (record.fault_count(1, "illegal"), record.fault_count(0, "illegal")) == (27, 0)


def test_the_dealer_is_known_by_the_number_of_the_deal():
    assert [dealer_of(deal) for deal in range(9)] == [0, 1, 0, 1, 1, 0, 1, 0, 0]
