//! What nice values weigh on Linux, where a step is a quarter more or less. Own policies have the same numbers.

const WEIGHTS: [u64; 40] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916, 9_548, 7_620,
    6_100, 4_904, 3_906, 3_121, 2_501, 1_991, 1_586, 1_277, 1_024, 820, 655, 526, 423, 335, 272,
    215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// Weight of a nice value, unscaled; 1024 for nice 0 (`prio_to_weight` @ 2.6.34, `sched_prio_to_weight` @ 4.9).
#[must_use]
pub fn weight_of_nice(nice: i8) -> u64 {
    WEIGHTS[usize::from((nice.clamp(-20, 19) + 20).unsigned_abs())]
}
