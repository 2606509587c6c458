//! Greedy choice within a budget: the most valuable fragment first, whole fragments only, and one that does
//! not fit gives way to the next that does. Fragments of one file that touch become one.

/// Lines between two fragments over which they still become one: an empty line.
const GAP: u32 = 1;

/// Some lines of a file that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragment {
    /// Which file, by the caller's numbers.
    pub file: usize,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// See [`super::priority()`].
    pub priority: f64,
}

/// Some lines that were chosen, or whose price is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Which file.
    pub file: usize,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The fragments in it, by their places in what was given, most valuable first.
    pub members: Vec<usize>,
    /// Whether it stands as its skeleton.
    pub skeleton: bool,
    /// What it costs.
    pub tokens: usize,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// In order of value.
    pub chosen: Vec<Chosen>,
    /// What all of it costs: never more than the budget.
    pub tokens: usize,
    /// Fragments that did not fit.
    pub left_out: usize,
    /// What the cheapest of those that did not fit would have cost.
    pub cheapest_left_out: Option<usize>,
}

/// What fragments cost.
pub trait TokenCosts {
    /// Tokens of lines as they would be shown.
    fn full_cost(&mut self, lines: &Chosen) -> usize;
    /// Tokens of the skeleton of one fragment; none where it has none or none is wanted.
    fn skeleton(&mut self, fragment: usize) -> Option<usize>;
}

/// Chooses. Of equal values the one that was given first comes first.
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
            // Shown already.
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

    /// The fragment together with what it touches, and what that would replace.
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
        // Growing may make it touch one more.
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

    /// Puts lines where the first of what they replace stood.
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
