//! Searching texts in a database: the database chooses candidates by words and vectors, which are then ranked like any index.
//!
//! The candidates get the same scores as in an index of all texts: word counts, lengths and the spread of vectors are those of all
//! texts. The answer differs only if one of the best files is not among the candidates.

use super::fuse::RankingContext;
use super::lexical::{self, MAX_SCORED, idf, rarity_key};
use super::literal::Phrases;
use super::overview::introduction_score;
use super::phrase_hits::terms_of;
use super::{Answer, ChunkHit, NoQueryVector, ProjectView, Query, RankMode, Request, rules};
use crate::embed::Embedder;
use crate::filter::Filter;
use crate::index::part::{IndexTotals, Nearness};
use crate::index::{Index, Model};
use crate::outline::{from_published, published_version};
use rustc_hash::FxHashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use store::StoreError;
use store::texts::{
    NearestTexts, SearchTexts, TextNumber, TextOutline, TextTotals, WordCounts, WordPlaces,
    WordWeight,
};

/// The most candidates by words, and as many by vectors. Ranking examines 120 files.
const CANDIDATES: usize = 200;

/// The number of files that are examined for the highest scores of all.
const BEST: usize = 32;

/// The words of a query, as an index holds them.
pub fn words_of(query: &str) -> Vec<String> {
    let query = Query::new(query);
    query.terms.into_iter().map(|term| term.text).collect()
}

/// Searches published texts. None if there are none, or only those of another version. `request.project` is not used.
///
/// Words alone answer, and `fallback` says why, if the embedder fails, if its model is not that of the texts, or if the database
/// cannot compare vectors.
pub fn search_texts(
    texts: &dyn SearchTexts,
    embedder: Option<&dyn Embedder>,
    request: &Request<'_>,
) -> Result<Option<Answer>, StoreError> {
    let Some(totals) = texts.text_totals()? else {
        return Ok(None);
    };
    if totals.version != published_version() {
        return Ok(None);
    }
    let (query, mut answer) = super::read_request(request);
    let model = Model {
        name: totals.model.clone(),
        dimensions: totals.dimensions as usize,
    };
    let vector = match request.mode {
        RankMode::Keyword => Ok(None),
        _ => super::query_vector(&model, embedder, &query),
    };
    let only = allowed_files(texts, request.filter)?;
    let mut near = NearTexts::default();
    let asked = match vector {
        Ok(Some(vector)) => {
            let nearest = texts.nearest(&vector, only.as_deref(), CANDIDATES)?;
            near.vector = Some(vector);
            nearest.map(Some).ok_or(NoQueryVector::NotCompared)
        }
        Ok(None) => Ok(None),
        Err(reason) => Err(reason),
    };
    match asked {
        Ok(nearest) => near.nearest = nearest,
        Err(reason) => {
            answer.fallback = Some(reason);
            answer.mode = RankMode::Keyword;
        }
    }
    if request.limit == 0 || (query.is_empty() && near.nearest.is_none()) {
        return Ok(Some(answer));
    }
    let search = TextSearch {
        texts,
        totals: &totals,
        query: &query,
        request,
        mode: answer.mode,
        only: only.as_deref(),
    };
    (answer.chunks, answer.total) = search.find(&near)?;
    Ok(Some(answer))
}

/// The files that a filter lets through; none if it lets all through.
fn allowed_files(
    texts: &dyn SearchTexts,
    filter: &Filter,
) -> Result<Option<Vec<TextNumber>>, StoreError> {
    if filter.path.is_none() {
        return Ok(None);
    }
    let all = texts.paths()?.into_iter();
    let allowed = all.filter(|(_, path)| filter.allows_path(path));
    Ok(Some(allowed.map(|(number, _)| number).collect()))
}

/// The vector of a question, and the texts nearest to it.
#[derive(Default)]
struct NearTexts {
    vector: Option<Vec<f32>>,
    nearest: Option<NearestTexts>,
}

struct TextSearch<'s> {
    texts: &'s dyn SearchTexts,
    totals: &'s TextTotals,
    query: &'s Query,
    request: &'s Request<'s>,
    mode: RankMode,
    only: Option<&'s [TextNumber]>,
}

