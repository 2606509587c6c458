//! Members of types: search through supertypes, substitution of type parameters.

use crate::eval::{Eval, MANY};
use crate::repo::GlobalDef;
use crate::ty::*;
use base::SymbolKind;
use base::facts::*;

/// Longest chain of supertypes.
const MAX_SUPERS: usize = 64;
/// Longest chain of type parameters that are bounds of one another.
const MAX_BOUNDS: usize = 4;
/// Deepest nesting at which type parameters are looked for.
const MAX_NESTING: u32 = 8;

impl<'r> Eval<'r> {
    /// The entity that `object.name` denotes, and the type that has it: an ancestor of the object's type with its type
    /// arguments filled in, or the object's part in a union.
    pub fn resolve_member(&mut self, object: &Ty, name: &str) -> (Entity, Option<Ty>) {
        self.guard_recursion(|ev| ev.resolve_member_inner(object, name))
    }

    fn resolve_member_inner(&mut self, object: &Ty, name: &str) -> (Entity, Option<Ty>) {
        if let Ty::Param(def, n) = object
            && *n != SELF
            && let Some(found) = self
                .lang_of_file(def.file)
                .param_member(self, *def, *n, name)
        {
            return (found, None);
        }
        let object = &self.resolve_type_param(object);
        if let Ty::Union(parts) = object {
            return self.resolve_union_member(parts, name);
        }
        if let Some(lang) = self.lang_of_type(object)
            && let Some(found) = lang.member(self, object, name)
        {
            return (found, Some(object.clone()));
        }
        match object {
            Ty::Instance(..) | Ty::Class(..) | Ty::Super(_) => {
                self.resolve_class_member(object, name)
            }
            Ty::Module(module) => {
                let lang = self.lang_of_family(module.family);
                (
                    lang.module_member(self, module.index, name, Namespace::VALUE),
                    None,
                )
            }
            Ty::Object(file, expr) => self.resolve_object_literal_member(*file, *expr, name),
            // A tuple's part, by its number: `pair.0`.
            Ty::Tuple(parts) => {
                let part = name.parse::<usize>().ok().and_then(|n| parts.get(n));
                let part = part.map(|part| Entity::Value(part.clone()));
                (part.unwrap_or_default(), None)
            }
            Ty::External(external) => (
                Entity::External(external.member(name)),
                Some(object.clone()),
            ),
            Ty::ExternalInstance(external, _) => (
                Entity::External(external.member(name)),
                Some(object.clone()),
            ),
            _ => (Entity::Unknown, None),
        }
    }

