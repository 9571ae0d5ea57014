//! Turns a scenario into a plan, or into the list of its errors.

mod background;
mod cgroups;
mod edits;
mod guide;

use super::edit::{Edit, Target};
use super::plan::{Delays, GroupPlan, LanePlan, Plan};
use super::{MachineRef, SCENARIO_VERSION, Scenario, SchedulerChoice, ThreadGroup};
use sim_contract::flags::Policy;
use sim_contract::{RECORDED, Registry};
use sim_ground::bounds;
use sim_ground::error::{ConfigError, Problems};
use sim_ground::ids::{CpuId, CpuMask, GroupId};
use sim_ground::info::BoundEntry;
use sim_ground::params::{ParamMap, Params};
use sim_ground::text::{quoted, refused, unreadable};
use sim_machine::Machine;
use std::fmt::Display;

/// Largest scenario text that is read, in bytes.
pub const MAX_TEXT: usize = 4 * 1024 * 1024;

/// Reads a scenario from JSON.
///
/// # Errors
/// One error with line and column if it is not JSON of the right shape.
pub fn parse(json: &str) -> Result<Scenario, Vec<ConfigError>> {
    if json.len() > MAX_TEXT {
        return Err(vec![ConfigError::new(
            "",
            format!(
                "the text must have at most {MAX_TEXT} bytes, has {}",
                json.len()
            ),
        )]);
    }
    serde_json::from_str(json).map_err(|e| vec![misread(&e)])
}

/// Why a text is no JSON of the right shape, with its place.
#[must_use]
pub fn misread(e: &serde_json::Error) -> ConfigError {
    let at = format!("line {}, column {}", e.line(), e.column());
    ConfigError::new(at, unreadable(&e.to_string()))
}

/// Checks a scenario whose schedulers are those of a registry.
///
/// # Errors
/// All its errors, in the order of the file.
pub fn plan_with(scenario: &Scenario, registry: Registry) -> Result<Plan, Vec<ConfigError>> {
    let mut check = Check::new(registry, scenario, sim_ground::ids::MAX_CPUS);
    if scenario.version != SCENARIO_VERSION {
        check.error(
            "version",
            format!("must be {SCENARIO_VERSION}, got {}", scenario.version),
        );
    }
    check.line("name", bounds::NAME, &scenario.name);
    check.text("notes", bounds::NOTES, &scenario.notes, true);
    check.line("ask", bounds::ASK, &scenario.ask);
    check.range("seed", bounds::SEED, scenario.seed);
    let machine = check.machine(&scenario.machine);
    check.range("schedulers", bounds::SCHEDULERS, scenario.schedulers.len());
    let lanes = scenario
        .schedulers
        .iter()
        .enumerate()
        .take(most(bounds::SCHEDULERS))
        .filter_map(|(i, choice)| check.lane(i, choice))
        .collect::<Vec<_>>();
    if let Some(machine) = &machine {
        check.cpus = machine.cpu_count();
    }
    check.range("groups", bounds::GROUPS, scenario.groups.len());
    let mut groups: Vec<GroupPlan> = scenario
        .groups
        .iter()
        .enumerate()
        .take(most(bounds::GROUPS))
        .filter_map(|(i, group)| check.group(i, group))
        .collect();
    check.names();
    let cgroups = check.cgroups();
    check.parents(machine.as_ref(), &mut groups);
    if let Some(background) = &scenario.background {
        check.background(background, &mut groups);
    }
    check.timing();
    check.range("edits", bounds::EDITS, scenario.edits.len());
    for (i, timed) in scenario.edits.iter().enumerate().take(most(bounds::EDITS)) {
        let path = format!("edits[{i}]");
        check.range(&format!("{path}.atNs"), bounds::END, timed.at_ns.max(1));
        check.edit(&path, &timed.edit);
        check.edit_lane(&format!("{path}.lane"), timed.lane);
    }
    let threads: u64 = groups.iter().map(|g| u64::from(g.count)).sum();
    check.range("groups", bounds::THREADS, threads + edits::added(scenario));
    check.range("end.atNs", bounds::END, scenario.end.at_ns);
    check.guide();
    match (machine, check.problems.is_empty()) {
        (Some(machine), true) => Ok(Plan {
            delays: Delays::resolve(&scenario.timing, &machine),
            machine: super::plan::numbered(machine, &lanes),
            registry,
            seed: scenario.seed,
            end_ns: scenario.end.at_ns,
            scenario: scenario.clone(),
            cgroups: check.joined(cgroups, &groups),
            lanes,
            groups,
        }),
        _ => Err(check.problems.into_errors()),
    }
}

