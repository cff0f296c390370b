"""The speed of strategies and line-ups: plausible figures, whatever the options and the strategies do."""

import pytest

from bridzik_sim import experiment, speed
from bridzik_sim.errors import UsageError
from bridzik_sim.play import Player


@pytest.mark.parametrize(
    ("sizes", "decisions"), [("8,7,6,5,4,3,2,1", 704), ("1", 32), ("8,3", 4 * (4 + 32 + 4 + 12))]
)
def test_decisions_are_counted_for_the_options_in_force(sizes, decisions):
    made = experiment.make("random*4", 1, 1, options={"hand_sizes": sizes})
    assert speed.decisions_a_game(Player(made)) == decisions


def test_every_entrant_is_timed_at_a_table_of_its_own():
    made = experiment.make("a=simple,random*3", 5, 1, seating="rotate", options={"hand_sizes": "2"})
    for label in ("a", "random"):
        assert 1e-9 < speed.time_a_decision(made, label) < 1e-3
    with pytest.raises(UsageError, match="there is no entrant called 'randon'; did you mean random"):
        speed.time_a_decision(made, "randon")


def test_games_a_second_need_not_wait_long():
    made = experiment.make("random*4", 5, 1, seating="rotate", rows="csv")
    assert 10 < speed.games_per_second(made, 0.01) < 1e8


def test_faults_and_plain_python_can_be_timed(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "PYTHON = True\n\ndef bid(view):\n    return 99\n\n\ndef play(view):\n    raise ValueError\n"
    )
    made = experiment.make(f"bad={path},random*3", 1, 1, options={"hand_sizes": "1"})
    assert 1e-7 < speed.time_a_decision(made, "bad") < 1
