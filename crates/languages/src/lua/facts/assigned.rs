//! Effects of assignments on variables and fields of tables. After one, a variable no longer has only its first value,
//! and a field may have any of its values.

use super::Walker;
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// With more assignments, a variable or a field may have any value.
pub(super) const MOST_VALUES: usize = 32;

/// The number of enclosing loops and of functions so far, at some place.
#[derive(Clone, Copy)]
struct Progress {
    loops: usize,
    functions: usize,
}

/// The values assigned to a variable so far.
pub(super) struct Assigned {
    values: Vec<ExprId>,
    /// Its definition, if it has one.
    def: Option<DefId>,
    /// Its first value, until that is among the values.
    first: Option<First>,
    /// Whether it may have another value that no expression gives.
    is_open: bool,
    /// Whether it is a global. Every function may see any of its values.
    is_global: bool,
    /// The number of functions around its declaration.
    nesting: u32,
    /// Whether a function inside assigns to it. A call of that may change it anywhere.
    is_changed_inside: bool,
    declared: Progress,
    /// The last place after which it had a single value.
    exact: Option<Progress>,
}

/// A first value that is no expression yet.
#[derive(Clone, Copy)]
enum First {
    /// What the name is at that byte.
    At(u32),
    Function(DefId),
}

/// The meaning of a name that a scope declares.
pub(super) enum Declared {
    /// A variable with its first value, and its definition if it has one.
    Variable(Option<ExprId>, Option<DefId>),
    /// A variable whose first value is unknown.
    Unknown,
    /// A parameter or an import: what the name is at that byte.
    At(u32),
    /// A local function.
    Function(DefId),
    /// A function that is a global.
    Global(DefId),
    /// Something that stays what it is.
    Other,
}

/// Variables by name and by the scope that declares them.
#[derive(Default)]
pub(super) struct Variables {
    all: FxHashMap<(ScopeId, NameId), Option<Assigned>>,
    /// The scopes that declare each name, in order; those at the end may be closed.
    scopes: FxHashMap<NameId, Vec<ScopeId>>,
}

impl Variables {
    fn insert(&mut self, (scope, name): (ScopeId, NameId), assigned: Option<Assigned>) {
        let scopes = self.scopes.entry(name).or_default();
        if let Err(at) = scopes.binary_search(&scope) {
            scopes.insert(at, scope);
        }
        self.all.insert((scope, name), assigned);
    }

    /// The innermost open scope that declares a name. A closed scope never reopens.
    fn innermost(&mut self, open: &[ScopeId], name: NameId) -> Option<ScopeId> {
        let scopes = self.scopes.get_mut(&name)?;
        while let Some(last) = scopes.last() {
            if open.binary_search(last).is_ok() {
                return Some(*last);
            }
            scopes.pop();
        }
        None
    }
}

impl Walker<'_, '_> {
    fn progress(&self) -> Progress {
        Progress {
            loops: self.loops.len(),
            functions: self.functions.len(),
        }
    }

    /// Records the declaration of a name in a scope.
    pub(super) fn note_variable(&mut self, key: (ScopeId, NameId), declared: Declared) {
        let mut assigned = Assigned {
            values: Vec::new(),
            def: None,
            first: None,
            is_open: matches!(declared, Declared::Unknown),
            is_global: matches!(declared, Declared::Global(_)),
            nesting: self.nesting,
            is_changed_inside: false,
            declared: self.progress(),
            exact: None,
        };
        match declared {
            Declared::Variable(value, def) => {
                assigned.values.extend(value);
                assigned.def = def;
            }
            Declared::Unknown => {}
            Declared::Other => return self.variables.insert(key, None),
            Declared::At(at) => assigned.first = Some(First::At(at)),
            Declared::Function(def) | Declared::Global(def) => {
                assigned.first = Some(First::Function(def));
            }
        }
        self.variables.insert(key, Some(assigned));
    }

    /// Whether a function that is defined under a name is a further value of a variable.
    pub(super) fn is_variable(&mut self, name: NameId) -> bool {
        let is_top = self.b.current_scope() == FILE_SCOPE && self.nesting == 0;
        let Some(scope) = self.variables.innermost(self.b.open_scopes(), name) else {
            return false;
        };
        // Where a file defines a global again, the later one counts.
        let known = self.variables.all.get(&(scope, name));
        known
            .and_then(Option::as_ref)
            .is_some_and(|known| !(known.is_global && is_top))
    }

