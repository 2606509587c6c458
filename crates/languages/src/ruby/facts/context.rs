//! Where code stands: the class around it, and what `self` is.

use super::Walker;
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashMap;
use syntax::facts::*;
use tree_sitter::Node;

/// The property of a class for a module whose methods its objects have before its own.
pub(in crate::ruby) const PREPENDED: &str = "@prepend";
/// The property of a class for a module whose methods the class itself has.
pub(in crate::ruby) const EXTENDED: &str = "@extend";
/// The property for a module that a script includes, so that every object has its methods.
pub(in crate::ruby) const INCLUDED: &str = "@include";
/// The property for a module that every group of examples includes.
pub(in crate::ruby) const GLOBAL_MIXIN: &str = "@examples";

/// Most values that are kept of a field.
const MAX_VALUES: usize = 8;

/// What `self` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// The object of a script.
    Main,
    /// An object of a class.
    Instance(DefId),
    /// A class.
    Class(DefId),
    /// Nothing is known of it.
    Unknown,
}

/// A class, a module or the file around code.
pub(super) struct Context {
    pub(super) def: Option<DefId>,
    /// The scope from which constants are looked up.
    pub(super) scope: ScopeId,
    /// Inside of `class << self`.
    pub(super) is_singleton: bool,
    /// A group of examples.
    pub(super) is_group: bool,
    /// The visibility of the methods that follow.
    pub(super) visibility: Visibility,
    /// Methods that follow are also those of the module itself.
    pub(super) makes_functions: bool,
    /// Methods by their names, with those of the class itself apart.
    pub(super) methods: FxHashMap<(NameId, bool), DefId>,
    /// The class that a group of examples describes.
    pub(super) described: Option<ExprId>,
    /// Supertypes, in order.
    pub(super) supers: Vec<(TypeId, SuperKind)>,
    /// Values that calls on `self` give to methods: the name, whether the class has the method, the arguments.
    pub(super) passed: Vec<(NameId, bool, Vec<ExprId>)>,
    fields: FxHashMap<NameId, DefId>,
    assigned: Vec<(DefId, Vec<ExprId>)>,
    places: FxHashMap<DefId, usize>,
}

