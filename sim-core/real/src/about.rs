//! What a Linux machine tells about itself: the texts of `/proc` and `/sys`, read without rights.

use crate::MAX_CPU;
use sim_run::sched::registry;
use std::collections::BTreeSet;

/// Parts of a second in which `/proc/stat` counts (`USER_HZ`), on every architecture of today.
pub const USER_HZ: u64 = 100;

/// From this part of foreign time on, turns and waits are disturbed. Shares stay good, for others take from all.
pub const DISTURBED: f64 = 0.1;

/// Schedulers of Linux whose eras are releases.
const OF_LINUX: [&str; 2] = ["cfs", "eevdf"];

/// The numbers at the beginning of a release: 6.18.44-generic is 6 and 18.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The scheduler and the era of the model that are nearest to a release: the newest that is not newer, else the oldest.
#[must_use]
pub fn nearest(release: &str) -> Option<(&'static str, &'static str)> {
    let wanted = version(release)?;
    let mut known = Vec::new();
    for info in OF_LINUX.iter().filter_map(|id| registry::ALL.find(id)) {
        for era in info.eras {
            known.extend(version(era.id).map(|v| (v, info.id, era.id)));
        }
    }
    known.sort_unstable();
    let before = known.iter().rfind(|(v, ..)| *v <= wanted);
    before.or(known.first()).map(|(_, id, era)| (*id, *era))
}

/// How many parts of a second CPUs were busy by `/proc/stat`, and how many of these the host of a virtual machine took.
#[must_use]
pub fn busy(stat: &str, cpus: &[usize]) -> (u64, u64) {
    let mut sum = (0, 0);
    for line in stat.lines() {
        let mut words = line.split_whitespace();
        let cpu = words
            .next()
            .and_then(|w| w.strip_prefix("cpu")?.parse().ok());
        if !cpu.is_some_and(|cpu| cpus.contains(&cpu)) {
            continue;
        }
        // user nice system idle iowait irq softirq steal guest guest_nice; the guests' time is in the first two.
        let n: Vec<u64> = words.map(|w| w.parse().unwrap_or(0)).collect();
        let at = |i: usize| n.get(i).copied().unwrap_or(0);
        sum.0 += [0, 1, 2, 5, 6, 7].into_iter().map(at).sum::<u64>();
        sum.1 += at(7);
    }
    sum
}

/// Foreign time and stolen time as parts of all time of the CPUs, from [`busy`] before and after a run of so many ns.
#[must_use]
#[allow(clippy::cast_precision_loss)] // ticks of hours, and a part of one
pub fn foreign(
    before: (u64, u64),
    after: (u64, u64),
    own_ns: u64,
    ns: u64,
    cpus: usize,
) -> (f64, f64) {
    let part = 1e9 / USER_HZ as f64;
    let all = ns as f64 * cpus as f64;
    let grown = |a: u64, b: u64| b.saturating_sub(a) as f64 * part;
    let others = (grown(before.0, after.0) - own_ns as f64) / all;
    (
        others.clamp(0.0, 1.0),
        (grown(before.1, after.1) / all).clamp(0.0, 1.0),
    )
}

/// The CPUs of a list such as `0-3,8`; none twice.
#[must_use]
pub fn cpu_list(text: &str) -> Option<Vec<usize>> {
    let number = |t: &str| t.trim().parse::<usize>().ok().filter(|n| *n <= MAX_CPU);
    let mut list = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (number(from)?, number(to)?);
        list.extend(from..=to);
    }
    let once: BTreeSet<usize> = list.iter().copied().collect();
    (!list.is_empty() && once.len() == list.len()).then_some(list)
}

/// The three numbers of `schedstat`: CPU time and time in the queue in ns, and dispatches.
#[must_use]
pub fn schedstat(text: &str) -> Option<[u64; 3]> {
    let mut words = text.split_whitespace().map(|w| w.parse().ok());
    Some([words.next()??, words.next()??, words.next()??])
}

