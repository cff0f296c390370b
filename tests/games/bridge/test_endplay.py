"""What endplay says of our contracts and PBN files: the same scores, the same deals, read and written."""

import io
import itertools

import pytest
from bridge_records import records

from bridzik_sim.games import contract
from bridzik_sim.games.bridge import pbn

WHY = "endplay has no build for this Python"
config = pytest.importorskip("endplay.config", reason=WHY)
types = pytest.importorskip("endplay.types", reason=WHY)
other = pytest.importorskip("endplay.parsers.pbn", reason=WHY)

SEATS = "NESW"
DENOMINATIONS = [getattr(types.Denom, name) for name in ("clubs", "diamonds", "hearts", "spades", "nt")]
PENALTIES = [types.Penalty.passed, types.Penalty.doubled, types.Penalty.redoubled]
VULNERABLE = {"none": types.Vul.none, "NS": types.Vul.ns, "EW": types.Vul.ew, "both": types.Vul.both}


def test_every_contract_scores_as_endplay_scores_it():
    for bid, doubled, vulnerable, tricks in itertools.product(range(1, 36), range(3), range(2), range(14)):
        level, denomination = divmod(bid - 1, 5)
        theirs = types.Contract(
            level=level + 1,
            denom=DENOMINATIONS[denomination],
            declarer=types.Player.north,
            penalty=PENALTIES[doubled],
            result=tricks - 7 - level,
        )
        expected = theirs.score(types.Vul.ns if vulnerable else types.Vul.ew)
        assert contract.duplicate_points(bid, doubled, vulnerable, tricks) == expected, (theirs, vulnerable)


@pytest.fixture(scope="module")
def games():
    with config.suppress_unicode():
        yield records()


def their_call(bid):
    if isinstance(bid, types.ContractBid):
        return f"{bid.level}{bid.denom.abbr}"
    return bid.penalty.abbr.upper() or "P"


def their_hand(deal, seat):
    return [card.suit.abbr + card.rank.abbr for card in deal[types.Player.find(seat)]]


def test_endplay_reads_what_is_written(games):
    text = pbn.HEADER + "".join(map(pbn.write, games))
    deals = [deal for game in games for deal in game["deals"]]
    theirs = other.loads(text)
    assert len(theirs) == len(deals) > 100
    kinds = set()
    for board, deal in zip(theirs, deals, strict=True):
        assert board.dealer.abbr == SEATS[deal["dealer"]]
        assert board.vul == VULNERABLE[deal["vulnerable"]]
        for seat, hand in zip(SEATS, deal["hands"], strict=True):
            assert sorted(their_hand(board.deal, seat)) == sorted(hand)
        assert [their_call(bid) for bid in board.auction] == deal["calls"]
        if deal["contract"] is None:
            assert board.contract.is_passout()
            assert not board.play
            kinds.add("passed out")
            continue
        bid = board.contract
        assert f"{bid.level}{bid.denom.abbr}{bid.penalty.abbr.upper()}" == deal["contract"]
        assert bid.declarer.abbr == SEATS[deal["declarer"]]
        assert bid.level + 6 + bid.result == deal["declarer_tricks"]
        cards = [card for trick in deal["tricks"] for card in trick["cards"]]
        assert [card.suit.abbr + card.rank.abbr for card in board.play] == cards
        kinds.add(deal["contract"][-1])
        if "board" in deal:
            assert board.board_num == deal["board"]
            assert board.info.Scoring == "IMP"
            assert max(deal["points"]) == abs(bid.score(board.vul))
        else:
            assert board.info.Scoring == "Rubber"
    assert kinds >= {"passed out", "X", "S", "T"}


def test_we_read_what_endplay_writes(games):
    text = "".join(map(pbn.write, games))
    theirs = io.StringIO()
    other.dump(other.loads(text), theirs)
    assert pbn.read(theirs.getvalue()) == pbn.read(text)


def test_endplay_reads_the_names_that_are_written(games):
    board = other.loads(pbn.write(games[0]))[0]
    assert (board.info.North, board.info.South, board.info.West) == ("random", "ž", "x=[1]")
