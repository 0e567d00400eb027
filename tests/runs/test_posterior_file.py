"""`posterior.nc` opens with plain xarray and with ArviZ, and holds what it should in the shape it should."""

import shutil
import warnings

import numpy as np
import pytest
import xarray as xr

from hiddencauses import DEFAULT_SPEC, Finite, ModelSpec, Table
from hiddencauses.errors import ConstantColumnWarning, DamagedRunError
from hiddencauses.runs import blocks
from tests.runs.small_runs import NO_CAUSES, contents, small_run
from tests.sampling.settings import SPECS, named, start_for


def opened(folder):
    with xr.open_datatree(folder / "posterior.nc", engine="h5netcdf") as tree:
        return tree.load()


@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_the_posterior_has_only_draws_without_nan(tmp_path, spec):
    sampler = "reversible_jump" if isinstance(spec.causes, Finite) else "gibbs"
    small_run(tmp_path / "run", spec=spec, init=start_for(spec), sampler=sampler).wait()
    posterior = opened(tmp_path / "run")["posterior"]
    assert {"n_causes", "n_links", "log_joint"} <= set(posterior.data_vars)
    for variable in posterior.data_vars.values():
        assert variable.dims[:2] == ("chain", "draw")
        assert variable.dtype in (np.dtype("i8"), np.dtype("f8"))
        assert np.isfinite(variable).all()


def test_causes_are_found_by_their_offsets(tmp_path):
    draws = small_run(tmp_path / "run", spec=DEFAULT_SPEC).wait().draws()
    causes = opened(tmp_path / "run")["causes"].to_dataset()
    for chain in range(2):
        for draw in (0, 7, 29):
            place = slice(int(causes.cause_start[chain, draw]), int(causes.cause_end[chain, draw]))
            links = np.unpackbits(causes.links[place].values, axis=1, count=3, bitorder="little").T
            np.testing.assert_array_equal(links, draws.links(chain, draw))
            np.testing.assert_array_equal(
                causes.prevalence[place], draws.world(chain, draw).parameters.prevalence
            )
            kept = slice(int(causes.activity_start[chain, draw]), int(causes.activity_end[chain, draw]))
            activity = np.unpackbits(causes.activity[kept].values, axis=1, count=9, bitorder="little").T
            np.testing.assert_array_equal(activity, draws.activity(chain, draw))
            strengths = slice(int(causes.strength_start[chain, draw]), int(causes.strength_end[chain, draw]))
            per_link = draws.world(chain, draw).parameters.strength.T
            np.testing.assert_array_equal(causes.strength[strengths], per_link[~np.isnan(per_link)])


def test_bits_are_octets_and_nothing_is_padded(tmp_path):
    draws = small_run(tmp_path / "run").wait().draws()
    causes = opened(tmp_path / "run")["causes"].to_dataset()
    assert causes.links.dtype == causes.activity.dtype == np.uint8
    assert causes.sizes["cause"] == draws.n_total.sum() == causes.sizes["active_cause"]


def test_arviz_summarises_it(tmp_path):
    import arviz_base
    import arviz_stats

    small_run(tmp_path / "run", spec=ModelSpec.paper(), draws=100).wait()
    tree = opened(tmp_path / "run")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is constant has no R-hat
        table = arviz_stats.summary(tree)
        longest = arviz_base.extract(tree, group="posterior").sizes["sample"]
    assert {"n_causes", "n_links", "log_joint", "leak", "strength", "prevalence", "concentration"} <= set(
        table.index
    )
    assert longest == 200


def test_no_cause_at_all(tmp_path):
    small_run(tmp_path / "run", spec=NO_CAUSES, init="empty").wait()
    tree = opened(tmp_path / "run")
    assert tree["causes"].sizes["cause"] == 0
    assert not tree["posterior"]["n_causes"].any()


