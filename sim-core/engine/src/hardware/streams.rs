//! The memory demand of the CPUs: per CPU, and per domain with equal demands counted together.

use sim_ground::ids::CpuId;
use sim_machine::cost::saturation::Stream;

/// Derived from the state; never part of a snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams {
    cpus: Vec<Vec<(usize, Stream)>>,
    domains: Vec<Vec<Stream>>,
    /// Whether the state was restored while speeds were stale: the saturation of every domain must then be computed
    /// again.
    pub(super) came_amid_changes: bool,
}

impl Streams {
    pub(super) fn new(cpus: usize, domains: usize) -> Self {
        Self {
            cpus: vec![Vec::new(); cpus],
            domains: vec![Vec::new(); domains],
            came_amid_changes: false,
        }
    }

    /// The memory demand of a CPU, with its domains.
    pub(super) fn of_cpu(&self, cpu: CpuId) -> &[(usize, Stream)] {
        &self.cpus[cpu.index()]
    }

    /// The CPUs that use a domain, ascending.
    pub(super) fn users(&self, domain: usize) -> impl Iterator<Item = CpuId> + '_ {
        let asks = move |of: &Vec<(usize, Stream)>| of.iter().any(|(d, _)| *d == domain);
        let all = self.cpus.iter().enumerate();
        all.filter(move |(_, of)| asks(of))
            .map(|(cpu, _)| CpuId::new(cpu))
    }

    /// The demands on a domain.
    pub(super) fn of_domain(&self, domain: usize) -> &[Stream] {
        &self.domains[domain]
    }

    /// Sets the memory demand of a CPU.
    pub(super) fn set(&mut self, cpu: CpuId, new: &[(usize, Stream)]) {
        let alike = |stream: Stream| move |s: &Stream| Stream { count: 1, ..*s } == stream;
        let own = &mut self.cpus[cpu.index()];
        for (domain, stream) in own.drain(..) {
            let list = &mut self.domains[domain];
            if let Some(at) = list.iter().position(alike(stream)) {
                list[at].count -= 1;
                if list[at].count == 0 {
                    list.swap_remove(at);
                }
            }
        }
        for (domain, stream) in new {
            let list = &mut self.domains[*domain];
            match list.iter().position(alike(*stream)) {
                Some(at) => list[at].count += 1,
                None => list.push(*stream),
            }
        }
        own.extend_from_slice(new);
    }
}
