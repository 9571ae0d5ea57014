//! The costs of pages that follow their thread: marking them, faulting on marked ones, and moving them.

use super::split::product;
use crate::Machine;
use sim_ground::ids::NodeId;

sim_ground::constants! {
    /// Bytes of a page.
    pub PAGE: u64 = 4096, "bytes", Published,
        "The small page of x86, and of most ARM kernels.";
    /// Pages that one entry of a higher page table maps: a transparent huge page.
    pub HUGE_PAGES: u64 = 512, "pages", Published,
        "2 MiB on x86; a hinting fault on one counts as 512 (do_huge_pmd_numa_page @ Linux 4.9).";
    /// Time of a hinting fault on a page that stays.
    pub FAULT_NS: u64 = 1_000, "ns", Assumed,
        "A minor fault of Linux 6.6 takes 0.58 µs at least and 1.01 in the median; for a hinting fault 0.5 to 2 are plausible.";
    /// Time to move a page, in addition to the copy itself.
    pub MOVE_NS: u64 = 3_000, "ns", Assumed,
        "2 to 6 µs are plausible: Nimble (ASPLOS 2019) found up to 95 % of the bandwidth unused while Linux moves single pages.";
    /// Time to mark a page so that its next use faults.
    pub MARK_NS: u64 = 30, "ns", Assumed,
        "An entry of a page table that is read and written, and its share of the flushed translations.";
    /// Number of pages on which a thread faults at once, after the first. Their results count when all of them have
    /// been paid for.
    pub BATCH: u64 = 256, "pages", Assumed,
        "A choice: about a millisecond, shorter than most slices.";
}

/// Number of pages of a working set; a part of a page counts as a whole page.
#[must_use]
pub fn pages(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE)
}

/// Time to copy pages from one node to another, in ns: at the bandwidth of a node's memory, times the distance.
#[must_use]
pub fn copy_ns(machine: &Machine, from: NodeId, to: NodeId, pages: u64) -> u64 {
    let mb_per_s = u64::from(machine.spec().memory.bandwidth_mb_per_s).max(1);
    // One MB/s is a byte per microsecond.
    let local = pages * PAGE * 1_000 / mb_per_s;
    product(local, machine.between_milli(from, to), 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn a_part_of_a_page_is_a_whole_one() {
        assert_eq!([0, 1, 4096, 4097].map(pages), [0, 1, 1, 2]);
    }

    /// N14 of the NUMA specification: 4096 faults and moves take 16 to 25 ms.
    #[test]
    fn the_pages_of_a_set_of_16_mib_follow_in_16_to_25_ms() {
        let machine = registry::preset("mc32").expect("shipped");
        for to in [1, 3] {
            let copies = copy_ns(&machine, NodeId(0), NodeId(to), 4096);
            let all = 4096 * (FAULT_NS + MOVE_NS) + copies;
            assert!((16_000_000..25_000_000).contains(&all), "{all}");
        }
    }
}
