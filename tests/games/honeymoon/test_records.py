"""Records of honeymoon bridge: the plain engine replays them and finds every broken rule."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from records import about, changed

from bridzik_sim.games.honeymoon import reference as ref
from bridzik_sim.streams import below, choose

GOLDEN = Path(__file__).parents[2] / "golden"
# A shortened record: one deal of a match.
EXAMPLE = json.loads((GOLDEN / "honeymoon_example.json").read_text(encoding="utf-8"))
# Matches under several options.
GAMES = (GOLDEN / "honeymoon_random.json").read_text(encoding="utf-8").splitlines()
DEAL = ("deals", 0)


def bold(view):
    """Doubles and redoubles half of the time; else passes or makes one of the next bids."""
    answers = [code for code in range(38) if int(view.legal) >> code & 1]
    if answers[-1] > 35 and below(view, 2):
        return answers[-1]
    return answers[below(view, min(len(answers), 6))]


def timid(view):
    """Passes three times out of four."""
    return bold(view) if below(view, 4) == 0 else 0


PLAYERS = {"bold": SimpleNamespace(call=bold, play=choose), "timid": SimpleNamespace(call=timid, play=choose)}


def named(line):
    return " ".join(map(str, json.loads(line)["options"].values()))


def test_the_example_record_validates_and_is_written_the_same():
    game = ref.replay_record(EXAMPLE)
    assert json.dumps(game.as_dict(**about(EXAMPLE))) == json.dumps(EXAMPLE)
    # The first deal of the cycle that seat 1 deals with nobody vulnerable.
    assert game.deals[0].deal == 4


@pytest.mark.parametrize("line", GAMES, ids=named)
def test_the_same_seed_gives_the_golden_match_for_ever(line):
    record = json.loads(line)
    given = {key: record[key] for key in ("seed", "unit", "seating")}
    game = ref.play_game([PLAYERS[seat] for seat in record["seats"]], **given, **record["options"])
    assert json.dumps(game.as_dict(**about(record))) == line
    again = ref.replay_record(record)
    assert again == game
    assert json.dumps(again.as_dict(**about(record))) == line


def test_the_golden_matches_show_what_happens_in_matches():
    deals = [deal for line in GAMES for deal in ref.replay_record(json.loads(line)).deals]
    assert {deal.contract == 0 for deal in deals} == {True, False}
    assert {deal.doubled for deal in deals} == {0, 1, 2}
    assert {deal.vulnerable for deal in deals} == {0, 1, 2, 3}
    played = [deal for deal in deals if deal.contract]
    assert {deal.points[deal.declarer] > 0 for deal in played} == {True, False}
    assert {deal.declarer == deal.dealer for deal in played} == {True, False}


@pytest.mark.parametrize("line", GAMES, ids=named)
def test_the_last_deals_may_be_left_out(line):
    record = json.loads(line)
    for shown in range(len(record["deals"])):
        short = {**record, "deals": record["deals"][:shown]}
        game = ref.replay_record(short)
        assert (game.totals, game.winners, len(game.deals)) == (record["totals"], record["winners"], shown)


def trick(index, phase="draw_phase", **values):
    """A change of one trick."""
    return [((*DEAL, phase, index, *key.split("_")), value) for key, value in values.items()]


def of_deal(**values):
    """A change of the deal."""
    return [((*DEAL, key), value) for key, value in values.items()]


# The example: in the draw phase seat 1 leads D3, seat 0 wins with DJ and draws HA, seat 1 draws C6. Calls are 6NT, P. In the
# play seat 0 leads CA and gets CT.


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([(("game",), "bridge")], "game: must be honeymoon"),
        ([(("rules_version",), 2)], "rules_version: must be 1"),
        ([(("seats",), ["a"])], "players: honeymoon has 2, not 1"),
        ([(("options", "wild"), 1)], "options: must be of deals, vulnerability, par"),
        ([(("options", "deals"), 0)], "deals: must be 1 … 1000, not 0"),
        ([(("options", "vulnerability"), "N")], "vulnerability: must be cycle or random or none or both"),
        ([(("options", "vulnerability"), "both")], "deals[0].vulnerable: "),
        ([(("deals",), [*EXAMPLE["deals"]] * 17)], "deals: must be at most 16"),
        ([(("deals",), [*EXAMPLE["deals"]] * 2)], "deals[1].dealer: "),
        (of_deal(dealer=2), "deals[0].dealer: "),
        (of_deal(dealer=0), "deals[0].draw_phase[0].leader: seat 0 leads"),
        (of_deal(vulnerable="EW"), "deals[0].vulnerable: must be none or N or S or both"),
        ([((*DEAL, "hands", 0, 0), "CA")], "deals[0].hands[0]: a card is dealt twice: CA"),
        ([((*DEAL, "hands", 0, 0), "C1")], "deals[0].hands[0]: there is no card 'C1'"),
        ([((*DEAL, "hands", 0), ["C7"])], "deals[0].hands: must be 2 hands of 13 cards"),
        (of_deal(draw_phase=EXAMPLE["deals"][0]["draw_phase"][:-1]), "draw_phase: must be 13 tricks"),
        (trick(0, leader=2), "draw_phase[0].leader: there is no seat 2"),
        (trick(1, leader=1), "draw_phase[1].leader: seat 0 leads"),
        (trick(0, cards=["D3"]), "draw_phase[0].cards: must be 2"),
        (trick(0, cards=["SA", "DJ"]), "draw_phase[0].cards[0]: seat 1 does not hold SA"),
        (trick(0, cards=["X3", "DJ"]), "draw_phase[0].cards[0]: there is no card 'X3'"),
        (trick(0, cards=["D3", "C7"]), "draw_phase[0].cards[1]: seat 0 must follow suit"),
        (trick(0, cards=["D3", "HA"]), "draw_phase[0].cards[1]: seat 0 does not hold HA"),
        (trick(0, winner=1), "draw_phase[0].winner: seat 0 wins"),
        (trick(0, drawn=["HA"]), "draw_phase[0].drawn: must be a card for each seat"),
        (trick(0, drawn=["D3", "C6"]), "draw_phase[0].drawn[0]: a card is dealt twice: D3"),
        (trick(0, drawn=["C6", "HA"]), "draw_phase[7].cards[0]: seat 0 does not hold HA"),
        (of_deal(calls=["6NT"]), "deals[0].calls: the auction is not over"),
        (of_deal(calls=["6NT", "P", "P"]), "deals[0].calls[2]: the auction is over"),
        (of_deal(calls=["8NT", "P"]), "deals[0].calls[0]: there is no call '8NT'"),
        (of_deal(calls=["X", "P"]), "deals[0].calls[0]: seat 1 may not call X"),
        (of_deal(calls=["6NT", "5C", "P"]), "deals[0].calls[1]: seat 0 may not call 5C"),
        (of_deal(calls=["6NT", "XX", "P"]), "deals[0].calls[1]: seat 0 may not call XX"),
        (of_deal(calls=["6NT", "X", "P"]), "deals[0].contract: must be 6NTX, not '6NT'"),
        (of_deal(contract="6S"), "deals[0].contract: must be 6NT, not '6S'"),
        (of_deal(declarer=0), "deals[0].declarer: must be 1, not 0"),
        (of_deal(calls=["P", "6NT", "P"]), "deals[0].declarer: must be 0, not 1"),
        (of_deal(tricks=[]), "deals[0].tricks: must be 13 tricks"),
        (of_deal(calls=["P", "P"]), "deals[0].tricks: must be 0 tricks"),
        (trick(0, "tricks", leader=1), "tricks[0].leader: seat 0 leads"),
        (trick(0, "tricks", cards=["CA", "S2"]), "tricks[0].cards[1]: seat 1 must follow suit"),
        (trick(0, "tricks", winner=1), "tricks[0].winner: seat 0 wins"),
        (of_deal(declarer_tricks=8), "deals[0].declarer_tricks: must be 9, not 8"),
        (of_deal(points=[0, 150]), "deals[0].points: must be [150, 0], not [0, 150]"),
        ([(("totals",), [1640])], "totals: must be 2 numbers"),
        ([(("totals",), [140, 3440])], "totals: the points of the deals shown add up to [150, 0]"),
        ([(("totals",), [150, 15 * 7600 + 1])], "totals: the points of the deals shown add up to"),
        ([(("options", "deals"), 1)], "deals[0].dealer: "),
        ([(("winners",), [0])], "winners: the highest total has [1]"),
        ([(("totals",), [1640, 1640])], "winners: the highest total has [0, 1]"),
        ([(DEAL, {})], "not a record of a game of honeymoon bridge"),
        (of_deal(draw_phase=[{}] * 13), "not a record of a game of honeymoon bridge"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_record_is_refused_for_the_rule_it_breaks(changes, reason):
    record = EXAMPLE
    for path, value in changes:
        record = changed(record, path, value)
    with pytest.raises(ValueError, match=re.escape(reason)):
        ref.replay_record(record)


@pytest.mark.parametrize("line", GAMES, ids=named)
def test_a_whole_record_must_add_up_and_begin_with_the_first_deal(line):
    record = json.loads(line)
    for path, value, reason in (
        (("totals", 0), record["totals"][0] + 10, "totals: the points of the deals add up to"),
        (("deals",), [*record["deals"][1:], record["deals"][0]], "dealer: "),
        (("deals",), [*record["deals"], record["deals"][0]], "deals: must be at most"),
    ):
        with pytest.raises(ValueError, match=reason):
            ref.replay_record(changed(record, path, value))


def test_a_deal_that_was_passed_out_has_no_contract_and_no_tricks():
    record, index = next(
        (json.loads(line), index)
        for line in GAMES
        for index, deal in enumerate(json.loads(line)["deals"])
        if deal["calls"] == ["P", "P"]
    )
    deal = record["deals"][index]
    assert [deal[key] for key in ("contract", "declarer", "declarer_tricks", "tricks")] == [None] * 3 + [[]]
    assert deal["points"] == [0, 0]
    with pytest.raises(ValueError, match=r"contract: must be None, not '1C'"):
        ref.replay_record(changed(record, ("deals", index, "contract"), "1C"))
