//! Where the memory of a thread lies, page by page, and what a scheduler decides about it.
//!
//! The engine owns the pages: which node holds them, and what that costs. A kernel that moves memory after its thread
//! marks some of the pages ([`Cx::mark_pages`](super::cx::Cx::mark_pages)). The next use of a marked page is a *hinting
//! fault*, and [`Scheduler::hinting_fault`](super::Scheduler::hinting_fault) decides what happens to the page. The
//! number of pages on each node is exact: marking and moving round nothing away.

use serde::{Deserialize, Serialize};
use sim_ground::ids::NodeId;

/// Pages with the same node and the same last faulter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageGroup {
    /// The node that holds them.
    pub on: NodeId,
    /// The node of the CPU that faulted on them last (`cpupid` of the kernel); `None` before the first fault.
    pub last: Option<NodeId>,
    /// Number of pages.
    pub pages: u64,
    /// Number of marked pages among them.
    pub marked: u64,
}

/// The memory of a thread: its private pages, by node and by the node that faulted on them last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Sorted by `on` and `last`; none is empty.
    page_groups: Vec<PageGroup>,
}

/// What happens to pages on which a thread faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFate {
    /// They stay where they are.
    Stay,
    /// They move to the node of the CPU that faulted.
    Move,
}

/// Marked pages that a thread touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The node that holds them.
    pub on: NodeId,
    /// The node of the CPU that faulted on them last. The faulting thread was always this one, because memory is
    /// private.
    pub last: Option<NodeId>,
    /// Number of pages.
    pub pages: u64,
    /// Number of pages for which the node of the CPU still has room.
    pub room: u64,
    /// Marked pages of the thread that remain untouched after these.
    pub left: u64,
}

/// Divides `part` of `whole` among several counts. Each count gets its share in whole pages; the shares add up to
/// exactly `part`.
struct Division {
    part: u64,
    whole: u64,
    rest: u128,
}

impl Division {
    fn new(part: u64, whole: u64) -> Self {
        Self {
            part: part.min(whole),
            whole: whole.max(1),
            rest: 0,
        }
    }

    fn of(&mut self, pages: u64) -> u64 {
        let whole = u128::from(self.whole);
        let sum = self.rest + u128::from(pages) * u128::from(self.part);
        self.rest = sum % whole;
        u64::try_from(sum / whole).unwrap_or(pages).min(pages)
    }
}

impl Memory {
    /// Memory whose pages all lie on one node. No CPU has faulted on them.
    #[must_use]
    pub fn on(node: NodeId, pages: u64) -> Self {
        let mut memory = Self::default();
        memory.add(node, None, pages);
        memory
    }

    /// Whether the memory has been allocated.
    #[must_use]
    pub fn is_placed(&self) -> bool {
        !self.page_groups.is_empty()
    }

    /// Its pages, by node and last faulter.
    #[must_use]
    pub fn page_groups(&self) -> &[PageGroup] {
        &self.page_groups
    }

