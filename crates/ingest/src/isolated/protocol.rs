//! The messages between this program and its workers. Both are the same program, so there is one version.

use base::language::ParserIsolation;
use base::{FileFacts, Language};
use std::time::Duration;

/// Most bytes of an answer.
pub(super) const MOST_ANSWER: u64 = 256 << 20;

/// Bytes of a request before its source.
const HEAD: usize = 1 + 1 + 4;

/// Kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// The facts of a file.
    Facts,
    /// Which lines have code.
    CodeLines,
}

/// A request for a source.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParseRequest<'s> {
    pub(super) request: Request,
    pub(super) language: Language,
    pub(super) source: &'s str,
}

impl ParseRequest<'_> {
    /// Encodes the request, with its time limit.
    pub(super) fn encode(self, limit: Duration) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.source.len());
        bytes.push(self.request as u8);
        bytes.push(self.language as u8);
        let limit = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&limit.to_le_bytes());
        bytes.extend_from_slice(self.source.as_bytes());
        bytes
    }

    /// Decodes a request of [`ParseRequest::encode`].
    pub(super) fn decode(bytes: &[u8]) -> Option<(ParseRequest<'_>, Duration)> {
        let (head, source) = bytes.split_at_checked(HEAD)?;
        let (&[request, language], limit) = head.split_first_chunk()?;
        let request = [Request::Facts, Request::CodeLines]
            .into_iter()
            .find(|one| *one as u8 == request)?;
        let language = Language::ALL.into_iter().find(|l| *l as u8 == language)?;
        let limit = u32::from_le_bytes(limit.try_into().ok()?);
        let wanted = ParseRequest {
            request,
            language,
            source: str::from_utf8(source).ok()?,
        };
        Some((wanted, Duration::from_millis(u64::from(limit))))
    }
}

/// The greeting that a worker sends at its start.
pub(super) fn greeting() -> Vec<u8> {
    format!(
        "parser {} {}",
        env!("CARGO_PKG_VERSION"),
        languages::FACTS_VERSION
    )
    .into_bytes()
}

/// An answer after its processor time, converted to that of the machine on which the limits were chosen.
pub(super) fn join_answer(taken: Duration, answer: &[u8]) -> Vec<u8> {
    let taken = u32::try_from(taken.as_millis()).unwrap_or(u32::MAX);
    [&taken.to_le_bytes(), answer].concat()
}

/// Splits an answer of [`join_answer`].
pub(super) fn split_answer(bytes: &[u8]) -> Option<(Duration, &[u8])> {
    let (taken, answer) = bytes.split_first_chunk()?;
    let taken = u32::from_le_bytes(*taken);
    Some((Duration::from_millis(u64::from(taken)), answer))
}

/// Encodes facts for an answer. The column format of the cache is smaller, but slower than the pipe.
pub(super) fn write_facts(facts: &FileFacts) -> Option<Vec<u8>> {
    postcard::to_stdvec(facts).ok()
}

/// Decodes facts from an answer; `None` if they are impossible for that source, since a worker may send anything.
pub(super) fn read_facts(answer: &[u8], language: Language, source: &str) -> Option<FileFacts> {
    let (facts, rest) = postcard::take_from_bytes::<FileFacts>(answer).ok()?;
    if !rest.is_empty() {
        return None;
    }
    let is_sound = || match language.profile().isolation {
        // Such a parser answers with names.
        ParserIsolation::Checked => facts.are_sound_names_of(source),
        ParserIsolation::Separate => facts.is_sound(source),
        // The scanner was read: it runs in a worker because of its memory.
        ParserIsolation::Bounded | ParserIsolation::None => true,
    };
    (facts.language == language && is_sound()).then_some(facts)
}

/// Encodes lines for an answer.
pub(super) fn write_lines(lines: &[bool]) -> Vec<u8> {
    lines.iter().map(|line| u8::from(*line)).collect()
}

/// Decodes lines from an answer; `None` if there are not as many as in the source.
pub(super) fn read_lines(answer: &[u8], count: usize) -> Option<Vec<bool>> {
    let is_sound = answer.len() == count && answer.iter().all(|line| *line <= 1);
    is_sound.then(|| answer.iter().map(|line| *line == 1).collect())
}
