//! Classes, interfaces, enums, records, annotation types, anonymous classes; modifiers.

use super::{ClassFrame, ClassKind, RULES, Walker, child_of_kind, is_annotation, is_comment};
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The annotations and keywords before a declaration.
#[derive(Default)]
pub(super) struct Modifiers<'t> {
    pub(super) visibility: Option<Visibility>,
    pub(super) is_static: bool,
    pub(super) is_final: bool,
    pub(super) is_abstract: bool,
    pub(super) annotations: Vec<Node<'t>>,
    /// The start of the declaration without annotations.
    pub(super) start: Option<u32>,
}

/// The modifiers of a declaration.
pub(super) fn read_modifiers<'t>(node: Node<'t>) -> Modifiers<'t> {
    let mut out = Modifiers::default();
    let Some(list) = child_of_kind(node, "modifiers") else {
        return out;
    };
    let mut cursor = list.walk();
    for child in list.children(&mut cursor) {
        match child.kind_name() {
            "public" => out.visibility = Some(Visibility::Public),
            "protected" => out.visibility = Some(Visibility::Protected),
            "private" => out.visibility = Some(Visibility::Private),
            "static" => out.is_static = true,
            "final" => out.is_final = true,
            "abstract" => out.is_abstract = true,
            _ if is_annotation(child) => out.annotations.push(child),
            _ => {}
        }
        if out.start.is_none() && !is_annotation(child) && !is_comment(child) {
            out.start = Some(child.start_byte() as u32);
        }
    }
    if out.start.is_none() {
        out.start = list.next_sibling().map(|n| n.start_byte() as u32);
    }
    out
}

