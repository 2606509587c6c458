//! Saving: a solution is cleaned, checked, tagged, compared with others, embedded and stored.

use super::{Memory, QUESTION};
use crate::embed;
use crate::error::{Result, SolutionError};
use crate::private::Cleaner;
use crate::record::{Category, SaveAnswer, SaveRequest, Similar, Solution, UpdateRequest};
use crate::store::{DerivedData, Quantised, Saved, Tagged};
use crate::tags;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

/// The most characters of a title.
const TITLE: usize = 500;
/// The most bytes of the problem, and of the cause.
const PROBLEM: usize = 1 << 20;
/// The most bytes of the solution.
const SOLUTION: usize = 16 << 20;
/// The most bytes of all texts of a solution: those above, the messages, and some for short fields.
pub(super) const LARGEST_RECORD: usize = SOLUTION + 2 * PROBLEM + MESSAGES * MESSAGE + (1 << 20);
/// The most messages, and the most bytes of each.
const MESSAGES: usize = 100;
const MESSAGE: usize = 64 << 10;
/// The most tags, and the most characters of each.
const TAGS: usize = 50;
const TAG: usize = 100;
/// The most characters of a project's name.
const PROJECT: usize = 200;
/// The most tries to change a solution that others change at the same time.
const UPDATES: usize = 64;
/// The cosine from which two problems are probably the same.
const SIMILAR: f32 = 0.85;

impl Memory {
    /// Saves a solution, or updates the one about the same problem. The answer lists similar ones.
    pub fn save(&self, request: &SaveRequest) -> Result<SaveAnswer> {
        let saved = self.save_based_on(request, None)?;
        saved.ok_or_else(|| SolutionError::failure("the solution was changed meanwhile"))
    }

    /// Changes single fields of a solution. Fields that others change at the same time keep their change.
    pub fn update(&self, change: &UpdateRequest) -> Result<SaveAnswer> {
        for _ in 0..UPDATES {
            let base = self.with_store(|inner| {
                let found = inner.open_store()?.get_or_error(&change.id)?;
                Ok(found.solution)
            })?;
            if let Some(saved) = self.save_based_on(&change.applied_to(&base), Some(&base))? {
                return Ok(saved);
            }
        }
        let message = format!("others change the solution {} all the time", change.id);
        Err(SolutionError::failure(message).with_hint("try again"))
    }

    /// Saves, unless the solution to be replaced has changed since `base`. Then the answer is none, and nothing was written.
    fn save_based_on(
        &self,
        request: &SaveRequest,
        base: Option<&Solution>,
    ) -> Result<Option<SaveAnswer>> {
        let mut cleaner = Cleaner::default();
        let mut solution = self.clean_request(request, &mut cleaner)?;
        let mut notes = cleaner.removal_notes();
        validate_solution(&solution)?;
        let update = request
            .update
            .as_deref()
            .map(str::trim)
            .filter(|id| !id.is_empty());
        let tagged = categorize_tags(&mut solution);
        if let Some(id) = update {
            solution.id = self.with_store_to_write(|inner| {
                Ok(inner.open_store()?.get_or_error(id)?.solution.id)
            })?;
        }
        let prepared = DerivedData::new(&solution);
        // The model is known once the store is open.
        self.with_store_to_write(|_| Ok(()))?;
        let embedder = self.embedder();
        let until = Instant::now() + QUESTION;
        let text = embed::text_to_embed(&solution);
        let vector = match embed::embed_text(&*embedder, &text, Some(until)) {
            Ok(vector) => Some(vector),
            Err(error) => {
                notes.push(format!("saved; its vector is added later: {error}"));
                None
            }
        };
        let model = embedder.model_name().to_owned();
        let written = self.with_store_to_write(|inner| {
            let vector = vector.as_ref().filter(|_| model == self.model_name());
            let quantised = vector.map(|v| Quantised::quantize(v));
            let embedded = inner.chroma.is_none() && !inner.backend.is_chroma();
            let kept = quantised
                .as_ref()
                .filter(|_| embedded)
                .map(|v| (model.as_str(), v));
            let store = inner.open_store()?;
            let saved = match update {
                Some(_) => store.update(&solution, &tagged, &prepared, kept, base)?,
                None => Some(store.save(&solution, &tagged, &prepared, kept)?),
            };
            let similar = match (&saved, vector) {
                // The solution is saved. If another program holds the store now, only the list of similar ones is lost.
                (Some(Saved::New(id)), Some(vector)) => {
                    match find_similar(inner, vector, id, until) {
                        Err(error) if error.busy => Vec::new(),
                        found => found?,
                    }
                }
                _ => Vec::new(),
            };
            Ok(saved.map(|saved| (saved, similar)))
        })?;
        let Some((saved, similar)) = written else {
            return Ok(None);
        };
        self.push_to_chroma(&mut notes);
        notes.extend(self.take_notes());
        Ok(Some(build_answer(saved, similar, solution.tags, notes)))
    }

