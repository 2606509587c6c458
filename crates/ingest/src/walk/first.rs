//! Keeps the first entries in some order, however many there are, and only as many long paths as fit.

use super::{HasPath, depth};
use std::cmp::Ordering;

/// Bytes of a path that do not count as long.
const USUAL_PATH: usize = 128;
/// Most bytes of all paths together beyond the usual length. A file's path is in memory a dozen times while an index is
/// built. Real repositories have some hundred KB of this.
pub(super) const MOST_LONG: usize = 24 << 20;

/// The order that decides which entries are the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Entries in the fewest folders first, then by path.
    Shallow,
    /// By path.
    Path,
}

/// The first of the entries found.
pub(super) struct First<T> {
    all: Vec<Ranked<T>>,
    most: usize,
    /// Bytes of long paths in `all`.
    long: usize,
    left_out: LeftOutCounts,
    order: Order,
}

/// An entry, and the number of folders above it. It is counted once, because paths may be long and are compared often.
struct Ranked<T> {
    depth: usize,
    one: T,
}

impl<T: HasPath> Ranked<T> {
    fn beyond_usual(&self) -> usize {
        self.one.path().len().saturating_sub(USUAL_PATH)
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let depth = self.depth.cmp(&other.depth);
        depth.then_with(|| self.one.path().cmp(other.one.path()))
    }
}

/// Numbers of entries that are not among the first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftOutCounts {
    /// Left out because there are too many.
    pub(super) many: usize,
    /// Left out because their paths are too long together.
    pub(super) long: usize,
}

impl<T: HasPath> First<T> {
    pub(super) fn new(most: usize, order: Order) -> First<T> {
        First {
            all: Vec::new(),
            most,
            long: 0,
            left_out: LeftOutCounts::default(),
            order,
        }
    }

    pub(super) fn push(&mut self, one: T) {
        let depth = match self.order {
            Order::Shallow => depth(one.path()),
            Order::Path => 0,
        };
        let one = Ranked { depth, one };
        self.long += one.beyond_usual();
        self.all.push(one);
        self.cut_if_large();
    }

    pub(super) fn append(&mut self, other: First<T>) {
        self.left_out.many += other.left_out.many;
        self.left_out.long += other.left_out.long;
        self.long += other.long;
        self.all.extend(other.all);
        self.cut_if_large();
    }

    fn cut_if_large(&mut self) {
        let many = self.all.len() >= self.most.saturating_mul(2);
        if many || self.long >= 2 * MOST_LONG {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.long > MOST_LONG {
            self.cut_long();
        }
        if self.all.len() > self.most {
            self.all.select_nth_unstable_by(self.most, Ranked::cmp);
            self.left_out.many += self.all.len() - self.most;
            self.all.truncate(self.most);
            self.long = self.all.iter().map(Ranked::beyond_usual).sum();
        }
    }

    /// Cuts entries with long paths: the first ones whose paths fit stay. The result does not depend on the order in
    /// which entries arrive.
    fn cut_long(&mut self) {
        let all = std::mem::take(&mut self.all);
        let (mut long, short): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| one.beyond_usual() > 0);
        long.sort_unstable_by(Ranked::cmp);
        let mut bytes = 0;
        let fits = long.iter().take_while(|one| {
            bytes += one.beyond_usual();
            bytes <= MOST_LONG
        });
        let fits = fits.count();
        self.left_out.long += long.len() - fits;
        long.truncate(fits);
        self.long = long.iter().map(Ranked::beyond_usual).sum();
        self.all = short;
        self.all.append(&mut long);
    }

    /// The kept entries, by path. Adds the number of the others to `left_out`.
    pub(super) fn finish(mut self, left_out: &mut LeftOutCounts) -> Vec<T> {
        self.cut();
        left_out.many += self.left_out.many;
        left_out.long += self.left_out.long;
        let mut all: Vec<T> = self.all.into_iter().map(|ranked| ranked.one).collect();
        all.sort_by(|a, b| a.path().cmp(b.path()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_paths_the_same_stay_in_whatever_order_they_come() {
        let path = |at: usize| format!("{at:06}{}", "d".repeat(1_000));
        let kept = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut halves = [0, 1].map(|_| First::<String>::new(1 << 20, Order::Path));
            for at in numbers {
                halves[at / 7 % 2].push(path(at));
                halves[at % 2].push(format!("short {at}"));
            }
            let [mut first, second] = halves;
            first.append(second);
            let mut left_out = LeftOutCounts::default();
            let kept = first.finish(&mut left_out);
            let short = kept.iter().filter(|path| path.starts_with("short")).count();
            assert_eq!(short, 70_000);
            assert_eq!(kept.len() + left_out.long, 140_000);
            assert_eq!(left_out.many, 0);
            kept
        };
        let forwards = kept(&mut (0..70_000));
        let last = &forwards[forwards.len() - 70_001];
        assert_eq!(*last, path(MOST_LONG / 878 - 1));
        assert_eq!(kept(&mut (0..70_000).rev()), forwards);
    }

    #[test]
    fn of_many_those_in_few_folders_stay() {
        let mut first = First::<String>::new(3, Order::Shallow);
        for path in ["a/b/c", "z", "a/b", "y/x", "m"] {
            first.push(path.to_owned());
        }
        let mut left_out = LeftOutCounts::default();
        assert_eq!(first.finish(&mut left_out), ["a/b", "m", "z"]);
        assert_eq!(left_out.many, 2);
    }
}
