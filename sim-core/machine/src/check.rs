//! Checks whether a machine is possible.

use super::spec::{CacheScope, CacheSpec, CoreSpec, IdleSpec, MachineSpec};
use sim_ground::bounds;
use sim_ground::error::{ConfigError, Problems};
use sim_ground::ids::MAX_CPUS;
use sim_ground::info::BoundEntry;
use sim_ground::text::{quoted, refused};
use std::collections::BTreeSet;

/// Prefix of the names of a machine's fields in the table of bounds.
const MACHINE: &str = "machine.";

/// Collects errors, each with the path of the field and the allowed range.
struct Check<'a> {
    spec: &'a MachineSpec,
    problems: Problems,
}

/// All errors of a machine.
pub(super) fn check(spec: &MachineSpec) -> Problems {
    let mut check = Check {
        spec,
        problems: Problems::default(),
    };
    check.numbers();
    check.topology();
    check.caches();
    // The tables of nodes can be checked only if the topology can be counted.
    if check.problems.is_empty() {
        check.distances();
    }
    check.problems
}

impl<'a> Check<'a> {
    fn refuse(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.add(path, message);
    }

    /// Checks a number with one place in the machine: its path is its name in the table.
    fn number(&mut self, bound: &BoundEntry, value: impl Into<u64>) {
        let value = value.into();
        if !bound.holds(value) {
            self.refuse(
                bound.field.trim_start_matches(MACHINE),
                bound.message(&value),
            );
        }
    }

    /// Checks a number of a list's entry: its path is the path of the entry plus the last part of its name in the
    /// table.
    fn of(&mut self, entry: &str, bound: &BoundEntry, value: impl Into<u64>) {
        let value = value.into();
        if !bound.holds(value) {
            let field = bound.field.rsplit('.').next().unwrap_or_default();
            self.refuse(format!("{entry}.{field}"), bound.message(&value));
        }
    }

    /// Checks a size: entries of a list, or bytes of a text.
    fn amount(&mut self, path: impl Into<String>, bound: &BoundEntry, n: usize) {
        if !bound.holds(n) {
            self.refuse(path, format!("length {}", bound.message(&n)));
        }
    }

    /// Checks a text of one line.
    fn line(&mut self, path: impl Into<String>, bound: &BoundEntry, text: &str) {
        if let Some(message) = refused(text, false).filter(|_| bound.holds(text.len())) {
            self.refuse(path, message);
        } else {
            self.amount(path, bound, text.len());
        }
    }

    /// Checks texts. No computation uses them, but they travel in links and files.
    fn texts(&mut self) {
        let s = self.spec;
        for (bound, text) in [
            (&bounds::MACHINE_ID, &s.id),
            (&bounds::MACHINE_NAME, &s.name),
            (&bounds::PURPOSE, &s.purpose),
            (&bounds::MICROARCHITECTURE, &s.microarchitecture),
        ] {
            let path = bound.field.trim_start_matches(MACHINE);
            self.line(path, bound, text);
        }
        self.amount("provenance", &bounds::SOURCES, s.provenance.len());
        for (i, p) in s.provenance.iter().enumerate() {
            let path = format!("provenance[{i}]");
            self.line(format!("{path}.source"), &bounds::SOURCE, &p.source);
            let fields = format!("{path}.fields");
            for (j, field) in p.fields.iter().enumerate() {
                self.line(format!("{fields}[{j}]"), &bounds::SOURCE_FIELD, field);
            }
            self.amount(fields, &bounds::SOURCE_FIELDS, p.fields.len());
        }
    }

