//! The tools as clients see them: names, descriptions, schemas made from the request types.

use engine::{
    ArchCheckRequest, AstDeltaRequest, BoundaryRequest, BugLocateRequest, CallChainRequest,
    CodRequest, ComplexityRequest, GraphRagRequest, HotspotRequest, ImpactRequest, IntentRequest,
    PatternRequest, SearchRequest, VulnRequest,
};
use rmcp::model::{JsonObject, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    GraphRag,
    GraphStore,
    CallChain,
    BugLocate,
    Hotspot,
    Impact,
    IndexStatus,
    AstDelta,
    Search,
    Intent,
    ArchCheck,
    Pattern,
    Vuln,
    Cod,
    Complexity,
    Boundary,
}

/// Which tools a server offers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preset {
    /// Those that most questions need.
    Core,
    /// All.
    #[default]
    Full,
}

impl Name {
    /// Questions about the code.
    const CORE: [Name; 4] = [Name::Search, Name::GraphRag, Name::CallChain, Name::Impact];

    const ALL: [Name; 16] = [
        Name::Search,
        Name::GraphRag,
        Name::CallChain,
        Name::Impact,
        Name::BugLocate,
        Name::Hotspot,
        Name::IndexStatus,
        Name::AstDelta,
        Name::GraphStore,
        Name::Intent,
        Name::ArchCheck,
        Name::Pattern,
        Name::Vuln,
        Name::Cod,
        Name::Complexity,
        Name::Boundary,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Name::GraphRag => "ci_graph_rag",
            Name::GraphStore => "ci_graph_store",
            Name::CallChain => "ci_call_chain",
            Name::BugLocate => "ci_bug_locate",
            Name::Hotspot => "ci_hotspot",
            Name::Impact => "ci_impact",
            Name::IndexStatus => "ci_index_status",
            Name::AstDelta => "ci_ast_delta",
            Name::Search => "ci_search",
            Name::Intent => "ci_intent",
            Name::ArchCheck => "ci_arch_check",
            Name::Pattern => "ci_pattern",
            Name::Vuln => "ci_vuln",
            Name::Cod => "ci_cod",
            Name::Complexity => "ci_complexity",
            Name::Boundary => "ci_boundary",
        }
    }

    /// The tool of that name.
    pub(crate) fn parse(name: &str) -> Option<Name> {
        Name::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    /// The list of its answer that may be continued on another page.
    pub(crate) fn list(self) -> Option<&'static str> {
        match self {
            Name::Search => Some("results"),
            Name::GraphStore => Some("items"),
            Name::Hotspot => Some("hotspots"),
            Name::Pattern => Some("deviations"),
            Name::Impact => Some("affected"),
            Name::BugLocate => Some("candidates"),
            Name::Vuln => Some("vulnerabilities"),
            Name::Complexity => Some("functions"),
            Name::Boundary => Some("files"),
            _ => None,
        }
    }

    /// Whether a call builds the index.
    #[cfg(unix)]
    pub(crate) fn builds(self, arguments: &Map<String, Value>) -> bool {
        let action = arguments.get("action").and_then(Value::as_str);
        self == Name::IndexStatus && action == Some("build")
    }

    fn description(self) -> &'static str {
        match self {
            Name::GraphRag => {
                "Source that answers a question, with callers and callees, within a token budget"
            }
            Name::GraphStore => "Read or write the graph itself",
            Name::CallChain => "Who calls a symbol, or what it calls, with the place of every call",
            Name::BugLocate => "Where the bug behind an error or a stack trace may be",
            Name::Hotspot => "Files that change often and are complex",
            Name::Impact => "What may break when a symbol or file changes",
            Name::IndexStatus => "State of the index; build or clear it",
            Name::AstDelta => "Read changed files again",
            Name::Search => "Find code by a question, words, an error or a name",
            Name::Pattern => {
                "Learn what this code does nearly always; find where it does otherwise"
            }
            Name::ArchCheck => "Import cycles, layer rules, symbols without a user",
            Name::Cod => "The code base as a diagram",
            Name::Complexity => "Functions that are hard to follow",
            Name::Boundary => "Whose a file is: own, library, vendor, generated, test",
            Name::Vuln => "Known vulnerabilities of packages in use, and the code that uses them",
            Name::Intent => "Note or ask which symbols are worked with",
        }
    }

    fn schema(self) -> Value {
        match self {
            Name::GraphRag => schema_of::<GraphRagRequest>(),
            Name::GraphStore => schema_of::<StoreCall>(),
            Name::CallChain => schema_of::<CallChainRequest>(),
            Name::BugLocate => schema_of::<BugLocateRequest>(),
            Name::Hotspot => schema_of::<HotspotRequest>(),
            // Asked about a diff it is empty; the design has it in every call.
            Name::Impact => requiring(schema_of::<ImpactRequest>(), "symbol"),
            Name::IndexStatus => schema_of::<StatusCall>(),
            Name::AstDelta => schema_of::<AstDeltaRequest>(),
            Name::Search => schema_of::<SearchRequest>(),
            Name::Intent => schema_of::<IntentRequest>(),
            Name::Vuln => schema_of::<VulnRequest>(),
            Name::Cod => schema_of::<CodRequest>(),
            Name::Complexity => schema_of::<ComplexityRequest>(),
            Name::Boundary => schema_of::<BoundaryRequest>(),
            Name::Pattern => schema_of::<PatternRequest>(),
            Name::ArchCheck => schema_of::<ArchCheckRequest>(),
        }
    }
}

