//! Ways from the project to a package: the shortest through each dependency of its own.

use super::{Lockfile, Need};
use serde::Serialize;

/// A way from a part of the repository to a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The part's name, then packages as `name@version`, the package itself last.
    pub path: Vec<String>,
    /// Begins with a need for development, tests or the build alone.
    pub dev: bool,
    /// The file does not say what asks for the package.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub indirect: bool,
}

/// Ways to a package, those that ship before those for development, then the shortest; at most `most`, and how many there
/// are. Packages that need each other in a circle are no obstacle.
pub fn routes(file: &Lockfile, package: u32, most: usize) -> (Vec<Route>, usize) {
    let next = towards(file, package);
    let mut found: Vec<(&Need, u32, &str)> = Vec::new();
    for root in &file.roots {
        for need in &root.needs {
            if let Some(Some(step)) = next.get(need.package as usize) {
                found.push((need, step.distance, &root.name));
            }
        }
    }
    let total = found.len();
    found.sort_by_key(|(need, distance, root)| {
        (need.dev, need.indirect, *distance, *root, need.package)
    });
    let shown = found.into_iter().take(most);
    let routes = shown.filter_map(|(need, _, root)| {
        let way = way(&next, need, package)?;
        let names = way.iter().map(|n| full_name(file, *n));
        Some(Route {
            path: std::iter::once(root.to_owned()).chain(names).collect(),
            dev: need.dev,
            indirect: need.indirect,
        })
    });
    (routes.collect(), total)
}

/// `name@version`.
pub(super) fn full_name(file: &Lockfile, number: u32) -> String {
    match file.packages.get(number as usize) {
        Some(package) if package.version.is_empty() => package.name.clone(),
        Some(package) => format!("{}@{}", package.name, package.version),
        None => String::new(),
    }
}

/// A step of a shortest way to a package.
#[derive(Clone, Copy)]
struct Step {
    /// The next package on it; the target itself for the target.
    next: u32,
    /// How many steps it is away.
    distance: u32,
}

/// For each package the step of a shortest way to the target; none where no way leads there.
fn towards(file: &Lockfile, target: u32) -> Vec<Option<Step>> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); file.packages.len()];
    for (number, package) in file.packages.iter().enumerate() {
        for need in &package.needs {
            if let Some(users) = users.get_mut(*need as usize) {
                users.push(number as u32);
            }
        }
    }
    let mut next = vec![None; file.packages.len()];
    let mut layer = vec![target];
    if let Some(slot) = next.get_mut(target as usize) {
        *slot = Some(Step {
            next: target,
            distance: 0,
        });
    }
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        let mut further = Vec::new();
        for at in layer {
            for user in users.get(at as usize).into_iter().flatten() {
                let slot = &mut next[*user as usize];
                if slot.is_none() {
                    *slot = Some(Step { next: at, distance });
                    further.push(*user);
                }
            }
        }
        further.sort_unstable();
        layer = further;
    }
    next
}

fn way(next: &[Option<Step>], need: &Need, target: u32) -> Option<Vec<u32>> {
    let mut at = need.package;
    let mut way = vec![at];
    while at != target {
        at = (*next.get(at as usize)?)?.next;
        way.push(at);
    }
    Some(way)
}
