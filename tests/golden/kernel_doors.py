"""One door to every kernel."""

from hiddencauses.compiled import compiled_door
from hiddencauses.kernels.activity import update_activity
from hiddencauses.kernels.birth_death import update_by_birth_or_death
from hiddencauses.kernels.concentration import update_concentration
from hiddencauses.kernels.leak import update_leak
from hiddencauses.kernels.links import update_links
from hiddencauses.kernels.names import Rng
from hiddencauses.kernels.own_causes import update_own_causes
from hiddencauses.kernels.prevalence import update_prevalence
from hiddencauses.kernels.single_link import update_by_single_link
from hiddencauses.kernels.state import NEEDS_ROOM, enlarge
from hiddencauses.kernels.strength import update_strength
from hiddencauses.kernels.summed.births import update_by_joint_birth_or_death
from hiddencauses.kernels.summed.rearrangements import update_by_rearrangement
from hiddencauses.kernels.summed.redraw import update_activity_jointly
from hiddencauses.kernels.summed.splits import update_by_split_or_merge
from hiddencauses.kernels.summed.swaps import update_by_swap

KERNELS = (
    "links",
    "own causes",
    "activity",
    "birth and death",
    "single link",
    "strength",
    "leak",
    "prevalence",
    "concentration",
    "joint birth and death",
    "split and merge",
    "rearrangement",
    "joint activity",
    "swap",
    "blind birth and death",
    "blind split and merge",
)


@compiled_door
def run_kernel(kernel, seed, first, last, warming, state, data, spec):
    """Run one kernel at visits `first` to `last` (not included), variables in turn."""
    for visit in range(first, last):
        rng = Rng(seed, 0, visit, warming)
        i = visit % state.z.shape[0]
        if kernel == 0:
            update_links(rng, state, data, spec, i)
        elif kernel == 1:
            while update_own_causes(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 2:
            update_activity(rng, state, data, spec)
        elif kernel == 3:
            while update_by_birth_or_death(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 4:
            while update_by_single_link(rng, state, data, spec, i) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 5:
            update_strength(rng, state, data, spec)
        elif kernel == 6:
            update_leak(rng, state, data, spec)
        elif kernel == 7:
            update_prevalence(rng, state, spec)
        elif kernel == 8:
            update_concentration(rng, state, spec)
        elif kernel == 9:
            while update_by_joint_birth_or_death(rng, state, data, spec, 0, False) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 10:
            while update_by_split_or_merge(rng, state, data, spec, 0, False) == NEEDS_ROOM:
                state = enlarge(state, spec)
        elif kernel == 11:
            update_by_rearrangement(rng, state, data, spec, 0)
        elif kernel == 12:
            update_activity_jointly(rng, state, data, spec, 0)
        elif kernel == 13:
            update_by_swap(rng, state, data, spec, 0)
        elif kernel == 14:
            while update_by_joint_birth_or_death(rng, state, data, spec, 0, True) == NEEDS_ROOM:
                state = enlarge(state, spec)
        else:
            while update_by_split_or_merge(rng, state, data, spec, 0, True) == NEEDS_ROOM:
                state = enlarge(state, spec)
    return state
