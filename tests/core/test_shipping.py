"""Strategies that travel as source: unpacked elsewhere they are the same, and what is not the same is refused."""

import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest

from bridzik_sim import experiment, shipping
from bridzik_sim.errors import UsageError
from bridzik_sim.play import Player

# In a package whose __init__ imports what nobody else names; parts are imported by relative and full names.
FILES = {
    "club_of_bots/__init__.py": "from club_of_bots.tables import LIMIT\n",
    "club_of_bots/tables.py": "LIMIT = 3\n",
    "club_of_bots/parts/__init__.py": "",
    "club_of_bots/parts/rule.py": "from club_of_bots import LIMIT\ndef rule(view): return min(LIMIT, view.size)\n",
    "club_of_bots/parts/bot.py": """'''Bids by a rule.'''
import numpy as np
from pathlib import Path
from .rule import rule
PYTHON = True
DATA = "wish.npy"
WISH = int(np.load(Path(__file__).parent / DATA)[0])
def bid(view):
    wanted = min(rule(view), WISH)
    return wanted if view.legal >> wanted & 1 else 0 if view.legal & 1 else 1
def play(view):
    return next(card for card in range(32) if view.legal >> card & 1)
""",
}


@pytest.fixture
def club(tmp_path, monkeypatch):
    """The folder of a package of strategies, and other places for what is unpacked, as on another machine."""
    home = tmp_path / "home"
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    np.save(home / "club_of_bots/parts/wish.npy", np.array([2]))
    monkeypatch.setattr(shipping, "_home", lambda: tmp_path / "there")
    yield home
    for name in [name for name in sys.modules if name.partition(".")[0] == "club_of_bots"]:
        del sys.modules[name]  # looking for a module imports the packages around it


def counts(found):
    return Player(found).play(0, 2, np.zeros(2, np.int64)).counts


@pytest.mark.parametrize("kind", ["file", "module"])
def test_a_strategy_in_a_package_plays_the_same_where_its_files_are_not(club, monkeypatch, kind):
    monkeypatch.syspath_prepend(club)
    spec = "club_of_bots.parts.bot" if kind == "module" else str(club / "club_of_bots/parts/bot.py")
    here = experiment.make(f"bot={spec},random*3", 2, 5)
    wanted, shipment = counts(here), shipping.ship(here)
    shutil.rmtree(club)
    there = shipping.unpack(shipment)
    assert there.identity()["fingerprints"] == here.identity()["fingerprints"]
    found = counts(there)
    assert all(np.array_equal(found[name], wanted[name]) for name in wanted)


def test_damaged_files_of_an_earlier_shipment_are_written_anew(club):
    here = experiment.make(f"{club / 'club_of_bots/parts/bot.py'},random*3", 2, 5)
    shipment = shipping.ship(here)
    unpacked = shipping.unpack(shipment).players[0].source
    with open(unpacked, "a", encoding="utf-8") as file:
        file.write("broken")
    assert shipping.unpack(shipment).strategies.keys() == here.strategies.keys()


def test_another_version_of_the_simulator_is_refused():
    shipment = shipping.ship(experiment.make("random*4", 2, 5))
    with pytest.raises(UsageError, match="another version of bridzik is installed there"):
        shipping.unpack(replace(shipment, code="0" * 16, content=b"what no pickle is"))


def test_another_strategy_of_that_name_is_refused():
    here = experiment.make("random*4", 2, 5)
    other = replace(here, fingerprints={"random": "0" * 16})
    with pytest.raises(UsageError, match="the strategy random is not the same there as here"):
        shipping.unpack(shipping.ship(other))


def test_a_strategy_that_is_edited_while_it_is_packed_is_refused(club):
    path = club / "club_of_bots/parts/bot.py"
    here = experiment.make(f"bot={path},random*3", 2, 5)
    path.write_text(FILES["club_of_bots/parts/bot.py"].replace("WISH)", "1)"), encoding="utf-8")
    with pytest.raises(UsageError, match="the strategy bot has changed since the run began"):
        shipping.unpack(shipping.ship(here))


def test_files_outside_of_a_strategys_own_folder_cannot_be_sent(club):
    path = club / "alone.py"
    path.write_text(
        "DATA = '../far.npy'\ndef bid(view): return 0\ndef play(view): return 0\n", encoding="utf-8"
    )
    np.save(club.parent / "far.npy", np.zeros(1))
    with pytest.raises(UsageError, match=r"far\.npy, which cannot be sent; put it into"):
        shipping.ship(experiment.make(f"{path},random*3", 2, 5))
