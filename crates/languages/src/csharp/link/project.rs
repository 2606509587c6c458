//! What a project file (`.csproj`) says about all files of the project.

use roxmltree::{Document, Node, ParsingOptions};

/// Most elements of a project file that are read.
const MOST_NODES: u32 = 100_000;
/// Most usings of a project: each name of a file may be looked up in each of them.
const MOST_USINGS: usize = 200;

/// A `<Using Include="…" />`: a `using` for every file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProjectUsing {
    /// The namespace; of a static one the type.
    pub(super) name: String,
    pub(super) is_static: bool,
}

/// The usings of a project file. Those under a condition may not hold, and are left out, as aliases are.
pub(super) fn usings(text: &str) -> Vec<ProjectUsing> {
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    // A file of another program may begin with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let Ok(document) = Document::parse_with_options(text, options) else {
        return Vec::new();
    };
    let is_always = |node: &Node<'_, '_>| !node.has_attribute("Condition");
    let groups = document.root_element().children().filter(is_always);
    let items = groups.flat_map(|group| group.children());
    items
        .filter(|item| item.tag_name().name() == "Using" && is_always(item))
        .filter(|item| !item.has_attribute("Alias"))
        .filter_map(|item| {
            let is_static = item.attribute("Static");
            Some(ProjectUsing {
                name: item.attribute("Include")?.trim().to_owned(),
                is_static: is_static.is_some_and(|word| word.eq_ignore_ascii_case("true")),
            })
        })
        .take(MOST_USINGS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usings_without_a_condition_are_read() {
        let found = usings(
            "\u{feff}<Project Sdk=\"x\"><ItemGroup><Using Include=\" A.B \" /><Using Include=\"A.C\" Static=\"True\"/>\
             <Using Include=\"D\" Alias=\"E\"/><Using Include=\"F\" Condition=\"x\"/><Using Remove=\"G\"/></ItemGroup>\
             <ItemGroup Condition=\"y\"><Using Include=\"H\"/></ItemGroup></Project>",
        );
        let of = |name: &str, is_static| ProjectUsing {
            name: name.to_owned(),
            is_static,
        };
        assert_eq!(found, [of("A.B", false), of("A.C", true)]);
        assert_eq!(usings("<Project"), []);
    }
}
