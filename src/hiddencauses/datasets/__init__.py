"""Built-in tables: a US health survey, a classic of network analysis, and simulated ones."""

from __future__ import annotations

from hiddencauses.datasets.load import (
    dataset_info,
    list_datasets,
    load_dataset,
    load_simulation,
    resolve_source,
)
from hiddencauses.datasets.registry import DatasetInfo

__all__ = [
    "DatasetInfo",
    "dataset_info",
    "list_datasets",
    "load_dataset",
    "load_simulation",
    "resolve_source",
]
