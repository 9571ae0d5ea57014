//! For every place where a range of `bounds` applies: a scenario in which only that number varies.

use serde_json::{Value, json};
use sim_ground::bounds;
use sim_ground::info::BoundEntry;

/// A number that a range bounds.
pub(crate) struct Case {
    /// The range.
    pub(crate) bound: BoundEntry,
    /// Path in error messages.
    pub(crate) path: String,
    /// A valid scenario that contains it.
    base: fn() -> Value,
    /// JSON pointer of the number, list or text.
    pointer: String,
    /// Writes a value of the range at that place; receives the present value of the valid scenario.
    write: fn(i64, &Value) -> Value,
    /// Whether the number may be negative in JSON.
    pub(crate) signed: bool,
}

impl Case {
    /// The scenario with this value at that place.
    pub(crate) fn with(&self, value: i64) -> Value {
        let mut scenario = (self.base)();
        let place = scenario.pointer_mut(&self.pointer).expect(&self.pointer);
        *place = (self.write)(value, place);
        scenario
    }
}

/// A valid scenario in which every bounded field is written out.
pub(crate) fn base() -> Value {
    json!({
        "version": 2,
        "name": "bounds",
        "notes": "",
        "ask": "",
        "seed": 1,
        "machine": "i7860",
        "schedulers": [{ "id": "bfs" }],
        "groups": [group("a", 1), {
            "name": "rt", "count": 1, "behaviour": { "kind": "dhrystone" },
            "policy": "fifo", "rtPriority": 5, "parent": { "forkCostNs": 1, "waitCostNs": 1 }
        }],
        "cgroups": {
            "web": {
                "parent": "pod", "weight": 1, "quotaUs": bounds::QUOTA.max, "periodUs": 1_000,
                "burstUs": 0, "phaseUs": 0
            },
            "pod": { "weightNice": 1 },
            "box": { "requestMilliCpus": 1 }
        },
        "background": {
            "daemons": {
                "count": 1, "wakesPerSecond": 1, "interruptPercent": 1,
                "tickAlignedPercent": 1, "runMeanNs": 1, "chainPercent": 1
            },
            "kernelThreads": { "wakesPerSecond": 1, "runNs": 1 }
        },
        "timing": { "kickNs": 0, "idleExitNs": 0, "idleExitDeepNs": 0 },
        "edits": [
            { "atNs": 1, "set": { "threads.a-1.nice": 1 } },
            { "atNs": 1, "set": { "groups.*.workingSetBytes": 1 } },
            { "atNs": 1, "set": { "groups.a.count": 2 } },
            { "atNs": 1, "set": { "groups.*.allowed": [0] } },
            { "atNs": 1, "copy": "a-1" },
            { "atNs": 1, "set": { "groups.*.sliceNs": 1 } },
            { "atNs": 1, "set": { "cgroups.web.weight": 1 } },
            { "atNs": 1, "set": { "cgroups.web.quotaUs": 1_000 } },
            { "atNs": 1, "set": { "cgroups.web.periodUs": 1_000 } },
            { "atNs": 1, "set": { "cgroups.web.burstUs": 0 } }
        ],
        "end": { "atNs": 1_000 },
        "opening": {
            "atNs": 0, "speed": 1_000, "windowNs": 1_000, "select": "a-1",
            "later": { "atNs": 0, "speed": 1_000 }
        },
        "answer": { "measure": "share", "of": "a", "fair": 0 },
        "controls": [{ "kind": "nice" }],
        "moments": ["wait"]
    })
}

/// A valid scenario on a machine in which every field is written out.
pub(crate) fn machine_base() -> Value {
    let mut scenario = base();
    scenario["machine"] = json!({
        "id": "mine", "name": "Mine", "year": 2010, "microarchitecture": "", "purpose": "",
        "topology": { "numbering": "coresFirst", "packages": [{ "count": 1, "nodes": [{
            "count": 2, "llcs": [{ "count": 1, "cores": [core(1)] }]
        }] }] },
        "clockMhz": 1000,
        "work": {
            "loopMilliCycles": 1000, "chaseMilliCycles": 1000, "overlapMilli": 0, "lruStepMilli": 0
        },
        "caches": [{
            "level": 1, "bytes": 1024, "per": "core", "ways": 1, "latencyCycles": 1, "linePs": 0,
            "portMilli": 1000, "kinds": ["P"]
        }],
        "memory": {
            "localLatencyNs": 1, "peakMbPerS": 1, "linePs": 1, "bandwidthMbPerS": 1,
            "domain": "node", "nodeMib": 1, "distances": [[10, 20], [20, 10]],
            "remote": [{ "distance": 20, "milli": 1000 }]
        },
        "costs": {
            "yieldNs": 1, "switchNs": 1, "tickNs": 1, "kickNs": 1, "idleExitNs": 1,
            "idleExitDeepNs": 1, "forkNs": 1, "lineTransferNs": 1, "lineTransferFarNs": 1
        },
        "idle": {
            "states": [{ "name": "C1", "exitNs": 1, "residencyNs": 1, "wake": "store" }]
        },
        "turbo": { "mhz": [1000], "enabled": true },
        "thermal": { "ambientMilliC": 1, "perCoreMilliC": 1, "limitMilliC": 2, "lagMs": 1 },
        "provenance": [{ "fields": ["clockMhz"], "mark": "assumed", "source": "" }]
    });
    scenario
}

