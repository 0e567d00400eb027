"""Writing a table: text, Parquet, Feather or `.npz`, such that `read_table` gives the same table back."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import numpy as np

from hiddencauses.data.readers.columnar import METADATA_KEY
from hiddencauses.data.table import MISSING, Table
from hiddencauses.data.unpacked import Header, table_batches, table_header
from hiddencauses.errors import OutputError
from hiddencauses.files import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_table"]

_DELIMITERS = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_ENDINGS = (*_DELIMITERS, ".parquet", ".pq", ".feather", ".arrow", ".npz")
#: Characters that make a name be quoted, so that no reader mistakes it for several or for nothing.
_TELLING = frozenset(',;|\t"\r\n\ufeff')
_ROWS_PER_BLOCK = 1 << 14


def write_table(table: Table, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write a table in the format that the file's ending names; return the path.

    Row ids go into a first column without a name (text) or a marked column (Parquet, Feather), carried
    columns after the variables. Missing cells are empty, or null, or NaN. Reading the file back gives the
    same table; from text, carried columns have to be named again.

    Parameters
    ----------
    table
        What to write.
    path
        Where: .csv, .tsv, .txt (each also with .gz), .parquet, .feather, .arrow or .npz.
    force
        Whether a file that is there may be replaced.
    """
    endings = [ending.lower() for ending in PurePath(path).suffixes]
    gzipped = endings[-1:] == [".gz"]
    ending = "".join(endings[-2:-1] if gzipped else endings[-1:])
    if ending not in _ENDINGS or (gzipped and ending not in _DELIMITERS):
        raise OutputError(
            f"{os.fspath(path)} has an ending that tables are not written in; "
            f"use one of {', '.join(_ENDINGS)}, .csv.gz, .tsv.gz, .txt.gz"
        )
    with atomic_write(path, force=force) as stream:
        if ending in _DELIMITERS:
            _write_text(table, stream, _DELIMITERS[ending], gzipped=gzipped)
        elif ending in (".parquet", ".pq"):
            _write_parquet(table, stream)
        elif ending == ".npz":
            _write_npz(table, stream)
        else:
            _write_arrow(table, stream)
    return Path(path)


# -- text ------------------------------------------------------------------------------------------


def _write_text(table: Table, stream: BinaryIO, delimiter: str, *, gzipped: bool) -> None:
    if not gzipped:
        _write_lines(table, stream, delimiter)
        return
    # Neither name nor time go in, so that equal tables make equal files.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as compressed:
        _write_lines(table, compressed, delimiter)


def _write_lines(table: Table, stream: Any, delimiter: str) -> None:
    from pyarrow import csv as arrow_csv

    header = table_header(table)
    stream.write(_header_line(header, delimiter))
    if len(header.columns) == 1:
        for codes in table.blocks(_ROWS_PER_BLOCK):
            # A blank line at the end would not be seen as a cell, so a missing one is quoted.
            stream.write("".join('""\n' if c == MISSING else f"{c}\n" for c in codes[:, 0].tolist()).encode())
        return
    options = arrow_csv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style="needed")
    for batch in table_batches(table):
        cells = _as_digits(batch, table.columns)
        part = io.BytesIO()
        with _refused_types():
            arrow_csv.write_csv(cells, part, write_options=options)
        stream.write(part.getvalue())


def _header_line(header: Header, delimiter: str) -> bytes:
    names = ["" if name == header.id_column else name for name in header.columns]
    telling = any(not _TELLING.isdisjoint(name) for name in names)
    line = io.StringIO(newline="")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if telling else csv.QUOTE_MINIMAL
    csv.writer(line, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerow(names)
    return line.getvalue().encode()


def _as_digits(batch: pa.RecordBatch, variables: tuple[str, ...]) -> pa.RecordBatch:
    import pyarrow as pa

    chosen = set(variables)
    arrays = []
    for name, array in zip(batch.schema.names, batch.columns, strict=True):
        if name in chosen:
            arrays.append(array.cast(pa.uint8()))
        else:
            arrays.append(
                array.dictionary.take(array.indices) if pa.types.is_dictionary(array.type) else array
            )
    return pa.record_batch(arrays, names=batch.schema.names)


# -- columnar --------------------------------------------------------------------------------------


def _stated(table: Table) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the schema, with a note of the columns' roles, and the batches in it."""
    header, batches = table_header(table), table_batches(table)
    first = next(batches)
    note = json.dumps({"id_column": header.id_column, "carried": header.carried}).encode()
    schema = first.schema.with_metadata({METADATA_KEY: note})

    def all_batches() -> Iterator[pa.RecordBatch]:
        yield first.cast(schema)
        for batch in batches:
            yield batch.cast(schema)

    return schema, all_batches()


def _write_parquet(table: Table, stream: BinaryIO) -> None:
    from pyarrow import parquet

    schema, batches = _stated(table)
    with _refused_types(), parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_arrow(table: Table, stream: BinaryIO) -> None:
    import pyarrow as pa

    schema, batches = _stated(table)
    options = pa.ipc.IpcWriteOptions(compression="lz4", unify_dictionaries=True)
    with _refused_types(), pa.ipc.new_file(stream, schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)


# -- NumPy -----------------------------------------------------------------------------------------


def _write_npz(table: Table, stream: BinaryIO) -> None:
    """Write the arrays `table`, `columns`, and if there are any `row_ids` and `carried` (Arrow bytes)."""
    # Half floats hold 0, 1 and NaN and every NumPy reads them.
    kind = np.dtype("<i1") if table.missing is None else np.dtype("<f2")
    with zipfile.ZipFile(stream, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        with archive.open(_member("table"), "w", force_zip64=True) as member:
            shape = {"descr": kind.str, "fortran_order": False, "shape": table.shape}
            np.lib.format.write_array_header_1_0(member, shape)
            for codes in table.blocks(_ROWS_PER_BLOCK):
                cells = codes if table.missing is None else np.where(codes == MISSING, np.nan, codes)
                member.write(np.ascontiguousarray(cells, dtype=kind).tobytes())
        _add(archive, "columns", np.array(table.columns, dtype=np.str_))
        if table.row_ids is not None:
            _add(archive, "row_ids", np.array(table.row_ids, dtype=np.str_))
        if table.carried is not None:
            _add(archive, "carried", np.frombuffer(_arrow_bytes(table.carried), dtype=np.uint8))


def _member(name: str) -> zipfile.ZipInfo:
    """Name a member, dated like every other, so that equal tables make equal files."""
    member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _add(archive: zipfile.ZipFile, name: str, array: Any) -> None:
    with archive.open(_member(name), "w", force_zip64=True) as member:
        np.lib.format.write_array(member, array, allow_pickle=False)


def _arrow_bytes(carried: pa.Table) -> bytes:
    import pyarrow as pa

    sink = io.BytesIO()
    with pa.ipc.new_file(sink, carried.schema) as writer:
        writer.write_table(carried)
    return sink.getvalue()


@contextmanager
def _refused_types() -> Iterator[None]:
    """Around pyarrow's writers: a carried column of a type that the format lacks is the user's matter."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError) as error:
        said = " ".join(str(error).split())[:120]
        raise OutputError(
            f"a carried column cannot be written in this format ({said}); leave it out or write .parquet"
        ) from None
