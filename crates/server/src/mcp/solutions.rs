//! The tools of the solution memory: it needs no project, so they answer without one.

use super::tools::{compact, schema_of};
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

/// Characters of one field of a solution that is shown whole.
const SHOWN: usize = 60_000;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Save,
    Search,
    Get,
    ListTags,
}

impl Name {
    const ALL: [Name; 4] = [Name::Search, Name::Save, Name::Get, Name::ListTags];

    fn as_str(self) -> &'static str {
        match self {
            Name::Save => "save_solution",
            Name::Search => "search_solutions",
            Name::Get => "get_solution",
            Name::ListTags => "list_tags",
        }
    }

    /// The tool of that name.
    pub(super) fn parse(name: &str) -> Option<Name> {
        Name::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    fn description(self) -> &'static str {
        match self {
            Name::Save => "Save a solved problem for all projects",
            Name::Search => "Find solved problems, saved in any project",
            Name::Get => "Show a solution in full",
            Name::ListTags => "List tags of solutions, with counts",
        }
    }

    fn schema(self) -> Value {
        match self {
            Name::Save => schema_of::<SaveRequest>(),
            Name::Search => schema_of::<SearchRequest>(),
            Name::Get => schema_of::<GetRequest>(),
            Name::ListTags => schema_of::<ListTagsRequest>(),
        }
    }
}

/// The tools, most used first.
pub(super) fn all() -> Vec<Tool> {
    let tool = |name: Name| {
        let schema = match compact(name.schema()) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        Tool::new(name.as_str(), name.description(), Arc::new(schema))
    };
    Name::ALL.into_iter().map(tool).collect()
}

/// Answers a call.
pub(super) fn run(
    memory: &Arc<Memory>,
    tool: Name,
    arguments: Map<String, Value>,
) -> Result<String, EngineError> {
    let answer = match tool {
        Name::Save => value(&memory.save(&read(arguments)?).map_err(told)?)?,
        Name::Search => search(memory, &read(arguments)?)?,
        Name::Get => shortened(value(&memory.get(&read(arguments)?).map_err(told)?)?),
        Name::ListTags => value(&memory.list_tags(&read(arguments)?).map_err(told)?)?,
    };
    Ok(answer.to_string())
}

/// Vectors that are missing are made in the background; an answer waits for a few at most.
fn search(memory: &Arc<Memory>, request: &SearchRequest) -> Result<Value, EngineError> {
    let answer = memory
        .search_within(request, Duration::ZERO)
        .map_err(told)?;
    if !answer.notes.is_empty() || answer.fallback.is_some() {
        memory.catch_up_in_background();
    }
    value(&answer)
}

/// Fields within bounds; what was cut is said.
fn shortened(mut answer: Value) -> Value {
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

fn told(error: SolutionError) -> EngineError {
    let told = match error.kind {
        Kind::BadArguments => EngineError::bad(error.message),
        Kind::Missing => EngineError::missing(error.message),
        Kind::Failure => EngineError::failure(error.message),
    };
    match error.hint {
        Some(hint) => told.hint(hint),
        None => told,
    }
}

fn read<T: DeserializeOwned>(mut arguments: Map<String, Value>) -> Result<T, EngineError> {
    // An argument given as null is one left out.
    arguments.retain(|_, value| !value.is_null());
    serde_json::from_value(Value::Object(arguments))
        .map_err(|e| EngineError::bad(format!("wrong arguments: {e}")))
}

fn value(answer: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(answer).map_err(|e| EngineError::failure(format!("not JSON: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn inputs_are_as_the_design_has_them() {
        let all = serde_json::to_value(all()).unwrap();
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
        let text = serde_json::to_string(&all()).unwrap();
        let tokens = text.len().div_ceil(4);
        assert!(tokens < 550, "{tokens} tokens: {text}");
    }

    #[test]
    fn long_fields_are_cut_and_said() {
        let long = shortened(json!({"id": "x", "solution": "é".repeat(SHOWN + 1)}));
        assert_eq!(long["solution"].as_str().unwrap().chars().count(), SHOWN);
        assert!(long["truncated"].as_str().unwrap().contains("solution"));
        assert!(shortened(json!({"solution": "x"}))["truncated"].is_null());
    }
}
