//! Evidence from git's history: when a file was changed, how often, and whether for reasons like the report's.
//!
//! Fixes cluster: a file that was changed for reasons in the report's words is likely to be changed for them again (BugLocator's
//! similar reports, Zhou et al. 2012; Locus' change logs, Wen et al. 2016).

use super::gather::EvidenceCollector;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, heat};
use analysis::bug_locate::{Gathering, Ranker};
use ingest::history::{Commit, History};
use rustc_hash::FxHashMap;
use search::rank::terms;
use std::collections::BTreeMap;

/// The most commits whose messages are read.
const MESSAGES: usize = 6_000;
/// The most files of a commit that counts; a larger one is weak evidence for each file.
const MOST_FILES: usize = 30;
/// The number of commits most like the report that count.
const ALIKE: usize = 40;
const DAY: f64 = 86_400.0;
/// The number of best candidates whose co-changed files get the signal `together`.
const LIKELIEST: usize = 6;
/// The least common commits that count.
const TOGETHER: usize = 2;

impl EvidenceCollector<'_> {
    /// Reads the history; a warning where there is none.
    pub(super) fn load_history(&mut self, workspace: &Workspace) {
        match heat::history_with_messages(workspace) {
            Ok(history) => {
                self.warnings.extend(history.unread_warning());
                self.history = Some(history);
            }
            Err(error) => {
                let warning = format!("{error}: candidates are ranked without history");
                self.warnings.push(warning);
            }
        }
    }

    /// Scores files by the history.
    pub(super) fn score_history(
        &mut self,
        session: &Session<'_>,
        depth: usize,
    ) -> Result<(), EngineError> {
        let Some(history) = self.history.take() else {
            return Ok(());
        };
        if history.commits.len() < 2 {
            let count = history.commits.len();
            self.warnings.push(format!(
                "the history has only {count} commit(s): candidates are ranked by the report alone"
            ));
        }
        if ingest::git::is_shallow(&session.project().root) {
            let count = history.commits.len();
            self.warnings.push(format!(
                "this is a shallow clone with {count} usable commits; `git fetch --unshallow` fetches the others"
            ));
        }
        let hot = session.heat()?;
        let changes = history.changes_by_file(0);
        let tuning = self.tuning;
        let rise = tuning.signals.recent_rise;
        let most_recent = changes
            .values()
            .map(|c| (1.0 + rise * c.recent).ln())
            .fold(1e-6, f64::max);
        let since = commits_since_change(&history);
        for path in self.files.clone().iter() {
            let Some(changed) = changes.get(path.as_str()) else {
                continue;
            };
            let nth = since.get(path.as_str()).copied().unwrap_or(usize::MAX);
            let found = self.evidence_of(path);
            found.last_changed = Some(changed.last);
            found.signals.recent = (1.0 + rise * changed.recent).ln() / most_recent;
            found.signals.last = 1.0 / (1.0 + nth as f64 / depth as f64);
            found.signals.hot = hot.score(path);
            if nth < depth {
                let ago = match nth {
                    0 => "in the newest commit".to_owned(),
                    1 => "one commit ago".to_owned(),
                    nth => format!("{nth} commits ago"),
                };
                found.add_reason(tuning.reasons.last, format!("changed {ago}"));
            }
        }
        self.score_commit_messages(&history);
        self.history = Some(history);
        Ok(())
    }

    /// Scores files that change together with the likeliest ones so far.
    pub(super) fn score_coupled_files(&mut self, ranker: Ranker) {
        let Some(history) = self.history.take() else {
            return;
        };
        let reasons = &self.tuning.reasons;
        let sure = self.rank(ranker, LIKELIEST);
        let most = sure.first().map_or(1.0, |c| c.confidence.max(1e-6));
        for candidate in &sure {
            let share_of = (candidate.confidence / most).powi(2);
            for (path, share) in history.files_coupled_with(&candidate.file_path, TOGETHER) {
                if !self.files.contains(path) {
                    continue;
                }
                let found = self.evidence_of(path);
                let value = (share * share_of).min(1.0);
                found.signals.together = found.signals.together.max(value);
                if value > reasons.together_least {
                    let percent = (share * 100.0).round();
                    let other = &candidate.file_path;
                    found.add_reason(
                        reasons.together * value,
                        format!("{percent}% of the changes of {other} change it too"),
                    );
                }
            }
        }
    }

    fn score_commit_messages(&mut self, history: &History) {
        let matches = MessageMatches::match_messages(
            history,
            &self.query.iter().collect::<Vec<_>>(),
            &self.tuning.signals,
        );
        let reasons = &self.tuning.reasons;
        let files = &self.files;
        let known = |file: u32| files.contains(&history.files[file as usize]);
        let by_file = matches.score_by_file(&known);
        let most = by_file.values().copied().fold(1e-6, f64::max);
        let (alike, first) = matches.most_similar_commits(&known);
        let most_alike = alike.values().copied().fold(1e-6, f64::max);
        for (file, score) in by_file {
            let found = self.evidence_of(&history.files[file as usize]);
            found.signals.commit_words = score / most;
        }
        for (file, score) in alike {
            let commit = &history.commits[first[&file]];
            let found = self.evidence_of(&history.files[file as usize]);
            found.signals.alike = score / most_alike;
            let (commit_words, alike) = (found.signals.commit_words, found.signals.alike);
            let (reason, least) = (reasons.commit_words, reasons.commit_words_least);
            if commit_words > least || alike > least {
                let subject: String = commit.subject.chars().take(70).collect();
                let id: String = commit.id.chars().take(8).collect();
                found.add_reason(
                    reason * commit_words.max(alike),
                    format!("changed before for the like: {id} \"{subject}\""),
                );
            }
        }
    }
}

