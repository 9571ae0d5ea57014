//! Sorting outside the hot paths.
//!
//! The library's sort is compiled again for every type and key, 6 kB of WebAssembly each. The functions here sort only
//! numbers, with one compiled sort for all types, and then move the items.

/// Sorts by a number; items with equal numbers keep their order.
pub fn by<T>(items: &mut Vec<T>, key: impl Fn(&T) -> u64) {
    let mut order: Vec<(u64, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut from: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.iter().filter_map(|(_, i)| from[*i].take()));
}

/// Inserts an item into a sorted list, unless it is there.
pub fn insert<T: Ord>(sorted: &mut Vec<T>, item: T) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn equal_ones_stay_as_they_were() {
        let mut items = vec![("b", 2), ("x", 1), ("a", 2), ("y", 1), ("c", 0)];
        super::by(&mut items, |(_, n)| *n);
        let names: Vec<_> = items.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["c", "x", "y", "b", "a"]);
    }

    #[test]
    fn a_sorted_list_holds_each_once() {
        let mut sorted = Vec::new();
        for n in [3, 1, 3, 2, 1] {
            super::insert(&mut sorted, n);
        }
        assert_eq!(sorted, [1, 2, 3]);
    }
}