impl<'s> Walker<'_, 's> {
    pub(super) fn class_declaration(&mut self, node: Node<'_>, comment: Option<Node<'_>>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let (kind, class_kind) = match node.kind_name() {
            "interface_declaration" | "annotation_type_declaration" => {
                (SymbolKind::Interface, ClassKind::Interface)
            }
            "enum_declaration" => (SymbolKind::Enum, ClassKind::Class),
            "record_declaration" => (SymbolKind::Struct, ClassKind::Class),
            _ => (SymbolKind::Class, ClassKind::Class),
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        let from = if self.is_in_function() {
            node.start_byte() as u32
        } else {
            0
        };
        let scope = self.b.current_scope();
        self.b
            .bind_in(scope, name, Namespace::BOTH, from, Bound::Def(def));
        let mut modifiers = read_modifiers(node);
        // Only an inner class has an enclosing instance.
        modifiers.is_static |= node.kind_name() != "class_declaration" || self.in_interface();
        modifiers.is_abstract |= class_kind == ClassKind::Interface;
        self.set_declaration_header(def, node, &modifiers, node.field("body"));
        self.set_javadoc(def, comment);
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        self.visit_type_params(def, node.field("type_parameters"));
        self.visit_supertypes(def, node);
        self.b.close_owner();
        self.class_body(def, class_kind, node, node.field("body"));
        self.b.close_scope();
    }

    /// Visibility, flags, signature and annotations of a definition.
    pub(super) fn set_declaration_header(
        &mut self,
        def: DefId,
        node: Node<'_>,
        modifiers: &Modifiers<'_>,
        body: Option<Node<'_>>,
    ) {
        let fallback = match (self.in_interface(), self.is_in_function()) {
            (true, false) => Visibility::Public,
            _ => Visibility::Package,
        };
        let local = self.is_in_function();
        let visibility = modifiers.visibility.unwrap_or(fallback);
        let start = modifiers.start.unwrap_or(node.start_byte() as u32);
        let end = body.map_or(node.end_byte(), |b| b.start_byte()) as u32;
        let end = start
            + self.b.source[start as usize..end.max(start) as usize]
                .trim_end()
                .len() as u32;
        let it = self.b.def_mut(def);
        it.visibility = visibility;
        it.signature = (start, end);
        if local {
            it.flags.set(DefFlags::LOCAL);
        } else if matches!(visibility, Visibility::Public | Visibility::Protected) {
            it.flags.set(DefFlags::EXPORTED);
        }
        if modifiers.is_static {
            it.flags.set(DefFlags::STATIC);
        }
        if modifiers.is_abstract {
            it.flags.set(DefFlags::ABSTRACT);
        }
        self.b.open_owner(def);
        let decorators: Vec<ExprId> = modifiers
            .annotations
            .iter()
            .map(|a| self.annotation_expr(*a))
            .collect();
        self.b.close_owner();
        self.b.def_mut(def).decorators = decorators.into();
        for annotation in &modifiers.annotations {
            self.mark_annotation(def, *annotation);
        }
    }

    /// `@Override` sets a property of the definition, like the keyword of other languages.
    fn mark_annotation(&mut self, def: DefId, annotation: Node<'_>) {
        let Some(name) = annotation.field("name") else {
            return;
        };
        if matches!(self.b.text(name), "Override" | "java.lang.Override") {
            self.b.def_mut(def).flags.set(DefFlags::OVERRIDES);
            return;
        }
        let mark = self.b.read_decorator(name, annotation.field("arguments"));
        self.b.add_decorator(def, mark);
    }

    fn visit_supertypes(&mut self, def: DefId, node: Node<'_>) {
        let mut supers = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let kind = match child.kind_name() {
                "superclass" | "extends_interfaces" => SuperKind::Extends,
                "super_interfaces" => SuperKind::Implements,
                "permits" => {
                    let list = child_of_kind(child, "type_list").unwrap_or(child);
                    self.lower_types_in(list);
                    continue;
                }
                _ => continue,
            };
            let list = child_of_kind(child, "type_list").unwrap_or(child);
            supers.extend(self.lower_types_in(list).into_iter().map(|t| (t, kind)));
        }
        if node.kind_name() == "annotation_type_declaration" {
            supers.push((self.type_of_annotations(), SuperKind::Extends));
        }
        self.b.def_mut(def).supers = supers.into();
    }

    /// The supertype of every annotation type.
    fn type_of_annotations(&mut self) -> TypeId {
        let path = ["java", "lang", "annotation", "Annotation"];
        let path = path.map(|name| self.b.intern_name(name));
        self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: Box::default(),
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    fn class_body(&mut self, def: DefId, kind: ClassKind, node: Node<'_>, body: Option<Node<'_>>) {
        self.b.open_def(def, ScopeKind::Class);
        self.classes.push(ClassFrame {
            def,
            kind,
            components: Vec::new(),
        });
        let frames = std::mem::take(&mut self.frames);
        if node.kind_name() == "record_declaration" {
            self.visit_record_components(node, body);
        }
        if let Some(body) = body {
            self.body(body);
        }
        self.frames = frames;
        self.classes.pop();
        self.b.close_def();
    }

    /// The class of `new T(…) { … }` or of an enum constant with a body.
    pub(super) fn anonymous_class(&mut self, node: Node<'_>, body: Node<'_>, of: TypeId) -> DefId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Class, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.visibility = Visibility::Private;
        it.supers = Box::from([(of, SuperKind::Extends)]);
        it.ty = Some(of);
        self.class_body(def, ClassKind::Class, body, Some(body));
        def
    }

    /// The components of a record: each has a field and an accessor, unless the accessor is written.
    fn visit_record_components(&mut self, node: Node<'_>, body: Option<Node<'_>>) {
        let Some(list) = node.field("parameters") else {
            return;
        };
        let written = body
            .map(|b| self.zero_arg_method_names(b))
            .unwrap_or_default();
        let mut cursor = list.walk();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for node in nodes {
            let Some((param, name_node)) = self.visit_parameter(node) else {
                continue;
            };
            let field = self
                .b
                .add_def(param.name, SymbolKind::Field, node, name_node);
            let ty = match (param.kind, param.ty) {
                (ParamKind::Variadic, Some(ty)) => Some(self.b.add_type(TypeExpr::Array(ty))),
                (_, ty) => ty,
            };
            let whole = (node.start_byte() as u32, node.end_byte() as u32);
            let it = self.b.def_mut(field);
            it.visibility = Visibility::Private;
            it.signature = whole;
            it.ty = ty;
            self.b.bind(param.name, Namespace::VALUE, Bound::Def(field));
            if !written.contains(self.b.text(name_node)) {
                self.add_accessor(param.name, ty, node, name_node);
            }
            if let Some(class) = self.classes.last_mut() {
                class.components.push(param);
            }
        }
    }

    fn add_accessor(
        &mut self,
        name: NameId,
        ret: Option<TypeId>,
        node: Node<'_>,
        name_node: Node<'_>,
    ) {
        let def = self.b.add_def(name, SymbolKind::Method, node, name_node);
        let whole = (node.start_byte() as u32, node.end_byte() as u32);
        let it = self.b.def_mut(def);
        it.signature = whole;
        it.flags.set(DefFlags::EXPORTED);
        it.callable = Some(Box::new(Callable {
            ret,
            ..Callable::default()
        }));
        it.complexity.cyclomatic = 1;
        self.b.bind(name, Namespace::MACRO, Bound::Def(def));
    }

    /// Names of the methods without parameters that a record's body declares.
    fn zero_arg_method_names(&self, body: Node<'_>) -> FxHashSet<&'s str> {
        let mut cursor = body.walk();
        body.named_children(&mut cursor)
            .filter(|c| c.kind_name() == "method_declaration")
            .filter(|c| {
                c.field("parameters")
                    .is_some_and(|p| p.named_child_count() == 0)
            })
            .filter_map(|c| c.field("name"))
            .map(|n| self.b.text(n))
            .collect()
    }

    pub(super) fn set_complexity(&mut self, def: DefId, body: Option<Node<'_>>) {
        match body {
            Some(body) => self.b.set_complexity(def, body, &RULES),
            None => self.b.def_mut(def).complexity.cyclomatic = 1,
        }
    }
}
