//! What lies outside of the repository: results of its functions, and what they give to lambdas.

use super::Kotlin;
use super::select::value_of;
pub(super) use super::tables::standard;
use super::tables::{Member, Shape, Template};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;
use std::sync::Arc;

/// The name of the type that marks a receiver among the parameters of a function type.
const RECEIVER: &str = "(receiver)";

/// An instance of a type of the standard library.
pub(super) fn kotlin(name: &str) -> Ty {
    Ty::external("kotlin", name, Vec::new())
}

/// The mark of a receiver.
pub(super) fn receiver_of(ty: Ty) -> Ty {
    Ty::external("kotlin", RECEIVER, vec![ty])
}

/// The receiver behind its mark.
pub(super) fn receiver(ty: &Ty) -> Option<Ty> {
    ty.is_external("kotlin", RECEIVER).then(|| ty.arg(0))
}

/// Whether a type is `Any`.
pub(super) fn is_any(ty: &Ty) -> bool {
    ty.is_external("kotlin", "Any")
}

/// Whether a literal whole number fits a type.
pub(super) fn is_whole_number(ty: &Ty) -> bool {
    let Ty::ExternalInstance(external, _) = ty else {
        return false;
    };
    &*external.package == "kotlin"
        && matches!(
            &*external.symbol,
            "Int" | "Long" | "Short" | "Byte" | "UInt" | "ULong" | "UShort" | "UByte" | "Number"
        )
}

/// The order in which a literal whole number prefers types.
pub(super) fn number_rank(ty: &Ty) -> Option<u32> {
    let Ty::ExternalInstance(external, _) = ty else {
        return None;
    };
    if &*external.package != "kotlin" {
        return None;
    }
    Some(match &*external.symbol {
        "Int" => 0,
        "Long" => 1,
        "Short" => 2,
        "Byte" => 3,
        "Double" => 4,
        "Float" => 5,
        _ => return None,
    })
}

/// First segments of external packages that are used by their full names.
pub(super) fn is_root(name: &str) -> bool {
    matches!(
        name,
        "java" | "javax" | "jakarta" | "kotlin" | "kotlinx" | "com" | "org" | "net" | "io"
    )
}

/// Whether an external name is that of a type, by its first letter.
pub(super) fn names_type(external: &External) -> bool {
    let last = external.symbol.rsplit('.').next().unwrap_or("");
    last.starts_with(char::is_uppercase)
}

/// A name in a package outside of the repository.
pub(super) fn outside(package: &str, name: &str) -> External {
    kotlin_name(&External::new(package, name))
}

/// A type that needs no import.
pub(super) fn default_type(name: &str) -> Option<External> {
    standard()
        .is_default_type(name)
        .then(|| External::new("kotlin", name))
}

/// An external name in the form of the tables: types of Java and Kotlin that are in them belong to one package.
pub(super) fn kotlin_name(external: &External) -> External {
    let package = &*external.package;
    let (root, _) = package.split_once('.').unwrap_or((package, ""));
    if package == "kotlin" && !external.symbol.contains('.') {
        return external.clone();
    }
    if root != "java" && root != "kotlin" {
        return external.clone();
    }
    let symbol = &*external.symbol;
    let last = symbol.rsplit('.').next().unwrap_or(symbol);
    let is_function = root == "kotlin" && last == symbol && last.starts_with(char::is_lowercase);
    let name = match last {
        "int" | "Integer" => "Int",
        "long" => "Long",
        "short" => "Short",
        "byte" => "Byte",
        "double" => "Double",
        "float" => "Float",
        "char" | "Character" => "Char",
        "boolean" => "Boolean",
        "void" | "Void" => "Unit",
        "Object" => "Any",
        "[]" => "Array",
        "AbstractList" => "MutableList",
        "AbstractMap" => "MutableMap",
        "AbstractSet" => "MutableSet",
        "StringBuffer" => "StringBuilder",
        other => other,
    };
    let is_mutable = package == "java.util"
        && matches!(name, "List" | "Set" | "Map" | "Collection" | "Iterator");
    if is_mutable {
        return External::new("kotlin", &format!("Mutable{name}"));
    }
    if standard().type_named(name) || (is_function && standard().function(name).is_some()) {
        return External::new("kotlin", name);
    }
    external.clone()
}

/// A type with the names of the tables.
pub(super) fn kotlin_type(ty: &Ty) -> Ty {
    match ty {
        Ty::ExternalInstance(external, args) => {
            let made = kotlin_name(external);
            if made == *external {
                ty.clone()
            } else {
                Ty::ExternalInstance(made, args.clone())
            }
        }
        other => other.clone(),
    }
}

/// The values with which a template is filled in.
struct Context<'a> {
    object: Ty,
    /// The object as the type that declares the member.
    holder: Ty,
    call: Option<CallView<'a>>,
}

