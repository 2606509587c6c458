//! Effects of assignments on variables and fields of tables. After one, a variable no longer has only its first value,
//! and a field may have any of its values.

use super::Walker;
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// With more assignments, a variable or a field may have any value.
const MOST_VALUES: usize = 8;

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
    /// The start of its function, if it is a parameter: its first value is the argument.
    parameter: Option<u32>,
    declared: Progress,
    /// The last place after which it had a single value.
    exact: Option<Progress>,
}

/// The meaning of a name that a scope declares.
pub(super) enum Declared {
    /// A variable with its first value, and its definition if it has one.
    Variable(Option<ExprId>, Option<DefId>),
    /// A parameter of the function that begins at that byte.
    Parameter(u32),
    /// Something else.
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
        let (value, def, parameter) = match declared {
            Declared::Variable(value, def) => (value, def, None),
            Declared::Parameter(at) => (None, None, Some(at)),
            Declared::Other => return self.variables.insert(key, None),
        };
        let assigned = Assigned {
            values: value.into_iter().collect(),
            def,
            parameter,
            declared: self.progress(),
            exact: None,
        };
        self.variables.insert(key, Some(assigned));
    }

    /// `x = value`: from here on, the variable has one of the values assigned so far. After an assignment in the block
    /// that declares it, it has exactly that value.
    pub(super) fn note_assignment(&mut self, target: Node<'_>, value: ExprId, end: usize) {
        let name = self.b.intern_node_text(target);
        let Some(scope) = self.variables.innermost(self.b.open_scopes(), name) else {
            return;
        };
        // If it was given up or is no variable, its value is unknown already.
        let known = self.variables.all.get_mut(&(scope, name));
        let Some(mut assigned) = known.and_then(Option::take) else {
            return;
        };
        if let Some(at) = assigned.parameter.take() {
            let given = self.b.add_expr(Expr::Name { name, scope, at });
            assigned.values.push(given);
        }
        assigned.values.push(value);
        let any = match assigned.values[..] {
            [one] => Some(one),
            ref all if all.len() <= MOST_VALUES => {
                let all = all.into();
                Some(self.b.add_expr(Expr::Either(all)))
            }
            _ => None,
        };
        if let Some(def) = assigned.def {
            self.b.def_mut(def).value = any;
        } else {
            self.bind_assigned((scope, name), &mut assigned, any, end as u32);
        }
        if any.is_some() {
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
            let to = Bound::Local {
                ty: None,
                value: any,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
        if scope == self.b.current_scope() && assigned.values.len() > 1 && any.is_some() {
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