/// The number of commits since the last change of each file.
fn commits_since_change(history: &History) -> BTreeMap<&str, usize> {
    let mut since = BTreeMap::new();
    for (nth, commit) in history.commits.iter().enumerate() {
        for file in &commit.files {
            since
                .entry(history.files[*file as usize].as_str())
                .or_insert(nth);
        }
    }
    since
}

/// Commit messages, reduced to the words of the report.
struct MessageMatches<'h> {
    tuning: &'h Gathering,
    commits: Vec<(usize, &'h Commit)>,
    /// For each commit the terms with their counts, ascending by term.
    counts: Vec<Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    weights: Vec<f64>,
    newest: i64,
}

impl<'h> MessageMatches<'h> {
    fn match_messages(
        history: &'h History,
        query: &[(&str, f32)],
        tuning: &'h Gathering,
    ) -> MessageMatches<'h> {
        use rayon::prelude::*;
        let numbers: FxHashMap<&str, usize> = query
            .iter()
            .enumerate()
            .map(|(n, (t, _))| (*t, n))
            .collect();
        let commits: Vec<(usize, &Commit)> = history
            .commits
            .iter()
            .enumerate()
            .take(MESSAGES)
            .filter(|(_, c)| !c.files.is_empty() && c.files.len() <= MOST_FILES && !c.bot)
            .collect();
        let read = |(_, commit): &(usize, &Commit)| {
            let all = terms(&format!("{}\n{}", commit.subject, commit.body));
            let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
            for term in &all {
                if let Some(number) = numbers.get(term.as_str()) {
                    *counts.entry(*number).or_default() += 1.0;
                }
            }
            (counts.into_iter().collect(), all.len() as f64)
        };
        let (counts, lengths) = commits.par_iter().map(read).unzip();
        MessageMatches {
            tuning,
            commits,
            counts,
            lengths,
            weights: query.iter().map(|(_, w)| f64::from(*w)).collect(),
            newest: history.newest_commit_time(),
        }
    }

    fn recency_weight(&self, commit: &Commit) -> f64 {
        (self.newest - commit.time).max(0) as f64 / DAY
    }

    /// The weight of a commit's message, which falls with its age.
    fn fades(&self, commit: &Commit) -> f64 {
        0.5_f64.powf(self.recency_weight(commit) / self.tuning.commit_words_fades)
    }

    /// BM25 over the messages of all changes of a file; each message is shared among the files of its commit.
    fn score_by_file(&self, known: &dyn Fn(u32) -> bool) -> BTreeMap<u32, f64> {
        let mut docs: BTreeMap<u32, (f64, BTreeMap<usize, f64>)> = BTreeMap::new();
        for (at, (_, commit)) in self.commits.iter().enumerate() {
            let share = self.fades(commit) / (commit.files.len() as f64).sqrt();
            for file in commit.files.iter().filter(|f| known(**f)) {
                let (length, counts) = docs.entry(*file).or_default();
                *length += share * self.lengths[at];
                for (term, count) in &self.counts[at] {
                    *counts.entry(*term).or_default() +=
                        share * count.min(self.tuning.commit_words_count);
                }
            }
        }
        let mut with = vec![0_usize; self.weights.len()];
        docs.values()
            .flat_map(|(_, c)| c.keys())
            .for_each(|t| with[*t] += 1);
        let average = docs.values().map(|d| d.0).sum::<f64>() / docs.len().max(1) as f64;
        let total = docs.len();
        let (k1, b) = (self.tuning.commit_words_k1, self.tuning.commit_words_b);
        let score = |(length, counts): &(f64, BTreeMap<usize, f64>)| -> f64 {
            let norm = k1 * (1.0 - b + b * length / average.max(1e-6));
            let term = |(t, f): (&usize, &f64)| {
                self.weights[*t] * idf(total, with[*t]) * f * (k1 + 1.0) / (f + norm)
            };
            counts.iter().map(term).sum()
        };
        docs.iter().map(|(file, doc)| (*file, score(doc))).collect()
    }

    /// Files scored by the commits most like the report, and the most similar commit of each file.
    fn most_similar_commits(
        &self,
        known: &dyn Fn(u32) -> bool,
    ) -> (BTreeMap<u32, f64>, BTreeMap<u32, usize>) {
        let total = self.commits.len();
        let mut with = vec![0_usize; self.weights.len()];
        self.counts
            .iter()
            .flatten()
            .for_each(|(t, _)| with[*t] += 1);
        let average = self.lengths.iter().sum::<f64>() / total.max(1) as f64;
        let (k1, b) = (self.tuning.commit_words_k1, self.tuning.commit_words_b);
        let mut all: Vec<(f64, usize)> = (0..total)
            .map(|at| {
                let norm = k1 * (1.0 - b + b * self.lengths[at] / average.max(1e-6));
                let term = |(t, f): &(usize, f64)| {
                    self.weights[*t] * idf(total, with[*t]) * f * (k1 + 1.0) / (f + norm)
                };
                (self.counts[at].iter().map(term).sum(), at)
            })
            .filter(|(score, _)| *score > 0.0)
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        all.truncate(ALIKE);
        let best = all.first().map_or(1.0, |a| a.0);
        let (mut sums, mut first) = (BTreeMap::new(), BTreeMap::new());
        for (score, at) in all {
            let (number, commit) = self.commits[at];
            let fades = self.fades(commit);
            let share = (score / best).powi(2) * fades / (commit.files.len() as f64).sqrt();
            for file in commit.files.iter().filter(|f| known(**f)) {
                *sums.entry(*file).or_insert(0.0) += share;
                first.entry(*file).or_insert(number);
            }
        }
        (sums, first)
    }
}

fn idf(total: usize, with: usize) -> f64 {
    let (n, df) = (total as f64, with as f64);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}
