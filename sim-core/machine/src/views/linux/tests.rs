//! Domains of machines for which the kernels' own code gave the result.

use super::{Domain, Domains, Release};
use crate::spec::{CoreSpec, LlcSpec, MachineSpec, NodeSpec, PackageSpec};
use crate::{Machine, registry};
use sim_ground::ids::CpuId;

/// Packages of `nodes` nodes, each with one cache group, with firmware distances.
fn machine(packages: u16, nodes: u16, cores: u16, distances: &[&[u16]]) -> Machine {
    let mut spec: MachineSpec = registry::preset("i7860").expect("shipped").spec().clone();
    let core = CoreSpec {
        count: cores,
        smt: 1,
        ..spec.topology.packages[0].nodes[0].llcs[0].cores[0].clone()
    };
    spec.topology.packages = vec![PackageSpec {
        count: packages,
        nodes: vec![NodeSpec {
            count: nodes,
            llcs: vec![LlcSpec {
                count: 1,
                cores: vec![core],
            }],
        }],
    }];
    spec.memory.distances = distances.iter().map(|r| r.to_vec()).collect();
    Machine::new(&spec).expect("possible")
}

/// Four nodes of eight cores, two nodes per package, all at distance 16.
fn four_by_eight() -> Machine {
    let far = [16_u16; 4];
    let rows: Vec<Vec<u16>> = (0..4)
        .map(|i| {
            let mut row = far.to_vec();
            row[i] = 10;
            row
        })
        .collect();
    let rows: Vec<&[u16]> = rows.iter().map(Vec::as_slice).collect();
    machine(2, 2, 8, &rows)
}

/// Eight nodes of four cores. Node 0 has the neighbours 1, 2, 4 and 6; node 3 has 1, 2, 5 and 7.
fn eight_by_four() -> Machine {
    machine(
        4,
        2,
        4,
        &[
            &[10, 16, 16, 22, 16, 22, 16, 22],
            &[16, 10, 22, 16, 22, 16, 22, 16],
            &[16, 22, 10, 16, 16, 22, 16, 22],
            &[22, 16, 16, 10, 22, 16, 22, 16],
            &[16, 22, 16, 22, 10, 16, 16, 22],
            &[22, 16, 22, 16, 16, 10, 22, 16],
            &[16, 22, 16, 22, 16, 22, 10, 16],
            &[22, 16, 22, 16, 22, 16, 16, 10],
        ],
    )
}

