"""`posterior.nc` written: the draws as one netCDF file that xarray and ArviZ open (see docs/runs.md).

Draws come and go in pieces, so that no more than some are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddencauses.files import atomic_path
from hiddencauses.kernels.recording import SCALARS
from hiddencauses.kernels.state import COUNTERS
from hiddencauses.model.priors import Beta, Gamma
from hiddencauses.model.spec import Finite
from hiddencauses.runs.blocks import Block, Shape, n_strengths
from hiddencauses.runs.late_errors import LateErrors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.runs.settings import Settings

__all__ = ["SCHEMA", "attributes", "write_posterior"]

#: The version of what is in the file.
SCHEMA = "hiddencauses/posterior/1"
#: Bits are stored in pieces of about so many octets, compressed: activity is mostly zeros.
STORED_OCTETS, COMPRESSION = 1 << 20, 1

#: Gives the blocks of a chain in order, from its first draw; without strengths, prevalences and activity if
#: light.
Blocks = Callable[[int, bool], Iterator[Block]]


class _Sizes(NamedTuple):
    """How long the ragged arrays of a chain are."""

    causes: int
    strengths: int
    activities: int


def write_posterior(
    path: Path, settings: Settings, draws: int, blocks: Blocks, counters: Sequence[NDArray[np.int64]]
) -> None:
    """Write the file, whole or not at all.

    Parameters
    ----------
    path
        Where to.
    settings
        What the run was made with.
    draws
        How many draws every chain has.
    blocks
        Gives the draws of each chain; gone through twice.
    counters
        What was counted in each chain.
    """
    import h5netcdf

    shape = settings.shape
    sizes = [_sizes(blocks(chain, True), shape) for chain in range(settings.chains)]
    with atomic_path(path) as temporary, temporary.open("xb+", buffering=0) as stream:
        late = LateErrors(stream)
        try:
            with h5netcdf.File(late, "w") as file:
                file.attrs.update(attributes(settings))
                _write_counters(file.create_group("counters"), counters)
                scalars = _Scalars(file.create_group("posterior"), settings, draws)
                causes = _Causes(file.create_group("causes"), settings, draws, sizes)
                for chain in range(settings.chains):
                    for block in blocks(chain, False):
                        scalars.write(chain, block)
                        causes.write(chain, block)
                        late.check()
        finally:
            late.check()


def _sizes(blocks: Iterator[Block], shape: Shape) -> _Sizes:
    causes = strengths = activities = 0
    for block in blocks:
        counts = block.counts
        causes += int(counts.sum())
        strengths += int(n_strengths(block.links, shape).sum())
        activities += int(counts[shape.kept(block.first, len(counts))].sum())
    return _Sizes(causes, strengths, activities)


def attributes(settings: Settings) -> dict[str, str | int]:
    """Say what the draws follow from: files that have these alike have the same draws, as far as they go."""
    return {
        "schema": SCHEMA,
        "inference_library": "hiddencauses",
        "inference_library_version": settings.versions["hiddencauses"],
        "sampler": settings.sampler,
        "seed": str(settings.seed),  # a netCDF integer has no room for 2**64 - 1
        "warmup": settings.warmup,
        "max_new": settings.max_new or 0,
        "init": settings.init,
        "spec": settings.spec.to_json(),
        "table_fingerprint": settings.table.fingerprint,
        "table_rows": settings.table.rows,
    }


def _write_counters(group: Any, counters: Sequence[NDArray[np.int64]]) -> None:
    group.dimensions = {"chain": len(counters), "counter": len(COUNTERS)}
    _write_numbers(group, "chain", len(counters))
    _write_names(group, "counter", COUNTERS)
    group.create_variable("counted", ("chain", "counter"), "i8")[:] = np.stack(counters)


def _write_numbers(group: Any, name: str, n: int) -> None:
    group.create_variable(name, (name,), "i8")[:] = np.arange(n)


def _write_names(group: Any, name: str, values: Sequence[str]) -> None:
    import h5py

    kind = h5py.string_dtype()
    group.create_variable(name, (name,), kind)[:] = np.array(list(values), dtype=object)


def _create(group: Any, name: str, dimensions: tuple[str, ...], kind: str, **stored: Any) -> None:
    """Make a variable that is stored in pieces with checksums; one that is empty needs none."""
    if all(group.dimensions[dimension].size for dimension in dimensions):
        group.create_variable(name, dimensions, kind, fletcher32=True, **stored)
    else:
        group.create_variable(name, dimensions, kind)


class _Scalars:
    """The group `posterior`: what every draw has one of, or one for each variable."""

    def __init__(self, group: Any, settings: Settings, draws: int) -> None:
        self._group, self._leaks = group, settings.shape.leaks
        group.dimensions = {"chain": settings.chains, "draw": draws}
        _write_numbers(group, "chain", settings.chains)
        _write_numbers(group, "draw", draws)
        self._columns = [n for n in range(len(SCALARS)) if _is_stored(settings, SCALARS[n])]
        for column in self._columns:
            whole = SCALARS[column] in ("n_causes", "n_total")
            _create(group, SCALARS[column], ("chain", "draw"), "i8" if whole else "f8")
        _create(group, "n_links", ("chain", "draw"), "i8")
        self._leak = isinstance(settings.spec.leak, Beta)
        if self._leak and self._leaks == 1:
            _create(group, "leak", ("chain", "draw"), "f8")
        elif self._leak:
            group.dimensions["variable"] = self._leaks
            _write_names(group, "variable", settings.table.columns)
            _create(group, "leak", ("chain", "draw", "variable"), "f8")

    def write(self, chain: int, block: Block) -> None:
        draws = slice(block.first, block.end)
        for column in self._columns:
            self._group[SCALARS[column]][chain, draws] = block.scalars[:, column]
        per_cause = np.bitwise_count(block.links).sum(axis=1, dtype=np.int64)
        self._group["n_links"][chain, draws] = np.diff(_ends(per_cause)[_ends(block.counts)])
        if self._leak:
            self._group["leak"][chain, draws] = block.leak[:, 0] if self._leaks == 1 else block.leak


def _is_stored(settings: Settings, name: str) -> bool:
    """Tell whether a scalar is free and one for all of a draw: others are in the spec or with the causes."""
    spec = settings.spec
    if name == "n_total":
        return isinstance(spec.causes, Finite)
    if name in ("strength", "prevalence"):
        return isinstance(getattr(spec, name), Beta) and getattr(spec, f"{name}_scope") == "shared"
    return name != "concentration" or isinstance(spec.concentration, Gamma)


class _Causes:
    """The group `causes`: causes of all chains and draws, one after the other, and where each draw's are."""

    def __init__(self, group: Any, settings: Settings, draws: int, sizes: Sequence[_Sizes]) -> None:
        self._group, self._shape = group, settings.shape
        shape = self._shape
        kept = int(shape.kept(0, draws).sum())
        group.dimensions = {
            "chain": settings.chains,
            "draw": draws,
            "kept_draw": kept,
            "cause": sum(size.causes for size in sizes),
            "active_cause": sum(size.activities for size in sizes),
            "link_octet": shape.link_octets,
            "row_octet": shape.row_octets,
        }
        group.attrs["variables"], group.attrs["rows"] = shape.n_variables, shape.n_rows
        group.attrs["bit_order"] = "little"
        group.attrs["activity_every"] = shape.every
        for name, n in (("chain", settings.chains), ("draw", draws)):
            _write_numbers(group, name, n)
        group.create_variable("kept_draw", ("kept_draw",), "i8")[:] = np.arange(kept) * shape.every
        self._bits("links", ("cause", "link_octet"), shape.link_octets)
        self._bits("activity", ("active_cause", "row_octet"), shape.row_octets)
        self._ragged = {"cause": "draw", "activity": "kept_draw"}
        if shape.strengths == "per_link":
            group.dimensions["link"] = sum(size.strengths for size in sizes)
            self._ragged["strength"] = "draw"
        if shape.strengths != "none":
            along = "link" if shape.strengths == "per_link" else "cause"
            _create(group, "strength", (along,), "f8")
        if shape.prevalences:
            _create(group, "prevalence", ("cause",), "f8")
        for name, draw in self._ragged.items():
            for edge in ("start", "end"):
                _create(group, f"{name}_{edge}", ("chain", draw), "i8")
        self._at = dict.fromkeys(self._ragged, 0)

    def _bits(self, name: str, dimensions: tuple[str, str], width: int) -> None:
        """Make a variable of bits, compressed in pieces."""
        n = self._group.dimensions[dimensions[0]].size
        chunks = (min(n, max(1, STORED_OCTETS // width)), width)
        compressed = {"compression": "gzip", "compression_opts": COMPRESSION}
        _create(self._group, name, dimensions, "u1", chunks=chunks, **compressed)

    def write(self, chain: int, block: Block) -> None:
        shape, counts = self._shape, block.counts
        kept = shape.kept(block.first, len(counts))
        causes = slice(self._at["cause"], self._at["cause"] + len(block.links))
        rows = slice(self._at["activity"], self._at["activity"] + len(block.activity))
        if len(block.links):
            self._group["links"][causes] = block.links
            if shape.prevalences:
                self._group["prevalence"][causes] = block.prevalence
            if shape.strengths == "per_cause":
                self._group["strength"][causes] = block.strength
        if len(block.activity):
            self._group["activity"][rows] = block.activity
        draws = slice(block.first, block.end)
        if shape.strengths == "per_link":
            links = slice(self._at["strength"], self._at["strength"] + len(block.strength))
            if len(block.strength):
                self._group["strength"][links] = block.strength
            per_draw = np.diff(_ends(n_strengths(block.links, shape))[_ends(counts)])
            self._edges("strength", chain, draws, per_draw)
        self._edges("cause", chain, draws, counts)
        before = -(-block.first // shape.every)
        if kept.any():
            self._edges("activity", chain, slice(before, before + int(kept.sum())), counts[kept])

    def _edges(self, name: str, chain: int, draws: slice, lengths: NDArray[np.int64]) -> None:
        ends = self._at[name] + _ends(lengths)
        if len(lengths):
            self._group[f"{name}_start"][chain, draws] = ends[:-1]
            self._group[f"{name}_end"][chain, draws] = ends[1:]
        self._at[name] = int(ends[-1])


def _ends(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
