//! What `pyproject.toml` asks for: PEP 621, PEP 735 and Poetry's own tables.

use super::python::{normal, required};
use super::{Manifests, folder_of, toml};
use ::toml::{Table, Value};

/// Name of the project, and what it asks for with whether that is for development alone. None where there is no manifest.
pub(super) fn beside(lock: &str, manifests: &Manifests) -> Option<(String, Vec<(String, bool)>)> {
    let path = format!("{}pyproject.toml", folder_of(lock));
    let file = toml(manifests.get(&path)?).ok()?;
    let mut needs: Vec<(String, bool)> = Vec::new();
    let project = at(&file, &["project"]);
    listed(
        project.and_then(|p| p.get("dependencies")),
        false,
        &mut needs,
    );
    for extra in tables(project, "optional-dependencies") {
        listed(Some(extra), false, &mut needs);
    }
    for group in tables(Some(&file), "dependency-groups") {
        listed(Some(group), true, &mut needs);
    }
    let poetry = at(&file, &["tool", "poetry"]);
    keyed(
        poetry.and_then(|p| p.get("dependencies")),
        false,
        &mut needs,
    );
    keyed(
        poetry.and_then(|p| p.get("dev-dependencies")),
        true,
        &mut needs,
    );
    let groups = poetry.and_then(|p| p.get("group")?.as_table());
    for (name, group) in groups.into_iter().flatten() {
        keyed(group.get("dependencies"), name != "main", &mut needs);
    }
    let name = |table: Option<&Table>| table?.get("name")?.as_str().map(str::to_owned);
    let named = name(project).or_else(|| name(poetry));
    Some((named.unwrap_or_else(|| super::folder_name(lock)), needs))
}

fn at<'a>(table: &'a Table, keys: &[&str]) -> Option<&'a Table> {
    keys.iter()
        .try_fold(table, |t, key| t.get(*key)?.as_table())
}

fn tables<'a>(table: Option<&'a Table>, key: &str) -> impl Iterator<Item = &'a Value> {
    let inner = table.and_then(|t| t.get(key)?.as_table());
    inner.into_iter().flat_map(|t| t.values())
}

fn listed(list: Option<&Value>, dev: bool, needs: &mut Vec<(String, bool)>) {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let names = list.filter_map(|item| required(item.as_str()?));
    needs.extend(names.map(|name| (name, dev)));
}

fn keyed(table: Option<&Value>, dev: bool, needs: &mut Vec<(String, bool)>) {
    let table = table.and_then(Value::as_table).into_iter();
    let names = table.flat_map(|t| t.keys()).filter(|key| *key != "python");
    needs.extend(names.map(|name| (normal(name), dev)));
}