/// Checks one edit against a plan, in a run with these threads, by name.
///
/// # Errors
/// All errors of the edit.
pub fn check_edit(
    edit: &Edit,
    lane: Option<u32>,
    plan: &Plan,
    threads: Vec<String>,
) -> Result<(), Vec<ConfigError>> {
    let mut check = Check::new(plan.registry, &plan.scenario, plan.machine.cpu_count());
    check.threads = threads;
    check.edit("", edit);
    check.edit_lane("lane", lane);
    if check.problems.is_empty() {
        Ok(())
    } else {
        Err(check.problems.into_errors())
    }
}

/// Number of entries of a list that are checked. A longer list is refused anyway, and checking it must not take longer.
fn most(bound: BoundEntry) -> usize {
    usize::try_from(bound.max).unwrap_or(0)
}

struct Check<'a> {
    registry: Registry,
    scenario: &'a Scenario,
    cpus: usize,
    problems: Problems,
    /// Names of the threads that exist already.
    threads: Vec<String>,
    /// The threads that may exist; computed when an edit first needs them.
    known: Option<Vec<edits::Known<'a>>>,
}

impl<'a> Check<'a> {
    fn new(registry: Registry, scenario: &'a Scenario, cpus: usize) -> Self {
        Self {
            registry,
            scenario,
            cpus,
            problems: Problems::default(),
            threads: Vec::new(),
            known: None,
        }
    }

    fn error(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.add(path, message);
    }

    fn range<N: TryInto<i64> + Copy + Display>(&mut self, path: &str, bound: BoundEntry, value: N) {
        if !bound.holds(value) {
            self.error(path, bound.message(&value));
        }
    }

    /// A text in one line.
    fn line(&mut self, path: &str, bound: BoundEntry, text: &str) {
        self.text(path, bound, text, false);
    }

    fn text(&mut self, path: &str, bound: BoundEntry, text: &str, has_lines: bool) {
        let length = bound.length(text);
        if !bound.holds(length) {
            self.error(path, format!("length {}", bound.message(&length)));
        } else if let Some(message) = refused(text, has_lines) {
            self.error(path, message);
        }
    }

    fn params(
        &mut self,
        path: &str,
        specs: &'static [sim_ground::params::ParamSpec],
        map: &ParamMap,
    ) -> Option<Params> {
        match Params::from_map(specs, map) {
            Ok(params) => Some(params),
            Err(problems) => {
                self.problems.absorb(problems, |id| format!("{path}.{id}"));
                None
            }
        }
    }

    fn machine(&mut self, reference: &MachineRef) -> Option<Machine> {
        match reference {
            MachineRef::Preset(id) => {
                let machine = sim_machine::registry::preset(id);
                if machine.is_none() {
                    let known: Vec<_> = sim_machine::registry::ids().collect();
                    let message = format!(
                        "must be one of {}, got \"{}\"",
                        known.join(", "),
                        quoted(id)
                    );
                    self.error("machine", message);
                }
                machine
            }
            MachineRef::Inline(spec) => match Machine::checked(spec, spec.topology.numbering) {
                Ok(machine) => Some(machine),
                Err(problems) => {
                    self.problems
                        .absorb(problems, |path| format!("machine.{path}"));
                    None
                }
            },
        }
    }

