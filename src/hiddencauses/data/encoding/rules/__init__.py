"""What a raw column can be: one small frozen value for each kind.

Those that make variables are binary, graded, sided, category and numeric; the others are roles.
"""

from __future__ import annotations

from hiddencauses.data.encoding.rules.binary import Binary
from hiddencauses.data.encoding.rules.category import Category
from hiddencauses.data.encoding.rules.graded import Graded
from hiddencauses.data.encoding.rules.numeric import Numeric
from hiddencauses.data.encoding.rules.roles import Carry, Count, Drop, Id, Undecided
from hiddencauses.data.encoding.rules.sided import Sided

__all__ = [
    "KINDS",
    "Binary",
    "Carry",
    "Category",
    "ColumnRule",
    "Count",
    "Drop",
    "Graded",
    "Id",
    "Numeric",
    "Sided",
    "Undecided",
    "Variables",
]

#: Rules that make variables.
Variables = Binary | Graded | Sided | Category | Numeric

#: Everything that a column can be.
ColumnRule = Variables | Carry | Id | Count | Drop | Undecided

#: The word for each kind in an encoding file.
KINDS: dict[str, type[ColumnRule]] = {
    rule.kind: rule for rule in (Binary, Graded, Sided, Category, Numeric, Carry, Id, Count, Drop, Undecided)
}
