//! The process that has the kernel's trace of a run. It makes an instance of tracing of its own, so that nobody else's is
//! touched, and follows the conductor and its children alone. When it is told to, or when its starter is gone, however that
//! came, it puts everything back: the instance goes, and `tracefs` too, if it was not mounted before.

use super::{Answer, failed, hear, say};
use nix::mount::{MsFlags, mount, umount};
use serde::{Deserialize, Serialize};
use std::fs::{create_dir, read_to_string, remove_dir, write};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Where it is mounted if it is not yet.
const PLACE: &str = "/sys/kernel/tracing";

/// What is recorded: what `timeslice import` and `timeslice replay` read.
const EVENTS: [&str; 6] = [
    "sched_switch",
    "sched_waking",
    "sched_wakeup",
    "sched_wakeup_new",
    "sched_migrate_task",
    "sched_stat_runtime",
];

/// What is recorded where the kernel has it: calls of `sched_yield`, without which a switch does not say that its thread gave
/// way of itself.
const CALLS: [&str; 2] = ["sys_enter_sched_yield", "sys_exit_sched_yield"];

/// Room for each CPU. A run of some seconds fills a part of it.
const BUFFER_KB: &str = "32768";

/// What the tracer is told.
#[derive(Serialize, Deserialize)]
pub(super) enum Order {
    /// Follow this process and what it forks.
    Follow(u32),
    /// The run is over: give the trace.
    Give,
}

/// The instance; what it changed goes back when it is dropped.
struct Instance {
    place: PathBuf,
    mounted: bool,
}

impl Instance {
    fn new() -> Result<Self, String> {
        let already = mounted(&read_to_string("/proc/self/mounts").unwrap_or_default());
        let mounts = already.is_none();
        let root = already.unwrap_or_else(|| PathBuf::from(PLACE));
        if mounts {
            mount(
                Some("tracefs"),
                &root,
                Some("tracefs"),
                MsFlags::empty(),
                None::<&str>,
            )
            .map_err(|e| failed(&format!("{PLACE} cannot be mounted"), e))?;
        }
        // From here on the drop puts things back.
        let place = root.join(format!("instances/timeslice-{}", std::process::id()));
        let instance = Self {
            place,
            mounted: mounts,
        };
        create_dir(&instance.place)
            .map_err(|e| format!("{} cannot be made: {e}", instance.place.display()))?;
        instance.set("tracing_on", "0")?;
        instance.set("buffer_size_kb", BUFFER_KB)?;
        // The clock of the run.
        instance.set("trace_clock", "mono")?;
        instance.set("options/event-fork", "1")?;
        for event in EVENTS {
            instance.set(&format!("events/sched/{event}/enable"), "1")?;
        }
        for call in CALLS {
            let enable = format!("events/syscalls/{call}/enable");
            if instance.place.join(&enable).exists() {
                instance.set(&enable, "1")?;
            }
        }
        Ok(instance)
    }

    fn set(&self, file: &str, value: &str) -> Result<(), String> {
        let path = self.place.join(file);
        write(&path, value).map_err(|e| format!("{} cannot be written: {e}", path.display()))
    }

    fn follow(&self, process: u32) -> Answer<()> {
        self.set("set_event_pid", &process.to_string())?;
        self.set("tracing_on", "1")
    }

    fn give(&self) -> Answer<String> {
        self.set("tracing_on", "0")?;
        let path = self.place.join("trace");
        let text =
            std::fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        for (file, value) in [("tracing_on", "0"), ("events/enable", "0")] {
            let _ = self.set(file, value);
        }
        let _ = remove_dir(&self.place);
        if self.mounted {
            let _ = umount(PLACE);
        }
    }
}

/// Where `tracefs` is mounted.
fn mounted(mounts: &str) -> Option<PathBuf> {
    let mut lines = mounts.lines().map(str::split_whitespace);
    lines.find_map(|mut words| {
        let (_, place, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "tracefs" && Path::new(place).join("instances").is_dir())
            .then(|| PathBuf::from(place))
    })
}

/// Plays the part until its starter is content, or gone.
pub(super) fn trace() -> Result<(), String> {
    // A signal from the keyboard goes to all of a session, and this process has to tidy up.
    nix::unistd::setsid().map_err(|e| failed("setsid", e))?;
    let instance = match Instance::new() {
        Ok(instance) => instance,
        Err(e) => return say(Some(std::io::stdout()), &Answer::<()>::Err(e)),
    };
    say(Some(std::io::stdout()), &Answer::<()>::Ok(()))?;
    let mut orders = BufReader::new(std::io::stdin());
    // Without an order the starter is gone.
    while let Ok(order) = hear::<Order>(&mut orders) {
        let told = match order {
            Order::Follow(process) => say(Some(std::io::stdout()), &instance.follow(process)),
            Order::Give => say(Some(std::io::stdout()), &instance.give()),
        };
        if told.is_err() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracefs_is_found_where_it_is_mounted() {
        let mounts = "proc /proc proc rw 0 0\ntracefs /nowhere/tracing tracefs rw 0 0\n";
        assert_eq!(mounted(mounts), None, "it has no instances");
        assert_eq!(mounted("proc /proc proc rw 0 0"), None);
    }
}
