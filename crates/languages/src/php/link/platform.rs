//! What PHP's own functions and classes give: elements of arrays, results of callbacks.

use super::Php;
use super::names::PHP;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;

/// Functions that give an array with the elements of an argument, by its position.
const SAME_ELEMENTS: &[(&str, usize)] = &[
    ("array_combine", 1),
    ("array_diff", 0),
    ("array_diff_assoc", 0),
    ("array_diff_key", 0),
    ("array_fill", 2),
    ("array_fill_keys", 1),
    ("array_filter", 0),
    ("array_intersect", 0),
    ("array_intersect_key", 0),
    ("array_pad", 0),
    ("array_reverse", 0),
    ("array_slice", 0),
    ("array_splice", 0),
    ("array_udiff", 0),
    ("array_unique", 0),
    ("array_values", 0),
    ("iterator_to_array", 0),
];

/// Functions that give one element of their first argument.
const ONE_ELEMENT: &[&str] = &[
    "array_find",
    "array_pop",
    "array_shift",
    "current",
    "end",
    "next",
    "pos",
    "prev",
    "reset",
];

/// Functions that call an argument with elements of another: the position of the function, that of the array, and the
/// parameters that are elements.
const ELEMENT_CALLBACKS: &[(&str, u32, usize, &[u32])] = &[
    ("array_all", 1, 0, &[0]),
    ("array_any", 1, 0, &[0]),
    ("array_filter", 1, 0, &[0]),
    ("array_find", 1, 0, &[0]),
    ("array_reduce", 1, 0, &[1]),
    ("array_walk", 1, 0, &[0]),
    ("uasort", 1, 0, &[0, 1]),
    ("usort", 1, 0, &[0, 1]),
];

/// Methods of PHP's collections that give one of their elements.
const OWN_ELEMENTS: &[&str] = &[
    "bottom",
    "current",
    "dequeue",
    "extract",
    "offsetGet",
    "pop",
    "shift",
    "top",
];

/// An array of these elements.
pub(super) fn array(of: Ty) -> Ty {
    Ty::external(PHP, "array", vec![of])
}

/// Whether a value is an array.
pub(super) fn is_array(ty: &Ty) -> bool {
    ty.is_external(PHP, "array")
}