    fn lane(&mut self, i: usize, choice: &SchedulerChoice) -> Option<LanePlan> {
        let path = format!("schedulers[{i}]");
        let Some(info) = self.registry.find(&choice.id) else {
            let known = self.registry.ids();
            let message = format!("must be one of {known}, got \"{}\"", quoted(&choice.id));
            self.error(format!("{path}.id"), message);
            return None;
        };
        let Some(era) = info.era(choice.era.as_deref()) else {
            let known: Vec<_> = info.eras.iter().map(|e| e.id).collect();
            let known = known.join(", ");
            let got = quoted(choice.era.as_deref().unwrap_or_default());
            let message = format!("must be one of {known}, got \"{got}\"");
            self.error(format!("{path}.era"), message);
            return None;
        };
        let params = self.params(&format!("{path}.tunables"), era.tunables, &choice.tunables)?;
        let program = choice.program.clone();
        let lane = LanePlan {
            info,
            era,
            params,
            program,
        };
        self.with_program(&format!("{path}.program"), choice, lane)
    }

    /// A lane whose program has been read, if its scheduler runs one.
    fn with_program(
        &mut self,
        path: &str,
        choice: &SchedulerChoice,
        lane: LanePlan,
    ) -> Option<LanePlan> {
        let program = choice.program.as_deref();
        let Some(check) = lane.info.check_program else {
            if program.is_some() {
                let name = lane.info.name;
                self.error(path, format!("{name} runs no program of its user"));
                return None;
            }
            return Some(lane);
        };
        if let Some(text) = program {
            let before = self.problems.told().len();
            let bound = match lane.info.family {
                RECORDED => bounds::RECORDING,
                _ => bounds::PROGRAM,
            };
            self.text(path, bound, text, true);
            if self.problems.told().len() > before {
                return None;
            }
        }
        if program.is_some() && choice.era.is_some() {
            self.error(path, "stands instead of an era: leave one of the two out");
            return None;
        }
        match (check.first)(lane.era, program) {
            Ok(info) => {
                let own = info.eras.first().filter(|_| program.is_some());
                let era = own.unwrap_or(lane.era);
                Some(LanePlan { info, era, ..lane })
            }
            Err(e) => {
                self.error(path, e.to_string());
                None
            }
        }
    }

    fn group(&mut self, i: usize, group: &ThreadGroup) -> Option<GroupPlan> {
        let path = format!("groups[{i}]");
        self.line(&format!("{path}.name"), bounds::NAME, &group.name);
        if let Some(process) = &group.process {
            self.line(&format!("{path}.process"), bounds::NAME, process);
        }
        self.range(&format!("{path}.count"), bounds::COUNT, group.count);
        self.range(&format!("{path}.nice"), bounds::NICE, group.nice);
        if let Some(slice) = group.slice_ns {
            self.range(&format!("{path}.sliceNs"), bounds::SLICE, slice);
        }
        self.range(&format!("{path}.startNs"), bounds::START, group.start_ns);
        self.range(
            &format!("{path}.startSpacingNs"),
            bounds::SPACING,
            group.start_spacing_ns,
        );
        if let Some(bytes) = group.working_set_bytes {
            self.range(
                &format!("{path}.workingSetBytes"),
                bounds::WORKING_SET,
                bytes,
            );
        }
        let real_time = matches!(group.policy, Policy::Fifo | Policy::RoundRobin);
        match (real_time, group.rt_priority) {
            (true, Some(p)) => self.range(&format!("{path}.rtPriority"), bounds::RT_PRIORITY, p),
            (true, None) => self.error(
                format!("{path}.rtPriority"),
                "must be given for the policies fifo and roundRobin",
            ),
            (false, Some(_)) => self.error(
                format!("{path}.rtPriority"),
                "only with the policies fifo and roundRobin",
            ),
            (false, None) => {}
        }
        let allowed = match &group.allowed {
            None => CpuMask::first(self.cpus),
            Some(list) => self.mask(&format!("{path}.allowed"), list),
        };
        let kind = &group.behaviour.kind;
        let Some(behaviour) = sim_workload::registry::in_scenarios(kind) else {
            let known: Vec<_> = sim_workload::registry::BEHAVIOURS
                .iter()
                .filter(|b| b.offered)
                .map(|b| b.id)
                .collect();
            self.error(
                format!("{path}.behaviour.kind"),
                format!(
                    "must be one of {}, got \"{}\"",
                    known.join(", "),
                    quoted(kind)
                ),
            );
            return None;
        };
        let params_path = format!("{path}.behaviour.params");
        let params = self.params(&params_path, behaviour.params, &group.behaviour.params)?;
        if let Err(message) = (behaviour.make)(&params) {
            self.error(params_path, message);
        }
        Some(GroupPlan {
            id: GroupId::new(i),
            name: group.name.clone(),
            process: group.process.clone().unwrap_or_else(|| group.name.clone()),
            one_process: group.process.as_ref().map(|name| {
                let mut groups = self.scenario.groups.iter();
                let first = groups.position(|g| g.process.as_ref() == Some(name));
                GroupId::new(first.unwrap_or(i))
            }),
            count: group.count,
            behaviour,
            params,
            nice: group.nice,
            policy: group.policy,
            rt_priority: group.rt_priority.unwrap_or(0),
            slice_ns: group.slice_ns.unwrap_or(0),
            working_set_bytes: group
                .working_set_bytes
                .unwrap_or(behaviour.working_set_bytes),
            allowed,
            bound_each: false,
            start_ns: group.start_ns,
            start_spacing_ns: group.start_spacing_ns,
            forked: group.parent.is_some(),
            parent_of: None,
            background: group.background,
        })
    }

