"""Seatings, as the table of the design fixes them, for every number of seats and for sides."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from bridzik_sim import match
from bridzik_sim.errors import UsageError

SIZES = range(2, 7)


def letters(made):
    """Seatings as words: ABAB."""
    return ["".join("ABCDEFGH"[who] for who in row) for row in made.seatings.tolist()]


def test_simulate_as_given():
    assert letters(match.simulate([0, 1, 2, 2])) == ["ABCC"]
    assert not match.simulate([0, 1, 2, 2]).duels.size


@pytest.mark.parametrize(
    ("seats", "rotations"),
    [
        ([0, 1, 2, 3], ["ABCD", "DABC", "CDAB", "BCDA"]),
        ([0, 0, 0, 0], ["AAAA"]),
        ([0, 1, 0, 1], ["ABAB", "BABA"]),
        ([0, 1, 1, 1], ["ABBB", "BABB", "BBAB", "BBBA"]),
        ([0, 1], ["AB", "BA"]),
    ],
)
def test_simulate_in_distinct_rotations(seats, rotations):
    # In rotation k everyone sits k seats further left, and left of seat s is seat s + 1.
    assert letters(match.simulate(seats, match.ROTATE)) == rotations


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (2, ["AB", "BA"]),
        (3, ["ABA", "AAB", "BAA", "BAB", "BBA", "ABB"]),
        (4, ["ABAB", "BABA"]),
        (5, ["ABABA", "AABAB", "BAABA", "ABAAB", "BABAA", "BABAB", "BBABA", "ABBAB", "BABBA", "ABABB"]),
        (6, ["ABABAB", "BABABA"]),
    ],
)
def test_two_at_common_tables(seats, expected):
    assert letters(match.compare(seats, seats)) == expected


@pytest.mark.parametrize("seats", SIZES)
def test_every_half_and_half_seating(seats):
    words = letters(match.compare(seats, seats, match.ALL))
    assert len(words) == len(set(words)) == (1 + seats % 2) * comb(seats, seats // 2)
    assert all(abs(word.count("A") - word.count("B")) == seats % 2 for word in words)


@pytest.mark.parametrize("seating", [match.ALTERNATING, match.ALL])
@pytest.mark.parametrize("seats", SIZES)
def test_both_sit_everywhere_equally_often(seats, seating):
    words = letters(match.compare(seats, seats, seating))
    for seat in range(seats):
        here = Counter(word[seat] for word in words)
        assert here["A"] == here["B"]


@pytest.mark.parametrize("seats", SIZES)
def test_against_a_field(seats):
    made = match.against_field(seats, seats)
    expected = [
        "".join(who if at == own else "C" for at in range(seats)) for who in "AB" for own in range(seats)
    ]
    assert letters(made) == expected
    # Seat by seat: the table with A there against the table with B there.
    assert made.duels.tolist() == [[0, own, 0, seats + own, 1] for own in range(seats)]


def test_partners_sit_for_a_side():
    assert letters(match.compare(4, 2)) == letters(match.compare(4, 2, match.ALL)) == ["ABAB", "BABA"]
    assert letters(match.against_field(4, 2)) == ["ACAC", "CACA", "BCBC", "CBCB"]
    assert letters(match.tournament(3, 4, 2, match.ALL)) == ["ABAB", "BABA", "ACAC", "CACA", "BCBC", "CBCB"]


def test_a_tournament_of_pairs():
    made = match.tournament(3, 4, 4)
    assert letters(made) == ["ABAB", "BABA", "ACAC", "CACA", "BCBC", "CBCB"]
    assert (made.lineups, made.pairs) == (3, ((0, 1), (0, 2), (1, 2)))
    assert made.duels.tolist() == [
        *([0, 0, 0, 0, 1], [0, 1, 0, 1, 1], [1, 2, 0, 2, 2]),
        *([1, 3, 0, 3, 2], [2, 4, 1, 4, 2], [2, 5, 1, 5, 2]),
    ]
    assert len(match.tournament(3, 4, 4, seating=match.ALL).seatings) == 3 * 6


@pytest.mark.parametrize(("entrants", "seats"), [(4, 4), (6, 4), (5, 2), (8, 3)])
def test_a_tournament_at_full_tables(entrants, seats):
    made = match.tournament(entrants, seats, seats, match.ALL)
    rows = [tuple(row) for row in made.seatings.tolist()]
    assert Counter(tuple(sorted(row)) for row in rows) == dict.fromkeys(
        combinations(range(entrants), seats), seats
    )
    assert len(set(rows)) == len(rows) == made.lineups * seats
    # Two entrants meet wherever both sit.
    assert made.duels_of(0) == comb(entrants - 2, seats - 2) * seats


def test_each_in_one_seat():
    made = match.tournament(3, 4, 4, match.ONE, references=[0, 2])
    assert letters(made) == [
        *("ACCC", "CACC", "CCAC", "CCCA", "BAAA", "ABAA", "AABA", "AAAB", "BCCC", "CBCC", "CCBC", "CCCB"),
        *("CAAA", "ACAA", "AACA", "AAAC", "AAAA", "BBBB", "CCCC"),
    ]
    assert (made.turns, made.lineups, made.fewest_games) == (4, 5, 9)
    assert made.pairs == ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 2))
    ones = [made.pairs[pair][0] for pair, _ in made.ones.tolist()]
    assert ones == made.ones[:, 1].tolist() == [0] * 4 + [1] * 8 + [2] * 4 + [0, 1, 2]
    # The one is compared with the others at its own tables, and nobody with itself.
    assert [made.duels_of(pair) for pair in range(7)] == [0, 4, 4, 0, 4, 4, 0]
    assert letters(match.tournament(2, 4, 2, match.ONE, references=[1])) == ["ABAB", "BABA", "AAAA", "BBBB"]


@pytest.mark.parametrize("seats", SIZES)
def test_points_are_means_over_an_entrants_seats(seats):
    made = match.compare(seats, seats)
    for row, weights in zip(made.seatings.tolist(), made.weights.tolist(), strict=True):
        assert [weight * row.count(who) for who, weight in enumerate(weights)] == [made.scale, made.scale]


def test_what_cannot_be_seated():
    with pytest.raises(UsageError, match="at least 4 of them, not 3"):
        match.tournament(3, 4, 4, match.ALL)
    with pytest.raises(UsageError, match="is the most"):
        match.tournament(60, 4, 4, match.ALL)
    with pytest.raises(UsageError, match="is the most"):
        match.tournament(65, 4, 4, match.ONE, references=range(65))
