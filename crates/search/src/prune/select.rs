//! Greedy choice within a budget: the most valuable fragment first, and whole fragments only. A fragment
//! that does not fit is passed over. Fragments of one file that touch become one.

/// The lines between two fragments that still become one: one empty line.
const GAP: u32 = 1;

/// Lines of a file that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragment {
    /// The file, by the caller's number.
    pub file: usize,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// See [`super::priority()`].
    pub priority: f64,
}

/// Lines that were chosen, or whose cost is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The file, by the caller's number.
    pub file: usize,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The fragments in it, by their index in the input, most valuable first.
    pub members: Vec<usize>,
    /// Whether it is shown as its skeleton.
    pub skeleton: bool,
    /// Its cost.
    pub tokens: usize,
}

/// The result of the choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// The chosen lines, most valuable first.
    pub chosen: Vec<Chosen>,
    /// The cost of all of them: never more than the budget.
    pub tokens: usize,
    /// The number of fragments that did not fit.
    pub left_out: usize,
    /// The cost of the cheapest fragment that did not fit.
    pub cheapest_left_out: Option<usize>,
}

/// The costs of fragments.
pub trait TokenCosts {
    /// The tokens of lines as they would be shown.
    fn full_cost(&mut self, lines: &Chosen) -> usize;
    /// The tokens of a fragment's skeleton; none if it has none or none is wanted.
    fn skeleton(&mut self, fragment: usize) -> Option<usize>;
}

/// Chooses fragments. Of equal values the first in the input comes first.
pub fn select_fragments(
    fragments: &[Fragment],
    budget: usize,
    prices: &mut dyn TokenCosts,
) -> Selection {
    let mut order: Vec<usize> = (0..fragments.len()).collect();
    order.sort_by(|a, b| {
        let value = |at: &usize| fragments[*at].priority;
        value(b).total_cmp(&value(a)).then(a.cmp(b))
    });
    let mut picked = BudgetedSelection {
        budget,
        selection: Selection::default(),
    };
    for at in order {
        picked.try_add(at, &fragments[at], prices);
    }
    picked.selection
}

struct BudgetedSelection {
    budget: usize,
    selection: Selection,
}

impl BudgetedSelection {
    fn try_add(&mut self, at: usize, fragment: &Fragment, prices: &mut dyn TokenCosts) {
        let (lines, replaced) = self.merged_with_touching(at, fragment);
        let cost = prices.full_cost(&lines);
        let freed: usize = replaced
            .iter()
            .map(|r| self.selection.chosen[*r].tokens)
            .sum();
        let before = self.selection.tokens - freed;
        if before + cost <= self.budget {
            self.selection.tokens = before + cost;
            return self.replace_with(lines, &replaced, cost);
        }
        if replaced
            .iter()
            .any(|r| self.selection.chosen[*r].contains(fragment))
        {
            // These lines are shown already.
            return;
        }
        let left = self.budget - self.selection.tokens;
        if let Some(tokens) = prices.skeleton(at).filter(|tokens| *tokens <= left) {
            self.selection.tokens += tokens;
            self.selection.chosen.push(Chosen {
                file: fragment.file,
                start: fragment.start,
                end: fragment.end,
                members: vec![at],
                skeleton: true,
                tokens,
            });
            return;
        }
        self.selection.left_out += 1;
        let cheapest = self
            .selection
            .cheapest_left_out
            .map_or(cost, |c| c.min(cost));
        self.selection.cheapest_left_out = Some(cheapest);
    }

    /// The fragment joined with the chosen lines that it touches, and the indexes of these.
    fn merged_with_touching(&self, at: usize, fragment: &Fragment) -> (Chosen, Vec<usize>) {
        let mut lines = Chosen {
            file: fragment.file,
            start: fragment.start,
            end: fragment.end,
            members: Vec::new(),
            skeleton: false,
            tokens: 0,
        };
        let mut replaced = Vec::new();
        // The joined lines may touch one more.
        while let Some(next) = (self.selection.chosen.iter().enumerate())
            .position(|(number, other)| !replaced.contains(&number) && lines.touches(other))
        {
            let other = &self.selection.chosen[next];
            lines.start = lines.start.min(other.start);
            lines.end = lines.end.max(other.end);
            replaced.push(next);
        }
        replaced.sort_unstable();
        for number in &replaced {
            lines
                .members
                .extend(&self.selection.chosen[*number].members);
        }
        lines.members.push(at);
        (lines, replaced)
    }

    /// Puts lines in the place of the first that they replace.
    fn replace_with(&mut self, mut lines: Chosen, replaced: &[usize], tokens: usize) {
        lines.tokens = tokens;
        let chosen = &mut self.selection.chosen;
        match replaced.split_first() {
            None => chosen.push(lines),
            Some((first, others)) => {
                chosen[*first] = lines;
                for number in others.iter().rev() {
                    chosen.remove(*number);
                }
            }
        }
    }
}

impl Chosen {
    fn touches(&self, other: &Chosen) -> bool {
        !other.skeleton
            && self.file == other.file
            && self.start <= other.end.saturating_add(1 + GAP)
            && other.start <= self.end.saturating_add(1 + GAP)
    }

