//! Types of .NET: results of its methods, types of its properties, and parameters of lambdas that are passed to it.

use super::CSharp;
use super::fit::promoted;
use super::tables::{self, Member, Template, array, nullable, system, system_name, tables};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Maximum number of supertypes that are searched for a member.
const MAX_SUPERS: usize = 40;

/// The values with which a template is filled in.
struct Context<'a> {
    receiver: Ty,
    call: Option<CallView<'a>>,
}

impl CSharp {
    /// A member of a type or its supertypes, by its name in the tables.
    pub(super) fn platform_member(
        &self,
        external: &External,
        name: &str,
    ) -> Option<&'static Member> {
        self.find_member(&Ty::ExternalInstance(external.clone(), no_args()), name)
            .map(|(member, _)| member)
    }

    /// Finds a member, and the type of the object as an instance of the type that declares it.
    fn find_member(&self, object: &Ty, name: &str) -> Option<(&'static Member, Ty)> {
        let mut stack = vec![object.clone()];
        let mut steps = 0;
        while let Some(next) = stack.pop() {
            steps += 1;
            let Ty::ExternalInstance(external, args) = &next else {
                continue;
            };
            if let Some(found) = tables().own_member(external, name) {
                return Some((found, next));
            }
            if steps > MAX_SUPERS {
                return None;
            }
            stack.extend(tables().supers(external, args).into_iter().rev());
        }
        let object = External::new("System", "Object");
        tables()
            .own_member(&object, name)
            .map(|member| (member, system("Object")))
    }

    /// The type of a property or field.
    pub(super) fn platform_property(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Option<Ty> {
        match object {
            Ty::Tuple(parts) => {
                let n: usize = name.strip_prefix("Item")?.parse().ok()?;
                return parts.get(n.checked_sub(1)?).cloned();
            }
            Ty::ExternalInstance(external, args) if external.symbol.starts_with('(') => {
                let mut names = external.symbol.trim_matches(['(', ')']).split(',');
                let numbered = name
                    .strip_prefix("Item")
                    .and_then(|n| n.parse::<usize>().ok());
                let at = names
                    .position(|n| n == name)
                    .or_else(|| numbered?.checked_sub(1))?;
                return args.get(at).cloned();
            }
            _ => {}
        }
        let of = match object {
            Ty::External(external) => Ty::ExternalInstance(tables::normalize(external), no_args()),
            other => other.clone(),
        };
        let (member, receiver) = self.find_member(&of, name)?;
        let context = Context {
            receiver,
            call: None,
        };
        let found = self.instantiate(ev, &member.result, &context);
        (!found.is_unknown()).then_some(found)
    }

    /// The entry of a method in the tables, and the type of its object with type arguments.
    fn platform_method(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
    ) -> Option<(&'static Member, Ty)> {
        let (class, name) = callee.symbol.rsplit_once('.')?;
        let class = tables::normalize(&External::new(&callee.package, class));
        if &*class.package == "System.Linq" && &*class.symbol == "Enumerable" {
            let sequence = match receiver {
                Some(ty @ Ty::ExternalInstance(..)) => ty.clone(),
                _ => Ty::Unknown,
            };
            if let Some(member) = tables().sequence_method(name) {
                return Some((member, sequence));
            }
        }
        let object = match receiver {
            Some(ty @ (Ty::Instance(..) | Ty::Super(_))) => self
                .external_view(ev, ty, &class)
                .unwrap_or(Ty::ExternalInstance(class, no_args())),
            Some(ty @ Ty::ExternalInstance(..)) => ty.clone(),
            _ => Ty::ExternalInstance(class, no_args()),
        };
        self.find_member(&object, &format!("{name}()"))
    }

    /// The result type of a method.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        let Some((member, object)) = self.platform_method(ev, callee, receiver) else {
            return Ty::Unknown;
        };
        let object = match (&member.result, receiver) {
            // The method returns its own object, whichever supertype declares it.
            (Template::This, Some(ty @ Ty::ExternalInstance(..))) => ty.clone(),
            _ => object,
        };
        let context = Context {
            receiver: object,
            call: Some(call),
        };
        self.instantiate(ev, &member.result, &context)
    }

    /// The type of a parameter of a lambda that is passed to a method.
    pub(super) fn platform_callback(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        (arg, param): (u32, u32),
    ) -> Ty {
        let Some((member, object)) = self.platform_method(ev, callee, receiver) else {
            return Ty::Unknown;
        };
        let known = member.callbacks.iter().find(|(at, _)| *at == arg);
        let Some(template) = known.and_then(|(_, params)| params.get(param as usize)) else {
            return Ty::Unknown;
        };
        let context = Context {
            receiver: object,
            call: Some(call),
        };
        self.instantiate(ev, template, &context)
    }

    /// The type of a variable that an argument of a method sets (`out`).
    pub(super) fn platform_out(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let Some((member, object)) = self.platform_method(ev, callee, receiver) else {
            return Ty::Unknown;
        };
        let Some((_, template)) = member.outs.iter().find(|(at, _)| *at == arg) else {
            return Ty::Unknown;
        };
        let context = Context {
            receiver: object,
            call: Some(call),
        };
        self.instantiate(ev, template, &context)
    }

    fn instantiate(&self, ev: &mut Eval<'_>, template: &Template, from: &Context<'_>) -> Ty {
        let repo = ev.repo;
        let given = |n: usize| {
            let call = from.call?;
            let expr = *call.args.get(n)?;
            let inner = match repo.facts(call.file).expr(expr) {
                Expr::Keyword(_, value) => *value,
                _ => expr,
            };
            Some((call.file, inner))
        };
        match template {
            Template::Arg(n) => from.receiver.arg(*n),
            Template::This => from.receiver.clone(),
            Template::Given(n) => match from
                .call
                .and_then(|c| Some((c.file, *c.type_args.get(*n)?)))
            {
                Some((file, ty)) => ev.lower_type(file, ty),
                None => Ty::Unknown,
            },
            // Without a start value, a sequence is folded into one of its own elements.
            Template::Of(n) => match given(*n).map(|(file, e)| ev.type_of_expr(file, e)) {
                Some(Ty::Function(..)) => from.receiver.arg(0),
                found => found.unwrap_or_default(),
            },
            Template::Element(n) => match given(*n) {
                Some((file, e)) => {
                    let of = ev.type_of_expr(file, e);
                    self.iterated(ev, &of)
                }
                None => Ty::Unknown,
            },
            Template::Result(n) => match given(*n) {
                Some((file, e)) => self.result_of_function(ev, file, e),
                None => Ty::Unknown,
            },
            Template::Flat(n) => match given(*n) {
                Some((file, e)) => {
                    let result = self.result_of_function(ev, file, e);
                    self.iterated(ev, &result)
                }
                None => Ty::Unknown,
            },
            Template::Awaited(n) => match given(*n) {
                Some((file, e)) => {
                    let result = self.result_of_function(ev, file, e);
                    self.awaited_type(ev, &result)
                }
                None => Ty::Unknown,
            },
            Template::Array(element) => array(self.instantiate(ev, element, from)),
            Template::Named(external, args) => {
                let args: Vec<Ty> = args.iter().map(|a| self.instantiate(ev, a, from)).collect();
                Ty::ExternalInstance(external.clone(), args.into())
            }
        }
    }

    /// The result type of an argument that is a function: a lambda, a method or a delegate.
    fn result_of_function(&self, ev: &mut Eval<'_>, file: FileId, expr: ExprId) -> Ty {
        if let Expr::Function(def) = ev.repo.facts(file).expr(expr) {
            return ev.result_type(GlobalDef { file, def: *def });
        }
        match ev.type_of_expr(file, expr) {
            Ty::Function(defs, owner) => match defs[..] {
                [one] => {
                    let raw = ev.result_type(one);
                    ev.substitute(&raw, owner.as_deref())
                }
                _ => Ty::Unknown,
            },
            ty => self
                .delegate_shape(ev, &ty)
                .map(|(_, result)| result)
                .unwrap_or_default(),
        }
    }

    /// The type of a value after `await`.
    pub(super) fn awaited_type(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let opened = ev.resolve_type_param(of);
        match &opened {
            Ty::ExternalInstance(external, args) if external.symbol.ends_with("Task") => {
                args.first().cloned().unwrap_or_else(|| system("Void"))
            }
            _ => Ty::Unknown,
        }
    }

    /// The type of an operation. Numbers are promoted. Types of the repository may define the operator.
    pub(super) fn operation_type(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        // The operators of values are there for values that may lack, too.
        if nullable(&left).is_some() || nullable(&right).is_some() {
            let plain = |ty: Ty| nullable(&ty).unwrap_or(ty);
            let result = self.operation_type(ev, plain(left), plain(right));
            if self.is_value(ev, &result) {
                return Ty::external("System", "Nullable", vec![result]);
            }
            return result;
        }
        if system_name(&right) == Some("String") || system_name(&left) == Some("String") {
            return system("String");
        }
        for side in [&left, &right] {
            let Ty::Instance(class, _) = side else {
                continue;
            };
            if ev.repo.def(*class).kind == SymbolKind::Enum {
                return side.clone();
            }
            if ev.repo.def(*class).kind == SymbolKind::TypeAlias {
                return side.clone();
            }
            return self.operator_result(ev, *class, side);
        }
        if system_name(&left) == Some("DateTime") {
            return match system_name(&right) {
                Some("DateTime") => system("TimeSpan"),
                _ => left,
            };
        }
        if system_name(&left) == Some("TimeSpan")
            && matches!(system_name(&right), Some("Int32" | "Char"))
        {
            return left;
        }
        promoted(&left, &right)
    }

    /// The result type of a type's operators, if all of them have the same one.
    fn operator_result(&self, ev: &mut Eval<'_>, class: GlobalDef, of: &Ty) -> Ty {
        let mut found: Option<Ty> = None;
        for name in ["+", "-", "*", "/", "%", "&", "|", "^"] {
            let Some(methods) = self.find_members(ev, class, &format!("operator {name}")) else {
                continue;
            };
            for method in methods {
                let raw = ev.result_type(method);
                let result = ev.substitute(&raw, Some(of));
                if found.as_ref().is_some_and(|f| *f != result) {
                    return Ty::Unknown;
                }
                found = Some(result);
            }
        }
        found.unwrap_or_default()
    }
}
