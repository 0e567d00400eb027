"""One sound file, or several, of every format that can be read."""

from __future__ import annotations

import gzip
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import io as scipy_io
from scipy import sparse

from hiddencauses import Table
from hiddencauses.data.writers import write_table

__all__ = ["sound_files"]


def sound_files() -> dict[str, bytes]:
    """Return name → bytes; the part of the name from the first dot on is the file's ending."""
    random = np.random.default_rng(0)
    cells = (random.random((70, 6)) < 0.3).astype(float)
    gappy = np.where(random.random(cells.shape) < 0.1, np.nan, cells)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _from_our_writers(folder, cells, gappy)
        _text(folder)
        _from_other_libraries(folder, cells, gappy)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _from_our_writers(folder: Path, cells: Any, gappy: Any) -> None:
    plain = Table.from_array(cells, columns=["id", "n", "c", "d", "e f", 'g"h'])
    ids = [f"r{i}" for i in range(len(gappy))]
    ages = pa.table({"age": pa.array(range(len(ids))), "site": pa.array(["a", None] * (len(ids) // 2))})
    full = Table.from_array(gappy, row_ids=ids)
    full = Table(full.ones, full.missing, full.n_rows, full.columns, full.row_ids, ages)
    for ending in ("csv", "tsv", "csv.gz", "parquet", "feather", "npz"):
        write_table(plain, folder / f"plain.{ending}")
        write_table(full, folder / f"full.{ending}")


def _text(folder: Path) -> None:
    texts = {
        "words.csv": "\ufeffid;a;b\nu;yes;NO\nv;;present\nw;NA;absent\n",
        "quoted.csv": '"id","a,b","c\nd"\r\n"x",1,"0"\r\n"y","","1"\r\n',
        "events.csv": "id,item,age\np1,fever,4\np2,cough,5\np1,cough,4\np3,,6\n",
        "counts.csv": "a,b,n,age\n1,0,12,3\n0,1,3,4\n1,1,0,5\n",
        "single.txt": "x\n1\n\n0\n",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    (folder / "wide.csv").write_text(
        ",".join(f"v{i}" for i in range(300)) + "\n" + ",".join("01" * 150) + "\n"
    )
    (folder / "utf16.csv").write_bytes("a,b\n1,0\n".encode("utf-16"))


def _from_other_libraries(folder: Path, cells: Any, gappy: Any) -> None:
    import openpyxl
    import pyreadstat

    frame = pd.DataFrame(gappy, columns=list("abcdef"))
    words = frame.map({1.0: "yes", 0.0: "no"}.get).set_index(pd.Index([f"p{i}" for i in range(len(frame))]))
    words["kind"] = pd.Categorical(["y", "n"] * (len(words) // 2))
    words.to_parquet(folder / "words.parquet")
    table = pa.Table.from_pandas(frame)
    with pa.OSFile(str(folder / "stream.ipc"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    with pa.OSFile(str(folder / "words.arrow"), "wb") as sink:
        kinds = pa.Table.from_pandas(words)
        with pa.ipc.new_file(sink, kinds.schema) as writer:
            writer.write_table(kinds)
    np.save(folder / "floats.npy", gappy)
    np.save(folder / "bytes.npy", cells.astype(np.int8))
    np.save(folder / "words.npy", np.where(cells == 1, "yes", "no"))
    np.savez(folder / "single.npz", cells)
    for kind in ("csr", "coo", "bsr", "dia"):
        sparse.save_npz(folder / f"sparse_{kind}.npz", sparse.coo_matrix(cells).asformat(kind))
    for name, matrix in (("sparse", sparse.coo_matrix(cells)), ("dense", gappy)):
        data = io.BytesIO()
        scipy_io.mmwrite(data, matrix)
        (folder / f"{name}.mtx").write_bytes(data.getvalue())
        (folder / f"{name}.mtx.gz").write_bytes(gzip.compress(data.getvalue(), mtime=0))
    book = openpyxl.Workbook()
    for row in (["id", "a", "b"], ["u", 1, "yes"], ["v", None, True], ["w", 0, False]):
        book.active.append(row)
    book.save(folder / "book.xlsx")
    pyreadstat.write_dta(frame, folder / "stata.dta")
    pyreadstat.write_sav(words.drop(columns="kind").reset_index(names="id"), folder / "spss.sav")
    pyreadstat.write_sav(frame, folder / "packed.sav", row_compress=True)
