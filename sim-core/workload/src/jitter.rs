//! Bursts that are nearly alike. No burst of a real program takes exactly as long as the one before: caches, branches
//! and interrupts see to that. Without it, two threads with equal bursts never differ by a nanosecond, and every
//! comparison of their times is a tie.

use sim_ground::params::ParamSpec;
use sim_ground::rng::Rng;

/// By how much bursts of fixed length differ; shared by the behaviours that have such bursts. A file that does not name
/// it has none, so that its run stays what it was.
pub(super) const BURST_JITTER: ParamSpec = ParamSpec::int("burstJitter", 0, 500, 0)
    .label("jitter of bursts")
    .unit("‰")
    .summary("By how much a burst of fixed length may lie above or below that length. 0: all are exactly equal.")
    .assumed("bursts of real programs are never exactly equal; how much they differ is a choice")
    .for_new(1)
    .fixed();

/// The length of a burst in ns, uniform from `ns` less `permille` to `ns` and `permille`. Nothing is drawn where that
/// is less than a nanosecond.
pub(super) fn jittered(ns: u64, permille: u64, rng: &mut Rng) -> u64 {
    match ns * permille / 1_000 {
        0 => ns,
        spread => around(ns, spread, rng),
    }
}

/// A length from `mean` - `spread` to `mean` + `spread`, at least 1 ns.
pub(super) fn around(mean: u64, spread: u64, rng: &mut Rng) -> u64 {
    (mean - spread + rng.below_u64(2 * spread + 1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_stay_within_their_jitter_and_use_all_of_it() {
        let mut rng = Rng::stream(1, "bursts", 0);
        let lengths: Vec<u64> = (0..200).map(|_| jittered(2_000, 1, &mut rng)).collect();
        assert!((1_998..=2_002).all(|ns| lengths.contains(&ns)));
        assert!(lengths.iter().all(|ns| (1_998..=2_002).contains(ns)));
        let untouched = rng.clone();
        assert_eq!(jittered(2_000, 0, &mut rng), 2_000);
        assert_eq!(jittered(900, 1, &mut rng), 900);
        assert_eq!(rng, untouched, "nothing was drawn");
    }
}