/// Cores in one cluster.
fn core(count: i64) -> Value {
    json!({ "count": count, "smt": 1, "cluster": count, "kind": "P", "speedMilli": 1000, "capacity": 512 })
}

/// A case for a range of the machine, found by the name of its field, in the first entry of each list on the way.
fn of_machine(bound: &BoundEntry) -> Case {
    let whole = machine_base();
    let at = |pointer: &str| whole.pointer(pointer).expect(pointer).clone();
    let (mut path, mut pointer) = (String::new(), String::new());
    for name in bound.field.split('.') {
        if at(&pointer).is_array() {
            path += "[0]";
            pointer += "/0";
        }
        path += if path.is_empty() { "" } else { "." };
        path += name;
        pointer += &format!("/{name}");
    }
    let mut write: fn(i64, &Value) -> Value = |n, was| match was {
        Value::String(_) => text(n, was),
        Value::Array(list) => repeat(&list[0], n),
        _ => json!(n),
    };
    match (bound.field, bound.unit) {
        // A distance between two nodes, because the diagonal is always 10.
        ("machine.memory.distances", _) => {
            path += "[0][1]";
            pointer += "/0/1";
        }
        // A cluster divides the number of cores.
        ("machine.topology.packages.nodes.llcs.cores.cluster", _) => {
            pointer.truncate(pointer.len() - "/cluster".len());
            write = |n, _| core(n);
        }
        (_, unit) if unit != "entries" && at(&pointer).is_array() => {
            path += "[0]";
            pointer += "/0";
        }
        _ => {}
    }
    Case {
        bound: *bound,
        path,
        base: machine_base,
        pointer,
        write,
        signed: false,
    }
}

fn group(name: &str, count: i64) -> Value {
    json!({
        "name": name, "count": count, "behaviour": { "kind": "dhrystone" }, "nice": 0,
        "sliceNs": 0, "workingSetBytes": 1, "startNs": 0, "startSpacingNs": 0, "process": "app", "allowed": [0]
    })
}

fn text(length: i64, _: &Value) -> Value {
    json!("x".repeat(usize::try_from(length.max(0)).expect("small")))
}

fn repeat(value: &Value, n: i64) -> Value {
    Value::Array(vec![
        value.clone();
        usize::try_from(n.max(0)).expect("small")
    ])
}

fn schedulers(n: i64, _: &Value) -> Value {
    repeat(&json!({ "id": "bfs" }), n)
}

fn groups(n: i64, _: &Value) -> Value {
    let name = |i| {
        if i == 0 {
            "a".to_owned()
        } else {
            format!("g{i}")
        }
    };
    (0..n).map(|i| group(&name(i), 1)).collect()
}

/// Groups with `n` threads in total, minus those of base()'s other fields: a daemon, 8 kernel threads, two that an edit
/// adds, and a copy. No group has more than 2,000.
fn threads(n: i64, _: &Value) -> Value {
    let mut rest = n - 12;
    let mut all = vec![group("a", 0)];
    while rest > 0 {
        let count = rest.min(2_000);
        all.push(group(&format!("g{}", all.len()), count));
        rest -= count;
    }
    Value::Array(all)
}

/// With this many control groups.
fn cgroups(n: i64, was: &Value) -> Value {
    let mut scenario = was.clone();
    let all = (0..n).map(|i| (format!("c{i}"), json!({})));
    scenario["cgroups"] = Value::Object(all.collect());
    scenario["edits"] = json!([]);
    scenario
}

/// With this many control groups above one.
fn deep_cgroups(n: i64, was: &Value) -> Value {
    let mut scenario = was.clone();
    let above = |i: i64| match i {
        0 => json!({}),
        i => json!({ "parent": format!("c{}", i - 1) }),
    };
    let all = (0..=n).map(|i| (format!("c{i}"), above(i)));
    scenario["cgroups"] = Value::Object(all.collect());
    scenario["edits"] = json!([]);
    scenario
}

