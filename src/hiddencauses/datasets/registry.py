"""The built-in tables: what each is, where it comes from, and on what terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

__all__ = ["DATASETS", "DatasetInfo"]


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A built-in table.

    Attributes
    ----------
    name
        What to call it: `load_dataset(name)`, or `dataset:NAME` on the command line.
    title
        What it is, in a line.
    rows, variables
        Its shape.
    density
        The share of ones among its known cells.
    missing_share
        The share of cells that are missing.
    source
        Where it comes from.
    licence
        On what terms.
    note
        How it was made, and what to mind.
    carried
        Columns carried along.
    meanings
        What the variables mean, where their names do not say it.
    """

    name: str
    title: str
    rows: int
    variables: int
    density: float
    missing_share: float
    source: str
    licence: str
    note: str
    carried: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and variables."""
        return self.rows, self.variables

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("carried", "meanings")}
        return {**plain, "carried": list(self.carried), "meanings": dict(self.meanings)}


_NHEFS = DatasetInfo(
    name="nhefs",
    title="Medical conditions and use of medication of 1,629 US smokers in 1971",
    rows=1629,
    variables=24,
    density=0.0908,
    missing_share=0.0809,
    source=(
        "NHANES I Epidemiologic Follow-up Study (NHEFS), US National Center for Health Statistics; "
        "copied from the PyPI package causaldata"
    ),
    licence="US government survey, public domain; causaldata is under the MIT licence",
    note=(
        "Made by scripts/make_nhefs.py: the 25 yes/no columns about conditions and medication, less hbpmed, "
        "which repeats hbp. Its code 2 is missing, never no: hbp, diabetes, pica and boweltrouble are "
        "missing in the same 791 rows, where they were not asked. Row ids are the survey's seqn."
    ),
    carried=("age", "sex", "race", "education", "quit_smoking", "died_by_1992"),
    meanings=MappingProxyType(
        {
            "asthma": "asthma",
            "bronch": "chronic bronchitis or emphysema",
            "tb": "tuberculosis",
            "hf": "heart failure",
            "hbp": "high blood pressure",
            "pepticulcer": "peptic ulcer",
            "colitis": "colitis",
            "hepatitis": "hepatitis",
            "chroniccough": "chronic cough",
            "hayfever": "hay fever",
            "diabetes": "diabetes",
            "polio": "polio",
            "tumor": "malignant tumour or growth",
            "nervousbreak": "nervous breakdown",
            "pica": "eats dirt, clay, starch or other non-standard food",
            "headache": "uses medication for headache",
            "otherpain": "uses medication for other pains",
            "weakheart": "uses medication for a weak heart",
            "allergies": "uses medication for allergies",
            "nerves": "uses medication for nerves",
            "lackpep": "uses medication for lack of pep",
            "boweltrouble": "uses medication for bowel trouble",
            "wtloss": "uses medication for weight loss",
            "infection": "uses medication for an infection",
        }
    ),
)

_DAVIS = DatasetInfo(
    name="davis",
    title="Which of 18 women came to which of 14 social events in a southern US town in the 1930s",
    rows=18,
    variables=14,
    density=0.3532,
    missing_share=0.0,
    source="Davis, Gardner and Gardner, Deep South (University of Chicago Press, 1941); table as in networkx",
    licence="published facts; networkx is under the 3-clause BSD licence",
    note="Made by scripts/make_davis.py. A classic of overlapping groups. Row ids are the women's names.",
)

_BLOCKS = DatasetInfo(
    name="blocks",
    title="Simulated: three causes with four variables each, none shared",
    rows=200,
    variables=12,
    density=0.2912,
    missing_share=0.0,
    source="simulated by hiddencauses from its own model, with a fixed seed",
    licence="as hiddencauses (MIT)",
    note="strength 0.9, leak 0.02, prevalence 0.3. load_simulation gives the truth behind it.",
)

_OVERLAPPING = DatasetInfo(
    name="overlapping",
    title="Simulated: four causes that share variables, 5% of cells missing",
    rows=500,
    variables=16,
    density=0.3044,
    missing_share=0.0489,
    source="simulated by hiddencauses from its own model, with a fixed seed",
    licence="as hiddencauses (MIT)",
    note="strength 0.8, leak 0.05, prevalence 0.25. load_simulation gives the truth behind it.",
)

#: All built-in tables.
DATASETS: tuple[DatasetInfo, ...] = (_NHEFS, _DAVIS, _BLOCKS, _OVERLAPPING)
