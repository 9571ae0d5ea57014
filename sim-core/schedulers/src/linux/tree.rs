//! The red-black trees of waiting entities (`cfs_rq->tasks_timeline`), ordered by a key: vruntime, or the virtual
//! deadline of EEVDF.
//!
//! All trees share one arena of nodes, indexed by entity. An entity goes to the right of equal ones
//! (`__enqueue_entity`), and the leftmost is stored (`rb_leftmost`). Insertion and removal rebalance as the textbook
//! and `lib/rbtree.c` do, so the tree that is shown has the kernel's shape. A node may store a summary of all nodes
//! below it (`rbtree_augmented.h`), which lets a search skip whole branches.

use serde::{Deserialize, Serialize};

/// Number of a schedulable entity (`struct sched_entity`): of a task, or of a group on a CPU. Its node has the same
/// number.
pub(crate) type Ent = u32;
/// No entity, no queue.
pub(crate) const NONE: u32 = u32::MAX;

/// The summary that a node stores of itself and of all nodes below it.
pub(crate) trait Summary: Copy + Default {
    /// Computes the summary again from the node's own value and from its children. Returns whether it changed.
    fn gather(&mut self, children: [Option<Self>; 2]) -> bool;
}

/// No summary.
impl Summary for () {
    #[inline]
    fn gather(&mut self, _: [Option<Self>; 2]) -> bool {
        false
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node<S> {
    parent: Ent,
    child: [Ent; 2],
    red: bool,
    key: u64,
    summary: S,
}

impl<S: Summary> Node<S> {
    fn outside() -> Self {
        Self {
            parent: NONE,
            child: [NONE; 2],
            red: false,
            key: 0,
            summary: S::default(),
        }
    }
}

/// The nodes of all trees, by entity.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Arena<S = ()> {
    nodes: Vec<Node<S>>,
}

/// A tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tree {
    root: Ent,
    /// The entity with the smallest key.
    pub(crate) leftmost: Ent,
    /// The entity with the largest key, if known: a task that used up its slice usually goes behind all others.
    #[serde(skip, default = "unknown")]
    rightmost: Ent,
}

