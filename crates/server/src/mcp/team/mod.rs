//! The server for a team: questions about the structure of repositories in a shared store, with a token for each user.
//!
//! No answer depends on anything kept between requests. So any number of servers may run behind a balancer, and each request may go
//! to another one.

mod http;
mod metrics;
mod refusals;

pub(super) use http::{TeamGate, answer_without_token};

use super::tools::{CodeTool, tools_of};
use super::turns::{FairQueue, QueueLimits};
use super::{Arguments, Preset, ToolError, call, estimated_bytes, to_call_result};
use engine::{Access, Cancel, Engine, EngineError, ErrorKind, Settings, names};
use metrics::Metrics;
use refusals::Refusals;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

const INSTRUCTIONS: &str = "Code graphs of the repositories of a team, as they were published last. Each tool takes the name of a \
repository; list_repositories gives the names. ci_search without a name searches all. Symbols are written as name, Class.method, path:line, path::name or id. If an answer \
has next_cursor, pass it as cursor to get the next page.";

/// The tool that lists repositories.
const LIST: &str = "list_repositories";

/// Operations that the shared store answers.
const OPERATIONS: [&str; 4] = [
    names::SEARCH,
    names::CALL_CHAIN,
    names::IMPACT,
    names::GRAPH_STORE,
];

/// The most repositories that one search reads if none is named: those that match its words best.
const MOST_SEARCHED: usize = 8;

/// Repositories that an answer lists, unless another number is asked for.
const USUALLY_LISTED: usize = 200;
/// The most that may be asked for.
const MOST_LISTED: usize = 1_000;

/// The most repositories that are kept open.
const MOST_OPEN: usize = 64;

/// A user of the team.
#[derive(Debug, Clone)]
pub struct Member {
    /// The name.
    pub name: Arc<str>,
    /// Names of repositories, or beginnings of names with `*` at the end; all if there is no list.
    pub repositories: Option<Arc<[String]>>,
}

/// The result of looking up a token.
#[derive(Debug, Clone)]
pub enum Admission {
    /// The request may go on.
    Admitted(Member),
    /// No user has this token.
    Unknown,
    /// The user has made too many requests: the seconds until the next.
    TooMany(Member, u32),
}

/// An answered request, for the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditEntry {
    /// The user; none where the token was wrong.
    pub user: Option<String>,
    /// The address that the request came from.
    pub address: String,
    /// The tool.
    pub tool: String,
    /// The repository.
    pub repository: String,
    /// `ok`, or the reason why not.
    pub outcome: String,
    /// The time that the answer took.
    pub milliseconds: u32,
}

/// A repository that can be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The name.
    pub name: String,
    /// The commit that was published.
    pub commit: Option<String>,
    /// Whether files differed from the commit.
    pub is_dirty: bool,
}

/// The users of a server for a team, and their repositories. Calls may wait for a database.
pub trait Team: Send + Sync {
    /// Looks up a token, and counts the request.
    fn admit(&self, token: &str) -> Result<Admission, EngineError>;
    /// The published repositories, in order of name.
    fn repositories(&self) -> Result<Vec<Repository>, EngineError>;
    /// The `most` repositories among these that match the words of a query best, best first.
    fn most_promising(
        &self,
        repositories: &[String],
        query: &str,
        most: usize,
    ) -> Result<Vec<String>, EngineError>;
    /// The settings with which a repository is opened.
    fn settings(&self, repository: &str) -> Settings;
    /// Keeps an entry of the audit log.
    fn log(&self, entry: &AuditEntry) -> Result<(), EngineError>;
    /// How messages name the database. Members are not told.
    fn database(&self) -> String;
    /// Whether the database answers.
    fn check(&self) -> Result<(), EngineError>;
    /// Whether a member may ask about a repository.
    fn may_read(&self, member: &Member, repository: &str) -> bool;
}

/// State shared by all requests.
#[derive(Clone)]
pub(super) struct TeamServer {
    state: Arc<TeamState>,
}