    /// The request as a solution, without content that must not be stored.
    fn clean_request(&self, request: &SaveRequest, cleaner: &mut Cleaner) -> Result<Solution> {
        let list = |texts: &[String], cleaner: &mut Cleaner| -> Vec<String> {
            let texts = texts.iter().map(|text| cleaner.clean(text));
            texts.filter(|text| !text.is_empty()).collect()
        };
        // Texts that are far too long are refused before they are processed.
        let length = |text: &str| text.len();
        let all = length(&request.title) + length(&request.problem) + length(&request.solution);
        if all > 2 * SOLUTION {
            return Err(too_long_error("solution", SOLUTION));
        }
        let texts = [&request.title, &request.problem, &request.solution];
        let lists = request.error_messages.iter().chain(&request.tags);
        let all = texts.into_iter().chain(&request.root_cause).chain(lists);
        all.for_each(|text| cleaner.collect_secrets(text));
        let cause = request
            .root_cause
            .as_deref()
            .map(|text| cleaner.clean(text));
        let project = request
            .project_name
            .clone()
            .or_else(|| self.options.project.clone());
        Ok(Solution {
            id: random_uuid(),
            title: collapse_whitespace(&cleaner.clean(&request.title)),
            problem: cleaner.clean(&request.problem),
            root_cause: cause.filter(|text| !text.is_empty()),
            solution: cleaner.clean(&request.solution),
            error_messages: list(&request.error_messages, cleaner),
            tags: request
                .tags
                .iter()
                .filter_map(|tag| cleaner.clean_tag(tag))
                .collect(),
            project_name: collapse_whitespace(
                &cleaner.clean(project.as_deref().unwrap_or_default()),
            ),
            created_at: String::new(),
            updated_at: String::new(),
        })
    }
}

fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn too_long_error(field: &str, limit: usize) -> SolutionError {
    SolutionError::bad_arguments(format!("{field} is too long: at most {limit} bytes"))
        .with_hint("keep the important part and put the rest in a file")
}

/// Checks that hold for every stored solution.
pub(super) fn validate_solution(solution: &Solution) -> Result<()> {
    for (field, text) in [
        ("title", &solution.title),
        ("problem", &solution.problem),
        ("solution", &solution.solution),
    ] {
        if text.is_empty() {
            return Err(SolutionError::bad_arguments(format!("{field} is empty")));
        }
    }
    let characters = |field: &str, text: &str, limit: usize| {
        if text.chars().count() > limit {
            Err(SolutionError::bad_arguments(format!(
                "{field} is too long: at most {limit} characters"
            )))
        } else {
            Ok(())
        }
    };
    let bytes = |field: &str, text: &str, limit: usize| {
        if text.len() > limit {
            Err(too_long_error(field, limit))
        } else {
            Ok(())
        }
    };
    characters("title", &solution.title, TITLE)?;
    characters("project_name", &solution.project_name, PROJECT)?;
    bytes("problem", &solution.problem, PROBLEM)?;
    bytes("solution", &solution.solution, SOLUTION)?;
    bytes(
        "root_cause",
        solution.root_cause.as_deref().unwrap_or_default(),
        PROBLEM,
    )?;
    if solution.error_messages.len() > MESSAGES {
        return Err(SolutionError::bad_arguments(format!(
            "error_messages: at most {MESSAGES}"
        )));
    }
    for message in &solution.error_messages {
        bytes("error_messages", message, MESSAGE)?;
    }
    if solution.tags.len() > TAGS {
        return Err(SolutionError::bad_arguments(format!(
            "tags: at most {TAGS}"
        )));
    }
    for tag in &solution.tags {
        characters("tags", tag, TAG)?;
    }
    Ok(())
}

