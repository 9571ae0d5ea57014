//! What makes a machine impossible.

use super::spec::{CacheScope, CacheSpec, CoreSpec, MachineSpec};
use crate::error::ConfigError;
use crate::ids::MAX_CPUS;
use crate::order;

/// Longest name or id, in bytes.
const NAME: usize = 200;
/// Longest text for people, in bytes.
const TEXT: usize = 4_000;
/// Most entries about where numbers come from, and most fields in one.
const SOURCES: usize = 400;
/// Largest cache or node: a tebibyte.
const BYTES: u64 = 1 << 40;
/// Longest time for a line: far beyond any memory.
const LINE_PS: u64 = 10_000_000;
/// Longest direct cost: a simulated year of delay is nonsense, and sums of delays must not overflow.
const COST_NS: u64 = 10_000_000;

/// Collects what is wrong, each with the path of the field and the allowed range.
struct Check<'a> {
    spec: &'a MachineSpec,
    errors: Vec<ConfigError>,
}

/// Everything that is impossible about a machine.
pub(super) fn check(spec: &MachineSpec) -> Vec<ConfigError> {
    let mut check = Check {
        spec,
        errors: Vec::new(),
    };
    check.numbers();
    check.topology();
    check.caches();
    // The tables of nodes need a topology that can be counted.
    if check.errors.is_empty() {
        check.distances();
    }
    check.errors
}

impl<'a> Check<'a> {
    fn refuse(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.errors.push(ConfigError::new(path, message));
    }

    fn within(&mut self, path: impl Into<String>, value: u64, least: u64, most: u64, unit: &str) {
        if !(least..=most).contains(&value) {
            let unit = if unit.is_empty() {
                String::new()
            } else {
                format!(" {unit}")
            };
            self.refuse(
                path,
                format!("must be from {least} to {most}{unit}, got {value}"),
            );
        }
    }

    /// Nothing computes with these, but they travel in links and files.
    fn texts(&mut self) {
        let s = self.spec;
        let mut long = |field: String, text: &str, most: usize| {
            if text.len() > most {
                self.refuse(field, format!("must have at most {most} bytes"));
            }
        };
        long("purpose".to_owned(), &s.purpose, TEXT);
        long("microarchitecture".to_owned(), &s.microarchitecture, TEXT);
        for (i, p) in s.provenance.iter().enumerate() {
            long(format!("provenance[{i}].source"), &p.source, TEXT);
            for (j, field) in p.fields.iter().enumerate() {
                long(format!("provenance[{i}].fields[{j}]"), field, NAME);
            }
        }
        let most = s.provenance.iter().map(|p| p.fields.len());
        if most.chain([s.provenance.len()]).any(|n| n > SOURCES) {
            self.refuse("provenance", format!("must have at most {SOURCES} entries"));
        }
    }