pub(super) struct TeamState {
    team: Arc<dyn Team>,
    engines: Mutex<HashMap<String, (Arc<Engine>, Instant)>>,
    turns: Arc<FairQueue>,
    metrics: Metrics,
    health: Mutex<Option<(Instant, bool)>>,
    refusals: Mutex<Refusals>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The member and the address behind a request.
#[derive(Clone)]
pub(super) struct Requester {
    member: Member,
    address: Arc<str>,
}

impl TeamServer {
    pub(super) fn new(team: Arc<dyn Team>) -> TeamServer {
        TeamServer {
            state: Arc::new(TeamState {
                team,
                engines: Mutex::default(),
                turns: FairQueue::new(QueueLimits::default()),
                metrics: Metrics::default(),
                health: Mutex::default(),
                refusals: Mutex::default(),
            }),
        }
    }
}

impl TeamState {
    /// An opened repository. It reads the shared store anew for each question.
    fn engine(&self, repository: &str) -> Result<Arc<Engine>, EngineError> {
        if let Some((engine, used)) = lock(&self.engines).get_mut(repository) {
            *used = Instant::now();
            return Ok(engine.clone());
        }
        let engine = Engine::open(self.team.settings(repository), Box::new(()))?;
        let engine = Arc::new(engine);
        let mut engines = lock(&self.engines);
        if engines.len() >= MOST_OPEN {
            let oldest = engines.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                engines.remove(&oldest);
            }
        }
        engines.insert(repository.to_owned(), (engine.clone(), Instant::now()));
        Ok(engine)
    }

    fn answer(
        &self,
        tool: &str,
        repository: &str,
        arguments: Arguments,
        member: &Member,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        if tool == LIST {
            return self.list(member, &arguments);
        }
        let Some(tool) = CodeTool::parse(tool).filter(|tool| is_offered(*tool)) else {
            return Err(EngineError::bad_arguments(format!("unknown tool: {tool}")));
        };
        if repository.is_empty() && tool.operation.name == names::SEARCH {
            refuse_local(tool, &arguments)?;
            return self.search_all(tool, arguments, member, cancel);
        }
        if repository.is_empty() {
            return Err(EngineError::bad_arguments("no repository is named")
                .with_hint(format!("{LIST} gives the names")));
        }
        // The error does not tell whether the repository exists: the member may not read it.
        if !self.team.may_read(member, repository) {
            return Err(no_repository(repository));
        }
        refuse_local(tool, &arguments)?;
        let engine = self.engine(repository)?.with_cancel(cancel);
        call::run_tool(&engine, tool, arguments)
    }

    /// Searches the repositories that a member may read. Of many, only those that match the query's words best.
    fn search_all(
        &self,
        tool: CodeTool,
        arguments: Arguments,
        member: &Member,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        let readable = self.readable(member)?;
        let searched = if readable.len() <= MOST_SEARCHED {
            readable.clone()
        } else {
            let query = arguments.get("query").and_then(Value::as_str);
            let query = query.unwrap_or_default();
            self.team.most_promising(&readable, query, MOST_SEARCHED)?
        };
        let mut engines = Vec::with_capacity(searched.len());
        for name in searched {
            let engine = self.engine(&name)?.with_cancel(cancel);
            engines.push((name, engine));
        }
        call::search_repositories(tool, &engines, readable.len(), arguments)
    }

    /// The repositories that a member may read.
    fn readable(&self, member: &Member) -> Result<Vec<String>, EngineError> {
        let all = self.team.repositories()?.into_iter().map(|one| one.name);
        Ok(all
            .filter(|name| self.team.may_read(member, name))
            .collect())
    }

    fn list(&self, member: &Member, arguments: &Arguments) -> Result<String, EngineError> {
        let page = ListPage::read(arguments)?;
        let all = self.team.repositories()?;
        let may_read = |one: &&Repository| self.team.may_read(member, &one.name);
        let readable: Vec<&Repository> = all.iter().filter(may_read).collect();
        Ok(page.list(&readable).to_string())
    }

    /// An error as a member is told it: whoever runs the server reads in the log what its database said, and where that is.
    fn for_member(&self, mut error: EngineError) -> EngineError {
        if error.kind != ErrorKind::BadArguments {
            error.message = NOT_ANSWERED.to_owned();
            return error;
        }
        let database = self.team.database();
        let hide = |text: String| text.replace(&database, "the database");
        error.hint = error.hint.map(hide);
        error.message = error.message.replace(&database, "the database");
        error
    }
}

/// What a member is told where the server or its database failed.
const NOT_ANSWERED: &str = "the server could not answer; its log says why";

