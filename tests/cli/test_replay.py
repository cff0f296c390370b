"""bridzik replay: golden records, texts checked by hand, views that hide, failures that are shown."""

import json
import re
from pathlib import Path

import pytest

from bridzik_sim import api, experiment, replay, replay_text
from bridzik_sim.errors import UsageError
from bridzik_sim.games import get
from bridzik_sim.games.bridzik import reference as ref
from bridzik_sim.play import Player

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SMALL = ("--seats", "random*4", "--seed", "1", "--option", "hand_sizes=1")


def lines_of(name):
    return (GOLDEN / name).read_text(encoding="utf-8").splitlines()


def golden_records():
    records = [
        (f"{n} {i}", json.loads(t))
        for n in ("random", "by_hand")
        for i, t in enumerate(lines_of(f"{n}.json"))
    ]
    return [*records, ("example", json.loads((GOLDEN / "example.json").read_text(encoding="utf-8")))]


RECORDS = golden_records()


@pytest.mark.parametrize("record", [r for _, r in RECORDS], ids=[name for name, _ in RECORDS])
def test_a_golden_game_follows_the_rules_from_its_moves_alone(record):
    game = ref.replay_record(record)
    given = {key: record[key] for key in ("options", "seed", "unit", "seating", "seats")}
    assert game.as_dict(**given) == record


@pytest.mark.parametrize("number", range(5))
def test_the_same_seed_gives_the_golden_game_for_ever(bridzik, number):
    line = lines_of("random.json")[number]
    record = json.loads(line)
    sizes = ",".join(str(size) for size in record["options"]["hand_sizes"])
    asked = ("--seats", "random*4", "--seed", record["seed"], "--unit", record["unit"])
    result = bridzik("replay", *asked, "--option", f"hand_sizes={sizes}", "--as", "json")
    assert (result.code, result.err) == (0, "")
    assert result.out == line + "\n"


def test_the_text_of_a_game_checked_by_hand():
    record = json.loads(lines_of("by_hand.json")[0])
    assert replay_text.record_text(record).splitlines() == lines_of("one_card.txt")


def test_a_heart_that_must_be_played_and_a_bid_that_may_not():
    text = replay_text.record_text(json.loads(lines_of("by_hand.json")[1]))
    assert "  seat 1   hearts 7   leaves -     acorns -   bells 8\n" in text
    assert "  bids     2: 2   3: 0   0: 0   1: 1 (not 0)   sum 3\n" in text
    assert "  trick 1  2 leads L7   3 H8*   0 L9   1 H7\n" in text
    assert text.endswith("  winner   0 a")


def test_in_slovak_the_cards_have_their_names_and_genders():
    text = replay_text.record_text(json.loads(lines_of("by_hand.json")[0]), "sk")
    assert "séria 0, kolo 7: 1 karta, tipovanie začína hráč 3\n" in text
    assert "  hráč 3   červeň -   zeleň kráľ   žaluď -   guľa -\n" in text
    assert "  tipy     3: 1   0: 0   1: 0   2: 1 (nesmie 0)   súčet 2\n" in text
    assert (
        "  kopka 1  3 vynáša zelený kráľ   0 zelené eso   1 zelená sedmička   2 červená sedmička*\n" in text
    )
    assert text.endswith("  víťazi   1 b, 2 c, 3 d")
    words = get("bridzik").words["sk"].cards
    assert [words[i] for i in (0, 4, 7, 9, 21, 31)] == [
        "červená sedmička", "červený dolník", "červené eso", "zelená osmička", "žaluďový horník", "guľové eso",
    ]  # fmt: skip
    own = replay_text.teller(RECORDS[0][1], "sk").own
    assert [own.cards(n) for n in (1, 2, 4, 5, 8)] == [
        "1 karta",
        "2 karty",
        "4 karty",
        "5 kariet",
        "8 kariet",
    ]


def test_a_range_of_units_is_told_one_after_another(bridzik):
    both = bridzik("replay", *SMALL, "--unit", "3:5").out
    one, two = bridzik("replay", *SMALL, "--unit", "3").out, bridzik("replay", *SMALL, "--unit", "4").out
    assert both == one + "\n" + two
    assert [
        json.loads(t)["unit"]
        for t in bridzik("replay", *SMALL, "--unit", "3:6", "--as", "json").out.splitlines()
    ] == [3, 4, 5]