    /// A type parameter becomes its bound, `Self` becomes the class.
    pub fn resolve_type_param(&mut self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param(def, SELF) => self.identity_instance(*def),
            Ty::Param(..) => {
                let mut bound = ty.clone();
                // The bound of a parameter may be another parameter.
                for _ in 0..MAX_BOUNDS {
                    match bound {
                        Ty::Param(def, SELF) => return self.identity_instance(def),
                        Ty::Param(..) => bound = self.type_param_bound(&bound),
                        other => return other,
                    }
                }
                Ty::Unknown
            }
            Ty::ClassOf(of) => Ty::class_of(&self.resolve_type_param(of)),
            other => other.clone(),
        }
    }

    /// The written bound of a type parameter, which may be another parameter.
    pub fn type_param_bound(&mut self, param: &Ty) -> Ty {
        let Ty::Param(def, n) = *param else {
            return Ty::Unknown;
        };
        let Some(param) = self.repo.def(def).type_params.get(n as usize) else {
            return Ty::Unknown;
        };
        let parts: Vec<Ty> = param
            .bounds
            .iter()
            .map(|b| self.lower_type(def.file, *b))
            .collect();
        match Ty::union(parts) {
            Ty::Param(again, m) if (again, m) == (def, n) => Ty::Unknown,
            other => other,
        }
    }

    fn lang_of_type(&self, ty: &Ty) -> Option<&'r dyn crate::lang::Lang> {
        match ty {
            Ty::Instance(def, _) | Ty::Class(def, _) | Ty::Super(def) | Ty::Param(def, _) => {
                Some(self.lang_of_file(def.file))
            }
            Ty::Function(defs, _) => defs.first().map(|d| self.lang_of_file(d.file)),
            Ty::Object(file, _) => Some(self.lang_of_file(*file)),
            _ => None,
        }
    }

    fn resolve_union_member(&mut self, parts: &Args, name: &str) -> (Entity, Option<Ty>) {
        let mut defs: Vec<GlobalDef> = Vec::new();
        let mut owners: Vec<Ty> = Vec::new();
        let mut other = Entity::Unknown;
        let mut values: Vec<Ty> = Vec::new();
        for part in parts.iter() {
            let (found, from) = self.resolve_member(part, name);
            match found {
                Entity::Defs(more) => {
                    for def in more.iter() {
                        if self.spend(defs.len() / MANY) && !defs.contains(def) {
                            defs.push(*def);
                        }
                    }
                    owners.extend(from);
                }
                Entity::Value(ty) => values.push(ty),
                found => other = other.or_else(|| found),
            }
        }
        if defs.is_empty() {
            let any = Ty::union(values);
            if any.is_unknown() {
                (other, None)
            } else {
                (Entity::Value(any), None)
            }
        } else {
            let owner = (!owners.is_empty()).then(|| Ty::union(owners));
            (Entity::defs(defs), owner)
        }
    }

    /// Whether definitions are fields of different parts of a union, of which one is meant.
    pub(crate) fn are_fields_of_union_parts(&mut self, defs: &[GlobalDef]) -> bool {
        let [first, others @ ..] = defs else {
            return false;
        };
        if others.is_empty() || !self.spend(defs.len() / MANY) {
            return false;
        }
        let repo = self.repo;
        let is_value = |d: &GlobalDef| {
            let def = repo.def(*d);
            !def.kind.is_type() && (!def.kind.is_callable() || def.flags.has(DefFlags::GETTER))
        };
        let owner = |d: &GlobalDef| (d.file, repo.def(*d).parent);
        defs.iter().all(is_value) && others.iter().any(|d| owner(d) != owner(first))
    }

    fn resolve_object_literal_member(
        &mut self,
        file: crate::repo::FileId,
        expr: ExprId,
        name: &str,
    ) -> (Entity, Option<Ty>) {
        let facts = self.repo.facts(file);
        let Expr::Object(fields) = facts.expr(expr) else {
            return (Entity::Unknown, None);
        };
        if !self.spend(fields.len() / MANY) {
            return (Entity::Unknown, None);
        }
        // The last field of a name counts, whether written or spread.
        for (written, value) in fields.iter().rev() {
            let written = facts.name(*written);
            if written == "..." {
                let of = self.type_of_expr(file, *value);
                let found = self.resolve_member(&of, name);
                if !found.0.is_unknown() {
                    return found;
                }
            }
            if written == name {
                return match facts.expr(*value) {
                    Expr::Function(def) => (Entity::def(GlobalDef { file, def: *def }), None),
                    _ => (Entity::Value(self.type_of_expr(file, *value)), None),
                };
            }
        }
        (Entity::Unknown, None)
    }

    /// Removes static or instance members, as the object requires, where both may share a name.
    fn remove_static_mismatches(&self, object: &Ty, found: &mut Vec<GlobalDef>) {
        let Some(first) = found.first() else { return };
        let facts = self.repo.facts(first.file);
        let parent = facts.def(first.def).parent.map(|p| facts.def(p).kind);
        let share_names = facts.language.profile().linking.statics_share_names;
        if !share_names || parent != Some(SymbolKind::Class) {
            return;
        }
        let is_static = |d: &GlobalDef| self.repo.def(*d).flags.has(DefFlags::STATIC);
        match object {
            Ty::Instance(..) => found.retain(|d| !is_static(d)),
            Ty::Class(..) if found.iter().any(is_static) => found.retain(is_static),
            _ => {}
        }
    }

    fn resolve_class_member(&mut self, object: &Ty, name: &str) -> (Entity, Option<Ty>) {
        let order = self.member_search_order(object);
        let sym = self.repo.find_sym(name);
        let mut outside = None;
        for ty in order {
            if !self.spend(1) {
                return (Entity::Unknown, None);
            }
            match &ty {
                Ty::Instance(def, _) | Ty::Class(def, _) => {
                    let Some(sym) = sym else { continue };
                    let mut found = self.members_declared_by(*def, sym);
                    self.remove_static_mismatches(object, &mut found);
                    if !found.is_empty() {
                        // The receiver is the object, not the ancestor: it fills in `Self` and, through the ancestor,
                        // type parameters.
                        let receiver = match object {
                            Ty::Super(class) => self.identity_instance(*class),
                            other => other.clone(),
                        };
                        return (Entity::defs(found), Some(receiver));
                    }
                }
                Ty::ExternalInstance(external, _) | Ty::External(external) => {
                    outside = outside.or_else(|| Some((external.member(name), ty.clone())));
                }
                _ => {}
            }
        }
        let lang = self.lang_of_type(object);
        if let Some(inner) = lang.and_then(|l| l.dereferenced(self, object))
            && &inner != object
        {
            let found = self.resolve_member(&inner, name);
            if !found.0.is_unknown() {
                return found;
            }
        }
        if let Some(lang) = lang {
            let found = lang.missing_member(self, object, name);
            if !found.is_unknown() {
                return (found, Some(object.clone()));
            }
        }
        match outside {
            // The external ancestor may have the member; nothing inside the repository has it.
            Some((external, ty)) => (Entity::External(external), Some(ty)),
            None => (Entity::Unknown, None),
        }
    }

    /// The members of that name in the definition itself and in what extends it from outside. Declarations without a
    /// body are dropped if others have one. The last member stands first.
    pub fn members_declared_by(
        &mut self,
        class: GlobalDef,
        sym: crate::repo::Sym,
    ) -> Vec<GlobalDef> {
        let named = self.repo.children_named(class, sym);
        if !self.spend_on_namesakes(named.len()) {
            return Vec::new();
        }
        let mut found: Vec<GlobalDef> = named.collect();
        found.reverse();
        // Reading a property means its getter, so setters go last.
        found.sort_by_key(|d| self.repo.def(*d).flags.has(DefFlags::SETTER));
        let lang = self.lang_of_file(class.file);
        if found.len() > 1 {
            found = lang.stands_for(self.repo, found);
        }
        for extra in lang.extra_members(self, class, sym) {
            if self.spend(found.len() / MANY) && !found.contains(&extra) {
                found.push(extra);
            }
        }
        found
    }

    /// The types to search for members of `object`, in order. For `Super`, the types after the class itself.
    pub fn member_search_order(&mut self, object: &Ty) -> Vec<Ty> {
        let (start, skip) = match object {
            Ty::Super(def) => (self.identity_instance(*def), 1),
            other => (other.clone(), 0),
        };
        let (Ty::Instance(def, args) | Ty::Class(def, args)) = &start else {
            let Some(lang) = self.lang_of_type(&start) else {
                return vec![start];
            };
            let order = lang.linearization(self, &start);
            return order.into_iter().skip(skip).take(MAX_SUPERS).collect();
        };
        let order = self.linearize_definition(*def);
        let above = order.iter().skip(1).take(MAX_SUPERS);
        let mut types: Vec<Ty> = if args.is_empty() {
            above.cloned().collect()
        } else {
            above.map(|ty| self.substitute_own(ty, &start)).collect()
        };
        if skip == 0 {
            types.insert(0, start);
        }
        types
    }

    /// The supertypes as written, as instances.
    pub fn lower_supertypes(&mut self, ty: GlobalDef) -> Vec<Ty> {
        let def = self.repo.def(ty);
        if !self.spend(def.supers.len() / MANY) {
            return Vec::new();
        }
        def.supers
            .iter()
            .map(|(written, _)| self.lower_type(ty.file, *written))
            .collect()
    }

    /// Depth-first order of a type and its supertypes, each once, type arguments filled in.
    pub fn depth_first_supertypes(&mut self, ty: &Ty) -> Vec<Ty> {
        let mut order = vec![ty.clone()];
        let mut next = 0;
        // Breadth-first order would differ only if two ancestors share a member name.
        let mut stack = vec![ty.clone()];
        while let Some(current) = stack.pop() {
            if next > 0 {
                let seen = order.iter().any(|t| is_same_def(t, &current));
                if seen || order.len() >= MAX_SUPERS {
                    continue;
                }
                if !self.spend(1) {
                    break;
                }
                order.push(current.clone());
            }
            next += 1;
            let supers = self.supertypes_of(&current);
            stack.extend(supers.into_iter().rev());
        }
        order
    }

    /// Direct supertypes of a type, its arguments filled in.
    pub fn supertypes_of(&mut self, ty: &Ty) -> Vec<Ty> {
        let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
            return Vec::new();
        };
        let lang = self.lang_of_file(def.file);
        let supers = lang.supers(self, *def);
        let mut filled = Vec::with_capacity(supers.len());
        for written in supers.iter().flat_map(|s| s.alternatives()) {
            let above = self.substitute_own(written, ty);
            if !above.is_unknown() {
                filled.push(above);
            }
        }
        filled
    }

    /// Fills in the type parameters of the receiver's definition and of its ancestors', and `Self`.
    pub fn substitute(&mut self, ty: &Ty, receiver: Option<&Ty>) -> Ty {
        let Some(receiver) = receiver else {
            return ty.clone();
        };
        if let Ty::Union(parts) = receiver {
            return self.substitute_from_each(ty, parts);
        }
        let filled = self.substitute_from_ancestors(ty, receiver);
        let Ty::Param(holder, n) = filled else {
            return filled;
        };
        let of_holder = matches!(
            self.repo.def(holder).kind,
            SymbolKind::Trait | SymbolKind::Impl
        );
        if n == SELF || !of_holder {
            return filled;
        }
        let lang = self.lang_of_file(holder.file);
        let found = self.guard_recursion(|ev| lang.param_by_receiver(ev, holder, n, receiver));
        found.unwrap_or(filled)
    }

    /// The union of the types that each part of a union receiver gives when it fills in type parameters.
    fn substitute_from_each(&mut self, ty: &Ty, parts: &Args) -> Ty {
        let mut filled = Vec::new();
        for part in parts.iter() {
            if !self.spend(1) {
                return Ty::Unknown;
            }
            let made = self.substitute(ty, Some(part));
            // If a part fills in nothing, the parameters in the type are its own and unknown, or those of another part. The
            // type counts only in the first case.
            if made != *ty || has_only_params_of(ty, part) {
                filled.push(made);
            }
        }
        if filled.is_empty() {
            return ty.clone();
        }
        Ty::union(filled)
    }

    fn substitute_from_ancestors(&mut self, ty: &Ty, receiver: &Ty) -> Ty {
        let (Ty::Instance(def, args) | Ty::Class(def, args)) = receiver else {
            return ty.clone();
        };
        let (def, args) = (*def, args.clone());
        let ancestors = if has_foreign_type_param(ty, def, 0) {
            self.member_search_order(receiver)
        } else {
            Vec::new()
        };
        let lang = self.lang_of_file(def.file);
        self.replaced(ty, 1, &|param, n| {
            let (param, n) = lang.own_param(param, n);
            let args = if param == def {
                Some(&args)
            } else {
                ancestors.iter().find_map(|t| match t {
                    Ty::Instance(d, args) | Ty::Class(d, args) if *d == param => Some(args),
                    _ => None,
                })
            }?;
            match n {
                SELF => Some(match receiver {
                    Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
                    other => other.clone(),
                }),
                n => args.get(n as usize).filter(|a| !a.is_unknown()).cloned(),
            }
        })
    }

    /// Fills in from a list of known type parameters.
    pub fn substitute_env(&mut self, ty: &Ty, env: &[((GlobalDef, u32), Ty)]) -> Ty {
        if env.is_empty() {
            return ty.clone();
        }
        self.replaced(ty, env.len(), &|def, n| {
            env.iter()
                .find(|(key, _)| *key == (def, n))
                .map(|(_, ty)| ty.clone())
        })
    }

    /// Fills in the parameters of the receiver's own definition alone: supertypes are written in terms of these.
    /// (Asking for ancestors here would recurse without end.)
    fn substitute_own(&mut self, ty: &Ty, receiver: &Ty) -> Ty {
        let (Ty::Instance(def, args) | Ty::Class(def, args)) = receiver else {
            return ty.clone();
        };
        self.replaced(ty, 1, &|param, n| match n {
            _ if param != *def => None,
            SELF => Some(Ty::Instance(*def, args.clone())),
            n => args.get(n as usize).filter(|a| !a.is_unknown()).cloned(),
        })
    }

    /// A type with its parameters filled in from `choices` candidates each; unknown if no steps are left for it.
    pub fn replaced(
        &mut self,
        ty: &Ty,
        choices: usize,
        fill: &dyn Fn(GlobalDef, u32) -> Option<Ty>,
    ) -> Ty {
        let (made, visited) = crate::substitution::replace(ty, fill);
        if self.spend(visited.saturating_mul(choices) / MANY) {
            made
        } else {
            Ty::Unknown
        }
    }

    /// Matches a parameter's type against an argument's and records the values of type parameters in `env`.
    pub fn unify(&mut self, pattern: &Ty, actual: &Ty, env: &mut Vec<((GlobalDef, u32), Ty)>) {
        if !actual.is_unknown() && *actual != Ty::Null {
            self.guard_recursion(|ev| ev.unify_inner(pattern, actual, env));
        }
    }

    fn unify_inner(&mut self, pattern: &Ty, actual: &Ty, env: &mut Vec<((GlobalDef, u32), Ty)>) {
        if let Ty::ExternalInstance(wanted, _) = pattern
            && !matches!(actual, Ty::ExternalInstance(same, _) if same == wanted)
            && let Some(above) = self.seen_as(actual, pattern)
        {
            return self.unify(pattern, &above, env);
        }
        match (pattern, actual) {
            (Ty::Param(def, n), _) if *n != SELF && self.spend(env.len()) => {
                if env.iter().any(|(key, _)| *key == (*def, *n)) {
                    return;
                }
                env.push(((*def, *n), actual.clone()));
                // `F: Fn(A) -> R`: the function passed for `F` determines `R`. Likewise slices and maps in Go's
                // `S ~[]E`.
                if let bound @ (Ty::Callable(..) | Ty::ExternalInstance(..)) =
                    self.resolve_type_param(pattern)
                {
                    self.unify(&bound, actual, env);
                }
            }
            (Ty::Instance(a, xs), Ty::Instance(b, ys)) if a == b => self.unify_all(xs, ys, env),
            (Ty::Instance(a, xs), Ty::Instance(..)) => {
                let above = self.member_search_order(actual);
                let found = above
                    .into_iter()
                    .find(|t| matches!(t, Ty::Instance(b, _) if a == b));
                if let Some(Ty::Instance(_, ys)) = found {
                    self.unify_all(xs, &ys, env);
                }
            }
            (Ty::ClassOf(of), Ty::ClassOf(ty)) => self.unify(of, ty, env),
            (Ty::ClassOf(of), Ty::Class(class, args)) => {
                self.unify(of, &Ty::Instance(*class, args.clone()), env);
            }
            (Ty::ClassOf(of), Ty::External(external)) => {
                self.unify(of, &Ty::ExternalInstance(external.clone(), no_args()), env);
            }
            (Ty::Class(a, xs), Ty::Class(b, ys)) if a == b => self.unify_all(xs, ys, env),
            (Ty::ExternalInstance(a, xs), Ty::ExternalInstance(b, ys)) if a == b => {
                self.unify_all(xs, ys, env);
            }
            (Ty::Instance(..) | Ty::ExternalInstance(..), Ty::Function(defs, _)) => {
                self.unify_function(pattern, defs, env);
            }
            // A type defined as a slice, a map or a function type matches as its definition.
            (Ty::ExternalInstance(..) | Ty::Callable(..), Ty::Instance(def, _)) => {
                let lang = self.lang_of_file(def.file);
                if let Some(inner) = lang.dereferenced(self, actual)
                    && !matches!(inner, Ty::Instance(..))
                {
                    self.unify(pattern, &inner, env);
                } else if let Ty::Callable(_, ret) = pattern
                    && let Some((_, result)) = lang.callable_shape(self, actual)
                {
                    self.unify(ret, &result, env);
                }
            }
            (Ty::Instance(def, _), Ty::Callable(_, result)) => {
                let lang = self.lang_of_file(def.file);
                if let Some((_, ret)) = lang.callable_shape(self, pattern) {
                    self.unify(&ret, result, env);
                }
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) => self.unify_all(xs, ys, env),
            (Ty::Callable(_, ret), Ty::Callable(_, actual)) => self.unify(ret, actual, env),
            (Ty::Callable(_, ret), Ty::Function(defs, _)) => {
                if let Some(def) = defs.first() {
                    let result = self.result_type(*def);
                    self.unify(ret, &result, env);
                }
            }
            (Ty::Union(parts), _) => {
                for part in parts.iter() {
                    self.unify(part, actual, env);
                }
            }
            _ => {}
        }
    }

    /// See [`crate::lang::Members::seen_as`].
    fn seen_as(&mut self, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        let home = self.current_file()?;
        let lang = self.lang_of_file(home);
        lang.seen_as(self, actual, wanted)
    }

    /// Matches a function against a functional interface: its result determines type parameters.
    fn unify_function(
        &mut self,
        pattern: &Ty,
        defs: &[GlobalDef],
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        let [def] = defs else {
            return;
        };
        let lang = self.lang_of_file(def.file);
        if let Some((_, ret)) = lang.callable_shape(self, pattern) {
            let result = self.result_type(*def);
            self.unify(&ret, &result, env);
        }
    }

    fn unify_all(
        &mut self,
        patterns: &Args,
        actuals: &Args,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        for (pattern, actual) in patterns.iter().zip(actuals.iter()) {
            self.unify(pattern, actual, env);
        }
    }

    /// Whether a definition is a variable that stands for a type (`T = TypeVar("T")`).
    pub(crate) fn is_type_variable(&self, def: GlobalDef) -> bool {
        let def = self.repo.def(def);
        let holds_value = matches!(
            def.kind,
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
        );
        holds_value && !def.type_params.is_empty()
    }

    /// Whether a variable that stands for a type occurs in a type.
    pub(crate) fn has_type_variable(&self, ty: &Ty, nesting: u32) -> bool {
        if nesting > MAX_NESTING {
            return false;
        }
        let any = |args: &Args| {
            let mut args = args.iter();
            args.any(|a| self.has_type_variable(a, nesting + 1))
        };
        match ty {
            Ty::Param(def, n) => *n != SELF && self.is_type_variable(*def),
            Ty::Instance(_, args) | Ty::Class(_, args) | Ty::ExternalInstance(_, args) => any(args),
            Ty::Tuple(parts) | Ty::Union(parts) => any(parts),
            Ty::ClassOf(of) => self.has_type_variable(of, nesting + 1),
            Ty::Callable(params, ret) => any(params) || self.has_type_variable(ret, nesting + 1),
            _ => false,
        }
    }

    /// Whether `ty` is that definition or inherits from it.
    pub fn is_subtype_of(&mut self, ty: &Ty, from: GlobalDef) -> bool {
        self.member_search_order(ty)
            .iter()
            .any(|t| matches!(t, Ty::Instance(d, _) | Ty::Class(d, _) if *d == from))
    }

    /// A union without the parts that are instances of `excluded`. Returns `of` itself if it is no union or would lose
    /// all parts.
    pub(crate) fn without_part(&mut self, of: Ty, excluded: &Ty) -> Ty {
        let Ty::Union(parts) = &of else {
            return of;
        };
        let left = parts.iter().filter(|part| match excluded {
            Ty::Instance(def, _) => !self.is_subtype_of(part, *def),
            Ty::ExternalInstance(external, _) => {
                !matches!(part, Ty::ExternalInstance(e, _) if e == external)
            }
            _ => true,
        });
        let left: Vec<Ty> = left.cloned().collect();
        if left.is_empty() { of } else { Ty::union(left) }
    }

    /// Whether a definition is a type, which has members, and not a value.
    pub fn is_type_def(&self, def: GlobalDef) -> bool {
        let kind = self.repo.def(def).kind;
        kind.is_type() || kind == SymbolKind::TypeAlias
    }
}

