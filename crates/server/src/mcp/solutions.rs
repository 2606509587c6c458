//! The tools of the solution memory. They need no project, so they are answered without one.

use super::tools::{compact_schema, schema_of};
use engine::EngineError;
use rmcp::model::Tool;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use solution::{
    GetRequest, Kind, ListTagsRequest, Memory, SaveRequest, SearchRequest, SolutionError,
};
use std::sync::Arc;
use std::time::Duration;

/// The most characters of one field of a solution that is shown whole.
const SHOWN: usize = 60_000;

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
        Tool::new(name.as_str(), name.description(), Arc::new(schema))
    };
    SolutionTool::ALL.into_iter().map(tool).collect()
}

/// Answers a call.
pub(super) fn run_tool(
    memory: &Arc<Memory>,
    tool: SolutionTool,
    arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    let answer = match tool {
        SolutionTool::Save => to_value(
            &memory
                .save(&parse_arguments(arguments)?)
                .map_err(to_engine_error)?,
        )?,
        SolutionTool::Search => search(memory, &parse_arguments(arguments)?)?,
        SolutionTool::Get => truncate_fields(to_value(
            &memory
                .get(&parse_arguments(arguments)?)
                .map_err(to_engine_error)?,
        )?),
        SolutionTool::ListTags => to_value(
            &memory
                .list_tags(&parse_arguments(arguments)?)
                .map_err(to_engine_error)?,
        )?,
    };
    Ok(answer.to_string())
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

/// Cuts long fields, with a note on what was cut.
fn truncate_fields(mut answer: Value) -> Value {
    let Value::Object(fields) = &mut answer else {
        return answer;
    };
    let mut cut = Vec::new();
    for (name, field) in fields.iter_mut() {
        if let Value::String(text) = field
            && let Some((end, _)) = text.char_indices().nth(SHOWN)
        {
            text.truncate(end);
            cut.push(name.clone());
        }
    }
    if !cut.is_empty() {
        let note = format!(
            "{} cut after {SHOWN} characters; `knotwork solution get` shows all",
            cut.join(", ")
        );
        fields.insert("truncated".to_owned(), Value::from(note));
    }
    answer
}

fn to_engine_error(error: SolutionError) -> EngineError {
    let told = match error.kind {
        Kind::BadArguments => EngineError::bad_arguments(error.message),
        Kind::Missing => EngineError::missing_dependency(error.message),
        Kind::Failure => EngineError::runtime_failure(error.message),
    };
    match error.hint {
        Some(hint) => told.with_hint(hint),
        None => told,
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
        let long = truncate_fields(json!({"id": "x", "solution": "é".repeat(SHOWN + 1)}));
        assert_eq!(long["solution"].as_str().unwrap().chars().count(), SHOWN);
        assert!(long["truncated"].as_str().unwrap().contains("solution"));
        assert!(truncate_fields(json!({"solution": "x"}))["truncated"].is_null());
    }
}