def test_a_run_folder_and_its_arguments_give_the_same_game(bridzik, tmp_path):
    out = tmp_path / "run"
    options = {"hand_sizes": "1,2"}
    run = api.simulate("random,simple*3", 8, 5, seating="rotate", options=options, out=out, jobs=1)
    asked = ("--unit", "1", "--seating", "2", "--as", "json")
    from_folder = bridzik("replay", out, *asked)
    assert from_folder.code == 0
    record = json.loads(from_folder.out)
    assert record["seats"] == ["simple", "simple", "random", "simple"]
    typed = run.experiment.as_arguments(2).replace(
        "--seats random,simple,simple,simple", "--seats random,simple*3"
    )
    assert bridzik("replay", *typed.split(), *asked).out == from_folder.out
    ref.replay_record(record)


def test_a_drawn_seed_is_told(bridzik, monkeypatch):
    monkeypatch.setattr(api, "draw_seed", lambda: 1)
    result = bridzik("replay", "--seats", "random*4", "--option", "hand_sizes=1", "--unit", "0")
    assert result.err == "seed 1\n"
    assert result.out == bridzik("replay", *SMALL, "--unit", "0").out


@pytest.mark.parametrize(("how", "decision"), [(1, "bid"), (2, "play"), (3, "bid"), (4, "play")])
def test_a_failing_strategy_is_shown_up_to_its_failure(bridzik, bad, how, decision):
    seats = f"random,{bad}:how={how},random*2"
    asked = ("replay", "--seats", seats, "--seed", "4", "--unit", "0", "--option", "hand_sizes=7")
    result = bridzik(*asked)
    assert result.code == 3
    assert result.err.count("\n") == 1
    assert "unit 0, seating 0, deal 9, seat 1, decision " + decision in result.err
    whole, last = result.out.split("\n\n")[1:3]
    good = bridzik("replay", "--seats", "random*4", *asked[3:]).out.split("\n\n")
    assert whole == good[1]
    told, full = last.rstrip("\n").splitlines(), good[2].splitlines()
    assert [line.split()[0] for line in told][-1] == ("bids" if decision == "bid" else "trick")
    for mine, other in zip(told, full, strict=False):
        # Columns are as wide as what is shown, so compare words; the trick that fails lacks its end and its mark.
        words = mine.replace("*", "").split()
        assert other.replace("*", "").split()[: len(words)] == words
    as_json = bridzik(*asked, "--as", "json")
    assert (as_json.code, as_json.out) == (3, "")


def test_a_view_tells_what_the_seat_knew_and_did(bridzik):
    asked = ("--seats", "random*4", "--seed", "2", "--unit", "0", "--option", "hand_sizes=2,3")
    record = json.loads(bridzik("replay", *asked, "--as", "json").out)
    for seat in range(4):
        text = bridzik("replay", *asked, "--view", seat).out
        answers = [line.split()[1] for line in text.splitlines() if line.startswith("    answer")]
        expected = []
        for deal in record["deals"]:
            expected.append(str(deal["bids"][seat]))
            expected += [t["cards"][(seat - t["leader"]) % 4] for t in deal["tricks"]]
        assert answers == expected
        for block in text.split("\n\n")[1:]:
            decisions = re.split(r"\n  seat \d", block)[1:]
            assert len(decisions) == 1 + int(re.search(r"(\d) cards?", block)[1])
            for decision in decisions:
                legal, answer = (
                    re.search(rf"^    {word} +(.+)$", decision, re.M)[1] for word in ("legal", "answer")
                )
                assert answer in legal.split(", ")


def test_a_view_hides_the_other_hands():
    """Cards that are shown before a seat's decision are its own or on the table."""
    player = Player(experiment.make("simple*4", 1, 3, options={"hand_sizes": "5"}))
    game = replay.play(player, 0, 0, seat=2)
    text = replay_text.view_text(game.record, game.moments, 2)
    for deal, block in zip(game.record["deals"], text.split("\n\n")[1:], strict=True):
        bidding = block.split("seat 2 plays")[0]
        shown = re.findall(r"(hearts|leaves|acorns|bells) ([^a-z\n]+?)(?=   |\n)", bidding)
        letters = {"hearts": "H", "leaves": "L", "acorns": "A", "bells": "B"}
        cards = [letters[suit] + rank for suit, ranks in shown for rank in ranks.split() if rank != "-"]
        assert sorted(cards) == sorted(deal["hands"][2])


def test_a_view_in_slovak(bridzik):
    text = bridzik("replay", *SMALL, "--unit", "0", "--view", "2", "--lang", "sk").out
    assert "  hráč 2 hrá do kopky 1\n    ruka     červeň -   zeleň -   žaluď -   guľa 7\n" in text
    assert "    smie     guľová sedmička\n    odpoveď  guľová sedmička" in text


