"""How fast and how large: `python -m benchmarks.engine`.

`baseline` is what the engine is measured against, frozen. `sweeps` and `moves` time sweeps and moves on
groups of causes, `scaling` how they grow, `limits` how far they are from what the machine can do, `memory`
and `startup` what else a run costs. `sweep_time`, `truth` and `effective` are what `python -m benchmarks`
measures. `millions` is run by itself. Each has `run`, which returns plain data, and `table`, lines of
Markdown from these; some have `draw`, a figure.
"""