    fn numbers(&mut self) {
        let s = self.spec;
        self.texts();
        let (w, m, c) = (&s.work, &s.memory, &s.costs);
        for (bound, value) in [
            (&bounds::YEAR, u32::from(s.year)),
            (&bounds::CLOCK, s.clock_mhz),
            (&bounds::LOOP_CYCLES, w.loop_milli_cycles),
            (&bounds::CHASE_CYCLES, w.chase_milli_cycles),
            (&bounds::OVERLAP, u32::from(w.overlap_milli)),
            (&bounds::LRU_STEP, u32::from(w.lru_step_milli)),
            (&bounds::MEMORY_LATENCY, m.local_latency_ns),
            (&bounds::PEAK, m.peak_mb_per_s),
            (&bounds::MEMORY_LINE, m.line_ps),
            (&bounds::BANDWIDTH, m.bandwidth_mb_per_s),
            (&bounds::NODE_MIB, m.node_mib),
            (&bounds::YIELD, c.yield_ns),
            (&bounds::SWITCH, c.switch_ns),
            (&bounds::TICK, c.tick_ns),
            (&bounds::KICK, c.kick_ns),
            (&bounds::IDLE_EXIT, c.idle_exit_ns),
            (&bounds::IDLE_EXIT_DEEP, c.idle_exit_deep_ns),
            (&bounds::FORK, c.fork_ns.unwrap_or(1)),
            (&bounds::LINE_TRANSFER, c.line_transfer_ns),
            (
                &bounds::LINE_TRANSFER_FAR,
                c.line_transfer_far_ns.unwrap_or_default(),
            ),
        ] {
            self.number(bound, value);
        }
        self.idle();
        if let Some(turbo) = &s.turbo {
            self.amount("turbo.mhz", &bounds::TURBO_STEPS, turbo.mhz.len());
            for (i, mhz) in turbo.mhz.iter().enumerate() {
                if !bounds::TURBO.holds(*mhz) {
                    self.problems.add_with(|| {
                        ConfigError::new(format!("turbo.mhz[{i}]"), bounds::TURBO.message(mhz))
                    });
                }
            }
        }
        if let Some(thermal) = &s.thermal {
            for (bound, value) in [
                (&bounds::AMBIENT, thermal.ambient_milli_c),
                (&bounds::PER_CORE, thermal.per_core_milli_c),
                (&bounds::LIMIT, thermal.limit_milli_c),
                (&bounds::LAG, thermal.lag_ms),
            ] {
                self.number(bound, value);
            }
            if thermal.limit_milli_c <= thermal.ambient_milli_c {
                self.refuse("thermal", "limitMilliC must exceed ambientMilliC");
            }
        }
    }

    fn idle(&mut self) {
        let spec = self.spec;
        for (field, states) in spec.idle.iter().flat_map(IdleSpec::lists) {
            let Some(states) = states else { continue };
            let path = format!("idle.{field}");
            self.amount(path.clone(), &bounds::IDLE_STATES, states.len());
            for (i, state) in states.iter().enumerate() {
                let path = format!("{path}[{i}]");
                self.line(format!("{path}.name"), &bounds::IDLE_STATE, &state.name);
                self.of(&path, &bounds::IDLE_STATE_EXIT, state.exit_ns);
                self.of(&path, &bounds::IDLE_STATE_RESIDENCY, state.residency_ns);
            }
        }
    }

    fn topology(&mut self) {
        let spec = self.spec;
        let mut cpus = 0_u64;
        let packages = &spec.topology.packages;
        self.amount("topology.packages", &bounds::PACKAGE_PARTS, packages.len());
        for (i, p) in packages.iter().enumerate() {
            let path = format!("topology.packages[{i}]");
            self.of(&path, &bounds::PACKAGES, p.count);
            self.amount(format!("{path}.nodes"), &bounds::NODE_PARTS, p.nodes.len());
            for (j, n) in p.nodes.iter().enumerate() {
                let path = format!("{path}.nodes[{j}]");
                self.of(&path, &bounds::NODES, n.count);
                self.amount(format!("{path}.llcs"), &bounds::LLC_PARTS, n.llcs.len());
                for (k, l) in n.llcs.iter().enumerate() {
                    let path = format!("{path}.llcs[{k}]");
                    self.of(&path, &bounds::LLCS, l.count);
                    self.amount(format!("{path}.cores"), &bounds::CORE_PARTS, l.cores.len());
                    for (m, c) in l.cores.iter().enumerate() {
                        self.core(&format!("{path}.cores[{m}]"), c);
                        cpus = cpus.saturating_add(
                            [p.count, n.count, l.count, c.count, c.smt]
                                .iter()
                                .fold(1_u64, |a, b| a.saturating_mul(u64::from(*b))),
                        );
                    }
                }
            }
        }
        if cpus > MAX_CPUS as u64 {
            self.refuse(
                "topology.packages",
                format!("must make 1 to {MAX_CPUS} CPUs, makes {cpus}"),
            );
        }
    }

