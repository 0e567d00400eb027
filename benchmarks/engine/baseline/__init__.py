"""The baseline: the paper's sweep as plain loops, for the engine to be measured against. FROZEN.

`shared` keeps an integer for every cell, how many active linked causes it has; `per_link`, for a strength
per link, the logarithm of every cell's chance of being off. Both are decent code of the kind one writes
first: int8 tables, compiled loops over cells, sums kept up to date and not worked out afresh, cells that are
off added without a logarithm. No bits, no blocks, no tables of logarithms, no groups of equal rows.

Nothing in this folder is to be changed any more, not even to make it faster: ratios to it are compared over
years. It takes nothing from the package, so that no change there can reach it.
"""
