//! The red-black trees of waiting entities (`cfs_rq->tasks_timeline`), ordered by vruntime.
//!
//! All trees share one arena of nodes, indexed by entity. An entity goes to the right of equal ones
//! (`__enqueue_entity`), and the leftmost is kept (`rb_leftmost`). Insertion and removal rebalance as the
//! textbook and `lib/rbtree.c` do, so the shape that is shown is the kernel's.

use serde::{Deserialize, Serialize};

/// Number of a schedulable entity (`struct sched_entity`): of a task, or of a group on a CPU. Its node has the same.
pub(super) type Ent = u32;
/// No entity, no queue.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    parent: Ent,
    child: [Ent; 2],
    red: bool,
    key: u64,
}

const OUTSIDE: Node = Node {
    parent: NONE,
    child: [NONE; 2],
    red: false,
    key: 0,
};

/// The nodes of all trees.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Arena {
    nodes: Vec<Node>,
}

/// A tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tree {
    root: Ent,
    /// The entity with the smallest vruntime.
    pub(super) leftmost: Ent,
    /// The one with the largest, if that is known: who has used up a slice goes behind all others, mostly.
    #[serde(skip, default = "unknown")]
    rightmost: Ent,
}

fn unknown() -> Ent {
    NONE
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

impl Tree {
    pub(super) const EMPTY: Self = Self {
        root: NONE,
        leftmost: NONE,
        rightmost: NONE,
    };
}

impl Arena {
    /// Makes room for an entity.
    pub(super) fn grow(&mut self, entities: usize) {
        self.nodes.resize(entities.max(self.nodes.len()), OUTSIDE);
    }

    #[inline]
    fn at(&self, n: Ent) -> &Node {
        &self.nodes[n as usize]
    }

    #[inline]
    fn at_mut(&mut self, n: Ent) -> &mut Node {
        &mut self.nodes[n as usize]
    }

    #[inline]
    fn is_red(&self, n: Ent) -> bool {
        n != NONE && self.at(n).red
    }

    /// Which child of its parent a node is.
    fn side(&self, n: Ent) -> usize {
        usize::from(self.at(self.at(n).parent).child[RIGHT] == n)
    }

    /// Adds an entity that is in no tree.
    pub(super) fn insert(&mut self, tree: &mut Tree, n: Ent, key: u64) {
        if tree.rightmost == NONE && tree.root != NONE {
            tree.rightmost = self.outermost(tree.root, RIGHT);
        }
        let precedes = |node: &Node| key.wrapping_sub(node.key).cast_signed() < 0;
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
        };
        if parent == NONE {
            tree.root = n;
        } else {
            self.at_mut(parent).child[side] = n;
        }
        if leftmost {
            tree.leftmost = n;
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

    /// Turns a node down to `side`; its other child takes its place.
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
    }

    /// Puts `new` (or nothing) where `old` hangs.
    fn replace(&mut self, tree: &mut Tree, old: Ent, new: Ent) {
        let parent = self.at(old).parent;
        if parent == NONE {
            tree.root = new;
        } else {
            let side = self.side(old);
            self.at_mut(parent).child[side] = new;
        }
        if new != NONE {
            self.at_mut(new).parent = parent;
        }
    }

    /// Takes an entity out of its tree.
    pub(super) fn remove(&mut self, tree: &mut Tree, n: Ent) {
        if tree.leftmost == n {
            tree.leftmost = self.next(n);
        }
        if tree.rightmost == n {
            tree.rightmost = NONE;
        }
        let [left, right] = self.at(n).child;
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
            let red = self.at(n).red;
            self.at_mut(heir).red = red;
        } else {
            was_red = self.at(n).red;
            child = if left == NONE { right } else { left };
            parent = self.at(n).parent;
            self.replace(tree, n, child);
        }
        if !was_red {
            self.mend_removal(tree, child, parent);
        }
        *self.at_mut(n) = OUTSIDE;
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
    pub(super) fn next(&self, n: Ent) -> Ent {
        if self.at(n).child[RIGHT] != NONE {
            return self.outermost(self.at(n).child[RIGHT], LEFT);
        }
        let mut n = n;
        while self.at(n).parent != NONE && self.side(n) == RIGHT {
            n = self.at(n).parent;
        }
        self.at(n).parent
    }

    /// The entity with the largest vruntime, or none.
    pub(super) fn last(&self, tree: Tree) -> Ent {
        if tree.root == NONE {
            NONE
        } else {
            self.outermost(tree.root, RIGHT)
        }
    }

    /// The entities in order.
    pub(super) fn iter(&self, tree: Tree) -> impl Iterator<Item = Ent> + '_ {
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
    pub(super) fn position(&self, n: Ent) -> (u32, bool, Ent) {
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

    /// Number of black nodes on each path, if the rules hold.
    fn black_height(arena: &Arena, n: Ent) -> u32 {
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
        let height = black_height(arena, left);
        assert_eq!(height, black_height(arena, right), "equal black heights");
        height + u32::from(!arena.at(n).red)
    }

    /// Co-simulation with a sorted list in which the later of equals comes behind.
    #[test]
    fn behaves_as_a_sorted_list_and_stays_balanced() {
        let mut rng = Rng::stream(3, "tree", 0);
        let mut arena = Arena::default();
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
                arena.insert(&mut tree, n, key);
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
        }
    }
}
