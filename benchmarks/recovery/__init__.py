"""From an empty start to the true structure: `python -m benchmarks.recovery`.

`tables` draws tables whose causes are known, `chains` runs our sampler on them and `rivals` what else there
is, `judge` compares what was found with the truth, `report` writes it down.
"""