impl Kotlin {
    /// The entry of a function in the tables, and what it is filled in with.
    fn known_function<'a>(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'a>,
    ) -> Option<(&'static Member, Context<'a>)> {
        if &*callee.package != "kotlin" {
            return None;
        }
        let Some((class, name)) = callee.symbol.rsplit_once('.') else {
            let member = standard().function(&callee.symbol)?;
            let context = Context {
                object: Ty::Unknown,
                holder: Ty::Unknown,
                call: Some(call),
            };
            return Some((member, context));
        };
        let object = match receiver {
            Some(ty) => kotlin_type(&ev.resolve_type_param(ty)),
            None => kotlin(class),
        };
        let of = match &object {
            Ty::ExternalInstance(..) => object.clone(),
            _ => kotlin(class),
        };
        let (member, holder) = standard().method(&of, name)?;
        // The parameter itself passes on, not its bound.
        let object = match receiver {
            Some(ty @ Ty::Param(..)) => ty.clone(),
            _ => object,
        };
        let context = Context {
            object,
            holder,
            call: Some(call),
        };
        Some((member, context))
    }

    /// The result type of a function.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        if let Some((member, context)) = self.known_function(ev, callee, receiver, call) {
            return self.instantiate(ev, &member.result, &context);
        }
        let is_class = names_type(callee) && receiver.is_none();
        if is_class || (names_type(callee) && matches!(receiver, Some(Ty::External(_)))) {
            let args = ev.lower_types(call.file, call.type_args);
            return Ty::ExternalInstance(callee.clone(), args.into());
        }
        Ty::Unknown
    }

    /// The function type that a function expects of an argument.
    pub(super) fn platform_lambda(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let Some((member, context)) = self.known_function(ev, callee, receiver, call) else {
            return Ty::Unknown;
        };
        let is_last = arg as usize + 1 == call.args.len();
        let Some(shape) = member.lambda.as_ref().filter(|_| is_last) else {
            return Ty::Unknown;
        };
        self.callable(ev, shape, &context)
    }

    fn callable(&self, ev: &mut Eval<'_>, shape: &Shape, context: &Context<'_>) -> Ty {
        let receiver = shape.receiver.as_ref();
        let receiver = receiver.map(|r| receiver_of(self.instantiate(ev, r, context)));
        let mut params: Vec<Ty> = receiver.into_iter().collect();
        for param in &shape.params {
            params.push(self.instantiate(ev, param, context));
        }
        Ty::Callable(params.into(), Arc::new(Ty::Unknown))
    }

    fn instantiate(&self, ev: &mut Eval<'_>, template: &Template, from: &Context<'_>) -> Ty {
        match template {
            Template::Arg(n) => from.holder.arg(*n),
            Template::This => from.object.clone(),
            Template::Given(n) => match from
                .call
                .and_then(|c| Some((c.file, *c.type_args.get(*n)?)))
            {
                Some((file, ty)) => ev.lower_type(file, ty),
                None => Ty::Unknown,
            },
            Template::All => self.type_of_all(ev, from),
            Template::Of(n) => self.type_of_argument(ev, from, *n),
            Template::Element(n) => {
                let of = self.type_of_argument(ev, from, *n);
                self.iterated(ev, &of)
            }
            Template::Part(n) => match from.call.filter(|c| !c.type_args.is_empty()) {
                Some(call) => {
                    let given = call.type_args.get(*n).copied();
                    given
                        .map(|ty| ev.lower_type(call.file, ty))
                        .unwrap_or_default()
                }
                None => self.type_of_argument(ev, from, 0).arg(*n),
            },
            Template::Inner => {
                let element = from.holder.arg(0);
                self.iterated(ev, &element)
            }
            Template::InnerPart(n) => from.holder.arg(0).arg(*n),
            Template::Result => self.result_of_lambda(ev, from),
            Template::Flat => {
                let result = self.result_of_lambda(ev, from);
                self.iterated(ev, &result)
            }
            Template::ResultPart(n) => self.result_of_lambda(ev, from).arg(*n),
            Template::Named("Nothing", _) => Ty::Null,
            Template::Named(name, args) => {
                let args = args.iter().map(|arg| self.instantiate(ev, arg, from));
                Ty::external("kotlin", name, args.collect())
            }
        }
    }

    fn type_of_argument(&self, ev: &mut Eval<'_>, from: &Context<'_>, n: usize) -> Ty {
        let Some(call) = from.call else {
            return Ty::Unknown;
        };
        let Some(arg) = call.args.get(n) else {
            return Ty::Unknown;
        };
        let value = value_of(ev, call.file, *arg);
        let ty = ev.type_of_expr(call.file, value);
        self.as_object(ev, &ty)
    }

    /// The type of all arguments; an explicit type argument counts before.
    fn type_of_all(&self, ev: &mut Eval<'_>, from: &Context<'_>) -> Ty {
        /// Most arguments that are looked at.
        const MOST: usize = 16;
        let Some(call) = from.call else {
            return Ty::Unknown;
        };
        if let [given] = call.type_args {
            return ev.lower_type(call.file, *given);
        }
        let mut types = Vec::new();
        for n in 0..call.args.len().min(MOST) {
            match self.type_of_argument(ev, from, n) {
                Ty::Null => {}
                Ty::Unknown => return Ty::Unknown,
                ty if types.contains(&ty) => {}
                ty => types.push(ty),
            }
        }
        match &types[..] {
            [] => Ty::Unknown,
            [one] => one.clone(),
            many => match self.join(ev, many) {
                Ty::Union(_) => kotlin("Any"),
                joined => joined,
            },
        }
    }

    /// The result of the last argument, a function.
    fn result_of_lambda(&self, ev: &mut Eval<'_>, from: &Context<'_>) -> Ty {
        let Some(call) = from.call else {
            return Ty::Unknown;
        };
        let Some(arg) = call.args.last() else {
            return Ty::Unknown;
        };
        let value = value_of(ev, call.file, *arg);
        if let Expr::Function(def) = ev.repo.facts(call.file).expr(value) {
            let def = GlobalDef {
                file: call.file,
                def: *def,
            };
            let result = ev.result_type(def);
            return self.as_object(ev, &result);
        }
        match ev.type_of_expr(call.file, value) {
            Ty::Function(defs, owner) => match defs[..] {
                [one] => {
                    let raw = ev.result_type(one);
                    ev.substitute(&raw, owner.as_deref())
                }
                _ => Ty::Unknown,
            },
            ty => self
                .function_shape(ev, &ty)
                .map(|(_, result)| result)
                .unwrap_or_default(),
        }
    }

    /// The type of the elements of a value.
    pub(super) fn iterated(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let opened = kotlin_type(&ev.resolve_type_param(of));
        if let Ty::ExternalInstance(external, _) = &opened {
            let element = match &*external.symbol {
                "ByteArray" => Some("Byte"),
                "IntArray" => Some("Int"),
                "LongArray" => Some("Long"),
                "CharArray" => Some("Char"),
                _ => None,
            };
            if let Some(element) = element {
                return kotlin(element);
            }
            let is_text = standard().as_super(&opened, &External::new("kotlin", "CharSequence"));
            if is_text.is_some() {
                return kotlin("Char");
            }
            if standard()
                .as_super(&opened, &External::new("kotlin", "Map"))
                .is_some()
            {
                let args = vec![opened.arg(0), opened.arg(1)];
                return Ty::external("kotlin", "Entry", args);
            }
        }
        for name in ["Iterable", "Sequence", "Array", "Iterator"] {
            let wanted = External::new("kotlin", name);
            if let Some(seen) = self.external_view(ev, &opened, &wanted) {
                return seen.arg(0);
            }
        }
        if matches!(opened, Ty::Instance(..)) {
            return self.iterated_by_methods(ev, &opened);
        }
        Ty::Unknown
    }

    /// The result of `next` of the result of `iterator`.
    fn iterated_by_methods(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let iterator = self.result_of_method(ev, of, "iterator");
        match &iterator {
            Ty::ExternalInstance(..) => kotlin_type(&iterator).arg(0),
            Ty::Instance(..) => self.result_of_method(ev, &iterator, "next"),
            _ => Ty::Unknown,
        }
    }

    /// The result type of a method without arguments.
    pub(super) fn result_of_method(&self, ev: &mut Eval<'_>, of: &Ty, name: &str) -> Ty {
        let file = match ev.current_file() {
            Some(file) => file,
            None => return Ty::Unknown,
        };
        let (candidates, _) = self.methods(ev, of, name, file, false);
        let Some(first) = candidates.first() else {
            return Ty::Unknown;
        };
        let result = ev.result_type(first.def);
        ev.substitute(&result, first.owner.as_ref())
    }

    /// What a delegate of a property gives.
    pub(super) fn delegated(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let opened = kotlin_type(&ev.resolve_type_param(of));
        match &opened {
            Ty::ExternalInstance(..) if opened.is_external("kotlin", "Lazy") => opened.arg(0),
            Ty::Instance(..) => self.result_of_method(ev, &opened, "getValue"),
            _ => Ty::Unknown,
        }
    }

    /// The n-th part of a value that is taken apart, from 0.
    pub(super) fn part_of(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        let opened = kotlin_type(&ev.resolve_type_param(of));
        match &opened {
            Ty::Instance(..) => {
                let name = format!("component{}", n + 1);
                let written = self.result_of_method(ev, &opened, &name);
                written.or_else(|| {
                    self.component(ev, &opened, n as usize + 1)
                        .unwrap_or_default()
                })
            }
            Ty::ExternalInstance(external, _) => match &*external.symbol {
                "Pair" | "Triple" | "Entry" | "MutableEntry" => opened.arg(n as usize),
                "IndexedValue" if n == 0 => kotlin("Int"),
                "IndexedValue" => opened.arg(0),
                _ => self.iterated(ev, &opened),
            },
            _ => Ty::Unknown,
        }
    }
}
