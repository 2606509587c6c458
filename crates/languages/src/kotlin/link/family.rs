//! The tables of Kotlin and Java. Files of both share packages, so one table serves both; each file is read by the rules of
//! its language.

use super::{Kotlin, OWN};
use crate::java::link::Java;
use base::Language;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules,
    Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;

/// The tables of Kotlin and Java.
pub(crate) struct Family {
    java: Java,
    kotlin: Kotlin,
}

impl Family {
    /// Reads the names of a repository.
    pub(crate) fn new(repo: &Repo) -> Family {
        Family {
            java: Java::new(repo),
            kotlin: Kotlin::new(repo),
        }
    }
}

fn is_kotlin(repo: &Repo, file: FileId) -> bool {
    repo.language(file) == Language::Kotlin
}

/// Whether the file that is being linked is one of Kotlin.
fn is_home(ev: &Eval<'_>) -> bool {
    ev.current_file()
        .is_some_and(|file| is_kotlin(ev.repo, file))
}

/// The file that has a type.
fn file_of(ty: &Ty) -> Option<FileId> {
    match ty {
        Ty::Instance(def, _) | Ty::Class(def, _) | Ty::Super(def) | Ty::Param(def, _) => {
            Some(def.file)
        }
        _ => None,
    }
}

impl Modules for Family {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        if is_kotlin(ev.repo, file) {
            self.kotlin.import(ev, file, import, namespace)
        } else {
            self.java.import(ev, file, import, namespace)
        }
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GlobalDef> {
        if is_kotlin(ev.repo, file) {
            self.kotlin.used_on_demand(ev, file, import)
        } else {
            self.java.used_on_demand(ev, file, import)
        }
    }

    fn lexical(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        if is_kotlin(ev.repo, file) {
            self.kotlin.lexical(ev, file, name, scope, at, namespace)
        } else {
            self.java.lexical(ev, file, name, scope, at, namespace)
        }
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        if module & OWN != 0 {
            self.kotlin.module_member(ev, module, name, namespace)
        } else {
            self.java.module_member(ev, module, name, namespace)
        }
    }

    fn module_file(&self, repo: &Repo, module: u32) -> Option<FileId> {
        // Only Java has a file that stands for a package.
        if module & OWN != 0 {
            return None;
        }
        self.java.module_file(repo, module)
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for Family {
    fn written_type(&self, ev: &mut Eval<'_>, written: (FileId, TypeId)) -> Option<Ty> {
        if is_kotlin(ev.repo, written.0) {
            self.kotlin.written_type(ev, written)
        } else {
            None
        }
    }

    fn seen_as(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        if is_home(ev) {
            self.kotlin.seen_as(ev, actual, wanted)
        } else {
            self.java.seen_as(ev, actual, wanted)
        }
    }

    /// Java tells methods apart by types; Kotlin's types may be written in several ways.
    fn overloading(&self) -> Overloading {
        self.java.overloading()
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        if is_kotlin(repo, method.file) {
            self.kotlin.may_override(repo, method, above)
        } else {
            self.java.may_override(repo, method, above)
        }
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let of_kotlin = file_of(object).is_some_and(|file| is_kotlin(ev.repo, file));
        if of_kotlin || is_home(ev) {
            self.kotlin.member(ev, object, name)
        } else {
            self.java.member(ev, object, name)
        }
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        if is_kotlin(ev.repo, file) {
            self.kotlin.outside_member(ev, file, object, name)
        } else {
            self.java.outside_member(ev, file, object, name)
        }
    }

    fn payload(&self, ev: &mut Eval<'_>, value: &Ty, variant: &Entity, index: u32) -> Ty {
        self.java.payload(ev, value, variant, index)
    }

    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        if is_kotlin(ev.repo, def.file) {
            self.kotlin.decorated(ev, def)
        } else {
            None
        }
    }

    fn declared_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        if is_kotlin(ev.repo, function.file) {
            self.kotlin.declared_param(ev, function, n)
        } else {
            Ty::Unknown
        }
    }

    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        self.kotlin.untyped(ev, def)
    }
}

impl Calls for Family {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        if is_kotlin(ev.repo, call.file) {
            self.kotlin.visit_callee(ev, call)
        } else {
            self.java.visit_callee(ev, call)
        }
    }

    fn parameter_of(
        &self,
        repo: &Repo,
        function: GlobalDef,
        call: CallView<'_>,
        arg: usize,
    ) -> Option<usize> {
        if is_kotlin(repo, call.file) {
            self.kotlin.parameter_of(repo, function, call, arg)
        } else {
            None
        }
    }

    fn params_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        if is_kotlin(ev.repo, function.file) {
            self.kotlin.params_by_receiver(ev, function, receiver, env);
        }
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        if is_kotlin(ev.repo, call.file) {
            self.kotlin.constructor(ev, class, call)
        } else {
            self.java.constructor(ev, class, call)
        }
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        // Overloads of calls are chosen before; the rest are references.
        ev.overloads_with_arg_count(overloads, call)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        if is_home(ev) {
            self.kotlin.callable_shape(ev, of)
        } else {
            self.java.callable_shape(ev, of)
        }
    }
}

impl Platform for Family {
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        if is_kotlin(ev.repo, call.file) {
            self.kotlin.external_call(ev, callee, receiver, call)
        } else {
            self.java.external_call(ev, callee, receiver, call)
        }
    }

    fn callback_param(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        if is_kotlin(ev.repo, call.file) {
            Ty::Unknown
        } else {
            self.java
                .callback_param(ev, callee, receiver, call, arg, param)
        }
    }

    fn external_type(&self, ev: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        if is_home(ev) {
            self.kotlin.external_type(ev, name, args)
        } else {
            self.java.external_type(ev, name, args)
        }
    }

    /// Files of Kotlin take these by the names of Java.
    fn primitive(&self, primitive: Primitive) -> Ty {
        self.java.primitive(primitive)
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        self.java.container(kind, args)
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        if is_home(ev) {
            self.kotlin.element(ev, of)
        } else {
            self.java.element(ev, of)
        }
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        self.java.index(ev, object, file, index)
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        self.kotlin.part(ev, of, n)
    }

    fn tried(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.kotlin.tried(ev, of)
    }

    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        if is_home(ev) {
            self.kotlin.operation(ev, left, right)
        } else {
            self.java.operation(ev, left, right)
        }
    }

    fn either(&self, ev: &mut Eval<'_>, file: FileId, parts: &[ExprId], types: Vec<Ty>) -> Ty {
        if is_kotlin(ev.repo, file) {
            self.kotlin.either(ev, file, parts, types)
        } else {
            self.java.either(ev, file, parts, types)
        }
    }
}

impl Incremental for Family {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        let java = is_kotlin(repo, file) || self.java.follow(repo, file, moved);
        java && self.kotlin.follow(repo, file, moved)
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.java.renew(repo, news) && self.kotlin.renew(repo, news)
    }
}
