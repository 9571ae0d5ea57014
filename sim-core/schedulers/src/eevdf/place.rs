//! The place of an entity that enters a queue: its lag after joining is the lag with which it left.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `place` | `place_entity` |

use super::Eevdf;
use super::mean::scaled;
use super::state::{Ent, Queue};

impl Eevdf {
    /// `place_entity`. `initial`: a new task has half a request.
    pub(super) fn place(&mut self, q: Queue, e: Ent, initial: bool) {
        self.take_base_slice(e);
        // The origin of an empty tree is out of date, so the sums start near V.
        self.rebase(q);
        let mean = self.mean(q);
        let tun = &self.st.tun;
        let (place_lag, relative, half) = (
            tun.place_lag,
            tun.place_rel_deadline,
            tun.place_deadline_initial && initial,
        );
        let mut lag = 0;
        if place_lag && self.st.queue(q).nr > 0 {
            let (own, load) = (self.st.ent(e), self.total_load(q));
            lag = scaled(own.lag, load + own.w(), load.max(1));
        }
        let request = self.delta_fair(self.st.ent(e).slice, e);
        let ent = self.st.ent_mut(e);
        ent.v = mean - lag;
        if relative && ent.relative {
            ent.deadline += ent.v;
            ent.relative = false;
            return;
        }
        ent.relative = false;
        ent.deadline = ent.v + if half { request / 2 } else { request };
    }
}
