"""The data that ships with the strategies is what its record says, made by the trainer that is here."""

import json
from pathlib import Path

import pytest

import strategies
from bridzik_sim import sources, training_data

RECORDS = sorted(Path(strategies.__file__).parent.rglob("*.json"))


def test_every_trainer_has_its_record():
    trainers = sorted(Path(strategies.__file__).parent.rglob("_train_*.py"))
    assert [path.stem for path in RECORDS] == [path.stem.removeprefix("_train_") for path in trainers]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_it_is_what_its_trainer_made(record):
    told = json.loads(record.read_text(encoding="utf-8"))
    assert told["trainer"] == sources.fingerprint(record.with_name(f"_train_{record.stem}.py"))
    stored = training_data.read(record.parent, record.stem)
    assert stored is not None
    arrays = stored.arrays
    assert sorted(arrays) == sorted(name for part in told["parts"].values() for name in part["arrays"])
    for part in told["parts"].values():
        assert training_data.digest({name: arrays[name] for name in part["arrays"]}) == part["blake2b"]
