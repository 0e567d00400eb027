"""What the draws of a run tell: aligned causes, diagnosis, summaries, predictions.

The names below are loaded when first used: some need compiled code, others do not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddencauses.posterior.alignment import Alignment, align
    from hiddencauses.posterior.by_group import prevalence_by
    from hiddencauses.posterior.cause_counts import count_causes
    from hiddencauses.posterior.comparison import compare
    from hiddencauses.posterior.conditional import probabilities_given
    from hiddencauses.posterior.diagnosis import diagnose
    from hiddencauses.posterior.explanation import explain
    from hiddencauses.posterior.held_out import cell_folds, row_folds, with_hidden, with_rows
    from hiddencauses.posterior.loo import leave_one_out
    from hiddencauses.posterior.new_rows import apply, apply_in_blocks
    from hiddencauses.posterior.new_rows_file import write_new_rows
    from hiddencauses.posterior.point_estimates import (
        consensus_structure,
        highest_structure,
        median_structure,
    )
    from hiddencauses.posterior.scores import score_cells, score_rows
    from hiddencauses.posterior.sensitivity import prior_sensitivity, scaled
    from hiddencauses.posterior.structure_errors import structure_error
    from hiddencauses.posterior.summary import summarise
    from hiddencauses.posterior.table_check import check, check_prior

_HOMES = {
    "Alignment": "alignment",
    "align": "alignment",
    "apply": "new_rows",
    "apply_in_blocks": "new_rows",
    "cell_folds": "held_out",
    "check": "table_check",
    "check_prior": "table_check",
    "compare": "comparison",
    "consensus_structure": "point_estimates",
    "count_causes": "cause_counts",
    "diagnose": "diagnosis",
    "explain": "explanation",
    "highest_structure": "point_estimates",
    "leave_one_out": "loo",
    "median_structure": "point_estimates",
    "prevalence_by": "by_group",
    "prior_sensitivity": "sensitivity",
    "probabilities_given": "conditional",
    "row_folds": "held_out",
    "scaled": "sensitivity",
    "score_cells": "scores",
    "score_rows": "scores",
    "structure_error": "structure_errors",
    "summarise": "summary",
    "with_hidden": "held_out",
    "with_rows": "held_out",
    "write_new_rows": "new_rows_file",
}

__all__ = [
    "Alignment",
    "align",
    "apply",
    "apply_in_blocks",
    "cell_folds",
    "check",
    "check_prior",
    "compare",
    "consensus_structure",
    "count_causes",
    "diagnose",
    "explain",
    "highest_structure",
    "leave_one_out",
    "median_structure",
    "prevalence_by",
    "prior_sensitivity",
    "probabilities_given",
    "row_folds",
    "scaled",
    "score_cells",
    "score_rows",
    "structure_error",
    "summarise",
    "with_hidden",
    "with_rows",
    "write_new_rows",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"hiddencauses.posterior.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
