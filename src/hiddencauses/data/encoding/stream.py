"""The raw stream made into a stream of yes/no columns, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hiddencauses.data.encoding.decode import Decoder, codes_to_batch
from hiddencauses.data.encoding.encoding import Encoding
from hiddencauses.data.raw import RawSource

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["encoded_stream"]


def encoded_stream(raw: RawSource, encoding: Encoding, *, fitted: bool = False) -> RawSource:
    """Return the stream of row ids, counts, carried columns and variables that an encoding makes.

    Parameters
    ----------
    raw
        The raw table.
    encoding
        Rules for all its columns (see `match_columns`).
    fitted
        Whether the encoding was fitted to earlier data, for the advice in messages.
    """
    return RawSource(
        raw.name, encoding.output_columns(), _batches(raw, encoding, fitted), untyped=raw.untyped
    )


def _batches(raw: RawSource, encoding: Encoding, fitted: bool) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    decoder = Decoder(encoding, raw.name, fitted=fitted)
    roles, carried = (*encoding.of_kind("id"), *encoding.of_kind("count")), encoding.carried()
    variables = {name: rule.variables(name) for name, rule in encoding.variable_rules().items()}
    first_row = 1
    for batch in raw.batches:
        made = {name: batch.column(name) for name in roles}
        for name, new_name in carried.items():
            made[new_name] = _without(batch.column(name), decoder.missing(name, batch.column(name)))
        for name, new_names in variables.items():
            if name in batch.schema.names:
                cells = decoder.cells(name, batch.column(name), first_row)
                made |= codes_to_batch(new_names, cells)
            else:  # a column that nothing kept comes from need not be in new data
                made |= {new: pa.nulls(batch.num_rows, pa.bool_()) for new in new_names}
        yield pa.RecordBatch.from_pydict(made)
        first_row += batch.num_rows


def _without(column: pa.Array, missing: object) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return pc.if_else(pa.array(missing), pa.scalar(None, column.type), column)
