//! Lines that differ between two texts (Myers 1986).

use std::collections::HashMap;

/// Most edits; with more, everything between the equal ends counts as changed.
const MOST_EDITS: usize = 1_500;

/// Most line comparisons in addition to a number for each line: in a text that repeats one line, all places are equal.
const MOST_STEPS: usize = 2 << 20;
const STEPS_PER_LINE: usize = 16;

/// Lines of the old text and the lines that replace them, both from 1: `(first, count)`; a count of 0 means the place before
/// line `first`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunk {
    /// Lines of the old text.
    pub old: (u32, u32),
    /// Lines of the new text.
    pub new: (u32, u32),
}

/// Hunks that differ, in order.
pub fn diff_lines(old: &str, new: &str) -> Vec<Hunk> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let (a, b) = (
        intern_lines(old, &mut numbers),
        intern_lines(new, &mut numbers),
    );
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(x, y)| x == y).count();
    let (inner_a, inner_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    if inner_a.is_empty() && inner_b.is_empty() {
        return Vec::new();
    }
    let pairs = shortest_edit_matches(inner_a, inner_b).unwrap_or_default();
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (x, y) in pairs.into_iter().chain([(inner_a.len(), inner_b.len())]) {
        if x > i || y > j {
            found.push(Hunk {
                old: ((start + i) as u32 + 1, (x - i) as u32),
                new: ((start + j) as u32 + 1, (y - j) as u32),
            });
        }
        (i, j) = (x + 1, y + 1);
    }
    found
}

fn intern_lines<'t>(text: &'t str, numbers: &mut HashMap<&'t str, u32>) -> Vec<u32> {
    let mut all = Vec::new();
    for line in text.lines() {
        let next = numbers.len() as u32;
        all.push(*numbers.entry(line).or_insert(next));
    }
    all
}

/// Pairs of equal lines on a shortest edit path; `None` if that has too many edits.
fn shortest_edit_matches(a: &[u32], b: &[u32]) -> Option<Vec<(usize, usize)>> {
    let most = (a.len() + b.len()).min(MOST_EDITS);
    let offset = most as isize + 1;
    let mut steps = MOST_STEPS + STEPS_PER_LINE * (a.len() + b.len());
    let mut ends = vec![0_usize; 2 * most + 3];
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most as isize {
        let low = (offset - edits - 1).max(0) as usize;
        let high = (offset + edits + 1) as usize;
        kept.push(ends[low..=high].to_vec());
        for k in (-edits..=edits).step_by(2) {
            let at = (k + offset) as usize;
            let down = k == -edits || (k != edits && ends[at - 1] < ends[at + 1]);
            let mut x = if down { ends[at + 1] } else { ends[at - 1] + 1 };
            let mut y = (x as isize - k) as usize;
            let from = x;
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
            }
            steps = steps.checked_sub(x.saturating_sub(from))?;
            ends[at] = x;
            if x >= a.len() && y >= b.len() {
                return Some(backtrack_matches(&kept, (a.len(), b.len()), offset));
            }
        }
    }
    None
}

/// Follows the saved rounds back.
fn backtrack_matches(
    kept: &[Vec<usize>],
    end: (usize, usize),
    offset: isize,
) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (end.0 as isize, end.1 as isize);
    let mut pairs = Vec::new();
    for edits in (0..kept.len() as isize).rev() {
        let low = (offset - edits - 1).max(0);
        let end = |k: isize| kept[edits as usize][(k + offset - low) as usize] as isize;
        let k = x - y;
        let down = k == -edits || (k != edits && end(k - 1) < end(k + 1));
        let before = if down { k + 1 } else { k - 1 };
        let (to_x, to_y) = if edits == 0 {
            (0, 0)
        } else {
            (end(before), end(before) - before)
        };
        while x > to_x && y > to_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        (x, y) = (to_x, to_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let lines = |text: &str| text.chars().map(|c| format!("{c}\n")).collect::<String>();
        let found = diff_lines(&lines(old), &lines(new));
        let one = |h: &Hunk| format!("{},{}>{},{}", h.old.0, h.old.1, h.new.0, h.new.1);
        found.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_differs_is_named_by_its_lines() {
        for (old, new, expected) in [
            ("abc", "abc", ""),
            ("abc", "axc", "2,1>2,1"),
            ("abc", "abxc", "3,0>3,1"),
            ("abc", "ac", "2,1>2,0"),
            ("", "ab", "1,0>1,2"),
            ("ab", "", "1,2>1,0"),
            ("abcdef", "axcdyf", "2,1>2,1 5,1>5,1"),
        ] {
            assert_eq!(shown(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn applied_to_the_old_text_they_give_the_new() {
        let mut seed = 9_u64;
        let mut random = |most: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % most
        };
        for _ in 0..500 {
            let text = |length: u64, random: &mut dyn FnMut(u64) -> u64| -> Vec<String> {
                (0..length).map(|_| random(4).to_string()).collect()
            };
            let (old, new) = (random(30), random(30));
            let (old, new) = (text(old, &mut random), text(new, &mut random));
            let mut made = Vec::new();
            let mut at = 0;
            for hunk in diff_lines(&old.join("\n"), &new.join("\n")) {
                made.extend_from_slice(&old[at..hunk.old.0 as usize - 1]);
                let from = hunk.new.0 as usize - 1;
                made.extend_from_slice(&new[from..from + hunk.new.1 as usize]);
                at = (hunk.old.0 - 1 + hunk.old.1) as usize;
            }
            made.extend_from_slice(&old[at..]);
            assert_eq!(made, new, "{old:?}");
        }
    }

    #[test]
    fn texts_that_have_nothing_in_common_take_no_time() {
        let old: String = (0..60_000).map(|n| format!("a{n}\n")).collect();
        let new: String = (0..60_000).map(|n| format!("b{n}\n")).collect();
        assert_eq!(diff_lines(&old, &new).len(), 1);
    }

    #[test]
    fn texts_of_one_line_many_times_over_take_no_time() {
        let other = |mark: &str| -> String { (0..600).map(|n| format!("{mark}{n}\n")).collect() };
        let same = "a\n".repeat(1_000_000);
        let (old, new) = (
            other("x") + &same + &other("y"),
            other("z") + &same + &other("w"),
        );
        assert!(!diff_lines(&old, &new).is_empty());
        // A few edits in them are found.
        assert_eq!(diff_lines(&same, &format!("{same}b\n{same}")).len(), 1);
        let few = format!("x\n{same}y\n");
        assert_eq!(diff_lines(&few, &format!("z\n{same}w\n")).len(), 2);
    }
}
