"""Whole rows as Parquet, by pyarrow (``pip install "bridzik[parquet]"``), which is imported when needed.

Equal rows give equal bytes wherever the same version of pyarrow writes them: row groups are cut by the number
of the row in its file. The columns are those of CSV. See ``rows.Format`` for the functions.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import Any

from bridzik_sim.errors import UsageError
from bridzik_sim.tally import Counts

LABEL, UNIT = "strategy", "unit"
ROW_GROUP = 1 << 20
"""Rows of every row group but the last."""
SMALL = (
    *("seat", "hand_size", "position", "bid", "tricks", "dealer", "vulnerable", "contract", "doubled"),
    *("declarer", "players", "cards", "won"),
)
"""Columns of int8: seats, cards, calls. Units are int64, labels a dictionary of strings, all else int32."""
SETTINGS: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "version": "2.6"}


def check() -> None:
    """``UsageError`` when pyarrow is not installed."""
    _pyarrow()


def part(columns: Sequence[str], labels: Sequence[str], rows: Counts) -> bytes:
    """See ``rows.Format``."""
    pa, schema = _pyarrow(), _schema(columns)
    arrays = [
        _labelled(pa.array(column), labels) if name == LABEL else pa.array(column).cast(kind)
        for name, kind, column in zip(columns, schema.types, rows.T, strict=True)
    ]
    file = io.BytesIO()
    pa.parquet.write_table(pa.table(arrays, schema=schema), file, row_group_size=ROW_GROUP, **SETTINGS)
    return file.getvalue()


def join(columns: Sequence[str], labels: Sequence[str], sources: Sequence[Path], out: FileIO) -> None:
    """See ``rows.Format``. Holds two row groups or so in memory."""
    pa, schema = _pyarrow(), _schema(columns)
    buffered = io.BufferedWriter(out, 1 << 20)  # it writes on where a raw file takes only a part
    with pa.parquet.ParquetWriter(buffered, schema, **SETTINGS) as writer:
        for group in _groups(_tables(sources, schema, labels)):
            writer.write_table(group, ROW_GROUP)
    buffered.detach()


def span(path: Path) -> tuple[int, int] | None:
    """See ``rows.Format``."""
    pa = _pyarrow()
    with contextlib.suppress(UsageError), _reading(path):
        about = pa.parquet.read_metadata(path)
        ends = [about.row_group(group).column(0).statistics for group in (0, about.num_row_groups - 1)]
        return ends[0].min, ends[1].max + 1
    return None


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            "--rows parquet needs the library pyarrow; install it with: pip install 'bridzik[parquet]'"
        ) from None
    return pyarrow


def _schema(columns: Sequence[str]) -> Any:
    pa = _pyarrow()
    kinds = {UNIT: pa.int64(), LABEL: pa.dictionary(pa.int32(), pa.string())}
    usual = {name: pa.int8() if name in SMALL else pa.int32() for name in columns}
    return pa.schema([(name, kinds.get(name, usual[name])) for name in columns])


def _labelled(codes: Any, labels: Sequence[str]) -> Any:
    pa = _pyarrow()
    return pa.DictionaryArray.from_arrays(codes.cast(pa.int32()), pa.array(labels, pa.string()))


def _tables(sources: Sequence[Path], schema: Any, labels: Sequence[str]) -> Iterator[Any]:
    """The row groups of files, with one and the same dictionary of all labels."""
    pa = _pyarrow()
    for source in sources:
        with source.open("rb") as opened:
            with _reading(source):
                file = pa.parquet.ParquetFile(opened)
                groups = range(file.num_row_groups)
                sound = file.schema_arrow.equals(schema)
            if not sound:
                raise _damaged(source)
            for group in groups:
                yield _table(file, group, schema, labels, source)


def _table(file: Any, group: int, schema: Any, labels: Sequence[str], source: Path) -> Any:
    pa = _pyarrow()
    import pyarrow.compute as compute

    with _reading(source):
        table = file.read_row_group(group)
    at = table.column_names.index(LABEL)
    texts = table[LABEL].cast(pa.string())
    codes = compute.index_in(texts, value_set=pa.array(labels, pa.string())).combine_chunks()
    if codes.null_count:
        raise _damaged(source)
    return table.set_column(at, schema.field(at), _labelled(codes, labels))


@contextlib.contextmanager
def _reading(source: Path) -> Iterator[None]:
    """Whatever pyarrow says of bytes that make no sense is told as damage; errors of the system are not."""
    try:
        yield
    except (_pyarrow().ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise _damaged(source) from None


def _damaged(source: Path) -> UsageError:
    return UsageError(f"{source} is damaged, it no longer holds the rows that were written to it")


def _groups(tables: Iterable[Any]) -> Iterator[Any]:
    """Tables cut anew into such of ``ROW_GROUP`` rows; the last has what is left."""
    pa = _pyarrow()
    held: list[Any] = []
    for table in tables:
        held.append(table)
        while sum(part.num_rows for part in held) >= ROW_GROUP:
            whole = pa.concat_tables(held)
            yield whole.slice(0, ROW_GROUP).combine_chunks()
            held = [whole.slice(ROW_GROUP)]
    if sum(part.num_rows for part in held):
        yield pa.concat_tables(held).combine_chunks()
