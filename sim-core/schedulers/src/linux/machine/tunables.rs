//! Features that all releases with this machine have. Each release adds where it publishes them.

use crate::linux::tunables::feature;
use sim_ground::params::ParamSpec;

pub(crate) const SIS_UTIL: ParamSpec = feature(
    "sisUtil",
    true,
    "SIS_UTIL",
    "The busier the CPUs, the fewer of them a search for an idle CPU looks at. From about 85 % on it looks at none.",
);
pub(crate) const UTIL_EST: ParamSpec = feature(
    "utilEst",
    true,
    "UTIL_EST",
    "What a thread used before it slept counts when it wakes.",
);
pub(crate) const WA_IDLE: ParamSpec = feature(
    "waIdle",
    true,
    "WA_IDLE",
    "A woken thread goes to its waker's CPU or its own if one of them is idle.",
);
pub(crate) const WA_WEIGHT: ParamSpec = feature(
    "waWeight",
    true,
    "WA_WEIGHT",
    "A woken thread goes where the load is smaller, of its waker's CPU and its own.",
);
pub(crate) const WA_BIAS: ParamSpec = feature(
    "waBias",
    true,
    "WA_BIAS",
    "That comparison favours the waker's CPU.",
);
pub(crate) const NI_RANDOM: ParamSpec = feature(
    "niRandom",
    true,
    "NI_RANDOM",
    "A CPU that becomes idle looks around the more seldom the more seldom that helped.",
);
