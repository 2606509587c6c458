//! The tools of the solution memory. They need no project, so they are answered without one.

use super::fit::{self, Cuts};
use super::lenient;
use super::page::CHARACTERS;
use super::tools::{compact_schema, schema_of, with_access};
use engine::EngineError;
use rmcp::model::Tool;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use solution::{
    GetRequest, Kind, ListTagsAnswer, ListTagsRequest, Memory, SaveRequest, SearchRequest,
    SolutionError,
};
use std::sync::Arc;
use std::time::Duration;

/// The most characters of a solution that is shown.
const SOLUTION: usize = 60_000;
/// The most characters of the results of a search: twenty of the usual length.
const RESULTS: usize = 16_000;
/// The characters reserved for the note on what was cut.
const NOTE: usize = 300;

/// A tool of the solution memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SolutionTool {
    Save,
    Search,
    Get,
    ListTags,
}

impl SolutionTool {
    const ALL: [SolutionTool; 4] = [
        SolutionTool::Search,
        SolutionTool::Save,
        SolutionTool::Get,
        SolutionTool::ListTags,
    ];

    fn as_str(self) -> &'static str {
        match self {
            SolutionTool::Save => "save_solution",
            SolutionTool::Search => "search_solutions",
            SolutionTool::Get => "get_solution",
            SolutionTool::ListTags => "list_tags",
        }
    }

    /// The tool with that name.
    pub(super) fn parse(name: &str) -> Option<SolutionTool> {
        SolutionTool::ALL
            .into_iter()
            .find(|tool| tool.as_str() == name)
    }

    /// Whether it writes, which may wait long for other programs.
    pub(super) fn writes(self) -> bool {
        self == SolutionTool::Save
    }

    fn title(self) -> &'static str {
        match self {
            SolutionTool::Save => "Save a solution",
            SolutionTool::Search => "Find solutions",
            SolutionTool::Get => "Show a solution",
            SolutionTool::ListTags => "Tags of solutions",
        }
    }

    fn description(self) -> &'static str {
        match self {
            SolutionTool::Save => "Save a solved problem for all projects",
            SolutionTool::Search => "Find solved problems, saved in any project",
            SolutionTool::Get => "Show a solution in full",
            SolutionTool::ListTags => "List tags of solutions, with counts",
        }
    }

    fn schema(self) -> Value {
        match self {
            SolutionTool::Save => schema_of::<SaveRequest>(),
            SolutionTool::Search => schema_of::<SearchRequest>(),
            SolutionTool::Get => schema_of::<GetRequest>(),
            SolutionTool::ListTags => schema_of::<ListTagsRequest>(),
        }
    }
}

/// The tools, most used first.
pub(super) fn all_tools() -> Vec<Tool> {
    let tool = |name: SolutionTool| {
        let schema = match compact_schema(name.schema()) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let listed =
            Tool::new(name.as_str(), name.description(), Arc::new(schema)).with_title(name.title());
        with_access(listed, name.writes())
    };
    SolutionTool::ALL.into_iter().map(tool).collect()
}

/// Answers a call. Unknown arguments are left out, and the answer says so.
pub(super) fn run_tool(
    memory: &Arc<Memory>,
    tool: SolutionTool,
    arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    let writes = |_: &Map<String, Value>| tool == SolutionTool::Save;
    lenient::answer_what_is_known(tool.as_str(), arguments, writes, |arguments| {
        answer_tool(memory, tool, arguments)
    })
}

fn answer_tool(
    memory: &Arc<Memory>,
    tool: SolutionTool,
    arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    let answer = match tool {
        SolutionTool::Save => {
            let saved = memory.save(&parse_arguments(arguments)?);
            let saved = to_value(&saved.map_err(to_engine_error)?)?;
            cut_to_fit(saved, CHARACTERS, "`get_solution` shows a solution")
        }
        SolutionTool::Search => {
            let found = search(memory, &parse_arguments(arguments)?)?;
            cut_to_fit(found, RESULTS, "`get_solution` shows a solution")
        }
        SolutionTool::Get => {
            let found = memory.get(&parse_arguments(arguments)?);
            let found = to_value(&found.map_err(to_engine_error)?)?;
            cut_to_fit(found, SOLUTION, "`knotwork solution get` shows all")
        }
        SolutionTool::ListTags => {
            let tags = memory.list_tags(&parse_arguments(arguments)?);
            list_tags(tags.map_err(to_engine_error)?)?
        }
    };
    Ok(answer.to_string())
}

