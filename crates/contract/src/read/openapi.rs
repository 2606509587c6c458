//! OpenAPI 2 and 3, as YAML or JSON: operations with method and path, and schemas. References are names here and are never
//! followed, so schemas that refer to themselves do no harm.

use super::{LONGEST_NAME, MOST_ENTRIES, MOST_INPUTS, name};
use crate::path::strip_host;
use crate::{Contract, ContractType, DeclaredType, HttpRoute, Operation};
use text::yaml::{self, ErrorKind, Field, Value};

/// The bytes of a text that are examined for its type.
const HEAD: usize = 16 << 10;

const LIMITS: yaml::Options = yaml::Options {
    events: 1_000_000,
    depth: 100,
    odd_key: Some(""),
    refuse_aliases: false,
};

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Whether a YAML or JSON text declares that it is OpenAPI.
pub fn is_openapi(text: &str) -> bool {
    let head = text.get(..HEAD).unwrap_or_else(|| {
        let end = (0..=HEAD.min(text.len())).rfind(|at| text.is_char_boundary(*at));
        &text[..end.unwrap_or(0)]
    });
    let is_key = |line: &str| {
        let line = line.trim_start_matches(['{', ' ', '\t']);
        let keys = [
            "openapi:",
            "swagger:",
            "\"openapi\"",
            "\"swagger\"",
            "'openapi'",
            "'swagger'",
        ];
        keys.iter().any(|key| line.starts_with(key))
    };
    head.lines().any(is_key) || head.contains("{\"openapi\":") || head.contains("{\"swagger\":")
}

/// Reads a document.
pub fn read_openapi(path: &str, text: &str) -> Contract {
    let mut contract = Contract::new(path, ContractType::OpenApi);
    let root = match yaml::read(text, LIMITS) {
        Ok(Some((_, root))) => root,
        Ok(None) => return contract,
        Err(error) => {
            let reason = match error.kind {
                ErrorKind::Syntax(reason) => reason,
                ErrorKind::Limits => "too long, or nested too deeply".to_owned(),
                ErrorKind::Key => "a key is no text".to_owned(),
                ErrorKind::Alias => "a reference".to_owned(),
            };
            contract.problem(error.line as u32, reason);
            return contract;
        }
    };
    let title = root.get("info").and_then(|info| info.get("title"));
    contract.package = title.and_then(Value::text).map(name);
    let base = base_path(&root);
    for field in fields(root.get("paths")) {
        let (path, at, item) = (field.key.as_str(), field.line as u32, &field.value);
        if contract.operations.len() >= MOST_ENTRIES {
            contract.problem(at, "the rest is left out: there is too much of it");
            break;
        }
        if !path.starts_with('/') {
            if !path.starts_with("x-") {
                contract.problem(at, format!("a path begins with /: {}", name(path)));
            }
            continue;
        }
        let path = format!("{base}{path}");
        if path.len() > LONGEST_NAME {
            contract.problem(at, "a path that long is left out");
            continue;
        }
        read_path(&mut contract, &path, item);
    }
    let schemas = [
        root.get("definitions"),
        root.get("components").and_then(|c| c.get("schemas")),
    ];
    for schema in schemas.into_iter().flat_map(fields).take(MOST_ENTRIES) {
        let fields = schema.value.below("properties");
        let fields = fields.map(|(field, _)| name(field));
        contract.types.push(DeclaredType {
            name: name(&schema.key),
            line: schema.line as u32,
            fields: fields.collect(),
        });
    }
    contract
}

/// The fields of a mapping; none of any other value.
fn fields(value: Option<&Value>) -> &[Field] {
    match value {
        Some(Value::Map(fields)) => fields,
        _ => &[],
    }
}

/// The path before every path: `basePath`, or the path of the first server.
fn base_path(root: &Value) -> String {
    let server = match root.get("servers") {
        Some(Value::List(servers)) => servers.first().and_then(|(_, s)| s.get("url")),
        _ => None,
    };
    let base = root.get("basePath").or(server).and_then(Value::text);
    let (_, path) = strip_host(base.unwrap_or_default());
    let path = path.trim_end_matches('/');
    if path.contains('{') {
        return String::new();
    }
    match path {
        "" => String::new(),
        path if path.starts_with('/') => path.to_owned(),
        path => format!("/{path}"),
    }
}

fn read_path(contract: &mut Contract, path: &str, item: &Value) {
    let shared = parameters(item);
    let mut known = [false; METHODS.len()];
    for field in fields(Some(item)) {
        let (method, line, operation) = (field.key.as_str(), field.line as u32, &field.value);
        let lower = method.to_ascii_lowercase();
        let Some(at) = METHODS.iter().position(|method| *method == lower) else {
            continue;
        };
        // The same method again, in other letters.
        if std::mem::replace(&mut known[at], true) {
            continue;
        }
        let method = lower.to_ascii_uppercase();
        let id = operation.get("operationId").and_then(Value::text);
        let tag = match operation.get("tags") {
            Some(Value::List(tags)) => tags.first().and_then(|(_, tag)| tag.text()),
            _ => None,
        };
        let mut inputs = parameters(operation);
        inputs.extend(shared.iter().cloned());
        inputs.extend(operation.get("requestBody").map(|body| {
            let named = schema_of_content(body);
            named.unwrap_or_else(|| "body".to_owned())
        }));
        inputs.truncate(MOST_INPUTS);
        let id = id.map(name);
        contract.operations.push(Operation {
            service: tag.map(name),
            name: id.unwrap_or_else(|| format!("{method} {path}")),
            line,
            inputs,
            output: response(operation),
            http: vec![HttpRoute {
                method,
                path: path.to_owned(),
            }],
        });
    }
}

/// Names of types of the parameters of an operation or a path.
fn parameters(value: &Value) -> Vec<String> {
    let Some(Value::List(all)) = value.get("parameters") else {
        return Vec::new();
    };
    let type_of = |parameter: &Value| -> String {
        let schema = parameter.get("schema");
        let named = [Some(parameter), schema].into_iter().flatten();
        let mut named = named.filter_map(|v| reference(v).or_else(|| v.get("type")?.text()));
        name(named.next().unwrap_or("any"))
    };
    all.iter()
        .take(MOST_INPUTS)
        .map(|(_, parameter)| type_of(parameter))
        .collect()
}

/// The last name of a reference.
fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.text()?.rsplit('/').next()
}

/// The type of the content of a body or a response.
fn schema_of_content(value: &Value) -> Option<String> {
    let direct = value.get("schema");
    let content = value
        .below("content")
        .find_map(|(_, media)| media.get("schema"));
    let schema = content.or(direct)?;
    let items = schema.get("items").and_then(reference);
    reference(schema).or(items).map(name)
}

fn response(operation: &Value) -> Option<String> {
    let mut good = operation
        .below("responses")
        .filter(|(code, _)| code.starts_with('2'));
    good.find_map(|(_, response)| schema_of_content(response))
}
