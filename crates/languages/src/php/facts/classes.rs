//! Classes, interfaces, traits and enums.

use super::docblock::{DocBlock, DocType};
use super::headers::Parts;
use super::{LeadingComments, TypeFrame, Walker, children, children_of_kind, is_name};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Supertypes with what they are.
pub(super) type Supers = Vec<(TypeId, SuperKind)>;

impl<'s> Walker<'_, 's> {
    pub(super) fn type_declaration(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let kind = match node.kind_name() {
            "interface_declaration" => SymbolKind::Interface,
            "trait_declaration" => SymbolKind::Trait,
            "enum_declaration" => SymbolKind::Enum,
            _ => SymbolKind::Class,
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        let modifiers = self.modifiers(node);
        let parts = Parts {
            body: node.field("body"),
            ..Parts::default()
        };
        self.set_header(def, node, modifiers, parts, above);
        let doc = above.block().map(DocBlock::parse).unwrap_or_default();
        // The type parameters are in force for the supertypes as well.
        self.b.open_scope(ScopeKind::Block, None);
        let templates = self.open_templates(def, &doc);
        let (parent, supers) = self.header_supers(node, &doc.supers);
        self.types.push(TypeFrame {
            def,
            is_trait: kind == SymbolKind::Trait,
            parent,
            assigned: Vec::new(),
        });
        self.b.open_owner(def);
        self.declared_members(&doc, name_node);
        self.b.close_owner();
        self.type_body(def, node, supers);
        self.templates.truncate(templates);
        self.b.close_scope();
    }

    /// Binds the type parameters of a comment in the current scope; returns how many were in force before.
    pub(super) fn open_templates(&mut self, def: DefId, doc: &DocBlock) -> usize {
        let before = self.templates.len();
        let scope = self.b.current_scope();
        for (name, _) in &doc.templates {
            let name = self.b.intern_owned_name(name);
            self.templates.push((name, scope));
        }
        let mut params = Vec::new();
        for (at, (name, bound)) in doc.templates.iter().enumerate() {
            let name = self.b.intern_owned_name(name);
            let to = Bound::TypeParam(def, at as u32);
            self.b.bind(name, Namespace::TYPE, to);
            let bounds = bound.iter().map(|bound| self.doc_type(bound)).collect();
            params.push(TypeParam {
                name,
                bounds,
                default: None,
            });
        }
        self.b.def_mut(def).type_params = params.into();
        before
    }

    /// The class that a header extends, and all its supertypes.
    pub(super) fn header_supers(
        &mut self,
        node: Node<'_>,
        written: &[DocType],
    ) -> (Option<TypeId>, Supers) {
        let mut supers = Vec::new();
        let mut parent = None;
        for (clause, kind) in [
            ("base_clause", SuperKind::Extends),
            ("class_interface_clause", SuperKind::Implements),
        ] {
            let names = child_of_kind(node, clause)
                .map(children)
                .unwrap_or_default();
            for name in names {
                let ty = self.supertype(name, written);
                if kind == SuperKind::Extends && node.kind_name() != "interface_declaration" {
                    parent = Some(ty);
                }
                supers.push((ty, kind));
            }
        }
        (parent, supers)
    }

    /// A supertype, with the type arguments that a comment gives it.
    fn supertype(&mut self, name: Node<'_>, written: &[DocType]) -> TypeId {
        let text = self.b.text(name);
        let last = |text: &str| text.rsplit('\\').next().unwrap_or(text).to_owned();
        let args = written.iter().find_map(|ty| match ty {
            DocType::Name(name, args) if last(name) == last(text) => Some(args),
            _ => None,
        });
        let args: Vec<TypeId> = match args {
            Some(args) => args.iter().map(|arg| self.doc_type(arg)).collect(),
            None => Vec::new(),
        };
        let ty = self.class_type_of(text, args.into());
        let place = self.last_segment(name);
        self.mention_type(ty, place);
        ty
    }

    /// Reads the body of a type, whose frame is open.
    pub(super) fn type_body(&mut self, def: DefId, node: Node<'_>, supers: Supers) {
        let body = node.field("body");
        self.b.open_def(def, ScopeKind::Class);
        // A trait comes before the class that is extended.
        let mut all = Vec::new();
        for clause in body
            .map(|b| children_of_kind(b, "use_declaration"))
            .unwrap_or_default()
        {
            for name in children(clause).into_iter().filter(|n| is_name(*n)) {
                all.push((self.supertype(name, &[]), SuperKind::Embeds));
            }
        }
        all.extend(supers);
        self.b.def_mut(def).supers = all.into();
        if let Some(body) = body {
            for clause in children_of_kind(body, "use_declaration") {
                self.trait_rules(def, clause);
            }
            self.block(body);
        }
        self.b.close_def();
        self.set_assigned_values(def);
        self.types.pop();
    }

    /// Gives properties without a written type the values that methods assign to them.
    fn set_assigned_values(&mut self, class: DefId) {
        let Some(frame) = self.types.last_mut() else {
            return;
        };
        let assigned = std::mem::take(&mut frame.assigned);
        if assigned.is_empty() {
            return;
        }
        let facts = self.b.facts();
        let is_open = |def: &Def| {
            def.kind == SymbolKind::Property
                && def.parent == Some(class)
                && def.ty.is_none_or(|ty| is_vague(facts, ty))
        };
        let defs = (0..).map(DefId).zip(&facts.defs);
        let properties: Vec<(DefId, NameId, Option<ExprId>)> = defs
            .skip(class.index())
            .filter(|(_, def)| is_open(def))
            .map(|(id, def)| (id, def.name, def.value))
            .collect();
        for (property, name, initial) in properties {
            let given = assigned.iter().filter(|(n, _)| *n == name);
            let values: Vec<ExprId> = initial.into_iter().chain(given.map(|(_, v)| *v)).collect();
            if let [one] = values[..] {
                self.b.def_mut(property).value = Some(one);
            } else if !values.is_empty() {
                let either = self.b.add_expr(Expr::Either(values.into()));
                self.b.def_mut(property).value = Some(either);
            }
        }
    }
}

/// Whether a written type leaves open which class it is.
pub(super) fn is_vague(facts: &FileFacts, ty: TypeId) -> bool {
    match facts.ty(ty) {
        TypeExpr::Unknown => true,
        TypeExpr::Optional(inner) => is_vague(facts, *inner),
        TypeExpr::Array(element) => matches!(facts.ty(*element), TypeExpr::Unknown),
        TypeExpr::Union(parts) => parts.iter().all(|part| is_vague(facts, *part)),
        TypeExpr::Primitive(Primitive::Null) => true,
        _ => false,
    }
}
