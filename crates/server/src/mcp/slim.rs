//! The small set of tools: each has the arguments that most questions need. The others are accepted all the same.

use rmcp::model::Tool;
use std::sync::Arc;

/// The arguments left out of the schema, by tool.
const RARE_ARGUMENTS: [(&str, &[&str]); 6] = [
    ("ci_search", &["kind", "cursor"]),
    (
        "ci_graph_rag",
        &["format", "max_depth", "min_relevance", "rerank"],
    ),
    (
        "ci_call_chain",
        &["references", "trace_usage", "virtual_edges"],
    ),
    (
        "ci_impact",
        &["format", "threshold", "staged", "cursor", "virtual_edges"],
    ),
    ("search_solutions", &["alpha", "fusion"]),
    ("save_solution", &["update"]),
];

/// Tools that are left out: a search for solutions finds tags as well.
const RARE_TOOLS: [&str; 1] = ["list_tags"];

/// The tools that are used most, each with fewer arguments in its schema.
pub(super) fn slim_tools(all: Vec<Tool>) -> Vec<Tool> {
    let kept = all.into_iter();
    let kept = kept.filter(|tool| !RARE_TOOLS.contains(&tool.name.as_ref()));
    kept.map(drop_rare_arguments).collect()
}

fn drop_rare_arguments(mut tool: Tool) -> Tool {
    let omitted = RARE_ARGUMENTS.iter().find(|(name, _)| *name == tool.name);
    let Some((_, omitted)) = omitted else {
        return tool;
    };
    let mut schema = (*tool.input_schema).clone();
    if let Some(properties) = schema.get_mut("properties").and_then(|p| p.as_object_mut()) {
        properties.retain(|name, _| !omitted.contains(&name.as_str()));
    }
    tool.input_schema = Arc::new(schema);
    tool
}

#[cfg(test)]
mod tests {
    use super::super::{solutions, tools};
    use super::*;

    #[test]
    fn the_small_set_is_small_and_what_is_left_out_is_there() {
        let full = tools::tools_of(tools::Preset::Core)
            .into_iter()
            .chain(solutions::all_tools());
        let full: Vec<Tool> = full.collect();
        for (name, omitted) in RARE_ARGUMENTS {
            let tool = full.iter().find(|t| t.name == name).unwrap();
            let properties = tool.input_schema["properties"].as_object().unwrap();
            assert!(
                omitted.iter().all(|u| properties.contains_key(*u)),
                "{name}"
            );
        }
        let small = slim_tools(full);
        assert_eq!(small.len(), 7);
        let text = serde_json::to_string(&small).unwrap();
        let tokens = text.len().div_ceil(4);
        assert!(tokens < 1_000, "{tokens} tokens: {text}");
        for tool in &small {
            let schema = &tool.input_schema;
            let properties = schema["properties"].as_object().unwrap();
            let required = schema.get("required").and_then(|r| r.as_array());
            let mut required = required.into_iter().flatten().filter_map(|r| r.as_str());
            assert!(
                required.all(|r| properties.contains_key(r)),
                "{}",
                tool.name
            );
        }
    }
}
