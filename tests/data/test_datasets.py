"""The built-in tables are what the registry says, and what is known of them."""

import numpy as np
import pytest

from hiddencauses.data.inspection import inspect_table
from hiddencauses.datasets import (
    dataset_info,
    list_datasets,
    load_dataset,
    load_simulation,
    resolve_source,
)
from hiddencauses.errors import UserError

NAMES = [info.name for info in list_datasets()]


@pytest.mark.parametrize("name", NAMES)
def test_the_registry_tells_the_truth(name):
    info, table = dataset_info(name), load_dataset(name)
    seen = inspect_table(table)
    assert table.shape == info.shape
    assert seen.density == pytest.approx(info.density, abs=5.1e-5)
    assert seen.missing_share == pytest.approx(info.missing_share, abs=5.1e-5)
    assert seen.carried == info.carried
    assert set(info.meanings) in (set(), set(table.columns))
    assert table.source == f"dataset:{name}"
    assert info.licence
    assert info.source
    assert info.to_dict()["name"] == name


def test_nhefs_keeps_its_missing_code_missing():
    table = load_dataset("nhefs")
    missing = dict(zip(table.columns, table.missing_per_column().tolist(), strict=True))
    assert {name for name, n in missing.items() if n} == {"hbp", "diabetes", "pica", "boweltrouble"}
    assert set(missing.values()) == {0, 791}
    ones = dict(zip(table.columns, table.ones_per_column().tolist(), strict=True))
    assert (ones["headache"], ones["hbp"], ones["pica"], ones["hf"]) == (1026, 130, 7, 8)
    assert table.row_ids[0] == "233"
    assert table.carried["sex"].to_pylist().count("female") == 830
    assert table.carried["age"].to_numpy().min() == 25


def test_nhefs_agrees_with_the_package_it_was_copied_from():
    causaldata = pytest.importorskip("causaldata")
    frame = causaldata.nhefs.load_pandas().data.sort_values("seqn")
    table = load_dataset("nhefs")
    values = frame[list(table.columns)].to_numpy(dtype=float)
    values[values == 2] = np.nan
    np.testing.assert_array_equal(table.to_array(), values)
    assert table.row_ids == tuple(str(int(seqn)) for seqn in frame["seqn"])


def test_davis_has_the_published_attendance():
    table = load_dataset("davis")
    assert table.ones_per_column().tolist() == [3, 3, 6, 4, 8, 8, 10, 14, 12, 5, 4, 6, 3, 3]
    assert table.to_array().sum(axis=1).tolist() == [8, 7, 8, 7, 4, 4, 4, 3, 4, 4, 4, 6, 7, 8, 5, 2, 2, 2]
    assert table.row_ids[0] == "Evelyn Jefferson"


def test_simulated_tables_have_their_truth():
    simulation = load_simulation("blocks")
    assert simulation.truth.links.sum(axis=0).tolist() == [4, 4, 4]
    np.testing.assert_array_equal(simulation.table.to_array(), load_dataset("blocks").to_array())
    with pytest.raises(UserError, match="not simulated"):
        load_simulation("davis")


def test_names(tmp_path):
    assert resolve_source("dataset:davis").shape == (18, 14)
    assert resolve_source("a/b.csv").name == "b.csv"
    with pytest.raises(UserError, match="'nhef' is not a built-in table; did you mean 'nhefs'"):
        resolve_source("dataset:nhef")
    with pytest.raises(UserError, match="there are nhefs, davis"):
        load_dataset("zzz")
