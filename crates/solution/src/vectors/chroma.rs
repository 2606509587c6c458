//! A client of a Chroma server's HTTP API, version 2. Collection, documents and metadata are those of the original design, so
//! that its server finds them too.

use crate::embed;
use crate::record::Solution;
use embedding::{MINILM_DIMENSION, MINILM_NAME};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The collection's name.
const COLLECTION: &str = "solution_embeddings";
/// The name of a collection for one model, if the usual collection has another model.
fn own_collection(model: &str) -> String {
    format!(
        "{COLLECTION}_{:016x}",
        base::fingerprint(&[model.as_bytes()])
    )
}

/// The metadata key of the collection that names the model.
const MODEL: &str = "knotwork:model";
/// The most vectors sent at once.
const BATCH: usize = 100;

/// An HTTP client, which handles time-outs and certificates.
pub trait Http: Send + Sync {
    /// Sends a request with a JSON body, or none. Returns status and body. It is an error if the answer is not complete after
    /// `patience`.
    fn send_request(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
        patience: Duration,
    ) -> std::result::Result<(u16, String), HttpError>;
}

/// The reason why a request has no complete answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is not used. The message says why.
    #[error("{0}")]
    Address(String),
    /// The server cannot be reached, or did not answer completely in time.
    #[error("Chroma at {server} does not answer: {reason}")]
    NoAnswer {
        /// Host and port.
        server: String,
        /// The reason.
        reason: String,
    },
}

/// The reason why a Chroma server gives no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ChromaError {
    #[error("Chroma did not answer in time")]
    Late,
    #[error("Chroma did not answer in time a moment ago; it is asked again in {seconds} s")]
    Paused { seconds: u64 },
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("Chroma: the answer holds more values than were asked for")]
    TooManyValues,
    /// With the server's message.
    #[error("Chroma: status {0}")]
    Status(String),
    #[error("Chroma: the collection {0} is not Knotwork's")]
    OtherCollection(String),
    #[error("Chroma: the collection was not created")]
    NotCreated,
    #[error("Chroma: the collection does not exist")]
    NoCollection,
    #[error("Chroma: no number of vectors")]
    NoCount,
    #[error("Chroma: an answer without distances")]
    NoDistances,
}

type Answer<T> = std::result::Result<T, ChromaError>;

/// A connection to one server.
pub(crate) struct Chroma {
    http: Arc<dyn Http>,
    base: String,
    model: String,
    /// The collection's id, once it is known.
    collection: Mutex<Option<String>>,
    /// The time when a request last ran into its deadline.
    slow: Mutex<Option<Instant>>,
}

/// A solution to store there.
pub(crate) struct Item<'a> {
    solution: &'a Solution,
    vector: &'a [f32],
}

impl<'a> Item<'a> {
    pub(crate) fn new(solution: &'a Solution, vector: &'a [f32]) -> Item<'a> {
        Item { solution, vector }
    }
}

/// The most bytes that a decoded answer may take: vectors of 20,000 solutions.
const MOST_DECODED: usize = 512 << 20;
/// The time limit of one request where nobody waits for an answer.
pub(crate) const REQUEST: Duration = Duration::from_secs(10);
/// The time after a missed deadline in which other queries do not ask the server.
const PAUSE: Duration = Duration::from_secs(30);
/// The most characters of the server's message that are kept.
const MESSAGE: usize = 200;

/// The id of a collection, checked because it becomes a part of paths.
fn collection_id(answer: &Value) -> Option<String> {
    let id = answer.get("id").and_then(Value::as_str)?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_id = !id.is_empty() && id.len() <= 128 && id.bytes().all(fits);
    is_id.then(|| id.to_owned())
}

impl Chroma {
    pub(crate) fn new(http: Arc<dyn Http>, url: &str, model: &str) -> Chroma {
        let server = url.trim().trim_end_matches('/');
        Chroma {
            http,
            base: format!(
                "{server}/api/v2/tenants/default_tenant/databases/default_database/collections"
            ),
            model: model.to_owned(),
            collection: Mutex::new(None),
            slow: Mutex::new(None),
        }
    }