    fn mask(&mut self, path: &str, list: &[u16]) -> CpuMask {
        let mut mask = CpuMask::EMPTY;
        for (i, cpu) in list.iter().enumerate() {
            if usize::from(*cpu) < self.cpus {
                mask.insert(CpuId(*cpu));
            } else {
                let last = self.cpus - 1;
                self.problems.add_with(|| {
                    let message = format!("must be a CPU from 0 to {last}, got {cpu}");
                    ConfigError::new(format!("{path}[{i}]"), message)
                });
            }
        }
        self.range(path, bounds::CPUS, list.len());
        mask
    }

    fn names(&mut self) {
        let groups = &self.scenario.groups;
        for (i, group) in groups.iter().enumerate().take(most(bounds::GROUPS)) {
            let twice = groups[..i].iter().any(|g| g.name == group.name);
            let is_parent = groups.iter().any(|g| {
                g.parent.is_some() && group.name.strip_suffix(PARENT) == Some(g.name.as_str())
            });
            if twice || is_parent || group.name == DAEMONS || group.name == KERNEL_THREADS {
                let message = format!("\"{}\" is taken", quoted(&group.name));
                self.error(format!("groups[{i}].name"), message);
            }
        }
    }

    /// Adds the parents of the groups that have one.
    fn parents(&mut self, machine: Option<&Machine>, groups: &mut Vec<GroupPlan>) {
        for (i, group) in self.scenario.groups.iter().enumerate() {
            let Some(parent) = &group.parent else {
                continue;
            };
            let path = format!("groups[{i}].parent.forkCostNs");
            let own = machine.and_then(|m| m.spec().costs.fork_ns.map(u64::from));
            // If the machine does not give the time, the assumed time of the behaviour counts, so that a scenario still
            // runs after its machine was changed.
            let cost = parent.fork_cost_ns.or(own);
            if let Some(cost) = cost {
                self.range(&path, bounds::FORK_COST, cost);
            }
            let wait = parent.wait_cost_ns.unwrap_or(0);
            let path = format!("groups[{i}].parent.waitCostNs");
            self.range(&path, bounds::WAIT_COST, wait);
            let Some(children) = groups.iter().find(|g| g.id == GroupId::new(i)).cloned() else {
                continue;
            };
            let name = format!("{}{PARENT}", group.name);
            let known = cost.map(|cost| ("forkNs", cost));
            let params: Vec<_> = known
                .into_iter()
                .chain([("children", u64::from(group.count)), ("waitNs", wait)])
                .collect();
            self.background_group(groups, &name, "parent", 1, &params, false);
            if let Some(plan) = groups.last_mut().filter(|g| g.name == name) {
                plan.parent_of = Some(children.id);
                plan.start_ns = children.start_ns;
                plan.allowed = children.allowed;
                plan.nice = children.nice;
            }
        }
    }