/// The solution's tags with their categories; tags suggested by its text, where it has none.
pub(super) fn categorize_tags(solution: &mut Solution) -> Vec<Tagged> {
    let mut tagged: Vec<Tagged> = if solution.tags.is_empty() {
        tags::suggest_tags(&solution.title, &solution.problem, &solution.error_messages)
    } else {
        let tags = solution.tags.iter().map(|tag| collapse_whitespace(tag));
        tags.map(|tag| (tag.clone(), tags::categorize_tag(&tag)))
            .collect()
    };
    let mut seen = HashSet::new();
    tagged.retain(|(name, _): &(String, Category)| seen.insert(name.to_lowercase()));
    solution.tags = tagged.iter().map(|(name, _)| name.clone()).collect();
    tagged
}

/// Solutions whose problem is close to a vector, closest first.
fn find_similar(
    inner: &mut super::OpenState,
    vector: &[f32],
    id: &str,
    until: Instant,
) -> Result<Vec<Similar>> {
    let super::OpenState {
        store,
        loaded,
        backend,
        chroma,
        ..
    } = inner;
    let Some(store) = store else {
        return Ok(Vec::new());
    };
    let close: Vec<(f32, i64)> = match (backend.is_chroma(), chroma) {
        (true, None) => Vec::new(),
        // No similar solutions are listed if Chroma does not answer.
        (true, Some(chroma)) => {
            let nearest = chroma.nearest(vector, 4, until).unwrap_or_default();
            let mut rows = Vec::new();
            for (id, score) in nearest {
                rows.extend(store.row_id(&id)?.map(|rid| (score as f32, rid)));
            }
            rows.retain(|(score, _)| *score >= SIMILAR);
            rows
        }
        (false, _) => {
            // Vectors are not loaded into memory only for saving. A new solution is compared anyway while the store is small.
            loaded.refresh(store)?;
            let scores = loaded.similarities(vector);
            let mut close: Vec<(f32, i64)> = scores
                .iter()
                .zip(loaded.rids())
                .filter(|(score, rid)| **score >= SIMILAR && **rid != 0)
                .map(|(score, rid)| (*score, *rid))
                .collect();
            close.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            close
        }
    };
    let mut found = Vec::new();
    for (score, rid) in close.into_iter().take(4) {
        if let Some(row) = store.get_by_row(rid)?.filter(|row| row.solution.id != id) {
            found.push(Similar {
                id: row.solution.id,
                title: row.solution.title,
                similarity: (f64::from(score).min(1.0) * 1000.0).round() / 1000.0,
            });
        }
    }
    found.truncate(3);
    Ok(found)
}

fn build_answer(
    saved: Saved,
    similar: Vec<Similar>,
    tags: Vec<String>,
    notes: Vec<String>,
) -> SaveAnswer {
    let (id, mut message) = match saved {
        Saved::New(id) => (id, "solution saved".to_owned()),
        Saved::Updated(id) => (
            id,
            "this problem was known: its solution was updated. The earlier one is in its history"
                .to_owned(),
        ),
        Saved::Known(id) => (
            id,
            "this solution was saved before; nothing changed".to_owned(),
        ),
    };
    if let Some(first) = similar.first() {
        message.push_str(&format!(
            "; very similar to \"{}\": if it is the same problem, save with update={} and delete this one",
            first.title, first.id
        ));
    }
    SaveAnswer {
        id,
        message,
        tags,
        similar,
        notes,
    }
}

/// A random UUID, version 4. The standard library seeds its hashers from the system's random numbers.
pub(super) fn random_uuid() -> String {
    let half = |salt: u64| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = now.map_or(0, |d| d.as_nanos());
        RandomState::new().hash_one((salt, nanos, std::process::id()))
    };
    let (high, low) = (half(1), half(2));
    let high = high & 0xffff_ffff_ffff_0fff | 0x4000;
    let low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_random_uuids() {
        let ids: HashSet<String> = (0..10_000).map(|_| random_uuid()).collect();
        assert_eq!(ids.len(), 10_000);
        for id in ids.iter().take(50) {
            assert_eq!(id.len(), 36);
            assert_eq!(&id[14..15], "4");
            assert!("89ab".contains(&id[19..20]), "{id}");
        }
    }
}
