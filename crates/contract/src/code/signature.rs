//! The types of a function's parameters, read from its signature.

use base::Language;

/// The parameter types in a signature, for languages that write them. The receiver is left out.
pub(super) fn parameter_types(
    signature: &str,
    name: &str,
    language: Language,
) -> Option<Vec<String>> {
    let at = signature.find(name).unwrap_or(0);
    let list = parenthesised(&signature[at..])?;
    if language == Language::Go {
        return Some(go_types(list));
    }
    let mut types = Vec::new();
    for parameter in split_top_level(list) {
        let parameter = parameter.trim();
        let plain = parameter.trim_start_matches(['&', '*']).trim();
        let is_receiver = matches!(plain, "self" | "mut self" | "cls" | "this")
            || plain.starts_with("self:")
            || plain.starts_with("'a self");
        if parameter.is_empty() || is_receiver {
            continue;
        }
        types.push(type_of_parameter(parameter, language));
    }
    Some(types)
}

/// The types of Go's parameters: all of them have names, or none has. Names before a comma share the type that follows.
fn go_types(list: &str) -> Vec<String> {
    let all: Vec<&str> = split_top_level(list)
        .into_iter()
        .map(str::trim)
        .filter(|parameter| !parameter.is_empty())
        .collect();
    let type_of = |parameter: &&str| {
        parameter
            .split_once(' ')
            .map(|(_, ty)| ty.trim().to_owned())
    };
    if all.iter().all(|parameter| type_of(parameter).is_none()) {
        return all.into_iter().map(str::to_owned).collect();
    }
    let mut next = String::new();
    let mut types: Vec<String> = Vec::with_capacity(all.len());
    for parameter in all.iter().rev() {
        next = type_of(parameter).unwrap_or(next);
        types.push(next.clone());
    }
    types.reverse();
    types
}

fn type_of_parameter(parameter: &str, language: Language) -> String {
    let without_default = parameter.split('=').next().unwrap_or(parameter).trim();
    let written = match language {
        // `Type name`
        Language::Java | Language::CSharp | Language::C | Language::Cpp => {
            without_default.rsplit_once(' ').map_or("", |(ty, _)| ty)
        }
        _ => without_default.split_once(':').map_or("", |(_, ty)| ty),
    };
    written.trim().to_owned()
}

/// The text between the first parenthesis and the one that closes it.
fn parenthesised(text: &str) -> Option<&str> {
    let start = text.find('(')? + 1;
    let mut depth = 1;
    for (at, c) in text[start..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[start..start + at]);
        }
    }
    Some(&text[start..])
}

/// The parts between commas outside of brackets.
fn split_top_level(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0i32, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, name: &str, signature: &str) -> Vec<String> {
        parameter_types(signature, name, language).unwrap()
    }

    #[test]
    fn types_of_parameters_are_read_from_signatures() {
        let go = "func (s *Server) GetUser(ctx context.Context, req *pb.GetUserRequest) (*pb.User, error)";
        assert_eq!(
            check(Language::Go, "GetUser", go),
            ["context.Context", "*pb.GetUserRequest"]
        );
        let unnamed = "func (p *catalog) List(context.Context, *pb.Empty) (*pb.Products, error)";
        assert_eq!(
            check(Language::Go, "List", unnamed),
            ["context.Context", "*pb.Empty"]
        );
        let shared = "func Copy(from, to string, n int)";
        assert_eq!(
            check(Language::Go, "Copy", shared),
            ["string", "string", "int"]
        );
        let java = "public void getAds(AdRequest req, StreamObserver<AdResponse> out)";
        assert_eq!(
            check(Language::Java, "getAds", java),
            ["AdRequest", "StreamObserver<AdResponse>"]
        );
        let python = "def list(self, request, context):";
        assert_eq!(check(Language::Python, "list", python), ["", ""]);
        let script = "async get(id: Map<string, number>, x = 1): Promise<User>";
        assert_eq!(
            check(Language::TypeScript, "get", script),
            ["Map<string, number>", ""]
        );
        let rust = "async fn say(&self, request: Request<HelloRequest>) -> X";
        assert_eq!(
            check(Language::Rust, "say", rust),
            ["Request<HelloRequest>"]
        );
    }
}