/// A number of `/proc/self/sched`, such as `se.slice`.
#[must_use]
pub fn of_sched(text: &str, name: &str) -> Option<u64> {
    let line = text
        .lines()
        .find(|l| l.split(':').next().is_some_and(|n| n.trim() == name))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// The name of the processor, and whether there is a hypervisor, by `/proc/cpuinfo`.
#[must_use]
pub fn processor(cpuinfo: &str) -> (Option<String>, bool) {
    let value = |name: &str| {
        let line = cpuinfo
            .lines()
            .find(|l| l.split(':').next().is_some_and(|n| n.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let has = value("flags").is_some_and(|flags| flags.split(' ').any(|f| f == "hypervisor"));
    (value("model name"), has)
}

/// Preemption inside the kernel in words: the mode in force (`/sys/kernel/debug/sched/preempt`, which needs rights), else
/// what the command line of the kernel says, else its configuration, else its version.
#[must_use]
pub fn preemption(
    mode: Option<&str>,
    cmdline: &str,
    config: Option<&str>,
    version: &str,
) -> String {
    let in_force = mode.and_then(|m| m.split(['(', ')']).nth(1));
    let asked = cmdline
        .split_whitespace()
        .rev()
        .find_map(|w| w.strip_prefix("preempt="));
    if let Some(word) = in_force.or(asked) {
        return word.to_owned();
    }
    let configured = config.and_then(|text| {
        ["NONE", "VOLUNTARY", "LAZY", "RT"]
            .into_iter()
            .find(|name| {
                text.lines()
                    .any(|l| l == format!("CONFIG_PREEMPT_{name}=y"))
            })
            .or_else(|| {
                text.lines()
                    .any(|l| l == "CONFIG_PREEMPT=y")
                    .then_some("FULL")
            })
    });
    let is_dynamic = version.contains("PREEMPT_DYNAMIC");
    match (configured, is_dynamic) {
        (Some(name), true) => format!("{} (as configured; can be changed)", name.to_lowercase()),
        (Some(name), false) => name.to_lowercase(),
        (None, true) => "dynamic (mode not readable)".to_owned(),
        (None, false) if version.contains("PREEMPT") => "full".to_owned(),
        (None, false) => "not known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_era_is_not_newer() {
        for (release, wanted) in [
            ("6.18.44-fc-v782", ("eevdf", "6.18")),
            ("6.14.0-35-generic", ("eevdf", "6.12")),
            ("6.6.1", ("eevdf", "6.6")),
            ("6.5.0", ("cfs", "6.1")),
            ("5.15.0-91-generic", ("cfs", "4.9")),
            ("9.0", ("eevdf", "7.3")),
        ] {
            assert_eq!(nearest(release), Some(wanted), "{release}");
        }
        assert_eq!(nearest("unknown"), None);
    }

    #[test]
    fn busy_time_without_the_own_is_foreign() {
        let before =
            "cpu  9 9 9 9\ncpu0 100 0 50 500 3 2 1 4 60 0\ncpu1 10 0 0 900 0 0 0 0 0 0\nintr 5";
        let after = "cpu0 300 10 90 500 3 2 1 14 60 0\ncpu1 10 0 0 1000 0 0 0 0 0 0";
        assert_eq!(busy(before, &[0]), (157, 4));
        assert_eq!(busy(after, &[0, 1]), (427, 14));
        // 260 of 300 hundredths, of which 2 s were the own.
        let (foreign, stolen) = foreign(
            busy(before, &[0]),
            busy(after, &[0]),
            2_000_000_000,
            3_000_000_000,
            1,
        );
        assert!(
            (foreign - 0.2).abs() < 1e-9 && (stolen - 0.1 / 3.0).abs() < 1e-9,
            "{foreign} {stolen}"
        );
    }

    #[test]
    fn lists_of_cpus_are_read() {
        assert_eq!(cpu_list("1\n"), Some(vec![1]));
        assert_eq!(cpu_list("4,0-2"), Some(vec![4, 0, 1, 2]));
        for wrong in ["", "a", "1,", "2-1", "1,1", "0-2000", "-1"] {
            assert_eq!(cpu_list(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_of_a_thread_are_read() {
        assert_eq!(schedstat("853960 107883 2\n"), Some([853_960, 107_883, 2]));
        assert_eq!(schedstat("853960"), None);
        let sched = "cat (19678, #threads: 1)\n-----\nse.vruntime        :  62703.82\nse.slice     :      1400000\n";
        assert_eq!(of_sched(sched, "se.slice"), Some(1_400_000));
        assert_eq!(of_sched(sched, "se.vruntime"), None);
        let cpuinfo =
            "processor\t: 0\nmodel name\t: A CPU @ 2 GHz\nflags\t\t: fpu hypervisor sse\n";
        assert_eq!(processor(cpuinfo), (Some("A CPU @ 2 GHz".to_owned()), true));
        assert_eq!(processor("flags : fpu hypervisory"), (None, false));
    }

    #[test]
    fn preemption_is_said_as_well_as_it_is_known() {
        let dynamic = "#1 SMP PREEMPT_DYNAMIC";
        let config = "# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_NONE=y\n";
        assert_eq!(
            preemption(Some("none voluntary (full)\n"), "", None, dynamic),
            "full"
        );
        assert_eq!(
            preemption(None, "quiet preempt=lazy ro", Some(config), dynamic),
            "lazy"
        );
        assert_eq!(
            preemption(None, "", Some(config), dynamic),
            "none (as configured; can be changed)"
        );
        assert_eq!(
            preemption(None, "", Some("CONFIG_PREEMPT=y"), "#1 SMP PREEMPT"),
            "full"
        );
        assert_eq!(
            preemption(None, "", None, dynamic),
            "dynamic (mode not readable)"
        );
        assert_eq!(preemption(None, "", None, "#1 SMP"), "not known");
    }
}
