"""How well the sampler moves: `python -m benchmarks.mixing`.

`structures` are those of the paper's Fig. 4, `errors` its measures. `starts` compares chains from empty and
from the truth, `efficiency` ours with the paper's moves, `agreement` chains from four different starts,
`moves` looks at each move by itself, `warmups` at other ways into the right mode.
"""
