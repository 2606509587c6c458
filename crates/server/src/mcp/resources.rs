//! Resources: answers that clients can attach to a conversation by their URI. Each is the answer of a tool.

use super::Arguments;
use super::tools::CodeTool;
use engine::names;
use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Value, json};

/// The overview of the code base.
const OVERVIEW: &str = "knotwork://overview";
/// The state of the index, with the files that were read and those that were not.
const INDEX: &str = "knotwork://index";
/// The beginning of the URI of a file's outline; the path follows, from the project's root.
const OUTLINE: &str = "knotwork://outline/";

const JSON: &str = "application/json";
const MERMAID: &str = "text/vnd.mermaid";

/// A resource as the call of a tool.
pub(super) struct ResourceCall {
    /// The tool.
    pub(super) tool: CodeTool,
    /// Its arguments.
    pub(super) arguments: Arguments,
    /// The type of its answer.
    pub(super) mime_type: &'static str,
}

impl ResourceCall {
    /// Whether the answer is a list without items: there is no such file, or nothing is defined in it.
    pub(super) fn is_empty_answer(&self, text: &str) -> bool {
        self.tool.operation.name == names::GRAPH_STORE
            && serde_json::from_str::<Value>(text).is_ok_and(|answer| answer["total"] == 0)
    }
}

/// The resources that are always there.
pub(super) fn all_resources() -> Vec<Resource> {
    vec![
        Resource::new(OVERVIEW, "overview")
            .with_title("Overview")
            .with_description("Packages and folders with their dependencies, as a diagram")
            .with_mime_type(MERMAID),
        Resource::new(INDEX, "index")
            .with_title("Index health")
            .with_description(
                "What the index holds, how fresh it is, and which files were not read",
            )
            .with_mime_type(JSON),
    ]
}

/// The resources that there are for each file.
pub(super) fn all_templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{OUTLINE}{{+path}}"), "outline")
            .with_title("Outline of a file")
            .with_description("The definitions of a file, with their lines")
            .with_mime_type(JSON),
    ]
}

/// The call behind a URI; none if there is no such resource.
pub(super) fn find_resource(uri: &str) -> Option<ResourceCall> {
    let (operation, arguments, mime_type) = match uri {
        OVERVIEW => (names::COD, json!({ "format": "mermaid" }), MERMAID),
        INDEX => (names::INDEX_STATUS, json!({ "action": "status" }), JSON),
        _ => {
            let path = percent_decode_str(uri.strip_prefix(OUTLINE)?).decode_utf8();
            let path = path.ok().filter(|path| !path.is_empty())?;
            let arguments = json!({ "action": "find-file", "payload": { "path": path } });
            (names::GRAPH_STORE, arguments, JSON)
        }
    };
    let Value::Object(arguments) = arguments else {
        return None;
    };
    Some(ResourceCall {
        tool: CodeTool::of_operation(operation)?,
        arguments,
        mime_type,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_resource_is_the_call_of_a_tool() {
        for resource in all_resources() {
            assert!(find_resource(&resource.uri).is_some(), "{}", resource.uri);
        }
        let outline = find_resource("knotwork://outline/src/a%20b.rs").unwrap();
        assert_eq!(outline.tool.name(), "ci_graph_store");
        assert_eq!(outline.arguments["payload"]["path"], "src/a b.rs");
        for uri in [
            "knotwork://outline/",
            "knotwork://other",
            "file:///etc/passwd",
            "knotwork://outline/%ff",
        ] {
            assert!(find_resource(uri).is_none(), "{uri}");
        }
    }
}