impl Context {
    pub(super) fn new(def: Option<DefId>, scope: ScopeId) -> Context {
        Context {
            def,
            scope,
            is_singleton: false,
            is_group: false,
            visibility: Visibility::Public,
            makes_functions: false,
            methods: FxHashMap::default(),
            described: None,
            supers: Vec::new(),
            passed: Vec::new(),
            fields: FxHashMap::default(),
            assigned: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl Walker<'_, '_> {
    pub(super) fn context(&mut self) -> &mut Context {
        let last = self.contexts.len() - 1;
        &mut self.contexts[last]
    }

    /// The class around; none at the top of a file.
    pub(super) fn class_around(&self) -> Option<DefId> {
        self.contexts.last().and_then(|context| context.def)
    }

    /// The scope from which constants are looked up.
    pub(super) fn constant_scope(&self) -> ScopeId {
        self.contexts
            .last()
            .map_or(FILE_SCOPE, |context| context.scope)
    }

    /// Adds a definition to the class around, also from inside a block.
    pub(super) fn add_member(
        &mut self,
        name: NameId,
        kind: SymbolKind,
        node: Node<'_>,
        name_node: Node<'_>,
    ) -> DefId {
        let def = self.b.add_def(name, kind, node, name_node);
        let class = self.class_around();
        self.b.def_mut(def).parent = class;
        def
    }

    /// The value of `self`.
    pub(super) fn self_expr(&mut self) -> ExprId {
        if let Some(known) = self.frame().self_expr {
            return known;
        }
        let made = match self.frame().own {
            Own::Main => self.type_by_name("Object"),
            Own::Instance(def) => self.b.add_expr(Expr::This(def)),
            Own::Class(def) => self.class_expr(def),
            Own::Unknown => self.unknown,
        };
        self.frame().self_expr = Some(made);
        made
    }

    /// A class as a value, or one that inherits from it.
    pub(super) fn class_expr(&mut self, def: DefId) -> ExprId {
        let own = self.b.add_type(TypeExpr::SelfType(def));
        let name = self.b.intern_owned_name("class");
        let class = self.b.add_type(TypeExpr::Projection(own, name));
        self.b.add_expr(Expr::Cast(self.unknown, class))
    }

    /// A value of a class of Ruby.
    pub(super) fn type_by_name(&mut self, name: &str) -> ExprId {
        let name = self.b.intern_owned_name(name);
        let ty = self.b.add_type(TypeExpr::Named {
            path: Box::from([name]),
            args: Box::default(),
            scope: FILE_SCOPE,
            at: 0,
        });
        self.b.add_expr(Expr::Cast(self.unknown, ty))
    }

    /// A variable of an object, a class or the program, made at its first assignment.
    pub(super) fn field(&mut self, node: Node<'_>, value: Option<ExprId>) -> ExprId {
        let name = self.b.intern_node_text(node);
        let is_global = node.kind() == "global_variable";
        let is_static =
            matches!(self.frame().own, Own::Class(_)) || node.kind() == "class_variable";
        let at = if is_global {
            0
        } else {
            self.contexts.len() - 1
        };
        if let Some(value) = value {
            let def = match self.contexts[at].fields.get(&name) {
                Some(def) => *def,
                None => self.new_field((name, at), node, is_static),
            };
            self.assign_field(at, def, value);
        }
        let object = self.self_expr();
        self.b.add_expr(Expr::Member { object, name })
    }

    /// Gives a field of objects of the class around a value.
    pub(super) fn give_field(&mut self, name: NameId, node: Node<'_>, value: ExprId) {
        let at = self.contexts.len() - 1;
        let def = match self.contexts[at].fields.get(&name) {
            Some(def) => *def,
            None => self.new_field((name, at), node, false),
        };
        self.assign_field(at, def, value);
    }

    fn new_field(&mut self, (name, at): (NameId, usize), node: Node<'_>, is_static: bool) -> DefId {
        let class = self.contexts[at].def;
        let kind = match class {
            Some(_) => SymbolKind::Field,
            None => SymbolKind::Variable,
        };
        let def = self.b.add_def(name, kind, node, node);
        let made = self.b.def_mut(def);
        made.parent = class;
        if is_static {
            made.flags.set(DefFlags::STATIC);
        }
        self.contexts[at].fields.insert(name, def);
        def
    }

    /// Records a value that a field is given.
    fn assign_field(&mut self, at: usize, def: DefId, value: ExprId) {
        let is_plain = matches!(
            self.b.facts().expr(value),
            Expr::Unknown | Expr::Literal(Primitive::Null)
        );
        let context = &mut self.contexts[at];
        let place = *context.places.entry(def).or_insert_with(|| {
            context.assigned.push((def, Vec::new()));
            context.assigned.len() - 1
        });
        let values = &mut context.assigned[place].1;
        if !is_plain && values.len() < MAX_VALUES && !values.contains(&value) {
            values.push(value);
        }
    }

    /// A parameter without a type has one of the values that calls of its class give it.
    fn pass_values(
        &mut self,
        methods: &FxHashMap<(NameId, bool), DefId>,
        passed: Vec<(NameId, bool, Vec<ExprId>)>,
    ) {
        let mut given: FxHashMap<(DefId, usize), Vec<ExprId>> = FxHashMap::default();
        let mut order = Vec::new();
        for (name, is_static, args) in passed {
            let Some(def) = methods.get(&(name, is_static)).copied() else {
                continue;
            };
            for (at, arg) in args.into_iter().enumerate() {
                let Some((param, value)) = self.param_of_argument(def, at, arg) else {
                    break;
                };
                let is_plain =
                    matches!(self.b.facts().expr(value), Expr::Unknown | Expr::Literal(_));
                let values = given.entry((def, param)).or_insert_with(|| {
                    order.push((def, param));
                    Vec::new()
                });
                if !is_plain && values.len() < MAX_VALUES && !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for key in order {
            let mut values = given.remove(&key).unwrap_or_default();
            let callable = self.b.def_mut(key.0).callable.as_mut();
            let Some(param) = callable.and_then(|c| c.params.get_mut(key.1)) else {
                continue;
            };
            if values.is_empty() || param.ty.is_some() {
                continue;
            }
            values.extend(param.default);
            let value = self.one_of(values);
            if let Some(callable) = &mut self.b.def_mut(key.0).callable {
                callable.params[key.1].default = Some(value);
            }
        }
    }

    /// The parameter that an argument goes to, and the value.
    fn param_of_argument(&self, def: DefId, at: usize, arg: ExprId) -> Option<(usize, ExprId)> {
        let facts = self.b.facts();
        let params = &facts.def(def).callable.as_ref()?.params;
        match facts.expr(arg) {
            Expr::Spread(_) | Expr::Function(_) => None,
            Expr::Keyword(name, value) => {
                let found = params.iter().position(|p| p.name == *name);
                Some((found.unwrap_or(usize::MAX), *value))
            }
            _ => {
                let is_positional =
                    |p: &Param| matches!(p.kind, ParamKind::Plain | ParamKind::Optional);
                params.get(at).filter(|p| is_positional(p))?;
                Some((at, arg))
            }
        }
    }

    /// Ends a class: its fields have one of the values that they were given.
    pub(super) fn close_context(&mut self) {
        let Some(context) = self.contexts.pop() else {
            return;
        };
        if let (Some(def), false) = (context.def, context.supers.is_empty()) {
            self.extend_supers(def, context.supers);
        }
        self.pass_values(&context.methods, context.passed);
        for (def, values) in context.assigned {
            let value = match values[..] {
                [] => continue,
                [one] => one,
                _ => self.b.add_expr(Expr::Either(values.into())),
            };
            self.b.def_mut(def).value = Some(value);
        }
    }
}
