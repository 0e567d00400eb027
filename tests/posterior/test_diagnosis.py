"""Diagnosis: agreement, disagreement and constants told apart."""

import warnings

import numpy as np
import pytest

from hiddencauses import ModelSpec, sample
from hiddencauses.errors import ChainsDisagreeWarning, FewEffectiveDrawsWarning
from hiddencauses.posterior.alignment import align
from hiddencauses.posterior.diagnosis import diagnose
from hiddencauses.posterior.quantities import quantities
from tests.posterior.known_draws import KnownDraws, world
from tests.posterior.runs import free_run, known_run

ROWS = 12


def chain_of(rng, draws, more_causes):
    """Worlds of one cause, and of a second one where `more_causes` says so."""
    y = (np.arange(2 * ROWS).reshape(ROWS, 2) % 3 == 0).astype(np.int8)
    links = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    found = []
    for n in range(draws):
        k = 1 + int(more_causes(n))
        flips = rng.random(y.shape) < 0.1
        leak = rng.uniform(0.05, 0.2, 4)
        found.append(world(links[:, :k], (y ^ flips)[:, :k], leak=leak))
    return found


def draws_of(*more_causes, n=400, seed=1):
    rng = np.random.default_rng(seed)
    density = rng.normal(size=(len(more_causes), n))
    return KnownDraws([chain_of(rng, n, more) for more in more_causes], log_joint=density)


def named(diagnosis, name):
    return next(q for q in diagnosis.quantities if q.name == name)


def test_chains_that_agree():
    rng = np.random.default_rng(2)
    draws = draws_of(*[lambda _: rng.random() < 0.3] * 4)
    found = diagnose(draws)
    # independent draws: R-hat stays near 1, and none is far from worth all draws
    assert found.worst_rhat.rhat < 1.03
    assert found.fewest_effective.ess_bulk > 400
    assert not found.causes_of_some_chains
    count = named(found, "number of causes")
    assert count.mean == pytest.approx(draws.n_causes.mean())
    assert count.mcse == pytest.approx(draws.n_causes.std() / np.sqrt(1600), rel=0.2)


def test_chains_that_disagree_are_told_with_the_quantity_and_what_to_do():
    rng = np.random.default_rng(3)
    found = diagnose(draws_of(lambda _: rng.random() < 0.1, lambda _: rng.random() < 0.9))
    assert not found.chains_agree
    assert named(found, "number of causes").rhat > 1.3
    assert named(found, "causes shared by x3 and x4").rhat > 1.3
    ((name, shares),) = found.causes_of_some_chains
    assert name == "x3 + x4" and shares[1] - shares[0] > 0.5
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found.warn()
    texts = [str(one.message) for one in told if one.category is ChainsDisagreeWarning]
    assert len(texts) == 2
    assert texts[0].startswith("chains disagree on the ") and texts[0].endswith("warm-up and more draws")
    assert texts[1].startswith("not all chains have the cause 'x3 + x4'")


def test_chains_that_stick_to_numbers_of_their_own():
    found = diagnose(draws_of(lambda _: False, lambda _: True))
    assert named(found, "number of causes").rhat == np.inf
    assert found.worst_rhat.rhat == np.inf
    assert any("R-hat inf" in text for _, text in found.messages())


def test_constants_are_no_matter():
    found = diagnose(draws_of(lambda _: False, lambda _: False))
    count = named(found, "number of causes")
    assert count.is_constant and count.rhat == 1.0 and count.mcse == 0.0 and np.isnan(count.ess_bulk)


def test_nearly_constant_numbers_get_a_number():
    rng = np.random.default_rng(4)
    found = diagnose(draws_of(lambda n: n == 200, lambda _: False, lambda _: rng.random() < 0.002))
    count = named(found, "number of causes")
    assert np.isfinite([count.rhat, count.ess_bulk, count.ess_tail, count.mcse]).all()


def test_draws_that_are_alike_are_few():
    found = diagnose(draws_of(*[lambda n: (n // 100) % 2 == 1] * 2))
    assert named(found, "number of causes").ess_bulk < 100
    assert any(kind is FewEffectiveDrawsWarning for kind, _ in found.messages())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_too_few_draws_say_so(n):
    found = diagnose(draws_of(lambda _: False, lambda _: True, n=n))
    assert all(np.isnan(q.rhat) for q in found.quantities)
    ((kind, text),) = found.messages()
    assert kind is FewEffectiveDrawsWarning and f"{n} draws cannot be compared" in text
    with pytest.warns(FewEffectiveDrawsWarning):
        found.warn()


def test_one_chain_cannot_disagree():
    found = diagnose(draws_of(lambda n: n % 3 == 0))
    assert any("one chain only" in text for _, text in found.messages())


def test_no_cause_at_all():
    found = diagnose(KnownDraws([[world(np.zeros((3, 0)), np.zeros((ROWS, 0)))] * 10] * 2))
    assert found.chains_agree and not found.messages()
    assert found.to_frame().num_rows == len(found.quantities)


def test_every_free_parameter_is_followed_and_no_fixed_one():
    kinds = {q.name for q in quantities(align(free_run()).causes) if q.kind == "parameter"}
    assert kinds == {"concentration", *(f"leak of x{i}" for i in range(1, 13))}
    assert not [q for q in quantities(align(known_run()).causes) if q.kind == "parameter"]
    cells = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0]]
    shared = sample(cells, ModelSpec.paper(), draws=5, warmup=5, chains=2, seed=1, sampler="gibbs")
    kinds = {q.name for q in quantities(align(shared).causes) if q.kind == "parameter"}
    assert kinds == {"concentration", "strength", "prevalence", "leak"}


def test_quantities_do_not_depend_on_labels():
    rng = np.random.default_rng(5)
    draws = draws_of(lambda _: rng.random() < 0.5, n=20)
    turned = KnownDraws(
        [[w.permuted(causes=np.arange(w.n_total)[::-1]) for w in chain] for chain in draws.worlds],
        log_joint=draws.log_joint,
    )
    for one, other in zip(quantities(align(draws).causes), quantities(align(turned).causes), strict=True):
        assert one.name == other.name
        np.testing.assert_allclose(one.values, other.values)


def test_common_activity_and_shared_causes_are_those_of_the_draws():
    draws = free_run()
    found = {q.name: q.values for q in quantities(align(draws).causes)}
    name = next(n for n in found if n.startswith("causes at work in both row"))
    first, second = (int(word) - 1 for word in name.split() if word.isdecimal())
    activity = draws.activity(1, 7)
    assert found[name][1, 7] == activity[first] @ activity[second]
    name = next(n for n in found if n.startswith("causes shared by"))
    first, second = (int(word[1:]) - 1 for word in name.split() if word.startswith("x"))
    links = draws.links(1, 7)
    assert found[name][1, 7] == links[first] @ links[second]
    assert found["causes of x3"][1, 7] == links[2].sum()