/// The part of the list of repositories that is asked for.
struct ListPage<'a> {
    limit: usize,
    /// The name behind which it begins.
    cursor: Option<&'a str>,
}

impl<'a> ListPage<'a> {
    /// If `limit` or `cursor` is something else than they can be.
    fn read(arguments: &'a Arguments) -> Result<ListPage<'a>, EngineError> {
        let given = |name: &str| arguments.get(name).filter(|value| !value.is_null());
        let limit = match given("limit") {
            None => USUALLY_LISTED,
            Some(limit) => {
                let limit = limit.as_u64().and_then(|limit| usize::try_from(limit).ok());
                let in_range = limit.filter(|limit| (1..=MOST_LISTED).contains(limit));
                in_range.ok_or_else(|| {
                    EngineError::bad_arguments(format!("limit is 1 to {MOST_LISTED}"))
                })?
            }
        };
        let cursor = match given("cursor") {
            None => None,
            Some(Value::String(name)) => Some(name.as_str()),
            Some(_) => {
                return Err(EngineError::bad_arguments("Invalid cursor")
                    .with_hint("pass next_cursor of an earlier answer"));
            }
        };
        Ok(ListPage { limit, cursor })
    }

    /// The answer from repositories in order of name. A page begins behind a name, so that what is published or removed between two
    /// pages moves no other.
    fn list(&self, all: &[&Repository]) -> Value {
        let from = self.cursor.map_or(0, |last| {
            all.partition_point(|one| one.name.as_str() <= last)
        });
        let rest = &all[from..];
        let shown = &rest[..rest.len().min(self.limit)];
        let entries = shown
            .iter()
            .map(|one| json!({"name": one.name, "commit": one.commit, "dirty": one.is_dirty}));
        let mut answer = json!({"repositories": entries.collect::<Vec<_>>(), "total": all.len()});
        if let Some(last) = shown.last().filter(|_| shown.len() < rest.len()) {
            answer["next_cursor"] = last.name.as_str().into();
        }
        answer
    }
}

fn no_repository(repository: &str) -> EngineError {
    EngineError::bad_arguments(format!("there is no repository {repository:?} here"))
        .with_hint(format!("{LIST} gives the names"))
}

fn is_offered(tool: CodeTool) -> bool {
    OPERATIONS.contains(&tool.operation.name)
}

/// Refuses calls that would write, or read files of this machine.
fn refuse_local(tool: CodeTool, arguments: &Arguments) -> Result<(), EngineError> {
    let is_set = |name: &str| {
        let value = arguments.get(name);
        value.is_some_and(|value| !value.is_null() && *value != Value::Bool(false))
    };
    let request = Value::Object(arguments.clone());
    if tool.operation.access(&request) != Access::Read {
        return Err(EngineError::bad_arguments("this server is read-only"));
    }
    // A variant without fields may be written as an object, too: `{"regex": null}`.
    let is_regex = |mode: &Value| mode == "regex" || mode.get("regex").is_some();
    if tool.operation.name == names::SEARCH && arguments.get("mode").is_some_and(is_regex) {
        return Err(EngineError::bad_arguments(
            "this server has no files: regular expressions are not searched for",
        )
        .with_hint("use mode keyword; quoted text must match exactly"));
    }
    if ["since", "staged", "file"].into_iter().any(is_set) {
        return Err(EngineError::bad_arguments(
            "this server has no files: ask about a symbol",
        ));
    }
    Ok(())
}

/// The tools, each with an argument for the repository.
fn tools() -> Vec<Tool> {
    let of_code = tools_of(Preset::Full).into_iter().filter_map(|tool| {
        let code = CodeTool::parse(&tool.name).filter(|code| is_offered(*code))?;
        let mut schema = (*tool.input_schema).clone();
        let properties = schema
            .get_mut("properties")
            .and_then(Value::as_object_mut)?;
        for local in ["since", "staged", "file"] {
            properties.remove(local);
        }
        properties.insert("repository".to_owned(), json!({"type": "string"}));
        if code.operation.name == names::SEARCH {
            properties["repository"]["description"] = "All if left out".into();
            return Some(Tool::new(
                code.name(),
                tool.description.unwrap_or_default(),
                Arc::new(schema),
            ));
        }
        match schema.get_mut("required").and_then(Value::as_array_mut) {
            Some(required) => required.push("repository".into()),
            None => {
                schema.insert("required".to_owned(), json!(["repository"]));
            }
        }
        let about = tool.description.unwrap_or_default();
        Some(Tool::new(code.name(), about, Arc::new(schema)))
    });
    let list = Tool::new(
        LIST,
        "List the repositories that can be asked about, with the commit of each",
        Arc::new(serde_json::Map::from_iter([
            ("type".to_owned(), json!("object")),
            (
                "properties".to_owned(),
                json!({
                    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": USUALLY_LISTED},
                    "cursor": {"type": "string", "description": "next_cursor of the page before"},
                }),
            ),
        ])),
    );
    std::iter::once(list).chain(of_code).collect()
}

/// Takes the name of the repository out of the arguments.
fn take_repository(arguments: &mut Arguments) -> String {
    match arguments.remove("repository") {
        Some(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// The outcome of a call as a word of the metrics and the audit log.
fn outcome_of(answered: &Result<String, EngineError>) -> &'static str {
    match answered {
        Ok(_) => "ok",
        Err(error) if error.kind == ErrorKind::BadArguments => "refused",
        Err(_) => "failed",
    }
}

impl ServerHandler for TeamServer {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("knotwork", env!("CARGO_PKG_VERSION"));
        info.with_instructions(format!("{INSTRUCTIONS} {}", guard::text::IS_DATA))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let parts = context.extensions.get::<hyper::http::request::Parts>();
        let asker = parts.and_then(|parts| parts.extensions.get::<Requester>());
        let Some(asker) = asker.cloned() else {
            return Err(ErrorData::internal_error("nobody asks", None));
        };
        let mut arguments = request.arguments.unwrap_or_default();
        let tool = request.name.to_string();
        let repository = take_repository(&mut arguments);
        let state = self.state.clone();
        let busy = |why: &str| {
            let error = EngineError::bad_arguments(format!("{why}: ask again later"));
            Ok(to_call_result(Err(ToolError::from(error))).into())
        };
        let Ok(load) = state.turns.reserve_bytes(estimated_bytes(&arguments)) else {
            return busy("too much waits to be answered");
        };
        let Ok(turn) = state.turns.acquire(asker.member.name.clone()).await else {
            return busy("too many questions wait");
        };
        let cancel = Cancel::default();
        let wanted = cancel.clone();
        // The turn ends with the work, not with a client that disconnects.
        let work = tokio::task::spawn_blocking(move || {
            let _held = (turn, load);
            let started = Instant::now();
            let answered = state.answer(&tool, &repository, arguments, &asker.member, &wanted);
            state.record(&asker, (tool, repository), &answered, started);
            answered.map_err(|error| state.for_member(error))
        });
        let answered = tokio::select! {
            answered = work => answered,
            () = context.ct.cancelled() => {
                cancel.set();
                return Err(ErrorData::internal_error("cancelled", None));
            }
        };
        let answered = answered.unwrap_or_else(|panic| {
            Err(EngineError::runtime_failure(format!(
                "the question failed: {panic}"
            )))
        });
        Ok(to_call_result(answered.map_err(ToolError::from)).into())
    }
}

impl TeamState {
    /// Counts an answer, and notes it in the audit log.
    fn record(
        &self,
        asker: &Requester,
        (tool, repository): (String, String),
        answered: &Result<String, EngineError>,
        started: Instant,
    ) {
        let outcome = outcome_of(answered);
        let took = started.elapsed();
        let known = tool == LIST || CodeTool::parse(&tool).is_some_and(is_offered);
        self.metrics
            .count_answer(if known { &tool } else { "unknown" }, outcome, took);
        let outcome = match answered {
            Ok(_) => outcome.to_owned(),
            Err(error) => format!("{outcome}: {}", error.message),
        };
        self.log(&AuditEntry {
            user: Some(asker.member.name.to_string()),
            address: asker.address.to_string(),
            tool,
            repository,
            outcome,
            milliseconds: u32::try_from(took.as_millis()).unwrap_or(u32::MAX),
        });
    }

    /// Stores an entry of the audit log. An entry that cannot be stored is counted.
    fn log(&self, entry: &AuditEntry) {
        if self.team.log(entry).is_err() {
            self.metrics.count_lost_entry();
        }
    }
}

#[cfg(test)]
mod tests;
