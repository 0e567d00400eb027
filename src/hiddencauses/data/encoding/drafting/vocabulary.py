"""Words that tell what a column is. All are compared without regard to case."""

from __future__ import annotations

from hiddencauses.data.encoding.rules import Binary, Sided
from hiddencauses.data.encoding.words import code_key

__all__ = [
    "CARRIED_NAMES",
    "COUNT_NAMES",
    "ID_NAMES",
    "NO",
    "RANKS",
    "SIDES",
    "TICKS",
    "UNKNOWN",
    "YES",
    "YES_NO_PAIRS",
]

YES = frozenset(map(code_key, Binary().yes))
NO = frozenset(map(code_key, Binary().no))

SIDES = {side: frozenset(getattr(Sided(), side)) for side in ("left", "right", "both", "none")}

#: Words (not numbers) that say that something is not known.
# fmt: off
UNKNOWN = frozenset(
    (
        "unknown", "unk", "not known", "not done", "not assessed", "not tested", "not recorded",
        "not available", "not applicable", "missing", "n/a", "n.a.", "#n/a", "nk", "n/k", "nd",
        "n/d", "?", ".", "..", "...", "refused", "declined", "don't know", "dont know", "dk",
        "untestable", "none recorded",
    )
)
# fmt: on

#: Marks by which a box is ticked.
TICKS = frozenset(("x", "✓", "✔", "☑", "checked", "*"))

#: No and yes in other words.
YES_NO_PAIRS = (
    ("negative", "positive"),
    ("neg", "pos"),
    ("-", "+"),
    ("normal", "abnormal"),
    ("never", "ever"),
    ("off", "on"),
    ("unchecked", "checked"),
    ("not present", "present"),
    ("none", "present"),
    ("none", "yes"),
    ("intact", "impaired"),
)

#: How much of something a word says there is; 0 is none.
RANKS = {
    word: rank
    for rank, words in enumerate(
        (
            "none|absent|no|normal|never|nil|not present|negative|intact|0|-",
            "trace|minimal|very mild|questionable|borderline|rarely|very low|+/-|±",
            "mild|slight|low|light|sometimes|occasional|occasionally|grade 1|1+|+|1",
            "mild to moderate|mild-moderate",
            "moderate|medium|often|frequent|frequently|grade 2|2+|++|2|partial",
            "moderate to severe|moderate-severe",
            "severe|marked|high|heavy|strong|always|grade 3|3+|+++|3|complete|total",
            "very severe|profound|extreme|very high|grade 4|4+|++++|4",
        )
    )
    for word in words.split("|")
}

# fmt: off
ID_NAMES = frozenset(
    (
        "id", "identifier", "patient", "subject", "participant", "person", "seqn", "mrn", "record",
        "case", "row", "index", "respondent", "study",
    )
)
COUNT_NAMES = frozenset(("count", "freq", "frequency", "n", "times", "weight"))
CARRIED_NAMES = frozenset(
    (
        "age", "sex", "gender", "race", "ethnicity", "site", "centre", "center", "hospital",
        "ward", "clinic", "country", "cohort", "arm", "group", "visit", "year",
    )
)
# fmt: on