/// The tools of a preset, most used first.
pub(crate) fn all(preset: Preset) -> Vec<Tool> {
    let tool = |name: &Name| {
        let mut schema: JsonObject = match compact(name.schema()) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if name.list().is_some()
            && let Some(Value::Object(properties)) = schema.get_mut("properties")
        {
            properties.insert("cursor".to_owned(), serde_json::json!({"type": "string"}));
        }
        Tool::new(name.as_str(), name.description(), Arc::new(schema))
    };
    match preset {
        Preset::Core => Name::CORE.iter().map(tool).collect(),
        Preset::Full => Name::ALL.iter().map(tool).collect(),
    }
}

/// An operation on the graph store with its arguments.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoreCall {
    /// init, add-node, get-node, update-node, delete-node, add-edge, get-edge, update-edge,
    /// delete-edge, query-edges, find-symbol, find-file, find-orphans, find-path, batch-import,
    /// stats, query, migrate, vacuum, export
    pub action: String,
    /// {id} · node {id,symbol,kind,file} · edge {source,target,type} · query-edges {from?,to?,type?} ·
    /// find-symbol {symbol} · find-file {path} · find-path {from,to,max_depth?} · query {sql,params?} ·
    /// batch-import {nodes,edges}
    #[serde(default)]
    pub payload: Map<String, Value>,
}

/// What to do about the index.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusCall {
    #[serde(default)]
    pub action: StatusAction,
}

/// See [`StatusCall`].
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum StatusAction {
    #[default]
    Status,
    Build,
    Clear,
}

pub(super) fn schema_of<T: JsonSchema>() -> Value {
    schemars::SchemaGenerator::default()
        .into_root_schema_for::<T>()
        .to_value()
}

fn requiring(mut schema: Value, name: &str) -> Value {
    schema["required"] = Value::from(vec![name]);
    schema
}

/// The schema without what costs tokens and tells a model nothing.
pub(super) fn compact(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else {
        return schema;
    };
    for noise in ["$schema", "title", "format"] {
        fields.remove(noise);
    }
    // Only the descriptions of arguments help; that of the whole is the tool's own.
    if fields.contains_key("properties") {
        fields.remove("description");
    }
    if fields.get("default").is_some_and(is_empty) {
        fields.remove("default");
    }
    // `anyOf: [X, null]`: leaving an argument out is enough.
    if let Some([Value::Object(inner), null]) = fields
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && null["type"] == "null"
    {
        let inner = inner.clone();
        fields.remove("anyOf");
        for (key, value) in inner {
            fields.entry(key).or_insert(value);
        }
    }
    if let Some(words) = fields.get("oneOf").and_then(words) {
        fields.remove("oneOf");
        fields.insert("enum".to_owned(), words);
        fields.insert("type".to_owned(), Value::from("string"));
    }
    // `["string", "null"]`: leaving an argument out is enough.
    if let Some(Value::Array(types)) = fields.get("type")
        && let Some(first) = types.iter().find(|t| *t != "null").cloned()
    {
        fields.insert("type".to_owned(), first);
    }
    let fields = fields
        .into_iter()
        .map(|(key, value)| match (key.as_str(), value) {
            // Names of arguments are no keywords.
            ("properties", Value::Object(properties)) => {
                let properties = properties.into_iter().map(|(k, v)| (k, compact(v)));
                (key, Value::Object(properties.collect()))
            }
            (_, value) => (key, compact(value)),
        });
    Value::Object(fields.collect())
}