    fn timing(&mut self) {
        let t = &self.scenario.timing;
        for (field, ns) in [
            ("kickNs", t.kick_ns),
            ("idleExitNs", t.idle_exit_ns),
            ("idleExitDeepNs", t.idle_exit_deep_ns),
        ] {
            if let Some(ns) = ns {
                self.range(&format!("timing.{field}"), bounds::DELAY, ns);
            }
        }
    }

    fn target(&mut self, path: &str, target: &Target) {
        match (&target.thread, &target.group) {
            (Some(name), _) => self.named_thread(path, name),
            (None, Some(name)) => self.group_name(path, name),
            (None, None) => {}
        }
    }

    /// Checks the name of a thread that an edit is about.
    fn named_thread(&mut self, path: &str, name: &str) {
        self.line(path, bounds::THREAD, name);
        self.thread(path, name);
    }

    /// Checks that there is a group of this name.
    fn group_name(&mut self, path: &str, name: &str) {
        if let Err(known) = self.find_group(name) {
            let got = quoted(name);
            let known = known.join(", ");
            self.error(path, format!("must be one of {known}, got \"{got}\""));
        }
    }

    /// Whether there is a group of this name. If not: the names of the existing groups.
    fn find_group(&self, name: &str) -> Result<(), Vec<String>> {
        let groups = self.scenario.groups.iter().take(most(bounds::GROUPS));
        if groups.clone().any(|g| g.name == name) {
            return Ok(());
        }
        Err(groups.map(|g| quoted(&g.name)).collect())
    }
}

/// Names of the background's groups.
const DAEMONS: &str = "daemon";
const KERNEL_THREADS: &str = "kthread";
/// The end of a parent's name, after the name of its group.
const PARENT: &str = "-parent";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Count;
    use sim_schedulers::registry::ALL;

    fn scenario() -> Scenario {
        parse(include_str!("../../../scenarios/experiments/bfs-smt.json")).expect("shipped")
    }

    #[test]
    fn all_errors_come_at_once_with_their_paths() {
        let mut s = scenario();
        s.machine = MachineRef::Preset("pdp11".to_owned());
        s.schedulers[0].id = "cfq".to_owned();
        s.groups[0].nice = 30;
        s.groups[0].behaviour.kind = "whetstone".to_owned();
        s.end.at_ns = 0;
        // One of the controls is for a tunable of that lane.
        s.controls.clear();
        let errors = plan_with(&s, ALL).expect_err("invalid");
        let paths: Vec<_> = errors.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "machine",
                "schedulers[0].id",
                "groups[0].nice",
                "groups[0].behaviour.kind",
                "end.atNs"
            ]
        );
        assert_eq!(errors[2].message, "must be from -20 to 20, got 30");
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_line() {
        let errors = parse("{\n \"version\": 1,\n \"colour\": 3 }").expect_err("unknown field");
        assert!(errors[0].path.starts_with("line 3"), "{errors:?}");
        assert!(errors[0].message.contains("colour"), "{errors:?}");
    }

    #[test]
    fn edits_are_checked_like_the_rest() {
        let s = scenario();
        let edit = Edit::SetCount {
            group: Some("nobody".to_owned()),
            count: Count::To(99_999),
        };
        let plan = plan_with(&s, ALL).expect("valid");
        let errors = check_edit(&edit, None, &plan, Vec::new()).expect_err("invalid");
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
