//! Routes from the project to a package: the shortest one through each direct dependency.

use super::Lockfile;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Most names of a route that are shown; of a longer one the middle is left out. Each package of a chain would have a route as
/// long as the chain.
const MOST_NAMES: usize = 100;

/// A route from a part of the repository to a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The part's name, then packages as `name@version`, the package itself last.
    pub path: Vec<String>,
    /// Whether it begins with a dependency for development, tests or the build alone.
    pub dev: bool,
    /// Whether the file does not say which package needs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub indirect: bool,
}

/// Routes to a package: those that are not for development first, then the shortest. At most `most`, with the total number.
/// Cycles of packages do no harm.
pub fn find_routes(file: &Lockfile, package: u32, most: usize) -> (Vec<Route>, usize) {
    let mut steps = u64::MAX;
    let found = DependentsIndex::new(file).to(package, most, &mut steps);
    found.unwrap_or_default()
}

/// A lock file read backwards: the dependents of each package. Many packages may be looked up.
#[derive(Debug)]
pub(crate) struct DependentsIndex<'f> {
    file: &'f Lockfile,
    /// Packages that ask for a package.
    users: Vec<Vec<u32>>,
    /// Parts of the project that ask for it, each with the position among its dependencies.
    asked: Vec<Vec<(u32, u32)>>,
}

impl<'f> DependentsIndex<'f> {
    pub(crate) fn new(file: &'f Lockfile) -> DependentsIndex<'f> {
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); file.packages.len()];
        for (number, package) in file.packages.iter().enumerate() {
            for need in &package.dependencies {
                if let Some(users) = users.get_mut(*need as usize) {
                    users.push(number as u32);
                }
            }
        }
        let mut asked: Vec<Vec<(u32, u32)>> = vec![Vec::new(); file.packages.len()];
        for (root, at) in file.roots.iter().zip(0..) {
            for (need, number) in root.dependencies.iter().zip(0..) {
                if let Some(asked) = asked.get_mut(need.package as usize) {
                    asked.push((at, number));
                }
            }
        }
        DependentsIndex { file, users, asked }
    }

    /// See [`find_routes`]; each package that leads there costs steps. `None` if they run out.
    pub(crate) fn to(
        &self,
        package: u32,
        most: usize,
        steps: &mut u64,
    ) -> Option<(Vec<Route>, usize)> {
        let next = self.next_steps_to(package, steps)?;
        let mut found: Vec<(u32, u32, u32)> = Vec::new();
        for (at, step) in &next {
            let asked = self.asked.get(*at as usize).into_iter().flatten();
            found.extend(asked.map(|(root, need)| (*root, *need, step.distance)));
        }
        *steps = steps.checked_sub(found.len() as u64)?;
        let total = found.len();
        found.sort_unstable_by_key(|(root, number, distance)| {
            let of = &self.file.roots[*root as usize];
            let need = &of.dependencies[*number as usize];
            let shown = (need.dev, need.indirect, *distance, of.name.as_str());
            (shown, need.package, *root, *number)
        });
        let shown = found.into_iter().take(most);
        let routes = shown.filter_map(|(root, number, _)| {
            let of = &self.file.roots[root as usize];
            let need = &of.dependencies[number as usize];
            let way = follow_steps(&next, need.package, package)?;
            Some(Route {
                path: self.names(&of.name, &way),
                dev: need.dev,
                indirect: need.indirect,
            })
        });
        Some((routes.collect(), total))
    }

    fn names(&self, root: &str, way: &[u32]) -> Vec<String> {
        let name = |number: &u32| full_name(self.file, *number);
        let mut path = vec![root.to_owned()];
        if way.len() <= MOST_NAMES {
            path.extend(way.iter().map(name));
        } else {
            let half = MOST_NAMES / 2;
            path.extend(way[..half].iter().map(name));
            path.push(format!("… ({} more)", way.len() - 2 * half));
            path.extend(way[way.len() - half..].iter().map(name));
        }
        path
    }

    /// For each package that leads to the target, the step of a shortest route there.
    fn next_steps_to(&self, target: u32, steps: &mut u64) -> Option<FxHashMap<u32, Step>> {
        let mut next: FxHashMap<u32, Step> = FxHashMap::default();
        if (target as usize) < self.users.len() {
            let step = Step {
                next: target,
                distance: 0,
            };
            next.insert(target, step);
        }
        let mut layer = vec![target];
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut further = Vec::new();
            for at in layer {
                let users = self.users.get(at as usize).map_or(&[][..], Vec::as_slice);
                *steps = steps.checked_sub(1 + users.len() as u64)?;
                for user in users {
                    next.entry(*user).or_insert_with(|| {
                        further.push(*user);
                        Step { next: at, distance }
                    });
                }
            }
            further.sort_unstable();
            layer = further;
        }
        Some(next)
    }
}

/// `name@version`.
pub(super) fn full_name(file: &Lockfile, number: u32) -> String {
    match file.packages.get(number as usize) {
        Some(package) if package.version.is_empty() => package.name.clone(),
        Some(package) => format!("{}@{}", package.name, package.version),
        None => String::new(),
    }
}

/// A step of a shortest route to a package.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The next package on the route; the target itself for the target.
    next: u32,
    /// Number of steps to the package.
    distance: u32,
}

fn follow_steps(next: &FxHashMap<u32, Step>, from: u32, target: u32) -> Option<Vec<u32>> {
    let mut at = from;
    let mut way = vec![at];
    while at != target {
        at = next.get(&at)?.next;
        way.push(at);
    }
    Some(way)
}