    fn lock_slow(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.slow.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error where the server was too slow a short time ago.
    fn check_pause(&self) -> Answer<()> {
        let since = self.lock_slow().map(|slow| slow.elapsed());
        match since.and_then(|since| PAUSE.checked_sub(since)) {
            None => Ok(()),
            Some(left) => Err(ChromaError::Paused {
                seconds: left.as_secs() + 1,
            }),
        }
    }

    /// Sends a request and reads its answer by `until`, the deadline of all requests of a query.
    fn send_json(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        until: Instant,
    ) -> Answer<(u16, Value)> {
        let url = format!("{}{path}", self.base);
        let text = body.map(Value::to_string);
        let left = until.saturating_duration_since(Instant::now());
        let answered = if left.is_zero() {
            Err(ChromaError::Late)
        } else {
            let sent = self.http.send_request(method, &url, text.as_deref(), left);
            sent.map_err(ChromaError::from)
        };
        let is_late = answered.is_err() && Instant::now() >= until;
        *self.lock_slow() = is_late.then(Instant::now);
        let (status, text) = answered?;
        if base::json::decoded_size(text.as_bytes()) > MOST_DECODED {
            return Err(ChromaError::TooManyValues);
        }
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        match status {
            200..=299 | 404 => Ok((status, value)),
            _ => {
                let message = value.get("message").or_else(|| value.get("error"));
                let message = message.and_then(Value::as_str).unwrap_or_default();
                let message: String = message.chars().take(MESSAGE).collect();
                let described = format!("{status} {message}");
                Err(ChromaError::Status(described.trim_end().to_owned()))
            }
        }
    }

    /// The id of the collection, which is created where it is missing. The collection of the original design is used if its
    /// vectors are of the same model, else a collection for this model alone: vectors of other programs are neither mixed nor
    /// removed.
    fn ensure_collection(&self, until: Instant) -> Answer<String> {
        let mut known = self
            .collection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = &*known {
            return Ok(id.clone());
        }
        let is_builtin = self.model.starts_with(MINILM_NAME);
        let own_name = own_collection(&self.model);
        let mut id = None;
        for name in [COLLECTION, &own_name] {
            let (status, found) = self.send_json("GET", &format!("/{name}"), None, until)?;
            if status == 404 {
                if name != COLLECTION || is_builtin {
                    id = Some(self.create_collection(name, until)?);
                }
            } else if self.is_same_model(&found) {
                id = collection_id(&found);
            }
            if id.is_some() {
                break;
            }
        }
        let id = id.ok_or(ChromaError::OtherCollection(own_name))?;
        *known = Some(id.clone());
        Ok(id)
    }

    /// Whether the vectors of a collection were made by our model.
    fn is_same_model(&self, collection: &Value) -> bool {
        let key = MODEL.replace('~', "~0").replace('/', "~1");
        let theirs = collection.pointer(&format!("/metadata/{key}"));
        let dimension = collection.get("dimension").and_then(Value::as_u64);
        match theirs.and_then(Value::as_str) {
            Some(theirs) => theirs == self.model,
            // The original server stores no model; its model is the built-in one.
            None => {
                self.model.starts_with(MINILM_NAME)
                    && dimension.is_none_or(|d| d == MINILM_DIMENSION as u64)
            }
        }
    }

    fn create_collection(&self, name: &str, until: Instant) -> Answer<String> {
        let wish = json!({
            "name": name,
            "metadata": {"hnsw:space": "cosine", MODEL: self.model},
            "get_or_create": true,
        });
        let (_, made) = self.send_json("POST", "", Some(&wish), until)?;
        collection_id(&made).ok_or(ChromaError::NotCreated)
    }

    /// Sends a request about the collection; repeats it if the collection was created again meanwhile.
    fn request_collection(
        &self,
        method: &str,
        what: &str,
        body: Option<&Value>,
        until: Instant,
    ) -> Answer<Value> {
        for _ in 0..2 {
            let id = self.ensure_collection(until)?;
            let (status, value) = self.send_json(method, &format!("/{id}/{what}"), body, until)?;
            if status != 404 {
                return Ok(value);
            }
            *self
                .collection
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = None;
        }
        Err(ChromaError::NoCollection)
    }

    /// The number of vectors.
    pub(crate) fn count(&self, until: Instant) -> Answer<u64> {
        self.check_pause()?;
        let count = self.request_collection("GET", "count", None, until)?;
        count.as_u64().ok_or(ChromaError::NoCount)
    }

    /// Stores vectors, replacing older ones with the same ids.
    pub(crate) fn upsert(&self, items: &[Item<'_>], until: Option<Instant>) -> Answer<()> {
        for batch in items.chunks(BATCH) {
            let each = |f: &dyn Fn(&Item<'_>) -> Value| batch.iter().map(f).collect::<Vec<_>>();
            let body = json!({
                "ids": each(&|i| json!(i.solution.id)),
                "embeddings": each(&|i| json!(i.vector)),
                "documents": each(&|i| json!(embed::problem_text(i.solution))),
                "metadatas": each(&|i| json!({"solution_id": i.solution.id, "title": i.solution.title})),
            });
            let until = until.unwrap_or_else(|| Instant::now() + REQUEST);
            self.request_collection("POST", "upsert", Some(&body), until)?;
        }
        Ok(())
    }

    /// Removes vectors.
    pub(crate) fn remove(&self, ids: &[String], until: Option<Instant>) -> Answer<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let until = until.unwrap_or_else(|| Instant::now() + REQUEST);
        self.request_collection("POST", "delete", Some(&json!({"ids": ids})), until)
            .map(|_| ())
    }

    /// The nearest solutions with their similarity, best first.
    pub(crate) fn nearest(
        &self,
        vector: &[f32],
        limit: usize,
        until: Instant,
    ) -> Answer<Vec<(String, f64)>> {
        self.check_pause()?;
        let body =
            json!({"query_embeddings": [vector], "n_results": limit, "include": ["distances"]});
        let answer = self.request_collection("POST", "query", Some(&body), until)?;
        let ids = answer.pointer("/ids/0").and_then(Value::as_array);
        let distances = answer.pointer("/distances/0").and_then(Value::as_array);
        let (Some(ids), Some(distances)) = (ids, distances) else {
            return Err(ChromaError::NoDistances);
        };
        let pairs = ids.iter().zip(distances);
        let mut seen = HashSet::new();
        let known = |(id, distance): (&Value, &Value)| {
            let (id, distance) = (id.as_str()?, distance.as_f64()?);
            // A cosine distance, or the squared distance of unit vectors; other values are ignored.
            let is_distance = (-0.01..=4.01).contains(&distance);
            (is_distance && seen.insert(id.to_owned())).then(|| (id.to_owned(), 1.0 - distance))
        };
        Ok(pairs.filter_map(known).take(limit).collect())
    }

    /// The similarities of given solutions.
    pub(crate) fn similarities(
        &self,
        vector: &[f32],
        ids: &[&str],
        until: Instant,
    ) -> Answer<HashMap<String, f64>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let body = json!({"ids": ids, "include": ["embeddings"]});
        let answer = self.request_collection("POST", "get", Some(&body), until)?;
        let found = answer
            .get("ids")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let vectors = answer
            .get("embeddings")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let score = |theirs: &Value| {
            let theirs: Vec<f64> = theirs
                .as_array()?
                .iter()
                .filter_map(Value::as_f64)
                .collect();
            let length = theirs.iter().map(|v| v * v).sum::<f64>().sqrt();
            let product: f64 = theirs
                .iter()
                .zip(vector)
                .map(|(a, b)| a * f64::from(*b))
                .sum();
            (length > 0.0 && theirs.len() == vector.len()).then(|| product / length)
        };
        Ok(found
            .iter()
            .zip(&vectors)
            .filter_map(|(id, theirs)| Some((id.as_str()?.to_owned(), score(theirs)?)))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ids_become_parts_of_paths() {
        let id = |id: &str| collection_id(&json!({ "id": id }));
        assert_eq!(id("8f1c-4_a").as_deref(), Some("8f1c-4_a"));
        for other in ["", "../../x?y", "a/b", "a b"] {
            assert_eq!(id(other), None, "{other}");
        }
    }

    struct Server(&'static str);

    impl Http for Server {
        fn send_request(
            &self,
            _: &str,
            url: &str,
            _: Option<&str>,
            _: Duration,
        ) -> std::result::Result<(u16, String), HttpError> {
            let made = json!({"id": "a", "metadata": {MODEL: "m"}}).to_string();
            Ok((
                200,
                if url.ends_with("/query") {
                    self.0.to_owned()
                } else {
                    made
                },
            ))
        }
    }

    /// Never answers, however long the wait.
    struct Silent(Mutex<Vec<Duration>>);

    impl Http for Silent {
        fn send_request(
            &self,
            _: &str,
            _: &str,
            _: Option<&str>,
            patience: Duration,
        ) -> std::result::Result<(u16, String), HttpError> {
            self.0.lock().unwrap().push(patience);
            std::thread::sleep(patience);
            Err(silence())
        }
    }

    fn silence() -> HttpError {
        HttpError::NoAnswer {
            server: "localhost".to_owned(),
            reason: "timeout".to_owned(),
        }
    }

    #[test]
    fn all_requests_of_a_question_share_its_deadline() {
        let http = Arc::new(Silent(Mutex::default()));
        let server = Chroma::new(http.clone(), "http://localhost", "m");
        let until = Instant::now() + Duration::from_millis(100);
        assert_eq!(server.count(until), Err(silence().into()));
        let left = server.similarities(&[1.0], &["a"], until).unwrap_err();
        assert_eq!(left, ChromaError::Late);
        // The next query does not wait again.
        let later = Instant::now() + REQUEST;
        let paused = server.nearest(&[1.0], 3, later).unwrap_err();
        assert_eq!(paused, ChromaError::Paused { seconds: 30 });
        let asked = http.0.lock().unwrap();
        assert_eq!(asked.len(), 1);
        assert!(asked[0] <= Duration::from_millis(100));
    }

    #[test]
    fn an_answer_counts_each_solution_once() {
        let nearest = |answer| {
            let server = Chroma::new(Arc::new(Server(answer)), "http://localhost", "m");
            server.nearest(&[1.0], 3, Instant::now() + REQUEST)
        };
        let twice = r#"{"ids":[["a","a","b","c","d"]],"distances":[[0.25,0.5,1e308,0.5,1]]}"#;
        let all = vec![("a".into(), 0.75), ("c".into(), 0.5), ("d".into(), 0.0)];
        assert_eq!(nearest(twice), Ok(all));
        let objects: &'static str = format!("[{}0]", r#"{"":0},"#.repeat(700_000)).leak();
        assert_eq!(nearest(objects), Err(ChromaError::TooManyValues));
    }
}
