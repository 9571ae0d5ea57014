//! Who waits and which CPU idles, as the ledger must know it to add up waste.

use crate::Sim;
use crate::ledger::{Counted, Scene};

/// The scene of a [`Sim`], which leaves its ledger free to be borrowed.
macro_rules! scene {
    ($sim:ident) => {
        Scene {
            waits: |task| $sim.kernel.waits(task),
            infos: &$sim.kernel.infos,
            curr: &$sim.kernel.curr,
            sched: &*$sim.sched,
        }
    };
}

impl Sim {
    /// Adds up idle CPU time while tasks wait.
    #[inline]
    pub(crate) fn count_waste(&mut self) -> Counted {
        self.ledger.count_waste(self.clock.now(), &scene!(self))
    }

    /// The same before an event. A scheduler holds tasks back, and lets them go, without a word to the engine: what
    /// the event before has left was so up to now.
    #[inline]
    pub(crate) fn count_waste_before_event(&mut self) {
        if self.ledger.has_limits() {
            self.count_waste();
        }
    }

    /// Finds the waiting tasks that may not use every CPU anew, after totals were restored.
    pub(crate) fn find_limits(&mut self) {
        self.ledger.find_limits(&scene!(self));
    }
}
