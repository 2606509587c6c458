//! Dependencies in `pyproject.toml`: PEP 621, PEP 735 and Poetry's own tables.

use super::python::{normalize_name, requirement_name};
use super::{Manifests, folder_of, parse_toml};
use ::toml::{Table, Value};

/// Name of the project, and its dependencies, each with whether it is for development alone. `None` if there is no manifest.
pub(super) fn read_project_beside(
    lock: &str,
    manifests: &Manifests,
) -> Option<(String, Vec<(String, bool)>)> {
    let path = format!("{}pyproject.toml", folder_of(lock));
    let file = parse_toml(manifests.get(&path)?).ok()?;
    let mut needs: Vec<(String, bool)> = Vec::new();
    let project = nested_table(&file, &["project"]);
    add_requirement_list(
        project.and_then(|p| p.get("dependencies")),
        false,
        &mut needs,
    );
    for extra in values_of_table(project, "optional-dependencies") {
        add_requirement_list(Some(extra), false, &mut needs);
    }
    for group in values_of_table(Some(&file), "dependency-groups") {
        add_requirement_list(Some(group), true, &mut needs);
    }
    let poetry = nested_table(&file, &["tool", "poetry"]);
    add_dependency_keys(
        poetry.and_then(|p| p.get("dependencies")),
        false,
        &mut needs,
    );
    add_dependency_keys(
        poetry.and_then(|p| p.get("dev-dependencies")),
        true,
        &mut needs,
    );
    let groups = poetry.and_then(|p| p.get("group")?.as_table());
    for (name, group) in groups.into_iter().flatten() {
        add_dependency_keys(group.get("dependencies"), name != "main", &mut needs);
    }
    let name = |table: Option<&Table>| table?.get("name")?.as_str().map(str::to_owned);
    let named = name(project).or_else(|| name(poetry));
    Some((named.unwrap_or_else(|| super::folder_name(lock)), needs))
}

fn nested_table<'a>(table: &'a Table, keys: &[&str]) -> Option<&'a Table> {
    keys.iter()
        .try_fold(table, |t, key| t.get(*key)?.as_table())
}

fn values_of_table<'a>(table: Option<&'a Table>, key: &str) -> impl Iterator<Item = &'a Value> {
    let inner = table.and_then(|t| t.get(key)?.as_table());
    inner.into_iter().flat_map(|t| t.values())
}

fn add_requirement_list(list: Option<&Value>, dev: bool, needs: &mut Vec<(String, bool)>) {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let names = list.filter_map(|item| requirement_name(item.as_str()?));
    needs.extend(names.map(|name| (name, dev)));
}

fn add_dependency_keys(table: Option<&Value>, dev: bool, needs: &mut Vec<(String, bool)>) {
    let table = table.and_then(Value::as_table).into_iter();
    let names = table.flat_map(|t| t.keys()).filter(|key| *key != "python");
    needs.extend(names.map(|name| (normalize_name(name), dev)));
}
