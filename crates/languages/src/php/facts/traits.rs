//! The rules of a `use` inside a class: which method of which trait counts, and under which name.

use super::{Walker, children, children_of_kind};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `use A, B { A::m insteadof B; m as n; }`. Each name becomes a method without a node, whose value is the method
    /// that it stands for.
    pub(super) fn trait_rules(&mut self, class: DefId, clause: Node<'_>) {
        let Some(list) = child_of_kind(clause, "use_list") else {
            return;
        };
        for rule in children_of_kind(list, "use_instead_of_clause") {
            if let Some((of, method)) = children(rule).first().and_then(|p| self.qualified(*p)) {
                self.alias(class, Some(of), method, method);
            }
        }
        for rule in children_of_kind(list, "use_as_clause") {
            let parts = children(rule);
            let Some((first, rest)) = parts.split_first() else {
                continue;
            };
            // Without a new name, only the visibility changes.
            let Some(name) = rest.iter().find(|p| p.kind_name() == "name") else {
                continue;
            };
            match self.qualified(*first) {
                Some((of, method)) => self.alias(class, Some(of), method, *name),
                None => self.alias(class, None, *first, *name),
            }
        }
    }

    /// The trait and the method of `A::m`.
    fn qualified<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        if node.kind_name() != "class_constant_access_expression" {
            return None;
        }
        match children(node)[..] {
            [of, method] => Some((of, method)),
            _ => None,
        }
    }

    fn alias(&mut self, class: DefId, of: Option<Node<'_>>, method: Node<'_>, name: Node<'_>) {
        let object = match of {
            Some(of) => {
                let ty = self.class_type(of);
                self.b.add_expr(Expr::Type(ty))
            }
            None => self.b.add_expr(Expr::Super(class)),
        };
        let method = self.b.intern_node_text(method);
        let value = self.b.add_expr(Expr::Scoped {
            object,
            name: method,
        });
        let id = self.b.intern_node_text(name);
        let def = self.b.add_def(id, SymbolKind::Method, name, name);
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::ANONYMOUS);
        made.flags.set(DefFlags::ALIAS);
        made.value = Some(value);
        self.b.bind(id, Namespace::VALUE, Bound::Def(def));
    }
}