fn cpus(n: i64, _: &Value) -> Value {
    repeat(&json!(0), n)
}

fn edits(n: i64, _: &Value) -> Value {
    repeat(
        &json!({ "atNs": 1, "set": { "groups.*.allowed": null } }),
        n,
    )
}

fn controls(n: i64, _: &Value) -> Value {
    repeat(&json!({ "kind": "processes" }), n)
}

fn moments(n: i64, _: &Value) -> Value {
    repeat(&json!("wait"), n)
}

fn fewer(n: i64, _: &Value) -> Value {
    json!(format!("-{n}"))
}

fn number(n: i64, _: &Value) -> Value {
    json!(n)
}

/// On a machine with the largest possible number of CPUs.
fn with_cpu(n: i64, _: &Value) -> Value {
    let mut scenario = machine_base();
    scenario["machine"]["topology"]["packages"][0]["nodes"][0]["llcs"][0]["cores"][0] = core(512);
    scenario["groups"][0]["allowed"] = json!([n]);
    scenario["edits"][3]["set"]["groups.*.allowed"] = json!([n]);
    scenario
}

/// With the largest possible number of lanes.
fn with_lane(n: i64, was: &Value) -> Value {
    let mut scenario = was.clone();
    scenario["schedulers"] = schedulers(4, was);
    scenario["edits"][0]["lane"] = json!(n);
    scenario
}

fn with_expression(length: i64, was: &Value) -> Value {
    let mut scenario = was.clone();
    scenario["answer"] = json!({ "expression": text(length, was) });
    scenario
}

/// With the largest possible number of lanes, and a control for one of them.
fn with_control(n: i64, was: &Value) -> Value {
    let mut scenario = was.clone();
    scenario["schedulers"] = schedulers(4, was);
    scenario["controls"] = json!([{ "kind": "tunable", "lane": n, "id": "rrIntervalMs" }]);
    scenario
}

