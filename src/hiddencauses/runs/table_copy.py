"""A run's own copy of its table, so that it can go on without the file it was read from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from hiddencauses.data.table import Table
from hiddencauses.errors import DamagedRunError
from hiddencauses.files import atomic_write
from hiddencauses.runs.container import read_container, write_container
from hiddencauses.runs.layout import rows_file, table_file

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["file_digest", "read_table_copy", "write_table_copy"]

_KIND = "table"
_ID, _CARRIED = "id", "carried:"


def write_table_copy(table: Table, folder: Path, run: str) -> None:
    """Write cells as bits, and what names the rows or is carried with them, if anything, as Arrow."""
    arrays = {"ones": table.ones} | ({} if table.missing is None else {"missing": table.missing})
    values = {"rows": table.n_rows, "columns": list(table.columns), "source": table.source}
    write_container(table_file(folder), _KIND, run, values, arrays)
    rows = _rows(table)
    if rows is not None:
        from pyarrow import feather

        with atomic_write(rows_file(folder), force=True) as stream:
            feather.write_feather(rows, stream)


def _rows(table: Table) -> pa.Table | None:
    import pyarrow as pa

    columns = {} if table.row_ids is None else {_ID: pa.array(table.row_ids, type=pa.large_string())}
    if table.carried is not None:
        columns |= {f"{_CARRIED}{name}": table.carried.column(name) for name in table.carried.column_names}
    return pa.table(columns) if columns else None


def read_table_copy(folder: Path, run: str, fingerprint: str) -> Table:
    """Read the table back, refusing one that has changed since the fit."""
    path = table_file(folder)
    values, arrays = read_container(path, _KIND, run)
    ids, carried = _read_rows(rows_file(folder))
    table = Table(
        ones=arrays["ones"],
        missing=arrays.get("missing"),
        n_rows=int(values["rows"]),
        columns=tuple(values["columns"]),
        row_ids=ids,
        carried=carried,
        source=str(values["source"]),
    )
    if table.fingerprint() != fingerprint:
        raise DamagedRunError(
            f"the table in {folder} has changed since the fit (its fingerprint is not that in "
            "settings.json); put the files back as they were, or fit again"
        )
    return table


def _read_rows(path: Path) -> tuple[tuple[str, ...] | None, pa.Table | None]:
    if not path.exists():
        return None, None
    import pyarrow as pa
    from pyarrow import feather

    try:
        rows = feather.read_table(path, memory_map=False)
    except (OSError, pa.ArrowInvalid):
        raise DamagedRunError(f"{path} is damaged; restore it from a copy, or fit again") from None
    ids = tuple(rows.column(_ID).to_pylist()) if _ID in rows.column_names else None
    carried = [name for name in rows.column_names if name.startswith(_CARRIED)]
    if not carried:
        return ids, None
    kept = rows.select(carried).rename_columns([name.removeprefix(_CARRIED) for name in carried])
    return ids, kept


def file_digest(path: str | Path) -> str | None:
    """Return the SHA-256 of a file; None for what is no file that can be read."""
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
