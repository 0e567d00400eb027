"""All draws of a run, wherever they lie: in `posterior.nc`, and behind that in parts.

Draws begin in parts. When a run ends or is stopped, those that every chain has are put together in
`posterior.nc`, and the parts that are wholly in it are removed. So at every moment, and wherever a process is
killed, each draw is in one of the two, and what is in both is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hiddencauses.errors import DamagedRunError
from hiddencauses.files import drop_leftovers
from hiddencauses.runs.blocks import Block, Shape, chain_draws_of, concatenated, cut
from hiddencauses.runs.container import read_container
from hiddencauses.runs.layout import chain_folder, checkpoint_file, posterior_file
from hiddencauses.runs.parts import drop_parts, find_parts, read_part
from hiddencauses.runs.posterior_read import count_draws, read_blocks, read_counters
from hiddencauses.runs.posterior_write import write_posterior
from hiddencauses.sampling.draws import Draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hiddencauses.runs.settings import Settings

__all__ = ["assemble", "finished_draws", "load_draws", "load_scalars", "sweeps_done"]

#: Blocks are joined until they have so many octets, or so many draws.
GATHERED_OCTETS, GATHERED_DRAWS = 1 << 24, 1 << 14


def finished_draws(folder: Path, settings: Settings) -> list[int]:
    """Return how many draws in a row are on disk of each chain."""
    base = count_draws(posterior_file(folder), settings)
    return [_end(folder, chain, base) for chain in range(settings.chains)]


def sweeps_done(folder: Path, settings: Settings) -> list[int]:
    """Return how many sweeps are behind each chain, by its checkpoint."""
    return [
        int(
            read_container(checkpoint_file(folder, chain), "checkpoint", settings.run, only=()).values[
                "sweep"
            ]
        )
        for chain in range(settings.chains)
    ]


def load_draws(folder: Path, settings: Settings) -> Draws:
    """Read the draws that every chain has."""
    common = min(finished_draws(folder, settings))
    shape = settings.shape
    packed = tuple(
        chain_draws_of(
            list(_blocks(folder, settings, chain, common, light=False)),
            shape,
            _counters(folder, settings, chain),
        )
        for chain in range(settings.chains)
    )
    return Draws(
        settings.spec,
        settings.seed,
        settings.sampler,
        settings.table.columns,
        settings.table.rows,
        packed,
        settings.activity_every,
    )


def load_scalars(folder: Path, settings: Settings) -> list[Block]:
    """Read only what every draw has one of, and links: one block for each chain, of equal lengths."""
    common = min(finished_draws(folder, settings))
    return [
        concatenated(list(_blocks(folder, settings, chain, common, light=True)), settings.shape)
        for chain in range(settings.chains)
    ]


def assemble(folder: Path, settings: Settings) -> int:
    """Put the draws that every chain has into `posterior.nc`, and return how many these are of each."""
    drop_leftovers(folder)
    path = posterior_file(folder)
    common = min(finished_draws(folder, settings))
    if not common:
        return 0
    counters = [_counters(folder, settings, chain) for chain in range(settings.chains)]
    if count_draws(path, settings) < common or not np.array_equal(read_counters(path), counters):

        def blocks(chain: int, light: bool) -> Iterator[Block]:
            return _gathered(_blocks(folder, settings, chain, common, light=light), settings.shape)

        write_posterior(path, settings, common, blocks, counters)
    for chain in range(settings.chains):
        drop_parts(chain_folder(folder, chain), before=common)
    return common


def _counters(folder: Path, settings: Settings, chain: int) -> NDArray[np.int64]:
    path = checkpoint_file(folder, chain)
    found = read_container(path, "checkpoint", settings.run, only=("counters",))
    return np.asarray(found.arrays["counters"])


def _end(folder: Path, chain: int, base: int) -> int:
    """Return how far the draws of a chain go without a gap."""
    end = base
    for first, last, path in find_parts(chain_folder(folder, chain)):
        if first > end:
            raise DamagedRunError(
                f"draws {end} to {first - 1} of chain {chain} are missing before {path}; "
                "restore the file that holds them from a copy, or fit again"
            )
        end = max(end, last)
    return end


def _gathered(blocks: Iterator[Block], shape: Shape) -> Iterator[Block]:
    """Join blocks that are small: each write to the file has its price."""
    held: list[Block] = []
    for block in blocks:
        held.append(block)
        octets = sum(one.octets for one in held)
        if octets > GATHERED_OCTETS or block.end - held[0].first > GATHERED_DRAWS:
            yield concatenated(held, shape)
            held = []
    if held:
        yield concatenated(held, shape)


def _blocks(folder: Path, settings: Settings, chain: int, end: int, *, light: bool) -> Iterator[Block]:
    """Go through the draws of a chain in order, each once, until `end`."""
    shape, path = settings.shape, posterior_file(folder)
    at = min(count_draws(path, settings), end)
    if at:
        yield from read_blocks(path, settings, chain, light=light, end=at)
    for _, last, part in find_parts(chain_folder(folder, chain)):
        if last > at and at < end:
            yield cut(read_part(part, settings.run, shape, light=light), at, end, shape)
            at = min(last, end)