/// The tags that fit: of each category those that are used most.
fn list_tags(answer: ListTagsAnswer) -> Result<Value, EngineError> {
    let mut categories: Map<String, Value> = Map::new();
    for tag in &answer.tags {
        let list = categories.entry(tag.category.clone());
        if let Value::Array(tags) = list.or_insert_with(|| Value::Array(Vec::new())) {
            tags.push(to_value(tag)?);
        }
    }
    let mut cuts = Cuts::new();
    let mut categories = Value::Object(categories);
    fit::fit("tags", &mut categories, CHARACTERS - NOTE, &mut cuts);
    let lists = categories.as_object_mut().into_iter().flatten();
    let tags = lists.flat_map(|(_, list)| list.as_array_mut().map(std::mem::take));
    let tags: Vec<Value> = tags.flatten().collect();
    let mut shown = Map::new();
    shown.insert("tags".to_owned(), Value::Array(tags));
    let all = "`knotwork solution list-tags` shows all";
    Ok(with_note(Value::Object(shown), &cuts, all))
}

/// Searches. Missing vectors are made in the background; the answer waits for a few at most.
fn search(memory: &Arc<Memory>, request: &SearchRequest) -> Result<Value, EngineError> {
    let answer = memory
        .search_with_patience(request, Duration::ZERO)
        .map_err(to_engine_error)?;
    if !answer.notes.is_empty() || answer.fallback.is_some() {
        memory.compute_missing_in_background();
    }
    to_value(&answer)
}

/// Cuts an answer to its budget, with a note on what was cut and where all of it is.
fn cut_to_fit(mut answer: Value, budget: usize, all: &str) -> Value {
    let mut cuts = Cuts::new();
    fit::fit("answer", &mut answer, budget - NOTE, &mut cuts);
    with_note(answer, &cuts, all)
}

fn with_note(mut answer: Value, cuts: &Cuts, all: &str) -> Value {
    if let (Value::Object(fields), Some(cut)) = (&mut answer, fit::describe(cuts)) {
        fields.insert("truncated".to_owned(), format!("{cut}; {all}").into());
    }
    answer
}

fn to_engine_error(error: SolutionError) -> EngineError {
    let converted = match error.kind {
        Kind::BadArguments => EngineError::bad_arguments(error.message),
        Kind::Missing => EngineError::missing_dependency(error.message),
        Kind::Failure => EngineError::runtime_failure(error.message),
    };
    match error.hint {
        Some(hint) => converted.with_hint(hint),
        None => converted,
    }
}

fn parse_arguments<T: DeserializeOwned>(
    mut arguments: Map<String, Value>,
) -> Result<T, EngineError> {
    // An argument given as null counts as left out.
    arguments.retain(|_, value| !value.is_null());
    serde_json::from_value(Value::Object(arguments))
        .map_err(|e| EngineError::bad_arguments(format!("wrong arguments: {e}")))
}

