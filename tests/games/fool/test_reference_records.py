"""Records of Czech Fool: the plain engine replays them and finds every broken rule."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from records import about, changed

from bridzik_sim.games.fool import reference as ref
from bridzik_sim.streams import choose

GOLDEN = Path(__file__).parents[2] / "golden"
# A shortened record: the first round of a game.
EXAMPLE = json.loads((GOLDEN / "fool_example.json").read_text(encoding="utf-8"))
# Games at tables of all sizes, with all options.
GAMES = (GOLDEN / "fool_random.json").read_text(encoding="utf-8").splitlines()
DEAL = ("deals", 0)


def high(view):
    return int(view.legal).bit_length() - 1


def half(view):
    """The lowest card in every other turn, else anything."""
    cards = int(view.legal) & ((1 << 52) - 1)
    return choose(view) if view.turns % 2 or not cards else (cards & -cards).bit_length() - 1


PLAYERS = {"half": SimpleNamespace(move=half, suit=choose), "high": SimpleNamespace(move=high, suit=high)}


def test_the_example_record_validates_and_is_written_the_same():
    game = ref.replay_record(EXAMPLE)
    assert json.dumps(game.as_dict(**about(EXAMPLE))) == json.dumps(EXAMPLE)


@pytest.mark.parametrize("line", GAMES, ids=lambda line: str(len(json.loads(line)["seats"])))
def test_the_same_seed_gives_the_golden_game_for_ever(line):
    record = json.loads(line)
    given = {key: record[key] for key in ("seed", "unit", "seating")}
    game = ref.play_game([PLAYERS[seat] for seat in record["seats"]], **given, **record["options"])
    assert json.dumps(game.as_dict(**about(record))) == line
    again = ref.replay_record(record)
    assert again == game
    assert json.dumps(again.as_dict(**about(record))) == line


def test_the_golden_games_show_what_happens_in_games():
    games = [ref.replay_record(json.loads(line)) for line in GAMES]
    deals = [deal for game in games for deal in game.deals]
    moves = [move for deal in deals for move in deal.moves]
    assert {deal.ending for deal in deals} == {0, 1, 2}
    assert {len(game.winners) for game in games} == {1, 2}
    assert {bool(hand) for deal in deals for hand in deal.hands} == {True, False}
    assert any(deal.open_suit >= 0 for deal in deals)
    assert any(move.forced for move in moves)
    assert any(len(move.draw) > 2 for move in moves)
    assert max(max(game.places) for game in games) == 4


@pytest.mark.parametrize("line", GAMES, ids=lambda line: str(len(json.loads(line)["seats"])))
def test_the_last_rounds_may_be_left_out(line):
    record = json.loads(line)
    for shown in range(len(record["deals"])):
        short = {**record, "deals": record["deals"][:shown]}
        game = ref.replay_record(short)
        assert (game.totals, game.winners, len(game.deals)) == (record["totals"], record["winners"], shown)


def move(index, **values):
    """A change of one move of the first round."""
    return [((*DEAL, "moves", index, key), value) for key, value in values.items()]


# Moves of the example: 0 is CK; 1 is CQ, which asks for hearts; 2 draws HK and plays SQ; 4 is C6, so 5 is made to draw S7.


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([(("game",), "wizard")], "game: must be fool"),
        ([(("rules_version",), 2)], "rules_version: must be 1"),
        ([(("seats",), ["a"])], "players: fool has 2 to 4, not 1"),
        ([(("options", "wild"), 1)], "options: must be of deck, draw, max_turns"),
        ([(("options", "deck"), 32)], "deck: must be 52 or 36, not 32"),
        ([((*DEAL, "dealer"), 4)], "deals[0].dealer: is out of the game"),
        ([((*DEAL, "dealer"), 1)], "deals[0].moves[0].seat: seat 2 moves"),
        ([((*DEAL, "hands", 0), ["C8"])], "deals[0].hands: must be 5 cards for everyone still in"),
        ([((*DEAL, "hands", 0, 0), "HQ")], "deals[0].hands[0]: a card is dealt twice: HQ"),
        ([((*DEAL, "hands", 0, 0), "C5")], "deals[0].hands[0]: there is no card 'C5'"),
        ([((*DEAL, "open_card"), "SK")], "deals[0].open_card: a card is dealt twice: SK"),
        (
            [((*DEAL, "open_suit"), "H")],
            "deals[0].open_suit: must be a suit for a queen, and only for a queen",
        ),
        (move(0, seat=2), "moves[0].seat: seat 1 moves"),
        (move(0, play="C5"), "moves[0].play: seat 1 does not hold C5"),
        (move(0, play="X5"), "moves[0].play: there is no card 'X5'"),
        (move(0, play="C6"), "moves[0].play: C6 does not fit"),
        (move(0, suit="H"), "moves[0].suit: only a queen asks for one"),
        (move(0, **{"pass": True}), "moves[0].pass: who plays a card does not pass"),
        (move(0, play=None), "moves[0]: a turn ends with a card or a pass"),
        (move(0, play=None, **{"pass": True}), "moves[0].pass: seat 1 may not pass"),
        (move(0, forced=True), "moves[0].forced: only sixes and sevens force a draw"),
        (move(0, draw=["HK", "HJ"]), "moves[0].draw: too many cards are drawn"),
        (move(0, draw=["C8"]), "moves[0].draw: C8 is not in the stock"),
        (move(1, suit=None), "moves[1].suit: only a queen asks for one"),
        (move(1, suit="X"), "moves[1].suit: only a queen asks for one"),
        (move(2, play="SA"), "moves[2].play: SA does not fit"),
        (move(5, seat=3), "moves[5].seat: seat 2 must draw"),
        (move(5, forced=False), "moves[5].forced: only sixes and sevens force a draw"),
        (move(5, draw=[]), "moves[5].draw: another card has to be drawn"),
        (move(5, draw=["S7", "S8"]), "moves[5].draw: too many cards are drawn"),
        (move(5, **{"pass": True}), "moves[5]: one who is made to draw is skipped"),
        (move(5, play="C7"), "moves[5]: one who is made to draw is skipped"),
        ([((*DEAL, "left", 0), ["D6"])], "deals[0].left: the cards left are"),
        ([((*DEAL, "points"), [12, 34, 20, 45])], "deals[0].points: the points are [12, 34, 0, 45]"),
        ([((*DEAL, "totals"), [12, 34, 0, 46])], "deals[0].totals: the totals are [12, 34, 0, 45]"),
        ([((*DEAL, "capped"), True)], "deals[0].capped: must be left out"),
        ([((*DEAL, "blocked"), True)], "deals[0].blocked: must be left out"),
        ([(("options", "max_turns"), 20)], "the round is over"),
        ([(("totals",), [78, 145, 132])], "totals: must be 4 numbers"),
        ([(("totals",), [78, 101, 132, 113])], "totals: exactly 101 becomes 0"),
        ([(("totals",), [78, 45, 132, 113])], "totals: at most one is still in at the end"),
        ([(("winners",), [1])], "winners: must be [0]"),
        (
            [(("totals",), [178, 145, 132, 113])],
            "winners: must be who has the lowest total of the last round",
        ),
        ([(DEAL, {})], "not a record of a game of Czech Fool"),
        ([((*DEAL, "moves", 0), {})], "not a record of a game of Czech Fool"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_record_is_refused_for_the_rule_it_breaks(changes, reason):
    record = EXAMPLE
    for path, value in changes:
        record = changed(record, path, value)
    with pytest.raises(ValueError, match=re.escape(reason)):
        ref.replay_record(record)


def test_a_round_must_be_shown_to_its_end():
    record = changed(EXAMPLE, (*DEAL, "moves"), EXAMPLE["deals"][0]["moves"][:-1])
    with pytest.raises(ValueError, match=r"deals\[0\].moves: the round is not over"):
        ref.replay_record(record)


def test_who_may_not_draw_is_found_out():
    record = changed(EXAMPLE, ("options", "draw"), "forced")
    with pytest.raises(ValueError, match=r"moves\[\d+\].draw: seat \d may not draw"):
        ref.replay_record(record)


def test_on_an_eight_a_card_from_the_hand_is_refused_as_is_a_draw_that_stops_early_or_late():
    record, index = next(
        (json.loads(line), index)
        for line in GAMES
        for index, move in enumerate(json.loads(line)["deals"][0]["moves"])
        if len(move["draw"]) > 1 and not move.get("forced")
    )
    place = (*DEAL, "moves", index)
    given = record["deals"][0]["moves"][index]
    for path, value, reason in (
        ((*place, "draw"), given["draw"][:-1], "draw: another card has to be drawn"),
        ((*place, "draw"), [], "play: .* is no two and was not drawn|does not hold"),
        ((*place, "play"), given["draw"][0], "play: .* is no two and was not drawn for the open eight"),
        ((*place, "play"), None, "a turn ends|may not pass"),
    ):
        with pytest.raises(ValueError, match=reason):
            ref.replay_record(changed(record, path, value))


@pytest.mark.parametrize("line", GAMES, ids=lambda line: str(len(json.loads(line)["seats"])))
def test_the_end_of_a_whole_record_must_be_right(line):
    record = json.loads(line)
    for path, value, reason in (
        (("totals", 0), record["totals"][0] + 1, "totals: the totals after the last round are"),
        (("winners",), [*record["winners"], 9], "winners: must be"),
        (("deals",), [*record["deals"], record["deals"][-1]], "the game is over"),
    ):
        with pytest.raises(ValueError, match=reason):
            ref.replay_record(changed(record, path, value))


def test_the_dealer_of_a_later_round_must_be_right():
    record = json.loads(GAMES[0])
    wrong = next(seat for seat in (0, 1) if seat != record["deals"][1]["dealer"])
    with pytest.raises(ValueError, match=r"deals\[1\].dealer: seat \d scored most and deals"):
        ref.replay_record(changed(record, ("deals", 1, "dealer"), wrong))


@pytest.mark.parametrize(("key", "line"), [("blocked", -1), ("capped", -2)])
def test_that_a_round_was_blocked_or_capped_must_be_told(key, line):
    record = json.loads(GAMES[line])
    assert record["deals"][0][key] is True
    with pytest.raises(ValueError, match=rf"deals\[0\].{key}: must be true"):
        ref.replay_record(changed(record, (*DEAL, key), False))
