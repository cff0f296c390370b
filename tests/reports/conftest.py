"""Results of runs for the tests of tables, pictures and pages."""

import pytest
from fake_cases import CASES, MATCHES
from fake_results import make_results


@pytest.fixture(scope="session")
def results_of():
    """A function from the name of a case to its results, made once."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = make_results(**(CASES | MATCHES)[name])
        return made[name]

    return get


@pytest.fixture
def results(results_of):
    return results_of("three")
