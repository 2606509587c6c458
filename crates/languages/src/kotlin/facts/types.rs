//! Written types.

use super::{Walker, children_of_kind, code_children, is_type};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Reads a type, and records references to its names.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter_level() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let ty = self.ty_inner(node);
        self.b.leave_level();
        ty
    }

    fn ty_inner(&mut self, node: Node<'_>) -> TypeId {
        match node.kind_name() {
            "user_type" => self.user_type(node, true),
            "nullable_type" => {
                let inner = self.inner_type(node);
                self.b.add_type(TypeExpr::Optional(inner))
            }
            "parenthesized_type" | "non_nullable_type" => self.inner_type(node),
            "function_type" => self.function_type(node),
            _ => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// The first type inside a node.
    fn inner_type(&mut self, node: Node<'_>) -> TypeId {
        self.type_modifiers(node);
        match code_children(node).into_iter().find(|c| is_type(*c)) {
            Some(inner) => self.ty(inner),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn type_modifiers(&mut self, node: Node<'_>) {
        if let Some(modifiers) = child_of_kind(node, "type_modifiers") {
            self.annotations_in(modifiers);
        }
    }

    /// The class that a constructor call or an annotation names. It is a call, so no reference is recorded for it.
    pub(super) fn constructed_type(&mut self, node: Node<'_>) -> TypeId {
        match node.kind_name() {
            "user_type" => self.user_type(node, false),
            _ => self.ty(node),
        }
    }

    fn user_type(&mut self, node: Node<'_>, is_reference: bool) -> TypeId {
        self.type_modifiers(node);
        let mut path = Vec::new();
        let mut args = Vec::new();
        let mut last = node;
        for child in code_children(node) {
            match child.kind_name() {
                "identifier" => {
                    path.push(self.name(child));
                    args.clear();
                    last = child;
                }
                "type_arguments" => args = self.type_arguments(child),
                _ => {}
            }
        }
        if path.is_empty() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at: node.start_byte() as u32,
        });
        if is_reference {
            self.b.add_reference(RefTarget::Type(ty), last);
        }
        ty
    }

    pub(super) fn type_arguments(&mut self, list: Node<'_>) -> Vec<TypeId> {
        let mut out = Vec::new();
        for projection in children_of_kind(list, "type_projection") {
            let written = code_children(projection).into_iter().find(|c| is_type(*c));
            out.push(match written {
                Some(written) => self.ty(written),
                None => self.b.add_type(TypeExpr::Unknown),
            });
        }
        out
    }

    /// `A.(B, C) -> D`. The receiver is the first parameter, as a reference.
    fn function_type(&mut self, node: Node<'_>) -> TypeId {
        self.type_modifiers(node);
        let mut params = Vec::new();
        let mut ret = None;
        let mut is_behind = false;
        for child in code_children(node) {
            if child.kind_name() == "function_type_parameters" {
                is_behind = true;
                for param in code_children(child) {
                    let written = if param.kind_name() == "parameter" {
                        code_children(param).into_iter().find(|c| is_type(*c))
                    } else {
                        Some(param).filter(|param| is_type(*param))
                    };
                    if let Some(written) = written {
                        params.push(self.ty(written));
                    }
                }
            } else if is_type(child) && is_behind {
                ret = Some(self.ty(child));
            } else if is_type(child) {
                let receiver = self.ty(child);
                params.push(self.b.add_type(TypeExpr::Reference(receiver)));
            }
        }
        self.b.add_type(TypeExpr::Function {
            params: params.into(),
            ret,
        })
    }

    /// The type parameters of a definition, bound in the current scope, with their bounds.
    pub(super) fn type_parameters(&mut self, def: DefId, node: Node<'_>) {
        let list = child_of_kind(node, "type_parameters");
        // Mending may have put them in place of words.
        let Some(list) = list.filter(|list| self.b.text(*list).starts_with('<')) else {
            return;
        };
        let written = children_of_kind(list, "type_parameter");
        let mut params: Vec<TypeParam> = Vec::new();
        for param in &written {
            let Some(name) = child_of_kind(*param, "identifier") else {
                continue;
            };
            let name = self.name(name);
            params.push(TypeParam {
                name,
                bounds: Box::default(),
                default: None,
            });
        }
        let names: Vec<NameId> = params.iter().map(|param| param.name).collect();
        self.b.def_mut(def).type_params = params.into();
        for (name, n) in names.iter().zip(0..) {
            let to = Bound::TypeParam(def, n);
            self.b.bind(*name, Namespace::TYPE, to);
        }
        let mut bounds: Vec<(NameId, TypeId)> = Vec::new();
        for param in written {
            if let Some(name) = child_of_kind(param, "identifier") {
                let name = self.name(name);
                let bound = code_children(param).into_iter().find(|c| is_type(*c));
                bounds.extend(bound.map(|bound| (name, self.ty(bound))));
            }
        }
        for clause in children_of_kind(node, "type_constraints") {
            for constraint in children_of_kind(clause, "type_constraint") {
                let name = child_of_kind(constraint, "identifier");
                let bound = code_children(constraint).into_iter().find(|c| is_type(*c));
                if let (Some(name), Some(bound)) = (name, bound) {
                    let name = self.name(name);
                    bounds.push((name, self.ty(bound)));
                }
            }
        }
        for param in &mut self.b.def_mut(def).type_params {
            let own = bounds.iter().filter(|(name, _)| *name == param.name);
            param.bounds = own.map(|(_, bound)| *bound).collect();
        }
    }
}

/// The last identifier of a written type.
pub(super) fn last_identifier(node: Node<'_>) -> Node<'_> {
    let names = children_of_kind(node, "identifier");
    names.last().copied().unwrap_or(node)
}