    fn numbers(&mut self) {
        let s = self.spec;
        for (field, text) in [("id", &s.id), ("name", &s.name)] {
            if text.is_empty() || text.len() > NAME {
                self.refuse(field, format!("must have 1 to {NAME} bytes"));
            }
        }
        self.texts();
        self.within("clockMhz", u64::from(s.clock_mhz), 1, 100_000, "MHz");
        let w = &s.work;
        for (field, milli) in [
            ("loopMilliCycles", w.loop_milli_cycles),
            ("chaseMilliCycles", w.chase_milli_cycles),
        ] {
            self.within(
                format!("work.{field}"),
                u64::from(milli),
                1,
                10_000_000,
                "thousandths",
            );
        }
        self.within(
            "work.overlapMilli",
            u64::from(w.overlap_milli),
            0,
            1000,
            "thousandths",
        );
        self.within(
            "work.lruStepMilli",
            u64::from(w.lru_step_milli),
            0,
            10_000,
            "thousandths",
        );
        let m = &s.memory;
        self.within(
            "memory.localLatencyNs",
            u64::from(m.local_latency_ns),
            0,
            100_000,
            "ns",
        );
        self.within("memory.linePs", u64::from(m.line_ps), 0, LINE_PS, "ps");
        self.within(
            "memory.bandwidthMbPerS",
            u64::from(m.bandwidth_mb_per_s),
            1,
            100_000_000,
            "MB/s",
        );
        self.within("memory.nodeMib", u64::from(m.node_mib), 1, 1 << 24, "MiB");
        let c = &s.costs;
        for (field, ns) in [
            ("yieldNs", c.yield_ns),
            ("switchNs", c.switch_ns),
            ("tickNs", c.tick_ns),
            ("kickNs", c.kick_ns),
            ("idleExitNs", c.idle_exit_ns),
            ("idleExitDeepNs", c.idle_exit_deep_ns),
            ("lineTransferNs", c.line_transfer_ns),
            (
                "lineTransferFarNs",
                c.line_transfer_far_ns.unwrap_or_default(),
            ),
        ] {
            self.within(format!("costs.{field}"), u64::from(ns), 0, COST_NS, "ns");
        }
        if let Some(turbo) = &s.turbo {
            if turbo.mhz.is_empty() || turbo.mhz.len() > MAX_CPUS {
                self.refuse("turbo.mhz", format!("must have 1 to {MAX_CPUS} entries"));
            }
            for (i, mhz) in turbo.mhz.iter().enumerate() {
                self.within(
                    format!("turbo.mhz[{i}]"),
                    u64::from(*mhz),
                    1,
                    100_000,
                    "MHz",
                );
            }
        }
        if let Some(thermal) = &s.thermal {
            if thermal.limit_milli_c <= thermal.ambient_milli_c || thermal.per_core_milli_c == 0 {
                self.refuse(
                    "thermal",
                    "limitMilliC must exceed ambientMilliC, perCoreMilliC must be at least 1",
                );
            }
            self.within("thermal.lagMs", u64::from(thermal.lag_ms), 0, 600_000, "ms");
        }
    }

    /// A list of parts with repeat counts: at least one part, each at least once.
    fn parts(&mut self, path: &str, count: u16, parts: usize) {
        // Thousands of packages without a core would make no CPU, but take a long time to make it.
        if count == 0 || parts == 0 {
            self.refuse(
                path,
                "must be at least one, with at least one of each part (a CPU in no core cannot be)",
            );
        }
    }

    fn topology(&mut self) {
        let spec = self.spec;
        let mut cpus = 0_u64;
        for (i, p) in spec.topology.packages.iter().enumerate() {
            let path = format!("topology.packages[{i}]");
            self.parts(&path, p.count, p.nodes.len());
            for (j, n) in p.nodes.iter().enumerate() {
                let path = format!("{path}.nodes[{j}]");
                self.parts(&path, n.count, n.llcs.len());
                for (k, l) in n.llcs.iter().enumerate() {
                    let path = format!("{path}.llcs[{k}]");
                    self.parts(&path, l.count, l.cores.len());
                    for (m, c) in l.cores.iter().enumerate() {
                        let path = format!("{path}.cores[{m}]");
                        self.parts(&path, c.count, 1);
                        self.core(&path, c);
                        cpus = cpus.saturating_add(
                            [p.count, n.count, l.count, c.count, c.smt]
                                .iter()
                                .fold(1_u64, |a, b| a.saturating_mul(u64::from(*b))),
                        );
                    }
                }
            }
        }
        if cpus == 0 || cpus > MAX_CPUS as u64 {
            self.refuse(
                "topology.packages",
                format!("must make 1 to {MAX_CPUS} CPUs, makes {cpus}"),
            );
        }
    }

    fn core(&mut self, path: &str, c: &CoreSpec) {
        self.within(format!("{path}.smt"), u64::from(c.smt), 1, 8, "contexts");
        self.within(
            format!("{path}.speedMilli"),
            u64::from(c.speed_milli),
            1,
            10_000,
            "thousandths",
        );
        if c.cluster == 0 || !c.count.is_multiple_of(c.cluster) {
            self.refuse(
                format!("{path}.cluster"),
                format!(
                    "must divide the number of cores ({}), got {}",
                    c.count, c.cluster
                ),
            );
        }
        if c.kind.len() > NAME {
            self.refuse(
                format!("{path}.kind"),
                format!("must have at most {NAME} bytes"),
            );
        }
    }

