//! What every scheduler needs: `use sim_contract::prelude::*`.

pub use super::cx::Cx;
pub use super::flags::{ClockId, DequeueFlags, EnqueueFlags, Placement, SwitchReason};
pub use super::{
    Answer, Kernel, Observe, Pick, QueueRow, QuietTicks, Scheduler, SchedulerInfo, Setup,
};
pub use sim_ground::ids::{CpuId, TaskId};
