"""bridzik replay for the games of contracts: the texts of records made by hand."""

import pytest

from bridzik_sim import replay_text

HEAD = {"seed": 5, "unit": 6, "seating": 0, "rules_version": 1}
SHORT = {"dealer": 1, "vulnerable": "none", "hands": [["CT", "SQ"], ["C2", "HA"], ["D8", "D9"], ["S2", "S3"]]}


def trick(leader, cards, winner, **more):
    return {"leader": leader, "cards": cards.split(), "winner": winner, **more}


def passed(dealer, calls, **more):
    """A deal that was passed out."""
    none = dict.fromkeys(("contract", "declarer", "declarer_tricks"))
    return {**SHORT, "dealer": dealer, "calls": calls.split(), **none, "tricks": [], "points": [0, 0], **more}


# Not games that the rules allow: deals of every kind, as short as can be.
RUBBER = {
    **HEAD,
    "game": "bridge",
    "options": {"scoring": "rubber", "max_deals": 3, "boards": []},
    "seats": ["a", "b", "c", "d"],
    "totals": [290, 800],
    "winners": [1, 3],
    "faults": [{"deal": 1, "seat": 2, "decision": "call", "kind": "illegal", "answer": "99"}],
    "deals": [
        passed(1, "P P P P", below=[0, 0], above=[0, 0], written=[0, 0], games=[0, 0]),
        {
            **SHORT,
            "dealer": 2,
            "calls": ["1C", "X", "XX", "2NT", "P", "3H", "P", "P", "P"],
            "contract": "3H",
            "declarer": 3,
            "tricks": [trick(0, "SQ HA D8 S2", 0), trick(0, "CT C2 D9 S3", 0)],
            "declarer_tricks": 7,
            "points": [100, 0],
            "below": [0, 0],
            "above": [100, 0],
            "written": [0, 0],
            "games": [0, 0],
        },
        {
            **SHORT,
            "dealer": 3,
            "vulnerable": "EW",
            "calls": ["2NT", "X", "P", "P", "P"],
            "contract": "2NTX",
            "declarer": 3,
            "tricks": [],
            "declarer_tricks": 10,
            "points": [190, 800],
            "below": [0, 0],
            "above": [290, 660],
            "written": [0, 140],
            "games": [0, 1],
        },
    ],
}
RUBBER_TEXT = """\
Contract bridge: seed 5, unit 6, seating 0, max_deals=3   (* takes the trick)
  seat N  a
  seat E  b
  seat S  c
  seat W  d

deal 1: E deals, nobody vulnerable
  N        ♠ Q     ♥ -   ♦ -     ♣ 10
  E        ♠ -     ♥ A   ♦ -     ♣ 2
  S        ♠ -     ♥ -   ♦ 9 8   ♣ -
  W        ♠ 3 2   ♥ -   ♦ -     ♣ -
  auction  N      E      S      W
                  pass   pass   pass
           pass
  result   passed out
  points   N-S: 0   E-W: 0
  below    N-S: 0   E-W: 0
  above    N-S: 0   E-W: 0
  games    N-S: 0   E-W: 0
  total    N-S: 0   E-W: 0

deal 2: S deals, nobody vulnerable
  N        ♠ Q     ♥ -   ♦ -     ♣ 10
  E        ♠ -     ♥ A   ♦ -     ♣ 2
  S        ♠ -     ♥ -   ♦ 9 8   ♣ -
  W        ♠ 3 2   ♥ -   ♦ -     ♣ -
  auction  N          E      S      W
                             1♣     double
           redouble   2NT    pass   3♥
           pass       pass   pass
  contract 3♥, declarer W, dummy E
  trick 1  N leads ♠Q*    E ♥A   S ♦8   W ♠2
  trick 2  N leads ♣10*   E ♣2   S ♦9   W ♠3
  result   7 tricks, 2 down
  points   N-S: 100   E-W: 0
  below    N-S: 0     E-W: 0
  above    N-S: 100   E-W: 0
  games    N-S: 0     E-W: 0
  total    N-S: 100   E-W: 0
  ! seat S answered 99 in its decision call; the lowest legal answer was taken instead

deal 3: W deals, E-W vulnerable
  N        ♠ Q     ♥ -   ♦ -     ♣ 10
  E        ♠ -     ♥ A   ♦ -     ♣ 2
  S        ♠ -     ♥ -   ♦ 9 8   ♣ -
  W        ♠ 3 2   ♥ -   ♦ -     ♣ -
  auction  N        E      S      W
                                  2NT
           double   pass   pass   pass
  contract 2NT doubled, declarer W, dummy E
  result   10 tricks, made with 2 over
  points   N-S: 190   E-W: 800
  below    N-S: 0     E-W: 0
  above    N-S: 290   E-W: 660
  games    N-S: 0     E-W: 1
  total    N-S: 290   E-W: 800

  end      N-S: 290   E-W: 800
  winners  E b, W d"""
