//! The tools in the form that clients get: names, descriptions, schemas made from the request types.

use engine::{OPERATIONS, OperationEntry, Tool as Offered, names};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A tool: an operation that is offered to MCP clients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeTool {
    /// The operation.
    pub(crate) operation: &'static OperationEntry,
    offered: Offered,
}

/// The set of tools that a server offers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preset {
    /// The tools that most questions need. The others are answered as well, but are not listed.
    #[default]
    Core,
    /// All tools.
    Full,
}

impl CodeTool {
    fn new(operation: &'static OperationEntry) -> Option<CodeTool> {
        let offered = operation.tool?;
        Some(CodeTool { operation, offered })
    }

    /// All tools, most used first.
    fn all() -> impl Iterator<Item = CodeTool> {
        OPERATIONS.iter().filter_map(CodeTool::new)
    }

    /// The tool's name: `ci_call_chain` for `call-chain`.
    pub(crate) fn name(self) -> String {
        format!("ci_{}", self.operation.name.replace('-', "_"))
    }

    /// The tool of an operation.
    pub(super) fn of_operation(name: &str) -> Option<CodeTool> {
        CodeTool::all().find(|tool| tool.operation.name == name)
    }

    /// The tool with that name.
    pub(crate) fn parse(name: &str) -> Option<CodeTool> {
        CodeTool::all().find(|tool| tool.name() == name)
    }

    /// Whether the rest of a long answer comes on further pages.
    pub(crate) fn has_pages(self) -> bool {
        self.offered.pages
    }

    /// Whether a call builds the index.
    pub(crate) fn builds_index(self, arguments: &Map<String, Value>) -> bool {
        let action = arguments.get("action").and_then(Value::as_str);
        self.operation.name == names::INDEX_STATUS && action == Some("build")
    }

    fn schema(self) -> Value {
        let schema = self.operation.schema();
        match self.operation.name {
            // The symbol is empty with a diff, but the interface requires it in every call.
            names::IMPACT => with_required(schema, "symbol"),
            _ => schema,
        }
    }
}

/// The tools of a preset, most used first.
pub(crate) fn tools_of(preset: Preset) -> Vec<Tool> {
    let chosen = CodeTool::all().filter(|tool| preset == Preset::Full || tool.offered.core);
    let listed = chosen.map(|tool| {
        let mut schema: JsonObject = match compact_schema(tool.schema()) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if tool.has_pages()
            && let Some(Value::Object(properties)) = schema.get_mut("properties")
        {
            properties.insert("cursor".to_owned(), serde_json::json!({"type": "string"}));
        }
        let listed = Tool::new(tool.name(), tool.offered.about, Arc::new(schema))
            .with_title(tool.offered.title);
        with_access(listed, tool.offered.writes)
    });
    listed.collect()
}

/// The tool with a mark that it only reads. One that writes needs none: that is the protocol's default, and each word costs tokens.
pub(super) fn with_access(tool: Tool, writes: bool) -> Tool {
    if writes {
        tool
    } else {
        tool.with_annotations(ToolAnnotations::new().read_only(true))
    }
}

pub(super) fn schema_of<T: JsonSchema>() -> Value {
    schemars::SchemaGenerator::default()
        .into_root_schema_for::<T>()
        .to_value()
}

fn with_required(mut schema: Value, name: &str) -> Value {
    schema["required"] = Value::from(vec![name]);
    schema
}

/// The schema without parts that cost tokens and do not help a model.
pub(super) fn compact_schema(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else {
        return schema;
    };
    for noise in ["$schema", "title", "format"] {
        fields.remove(noise);
    }
    // Only the descriptions of arguments help; that of the whole is the tool's own. Unknown arguments are left out with a note.
    if fields.contains_key("properties") {
        fields.remove("description");
        fields.remove("additionalProperties");
    }
    if fields.get("description").is_some_and(|text| text == "") {
        fields.remove("description");
    }
    // Further fields are allowed anyway.
    if fields.get("additionalProperties") == Some(&Value::Bool(true)) {
        fields.remove("additionalProperties");
    }
    if fields.get("default").is_some_and(is_empty_value) {
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
    if let Some(words) = fields.get("oneOf").and_then(constant_values) {
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
                let properties = properties.into_iter().map(|(k, v)| (k, compact_schema(v)));
                (key, Value::Object(properties.collect()))
            }
            (_, value) => (key, compact_schema(value)),
        });
    Value::Object(fields.collect())
}

/// The words of a list of constants.
fn constant_values(choices: &Value) -> Option<Value> {
    let words = choices
        .as_array()?
        .iter()
        .map(|choice| choice.get("const").cloned());
    words.collect::<Option<Vec<_>>>().map(Value::Array)
}

fn is_empty_value(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Value {
        let all = serde_json::to_value(tools_of(Preset::Full)).unwrap();
        let found = all.as_array().unwrap().iter().find(|t| t["name"] == name);
        found.cloned().unwrap()
    }

    #[test]
    fn the_list_of_tools_is_small() {
        for (preset, most) in [(Preset::Core, 1_000), (Preset::Full, 2_700)] {
            let text = serde_json::to_string(&tools_of(preset)).unwrap();
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
        assert_eq!(properties["limit"]["default"], 10);
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
    fn ct_008_input_of_federation_is_as_the_design_has_it() {
        let schema = &tool("ci_federation")["inputSchema"];
        let properties = &schema["properties"];
        assert_eq!(properties["virtual_edges"]["type"], "boolean");
        assert_eq!(properties["confidence"]["type"], "number");
        assert_eq!(properties["confidence"]["default"], 0.5);
        assert!(schema.get("required").is_none(), "{schema}");
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
        let schema = compact_schema(serde_json::json!({
            "title": "X", "properties": {"title": {"type": ["string", "null"], "title": "T"}}
        }));
        assert_eq!(
            schema,
            serde_json::json!({"properties": {"title": {"type": "string"}}})
        );
    }
}
