"""Inspection: what a table looks like before anything is fitted."""

from __future__ import annotations

from hiddencauses.data.inspection.inspect import Inspection, VariableCount, inspect_table
from hiddencauses.data.inspection.notices import Notice
from hiddencauses.data.inspection.pairs import Pair

__all__ = ["Inspection", "Notice", "Pair", "VariableCount", "inspect_table"]
