//! Calls with arguments that a tool does not have: other names, as clients of the predecessor send them, and unknown
//! arguments. Such calls are answered, with a note on the arguments that were left out.

use engine::{EngineError, names};
use serde_json::{Map, Value};

/// Arguments with another name here, by operation.
const OTHER_NAMES: [(&str, &str, &str); 4] = [
    (names::ARCH_CHECK, "path", "scope"),
    (names::BOUNDARY, "file", "path"),
    (names::FEDERATION, "query", "symbol"),
    (names::IMPACT, "file", "symbol"),
];

/// The most unknown arguments that are left out. Each costs another parsing of the call, and a client that sends more means
/// another tool.
const MOST_LEFT_OUT: usize = 20;

/// The most characters of a quoted name, and of all such names, so that the answer keeps to its budget.
const LONGEST_NAME: usize = 60;
const LONGEST_LIST: usize = 200;

/// Arguments, by operation, that ask for what the operation does anyway. `format: "json"` is one for every operation.
const ALWAYS_NAMED: [(&str, &str); 3] = [
    (names::AST_DELTA, "action"),
    (names::COD, "action"),
    (names::IMPACT, "action"),
];

/// Words in names of arguments that limit what a call does. A call that writes is not done without them.
const LIMITING: [&str; 9] = [
    "dry", "simulate", "preview", "check", "confirm", "only", "except", "exclude", "backup",
];

/// Renames arguments to the names that they have here.
pub(super) fn rename_arguments(operation: &str, arguments: &mut Map<String, Value>) {
    for (of, old, new) in OTHER_NAMES {
        // `file: true` is an argument of impact itself.
        let is_text = arguments.get(old).is_some_and(Value::is_string);
        let is_free = arguments.get(new).is_none_or(|value| value == "");
        if of == operation
            && is_text
            && is_free
            && let Some(value) = arguments.remove(old)
        {
            arguments.insert(new.to_owned(), value);
        }
    }
}

/// Answers a call without the arguments that are refused as unknown. The answer names them.
///
/// A request is parsed before any work is done, so a second attempt does nothing twice.
pub(super) fn answer_what_is_known(
    operation: &str,
    mut arguments: Map<String, Value>,
    writes: impl Fn(&Map<String, Value>) -> bool,
    answer: impl Fn(Map<String, Value>) -> Result<String, EngineError>,
) -> Result<String, EngineError> {
    let mut left_out = Vec::new();
    loop {
        let error = match answer(arguments.clone()) {
            Ok(text) => return Ok(with_warnings(text, left_out)),
            Err(error) => error,
        };
        let may_leave_out = left_out.len() < MOST_LEFT_OUT;
        let unknown = unknown_argument(&error).filter(|_| may_leave_out);
        let Some((name, value)) = unknown.and_then(|name| arguments.remove_entry(&name)) else {
            return Err(shorten_error(error));
        };
        let is_json = name == "format" && value == "json";
        if !is_json && !ALWAYS_NAMED.contains(&(operation, name.as_str())) {
            let shown: String = name.chars().take(LONGEST_NAME).collect();
            left_out.push(if name == "format" && value.is_string() {
                DroppedArgument::Format
            } else {
                DroppedArgument::Unknown(shown)
            });
            if writes(&arguments) && is_limiting(&name) {
                return Err(shorten_error(error));
            }
        }
    }
}

/// An argument without which a call was answered.
enum DroppedArgument {
    /// The answer has one form only.
    Format,
    Unknown(String),
}

fn is_limiting(name: &str) -> bool {
    let name = name.to_lowercase();
    LIMITING.iter().any(|word| name.contains(word))
}

/// The argument that a request was refused for, as serde words it. The words must begin the message: errors of an operation
/// may repeat text of the repository.
fn unknown_argument(error: &EngineError) -> Option<String> {
    let rest = error
        .message
        .strip_prefix("wrong arguments: unknown field `")?;
    Some(rest.split('`').next()?.to_owned())
}

/// Cuts an error's message: serde repeats a name whole, however long it is.
fn shorten_error(mut error: EngineError) -> EngineError {
    const LONGEST_MESSAGE: usize = 2_000;
    if error.message.len() > LONGEST_MESSAGE {
        error.message = error.message.chars().take(LONGEST_MESSAGE).collect();
    }
    error
}

