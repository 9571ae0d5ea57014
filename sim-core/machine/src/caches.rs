//! Which instance of each cache serves which CPU.

use super::spec::{CacheScope, CacheSpec, MachineSpec};
use super::{CacheTree, CpuPlace};
use sim_ground::ids::CpuId;

/// An instance of a cache: a memory that one or more CPUs share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheInstance {
    /// Position of its description in [`MachineSpec::caches`].
    pub entry: usize,
    /// The CPUs that use it, ascending.
    pub cpus: Vec<CpuId>,
    /// Physical cores among them.
    pub cores: u16,
    /// Bytes that it holds for one thread: its size, plus that of the largest level inside if it is exclusive.
    pub bytes: u64,
}

/// All caches of a machine.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    specs: Vec<CacheSpec>,
    instances: Vec<CacheInstance>,
    /// For each CPU its cache instances, innermost first.
    paths: Vec<Vec<u16>>,
    /// Bytes that each of these instances holds for one thread of that CPU (kinds of cores have different inner
    /// levels).
    room: Vec<Vec<u64>>,
}

impl Caches {
    /// Assigns the caches to each CPU.
    #[must_use]
    pub(super) fn new(spec: &MachineSpec, places: &[CpuPlace], kinds: &[String]) -> Self {
        let mut instances: Vec<CacheInstance> = Vec::new();
        let mut paths = vec![Vec::new(); places.len()];
        let mut room: Vec<Vec<u64>> = vec![Vec::new(); places.len()];
        for (entry, cache) in spec.caches.iter().enumerate() {
            let has = |p: &CpuPlace| {
                cache.kinds.is_empty() || cache.kinds.contains(&kinds[usize::from(p.kind)])
            };
            let key = |p: &CpuPlace| match cache.per {
                CacheScope::Core => p.core.index(),
                CacheScope::Cluster => p.cluster.index(),
                CacheScope::Llc => p.llc.index(),
                CacheScope::Package => p.package.index(),
            };
            let groups = places.iter().map(key).max().map_or(0, |m| m + 1);
            let mut of_group: Vec<Option<usize>> = vec![None; groups];
            for (i, place) in places.iter().enumerate().filter(|(_, p)| has(p)) {
                let inside = room[i].last().filter(|_| cache.exclusive);
                let bytes = cache.bytes + inside.copied().unwrap_or(0);
                let at = *of_group[key(place)].get_or_insert_with(|| {
                    instances.push(CacheInstance {
                        entry,
                        cpus: Vec::new(),
                        cores: 0,
                        bytes,
                    });
                    instances.len() - 1
                });
                let instance = &mut instances[at];
                let core = place.core;
                let known = instance.cpus.iter().any(|c| places[c.index()].core == core);
                instance.cores += u16::from(!known);
                instance.cpus.push(CpuId::new(i));
                instance.bytes = instance.bytes.max(bytes);
                room[i].push(bytes);
                paths[i].push(u16::try_from(at).unwrap_or(u16::MAX));
            }
        }
        Self {
            specs: spec.caches.clone(),
            instances,
            paths,
            room,
        }
    }

    /// All instances.
    #[must_use]
    pub fn instances(&self) -> &[CacheInstance] {
        &self.instances
    }

    /// The instances that serve a CPU, innermost first.
    #[must_use]
    pub fn path(&self, cpu: CpuId) -> &[u16] {
        &self.paths[cpu.index()]
    }

    /// Bytes that each of these instances holds for one thread: its size, plus that of the level inside if it is
    /// exclusive.
    #[must_use]
    pub fn room(&self, cpu: CpuId) -> &[u64] {
        &self.room[cpu.index()]
    }

    /// The description of an instance.
    #[must_use]
    #[inline]
    pub fn spec(&self, instance: usize) -> &CacheSpec {
        &self.specs[self.instances[instance].entry]
    }

    /// The caches as columns, for display.
    #[must_use]
    pub(super) fn tree(&self) -> Vec<CacheTree> {
        let mut trees: Vec<CacheTree> = self
            .specs
            .iter()
            .map(|s| CacheTree {
                level: s.level,
                bytes: s.bytes,
                instance: vec![-1; self.paths.len()],
            })
            .collect();
        for (cpu, path) in self.paths.iter().enumerate() {
            for instance in path {
                let entry = self.instances[usize::from(*instance)].entry;
                trees[entry].instance[cpu] = i32::from(*instance);
            }
        }
        trees
    }
}

#[cfg(test)]
mod tests {
    use super::super::registry;
    use super::*;

    #[test]
    fn siblings_share_the_private_levels_and_a_package_the_last() {
        let machine = registry::preset("i7860").expect("shipped");
        let caches = machine.caches();
        assert_eq!(caches.instances().len(), 4 + 4 + 1);
        assert_eq!(caches.path(CpuId(1)), caches.path(CpuId(5)));
        assert_ne!(caches.path(CpuId(1))[1], caches.path(CpuId(2))[1]);
        assert_eq!(caches.path(CpuId(1))[2], caches.path(CpuId(2))[2]);
        let last = &caches.instances()[usize::from(caches.path(CpuId(0))[2])];
        assert_eq!((last.cpus.len(), last.cores), (8, 4));
    }

    /// The system cache of the M1 adds 8 MiB to the 4 MiB of the E-cores, and also to the 12 MiB of the P-cores.
    #[test]
    fn an_exclusive_level_adds_to_what_is_inside_on_each_way() {
        let machine = registry::preset("m1").expect("shipped");
        let caches = machine.caches();
        assert_eq!(caches.path(CpuId(0))[2], caches.path(CpuId(7))[2]);
        assert_eq!(caches.room(CpuId(0)), [64 << 10, 4 << 20, 12 << 20]);
        assert_eq!(caches.room(CpuId(7)), [128 << 10, 12 << 20, 20 << 20]);
    }
}
