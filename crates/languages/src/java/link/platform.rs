//! Types of the platform: results of its methods, parameters of lambdas passed to them.

use super::Java;
use super::builtins::{self, Method, Number, Template, array_element, as_primitive, tables};
use super::numeric;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// The values that fill in a template.
struct TemplateContext<'a> {
    receiver: &'a Ty,
    call: CallView<'a>,
}

impl Java {
    /// The result type of a platform method.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        if let (Some(Ty::Class(class, _)), "java.lang") = (receiver, &*callee.package) {
            match &*callee.symbol {
                "Enum.valueOf" => return Ty::instance(*class),
                "Enum.values" => return builtins::array_type(Ty::instance(*class)),
                _ => {}
            }
        }
        let Some((method, receiver)) = self.platform_method(ev, callee, receiver) else {
            return Ty::Unknown;
        };
        let Some(template) = &method.result else {
            return Ty::Unknown;
        };
        self.instantiate_template(
            ev,
            template,
            &TemplateContext {
                receiver: &receiver,
                call,
            },
        )
    }

    /// The type of a parameter of a lambda that is passed to a platform method.
    pub(super) fn platform_callback(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        let Some((method, receiver)) = self.platform_method(ev, callee, receiver) else {
            return Ty::Unknown;
        };
        let template = method
            .callbacks
            .iter()
            .find(|(at, _)| *at == arg)
            .and_then(|(_, params)| params.get(param as usize));
        match template {
            Some(template) => self.instantiate_template(
                ev,
                template,
                &TemplateContext {
                    receiver: &receiver,
                    call,
                },
            ),
            None => Ty::Unknown,
        }
    }

    /// The table entry, and the receiver's type with its type arguments.
    fn platform_method(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
    ) -> Option<(&'static Method, Ty)> {
        let (class, name) = callee.symbol.rsplit_once('.')?;
        let class = External::new(&callee.package, class);
        let method = tables().find_method(&class, name)?;
        let receiver = match receiver {
            Some(ty @ (Ty::Instance(..) | Ty::Super(_))) => {
                let order = ev.member_search_order(ty);
                let outside = order
                    .into_iter()
                    .find(|t| matches!(t, Ty::ExternalInstance(e, _) if *e == class));
                outside.unwrap_or_else(|| ty.clone())
            }
            Some(ty) => ty.clone(),
            None => Ty::Unknown,
        };
        Some((method, receiver))
    }

    fn instantiate_template(
        &self,
        ev: &mut Eval<'_>,
        template: &Template,
        from: &TemplateContext<'_>,
    ) -> Ty {
        let given = |n: usize| from.call.args.get(n).copied();
        match template {
            Template::Arg(n) => from.receiver.arg(*n),
            Template::This => from.receiver.clone(),
            Template::Of(n) => given(*n)
                .map(|e| box_primitive(ev.type_of_expr(from.call.file, e)))
                .unwrap_or_default(),
            Template::Each { from: first, step } => {
                let given = from.call.args.iter().skip(*first).step_by(*step);
                let types = given.map(|e| ev.type_of_expr(from.call.file, *e));
                given_elements(types.collect())
            }
            Template::Number(kind) => {
                let given = from.call.args.iter();
                let types: Vec<Ty> = given.map(|e| ev.type_of_expr(from.call.file, *e)).collect();
                match (kind, &types[..]) {
                    (Number::Promoted, all) => numeric::promoted(all),
                    (Number::Floating, all) => numeric::floating(all),
                    (Number::Last, [.., last]) => numeric::promoted(std::slice::from_ref(last)),
                    (Number::Rounded, [one]) => numeric::rounded(one),
                    (Number::Character, [one]) => numeric::character(one),
                    _ => Ty::Unknown,
                }
            }
            Template::Element(n) => {
                let of = given(*n)
                    .map(|e| ev.type_of_expr(from.call.file, e))
                    .unwrap_or_default();
                self.iterated_type(ev, &of)
            }
            Template::ClassOf(n) => given(*n)
                .map(|e| ev.type_of_expr(from.call.file, e).arg(0))
                .unwrap_or_default(),
            Template::Result(n) => match given(*n) {
                Some(e) => box_primitive(self.function_argument_result(ev, from.call.file, e)),
                None => Ty::Unknown,
            },
            Template::Collected(n) => match given(*n) {
                Some(e) => self.collector_result(ev, from.call.file, e, &from.receiver.arg(0)),
                None => Ty::Unknown,
            },
            Template::Array(element) => {
                builtins::array_type(self.instantiate_template(ev, element, from))
            }
            Template::Named(external, args) => {
                let args: Vec<Ty> = args
                    .iter()
                    .map(|a| self.instantiate_template(ev, a, from))
                    .collect();
                Ty::ExternalInstance(external.clone(), args.into())
            }
        }
    }

    /// The result type of a function argument: a lambda or a method reference.
    pub(super) fn function_argument_result(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        expr: ExprId,
    ) -> Ty {
        let facts = ev.repo.facts(file);
        match facts.expr(expr) {
            Expr::Function(def) => ev.result_type(GlobalDef { file, def: *def }),
            Expr::Scoped { object, name } => {
                let (mut entity, mut receiver) = ev.resolve_expr(file, *object, Namespace::VALUE);
                if entity.is_unknown() {
                    (entity, receiver) = ev.resolve_expr(file, *object, Namespace::TYPE);
                }
                let object = ev.type_of_entity(&entity, receiver.as_ref());
                self.method_reference_result(ev, &object, facts.name(*name))
            }
            _ => {
                let ty = ev.type_of_expr(file, expr);
                self.functional_signature(ev, &ty)
                    .map(|(_, ret)| ret)
                    .unwrap_or_default()
            }
        }
    }

    /// The result type of the method in a method reference.
    fn method_reference_result(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        if name == "new" {
            return match object {
                Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
                Ty::External(e) => Ty::ExternalInstance(e.clone(), no_args()),
                _ => Ty::Unknown,
            };
        }
        let opened = ev.resolve_type_param(object);
        let candidates = self.method_candidates(ev, &opened, name);
        let mut results = candidates.iter().map(|c| {
            let raw = ev.result_type(c.def);
            ev.substitute(&raw, Some(&c.owner))
        });
        let first = results.next().unwrap_or_default();
        // Overloads with different types give no result.
        if results.any(|r| r != first) {
            Ty::Unknown
        } else {
            first
        }
    }

    /// The result of a common collector over the elements of a stream.
    fn collector_result(&self, ev: &mut Eval<'_>, file: FileId, expr: ExprId, element: &Ty) -> Ty {
        let facts = ev.repo.facts(file);
        let Expr::Call { callee, args, .. } = facts.expr(expr) else {
            return Ty::Unknown;
        };
        let name = match facts.expr(*callee) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => facts.name(*name),
            _ => return Ty::Unknown,
        };
        let of = |class: &str, args: Vec<Ty>| Ty::external("java.util", class, args);
        match name {
            "toList" | "toUnmodifiableList" => of("List", vec![element.clone()]),
            "toSet" | "toUnmodifiableSet" => of("Set", vec![element.clone()]),
            "joining" => builtins::java_lang_type("String"),
            "groupingBy" if args.len() == 1 => {
                let key = self.function_argument_result(ev, file, args[0]);
                of("Map", vec![key, of("List", vec![element.clone()])])
            }
            "toMap" if args.len() >= 2 => {
                let key = self.function_argument_result(ev, file, args[0]);
                let value = self.function_argument_result(ev, file, args[1]);
                of("Map", vec![key, value])
            }
            _ => Ty::Unknown,
        }
    }

    /// The element type of an enhanced `for` over a value.
    pub(super) fn iterated_type(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        if let Some(element) = array_element(of) {
            return element;
        }
        let opened = ev.resolve_type_param(of);
        match &opened {
            Ty::ExternalInstance(e, args) => {
                let iterable = External::new("java.lang", "Iterable");
                let stream = &*e.package == "java.util.stream";
                match builtins::external_inherits(e, &iterable) {
                    Some(true) => args.first().cloned().unwrap_or_default(),
                    _ if stream => args.first().cloned().unwrap_or_default(),
                    _ => Ty::Unknown,
                }
            }
            Ty::Instance(..) => {
                let order = ev.member_search_order(&opened);
                order
                    .iter()
                    .filter(|t| matches!(t, Ty::ExternalInstance(..)))
                    .map(|t| self.iterated_type(ev, t))
                    .find(|t| !t.is_unknown())
                    .unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    /// Parameters and result of a functional interface.
    pub(super) fn functional_signature(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        let opened = ev.resolve_type_param(of);
        match &opened {
            Ty::ExternalInstance(external, args) => platform_functional_signature(external, args),
            Ty::Instance(class, _) if ev.repo.def(*class).kind == SymbolKind::Interface => {
                let order = ev.member_search_order(&opened);
                let method = self.single_abstract_method(ev, &order);
                match method {
                    Some((method, owner)) => {
                        let params = self.param_types(ev, method, &owner);
                        let raw = ev.result_type(method);
                        Some((params, ev.substitute(&raw, Some(&owner))))
                    }
                    None => order.iter().skip(1).find_map(|t| match t {
                        Ty::ExternalInstance(e, args) => platform_functional_signature(e, args),
                        _ => None,
                    }),
                }
            }
            _ => None,
        }
    }

    fn param_types(&self, ev: &mut Eval<'_>, method: GlobalDef, owner: &Ty) -> Vec<Ty> {
        let repo = ev.repo;
        let params = repo
            .def(method)
            .callable
            .as_deref()
            .map_or(&[][..], |c| &c.params);
        params
            .iter()
            .map(|p| {
                let written =
                    p.ty.map(|t| ev.lower_type(method.file, t))
                        .unwrap_or_default();
                ev.substitute(&written, Some(owner))
            })
            .collect()
    }

    /// The only abstract method of an interface, if there is one.
    fn single_abstract_method(&self, ev: &Eval<'_>, order: &[Ty]) -> Option<(GlobalDef, Ty)> {
        let repo = ev.repo;
        let mut found: Option<(GlobalDef, Ty)> = None;
        let mut concrete: Vec<&str> = Vec::new();
        for ty in order {
            let Ty::Instance(class, _) = ty else { continue };
            for method in repo.children(*class) {
                let def = repo.def(method);
                let name = repo.def_name(method);
                if def.kind != SymbolKind::Method || builtins::is_object_method(name) {
                    continue;
                }
                if !def.flags.has(DefFlags::ABSTRACT) {
                    if !def.flags.has(DefFlags::STATIC) {
                        concrete.push(name);
                    }
                    continue;
                }
                match &found {
                    _ if concrete.contains(&name) => {}
                    None => found = Some((method, ty.clone())),
                    Some((other, _)) if repo.def_name(*other) == name => {}
                    Some(_) => return None,
                }
            }
        }
        found
    }
}

fn platform_functional_signature(external: &External, args: &Args) -> Option<(Vec<Ty>, Ty)> {
    let (params, result) = tables().functional_shape(external)?;
    let fill = |template: &Template| fill_type_args(template, args);
    Some((params.iter().map(fill).collect(), fill(result)))
}

/// A template filled in by type arguments alone.
fn fill_type_args(template: &Template, args: &Args) -> Ty {
    match template {
        Template::Arg(n) => args.get(*n).cloned().unwrap_or_default(),
        Template::Named(external, inner) => {
            let inner: Vec<Ty> = inner.iter().map(|t| fill_type_args(t, args)).collect();
            Ty::ExternalInstance(external.clone(), inner.into())
        }
        Template::Array(inner) => builtins::array_type(fill_type_args(inner, args)),
        _ => Ty::Unknown,
    }
}

/// The type of the elements that a variable number of arguments gives: that of any of them, or of the elements of the only
/// array.
fn given_elements(types: Vec<Ty>) -> Ty {
    if let [one] = &types[..]
        && let Some(element) = array_element(one).filter(|e| as_primitive(e).is_none())
    {
        return element;
    }
    if types.iter().any(Ty::is_unknown) {
        return Ty::Unknown;
    }
    Ty::union(types.into_iter().map(box_primitive))
}

/// A type argument is never primitive.
pub(super) fn box_primitive(ty: Ty) -> Ty {
    match builtins::as_primitive(&ty).and_then(builtins::box_or_unbox) {
        Some(class) => builtins::java_lang_type(class),
        None => ty,
    }
}