    fn core(&mut self, path: &str, c: &CoreSpec) {
        for (bound, value) in [
            (&bounds::CORES, c.count),
            (&bounds::SMT, c.smt),
            (&bounds::CLUSTER, c.cluster),
            (&bounds::SPEED, c.speed_milli),
            (&bounds::CAPACITY, c.capacity),
        ] {
            self.of(path, bound, value);
        }
        if c.cluster > 0 && !c.count.is_multiple_of(c.cluster) {
            self.refuse(
                format!("{path}.cluster"),
                format!(
                    "must divide the number of cores ({}), got {}",
                    c.count, c.cluster
                ),
            );
        }
        self.line(format!("{path}.kind"), &bounds::KIND, &c.kind);
    }

    /// The kinds of cores; `None` if there are more cores than a machine may have.
    fn kinds(&self) -> Option<BTreeSet<&'a str>> {
        let spec: &'a MachineSpec = self.spec;
        let packages = spec.topology.packages.iter();
        let llcs = packages.flat_map(|p| p.nodes.iter().flat_map(|n| &n.llcs));
        let mut kinds = BTreeSet::new();
        for (n, core) in llcs.flat_map(|l| &l.cores).enumerate() {
            if n == MAX_CPUS {
                return None;
            }
            kinds.insert(core.kind.as_str());
        }
        Some(kinds)
    }

    fn caches(&mut self) {
        let spec = self.spec;
        let kinds = self.kinds();
        self.amount("caches", &bounds::CACHES, spec.caches.len());
        for (i, c) in spec.caches.iter().enumerate() {
            let path = format!("caches[{i}]");
            for (bound, value) in [
                (&bounds::CACHE_BYTES, c.bytes),
                (&bounds::CACHE_LEVEL, u64::from(c.level)),
                (&bounds::CACHE_WAYS, u64::from(c.ways)),
                (&bounds::CACHE_LATENCY, u64::from(c.latency_cycles)),
                (&bounds::CACHE_LINE, u64::from(c.line_ps)),
                (&bounds::CACHE_PORT, u64::from(c.port_milli)),
            ] {
                self.of(&path, bound, value);
            }
            self.amount(format!("{path}.kinds"), &bounds::CACHE_KINDS, c.kinds.len());
            for (k, kind) in c.kinds.iter().enumerate() {
                let is_one = |kinds: &BTreeSet<&str>| kinds.contains(kind.as_str());
                if !kinds.as_ref().is_none_or(is_one) {
                    self.problems.add_with(|| {
                        let message = format!("no core is of the kind \"{}\"", quoted(kind));
                        ConfigError::new(format!("{path}.kinds[{k}]"), message)
                    });
                }
            }
        }
        // Each kind is compared with the kinds of each cache, so neither list may be too long.
        let are_few = |c: &CacheSpec| bounds::CACHE_KINDS.holds(c.kinds.len());
        if let Some(kinds) = kinds
            && bounds::CACHES.holds(spec.caches.len())
            && spec.caches.iter().all(are_few)
        {
            self.ways_to_memory(&kinds);
        }
    }

    /// Checks the caches on the way of each kind of core to memory.
    fn ways_to_memory(&mut self, kinds: &BTreeSet<&str>) {
        let spec = self.spec;
        for kind in kinds {
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
                if self.problems.told().iter().any(|e| e.path.starts_with(&at)) {
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
                    !bounds::DISTANCE.holds(*d)
                };
                if wrong {
                    self.problems.add_with(|| {
                        let (min, max) = (bounds::DISTANCE.min, bounds::DISTANCE.max);
                        ConfigError::new(
                            format!("memory.distances[{i}][{j}]"),
                            format!(
                                "must be 10 on the diagonal and {min} to {max} elsewhere, got {d}"
                            ),
                        )
                    });
                }
            }
        }
        for (i, r) in spec.memory.remote.iter().enumerate() {
            let path = format!("memory.remote[{i}]");
            self.of(&path, &bounds::REMOTE_DISTANCE, r.distance);
            self.of(&path, &bounds::REMOTE_COST, r.milli);
        }
    }
}

/// Rank of how widely a cache is shared.
fn breadth(scope: CacheScope) -> u8 {
    match scope {
        CacheScope::Core => 0,
        CacheScope::Cluster => 1,
        CacheScope::Llc => 2,
        CacheScope::Package => 3,
    }
}
