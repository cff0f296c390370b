"""Kernels made for the strategies of a run play the same as the one for any strategies."""

import kernel_checks
import numpy as np
import pytest
from built_in import compiled
from numba import literal_unroll

from bridzik_sim import experiment as experiments
from bridzik_sim import jit, long_runs, plans, reach
from bridzik_sim.cards import lowest, nth, popcount
from bridzik_sim.games.bridzik import kernel
from bridzik_sim.games.bridzik.rules import GAME, VIEW
from bridzik_sim.games.seats import IllegalAnswer

SEATINGS = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])
SIZES = [1, 2, 3, 4, 5, 6, 7, 8]
NUMBERS = tuple(name for name in VIEW.names if not VIEW[name].shape)
ARRAYS = tuple(name for name in VIEW.names if VIEW[name].shape)


def nosy(view):
    """Answers by all that it sees, and notes it: another number anywhere makes another game."""
    digest = 0
    for name in literal_unroll(NUMBERS):
        digest = digest * 31 + view[name]
    for name in literal_unroll(ARRAYS):
        for number in view[name]:
            digest = digest * 31 + np.int64(number)
    view.memory[digest & 63] += 1
    view.game_memory[(digest >> 6) & 63] += 1
    view.scores[0] = 9
    return nth(view.legal, (digest >> 20 & 0xFFFF) % popcount(view.legal))


def faulty(view):
    """Plays its lowest answer, but answers what is not legal in a certain place, which its stream tells."""
    if view.deal == 3 and view.stream[0] % np.uint64(16) == np.uint64(5):
        return 77
    return lowest(view.legal)


def failing(view):
    if view.deal == 3 and view.stream[0] % np.uint64(16) == np.uint64(5):
        raise ValueError("no")
    return lowest(view.legal)


def own(function):
    with jit.cached_under(jit.sources_hash([kernel_checks.Path(__file__)])):
        dispatcher = jit.jit(function)
        dispatcher.compile((kernel.VIEW_TYPE,))
    return {"bid": dispatcher, "play": dispatcher}


def built_in(name):
    return compiled("bridzik", name)


@pytest.fixture(scope="module")
def all_fields():
    return [own(nosy), built_in("random"), own(nosy), built_in("simple")]


@pytest.fixture(scope="module")
def few_fields():
    return [built_in("random"), own(faulty), built_in("simple"), own(failing)]


def plan_of(entrants):
    plan = plans.plan_for(entrants, [str(number) for number in range(len(entrants))], VIEW)
    kernel.specialise(plan)
    return plan


def play(entrants, plan, first, stop, seatings=SEATINGS, forfeit=False):
    functions = {name: tuple(entrant[name] for entrant in entrants) for name in GAME.decisions}
    chunk = kernel_checks.chunk_of(GAME, (), first, stop, seatings, {"hand_sizes": SIZES}, 0, forfeit)
    chunk.functions, chunk.plan = functions, plan
    kernel.play_chunk(chunk)
    assert chunk.control[1] == stop - first
    return chunk.counts


def assert_same(one, other):
    for name, counts in one.items():
        assert np.array_equal(counts, other[name]), name


def test_a_plan_shows_what_the_strategies_name_and_nothing_else():
    two = [built_in("random"), built_in("simple")]
    plan = plans.plan_for(two, ["a", "b"], VIEW)
    assert plan.fields == {"legal", "stream", "hand", "forbidden", "taken", "seat", "bids", "best"}


def test_names_are_found_in_helpers_modules_closures_and_tuples(all_fields):
    plan = plans.plan_for(all_fields, "abcd", VIEW)
    assert plan.fields == {*VIEW.names}


@pytest.mark.parametrize("units", [(0, 1), (0, 8), (3, 12)])
def test_the_same_games_when_everything_is_looked_at(units, all_fields):
    assert_same(play(all_fields, None, *units), play(all_fields, plan_of(all_fields), *units))


@pytest.mark.parametrize("units", [(0, 1), (0, 8), (3, 12)])
def test_the_same_games_and_faults_when_little_is_looked_at(units, few_fields):
    seatings = np.array([[0, 1, 2, 1], [2, 0, 1, 0]])
    expected = play(few_fields, None, *units, seatings, forfeit=True)
    assert_same(expected, play(few_fields, plan_of(few_fields), *units, seatings, forfeit=True))
    assert expected["faults"][1, 0] > 0 or units == (0, 1)


def test_bad_answers_and_exceptions_come_through(few_fields):
    plan = plan_of(few_fields)
    for entrant, error in ((1, IllegalAnswer), (3, ValueError)):
        with pytest.raises(error):
            play(few_fields, plan, 0, 100, np.array([[entrant, 0, 2, 0]]))


def elsewhere(view):
    return int(view.legal.view(np.int64)[0])


def unknown(view):
    return lowest(view.legal) if STRANGE else 0


STRANGE = object()


@pytest.mark.parametrize("function", [elsewhere, unknown])
def test_no_plan_where_code_does_not_tell_what_it_looks_at(function):
    names = reach.names_in(function)
    assert names is None or names & plans.ROUNDABOUT


def by_number(view):
    """Looks at the deal without naming it."""
    return nth(view.legal, view[DEAL] % popcount(view.legal))


DEAL = VIEW.names.index("deal")


def test_a_long_run_has_a_kernel_of_its_own_unless_it_plays_otherwise(monkeypatch):
    """Here the second strategy reads by a way that names do not tell."""
    experiment = experiments.make("simple,random*3", 100_000_000, 7)
    monkeypatch.setattr(kernel, "specialised_before", lambda plan: True)
    assert long_runs.player(experiment).plan.fields > {"legal", "stream"}
    sly = own(by_number)
    monkeypatch.setattr(experiment.strategies["simple"], "_compiled", sly)
    assert plans.plan_for([sly], ["a"], VIEW).fields == {"legal"}
    assert long_runs.player(experiment).plan is None


@pytest.mark.parametrize(
    "changed", [{"rows": "csv"}, {"options": {"hand_sizes": "1"}}, {"games_wanted": 1000}]
)
def test_no_kernel_of_its_own_where_it_does_not_pay(changed, monkeypatch):
    settings = {"games_wanted": 1_500_000, **changed}
    experiment = experiments.make("random*4", settings.pop("games_wanted"), 7, **settings)
    monkeypatch.setattr(kernel, "specialise", lambda plan: pytest.fail("it does not pay"))
    assert long_runs.player(experiment).plan is None