    /// Number of all pages.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.page_groups.iter().map(|c| c.pages).sum()
    }

    /// Number of marked pages.
    #[must_use]
    pub fn marked(&self) -> u64 {
        self.page_groups.iter().map(|c| c.marked).sum()
    }

    /// Nodes that hold some of the memory, ascending, each with its number of pages.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        self.page_groups.chunk_by(|a, b| a.on == b.on).map(|same| {
            let pages = same.iter().map(|c| c.pages).sum();
            (same[0].on, pages)
        })
    }

    /// The node that holds all of the memory, if there is one.
    #[must_use]
    pub fn only_node(&self) -> Option<NodeId> {
        let first = self.page_groups.first()?.on;
        (self.page_groups.last()?.on == first).then_some(first)
    }

    /// Marks unmarked pages evenly. `whole` may count more pages than this memory has; this memory gets its share of
    /// `part`.
    pub fn mark(&mut self, part: u64, whole: u64) {
        let mut division = Division::new(part, whole);
        for c in &mut self.page_groups {
            c.marked = (c.marked + division.of(c.pages)).min(c.pages);
        }
    }

    /// The next marked pages that are touched, at most `most` of them: each cell gives its share.
    pub fn touch(&self, most: u64, out: &mut Vec<PageGroup>) {
        let mut division = Division::new(most, self.marked());
        for c in &self.page_groups {
            let pages = division.of(c.marked);
            if pages > 0 {
                out.push(PageGroup { pages, ..*c });
            }
        }
    }

    /// Records that a CPU of node `by` has touched pages of a cell: they lose their mark and lie on `to`.
    ///
    /// # Panics
    /// If there are no such pages.
    pub fn settle(&mut self, touched: &PageGroup, by: NodeId, to: NodeId) {
        let at = self.find(touched.on, touched.last);
        let at = at.expect("invariant: touched pages are there");
        let c = &mut self.page_groups[at];
        c.pages -= touched.pages;
        c.marked -= touched.pages;
        if c.pages == 0 {
            self.page_groups.remove(at);
        }
        self.add(to, Some(by), touched.pages);
    }

    fn find(&self, on: NodeId, last: Option<NodeId>) -> Result<usize, usize> {
        self.page_groups
            .binary_search_by_key(&(on, last), |c| (c.on, c.last))
    }

    fn add(&mut self, on: NodeId, last: Option<NodeId>, pages: u64) {
        if pages == 0 {
            return;
        }
        match self.find(on, last) {
            Ok(at) => self.page_groups[at].pages += pages,
            Err(at) => self.page_groups.insert(
                at,
                PageGroup {
                    on,
                    last,
                    pages,
                    marked: 0,
                },
            ),
        }
    }

    /// Whether this can be the memory of a thread with `pages` pages on a machine with `nodes` nodes.
    #[must_use]
    pub fn fits(&self, pages: u64, nodes: usize) -> bool {
        let sum = self
            .page_groups
            .iter()
            .try_fold(0_u64, |n, c| n.checked_add(c.pages));
        let ordered = self
            .page_groups
            .windows(2)
            .all(|w| (w[0].on, w[0].last) < (w[1].on, w[1].last));
        let sound = |c: &PageGroup| {
            c.pages > 0
                && c.marked <= c.pages
                && c.on.index() < nodes
                && c.last.is_none_or(|n| n.index() < nodes)
        };
        ordered
            && self.page_groups.iter().all(sound)
            && matches!(sum, Some(n) if n == pages || n == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    #[test]
    fn marking_half_of_it_marks_half_of_each_cell_to_the_page() {
        let mut memory = Memory::on(NodeId(0), 7);
        memory.mark(7, 14);
        assert_eq!(memory.marked(), 3);
        memory.mark(14, 14);
        assert_eq!(memory.marked(), 7);
    }

    /// Marking, touching and moving neither lose nor duplicate a page.
    #[test]
    fn pages_add_up_whatever_moves() {
        let mut rng = Rng::stream(3, "memory", 0);
        for _ in 0..200 {
            let total = u64::from(rng.below(5_000)) + 1;
            let mut memory = Memory::on(NodeId(0), total);
            for _ in 0..200 {
                let whole = total + u64::from(rng.below(5_000));
                memory.mark(u64::from(rng.below(5_000)), whole);
                let marked = memory.marked();
                let most = u64::from(rng.below(700)) + 1;
                let mut touched = Vec::new();
                memory.touch(most, &mut touched);
                let taken: u64 = touched.iter().map(|c| c.pages).sum();
                assert_eq!(taken, most.min(marked));
                let by = NodeId(u16::try_from(rng.below(4)).expect("small"));
                for cell in &touched {
                    let to = if rng.below(2) == 0 { by } else { cell.on };
                    memory.settle(cell, by, to);
                }
                assert_eq!(memory.marked(), marked - taken);
                assert!(memory.fits(total, 4));
                assert_eq!(memory.pages(), total);
                assert_eq!(memory.nodes().map(|(_, n)| n).sum::<u64>(), total);
            }
        }
    }
}