impl Php {
    /// The result of calling a function or method from outside.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        if let Some(receiver) = receiver {
            return self.method_result(ev, callee, receiver);
        }
        if &*callee.package != PHP {
            return Ty::Unknown;
        }
        let name = callee.symbol.to_ascii_lowercase();
        let same = SAME_ELEMENTS.iter().find(|(known, _)| *known == name);
        if let Some((_, at)) = same {
            let given = argument(ev, call, *at);
            let is_value = matches!(&*name, "array_fill" | "array_fill_keys");
            let element = if is_value {
                given
            } else {
                self.element_of_any(ev, &given)
            };
            return array(element);
        }
        if ONE_ELEMENT.contains(&&*name) {
            let given = argument(ev, call, 0);
            return self.element_of_any(ev, &given);
        }
        match &*name {
            "array_merge" | "array_replace" => {
                let mut elements = Vec::new();
                for at in 0..call.args.len().min(16) {
                    let given = argument(ev, call, at);
                    elements.push(self.element_of_any(ev, &given));
                }
                array(Ty::union(elements))
            }
            "array_map" => array(result_of(ev, call, 0)),
            "array_reduce" => {
                let result = result_of(ev, call, 1);
                result.or_else(|| argument(ev, call, 2))
            }
            "call_user_func" | "call_user_func_array" => result_of(ev, call, 0),
            "array_chunk" => {
                let given = argument(ev, call, 0);
                array(array(self.element_of_any(ev, &given)))
            }
            _ => Ty::Unknown,
        }
    }

    fn method_result(&self, ev: &mut Eval<'_>, callee: &External, receiver: &Ty) -> Ty {
        let method = callee.symbol.rsplit('.').next().unwrap_or_default();
        match (&*callee.symbol, receiver) {
            ("BackedEnum.from" | "BackedEnum.tryFrom", Ty::Class(of, _)) => Ty::instance(*of),
            ("BackedEnum.cases", Ty::Class(of, _)) => array(Ty::instance(*of)),
            (_, Ty::Instance(..)) if OWN_ELEMENTS.contains(&method) => {
                single(self.iterated(ev, receiver))
            }
            (_, Ty::ExternalInstance(of, args)) if &*of.package == PHP && !args.is_empty() => {
                match method {
                    method if OWN_ELEMENTS.contains(&method) => single(self.iterated(ev, receiver)),
                    "getIterator" => receiver.clone(),
                    _ => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        }
    }

    /// The type of a parameter of a function literal that one of PHP's functions calls.
    pub(super) fn callback_argument(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        call: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        if &*callee.package != PHP {
            return Ty::Unknown;
        }
        let name = &*callee.symbol.to_ascii_lowercase();
        if name == "array_map" && arg == 0 {
            let given = argument(ev, call, param as usize + 1);
            return self.element_of_any(ev, &given);
        }
        let known = ELEMENT_CALLBACKS.iter();
        let mut known = known.filter(|(of, at, ..)| *of == name && *at == arg);
        match known.next() {
            Some((_, _, from, params)) if params.contains(&param) => {
                let given = argument(ev, call, *from);
                self.element_of_any(ev, &given)
            }
            _ => Ty::Unknown,
        }
    }

    fn element_of_any(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        ev.map_alternatives(of, |ev, ty| self.iterated(ev, ty))
    }

    /// The type of the elements of an iteration.
    pub(super) fn iterated(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let of = &ev.resolve_type_param(of);
        match of {
            Ty::ExternalInstance(class, args) if &*class.package == PHP => match args.len() {
                0 => Ty::Unknown,
                1 => of.arg(0),
                // The first is the key.
                _ => of.arg(1),
            },
            Ty::Instance(class, _) => {
                let written = self.written_elements(ev, of);
                if !written.is_unknown() {
                    return written;
                }
                ev.guard_recursion(|ev| self.elements_of_class(ev, *class, of))
            }
            _ => Ty::Unknown,
        }
    }

    /// What a comment says that a class can be iterated over.
    fn written_elements(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let order = ev.member_search_order(of);
        let above = order.iter().filter(|ty| match ty {
            Ty::ExternalInstance(class, args) => &*class.package == PHP && !args.is_empty(),
            _ => false,
        });
        let found = above.map(|ty| {
            if ty.arg(1).is_unknown() {
                ty.arg(0)
            } else {
                ty.arg(1)
            }
        });
        found
            .into_iter()
            .find(|ty| !ty.is_unknown())
            .unwrap_or_default()
    }

    fn elements_of_class(&self, ev: &mut Eval<'_>, class: GlobalDef, of: &Ty) -> Ty {
        if let Some(method) = self.method(ev, class, "getIterator") {
            let result = ev.result_type(method);
            let result = ev.substitute(&result, Some(of));
            return self.element_of_any(ev, &result);
        }
        match self.method(ev, class, "current") {
            Some(method) => {
                let result = ev.result_type(method);
                ev.substitute(&result, Some(of))
            }
            None => Ty::Unknown,
        }
    }

    /// The type of `$object[…]`.
    pub(super) fn indexed(&self, ev: &mut Eval<'_>, object: &Ty) -> Ty {
        let object = &ev.resolve_type_param(object);
        match object {
            Ty::Instance(class, _) => match self.method(ev, *class, "offsetGet") {
                Some(method) => {
                    let result = ev.result_type(method);
                    ev.substitute(&result, Some(object))
                }
                None => Ty::Unknown,
            },
            other => self.iterated(ev, other),
        }
    }
}

/// One element of an array. If elements have several types, it is not known which of them.
pub(super) fn single(element: Ty) -> Ty {
    match element {
        Ty::Union(_) => Ty::Unknown,
        other => other,
    }
}

/// The type of an argument.
fn argument(ev: &mut Eval<'_>, call: CallView<'_>, at: usize) -> Ty {
    match call.args.get(at) {
        Some(arg) => ev.type_of_expr(call.file, *arg),
        None => Ty::Unknown,
    }
}

/// The result of a function that is an argument.
fn result_of(ev: &mut Eval<'_>, call: CallView<'_>, at: usize) -> Ty {
    match argument(ev, call, at) {
        Ty::Function(defs, receiver) => {
            let Some(first) = defs.first() else {
                return Ty::Unknown;
            };
            let result = ev.result_type(*first);
            ev.substitute(&result, receiver.as_deref())
        }
        _ => Ty::Unknown,
    }
}
