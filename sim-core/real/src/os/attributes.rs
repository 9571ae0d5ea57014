//! `sched_setattr`: nice value, policy, priority and slice of the calling thread. No crate has a safe interface for it,
//! and without it a slice cannot be asked for; so this file alone may be unsafe.

use crate::jobs::Job;
use nix::errno::Errno;
use nix::libc;
use sim_run::sched::flags::Policy;

/// `struct sched_attr` of `include/uapi/linux/sched/types.h`, as its first version has it.
#[repr(C)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    /// The slice of a thread that is not of real time.
    runtime: u64,
    deadline: u64,
    period: u64,
}

/// The size of its first version, which every kernel since 3.14 knows.
const SIZE: u32 = 48;

fn number(policy: Policy) -> u32 {
    let number = match policy {
        Policy::Normal | Policy::Iso => libc::SCHED_OTHER,
        Policy::Batch => libc::SCHED_BATCH,
        Policy::Idle => libc::SCHED_IDLE,
        Policy::Fifo => libc::SCHED_FIFO,
        Policy::RoundRobin => libc::SCHED_RR,
    };
    number.unsigned_abs()
}

/// Gives the calling thread the attributes of a job.
pub(super) fn set(job: &Job) -> nix::Result<()> {
    let is_real_time = matches!(job.policy, Policy::Fifo | Policy::RoundRobin);
    let attributes = Attributes {
        size: SIZE,
        policy: number(job.policy),
        flags: 0,
        nice: i32::from(job.nice),
        priority: if is_real_time {
            job.rt_priority.into()
        } else {
            0
        },
        runtime: if is_real_time { 0 } else { job.slice_ns },
        deadline: 0,
        period: 0,
    };
    let (own_thread, no_flags): (libc::pid_t, libc::c_uint) = (0, 0);
    // SAFETY: the kernel reads `size` bytes from the pointer, which is that of a live struct of this size and layout, and
    // keeps nothing of it. The call changes no memory of this process.
    #[allow(unsafe_code)]
    let result = unsafe {
        libc::syscall(
            libc::SYS_sched_setattr,
            own_thread,
            std::ptr::from_ref(&attributes),
            no_flags,
        )
    };
    Errno::result(result).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_the_kernels() {
        assert_eq!(size_of::<Attributes>(), SIZE as usize);
        assert_eq!(std::mem::offset_of!(Attributes, runtime), 24);
    }
}
