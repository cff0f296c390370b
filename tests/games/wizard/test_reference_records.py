"""Records of Wizard: the plain engine replays them and finds every broken rule."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from records import about, changed

from bridzik_sim.games.wizard import reference as ref
from bridzik_sim.games.wizard.rules import DEAL_KINDS
from bridzik_sim.streams import choose

GOLDEN = Path(__file__).parents[2] / "golden"
# A shortened record: two deals of a game of twelve.
EXAMPLE = json.loads((GOLDEN / "wizard_example.json").read_text(encoding="utf-8"))
# Games of random players at tables of all sizes, under all options.
RANDOM = (GOLDEN / "wizard_random.json").read_text(encoding="utf-8").splitlines()
ROUND2, ROUND4 = ("deals", 0), ("deals", 1)


def lowest(view):
    return (int(view.legal) & -int(view.legal)).bit_length() - 1


def test_the_example_record_validates_and_is_written_the_same():
    game = ref.replay_record(EXAMPLE)
    assert json.dumps(game.as_dict(**about(EXAMPLE))) == json.dumps(EXAMPLE)


@pytest.mark.parametrize("line", RANDOM, ids=lambda line: str(len(json.loads(line)["seats"])))
def test_the_same_seed_gives_the_golden_game_for_ever(line):
    record = json.loads(line)
    players = [SimpleNamespace(bid=choose, play=choose, trump=choose)] * len(record["seats"])
    given = {key: record[key] for key in ("seed", "unit", "seating")}
    game = ref.play_game(players, **given, **record["options"])
    assert json.dumps(game.as_dict(**about(record))) == line
    assert json.dumps(ref.replay_record(record).as_dict(**about(record))) == line


def test_the_golden_games_show_every_kind_of_deal():
    kinds = {DEAL_KINDS[deal.kind] for line in RANDOM for deal in ref.replay_record(json.loads(line)).deals}
    assert kinds == {*DEAL_KINDS}


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("game",), "bridzik", "game: must be wizard"),
        (("rules_version",), 2, "rules_version: must be 1"),
        (("seats",), ["a", "b"], "players: wizard has 3 to 6, not 2"),
        (("options", "first_dealer"), 3, r"deals\[0\].dealer: seat 4 deals"),
        (("options", "hand_sizes"), [2, 3], "deals: must be deals of the options, in order"),
        (("options", "wild"), 1, "options: must be of hand_sizes"),
        (("winners",), [0, 1], r"winners: the highest total has \[0\]"),
        (("totals",), [-140, -180, 2000, -190, -330], "totals: seat 2 made 10 in the deals shown"),
        (("totals",), [-1400, -180, -250, -190, -330], "totals: seat 0 made 0 in the deals shown"),
        ((*ROUND4, "round"), 1, "deals: must be deals of the options, in order"),
        ((*ROUND4, "dealer"), 3, r"deals\[1\].dealer: seat 2 deals"),
        ((*ROUND2, "starter"), 0, r"deals\[0\].starter: seat 1 opens"),
        ((*ROUND2, "trump_card"), None, r"deals\[0\].trump_card: is turned up if a card is left"),
        ((*ROUND2, "trump_card"), "G10", "a card is dealt twice: G10"),
        ((*ROUND2, "trump_card"), "Y7", r"deals\[0\].trump: the card turned up makes it Y"),
        ((*ROUND2, "trump_card"), "J", r"deals\[0\].trump: the card turned up makes it none"),
        ((*ROUND2, "trump"), None, r"deals\[0\].trump: the card turned up makes it G"),
        ((*ROUND2, "hands", 0), ["Y10"], "must be 5 hands of 2 cards"),
        ((*ROUND2, "hands", 0, 0), "R4", "a card is dealt twice: R4"),
        ((*ROUND2, "hands", 0, 0), "R14", "there is no card 'R14'"),
        ((*ROUND2, "bids", 2), 3, r"bids\[2\]: must be 0 … 2"),
        ((*ROUND2, "bids"), [2, 2, 0, 0], "bids: must be 5"),
        ((*ROUND2, "tricks", 0, "leader"), 0, r"tricks\[0\].leader: seat 1 leads"),
        ((*ROUND2, "tricks", 0, "winner"), 0, r"tricks\[0\].winner: seat 1 wins"),
        ((*ROUND2, "tricks", 1, "cards", 2), "R2", r"cards\[2\]: seat 3 does not hold R2"),
        ((*ROUND4, "tricks", 0, "cards", 4), "B6", r"tricks\[0\].cards\[4\]: seat 2 must follow suit"),
        ((*ROUND4, "tricks"), [], "tricks: must be 4"),
        ((*ROUND4, "taken"), [1, 0, 0, 2, 1], r"taken: the tricks taken are \[0, 0, 1, 2, 1\]"),
        ((*ROUND4, "points"), [20, -40, 10, 40, -20], r"points: the points are \[20, -40, -10, 40, -20\]"),
        (ROUND4, {}, "not a record of a game of wizard"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_changed_record_is_refused_for_the_rule_it_breaks(path, value, reason):
    with pytest.raises(ValueError, match=reason):
        ref.replay_record(changed(EXAMPLE, path, value))


def test_the_sum_rule_binds_the_dealer_where_it_is_on():
    record = changed(EXAMPLE, (*ROUND4, "bids"), [0, 1, 2, 0, 1])
    with pytest.raises(ValueError, match=r"deals\[1\].points"):
        ref.replay_record(record)
    with pytest.raises(ValueError, match=r"deals\[1\].bids\[2\]: the last bid may not make the sum 4"):
        ref.replay_record(changed(record, ("options", "sum_rule"), "on"))


def game_with(wanted, wizard_trump):
    """A record of one deal that was made by a card of this name turned up, or none."""
    player = SimpleNamespace(bid=lowest, play=lowest, trump=lambda view: 2)
    options = {"wizard_trump": wizard_trump}
    for unit in range(100):
        record = ref.play_game([player] * 3, seed=4, unit=unit, **options).as_dict(
            options=options, seed=4, unit=unit, seating=0, seats=["low"] * 3
        )
        fitting = [deal for deal in record["deals"] if deal["trump_card"] == wanted]
        if fitting and fitting[-1]["round"] > 2:
            return {**record, "deals": fitting[-1:]}
    raise AssertionError(wanted)


@pytest.mark.parametrize(
    ("turned", "wizard_trump", "trump", "reason"),
    [
        ("W", "dealer", None, "the dealer chooses a suit"),
        ("W", "dealer", "W", "the dealer chooses a suit"),
        ("W", "none", "G", "the card turned up makes it none"),
        ("J", "dealer", "G", "the card turned up makes it none"),
        (None, "none", "R", "the card turned up makes it none"),
    ],
)
def test_the_trump_must_fit_the_card_turned_up(turned, wizard_trump, trump, reason):
    record = game_with(turned, wizard_trump)
    deal = ref.replay_record(record).deals[0]
    assert deal.as_dict() == record["deals"][0]
    assert (record["deals"][0]["trump"] == "G") == ((turned, wizard_trump) == ("W", "dealer"))
    with pytest.raises(ValueError, match=f"trump: {reason}"):
        ref.replay_record(changed(record, (*ROUND2, "trump"), trump))


def test_there_are_four_wizards_and_four_jesters():
    record = game_with("W", "none")
    held = record["deals"][0]["hands"]
    places = [
        (seat, card) for seat, hand in enumerate(held) for card in range(len(hand)) if hand[card][0] in "RYGB"
    ]
    for seat, card in places[:4]:
        held[seat][card] = "W"
    with pytest.raises(ValueError, match="a card is dealt twice: W"):
        ref.replay_record(record)


def test_totals_of_a_whole_record_must_add_up():
    player = SimpleNamespace(bid=lowest, play=lowest, trump=lowest)
    record = ref.play_game([player] * 4, seed=1, unit=0).as_dict(
        options={}, seed=1, unit=0, seating=0, seats=["low"] * 4
    )
    ref.replay_record(record)
    record["totals"][2] += 10
    with pytest.raises(ValueError, match="totals: the points of the deals add up"):
        ref.replay_record(record)
