//! Results of members of the standard library, and the parameters of functions that are passed to them.

use super::Scala;
use super::stdlib::{self, Member, Template};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::FileId;
use linker::ty::*;

/// A member of something outside.
struct PlatformMember {
    member: &'static Member,
    /// The object.
    object: Ty,
    /// The object as the supertype that has the member.
    seen: Ty,
}

/// What a template is filled in from.
struct Context<'a> {
    object: Ty,
    seen: Ty,
    file: FileId,
    /// The call of the first parameter list.
    first: CallView<'a>,
    /// The call of the second one.
    second: Option<CallView<'a>>,
}

impl PlatformMember {
    fn of_object(member: &'static Member) -> PlatformMember {
        PlatformMember {
            member,
            object: Ty::Unknown,
            seen: Ty::Unknown,
        }
    }

    fn context<'a>(&self, first: CallView<'a>, second: Option<CallView<'a>>) -> Context<'a> {
        Context {
            object: self.object.clone(),
            seen: self.seen.clone(),
            file: first.file,
            first,
            second,
        }
    }
}

impl Scala {
    /// The type of a member of something outside, or of calling it.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        let name = callee.symbol.rsplit('.').next().unwrap_or_default();
        if let Some(known) = self.universal_result(ev, name, receiver, call) {
            return known;
        }
        let is_bare = matches!(ev.repo.facts(call.file).expr(call.expr), Expr::Bare(_));
        match self.platform_member(callee, receiver, is_bare) {
            Some(found) => {
                let context = found.context(call, None);
                self.instantiate(ev, &found.member.result, &context)
            }
            None if is_bare && receiver.is_none_or(|r| matches!(r, Ty::External(_))) => {
                Ty::External(stdlib::canonical(callee))
            }
            None => Ty::Unknown,
        }
    }

    /// Results that do not depend on the type of the object.
    fn universal_result(
        &self,
        ev: &mut Eval<'_>,
        name: &str,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Option<Ty> {
        let argument = |ev: &mut Eval<'_>| match call.args.first() {
            Some(arg) => ev.type_of_expr(call.file, *arg),
            None => Ty::Unknown,
        };
        Some(match name {
            "==" | "!=" | "equals" | "eq" | "ne" | "isInstanceOf" | "canEqual" => {
                stdlib::primitive(Primitive::Bool)
            }
            "toString" => stdlib::primitive(Primitive::String),
            "hashCode" | "##" => stdlib::primitive(Primitive::Int),
            "asInstanceOf" => {
                let types = ev.lower_types(call.file, call.type_args);
                types.into_iter().next().unwrap_or_default()
            }
            "synchronized" => argument(ev),
            "->" => Ty::Tuple([receiver.cloned().unwrap_or_default(), argument(ev)].into()),
            _ => {
                let number = match receiver {
                    Some(ty @ Ty::ExternalInstance(e, _)) if stdlib::is_number(e) => ty,
                    _ => return None,
                };
                match name {
                    "<" | ">" | "<=" | ">=" => stdlib::primitive(Primitive::Bool),
                    "<<" | ">>" | ">>>" | "unary_-" | "unary_+" | "unary_~" => number.clone(),
                    _ if stdlib::is_arithmetic(name) => stdlib::wider(number, &argument(ev)),
                    _ => return None,
                }
            }
        })
    }

    /// The entry of a member in the tables, and the object as the type that has it.
    fn platform_member(
        &self,
        callee: &External,
        receiver: Option<&Ty>,
        is_bare: bool,
    ) -> Option<PlatformMember> {
        let callee = stdlib::canonical(callee);
        if &*callee.package != "scala" {
            return None;
        }
        match (receiver, callee.symbol.rsplit_once('.')) {
            (Some(object @ Ty::ExternalInstance(..)), Some((_, name))) => {
                let (member, seen) = stdlib::member_of(object, name)?;
                Some(PlatformMember {
                    member,
                    object: object.clone(),
                    seen,
                })
            }
            (_, Some((object, name))) => {
                stdlib::member_of_object(object, name).map(PlatformMember::of_object)
            }
            (_, None) if !is_bare => {
                stdlib::member_of_object(&callee.symbol, "apply").map(PlatformMember::of_object)
            }
            _ => None,
        }
    }

    /// The types of the parameters of a function that is an argument of something outside.
    pub(super) fn platform_callback(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Vec<Ty> {
        let Some(found) = self.platform_member(callee, receiver, false) else {
            return Vec::new();
        };
        let context = found.context(call, None);
        self.callback(ev, found.member, &context, (0, arg))
    }

    fn callback(
        &self,
        ev: &mut Eval<'_>,
        member: &'static Member,
        context: &Context<'_>,
        (list, arg): (usize, u32),
    ) -> Vec<Ty> {
        let mut all = member.callbacks.iter();
        let Some((_, _, params)) = all.find(|c| (c.0, c.1) == (list, arg)) else {
            return Vec::new();
        };
        let each = params.iter();
        each.map(|param| self.instantiate(ev, param, context))
            .collect()
    }

    /// The member outside whose first parameter list a call gives.
    fn first_list<'r>(
        &self,
        ev: &mut Eval<'r>,
        file: FileId,
        inner: ExprId,
    ) -> Option<(PlatformMember, CallView<'r>)> {
        let view = ev.call_view(file, inner);
        let Some(Called::Found(Entity::External(callee), receiver)) =
            ev.resolve_callee_by_lang(file, inner)
        else {
            return None;
        };
        let receiver = receiver.map(|r| ev.resolve_type_param(&r));
        let found = self.platform_member(&callee, receiver.as_ref(), false)?;
        found.member.has_two_lists.then_some((found, view))
    }

    /// The result of the second parameter list of a member outside.
    pub(super) fn platform_continued(
        &self,
        ev: &mut Eval<'_>,
        inner: ExprId,
        call: CallView<'_>,
    ) -> Option<Ty> {
        let (found, first) = self.first_list(ev, call.file, inner)?;
        let context = found.context(first, Some(call));
        Some(self.instantiate(ev, &found.member.result, &context))
    }

    /// The types of the parameters of a function in the second parameter list of a member outside.
    pub(super) fn continued_callback(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        arg: u32,
    ) -> Option<Vec<Ty>> {
        let Expr::Call { callee, .. } = ev.repo.facts(call.file).expr(call.expr) else {
            return None;
        };
        let (found, first) = self.first_list(ev, call.file, *callee)?;
        let context = found.context(first, None);
        Some(self.callback(ev, found.member, &context, (1, arg)))
    }

    fn instantiate(&self, ev: &mut Eval<'_>, of: &Template, context: &Context<'_>) -> Ty {
        match of {
            Template::Unknown => Ty::Unknown,
            Template::Arg(n) => context.seen.arg(*n),
            Template::This => context.object.clone(),
            Template::Inner => stdlib::element(&stdlib::element(&context.object)),
            Template::InnerOfArgument => {
                let of = self.argument(ev, context.file, Some(context.first), 0);
                stdlib::element(&stdlib::element(&of))
            }
            Template::Part(kind, n) => self.part_of_call(ev, *kind, *n, context),
            Template::All => self.common_argument(ev, context),
            Template::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.instantiate(ev, p, context));
                Ty::Tuple(parts.collect())
            }
            Template::Same(element) => {
                let element = self.instantiate(ev, element, context);
                same_kind(&context.object, element)
            }
            Template::MapOf(pairs) => map_of(&self.instantiate(ev, pairs, context)),
            Template::MapOrSame(element) => {
                let element = self.instantiate(ev, element, context);
                match &element {
                    Ty::Tuple(parts) if parts.len() == 2 => map_of(&element),
                    Ty::Unknown => Ty::Unknown,
                    _ => stdlib::instance("Iterable", vec![element]),
                }
            }
            Template::Named(symbol, args) => {
                let args = args.iter().map(|a| self.instantiate(ev, a, context));
                stdlib::instance(symbol, args.collect())
            }
        }
    }

    /// The type of an argument of a list.
    fn argument(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        call: Option<CallView<'_>>,
        n: usize,
    ) -> Ty {
        let arg = call.and_then(|c| c.args.get(n).copied());
        let Some(arg) = arg else {
            return Ty::Unknown;
        };
        match ev.repo.facts(file).expr(arg) {
            Expr::Keyword(_, value) => ev.type_of_expr(file, *value),
            Expr::Spread(_) => Ty::Unknown,
            _ => ev.type_of_expr(file, arg),
        }
    }

    fn part_of_call(&self, ev: &mut Eval<'_>, kind: char, n: usize, context: &Context<'_>) -> Ty {
        let file = context.file;
        let first = Some(context.first);
        match kind {
            'G' => {
                let given = context.first.type_args.get(n);
                given.map(|ty| ev.lower_type(file, *ty)).unwrap_or_default()
            }
            'A' => self.argument(ev, file, first, n),
            'B' => self.argument(ev, file, context.second, n),
            'E' => stdlib::element(&self.argument(ev, file, first, n)),
            'R' => {
                let function = self.argument(ev, file, first, n);
                self.result_of_function(ev, &function)
            }
            'F' => {
                let function = self.argument(ev, file, first, n);
                let result = self.result_of_function(ev, &function);
                stdlib::element(&result)
            }
            'S' => {
                let function = self.argument(ev, file, first, n);
                self.result_of_function(ev, &function).arg(1)
            }
            'L' => {
                let function = self.argument(ev, file, context.second, n);
                self.result_of_function(ev, &function)
            }
            'M' => {
                let function = self.argument(ev, file, context.second, n);
                let result = self.result_of_function(ev, &function);
                stdlib::element(&result)
            }
            _ => Ty::Unknown,
        }
    }

    fn result_of_function(&self, ev: &mut Eval<'_>, function: &Ty) -> Ty {
        match function {
            Ty::Function(defs, receiver) => match defs[..] {
                [one] if ev.repo.def(one).type_params.is_empty() => {
                    let result = ev.result_type(one);
                    ev.substitute(&result, receiver.as_deref())
                }
                _ => Ty::Unknown,
            },
            Ty::Callable(_, result) => (**result).clone(),
            Ty::ExternalInstance(external, args) => match stdlib::function_type(external, args) {
                Some((_, result)) => result,
                None if stdlib::is_map(&external.symbol) => function.arg(1),
                None => Ty::Unknown,
            },
            // A case class as the function that makes it.
            Ty::Class(class, _) if ev.repo.def(*class).type_params.is_empty() => {
                Ty::instance(*class)
            }
            _ => Ty::Unknown,
        }
    }

    /// One type that all arguments of a call have. An explicit type argument goes before.
    fn common_argument(&self, ev: &mut Eval<'_>, context: &Context<'_>) -> Ty {
        /// With more arguments, their type is not looked for.
        const MOST: usize = 32;
        if let Some(given) = context.first.type_args.first() {
            let given = ev.lower_type(context.file, *given);
            return match context.first.type_args.get(1) {
                Some(second) => Ty::Tuple([given, ev.lower_type(context.file, *second)].into()),
                None => given,
            };
        }
        if context.first.args.len() > MOST {
            return Ty::Unknown;
        }
        let mut types = Vec::new();
        for n in 0..context.first.args.len() {
            let spread = match ev.repo.facts(context.file).expr(context.first.args[n]) {
                Expr::Spread(inner) => Some(*inner),
                _ => None,
            };
            let ty = match spread {
                Some(inner) => stdlib::element(&ev.type_of_expr(context.file, inner)),
                None => self.argument(ev, context.file, Some(context.first), n),
            };
            if ty.is_unknown() {
                return Ty::Unknown;
            }
            types.push(ty);
        }
        self.common_of(ev, types)
    }
}

/// The kind of collection of an object, with another element.
fn same_kind(object: &Ty, element: Ty) -> Ty {
    let Ty::ExternalInstance(external, _) = object else {
        return Ty::Unknown;
    };
    match &*external.symbol {
        "Some" | "None" => stdlib::instance("Option", vec![element]),
        "Range" | "NumericRange" | "StringBuilder" | "BitSet" => {
            stdlib::instance("IndexedSeq", vec![element])
        }
        symbol if stdlib::is_map(symbol) => match &element {
            Ty::Tuple(parts) if parts.len() == 2 => map_of(&element),
            _ => stdlib::instance("Iterable", vec![element]),
        },
        symbol => stdlib::instance(symbol, vec![element]),
    }
}

fn map_of(pairs: &Ty) -> Ty {
    match pairs {
        Ty::Tuple(parts) if parts.len() == 2 => stdlib::instance("Map", parts.to_vec()),
        _ => stdlib::instance("Map", Vec::new()),
    }
}