BOARD = {
    **HEAD,
    "game": "bridge",
    "options": {"scoring": "duplicate", "boards": ["x" * 70] * 12},
    "seats": ["a", "b", "a", "b"],
    "totals": [0, 0],
    "winners": [0, 1, 2, 3],
    "deals": [passed(0, "P P P P", board=13, vulnerable="both")],
}
MATCH = {
    **HEAD,
    "game": "honeymoon",
    "options": {"deals": 1, "vulnerability": "cycle", "par": "off"},
    "seats": ["a", "b"],
    "totals": [0, 110],
    "winners": [1],
    "deals": [
        {
            "dealer": 1,
            "vulnerable": "S",
            "hands": [["C7", "CQ"], ["C3", "D3"]],
            "draw_phase": [
                trick(1, "D3 CQ", 1, drawn=["HA", "C6"]),
                trick(1, "C6 C7", 0, drawn=["H4", "C4"]),
            ],
            "calls": ["1H", "P"],
            "contract": "1H",
            "declarer": 1,
            "tricks": [trick(0, "HA C4", 0)],
            "declarer_tricks": 7,
            "points": [0, 110],
        }
    ],
}
MATCH_TEXT = """\
Honeymoon bridge: seed 5, unit 6, seating 0, deals=1   (* takes the trick)
  seat N  a
  seat S  b

deal 1: S deals, S vulnerable
  N        ♠ -   ♥ -   ♦ -   ♣ Q 7
  S        ♠ -   ♥ -   ♦ 3   ♣ 3
  draw 1   S leads ♦3*   N ♣Q    S draws ♣6   N ♥A
  draw 2   S leads ♣6    N ♣7*   S draws ♣4   N ♥4
  N        ♠ -   ♥ A 4   ♦ -   ♣ -
  S        ♠ -   ♥ -     ♦ -   ♣ 4 3
  auction  N      S
                  1♥
           pass
  contract 1♥, declarer S
  trick 1  N leads ♥A*   S ♣4
  result   7 tricks, made
  points   N: 0   S: 110
  total    N: 0   S: 110

  end      N: 0   S: 110
  winner   S b"""


@pytest.mark.parametrize(("record", "text"), [(RUBBER, RUBBER_TEXT), (MATCH, MATCH_TEXT)])
def test_every_kind_of_deal_is_told(record, text):
    assert replay_text.record_text(record).splitlines() == text.splitlines()


def test_a_board_is_told_by_its_number_and_without_a_sheet():
    lines = replay_text.record_text(BOARD).splitlines()
    assert lines[0].endswith(", scoring=duplicate, boards=(12 given)   (* takes the trick)")
    assert "board 13: N deals, all vulnerable" in lines
    assert lines[-5:] == [
        "  result   passed out",
        "  points   N-S: 0   E-W: 0",
        "",
        "  end      N-S: 0   E-W: 0",
        "  winners  N a, E b, S a, W b",
    ]


def test_in_slovak():
    told = "\n".join(replay_text.record_text(record, "sk") for record in (RUBBER, BOARD, MATCH)).splitlines()
    for line in (
        "rozdanie 2: rozdáva S, v druhej hre nikto",
        "rozdanie č. 13: rozdáva N, v druhej hre všetci",
        "  dražba   N          E     S     W",
        "                            1♣    kontra",
        "           rekontra   2BT   pas   3♥",
        "  záväzok  2BT s kontrou, vydražiteľ W, tichý hráč E",
        "  zdvih 1  N vynáša ♠Q*    E ♥A   S ♦8   W ♠2",
        "  výsledok všetci pasovali",
        "  výsledok zdvihy: 7, nesplnený, pády: 2",
        "  výsledok zdvihy: 7, splnený",
        "  výsledok zdvihy: 10, splnený, nadzdvihy: 2",
        "  ťah 1    S vynáša ♦3*   N ♣Q    S ťahá ♣6   N ♥A",
        "  víťazi   E b, W d",
    ):
        assert line in told
