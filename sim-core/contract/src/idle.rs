//! How a kernel chooses what an idle CPU does.

use super::flags::ClockId;

/// The part of a kernel that chooses the idle state, by release. The rules are in the engine (`idle`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleGovernor {
    /// Linux 2.6.33 and 2.6.34: the menu governor by the next timer and factors. It knows only the states that the
    /// firmware declares.
    Menu26,
    /// Linux 4.9: with the typical interval. The tick stops before the governor runs.
    Menu49,
    /// Linux 6.1: the governor decides about the tick.
    Menu61,
    /// Linux 6.6 and 6.12: a short typical interval spares the question for the next timer.
    Menu612,
    /// Linux 6.18: the typical interval also drops small values.
    Menu618,
    /// FreeBSD: the first state only (`hw.acpi.cpu.cx_lowest` is C1), entered in another way on a busy CPU.
    FreeBsd(BusyRule),
}

/// When FreeBSD counts an idle CPU as busy: its idle thread then waits for a store (MWAIT), if the CPU can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusyRule {
    /// The CPU is busy if more than this were counted in the present and the last period of the clock.
    pub above: u32,
    /// The clock whose ticks begin a period.
    pub clock: ClockId,
    /// Whether switches count (ULE) or the entries into idleness (4BSD).
    pub switches: bool,
}