    fn contains(&self, fragment: &Fragment) -> bool {
        self.start <= fragment.start && fragment.end <= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Ten tokens a line and a head of five; skeletons cost seven where there are any.
    struct PerLine {
        skeletons: bool,
    }

    impl TokenCosts for PerLine {
        fn full_cost(&mut self, lines: &Chosen) -> usize {
            5 + 10 * (lines.end + 1 - lines.start) as usize
        }

        fn skeleton(&mut self, _fragment: usize) -> Option<usize> {
            self.skeletons.then_some(7)
        }
    }

    /// Fixed prices by fragment.
    struct Fixed(Vec<usize>);

    impl TokenCosts for Fixed {
        fn full_cost(&mut self, lines: &Chosen) -> usize {
            lines.members.iter().map(|m| self.0[*m]).sum()
        }

        fn skeleton(&mut self, _fragment: usize) -> Option<usize> {
            None
        }
    }

    fn apart(count: usize) -> Vec<Fragment> {
        let fragment = |file| Fragment {
            file,
            start: 1,
            end: 9,
            priority: 1.0 / (1 + file) as f64,
        };
        (0..count).map(fragment).collect()
    }

    fn whole() -> PerLine {
        PerLine { skeletons: false }
    }

    fn lines(chosen: &Selection) -> Vec<(usize, u32, u32)> {
        chosen
            .chosen
            .iter()
            .map(|c| (c.file, c.start, c.end))
            .collect()
    }

    fn fragment(file: usize, start: u32, end: u32, priority: f64) -> Fragment {
        Fragment {
            file,
            start,
            end,
            priority,
        }
    }

    #[test]
    fn sc_sp_003_budget_boundary() {
        let chosen = select_fragments(&apart(4), 1000, &mut Fixed(vec![400, 300, 350, 200]));
        let members: Vec<_> = chosen.chosen.iter().map(|c| c.members[0]).collect();
        assert_eq!(members, [0, 1, 3]);
        assert_eq!((chosen.tokens, chosen.left_out), (900, 1));
        assert_eq!(chosen.cheapest_left_out, Some(350));
    }

    #[test]
    fn sc_sp_006_nothing_fits() {
        let chosen = select_fragments(&apart(3), 100, &mut Fixed(vec![400, 300, 350]));
        assert!(chosen.chosen.is_empty());
        assert_eq!((chosen.tokens, chosen.cheapest_left_out), (0, Some(300)));
    }

    #[test]
    fn a_budget_that_is_met_exactly_is_kept() {
        let chosen = select_fragments(&apart(2), 700, &mut Fixed(vec![400, 300]));
        assert_eq!((chosen.tokens, chosen.left_out), (700, 0));
    }

    #[test]
    fn what_touches_becomes_one_and_pays_one_head() {
        let given = [
            fragment(0, 10, 20, 0.9),
            fragment(1, 22, 30, 0.8),
            fragment(0, 22, 30, 0.7),
            fragment(0, 15, 18, 0.6),
            fragment(0, 40, 41, 0.5),
        ];
        let chosen = select_fragments(&given, 10_000, &mut whole());
        assert_eq!(lines(&chosen), [(0, 10, 30), (1, 22, 30), (0, 40, 41)]);
        assert_eq!(chosen.chosen[0].members, [0, 2, 3]);
        assert_eq!(chosen.tokens, (5 + 210) + (5 + 90) + (5 + 20));
    }

    #[test]
    fn a_fragment_between_two_joins_both() {
        let given = [
            fragment(0, 1, 5, 0.9),
            fragment(0, 12, 15, 0.8),
            fragment(0, 7, 10, 0.7),
        ];
        let chosen = select_fragments(&given, 10_000, &mut whole());
        assert_eq!(lines(&chosen), [(0, 1, 15)]);
        assert_eq!(chosen.tokens, 155);
    }

    #[test]
    fn a_fragment_too_large_may_come_as_its_skeleton() {
        let given = [fragment(0, 1, 50, 0.9), fragment(1, 1, 3, 0.8)];
        let chosen = select_fragments(&given, 60, &mut PerLine { skeletons: true });
        let skeletons: Vec<_> = chosen.chosen.iter().map(|c| c.skeleton).collect();
        assert_eq!(skeletons, [true, false]);
        assert_eq!((chosen.tokens, chosen.left_out), (42, 0));
    }

    fn any_fragment() -> impl Strategy<Value = Fragment> {
        (0..4usize, 1..200u32, 0..40u32, 0..100u32).prop_map(|(file, start, length, p)| {
            fragment(file, start, start + length, f64::from(p) / 100.0)
        })
    }

    proptest! {
        #[test]
        fn the_budget_holds_whatever_is_given(
            given in prop::collection::vec(any_fragment(), 0..40),
            budget in 0..3000usize,
            skeletons: bool,
        ) {
            let mut prices = PerLine { skeletons };
            let chosen = select_fragments(&given, budget, &mut prices);
            prop_assert!(chosen.tokens <= budget);
            let sum: usize = chosen.chosen.iter().map(|c| c.tokens).sum();
            prop_assert_eq!(chosen.tokens, sum);
            for c in chosen.chosen.iter().filter(|c| !c.skeleton) {
                prop_assert_eq!(c.tokens, prices.full_cost(c));
            }
            prop_assert_eq!(select_fragments(&given, budget, &mut prices), chosen);
        }

        #[test]
        fn no_line_is_shown_twice(given in prop::collection::vec(any_fragment(), 0..40)) {
            let chosen = select_fragments(&given, 2000, &mut whole());
            for (at, a) in chosen.chosen.iter().enumerate() {
                for b in &chosen.chosen[at + 1..] {
                    prop_assert!(a.file != b.file || a.end < b.start || b.end < a.start);
                }
            }
        }
    }
}