/// Name, number of CPUs, groups, min and max interval, percent.
type Row = (&'static str, usize, usize, u64, u64, u64);

fn rows(domains: &[Domain]) -> Vec<Row> {
    domains
        .iter()
        .map(|d| {
            (
                d.name,
                d.list.len(),
                d.groups.len(),
                d.min_interval,
                d.max_interval,
                d.imbalance_pct,
            )
        })
        .collect()
}

#[test]
fn the_levels_of_the_known_machines() {
    let i7 = registry::preset("i7860").expect("shipped");
    let cases: &[(&str, &Machine, Release, &[Row])] = &[
        (
            "i7 860 @ 2.6.34",
            &i7,
            Release::V2_6_34,
            &[("SIBLING", 2, 2, 1, 2, 110), ("MC", 8, 4, 1, 4, 125)],
        ),
        (
            "i7 860 @ 4.9",
            &i7,
            Release::V4_9,
            &[("SMT", 2, 2, 2, 4, 110), ("MC", 8, 4, 8, 16, 117)],
        ),
        (
            "4 x 8 @ 2.6.34",
            &four_by_eight(),
            Release::V2_6_34,
            &[("MC", 8, 8, 1, 4, 125), ("NODE", 32, 4, 8, 32, 125)],
        ),
        (
            "4 x 8 @ 4.9",
            &four_by_eight(),
            Release::V4_9,
            &[("MC", 8, 8, 8, 16, 117), ("NUMA", 32, 4, 32, 64, 125)],
        ),
        (
            "8 x 4 @ 2.6.34",
            &eight_by_four(),
            Release::V2_6_34,
            &[("MC", 4, 4, 1, 4, 125), ("NODE", 32, 8, 8, 32, 125)],
        ),
        (
            "8 x 4 @ 4.9",
            &eight_by_four(),
            Release::V4_9,
            &[
                ("MC", 4, 4, 4, 8, 117),
                ("NUMA", 20, 5, 20, 40, 125),
                ("NUMA", 32, 2, 32, 64, 125),
            ],
        ),
    ];
    for (name, machine, release, expected) in cases {
        let all = Domains::new(machine, *release);
        for cpu in machine.cpu_ids() {
            assert_eq!(&rows(&all.of[cpu.index()]), expected, "{name}, {cpu:?}");
        }
    }
}

#[test]
fn a_thread_has_589_and_a_core_1178_of_1024() {
    let i7 = registry::preset("i7860").expect("shipped");
    for release in [Release::V2_6_34, Release::V4_9] {
        let all = Domains::new(&i7, release);
        assert!(all.power.iter().all(|p| *p == 589));
        let mc = &all.of[2][1];
        let powers: Vec<u64> = mc.groups.iter().map(|g| all.groups[*g].power).collect();
        assert_eq!(powers, [1178; 4]);
        // The ring begins with the own core.
        let first: Vec<u16> = mc.groups.iter().map(|g| all.groups[*g].list[0].0).collect();
        assert_eq!(first, [2, 3, 0, 1]);
    }
    let all = Domains::new(&four_by_eight(), Release::V2_6_34);
    let node = &all.of[9][1];
    let powers: Vec<u64> = node.groups.iter().map(|g| all.groups[*g].power).collect();
    assert_eq!(powers, [8192; 4]);
}

#[test]
fn without_smt_threads_of_a_core_are_cpus_like_others() {
    let i7 = registry::preset("i7860").expect("shipped");
    for release in [Release::V2_6_34, Release::V4_9] {
        let all = Domains::configured(&i7, release, false);
        assert!(all.power.iter().all(|p| *p == 1_024));
        let rows: Vec<_> = all.of[2].iter().map(|d| (d.name, d.groups.len())).collect();
        assert_eq!(rows, [("MC", 8)]);
        assert!(!all.of[2][0].flags.share_power);
    }
}

#[test]
fn the_widest_numa_level_has_the_same_two_groups_for_everybody() {
    let machine = eight_by_four();
    let all = Domains::new(&machine, Release::V4_9);
    let nodes = |group: usize| {
        let mut nodes: Vec<u16> = all.groups[group]
            .list
            .iter()
            .map(|c| machine.place(*c).node.0)
            .collect();
        nodes.dedup();
        nodes
    };
    for cpu in machine.cpu_ids() {
        let wide = all.of[cpu.index()].last().expect("levels");
        let mut groups: Vec<Vec<u16>> = wide.groups.iter().map(|g| nodes(*g)).collect();
        groups.sort();
        assert_eq!(groups, [vec![0, 1, 2, 4, 6], vec![1, 2, 3, 5, 7]]);
    }
    let near = &all.of[CpuId(0).index()][1];
    let near: Vec<Vec<u16>> = near.groups.iter().map(|g| nodes(*g)).collect();
    assert_eq!(near, [[0], [1], [2], [4], [6]]);
}

#[test]
fn tasks_prefer_a_sibling_domain_where_the_kernel_says_so() {
    let prefers = |machine: &Machine, release| -> Vec<bool> {
        let all = Domains::new(machine, release);
        all.of[0].iter().map(|d| d.flags.prefer_sibling).collect()
    };
    let i7 = registry::preset("i7860").expect("shipped");
    assert_eq!(prefers(&i7, Release::V2_6_34), [false, true]);
    assert_eq!(prefers(&i7, Release::V4_9), [true, false]);
    // Without a DIE level no level passes the flag down.
    assert_eq!(prefers(&four_by_eight(), Release::V4_9), [false, false]);
    assert_eq!(prefers(&four_by_eight(), Release::V2_6_34), [true, false]);
    // With one node per package DIE is degenerate, and MC inherits the flag.
    let two = machine(2, 1, 4, &[]);
    assert_eq!(prefers(&two, Release::V4_9), [true, false]);
}

#[test]
fn the_levels_of_6_12() {
    let flat = |cores| machine(1, 1, cores, &[]);
    let i7 = registry::preset("i7860").expect("shipped");
    let nodes = machine(2, 1, 16, &[]);
    let cases: &[(&str, &Machine, &[Row])] = &[
        (
            "i7 860",
            &i7,
            &[("SMT", 2, 2, 2, 4, 110), ("MC", 8, 4, 8, 16, 117)],
        ),
        ("32 flat", &flat(32), &[("MC", 32, 32, 32, 64, 117)]),
        (
            "4 x 8",
            &four_by_eight(),
            &[("MC", 8, 8, 8, 16, 117), ("NUMA", 32, 4, 32, 64, 117)],
        ),
        (
            "2 x 16",
            &nodes,
            &[("MC", 16, 16, 16, 32, 117), ("NUMA", 32, 2, 32, 64, 117)],
        ),
    ];
    for (name, machine, expected) in cases {
        let all = Domains::new(machine, Release::V6_12);
        for cpu in machine.cpu_ids() {
            let domains = &all.of[cpu.index()];
            assert_eq!(&rows(domains), expected, "{name}, {cpu:?}");
            assert!(domains.iter().all(|d| d.busy_factor == 16), "{name}");
            assert!(all.power.iter().all(|p| *p == 1_024), "{name}");
        }
    }
    let all = Domains::new(&i7, Release::V6_12);
    let tries: Vec<u32> = all.of[0].iter().map(|d| d.cache_nice_tries).collect();
    assert_eq!(tries, [0, 1]);
    let all = Domains::new(&nodes, Release::V6_12);
    let tries: Vec<u32> = all.of[0].iter().map(|d| d.cache_nice_tries).collect();
    assert_eq!(tries, [1, 2]);
    let prefers: Vec<bool> = all.of[0].iter().map(|d| d.flags.prefer_sibling).collect();
    assert_eq!(prefers, [true, false], "not between nodes");
}

#[test]
fn how_many_tasks_of_a_node_excuse_an_imbalance() {
    let allowed = |machine: &Machine| -> Vec<(&str, u64)> {
        let all = Domains::new(machine, Release::V6_12);
        let of_first = all.of[0].iter();
        of_first.map(|d| (d.name, d.imb_numa_nr)).collect()
    };
    assert_eq!(allowed(&four_by_eight()), [("MC", 0), ("NUMA", 1)]);
    assert_eq!(allowed(&machine(2, 1, 16, &[])), [("MC", 0), ("NUMA", 2)]);
    // Two nodes, each with four last-level caches of eight CPUs.
    let mut spec: MachineSpec = machine(2, 1, 8, &[]).spec().clone();
    spec.topology.packages[0].nodes[0].llcs[0].count = 4;
    let caches = Machine::new(&spec).expect("possible");
    assert_eq!(allowed(&caches), [("MC", 0), ("PKG", 4), ("NUMA", 4)]);
}

/// From 4.16 on every CPU begins with its own group, and only the CPUs on that group's node balance for it.
#[test]
fn nodes_two_hops_apart_have_groups_of_their_own_at_6_12() {
    let machine = eight_by_four();
    let all = Domains::new(&machine, Release::V6_12);
    let node_of = |cpu: CpuId| machine.place(cpu).node.0;
    for cpu in machine.cpu_ids() {
        let wide = all.of[cpu.index()].last().expect("levels");
        let own = &all.groups[wide.groups[0]];
        assert!(own.balancers.contains(&cpu), "{cpu:?}");
        assert!(own.balancers.iter().all(|c| node_of(*c) == node_of(cpu)));
        assert_eq!((own.cpus.count(), own.cores), (20, 20));
    }
}

#[test]
fn cores_that_share_a_level_2_cache_are_a_cluster_at_6_12() {
    let hybrid = registry::preset("adl12900k").expect("shipped");
    let all = Domains::new(&hybrid, Release::V6_12);
    let names = |cpu: CpuId| -> Vec<(&str, usize)> {
        let of = all.of[cpu.index()].iter();
        of.map(|d| (d.name, d.list.len())).collect()
    };
    let alone = |c: &CpuId| hybrid.sibling_list(*c).len() == 1;
    let small = hybrid.cpu_ids().find(alone).expect("an E-core");
    assert_eq!(names(small), [("CLS", 4), ("MC", 24)]);
    assert_eq!(names(CpuId(0)), [("SMT", 2), ("MC", 24)]);
    assert_eq!(all.cluster[small.index()].count(), 4);
    let groups = &all.of[0][1].groups;
    let mut cores: Vec<u64> = groups.iter().map(|g| all.groups[*g].cores).collect();
    cores.sort_unstable();
    assert_eq!(cores, [1, 1, 1, 1, 1, 1, 1, 1, 4, 4]);
}
