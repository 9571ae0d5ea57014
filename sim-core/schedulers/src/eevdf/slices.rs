//! The requests of the entities of a queue. The smallest is that of its group, and limits protection (`min_slice`); the
//! largest limits lags (`max_slice`).

use serde::{Deserialize, Serialize};

/// Requests in ns, ascending, each with its number of entities; usually there is one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Slices {
    counts: Vec<(u64, u32)>,
}

impl Slices {
    pub(super) fn add(&mut self, slice: u64) {
        let at = self.counts.partition_point(|(s, _)| *s < slice);
        match self.counts.get_mut(at) {
            Some((s, n)) if *s == slice => *n += 1,
            _ => self.counts.insert(at, (slice, 1)),
        }
    }

    pub(super) fn remove(&mut self, slice: u64) {
        let at = self.counts.partition_point(|(s, _)| *s < slice);
        match self.counts.get_mut(at) {
            Some((s, n)) if *s == slice && *n > 1 => *n -= 1,
            Some((s, _)) if *s == slice => {
                self.counts.remove(at);
            }
            _ => debug_assert!(false, "only what was added is removed"),
        }
    }

    /// The smallest request; `None` if there is no entity.
    pub(super) fn least(&self) -> Option<u64> {
        self.counts.first().map(|(s, _)| *s)
    }

    /// The largest request; `None` if there is no entity.
    pub(super) fn most(&self) -> Option<u64> {
        self.counts.last().map(|(s, _)| *s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_and_the_largest_of_those_that_are_there() {
        let mut slices = Slices::default();
        assert_eq!(slices.least(), None);
        [5, 3, 5, 3].into_iter().for_each(|s| slices.add(s));
        assert_eq!((slices.least(), slices.most()), (Some(3), Some(5)));
        slices.remove(3);
        assert_eq!(slices.least(), Some(3));
        slices.remove(3);
        assert_eq!(slices.least(), Some(5));
    }
}