/// The words of a list of constants.
fn words(choices: &Value) -> Option<Value> {
    let words = choices
        .as_array()?
        .iter()
        .map(|choice| choice.get("const").cloned());
    words.collect::<Option<Vec<_>>>().map(Value::Array)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Value {
        let all = serde_json::to_value(all(Preset::Full)).unwrap();
        let found = all.as_array().unwrap().iter().find(|t| t["name"] == name);
        found.cloned().unwrap()
    }

    #[test]
    fn the_list_of_tools_is_small() {
        for (preset, most) in [(Preset::Core, 1_000), (Preset::Full, 2_700)] {
            let text = serde_json::to_string(&all(preset)).unwrap();
            let tokens = text.len().div_ceil(4);
            assert!(tokens < most, "{tokens} tokens: {text}");
        }
    }

    #[test]
    fn ct_001_input_of_ast_delta_is_as_the_design_has_it() {
        let schema = &tool("ci_ast_delta")["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(schema.get("required").is_none(), "{schema}");
        let properties = schema["properties"].as_object().unwrap();
        let names: Vec<&String> = properties.keys().collect();
        assert_eq!(names, ["file", "since"]);
        assert!(
            properties.values().all(|p| p["type"] == "string"),
            "{schema}"
        );
    }

    #[test]
    fn ct_003_input_of_impact_is_as_the_design_has_it() {
        let schema = &tool("ci_impact")["inputSchema"];
        assert_eq!(schema["required"], serde_json::json!(["symbol"]));
        let properties = &schema["properties"];
        assert_eq!(properties["depth"]["default"], 5);
        assert_eq!(properties["depth"]["minimum"], 1);
        assert_eq!(properties["depth"]["maximum"], 10);
        assert_eq!(
            properties["format"]["enum"],
            serde_json::json!(["json", "md", "mermaid"])
        );
        assert_eq!(properties["format"]["default"], "json");
        assert_eq!(properties["threshold"]["default"], 0.1);
    }

    #[test]
    fn ct_010_input_of_intent_is_as_the_design_has_it() {
        let schema = &tool("ci_intent")["inputSchema"];
        assert_eq!(schema["required"], serde_json::json!(["action"]));
        let properties = &schema["properties"];
        let words = |name: &str| properties[name]["enum"].clone();
        assert_eq!(
            words("action"),
            serde_json::json!(["record", "query", "cleanup"])
        );
        assert_eq!(
            words("user_action"),
            serde_json::json!(["view", "edit", "ignore"])
        );
        assert_eq!(properties["user_action"]["default"], "view");
        assert_eq!(properties["top"]["default"], 10);
        assert_eq!(properties["symbols"]["items"]["type"], "string");
        for name in ["query", "prefix"] {
            assert_eq!(properties[name]["type"], "string");
        }
    }

    #[test]
    fn ct_005_input_of_cod_is_as_the_design_has_it() {
        let schema = &tool("ci_cod")["inputSchema"];
        assert!(schema.get("required").is_none(), "{schema}");
        let properties = schema["properties"].as_object().unwrap();
        let level = &properties["level"];
        assert_eq!(level["enum"], serde_json::json!([1, 2, 3]));
        assert_eq!(
            (&level["type"], &level["default"]),
            (&"integer".into(), &2.into())
        );
        let format = &properties["format"];
        assert_eq!(format["enum"], serde_json::json!(["mermaid", "d3json"]));
        assert_eq!(format["default"], "mermaid");
        assert_eq!(properties["module"]["type"], "string");
        for flag in ["include_hotspots", "include_complexity"] {
            assert_eq!(properties[flag]["type"], "boolean");
            assert_eq!(properties[flag]["default"], true);
        }
    }

    #[test]
    fn ct_012_input_of_vuln_is_as_the_design_has_it() {
        let schema = &tool("ci_vuln")["inputSchema"];
        assert_eq!(schema["required"], serde_json::json!(["action"]));
        let properties = schema["properties"].as_object().unwrap();
        let words = |name: &str| properties[name]["enum"].clone();
        assert_eq!(words("action"), serde_json::json!(["scan", "trace"]));
        let severities = serde_json::json!(["low", "moderate", "high", "critical"]);
        assert_eq!(words("severity"), severities);
        assert_eq!(properties["severity"]["default"], "moderate");
        assert_eq!(properties["package"]["type"], "string");
        assert_eq!(properties["include_dev"]["type"], "boolean");
        assert_eq!(properties["online"]["type"], "boolean");
        assert_eq!(words("format"), serde_json::json!(["json", "md"]));
        assert_eq!(properties["format"]["default"], "json");
    }

    #[test]
    fn arguments_called_like_keywords_keep_their_place() {
        let schema = compact(serde_json::json!({
            "title": "X", "properties": {"title": {"type": ["string", "null"], "title": "T"}}
        }));
        assert_eq!(
            schema,
            serde_json::json!({"properties": {"title": {"type": "string"}}})
        );
    }
}
