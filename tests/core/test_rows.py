"""Whole rows: what both formats hold, and that it does not matter how rows came together."""

import csv
import errno
import io
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from played_rows import rows_of

from bridzik_sim import csv_rows, games, parquet_rows
from bridzik_sim.errors import UsageError

COLUMNS = games.get("bridzik").row_columns
LABELS = ["random", 'say "hi", twice', "žolík", "tab\tbed", ""]
FORMATS = {"csv": csv_rows, "parquet": parquet_rows}
ROOT = Path(__file__).resolve().parents[2]


def made(units, rows_a_unit=3, seed=0):
    """Rows of a range of units, with numbers of all lengths that fit into their columns."""
    of = np.random.default_rng(seed)
    rows = np.zeros((len(units) * rows_a_unit, len(COLUMNS)), np.int64)
    for number, name in enumerate(COLUMNS):
        bits = 7 if name in parquet_rows.SMALL else 31
        rows[:, number] = of.integers(-(1 << bits), 1 << bits, len(rows)) >> of.integers(0, bits, len(rows))
    rows[:, 0] = np.repeat(list(units), rows_a_unit)
    rows[:, COLUMNS.index("strategy")] = of.integers(0, len(LABELS), len(rows))
    return rows


def frame(rows):
    """The rows as pandas has them, with labels."""
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    found["strategy"] = np.array(LABELS, object)[rows[:, COLUMNS.index("strategy")]]
    return found


def values(rows):
    """The rows as tuples, with labels."""
    at = COLUMNS.index("strategy")
    return [(*row[:at], LABELS[row[at]], *row[at + 1 :]) for row in rows.tolist()]


def read(data):
    return [tuple(row.values()) for row in pq.read_table(io.BytesIO(data)).to_pylist()]


def joined(tmp_path, name, parts):
    """The bytes of parts that were joined."""
    sources = [tmp_path / str(number) for number in range(len(parts))]
    for source, part in zip(sources, parts, strict=True):
        source.write_bytes(part)
    with (tmp_path / "whole").open("wb", buffering=0) as out:
        FORMATS[name].join(COLUMNS, LABELS, sources, out)
    return (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("count", [1, 7, csv_rows.BLOCK, csv_rows.BLOCK + 1])
def test_csv_is_what_pandas_writes(count):
    rows = made(range(count), 1)
    assert (
        csv_rows.part(COLUMNS, LABELS, rows) == frame(rows).to_csv(index=False, lineterminator="\n").encode()
    )


def test_csv_of_numbers_of_all_lengths():
    powers = [10**power + step for power in range(19) for step in (-1, 0, 1)]
    numbers = np.array([*powers, *(-number for number in powers), 2**63 - 1, -(2**63) + 1])
    rows = np.zeros((len(numbers), 3), np.int64)
    rows[:, 1] = rows[::-1, 2] = numbers
    found = list(csv.reader(io.StringIO(csv_rows.part(("strategy", "a", "b"), ["x"], rows).decode())))
    assert found[1:] == [["x", str(a), str(b)] for a, b in zip(numbers, numbers[::-1], strict=True)]


def test_parquet_reads_back():
    rows = made(range(2**40, 2**40 + 50))
    assert read(parquet_rows.part(COLUMNS, LABELS, rows)) == values(rows)


def test_parquet_refuses_what_a_column_cannot_hold():
    rows = made(range(1))
    rows[0, COLUMNS.index("bid")] = 128
    with pytest.raises(pa.ArrowInvalid):
        parquet_rows.part(COLUMNS, LABELS, rows)


def test_every_game_has_the_columns_that_are_told_to_be_small():
    told = {name for game in games.names() for name in games.get(game).row_columns}
    assert set(parquet_rows.SMALL) < told
    assert told - set(parquet_rows.SMALL) == {
        *("unit", "strategy", "seating", "deal", "turns", "points", "total"),
    }


# What each game's rows need: players, and options that make negative numbers or long matches likely.
PLAYED = {
    "bridzik": ("random*3,b=random", {}),
    "wizard": ("random*2,b=random", {"hand_sizes": "1,20"}),
    "fool": ("random*3,b=random", {}),
    "bridge": ("random,b=random", {"max_deals": "4"}),
    "honeymoon": ("random,b=random", {"deals": "4"}),
}


@pytest.mark.parametrize("game", games.names())
def test_both_formats_hold_what_a_game_writes(game):
    line, options = PLAYED[game]
    rows = rows_of(game, line, 3, 5, first_unit=2**33, seating="rotate", **options)
    columns, labels = list(rows), ["random", "b"]
    numbers = rows.to_numpy(np.int64)
    read = list(csv.reader(io.StringIO(csv_rows.part(columns, labels, numbers).decode())))
    table = pq.read_table(io.BytesIO(parquet_rows.part(columns, labels, numbers)))
    assert read[0] == table.column_names == columns
    assert read[1:] == [[str(value) for value in row.values()] for row in table.to_pylist()]
    rows["strategy"] = [labels[code] for code in rows["strategy"]]
    assert read[1:] == rows.astype(str).to_numpy().tolist()
    assert set(rows["strategy"]) == set(labels)


@pytest.mark.parametrize("name", FORMATS)
def test_joined_files_do_not_tell_how_they_were_cut(name, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_rows, "ROW_GROUP", 64)
    units, kind = range(100), FORMATS[name]
    cuts = ([100], [1, 1, 98], [40, 21, 39], [1] * 100)
    found = set()
    for cut in cuts:
        ends = np.cumsum([0, *cut])
        whole = made(units)
        parts = [whole[3 * a : 3 * b] for a, b in itertools.pairwise(ends)]
        found.add(joined(tmp_path, name, [kind.part(COLUMNS, LABELS, part) for part in parts]))
    (data,) = found
    assert joined(tmp_path, name, [data]) == data
    assert kind.span(tmp_path / "whole") == (0, 100)
    if name == "parquet":
        about = pq.ParquetFile(tmp_path / "whole").metadata
        assert [about.row_group(i).num_rows for i in range(about.num_row_groups)] == [64, 64, 64, 64, 44]
        assert read(data) == values(made(units))


@pytest.mark.parametrize("name", FORMATS)
def test_a_torn_file_has_no_span(name, tmp_path):
    data = FORMATS[name].part(COLUMNS, LABELS, made(range(5, 9)))
    path = tmp_path / "rows"
    path.write_bytes(data)
    assert FORMATS[name].span(path) == (5, 9)
    for end in (0, 3, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:end])
        assert FORMATS[name].span(path) is None