/// All cases.
pub(crate) fn all() -> Vec<Case> {
    let case = |bound, path: &str, pointer: &str, write: fn(i64, &Value) -> Value| Case {
        bound,
        path: path.to_owned(),
        base,
        pointer: pointer.to_owned(),
        write,
        signed: false,
    };
    let plain = |bound, path, pointer| case(bound, path, pointer, number);
    let mut all = vec![
        plain(bounds::SEED, "seed", "/seed"),
        case(bounds::SCHEDULERS, "schedulers", "/schedulers", schedulers),
        case(bounds::NAME, "name", "/name", text),
        case(bounds::NAME, "groups[1].name", "/groups/1/name", text),
        case(bounds::NAME, "groups[0].process", "/groups/0/process", text),
        case(bounds::THREAD, "edits[4].copy", "/edits/4/copy", text),
        case(bounds::NOTES, "notes", "/notes", text),
        case(bounds::ASK, "ask", "/ask", text),
        case(bounds::GROUPS, "groups", "/groups", groups),
        plain(bounds::COUNT, "groups[0].count", "/groups/0/count"),
        case(bounds::THREADS, "groups", "/groups", threads),
        Case {
            signed: true,
            ..plain(bounds::NICE, "groups[0].nice", "/groups/0/nice")
        },
        Case {
            signed: true,
            ..plain(
                bounds::NICE,
                "edits[0].set",
                "/edits/0/set/threads.a-1.nice",
            )
        },
        plain(bounds::SLICE, "groups[0].sliceNs", "/groups/0/sliceNs"),
        plain(
            bounds::SLICE,
            "edits[5].set",
            "/edits/5/set/groups.*.sliceNs",
        ),
        plain(
            bounds::RT_PRIORITY,
            "groups[1].rtPriority",
            "/groups/1/rtPriority",
        ),
        plain(
            bounds::WORKING_SET,
            "groups[0].workingSetBytes",
            "/groups/0/workingSetBytes",
        ),
        plain(
            bounds::WORKING_SET,
            "edits[1].set",
            "/edits/1/set/groups.*.workingSetBytes",
        ),
        case(bounds::CPUS, "groups[0].allowed", "/groups/0/allowed", cpus),
        case(
            bounds::CPUS,
            "edits[3].set",
            "/edits/3/set/groups.*.allowed",
            cpus,
        ),
        plain(bounds::START, "groups[0].startNs", "/groups/0/startNs"),
        plain(
            bounds::SPACING,
            "groups[0].startSpacingNs",
            "/groups/0/startSpacingNs",
        ),
        plain(
            bounds::FORK_COST,
            "groups[1].parent.forkCostNs",
            "/groups/1/parent/forkCostNs",
        ),
        plain(
            bounds::WAIT_COST,
            "groups[1].parent.waitCostNs",
            "/groups/1/parent/waitCostNs",
        ),
        case(bounds::CGROUPS, "cgroups", "", cgroups),
        case(bounds::CGROUP_DEPTH, "cgroups", "", deep_cgroups),
        plain(bounds::WEIGHT, "cgroups.web.weight", "/cgroups/web/weight"),
        Case {
            signed: true,
            ..plain(
                bounds::WEIGHT_NICE,
                "cgroups.pod.weightNice",
                "/cgroups/pod/weightNice",
            )
        },
        plain(
            bounds::REQUEST,
            "cgroups.box.requestMilliCpus",
            "/cgroups/box/requestMilliCpus",
        ),
        plain(bounds::QUOTA, "cgroups.web.quotaUs", "/cgroups/web/quotaUs"),
        plain(
            bounds::PERIOD,
            "cgroups.web.periodUs",
            "/cgroups/web/periodUs",
        ),
        plain(bounds::BURST, "cgroups.web.burstUs", "/cgroups/web/burstUs"),
        plain(bounds::PHASE, "cgroups.web.phaseUs", "/cgroups/web/phaseUs"),
        plain(
            bounds::WEIGHT,
            "edits[6].set",
            "/edits/6/set/cgroups.web.weight",
        ),
        plain(
            bounds::QUOTA,
            "edits[7].set",
            "/edits/7/set/cgroups.web.quotaUs",
        ),
        plain(
            bounds::PERIOD,
            "edits[8].set",
            "/edits/8/set/cgroups.web.periodUs",
        ),
        plain(
            bounds::BURST,
            "edits[9].set",
            "/edits/9/set/cgroups.web.burstUs",
        ),
        plain(
            bounds::DAEMONS,
            "background.daemons.count",
            "/background/daemons/count",
        ),
        plain(
            bounds::WAKES,
            "background.daemons.wakesPerSecond",
            "/background/daemons/wakesPerSecond",
        ),
        plain(
            bounds::WAKES,
            "background.kernelThreads.wakesPerSecond",
            "/background/kernelThreads/wakesPerSecond",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.interruptPercent",
            "/background/daemons/interruptPercent",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.tickAlignedPercent",
            "/background/daemons/tickAlignedPercent",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.chainPercent",
            "/background/daemons/chainPercent",
        ),
        plain(
            bounds::BACKGROUND_RUN,
            "background.daemons.runMeanNs",
            "/background/daemons/runMeanNs",
        ),
        plain(
            bounds::BACKGROUND_RUN,
            "background.kernelThreads.runNs",
            "/background/kernelThreads/runNs",
        ),
        plain(bounds::DELAY, "timing.kickNs", "/timing/kickNs"),
        plain(bounds::DELAY, "timing.idleExitNs", "/timing/idleExitNs"),
        plain(
            bounds::DELAY,
            "timing.idleExitDeepNs",
            "/timing/idleExitDeepNs",
        ),
        case(bounds::CPU, "groups[0].allowed[0]", "", with_cpu),
        case(bounds::CPU, "edits[3].set[0]", "", with_cpu),
        plain(bounds::COUNT, "edits[2].set", "/edits/2/set/groups.a.count"),
        case(
            bounds::ASKED,
            "edits[2].set",
            "/edits/2/set/groups.a.count",
            fewer,
        ),
        case(bounds::LANE, "edits[0].lane", "", with_lane),
        case(bounds::EDITS, "edits", "/edits", edits),
        plain(bounds::OPENING, "opening.atNs", "/opening/atNs"),
        plain(bounds::OPENING_SPEED, "opening.speed", "/opening/speed"),
        plain(bounds::OPENING, "opening.later.atNs", "/opening/later/atNs"),
        plain(
            bounds::OPENING_SPEED,
            "opening.later.speed",
            "/opening/later/speed",
        ),
        plain(bounds::WINDOW, "opening.windowNs", "/opening/windowNs"),
        case(bounds::SELECT, "opening.select", "/opening/select", text),
        case(bounds::ANSWER_OF, "answer.of", "/answer/of", text),
        case(
            bounds::ANSWER_EXPRESSION,
            "answer.expression",
            "",
            with_expression,
        ),
        Case {
            signed: true,
            ..plain(bounds::FAIR, "answer.fair", "/answer/fair")
        },
        case(bounds::CONTROLS, "controls", "/controls", controls),
        case(bounds::CONTROL_LANE, "controls[0].lane", "", with_control),
        case(bounds::MOMENTS, "moments", "/moments", moments),
        plain(bounds::END, "end.atNs", "/end/atNs"),
    ];
    let machine = bounds::ALL.iter();
    all.extend(
        machine
            .filter(|b| b.field.starts_with("machine."))
            .map(of_machine),
    );
    all
}