    fn kinds(&self) -> Vec<&'a str> {
        let spec: &'a MachineSpec = self.spec;
        let packages = spec.topology.packages.iter();
        let llcs = packages.flat_map(|p| p.nodes.iter().flat_map(|n| &n.llcs));
        let mut kinds = Vec::new();
        for core in llcs.flat_map(|l| &l.cores) {
            order::insert(&mut kinds, core.kind.as_str());
        }
        kinds
    }

    fn caches(&mut self) {
        let spec = self.spec;
        let kinds = self.kinds();
        if spec.caches.len() > 16 {
            self.refuse("caches", "must be at most 16 entries");
        }
        for (i, c) in spec.caches.iter().enumerate() {
            let path = format!("caches[{i}]");
            self.within(format!("{path}.bytes"), c.bytes, 1, BYTES, "bytes");
            self.within(format!("{path}.level"), u64::from(c.level), 1, 4, "");
            self.within(
                format!("{path}.linePs"),
                u64::from(c.line_ps),
                0,
                LINE_PS,
                "ps",
            );
            self.within(
                format!("{path}.portMilli"),
                u64::from(c.port_milli),
                1000,
                100_000,
                "thousandths",
            );
            for (k, kind) in c.kinds.iter().enumerate() {
                if !kinds.contains(&kind.as_str()) {
                    self.refuse(
                        format!("{path}.kinds[{k}]"),
                        format!("no core is of the kind {kind:?}"),
                    );
                }
            }
        }
        // What each kind of core meets on its way to memory.
        for kind in &kinds {
            let has = |c: &CacheSpec| c.kinds.is_empty() || c.kinds.iter().any(|k| k == kind);
            let path: Vec<_> = spec
                .caches
                .iter()
                .enumerate()
                .filter(|(_, c)| has(c))
                .collect();
            for pair in path.windows(2) {
                let ((_, inner), (i, outer)) = (pair[0], pair[1]);
                let at = format!("caches[{i}]");
                if self.errors.iter().any(|e| e.path.starts_with(&at)) {
                    continue;
                }
                if outer.level <= inner.level || breadth(outer.per) < breadth(inner.per) {
                    self.refuse(
                        at,
                        "must be a higher level than the cache before it, and be shared as widely",
                    );
                } else if outer.bytes < inner.bytes && !outer.exclusive {
                    self.refuse(
                        at,
                        format!(
                            "must not be smaller ({} bytes) than the cache inside it that it serves ({} bytes)",
                            outer.bytes, inner.bytes
                        ),
                    );
                } else if outer.line_ps < inner.line_ps {
                    self.refuse(
                        format!("{at}.linePs"),
                        format!(
                            "must not be less than that of the cache inside it ({} ps), got {}",
                            inner.line_ps, outer.line_ps
                        ),
                    );
                }
            }
            if let Some((_, last)) = path.last()
                && spec.memory.line_ps < last.line_ps
            {
                self.refuse(
                    "memory.linePs",
                    format!(
                        "must not be less than that of the last cache ({} ps), got {}",
                        last.line_ps, spec.memory.line_ps
                    ),
                );
            }
        }
    }

    fn distances(&mut self) {
        let spec = self.spec;
        let packages = spec.topology.packages.iter();
        let nodes: usize = packages
            .map(|p| {
                let of_package: usize = p.nodes.iter().map(|n| usize::from(n.count)).sum();
                of_package * usize::from(p.count)
            })
            .sum();
        let table = &spec.memory.distances;
        if !table.is_empty() && (table.len() != nodes || table.iter().any(|r| r.len() != nodes)) {
            let message = format!("must be {nodes} rows of {nodes} distances, one for each node");
            self.refuse("memory.distances", message);
        }
        for (i, row) in table.iter().enumerate() {
            for (j, d) in row.iter().enumerate() {
                let wrong = if i == j {
                    *d != 10
                } else {
                    !(10..=254).contains(d)
                };
                if wrong {
                    self.refuse(
                        format!("memory.distances[{i}][{j}]"),
                        format!("must be 10 on the diagonal and 10 to 254 elsewhere, got {d}"),
                    );
                }
            }
        }
        for (i, r) in spec.memory.remote.iter().enumerate() {
            self.within(
                format!("memory.remote[{i}].milli"),
                u64::from(r.milli),
                1000,
                100_000,
                "thousandths",
            );
        }
    }
}

/// How widely a cache is shared.
fn breadth(scope: CacheScope) -> u8 {
    match scope {
        CacheScope::Core => 0,
        CacheScope::Cluster => 1,
        CacheScope::Llc => 2,
        CacheScope::Package => 3,
    }
}