def test_a_footer_that_makes_no_sense_is_damage(tmp_path):
    data, path = parquet_rows.part(COLUMNS, LABELS, made(range(5))), tmp_path / "rows"
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    bad = data[:footer] + b"\xff" + data[footer + 1 :]
    path.write_bytes(bad)
    assert parquet_rows.span(path) is None
    with pytest.raises(UsageError, match=r"0 is damaged"):
        joined(tmp_path, "parquet", [bad])


def test_damage_is_told_by_the_file(tmp_path):
    data = parquet_rows.part(COLUMNS, LABELS, made(range(5)))
    strange = parquet_rows.part(COLUMNS, ["x"] * len(LABELS), made(range(5)))
    other = parquet_rows.part(("unit", "strategy"), LABELS, made(range(5))[:, :2] * 0)
    for bad in (data[:-1], b"", strange, other, data[:4] + bytes(200) + data[204:]):
        with pytest.raises(UsageError, match=r"1 is damaged"):
            joined(tmp_path, "parquet", [data, bad])


@pytest.mark.parametrize("name", FORMATS)
def test_a_full_disk_is_an_error_of_the_system(name, tmp_path):
    class Full(io.FileIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "part").write_bytes(FORMATS[name].part(COLUMNS, LABELS, made(range(9))))
    with Full(tmp_path / "whole", "w") as out, pytest.raises(OSError, match="No space left") as caught:
        FORMATS[name].join(COLUMNS, LABELS, [tmp_path / "part"], out)
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize("name", FORMATS)
def test_a_disk_that_takes_only_a_part_at_a_time(name, tmp_path):
    class Slow(io.FileIO):
        def write(self, data):
            return super().write(memoryview(data)[:1000])

    part = FORMATS[name].part(COLUMNS, LABELS, made(range(2000)))
    whole = joined(tmp_path, name, [part])
    with Slow(tmp_path / "slow", "w") as out:
        FORMATS[name].join(COLUMNS, LABELS, [tmp_path / "0"], out)
    assert (tmp_path / "slow").read_bytes() == whole


def test_csv_needs_neither_pandas_nor_pyarrow():
    code = "import sys; sys.modules.update(pandas=None, pyarrow=None)\nimport numpy as np\n"
    code += "from bridzik_sim import csv_rows\n"
    code += "print(csv_rows.part(('unit', 'strategy'), ['a'], np.zeros((2, 2), np.int64)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.strip() == repr(b"unit,strategy\n0,a\n0,a\n"), found.stderr