fn is_same_def(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _) | Ty::Class(a, _), Ty::Instance(b, _) | Ty::Class(b, _)) => a == b,
        _ => a == b,
    }
}

/// Whether all type parameters in a type are those of another's definition.
fn has_only_params_of(ty: &Ty, of: &Ty) -> bool {
    match of {
        Ty::Instance(def, _) | Ty::Class(def, _) => !has_foreign_type_param(ty, *def, 0),
        _ => false,
    }
}

/// Whether a type has type parameters of another definition than `def`.
fn has_foreign_type_param(ty: &Ty, def: GlobalDef, nesting: u32) -> bool {
    if nesting > MAX_NESTING {
        return false;
    }
    let any = |args: &Args| {
        args.iter()
            .any(|a| has_foreign_type_param(a, def, nesting + 1))
    };
    match ty {
        Ty::Param(other, _) => *other != def,
        Ty::Instance(_, args) | Ty::Class(_, args) | Ty::ExternalInstance(_, args) => any(args),
        Ty::Tuple(parts) | Ty::Union(parts) => any(parts),
        Ty::Callable(params, ret) => any(params) || has_foreign_type_param(ret, def, nesting + 1),
        Ty::ClassOf(of) => has_foreign_type_param(of, def, nesting + 1),
        _ => false,
    }
}