def test_faults_of_a_forfeiting_run_are_told(bridzik, bad, tmp_path):
    out = tmp_path / "run"
    api.simulate(
        f"x={bad}:how=1,random*3", 1, 4, options={"hand_sizes": "7"}, on_error="forfeit", out=out, jobs=1
    )
    result = bridzik("replay", out, "--unit", "0")
    assert result.code == 0
    said = "! seat 0 answered 9 in its decision bid; the lowest legal answer was taken instead"
    assert result.out.count(said) == 1
    assert said in bridzik("replay", out, "--unit", "0", "--view", "0").out
    assert said not in bridzik("replay", out, "--unit", "0", "--view", "1").out
    assert "platí najnižšia povolená odpoveď" in bridzik("replay", out, "--unit", "0", "--lang", "sk").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--unit", "0"], "give either a run folder or --seats"),
        (["here", *SMALL, "--unit", "0"], "give either a run folder or --seats"),
        (["nowhere", "--unit", "0"], "nowhere is not a run folder"),
        (["nowhere", "--unit", "0", "--seed", "1"], "--seed is fixed by the run"),
        (["nowhere", "--unit", "0", "--option", "hand_sizes=1"], "--option is fixed by the run"),
        ([*SMALL], "Missing option '--unit'"),
        ([*SMALL, "--unit", "x"], "neither a unit such as 7 nor a range"),
        ([*SMALL, "--unit", "5:5"], "neither a unit such as 7 nor a range"),
        ([*SMALL, "--unit", "9" * 24], "out of reach; units lie between 0 and 99999999999"),
        ([*SMALL, "--unit", "9" * 5000], "out of reach; units lie between 0 and 99999999999"),
        ([*SMALL, "--unit", "100000000000"], "out of reach; units lie between 0 and 99999999999"),
        ([*SMALL, "--unit", "5:100000000001"], "out of reach; units lie between 0 and 99999999999"),
        ([*SMALL, "--unit", "0", "--option", "hand_sizes=2"], "hand_sizes is given more than once"),
        ([*SMALL, "--unit", "0", "--seating", "1"], "no seating 1; there are 1"),
        ([*SMALL, "--unit", "0", "--view", "4"], "there is no seat 4; the seats are 0 to 3"),
        ([*SMALL, "--unit", "0", "--view", "1", "--as", "json"], "--view tells a game as text"),
        (["--seats", "rnadom*4", "--seed", "1", "--unit", "0"], "did you mean random?"),
    ],
)  # fmt: skip
def test_wrong_requests_get_one_line(bridzik, arguments, said):
    result = bridzik("replay", *arguments)
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert not result.out


def test_a_language_that_a_game_is_not_told_in():
    with pytest.raises(UsageError, match="there is no telling of bridzik in the language 'fr'"):
        replay_text.record_text(RECORDS[0][1], "fr")


@pytest.mark.parametrize("command", ["compare", "tournament"])
def test_a_seating_of_a_match_can_be_named_in_three_ways(bridzik, tmp_path, command):
    # By its number, within its line-up, and from its seats with the streams of its number: one game.
    options = {"hand_sizes": "2"}
    if command == "compare":
        run = api.compare("random", "simple", 8, 5, field="heuristic", options=options, out=tmp_path, jobs=1)
    else:
        run = api.tournament("random,simple,heuristic", 8, 5, options=options, out=tmp_path, jobs=1)
    number = len(run.experiment.seatings) - 1
    place = run.experiment.place_arguments(number).split()
    records = [
        json.loads(bridzik("replay", tmp_path, "--unit", "1", "--as", "json", *asked).out)
        for asked in (("--seating", str(number)), place)
    ]
    typed = run.experiment.as_arguments(number).split()
    given = json.loads(bridzik("replay", *typed, "--unit", "1", "--as", "json").out)
    assert records[0] == records[1]
    assert given["deals"] == records[0]["deals"]


def test_the_last_line_up_may_be_short(bridzik, tmp_path):
    api.tournament("random,simple", 5, 5, tables="one", options={"hand_sizes": "1"}, out=tmp_path)
    asked = ["replay", tmp_path, "--unit", "0", "--lineup", "2", "--seating"]
    assert json.loads(bridzik(*asked, "1", "--as", "json").out)["seats"] == ["simple"] * 4
    refused = bridzik(*asked, "2")
    assert (refused.code, "no seating 2; line-up 2 has 2, the first is 0" in refused.err) == (2, True)
