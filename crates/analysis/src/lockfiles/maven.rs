//! `pom.xml`: dependencies of a module, with versions from its properties and its parents in the repository.

use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_name, folder_of};
use roxmltree::{Document, Node};
use rustc_hash::FxHashMap;

/// Most parents above a module that are read.
const MOST_PARENTS: usize = 8;

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let own = parse(text)?;
    let mut poms = vec![own];
    // A parent that is missing or damaged adds nothing.
    let mut at = path.to_owned();
    while poms.len() <= MOST_PARENTS {
        let Some(parent) = poms.last().and_then(|pom| parent_of(pom, &at)) else {
            break;
        };
        match manifests.get(&parent).map(parse) {
            Some(Ok(pom)) => poms.push(pom),
            _ => break,
        }
        at = parent;
    }
    let mut table = LockfileBuilder::new(Ecosystem::Maven, "pom.xml");
    let poms = Poms::new(&poms);
    let root = poms.expand_properties(text_of(poms.roots[0], "artifactId").unwrap_or_default());
    let root = if root.is_empty() {
        folder_name(path)
    } else {
        root
    };
    table.add_root(&root);
    for (depth, pom) in poms.roots.iter().enumerate() {
        if depth > 0 && declares_no_dependencies(*pom) {
            continue;
        }
        for dependency in dependencies(*pom) {
            let name = poms.package_name(dependency);
            let managed = poms.managed_dependency(&name);
            let word = |key: &str| {
                let own = text_of(dependency, key);
                own.or_else(|| managed.and_then(|m| text_of(m, key)))
            };
            // A folder of the same repository is no package of the registry.
            let is_own = word("version") == Some("${project.version}");
            if is_own {
                continue;
            }
            let version = poms.expand_properties(word("version").unwrap_or_default());
            let dev = word("scope") == Some("test");
            let number = table.add_package(&name, &version);
            table.add_direct_dependency(&root, number, dev);
        }
    }
    Ok(table)
}

/// Most namespace declarations in a file; each element looks through all that hold for it.
const MOST_NAMESPACES: usize = 100;

/// Reads a file of XML, unless it declares too many namespaces.
pub(super) fn parse_xml(text: &str) -> Result<Document<'_>, ParseError> {
    if text.matches("xmlns").nth(MOST_NAMESPACES).is_some() {
        let reason = format!("more than {MOST_NAMESPACES} declarations of namespaces");
        return Err(ParseError::without_line(reason));
    }
    Document::parse(text)
        .map_err(|e| ParseError::at_line(e.pos().row as usize, format!("no XML: {e}")))
}

fn parse(text: &str) -> Result<Document<'_>, ParseError> {
    let file = parse_xml(text)?;
    match file.root_element().tag_name().name() {
        "project" => Ok(file),
        other => Err(ParseError::without_line(format!(
            "<{other}> instead of <project>"
        ))),
    }
}

/// Path of the parent's POM.
fn parent_of(pom: &Document<'_>, path: &str) -> Option<String> {
    let parent = child(pom.root_element(), "parent")?;
    let relative = text_of(parent, "relativePath").unwrap_or("../pom.xml");
    let mut parts: Vec<&str> = folder_of(path)
        .split('/')
        .filter(|p| !p.is_empty())
        .collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    if parts.last().is_some_and(|last| !last.ends_with(".xml")) {
        parts.push("pom.xml");
    }
    Some(parts.join("/"))
}

fn declares_no_dependencies(pom: Node<'_, '_>) -> bool {
    child(pom, "dependencies").is_none()
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|c| c.tag_name().name() == name)
}

fn text_of<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let text = child(node, name)?.text()?.trim();
    (!text.is_empty()).then_some(text)
}

fn dependencies<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    let list = child(node, "dependencies");
    let inner = list.into_iter().flat_map(|list| list.children());
    inner.filter(|c| c.tag_name().name() == "dependency")
}

/// Most bytes of the text of a property, a name or a version; a longer one is ignored.
const LONGEST: usize = 1_000;

/// Texts of a node's children by their names; of equal names the first.
type ChildTexts<'a> = FxHashMap<&'a str, &'a str>;

fn child_texts<'a>(node: Option<Node<'a, '_>>) -> ChildTexts<'a> {
    let mut words = ChildTexts::default();
    for child in node.into_iter().flat_map(|node| node.children()) {
        let text = child.text().map(str::trim).filter(|text| !text.is_empty());
        if let (true, Some(text)) = (child.is_element(), text) {
            words.entry(child.tag_name().name()).or_insert(text);
        }
    }
    words
}

/// Values of the properties of a module.
struct Properties<'a> {
    /// Properties of the project, with those that it has from its parent.
    project: ChildTexts<'a>,
    parent: ChildTexts<'a>,
    written: ChildTexts<'a>,
}

/// A module and its parents, nearest first.
struct Poms<'a, 'i> {
    roots: Vec<Node<'a, 'i>>,
    properties: Vec<Properties<'a>>,
    /// Entry of each package in `dependencyManagement`; of several the nearest and first.
    managed: FxHashMap<String, Node<'a, 'i>>,
}

impl<'a, 'i> Poms<'a, 'i> {
    fn new(poms: &'a [Document<'i>]) -> Poms<'a, 'i> {
        let roots: Vec<Node<'a, 'i>> = poms.iter().map(Document::root_element).collect();
        let properties = roots.iter().map(|root| Properties {
            project: child_texts(Some(*root)),
            parent: child_texts(child(*root, "parent")),
            written: child_texts(child(*root, "properties")),
        });
        let mut poms = Poms {
            properties: properties.collect(),
            roots,
            managed: FxHashMap::default(),
        };
        let lists = poms.roots.iter();
        let lists: Vec<Node<'a, 'i>> = lists
            .filter_map(|root| child(*root, "dependencyManagement"))
            .collect();
        for dependency in lists.into_iter().flat_map(dependencies) {
            let name = poms.package_name(dependency);
            poms.managed.entry(name).or_insert(dependency);
        }
        poms
    }

    /// `group:artifact`.
    fn package_name(&self, dependency: Node<'_, '_>) -> String {
        let word = |key| self.expand_properties(text_of(dependency, key).unwrap_or_default());
        format!("{}:{}", word("groupId"), word("artifactId"))
    }

    /// Entry of a package in `dependencyManagement`.
    fn managed_dependency(&self, name: &str) -> Option<Node<'a, 'i>> {
        self.managed.get(name).copied()
    }

    /// A text with its `${properties}` expanded; empty if one is not known, or if the text is too long.
    fn expand_properties(&self, text: &str) -> String {
        if text.len() > LONGEST {
            return String::new();
        }
        let mut out = text.to_owned();
        // A property may contain another.
        for _ in 0..8 {
            let Some((before, rest)) = out.split_once("${") else {
                return out;
            };
            let Some((key, after)) = rest.split_once('}') else {
                return out;
            };
            match self.property_value(key) {
                Some(value) if value.len() <= LONGEST => out = format!("{before}{value}{after}"),
                _ => return String::new(),
            }
        }
        String::new()
    }

    fn property_value(&self, key: &str) -> Option<&'a str> {
        let bare = key.strip_prefix("project.");
        self.properties.iter().find_map(|of| match bare {
            Some(key) => of.project.get(key).or_else(|| of.parent.get(key)).copied(),
            None => of.written.get(key).copied(),
        })
    }
}