fn unknown() -> Ent {
    NONE
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

impl Tree {
    pub(crate) const EMPTY: Self = Self {
        root: NONE,
        leftmost: NONE,
        rightmost: NONE,
    };
}

impl Arena {
    /// Adds an entity that is in no tree.
    pub(crate) fn insert(&mut self, tree: &mut Tree, n: Ent, key: u64) {
        self.add(tree, n, key, ());
    }
}

impl<S: Summary> Arena<S> {
    /// Extends the arena to a number of entities.
    pub(crate) fn grow(&mut self, entities: usize) {
        let room = entities.max(self.nodes.len());
        self.nodes.resize(room, Node::outside());
    }

    #[inline]
    fn at(&self, n: Ent) -> &Node<S> {
        &self.nodes[n as usize]
    }

    #[inline]
    fn at_mut(&mut self, n: Ent) -> &mut Node<S> {
        &mut self.nodes[n as usize]
    }

    #[inline]
    fn is_red(&self, n: Ent) -> bool {
        n != NONE && self.at(n).red
    }

    /// The side on which a node hangs from its parent.
    fn side(&self, n: Ent) -> usize {
        usize::from(self.at(self.at(n).parent).child[RIGHT] == n)
    }

    /// Computes the summary of a node again. Returns whether it changed.
    #[inline]
    fn gather(&mut self, n: Ent) -> bool {
        let [left, right] = self.at(n).child;
        let of = |c: Ent| (c != NONE).then(|| self.at(c).summary);
        let children = [of(left), of(right)];
        self.at_mut(n).summary.gather(children)
    }

    /// The first entity, in order of keys, for which `here` is true. `below` must be true for the summary of each
    /// branch that contains such an entity.
    pub(crate) fn first(
        &self,
        tree: Tree,
        below: impl Fn(&S) -> bool,
        here: impl Fn(&S) -> bool,
    ) -> Ent {
        let mut n = tree.root;
        while n != NONE {
            let node = self.at(n);
            let [left, right] = node.child;
            if left != NONE && below(&self.at(left).summary) {
                n = left;
            } else if here(&node.summary) {
                break;
            } else {
                n = right;
            }
        }
        n
    }

    /// The summary of a node.
    #[cfg(test)]
    fn summary(&self, n: Ent) -> &S {
        &self.at(n).summary
    }

    /// Adds an entity that is in no tree, with its own value for the summary.
    pub(crate) fn add(&mut self, tree: &mut Tree, n: Ent, key: u64, own: S) {
        if tree.rightmost == NONE && tree.root != NONE {
            tree.rightmost = self.outermost(tree.root, RIGHT);
        }
        let precedes = |node: &Node<S>| key.wrapping_sub(node.key).cast_signed() < 0;
        let (mut parent, mut link, mut leftmost) = (NONE, tree.root, true);
        let mut side = LEFT;
        if tree.rightmost == NONE {
            tree.rightmost = n;
        } else if !precedes(self.at(tree.rightmost)) {
            (parent, link, leftmost, side) = (tree.rightmost, NONE, false, RIGHT);
            tree.rightmost = n;
        }
        while link != NONE {
            parent = link;
            let before = precedes(self.at(link));
            side = if before { LEFT } else { RIGHT };
            leftmost &= before;
            link = self.at(link).child[side];
        }
        *self.at_mut(n) = Node {
            parent,
            child: [NONE; 2],
            red: true,
            key,
            summary: own,
        };
        if parent == NONE {
            tree.root = n;
        } else {
            self.at_mut(parent).child[side] = n;
        }
        if leftmost {
            tree.leftmost = n;
        }
        self.gather(n);
        let mut up = parent;
        while up != NONE && self.gather(up) {
            up = self.at(up).parent;
        }
        self.mend_insertion(tree, n);
    }

    fn mend_insertion(&mut self, tree: &mut Tree, mut n: Ent) {
        loop {
            let parent = self.at(n).parent;
            if !self.is_red(parent) {
                break;
            }
            let grand = self.at(parent).parent;
            let side = self.side(parent);
            let uncle = self.at(grand).child[1 - side];
            if self.is_red(uncle) {
                self.at_mut(parent).red = false;
                self.at_mut(uncle).red = false;
                self.at_mut(grand).red = true;
                n = grand;
                continue;
            }
            if self.side(n) != side {
                self.rotate(tree, parent, side);
                n = parent;
            }
            let parent = self.at(n).parent;
            self.at_mut(parent).red = false;
            self.at_mut(grand).red = true;
            self.rotate(tree, grand, 1 - side);
            break;
        }
        let root = tree.root;
        self.at_mut(root).red = false;
    }

    /// Rotates a node down to `side`; its other child takes its place.
    fn rotate(&mut self, tree: &mut Tree, n: Ent, side: usize) {
        let up = self.at(n).child[1 - side];
        let inner = self.at(up).child[side];
        self.at_mut(n).child[1 - side] = inner;
        if inner != NONE {
            self.at_mut(inner).parent = n;
        }
        self.replace(tree, n, up);
        self.at_mut(up).child[side] = n;
        self.at_mut(n).parent = up;
        self.gather(n);
        self.gather(up);
    }

    /// Puts `new` (or no node) in the place of `old`.
    #[inline]
    fn replace(&mut self, tree: &mut Tree, old: Ent, new: Ent) {
        let parent = self.at(old).parent;
        self.replace_below(tree, parent, old, new);
    }

    /// The same if the parent of `old` is known.
    #[inline]
    fn replace_below(&mut self, tree: &mut Tree, parent: Ent, old: Ent, new: Ent) {
        if parent == NONE {
            tree.root = new;
        } else {
            let child = &mut self.at_mut(parent).child;
            let side = usize::from(child[RIGHT] == old);
            child[side] = new;
        }
        if new != NONE {
            self.at_mut(new).parent = parent;
        }
    }

    /// Removes an entity from its tree.
    pub(crate) fn remove(&mut self, tree: &mut Tree, n: Ent) {
        let node = *self.at(n);
        let [left, right] = node.child;
        if tree.leftmost == n {
            tree.leftmost = if right == NONE {
                node.parent
            } else {
                self.outermost(right, LEFT)
            };
        }
        if tree.rightmost == n {
            tree.rightmost = NONE;
        }
        let (child, parent, was_red);
        if left != NONE && right != NONE {
            let heir = self.outermost(right, LEFT);
            was_red = self.at(heir).red;
            child = self.at(heir).child[RIGHT];
            if self.at(heir).parent == n {
                parent = heir;
            } else {
                parent = self.at(heir).parent;
                self.replace(tree, heir, child);
                self.at_mut(heir).child[RIGHT] = right;
                self.at_mut(right).parent = heir;
            }
            self.replace(tree, n, heir);
            self.at_mut(heir).child[LEFT] = left;
            self.at_mut(left).parent = heir;
            self.at_mut(heir).red = node.red;
        } else {
            was_red = node.red;
            child = if left == NONE { right } else { left };
            parent = node.parent;
            self.replace_below(tree, parent, n, child);
        }
        if size_of::<S>() > 0 {
            let mut up = parent;
            while up != NONE {
                self.gather(up);
                up = self.at(up).parent;
            }
        }
        if !was_red {
            self.mend_removal(tree, child, parent);
        }
        *self.at_mut(n) = Node::outside();
    }

    fn mend_removal(&mut self, tree: &mut Tree, mut n: Ent, mut parent: Ent) {
        while n != tree.root && !self.is_red(n) {
            let side = usize::from(self.at(parent).child[LEFT] != n);
            let mut other = self.at(parent).child[1 - side];
            if self.is_red(other) {
                self.at_mut(other).red = false;
                self.at_mut(parent).red = true;
                self.rotate(tree, parent, side);
                other = self.at(parent).child[1 - side];
            }
            let [a, b] = self.at(other).child;
            if !self.is_red(a) && !self.is_red(b) {
                self.at_mut(other).red = true;
                n = parent;
                parent = self.at(n).parent;
                continue;
            }
            let mut outer = self.at(other).child[1 - side];
            if !self.is_red(outer) {
                let inner = self.at(other).child[side];
                self.at_mut(inner).red = false;
                self.at_mut(other).red = true;
                self.rotate(tree, other, 1 - side);
                other = self.at(parent).child[1 - side];
                outer = self.at(other).child[1 - side];
            }
            let red = self.at(parent).red;
            self.at_mut(other).red = red;
            self.at_mut(parent).red = false;
            self.at_mut(outer).red = false;
            self.rotate(tree, parent, side);
            n = tree.root;
            break;
        }
        if n != NONE {
            self.at_mut(n).red = false;
        }
    }

    fn outermost(&self, mut n: Ent, side: usize) -> Ent {
        while self.at(n).child[side] != NONE {
            n = self.at(n).child[side];
        }
        n
    }

    /// The next entity in order, or none.
    pub(crate) fn next(&self, n: Ent) -> Ent {
        if self.at(n).child[RIGHT] != NONE {
            return self.outermost(self.at(n).child[RIGHT], LEFT);
        }
        let mut n = n;
        while self.at(n).parent != NONE && self.side(n) == RIGHT {
            n = self.at(n).parent;
        }
        self.at(n).parent
    }

    /// The entity with the largest key, or none.
    pub(crate) fn last(&self, tree: Tree) -> Ent {
        if tree.root == NONE {
            NONE
        } else {
            self.outermost(tree.root, RIGHT)
        }
    }

    /// The entities in order.
    pub(crate) fn iter(&self, tree: Tree) -> impl Iterator<Item = Ent> + '_ {
        let mut at = tree.leftmost;
        std::iter::from_fn(move || {
            let n = at;
            if n == NONE {
                return None;
            }
            at = self.next(n);
            Some(n)
        })
    }

    /// Distance from the root, whether the node is red, and its parent.
    pub(crate) fn position(&self, n: Ent) -> (u32, bool, Ent) {
        let (mut depth, mut up) = (0, self.at(n).parent);
        while up != NONE {
            depth += 1;
            up = self.at(up).parent;
        }
        (depth, self.at(n).red, self.at(n).parent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    /// A value of each entity, and the smallest value below it.
    #[derive(Clone, Copy, Debug, Default)]
    struct Least {
        own: u32,
        least: u32,
    }

    impl Summary for Least {
        fn gather(&mut self, children: [Option<Self>; 2]) -> bool {
            let below = children.into_iter().flatten().map(|c| c.least);
            let least = below.fold(self.own, u32::min);
            std::mem::replace(&mut self.least, least) != least
        }
    }

    /// Number of black nodes on each path, if the rules hold.
    fn black_height(arena: &Arena<Least>, n: Ent) -> u32 {
        if n == NONE {
            return 1;
        }
        let [left, right] = arena.at(n).child;
        for child in [left, right] {
            assert!(child == NONE || arena.at(child).parent == n, "links agree");
            assert!(
                !(arena.at(n).red && arena.is_red(child)),
                "no red below red"
            );
        }
        let values = [n, left, right].map(|c| {
            if c == NONE {
                u32::MAX
            } else {
                arena.at(c).summary.least
            }
        });
        let least = values[1].min(values[2]).min(arena.at(n).summary.own);
        assert_eq!(values[0], least, "the smallest of all below");
        let height = black_height(arena, left);
        assert_eq!(height, black_height(arena, right), "equal black heights");
        height + u32::from(!arena.at(n).red)
    }

    /// Compares the tree with a sorted list in which the later of equal entries comes behind.
    #[test]
    fn behaves_as_a_sorted_list_and_stays_balanced() {
        let mut rng = Rng::stream(3, "tree", 0);
        let mut arena: Arena<Least> = Arena::default();
        arena.grow(200);
        let mut tree = Tree::EMPTY;
        let mut naive: Vec<(u64, Ent)> = Vec::new();
        for _ in 0..30_000 {
            let n = rng.below(200);
            if let Some(i) = naive.iter().position(|(_, m)| *m == n) {
                arena.remove(&mut tree, n);
                naive.remove(i);
            } else {
                // Around the point where keys wrap.
                let key = u64::from(rng.below(60)).wrapping_sub(30);
                let value = rng.below(1_000);
                arena.add(
                    &mut tree,
                    n,
                    key,
                    Least {
                        own: value,
                        least: value,
                    },
                );
                let signed = |k: u64| k.cast_signed();
                let at = naive.partition_point(|(k, _)| signed(*k) <= signed(key));
                naive.insert(at, (key, n));
            }
            let order: Vec<Ent> = naive.iter().map(|(_, n)| *n).collect();
            assert_eq!(arena.iter(tree).collect::<Vec<_>>(), order);
            assert_eq!(tree.leftmost, order.first().copied().unwrap_or(NONE));
            assert_eq!(arena.last(tree), order.last().copied().unwrap_or(NONE));
            assert!(!arena.is_red(tree.root), "the root is black");
            black_height(&arena, tree.root);
            let most = rng.below(1_000);
            let found = arena.first(tree, |s| s.least <= most, |s| s.own <= most);
            let value = |n: &Ent| arena.summary(*n).own;
            let expected = order.iter().copied().find(|n| value(n) <= most);
            assert_eq!(found, expected.unwrap_or(NONE));
        }
    }
}