def test_attributes_say_how_to_make_it_again(tmp_path):
    run = small_run(tmp_path / "run", seed=2**64 - 1, sampler="gibbs").wait()
    tree = opened(tmp_path / "run")
    assert ModelSpec.from_json(tree.attrs["spec"]) == run.settings.spec
    assert tree.attrs["seed"] == str(2**64 - 1)
    assert tree.attrs["table_fingerprint"] == run.table().fingerprint()


# -- many rows -------------------------------------------------------------------------------------


@pytest.fixture(name="every_fourth")
def _every_fourth(monkeypatch):
    """Thin as for many rows: the small table has nine."""
    monkeypatch.setattr(blocks, "KEPT_BITS", 3)
    return 3


def test_activity_is_thinned_by_the_number_of_rows_only(tmp_path, every_fourth):
    run = small_run(tmp_path / "run").wait()
    draws = run.draws()
    assert draws.activity_every == every_fourth
    causes = opened(run.folder)["causes"].to_dataset()
    np.testing.assert_array_equal(causes.kept_draw, np.arange(0, 30, 3))
    assert causes.sizes["active_cause"] == draws.n_total[:, ::3].sum()
    with pytest.raises(ValueError, match="the activity of draw 4 is not kept: of 9 rows it is kept in every"):
        draws.world(0, 4)
    assert draws.links(0, 4).shape == (3, draws.n_total[0, 4])


def test_what_is_kept_of_a_thinned_run_is_that_of_a_whole_one(tmp_path, monkeypatch):
    whole = small_run(tmp_path / "whole").wait().draws()
    monkeypatch.setattr(blocks, "KEPT_BITS", 2)
    thinned = small_run(tmp_path / "thinned").wait().draws()
    assert thinned.activity_every == 5
    for draw in range(30):
        np.testing.assert_array_equal(thinned.links(1, draw), whole.links(1, draw))
        if thinned.has_activity(draw):
            one, other = thinned.world(1, draw), whole.world(1, draw)
            np.testing.assert_array_equal(one.activity, other.activity)
            np.testing.assert_array_equal(one.parameters.strength, other.parameters.strength)
            np.testing.assert_array_equal(one.parameters.prevalence, other.parameters.prevalence)


def test_thinning_does_not_depend_on_how_the_draws_were_asked_for(tmp_path, every_fourth):
    small_run(tmp_path / "once", draws=41).wait()
    run = small_run(tmp_path / "parts", draws=5).wait()
    for draws in (7, 20, 41):
        run.resume(draws=draws).wait()
    assert contents(tmp_path / "once") == contents(run.folder)


@pytest.mark.parametrize(("rows", "every"), [(1, 1), (32_768, 1), (32_769, 2), (100_000, 4), (1_000_000, 31)])
def test_of_how_many_draws_activity_is_kept(rows, every):
    assert blocks.activity_every(rows) == every


def test_a_table_of_one_cell(tmp_path):
    table = Table.from_array([[1]])
    with pytest.warns(ConstantColumnWarning):
        run = small_run(tmp_path / "run", table)
    assert run.wait().draws().activity(0, 0).shape[0] == 1


def test_a_posterior_of_another_run_is_refused(tmp_path):
    run = small_run(tmp_path / "run").wait()
    other = small_run(tmp_path / "other", seed=4).wait()
    shutil.copy(other.folder / "posterior.nc", run.folder / "posterior.nc")
    with pytest.raises(DamagedRunError, match=r"belongs to another run \(its seed differ\)"):
        run.draws()


def test_numbers_that_were_changed_are_noticed(tmp_path):
    run = small_run(tmp_path / "run", draws=300).wait()
    path, rng = run.folder / "posterior.nc", np.random.default_rng(0)
    whole, joint = path.read_bytes(), run.draws().log_joint
    start = whole.index(joint[0, :20].tobytes())
    for place in start + rng.integers(0, 8 * 20, size=5):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DamagedRunError, match="is damaged"):
            run.draws()
