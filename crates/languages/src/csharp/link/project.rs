//! What a project file (`.csproj`), or a file for all projects of a folder, says about all files of the project.

use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashMap;

/// Maximum number of elements of a project file that are read.
const MOST_NODES: u32 = 100_000;
/// Most usings of a project: each name of a file may be looked up in each of them.
pub(super) const MOST_USINGS: usize = 200;

/// Most declarations of namespaces. Each element looks through all that hold for it, so many of them take a time that grows
/// with the cube.
const MOST_NAMESPACES: usize = 100;

/// Files that the build reads for each project below their folder: the nearest one of each name. What they import by
/// a path is not read, since such paths have variables.
pub(super) const SHARED_FILES: [&str; 2] = ["Directory.Build.props", "Directory.Build.targets"];

/// A `<Using Include="…" />`: a `using` for every file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProjectUsing {
    /// The namespace, or the type if the using is static.
    pub(super) name: String,
    pub(super) is_static: bool,
}

/// The values of properties, by their names in lower case.
type Properties = FxHashMap<String, String>;

/// What is read of one project file.
#[derive(Debug, Default)]
pub(super) struct ProjectFile {
    properties: Properties,
    usings: Vec<(Option<Condition>, ProjectUsing)>,
}

/// A condition that compares a property with a text: `'$(Name)' == 'text'`.
#[derive(Debug, Clone)]
struct Condition {
    property: String,
    value: String,
}

impl Condition {
    /// Reads a condition of that one form.
    fn parse(text: &str) -> Option<Condition> {
        let unquoted = |side: &str| side.trim().trim_matches('\'').trim().to_ascii_lowercase();
        let (left, right) = text.split_once("==")?;
        let property = unquoted(left);
        let property = property.strip_prefix("$(")?.strip_suffix(')')?;
        let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let value = unquoted(right);
        (is_name(property) && !value.contains('\'') && !value.contains('$')).then(|| Condition {
            property: property.to_owned(),
            value,
        })
    }

    /// Whether it holds for the last value that the files give the property.
    fn holds(&self, files: &[&ProjectFile]) -> bool {
        let mut from_last = files.iter().rev();
        let value = from_last.find_map(|file| file.properties.get(&self.property));
        value.map_or(self.value.is_empty(), |value| *value == self.value)
    }
}

impl ProjectFile {
    /// Reads a project file. A using under a condition of another form may not hold, and is left out, as aliases are.
    pub(super) fn parse(text: &str) -> ProjectFile {
        let options = ParsingOptions {
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        // A file of another program may begin with a mark of its encoding.
        let text = text.trim_start_matches('\u{feff}');
        let mut out = ProjectFile::default();
        if text.matches("xmlns").nth(MOST_NAMESPACES).is_some() {
            return out;
        }
        let Ok(document) = Document::parse_with_options(text, options) else {
            return out;
        };
        let groups = document.root_element().children();
        for group in groups.filter(|node| node.is_element()) {
            match group.tag_name().name() {
                "PropertyGroup" if !group.has_attribute("Condition") => out.read_properties(&group),
                "ItemGroup" => out.read_usings(&group),
                _ => {}
            }
        }
        out
    }

    fn read_properties(&mut self, group: &Node<'_, '_>) {
        for property in group.children().filter(|node| node.is_element()) {
            let name = property.tag_name().name().to_ascii_lowercase();
            let value = property.text().unwrap_or_default().trim();
            if !property.has_attribute("Condition") {
                self.properties.insert(name, value.to_ascii_lowercase());
            }
        }
    }

    fn read_usings(&mut self, group: &Node<'_, '_>) {
        let of_group = group.attribute("Condition").map(Condition::parse);
        for item in group.children().filter(|n| n.tag_name().name() == "Using") {
            let of_item = item.attribute("Condition").map(Condition::parse);
            let condition = match (&of_group, of_item) {
                (None, None) => None,
                (Some(Some(only)), None) => Some(only.clone()),
                (None, Some(Some(only))) => Some(only),
                // Two conditions, or one of another form.
                _ => continue,
            };
            if let (Some(name), false) = (item.attribute("Include"), item.has_attribute("Alias")) {
                let is_static = item.attribute("Static");
                let using = ProjectUsing {
                    name: name.trim().to_owned(),
                    is_static: is_static.is_some_and(|word| word.eq_ignore_ascii_case("true")),
                };
                self.usings.push((condition, using));
            }
            if self.usings.len() == MOST_USINGS {
                return;
            }
        }
    }
}

/// The usings of a project, of all files that the build reads for it, in their order.
pub(super) fn usings(files: &[&ProjectFile]) -> Vec<ProjectUsing> {
    let all = files.iter().flat_map(|file| &file.usings);
    let holding = all.filter(|(condition, _)| {
        condition
            .as_ref()
            .is_none_or(|condition| condition.holds(files))
    });
    holding
        .map(|(_, using)| using.clone())
        .take(MOST_USINGS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, is_static: bool) -> ProjectUsing {
        ProjectUsing {
            name: name.to_owned(),
            is_static,
        }
    }

    #[test]
    fn usings_without_a_condition_are_read() {
        let file = ProjectFile::parse(
            "\u{feff}<Project Sdk=\"x\"><ItemGroup><Using Include=\" A.B \" /><Using Include=\"A.C\" Static=\"True\"/>\
             <Using Include=\"D\" Alias=\"E\"/><Using Include=\"F\" Condition=\"x\"/><Using Remove=\"G\"/></ItemGroup>\
             <ItemGroup Condition=\"y\"><Using Include=\"H\"/></ItemGroup></Project>",
        );
        assert_eq!(usings(&[&file]), [named("A.B", false), named("A.C", true)]);
        assert_eq!(usings(&[&ProjectFile::parse("<Project")]), []);
    }

    #[test]
    fn conditions_on_properties_are_looked_up_in_all_files() {
        let shared = ProjectFile::parse(
            "<Project><ItemGroup Condition=\"'$(Both)' == 'true'\"><Using Include=\"A\"/></ItemGroup>\
             <ItemGroup Condition=\"$(Kind) == 'Test'\"><Using Include=\"B\"/></ItemGroup>\
             <ItemGroup Condition=\"'$(None)' == ''\"><Using Include=\"C\"/></ItemGroup>\
             <ItemGroup Condition=\"'$(Both)' == 'true' And '$(Kind)' == 'Test'\"><Using Include=\"D\"/></ItemGroup></Project>",
        );
        let project = ProjectFile::parse(
            "<Project><PropertyGroup><both>True</both></PropertyGroup>\
             <PropertyGroup Condition=\"x\"><Kind>Test</Kind></PropertyGroup></Project>",
        );
        assert_eq!(
            usings(&[&shared, &project]),
            [named("A", false), named("C", false)]
        );
        assert_eq!(usings(&[&shared]), [named("C", false)]);
    }
}
