"""Properties that hold in every match of honeymoon bridge, whoever plays, decision by decision and in the rows of the kernel."""

from functools import partial

import numpy as np
import played_rows
from honeymoon_deals import Compiled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridzik_sim import sources
from bridzik_sim.cards import popcount
from bridzik_sim.games.honeymoon import kernel, playout
from bridzik_sim.games.plain import PlainStream, stream_tag, unit_words
from bridzik_sim.games.plain_contract import duplicate_points
from bridzik_sim.jit import jit
from bridzik_sim.streams import choose

WHOLE_DECK = (1 << 52) - 1
QUICK = sorted({"random", "heuristic"} & {*sources.named("honeymoon")})
SEEDS = st.integers(0, 2**63 - 1)
RULES = st.fixed_dictionaries(
    {"deals": st.integers(1, 9), "vulnerability": st.sampled_from(("cycle", "random", "none", "both"))}
)


def dealt(seed, deal):
    """A deal as a compiled position, and the view that is shown of it, with a stream of its own."""
    made = Compiled.dealt(unit_words(seed, stream_tag("honeymoon", 1), 0), deal)
    made.view.stream = PlainStream.of([seed, 1, 2, 3], deal, 0).state
    return made.table, made.view


@jit
def conserved(table):
    """Whether every card is in exactly one place, and both hold as many cards as they should."""
    seen, number = table.pile | table.played, popcount(table.pile) + popcount(table.played)
    right = popcount(table.pile) == table.stock
    for seat in range(2):
        hand = table.hands[seat]
        seen |= hand
        number += popcount(hand)
        has_played = table.trick_length == 1 and seat == table.leader
        right = right and popcount(hand) == table.left - (1 if has_played else 0)
    return right and seen == WHOLE_DECK and number == 52


@jit
def play_on(table, view, asked):
    """Random answers to the end of the deal; ``asked``: by phase how many. False when a card is lost or doubled."""
    while table.turn >= 0:
        playout.show(table, view)
        holds = view.phase == playout.AUCTION or view.legal & ~view.hand == 0
        if view.legal == 0 or not holds or not conserved(table):
            return False
        asked[view.phase] += 1
        playout.apply(table, choose(view))
    return conserved(table)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(0, 20))
def test_each_card_is_in_one_place_and_there_are_thirteen_tricks_twice(seed, deal):
    table, view = dealt(seed, deal)
    asked = np.zeros(3, np.int64)
    assert play_on(table, view, asked)
    drawn, called, played = asked.tolist()
    assert (drawn, called) == (26, table.n_calls)
    assert 2 <= called <= 107
    taken = table.taken.tolist()
    assert (played, sum(taken)) == ((26, 13) if table.contract else (0, 0))
    kernel.score_deal(table)
    gained, expected = table.gained.tolist(), [0, 0]
    if table.contract:
        one = int(table.declarer)
        bid, doubled, vulnerable = int(table.contract), int(table.doubled), bool(table.vulnerable[one])
        points = duplicate_points(bid, doubled, vulnerable, taken[one])
        expected[one if points > 0 else 1 - one] = abs(points)
    assert gained == expected


def test_the_check_of_cards_finds_one_that_is_lost_or_doubled():
    for name, value in (("pile", 0), ("played", 1), ("stock", 24), ("left", 12)):
        table, view = dealt(1, 0)
        assert conserved(table)
        table[name] = value
        assert not play_on(table, view, np.zeros(3, np.int64))


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(0, 20), st.integers(26, 60))
def test_from_the_auction_on_a_view_gives_the_whole_position(seed, deal, answers):
    table, view = dealt(seed, deal)
    for _ in range(answers):
        if table.turn < 0:
            return
        playout.show(table, view)
        playout.apply(table, choose(view))
    if table.turn < 0:
        return
    playout.show(table, view)
    public = Compiled().table
    playout.set_public(public, view)
    public.hands[view.seat], public.hands[1 - view.seat] = view.hand, view.unseen
    for name in public.dtype.names:
        if name in playout.POSITION.names and name not in ("winner", "words", "stream"):
            assert np.array_equal(public[name], table[name]), name
    state = view.stream.copy()
    ends = []
    for position in (table, public):
        view.stream = state
        assert play_on(position, view, np.zeros(3, np.int64))
        ends.append(
            [position[name].tolist() for name in ("calls", "contract", "declarer", "taken", "played")]
        )
    assert ends[0] == ends[1]


rows_of = partial(played_rows.rows_of, "honeymoon")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEEDS, st.integers(0, 10**10), RULES)
def test_every_match_obeys_the_rules(seed, first_unit, rules):
    lineup = f"{QUICK[0]},{QUICK[-1]}"
    rows = list(rows_of(lineup, seed, 2, first_unit, **rules).itertuples())
    assert len(rows) == 2 * 2 * rules["deals"]
    totals = [0, 0]
    for number, (north, south) in enumerate(zip(rows[::2], rows[1::2], strict=True)):
        deal = number % rules["deals"]
        totals = totals if deal else [0, 0]
        assert (north.deal, north.seat, south.seat) == (deal, 0, 1)
        check_deal(north, south, deal, rules["vulnerability"])
        totals = [totals[0] + north.points, totals[1] + south.points]
        assert [north.total, south.total] == totals


def check_deal(north, south, deal, vulnerability):
    """Dealer and vulnerability, the contract and the points of a deal, from its two rows."""
    shared = ("unit", "dealer", "contract", "doubled", "declarer", "tricks")
    assert all(getattr(north, name) == getattr(south, name) for name in shared)
    assert north.dealer == (deal + deal // 4) % 2
    known = {"cycle": deal % 4, "none": 0, "both": 3}
    mask = north.vulnerable + 2 * south.vulnerable
    assert mask == known.get(vulnerability, mask)
    gains = [north.points, south.points]
    if north.contract == 0:
        assert (north.declarer, north.tricks, gains) == (-1, -1, [0, 0])
        return
    vulnerable = bool(mask >> north.declarer & 1)
    points = duplicate_points(north.contract, north.doubled, vulnerable, north.tricks)
    assert gains[north.declarer] - gains[1 - north.declarer] == points
    assert min(gains) == 0