/// The warning on arguments that were left out, if there are any.
fn warning_of(left_out: &[DroppedArgument]) -> Option<String> {
    let unknown = left_out.iter().filter_map(|one| match one {
        DroppedArgument::Unknown(name) => Some(name.as_str()),
        DroppedArgument::Format => None,
    });
    let unknown: Vec<&str> = unknown.collect();
    let mut names = guard::text::escape_line(&unknown.join(", ")).into_owned();
    if names.len() > LONGEST_LIST {
        names = names.chars().take(LONGEST_LIST).chain(['…']).collect();
    }
    match (unknown.len(), left_out.len()) {
        (0, 0) => None,
        (0, _) => Some("this tool answers in JSON; `format` was left out".to_owned()),
        (1, _) => Some(format!(
            "the argument `{names}` is not known here and was left out"
        )),
        (many, _) => Some(format!(
            "{many} arguments are not known here and were left out: {names}"
        )),
    }
}

fn with_warnings(text: String, left_out: Vec<DroppedArgument>) -> String {
    let Some(warning) = warning_of(&left_out) else {
        return text;
    };
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(mut fields)) => {
            let entry = fields
                .entry("warnings")
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = entry {
                list.push(warning.into());
            }
            Value::Object(fields).to_string()
        }
        // Parsers of diagrams accept nothing but comments.
        _ if is_diagram(&text) => format!("{text}\n%% warning: {warning}"),
        _ => format!("{text}\nwarning: {warning}"),
    }
}

fn is_diagram(text: &str) -> bool {
    ["flowchart ", "graph ", "%%"]
        .iter()
        .any(|word| text.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Request {
        path: String,
    }

    fn ask(operation: &str, arguments: Value) -> Result<String, EngineError> {
        let Value::Object(mut arguments) = arguments else {
            panic!("no object");
        };
        rename_arguments(operation, &mut arguments);
        let writes = |arguments: &Map<String, Value>| arguments["path"] == "written";
        answer_what_is_known(operation, arguments, writes, |arguments| {
            let request: Request = serde_json::from_value(Value::Object(arguments))
                .map_err(|e| EngineError::bad_arguments(format!("wrong arguments: {e}")))?;
            Ok(json!({ "path": request.path }).to_string())
        })
    }

    #[test]
    fn what_is_not_known_is_left_out_and_said() {
        let answer = ask(
            "boundary",
            json!({"file": "a.py", "days": 3, "format": "json"}),
        )
        .unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&answer).unwrap(),
            json!({"path": "a.py", "warnings": ["the argument `days` is not known here and was left out"]})
        );
        // A name of this program takes precedence over an older one.
        let answer = ask("boundary", json!({"path": "b.py", "file": "a.py"})).unwrap();
        assert!(
            answer.contains("b.py") && answer.contains("the argument `file`"),
            "{answer}"
        );
        assert_eq!(
            ask("cod", json!({"path": "a", "action": "generate"})).unwrap(),
            "{\"path\":\"a\"}"
        );
    }

    #[test]
    fn a_call_of_many_unknown_arguments_is_refused_soon() {
        let call = |count: usize| {
            let mut arguments = Map::new();
            arguments.insert("path".to_owned(), "a".into());
            for n in 0..count {
                arguments.insert(format!("x{n}"), 1.into());
            }
            let asked = std::cell::Cell::new(0);
            let answer = answer_what_is_known(
                "boundary",
                arguments,
                |_| false,
                |arguments| {
                    asked.set(asked.get() + 1);
                    let request: Result<Request, _> =
                        serde_json::from_value(Value::Object(arguments));
                    let request = request
                        .map_err(|e| EngineError::bad_arguments(format!("wrong arguments: {e}")))?;
                    Ok(json!({ "path": request.path }).to_string())
                },
            );
            (answer.is_ok(), asked.get())
        };
        assert_eq!(call(MOST_LEFT_OUT), (true, MOST_LEFT_OUT + 1));
        assert_eq!(call(10_000), (false, MOST_LEFT_OUT + 1));
        let long = ask("boundary", json!({"path": "a", ("x".repeat(100_000)): 1})).unwrap();
        assert!(long.len() < 200, "{}", long.len());
    }

    #[test]
    fn what_is_wrong_is_still_refused() {
        for arguments in [
            json!({}),
            json!({"path": 1}),
            json!({"path": 1, "other": 2}),
            json!({"path": "written", "dry_run": true}),
            json!({"path": "written", "confirmOnly": 1}),
        ] {
            assert!(ask("boundary", arguments).is_err());
        }
        let answer = ask("boundary", json!({"path": "written", "colour": 1})).unwrap();
        assert!(answer.contains("the argument `colour`"), "{answer}");
        let answer = ask("boundary", json!({"path": "a", "format": "text"})).unwrap();
        assert!(answer.contains("answers in JSON"), "{answer}");
    }

    #[test]
    fn a_text_has_the_warning_below_it() {
        let text = with_warnings(
            "# Title".to_owned(),
            vec![DroppedArgument::Unknown("x\ny".to_owned())],
        );
        assert_eq!(
            text,
            "# Title\nwarning: the argument `x\\ny` is not known here and was left out"
        );
    }
}