    /// `x = value`: from here on, the variable has one of the values assigned so far. After an assignment in the block
    /// that declares it, it has exactly that value.
    pub(super) fn note_assignment(&mut self, target: Node<'_>, value: ExprId, end: usize) {
        let name = self.b.intern_node_text(target);
        let Some(scope) = self.variables.innermost(self.b.open_scopes(), name) else {
            return;
        };
        // If it was given up, its value is unknown already.
        let known = self.variables.all.get_mut(&(scope, name));
        let Some(mut assigned) = known.and_then(Option::take) else {
            return;
        };
        if let Some(first) = assigned.first.take() {
            assigned.values.push(self.b.add_expr(match first {
                First::At(at) => Expr::Name { name, scope, at },
                First::Function(def) => Expr::Function(def),
            }));
        }
        assigned.values.push(value);
        assigned.is_changed_inside |= self.nesting > assigned.nesting;
        let is_known = assigned.values.len() <= MOST_VALUES;
        let any = match assigned.values[..] {
            _ if assigned.is_open || !is_known => None,
            [one] => Some(one),
            ref all => {
                let all = all.into();
                Some(self.b.add_expr(Expr::Either(all)))
            }
        };
        if let Some(def) = assigned.def {
            self.b.def_mut(def).value = any;
        } else {
            self.bind_assigned((scope, name), &mut assigned, any, end as u32);
        }
        if is_known {
            self.variables.insert((scope, name), Some(assigned));
        }
    }

    fn bind_assigned(
        &mut self,
        (scope, name): (ScopeId, NameId),
        assigned: &mut Assigned,
        any: Option<ExprId>,
        end: u32,
    ) {
        for since in std::iter::once(assigned.declared).chain(assigned.exact) {
            // A loop returns to code before the assignment, and a function may run after it.
            let loops = self.loops.get(since.loops).copied();
            let functions = self.functions.get(since.functions).copied();
            let from = loops.into_iter().chain(functions).fold(end, u32::min);
            let from = if assigned.is_global { 0 } else { from };
            let to = Bound::Local {
                ty: None,
                value: any,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
        let is_alone = !assigned.is_changed_inside && !assigned.is_global;
        let is_known = assigned.values.len() <= MOST_VALUES;
        if is_alone && is_known && scope == self.b.current_scope() {
            let to = Bound::Local {
                ty: None,
                value: assigned.values.last().copied(),
            };
            self.b.bind_in(scope, name, Namespace::VALUE, end, to);
            assigned.exact = Some(self.progress());
        }
    }

    /// `t.x = value`, `t["x"] = value`, if the table `t` was written as a literal with that field.
    pub(super) fn note_field_assignment(&mut self, target: Node<'_>, value: ExprId) {
        let key = target.field("field");
        let name = match target.kind_name() {
            "dot_index_expression" => key.map(|key| self.b.text(key)),
            "bracket_index_expression" => key.and_then(|key| self.string_text(key)),
            _ => None,
        };
        let table = target
            .field("table")
            .filter(|t| t.kind_name() == "identifier");
        let (Some(name), Some(table)) = (name, table) else {
            return;
        };
        let table = self.b.intern_node_text(table);
        let Some(scope) = self.variables.innermost(self.b.open_scopes(), table) else {
            return;
        };
        let Some(Some(assigned)) = self.variables.all.get(&(scope, table)) else {
            return;
        };
        let facts = self.b.facts();
        let is_object = |value: &&ExprId| matches!(facts.expr(**value), Expr::Object(_));
        let objects: Vec<ExprId> = assigned.values.iter().filter(is_object).copied().collect();
        let name = self.b.intern_name(name);
        self.fields
            .extend(objects.into_iter().map(|object| (object, name, value)));
    }

    /// Gives the fields of table literals all the values assigned to them.
    pub(super) fn assign_fields(&mut self) {
        let mut values: FxHashMap<(ExprId, NameId), Vec<ExprId>> = FxHashMap::default();
        let mut objects = Vec::new();
        for (object, name, value) in std::mem::take(&mut self.fields) {
            let known = values.entry((object, name)).or_default();
            if known.len() <= MOST_VALUES {
                known.push(value);
            }
            objects.push(object);
        }
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let Expr::Object(fields) = self.b.facts().expr(object) else {
                continue;
            };
            let mut fields = fields.clone();
            for (name, value) in &mut fields {
                let is_function = matches!(self.b.facts().expr(*value), Expr::Function(_));
                let more = values.get(&(object, *name)).filter(|_| !is_function);
                if let Some(more) = more {
                    let is_nil =
                        matches!(self.b.facts().expr(*value), Expr::Literal(Primitive::Null));
                    let first = (!is_nil).then_some(*value);
                    let all: Vec<ExprId> = first.into_iter().chain(more.iter().copied()).collect();
                    *value = match all[..] {
                        [one] => one,
                        _ if all.len() <= MOST_VALUES => self.b.add_expr(Expr::Either(all.into())),
                        _ => self.b.add_expr(Expr::Unknown),
                    };
                }
            }
            self.b.set_expr(object, Expr::Object(fields));
        }
    }
}
