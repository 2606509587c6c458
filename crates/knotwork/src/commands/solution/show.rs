//! Solutions as text for people.

use solution::{Imported, ListTagsAnswer, SaveAnswer, SearchAnswer, Solution, Stats, Version};
use std::fmt::Write;

/// The results, one below the other.
pub(super) fn format_results(answer: &SearchAnswer) -> String {
    if answer.results.is_empty() {
        return "no solution found".to_owned();
    }
    let mut out = String::new();
    for one in &answer.results {
        let from = if one.project_name.is_empty() {
            String::new()
        } else {
            format!(" · {}", one.project_name)
        };
        let _ = writeln!(out, "{}", one.title);
        let _ = writeln!(
            out,
            "  {:.2} (vectors {:.2}, words {:.2}){from} · {}",
            one.relevance, one.semantic_score, one.keyword_score, one.created_at
        );
        let _ = writeln!(
            out,
            "  {}",
            one.problem.split_whitespace().collect::<Vec<_>>().join(" ")
        );
        let _ = writeln!(out, "  {}  {}", one.id, one.tags.join(", "));
    }
    let _ = writeln!(out, "{} of {}", answer.results.len(), answer.total);
    out
}

/// A solution in full.
pub(super) fn format_solution(found: &Solution) -> String {
    let mut out = format!("# {}\n\n{}\n", found.title, found.problem);
    for message in &found.error_messages {
        let _ = write!(out, "\n    {}\n", message.replace('\n', "\n    "));
    }
    if let Some(cause) = &found.root_cause {
        let _ = write!(out, "\n## Cause\n\n{cause}\n");
    }
    let _ = write!(out, "\n## Solution\n\n{}\n\n", found.solution);
    let _ = writeln!(
        out,
        "{} · {} · {} · {}",
        found.id,
        found.project_name,
        found.updated_at,
        found.tags.join(", ")
    );
    out
}

/// Tags by category.
pub(super) fn format_tags(answer: &ListTagsAnswer) -> String {
    let line =
        |tag: &solution::Tag| format!("{:<14}{:>6}  {}\n", tag.category, tag.count, tag.name);
    if answer.tags.is_empty() {
        "no tags".to_owned()
    } else {
        answer.tags.iter().map(line).collect()
    }
}

/// The result of saving.
pub(super) fn format_saved(answer: &SaveAnswer) -> String {
    format!(
        "{}\n{}\ntags: {}",
        answer.message,
        answer.id,
        answer.tags.join(", ")
    )
}

/// The result of importing.
pub(super) fn format_imported(answer: &Imported) -> String {
    format!(
        "{} imported, {} updated, {} known",
        answer.imported, answer.updated, answer.known
    )
}

/// Formats the earlier versions.
pub(super) fn format_history(versions: &[Version]) -> String {
    if versions.is_empty() {
        return "no earlier state".to_owned();
    }
    let mut out = String::new();
    for version in versions {
        let _ = writeln!(
            out,
            "version {} · until {} · {}",
            version.version, version.replaced_at, version.why
        );
        let _ = writeln!(out, "{}", format_solution(&version.solution));
    }
    out
}

/// Statistics of the store.
pub(super) fn format_stats(stats: &Stats) -> String {
    let mut out = format!(
        "{}\n{} solutions, {} tags, {} projects, {} earlier states, {:.1} MB\nvectors: {} of {} ({} dimensions), {}, {} wait\n",
        stats.path,
        stats.solutions,
        stats.tags,
        stats.projects,
        stats.versions,
        stats.bytes as f64 / 1e6,
        stats.vectors,
        stats.model,
        stats.dimension,
        stats.backend,
        stats.pending,
    );
    for used in &stats.most_used {
        let _ = writeln!(out, "{:>5} × {}", used.opened, used.title);
    }
    for note in &stats.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}