fn to_value(answer: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(answer).map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn inputs_are_as_the_design_has_them() {
        let all = serde_json::to_value(all_tools()).unwrap();
        let tool = |name: &str| {
            let found = all.as_array().unwrap().iter().find(|t| t["name"] == name);
            found.cloned().unwrap()["inputSchema"].clone()
        };
        let save = tool("save_solution");
        assert_eq!(save["required"], json!(["title", "problem", "solution"]));
        for list in ["error_messages", "tags"] {
            assert_eq!(save["properties"][list]["items"]["type"], "string");
        }
        for text in ["root_cause", "project_name"] {
            assert_eq!(save["properties"][text]["type"], "string");
        }
        let search = tool("search_solutions");
        assert_eq!(search["required"], json!(["query"]));
        let properties = &search["properties"];
        assert_eq!(properties["limit"]["default"], 5);
        assert_eq!(properties["limit"]["maximum"], 20);
        assert_eq!(
            properties["search_mode"]["enum"],
            json!(["hybrid", "semantic", "keyword"])
        );
        assert_eq!(properties["search_mode"]["default"], "hybrid");
        assert_eq!(properties["alpha"]["default"], 0.6);
        assert_eq!(tool("get_solution")["required"], json!(["id"]));
        let category = &tool("list_tags")["properties"]["category"];
        let words = json!(["tech_stack", "problem_type", "error_code"]);
        assert!(
            category["enum"] == words || category["anyOf"][0]["enum"] == words,
            "{category}"
        );
    }

    #[test]
    fn the_list_of_tools_is_small() {
        let text = serde_json::to_string(&all_tools()).unwrap();
        let tokens = text.len().div_ceil(4);
        assert!(tokens < 550, "{tokens} tokens: {text}");
    }

    #[test]
    fn long_fields_are_cut_and_said() {
        let cut = |value| cut_to_fit(value, SOLUTION, "all is elsewhere");
        let long = cut(json!({"id": "x", "solution": "é".repeat(SOLUTION + 1)}));
        let shown = long["solution"].as_str().unwrap().chars().count();
        assert!((SOLUTION - 2 * NOTE..SOLUTION).contains(&shown));
        assert_eq!(long["id"], "x");
        assert_eq!(long["truncated"], "cut to fit: solution; all is elsewhere");
        assert!(cut(json!({"solution": "x"}))["truncated"].is_null());
    }

    #[test]
    fn every_tool_keeps_to_its_budget() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Arc::new(Memory::new(solution::Options::for_folder(folder.path())));
        let save = |n: usize| {
            let tags = (0..50).map(|tag| format!("{}-{n}-{tag}", "x".repeat(80)));
            let messages = (0..100).map(|k| format!("E{k} {}", "word ".repeat(12_000)));
            let messages: Vec<String> = if n == 0 {
                messages.collect()
            } else {
                Vec::new()
            };
            let arguments = json!({
                "title": format!("tagged {n}"), "problem": format!("tagged problem number {n}"),
                "solution": "s", "tags": tags.collect::<Vec<_>>(), "error_messages": messages,
            });
            call(&memory, SolutionTool::Save, arguments, CHARACTERS)
        };
        let first = save(0);
        (1..30).for_each(|n| drop(save(n)));
        let id = json!({"id": first["id"]});
        let whole = call(&memory, SolutionTool::Get, id, SOLUTION);
        assert!(
            whole["truncated"]
                .as_str()
                .unwrap()
                .contains("error_messages")
        );
        assert_eq!(whole["problem"], "tagged problem number 0");
        let query =
            json!({"query": "tagged problem number", "limit": 20, "search_mode": "keyword"});
        let found = call(&memory, SolutionTool::Search, query, RESULTS);
        assert_eq!(found["results"].as_array().unwrap().len(), 20);
        assert!(
            found["truncated"].as_str().unwrap().contains("tags ("),
            "{found}"
        );
        let tags = call(&memory, SolutionTool::ListTags, json!({}), CHARACTERS);
        assert!(tags["tags"].as_array().unwrap().len() > 20);
        assert!(
            tags["truncated"].as_str().unwrap().contains("more)"),
            "{tags}"
        );
    }

    fn call(memory: &Arc<Memory>, tool: SolutionTool, arguments: Value, budget: usize) -> Value {
        let Value::Object(arguments) = arguments else {
            panic!("no arguments");
        };
        let text = run_tool(memory, tool, arguments).unwrap();
        assert!(text.len() <= budget, "{tool:?}: {}", text.len());
        serde_json::from_str(&text).unwrap()
    }
}