impl TextSearch<'_> {
    fn find(&self, near: &NearTexts) -> Result<(Vec<ChunkHit>, usize), StoreError> {
        let phrases = match self.mode {
            RankMode::Semantic => Phrases::default(),
            _ => Phrases::parse(self.request.query, self.query.class, self.request.tuning),
        };
        let words = self.words(&phrases);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let counts = self.texts.count_words(&words)?;
        let counts: FxHashMap<&str, WordCounts> = words.iter().copied().zip(counts).collect();
        let files = self.candidates(&counts, near)?;
        let outlines = self.texts.outlines(&files)?;
        let index = self.index(&words, &counts, near, &outlines)?;
        let view = PublishedView::new(self.totals, &outlines);
        self.rank(&index, &phrases, view)
    }

    /// The words to look up: those of the query and of its phrases.
    fn words(&self, phrases: &Phrases) -> Vec<String> {
        let mut words: Vec<String> = self.query.terms.iter().map(|t| t.text.clone()).collect();
        for text in phrases.heading().into_iter().chain(phrases.texts()) {
            words.extend(terms_of(text));
        }
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The files that are ranked.
    fn candidates(
        &self,
        counts: &FxHashMap<&str, WordCounts>,
        near: &NearTexts,
    ) -> Result<Vec<TextNumber>, StoreError> {
        let tuning = self.request.tuning;
        let lexical = if self.query.is_sentence {
            tuning.sentence_lexical
        } else {
            tuning.lexical
        };
        let weights = self.word_weights(counts);
        let shares = (lexical, tuning.file);
        let mut files = self
            .texts
            .best_by_words(&weights, shares, self.only, CANDIDATES)?;
        if self.only.is_some() {
            // Word scores are relative to the best file and chunk of all, even if a filter excludes these.
            let best = self.texts.best_by_words(&weights, shares, None, BEST)?;
            files.extend(best);
        }
        if let Some(nearest) = &near.nearest {
            files.extend(&nearest.files);
        }
        if self.query.is_overview {
            files.extend(self.introductions()?);
        }
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// The files that introduce the project best.
    fn introductions(&self) -> Result<Vec<TextNumber>, StoreError> {
        let mut scored: Vec<(f32, String, TextNumber)> = Vec::new();
        for (number, path) in self.texts.paths()? {
            let score = introduction_score(&path, &self.query.words, self.request.tuning);
            if score > 0.0 && self.request.filter.allows_path(&path) {
                scored.push((score, path, number));
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        scored.truncate(CANDIDATES);
        Ok(scored.into_iter().map(|(.., number)| number).collect())
    }

    /// The weights of the query's scored terms.
    fn word_weights(&self, counts: &FxHashMap<&str, WordCounts>) -> Vec<WordWeight<'_>> {
        let (files, chunks) = (self.totals.files as usize, self.totals.chunks as usize);
        let counted = self.query.terms.iter().enumerate();
        let mut scored: Vec<_> = counted
            .map(|(at, term)| {
                (
                    at,
                    term,
                    counts.get(&*term.text).copied().unwrap_or_default(),
                )
            })
            .filter(|(.., counts)| counts.files > 0)
            .collect();
        scored.sort_by_key(|(at, _, counts)| rarity_key(*counts, *at));
        scored.truncate(MAX_SCORED);
        let weight = |(_, term, counts): (usize, &'_ super::query::Term, WordCounts)| {
            let rare = idf(files, counts.paths) / idf(files, 1);
            (
                term.weight * idf(chunks, counts.chunks),
                term.weight * idf(files, counts.files),
                self.request.tuning.in_path * rare,
            )
        };
        let weights = scored.into_iter().map(|one| {
            let (chunk, file, path) = weight(one);
            WordWeight {
                word: &one.1.text,
                chunk,
                file,
                path,
            }
        });
        weights.collect()
    }

    /// An index of the candidates.
    fn index(
        &self,
        words: &[&str],
        counts: &FxHashMap<&str, WordCounts>,
        near: &NearTexts,
        outlines: &[TextOutline],
    ) -> Result<Index, StoreError> {
        let numbers: Vec<TextNumber> = outlines.iter().map(|one| one.number).collect();
        let mut places: FxHashMap<TextNumber, Vec<WordPlaces>> = FxHashMap::default();
        for word in self.texts.word_places(words, &numbers)? {
            places.entry(word.number).or_default().push(word);
        }
        let mut files = Vec::with_capacity(outlines.len());
        for one in outlines {
            let words = places.remove(&one.number).unwrap_or_default();
            let file = from_published(&one.outline, words)
                .filter(|file| file.path() == one.path)
                .ok_or_else(|| damaged(&one.path))?;
            files.push(file);
        }
        let paths = outlines.iter().map(|one| one.path.as_str());
        let asked = rules::words_asked_for(paths, self.query, self.request.tuning);
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let known = if asked.is_empty() {
            Vec::new()
        } else {
            self.texts.known_words(&asked)?
        };
        let whole = IndexTotals {
            counts: counts.iter().map(|(w, c)| ((*w).to_owned(), *c)).collect(),
            known: known.into_iter().collect(),
            nearness: None,
        };
        let mut index = Index::part_of(self.totals, files, whole)
            .map_err(|error| backend(error.to_string()))?;
        if let (Some(vector), Some(nearest)) = (&near.vector, &near.nearest) {
            let nearness = Nearness {
                mean: nearest.mean as f32,
                deviation: nearest.deviation as f32,
                chunks: self.nearness(&index, vector, outlines)?,
            };
            if let Some(whole) = &mut index.whole {
                whole.nearness = Some(nearness);
            }
        }
        Ok(index)
    }

    /// The nearness of each candidate chunk to the question, by its number in the candidates' index.
    fn nearness(
        &self,
        index: &Index,
        vector: &[f32],
        outlines: &[TextOutline],
    ) -> Result<Vec<f32>, StoreError> {
        let layout = index.layout();
        let by_path: FxHashMap<&str, TextNumber> = outlines
            .iter()
            .map(|one| (one.path.as_str(), one.number))
            .collect();
        let mut chunks: FxHashMap<TextNumber, std::ops::Range<usize>> = FxHashMap::default();
        for (file, (part, local)) in layout.place.iter().enumerate() {
            let path = index.parts[*part as usize].segment.path(*local);
            if let Some(number) = by_path.get(path) {
                chunks.insert(*number, layout.chunks_of(file));
            }
        }
        let mut all = vec![0.0; layout.owner.len()];
        let numbers: Vec<TextNumber> = outlines.iter().map(|one| one.number).collect();
        for near in self.texts.nearness(vector, &numbers)? {
            let at = chunks.get(&near.file).cloned();
            if let Some(at) = at.and_then(|mut chunks| chunks.nth(near.chunk as usize)) {
                all[at] = near.product;
            }
        }
        Ok(all)
    }

    /// Ranks the candidates in another thread. This thread reads texts for it, since a store serves one thread only.
    fn rank(
        &self,
        index: &Index,
        phrases: &Phrases,
        view: PublishedView<'_>,
    ) -> Result<(Vec<ChunkHit>, usize), StoreError> {
        let (ask, asked) = channel();
        let (reply, replies) = channel();
        let view = view.asking(ask, replies);
        let (query, request, mode) = (self.query, self.request, self.mode);
        std::thread::scope(|scope| {
            let ranking = scope.spawn(move || {
                let request = Request {
                    project: Some(&view),
                    ..*request
                };
                rank_part(index, query, phrases, mode, &request)
            });
            let read = self.serve(&asked, &reply);
            let ranked = ranking.join();
            read?;
            ranked.map_err(|_| backend("ranking failed".to_owned()))
        })
    }

    /// Reads texts until no more are asked for.
    fn serve(
        &self,
        asked: &Receiver<String>,
        reply: &Sender<Option<String>>,
    ) -> Result<(), StoreError> {
        let mut done = Ok(());
        for path in asked {
            let text = match &done {
                Ok(()) => self.texts.text(&path),
                Err(_) => Ok(None),
            };
            let text = text.unwrap_or_else(|error| {
                done = Err(error);
                None
            });
            // The other thread may have ended.
            let _ = reply.send(text);
        }
        done
    }
}

fn rank_part(
    index: &Index,
    query: &Query,
    phrases: &Phrases,
    mode: RankMode,
    request: &Request<'_>,
) -> (Vec<ChunkHit>, usize) {
    let layout = index.layout();
    let lexical = lexical::score_all(index, layout, &query.terms, request.tuning);
    let near = index.whole.as_ref().and_then(|w| w.nearness.as_ref());
    let cosines = near.map(|near| near.chunks.as_slice());
    let ranking = RankingContext {
        phrases,
        index,
        layout,
        query,
        lexical: &lexical,
        cosines,
        request,
        mode,
    };
    ranking.rank()
}

fn damaged(path: &str) -> StoreError {
    backend(format!("what is published of {path} cannot be read"))
}

fn backend(reason: String) -> StoreError {
    StoreError::Backend {
        context: "searching published texts".to_owned(),
        reason,
    }
}

/// The facts published besides the index.
struct PublishedView<'v> {
    users: FxHashMap<&'v str, u32>,
    most: u32,
    texts: Option<Mutex<Texts>>,
}

struct Texts {
    ask: Sender<String>,
    replies: Receiver<Option<String>>,
    read: FxHashMap<String, Option<String>>,
}

impl<'v> PublishedView<'v> {
    fn new(totals: &TextTotals, outlines: &'v [TextOutline]) -> PublishedView<'v> {
        let users = outlines.iter().map(|one| (one.path.as_str(), one.users));
        PublishedView {
            users: users.collect(),
            most: totals.most_users,
            texts: None,
        }
    }

    /// The same view, with texts read by another thread.
    fn asking(self, ask: Sender<String>, replies: Receiver<Option<String>>) -> PublishedView<'v> {
        let texts = Texts {
            ask,
            replies,
            read: FxHashMap::default(),
        };
        PublishedView {
            texts: Some(Mutex::new(texts)),
            ..self
        }
    }
}

impl Texts {
    fn read(&mut self, path: &str) -> Option<&str> {
        if !self.read.contains_key(path) {
            self.ask.send(path.to_owned()).ok()?;
            let text = self.replies.recv().ok()?;
            self.read.insert(path.to_owned(), text);
        }
        self.read.get(path)?.as_deref()
    }
}

impl ProjectView for PublishedView<'_> {
    fn centrality(&self, path: &str) -> f32 {
        let users = self.users.get(path).copied().unwrap_or_default();
        super::centrality(users as usize, self.most as usize)
    }

    fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
        let texts = self.texts.as_ref()?;
        let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
        Some(lines_of(texts.read(path)?, first, last))
    }
}

/// Lines of a text, from 1.
pub fn lines_of(text: &str, first: u32, last: u32) -> String {
    let skip = first.max(1) as usize - 1;
    let lines = text.split_inclusive('\n').skip(skip);
    lines.take((last as usize).saturating_sub(skip)).collect()
}
