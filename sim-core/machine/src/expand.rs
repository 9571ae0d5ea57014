//! Expands repeat counts to a list of contexts.

use super::CpuPlace;
use super::spec::MachineSpec;
use sim_ground::ids::{ClusterId, CoreId, LlcId, NodeId, PackageId};

/// Walks the tree; contexts of a core are consecutive. Also returns the kinds of cores, in order of appearance.
pub(super) fn expand(spec: &MachineSpec) -> (Vec<CpuPlace>, Vec<String>) {
    let mut places = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    let (mut package, mut node, mut llc, mut cluster, mut core) = (0, 0, 0, 0, 0);
    for p in &spec.topology.packages {
        for _ in 0..p.count {
            for n in &p.nodes {
                for _ in 0..n.count {
                    for l in &n.llcs {
                        for _ in 0..l.count {
                            for c in &l.cores {
                                let known = kinds.iter().position(|k| *k == c.kind);
                                let kind = known.unwrap_or_else(|| {
                                    kinds.push(c.kind.clone());
                                    kinds.len() - 1
                                });
                                for i in 0..c.count {
                                    places.extend((0..c.smt).map(|thread| CpuPlace {
                                        core: CoreId(core),
                                        cluster: ClusterId(cluster),
                                        llc: LlcId(llc),
                                        node: NodeId(node),
                                        package: PackageId(package),
                                        thread,
                                        kind: u8::try_from(kind).unwrap_or(u8::MAX),
                                        speed_milli: c.speed_milli,
                                        capacity: c.capacity,
                                    }));
                                    core += 1;
                                    if (i + 1) % c.cluster.max(1) == 0 || i + 1 == c.count {
                                        cluster += 1;
                                    }
                                }
                            }
                            llc += 1;
                        }
                    }
                    node += 1;
                }
            }
            package += 1;
        }
    }
    (places, kinds)
}
