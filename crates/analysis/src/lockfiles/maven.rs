//! `pom.xml`: what a module asks for, with versions from its properties and its parents in the repository.

use super::table::Table;
use super::{Broken, Ecosystem, Manifests, folder_name, folder_of};
use roxmltree::{Document, Node};

/// Parents above a module that are read.
const MOST_PARENTS: usize = 8;

pub(super) fn read(path: &str, text: &str, manifests: &Manifests) -> Result<Table, Broken> {
    let own = parse(text)?;
    let mut poms = vec![own];
    // A parent that is missing or damaged has nothing to say.
    let mut at = path.to_owned();
    while poms.len() <= MOST_PARENTS {
        let Some(parent) = poms.last().and_then(|pom| parent_of(pom, &at)) else {
            break;
        };
        match manifests.get(&parent).map(|text| parse(text)) {
            Some(Ok(pom)) => poms.push(pom),
            _ => break,
        }
        at = parent;
    }
    let mut table = Table::new(Ecosystem::Maven, "pom.xml");
    let poms = Poms(poms.iter().map(Document::root_element).collect());
    let root = poms.filled(text_of(poms.0[0], "artifactId").unwrap_or_default());
    let root = if root.is_empty() {
        folder_name(path)
    } else {
        root
    };
    table.root(&root);
    for (depth, pom) in poms.0.iter().enumerate() {
        for dependency in dependencies(*pom) {
            let name = poms.name(dependency);
            let managed = poms.managed(&name);
            let word = |key: &str| {
                let own = text_of(dependency, key);
                own.or_else(|| managed.and_then(|m| text_of(m, key)))
            };
            // A folder of the same repository is no package of the registry.
            let is_own = word("version") == Some("${project.version}");
            if is_own || (depth > 0 && is_managed_only(*pom)) {
                continue;
            }
            let version = poms.filled(word("version").unwrap_or_default());
            let dev = word("scope") == Some("test");
            let number = table.package(&name, &version);
            table.direct(&root, number, dev);
        }
    }
    Ok(table)
}

fn parse(text: &str) -> Result<Document<'_>, Broken> {
    let file = Document::parse(text)
        .map_err(|e| Broken::at(e.pos().row as usize, format!("no XML: {e}")))?;
    match file.root_element().tag_name().name() {
        "project" => Ok(file),
        other => Err(Broken::whole(format!("<{other}> instead of <project>"))),
    }
}

/// Where the parent's file lies.
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

fn is_managed_only(pom: Node<'_, '_>) -> bool {
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

/// A module and its parents, nearest first.
struct Poms<'a, 'i>(Vec<Node<'a, 'i>>);

impl<'a, 'i> Poms<'a, 'i> {
    /// `group:artifact`.
    fn name(&self, dependency: Node<'_, '_>) -> String {
        let word = |key| self.filled(text_of(dependency, key).unwrap_or_default());
        format!("{}:{}", word("groupId"), word("artifactId"))
    }

    /// What `dependencyManagement` says of a package.
    fn managed(&self, name: &str) -> Option<Node<'a, 'i>> {
        let lists = self
            .0
            .iter()
            .filter_map(|pom| child(*pom, "dependencyManagement"));
        lists
            .flat_map(dependencies)
            .find(|dependency| self.name(*dependency) == name)
    }

    /// A text with its `${properties}`; empty where one is not known.
    fn filled(&self, text: &str) -> String {
        let mut out = text.to_owned();
        // A property may stand for another.
        for _ in 0..8 {
            let Some((before, rest)) = out.split_once("${") else {
                return out;
            };
            let Some((key, after)) = rest.split_once('}') else {
                return out;
            };
            match self.property(key) {
                Some(value) => out = format!("{before}{value}{after}"),
                None => return String::new(),
            }
        }
        String::new()
    }

    fn property(&self, key: &str) -> Option<&'a str> {
        let bare = key.strip_prefix("project.");
        let mut poms = self.0.iter();
        poms.find_map(|pom| match bare {
            Some(key) => {
                let parent = child(*pom, "parent");
                text_of(*pom, key).or_else(|| text_of(parent?, key))
            }
            None => text_of(child(*pom, "properties")?, key),
        })
    }
}
