//! Calls of tools: from arguments to the answer as compact JSON.

use super::lenient;
use super::page::{CHARACTERS, Page};
use super::tools::CodeTool;
use engine::{
    Access, ArchCheckRequest, CallChainRequest, CodPicture, CodRequest, ContextFormat, Engine,
    EngineError, GraphRagRequest, GraphStoreCall, GraphStoreRequest, ImpactAnswer, ImpactFormat,
    ImpactRequest, SearchRequest, names,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Answers a call. The text never grows beyond the budget.
pub(crate) fn run_tool(
    engine: &Engine,
    tool: CodeTool,
    mut arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    lenient::rename_arguments(tool.operation.name, &mut arguments);
    // A call that writes is not answered without its unknown arguments: an unknown `dry_run` must not be ignored.
    let writes = |arguments: &Map<String, Value>| {
        let request = Value::Object(arguments.clone());
        tool.operation.access(&request) == Access::Write
    };
    lenient::answer_what_is_known(tool.operation.name, arguments, writes, |arguments| {
        answer_tool(engine, tool, arguments)
    })
}

fn answer_tool(
    engine: &Engine,
    tool: CodeTool,
    mut arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    let page = Page::from_arguments(tool, &mut arguments);
    // The first arms are for answers that do not come from the plain JSON of the operation.
    let answer = match tool.operation.name {
        names::SEARCH => search(engine, &parse_arguments(arguments)?)?,
        names::CALL_CHAIN => call_chain(engine, arguments)?,
        names::GRAPH_RAG => return graph_rag(engine, parse_arguments(arguments)?),
        names::IMPACT => match impact(engine, arguments)? {
            Rendered::Text(text) => return page.paginate_text(&text, CHARACTERS),
            Rendered::Whole(text) => return Ok(text),
            Rendered::Json(answer) => answer,
        },
        names::COD => return render_diagram_within_budget(engine, parse_arguments(arguments)?),
        names::ARCH_CHECK => arch_check(engine, &parse_arguments(arguments)?)?,
        names::GRAPH_STORE => graph_store(engine, &parse_arguments(arguments)?)?,
        names::VULN if arguments.get("format").is_some_and(|f| f == "md") => {
            let answer = engine.vuln_for_client(&parse_arguments(arguments)?)?;
            return page.paginate_text(&answer.to_markdown(), CHARACTERS);
        }
        _ => tool
            .operation
            .value(engine, Value::Object(arguments), "arguments")?,
    };
    Ok(page.paginate(answer, CHARACTERS)?.to_string())
}

/// Searches several repositories, and puts their results in order of relevance. `of` is the number of repositories that could have
/// been searched. The answer names a repository that cannot be searched, with the results of the others.
pub(crate) fn search_repositories(
    tool: CodeTool,
    repositories: &[(String, Engine)],
    of: usize,
    mut arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    lenient::rename_arguments(tool.operation.name, &mut arguments);
    lenient::answer_what_is_known(
        tool.operation.name,
        arguments,
        |_| false,
        |mut arguments| {
            let page = Page::from_arguments(tool, &mut arguments);
            let request: SearchRequest = parse_arguments(arguments)?;
            let answer = search_each(repositories, of, &request)?;
            Ok(page.paginate(answer, CHARACTERS)?.to_string())
        },
    )
}

/// The time after which no further repository is searched.
const MOST_SEARCH_TIME: Duration = Duration::from_secs(60);

fn search_each(
    repositories: &[(String, Engine)],
    of: usize,
    request: &SearchRequest,
) -> Result<Value, EngineError> {
    let (mut results, mut total) = (Vec::new(), 0);
    let (mut searched, mut failed, mut fallbacks) = (Vec::new(), Vec::new(), Vec::new());
    let mut first_error = None;
    let begun = Instant::now();
    for (name, engine) in repositories {
        if begun.elapsed() > MOST_SEARCH_TIME {
            failed.push(
                json!({"repository": name, "error": "not searched: the time was used up by other repositories"}),
            );
            continue;
        }
        let answer = match engine.search(request) {
            Ok(answer) => answer,
            // With one repository, its error is the error of the call.
            Err(error) if repositories.len() == 1 => return Err(error),
            Err(error) => {
                failed.push(json!({"repository": name, "error": &error.message}));
                first_error.get_or_insert(error);
                continue;
            }
        };
        total += answer.total;
        searched.push(name);
        if let Some(fallback) = answer.fallback {
            fallbacks.push(format!("{name}: {fallback}"));
        }
        results.extend(answer.results.into_iter().map(|result| (name, result)));
    }
    // The kind of the first error stays: a database that is gone is not the question's fault.
    if let (true, Some(mut error)) = (searched.is_empty(), first_error) {
        error.message = format!("no repository could be searched: {}", error.message);
        return Err(error);
    }
    // Equal results stay in the order of repositories: the first has more of the query's words.
    results.sort_by(|a, b| b.1.relevance_score.total_cmp(&a.1.relevance_score));
    results.truncate(request.limit);
    let mut shown = Vec::with_capacity(results.len());
    for (name, result) in results {
        let mut result = to_value(&result)?;
        if let Some(fields) = result.as_object_mut() {
            fields.insert("repository".to_owned(), name.as_str().into());
        }
        shown.push(result);
    }
    let mut answer = json!({
        "query": request.query, "results": shown, "total": total,
        "searched": searched, "repositories": of,
    });
    if !failed.is_empty() {
        answer["failed"] = failed.into();
    }
    if !fallbacks.is_empty() {
        answer["fallback"] = fallbacks.join("; ").into();
    }
    Ok(answer)
}

fn search(engine: &Engine, request: &SearchRequest) -> Result<Value, EngineError> {
    let answer = engine.search(request)?;
    engine.record_search_results(&request.query, &answer.results);
    to_value(&answer)
}

/// The most callers of a chain: pages lead to all of them.
const MOST_OF_CHAIN: usize = 10_000;

/// The most entries of another list. The whole answer is made before a page of it is shown, so it needs a limit.
const MOST_OF_LIST: usize = 10_000;

/// The most nodes and edges of a graph that is exported whole.
const MOST_EXPORTED: u64 = 20_000;

fn call_chain(engine: &Engine, arguments: Map<String, Value>) -> Result<Value, EngineError> {
    let is_limited = arguments.contains_key("limit");
    let mut request: CallChainRequest = parse_arguments(arguments)?;
    request.limit = if is_limited {
        request.limit.min(MOST_OF_CHAIN)
    } else {
        MOST_OF_CHAIN
    };
    let answer = engine.call_chain(&request)?;
    engine.record_symbol_use(&request.symbol);
    to_value(&answer)
}

/// Answers `graph-rag`, which keeps to the budget of its own request.
fn graph_rag(engine: &Engine, mut request: GraphRagRequest) -> Result<String, EngineError> {
    // Only the user's own configuration may send source code to a model elsewhere, not an agent.
    request.rerank &= engine.config().reranker().enabled;
    let answer = engine.graph_rag(&request)?;
    engine.record_search_results(&request.query, &answer.to_search_results());
    let text = match request.format {
        ContextFormat::Json => return Ok(to_value(&answer)?.to_string()),
        ContextFormat::Md => answer.to_markdown(),
        ContextFormat::Text => answer.to_text(),
    };
    // An empty text would be no answer.
    if answer.candidates.is_empty() {
        Ok(answer.warnings.join("\n"))
    } else {
        Ok(text)
    }
}

/// An answer in the requested format.
enum Rendered {
    Json(Value),
    Text(String),
    /// An answer that has no parts to page through, and fits.
    Whole(String),
}

fn impact(engine: &Engine, arguments: Map<String, Value>) -> Result<Rendered, EngineError> {
    let mut request: ImpactRequest = parse_arguments(arguments)?;
    // A picture shows only the nearest symbols; the pages of a list lead to all.
    request.uncut = request.format != ImpactFormat::Mermaid;
    let answer = engine.impact(&request)?;
    if !request.symbol.is_empty() {
        engine.record_symbol_use(&request.symbol);
    }
    match request.format {
        ImpactFormat::Json => Ok(Rendered::Json(to_value(&answer)?)),
        ImpactFormat::Md => Ok(Rendered::Text(answer.to_markdown())),
        ImpactFormat::Mermaid => Ok(Rendered::Whole(draw_within_budget(answer))),
    }
}

/// A picture of the nearest affected symbols, as many as fit. They come nearest first, so a symbol is never cut before one that
/// depends on it.
fn draw_within_budget(mut answer: ImpactAnswer) -> String {
    let mut text = answer.to_mermaid();
    while text.len() > CHARACTERS && !answer.impact.affected.is_empty() {
        let entries = answer.impact.affected.len();
        // The number falls in proportion to the excess; close to the limit, one entry at a time.
        let keep = (entries * CHARACTERS / text.len()).clamp(entries / 2, entries - 1);
        answer.impact.truncate_entries(keep);
        text = answer.to_mermaid();
    }
    text
}

/// A picture cannot be cut: one that is too large is drawn again with fewer parts.
fn render_diagram_within_budget(
    engine: &Engine,
    mut request: CodRequest,
) -> Result<String, EngineError> {
    loop {
        let answer = engine.cod(&request)?;
        let text = match &answer.picture {
            CodPicture::Mermaid { diagram, .. } => diagram.clone(),
            CodPicture::D3(_) => to_value(&answer)?.to_string(),
        };
        if text.len() <= CHARACTERS || request.limit <= 4 {
            return Ok(text);
        }
        let fits = request.limit * CHARACTERS / text.len();
        request.limit = fits.clamp(4, request.limit - 1);
    }
}

fn graph_store(engine: &Engine, call: &GraphStoreCall) -> Result<Value, EngineError> {
    let mut request = call.parse()?;
    match &mut request {
        GraphStoreRequest::FindOrphans { limit }
        | GraphStoreRequest::FindUnresolved { limit, .. } => {
            // A limit of 0 means all.
            *limit = (*limit).min(MOST_OF_LIST);
            if *limit == 0 {
                *limit = MOST_OF_LIST;
            }
        }
        GraphStoreRequest::Export { .. } => ensure_exportable(engine)?,
        _ => {}
    }
    let answer = engine.graph_store(&request)?;
    // A list becomes a field, so that a note on what was left out can stand beside it.
    let mut shown = answer.to_json();
    if let Value::Array(items) = shown {
        let index = &answer.index;
        shown = json!({ "total": items.len(), "items": items, "index": index });
    }
    if let (Value::Object(fields), false) = (&mut shown, answer.notes.is_empty()) {
        fields.insert("notes".to_owned(), Value::from(answer.notes));
    }
    Ok(shown)
}

/// Refuses to export a large graph here: page by page that would take hours.
fn ensure_exportable(engine: &Engine) -> Result<(), EngineError> {
    let stats = engine.graph_store(&GraphStoreRequest::Stats {})?.to_json();
    let rows = ["nodes", "edges"].map(|name| stats[name].as_u64().unwrap_or(0));
    let rows = rows.iter().sum::<u64>();
    if rows <= MOST_EXPORTED {
        return Ok(());
    }
    let message =
        format!("the graph has {rows} nodes and edges, at most {MOST_EXPORTED} are exported here");
    Err(EngineError::bad_arguments(message).with_hint(
        "`knotwork graph-store export` writes all of them; `query` with SQL gives parts",
    ))
}

fn arch_check(engine: &Engine, request: &ArchCheckRequest) -> Result<Value, EngineError> {
    let mut answer = engine.arch_check(request)?;
    let more = answer.orphans.len().saturating_sub(MOST_OF_LIST);
    if more > 0 {
        answer.orphans.truncate(MOST_OF_LIST);
        let warning =
            format!("{more} more orphans; `knotwork arch-check --orphan-check` lists all");
        answer.warnings.push(warning);
    }
    to_value(&answer)
}

fn parse_arguments<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, EngineError> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|e| EngineError::bad_arguments(format!("wrong arguments: {e}")))
}

fn to_value(answer: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(answer).map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))
}
