//! Look-up of the name and place of nodes, by id, name or file, in a store or a snapshot.

use crate::{GraphStore, NameRow, NodeFlags, NodeRecord, StoreError};

/// A node's name and place, owned. See [`NameRow`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// Its id.
    pub id: String,
    /// The name.
    pub symbol: String,
    /// Dotted path within the file; `None` if it equals the symbol.
    pub qualified_name: Option<String>,
    /// Kind of symbol.
    pub kind: String,
    /// Path in the project.
    pub file_path: String,
    /// First line, from 1.
    pub line_start: Option<u32>,
    /// Last line, from 1, inclusive.
    pub line_end: Option<u32>,
    /// Properties.
    pub flags: NodeFlags,
}

impl Name {
    /// The dotted name if there is one, else the name.
    pub fn qualified_or_symbol(&self) -> &str {
        self.qualified_name.as_deref().unwrap_or(&self.symbol)
    }

    /// The name as a borrowed row.
    pub fn as_row(&self) -> NameRow<'_> {
        NameRow {
            id: &self.id,
            symbol: &self.symbol,
            qualified_name: self.qualified_name.as_deref(),
            kind: &self.kind,
            file_path: &self.file_path,
            line_start: self.line_start,
            line_end: self.line_end,
            flags: self.flags,
        }
    }
}

impl From<NameRow<'_>> for Name {
    fn from(row: NameRow<'_>) -> Name {
        Name {
            id: row.id.to_owned(),
            symbol: row.symbol.to_owned(),
            qualified_name: row.qualified_name.map(str::to_owned),
            kind: row.kind.to_owned(),
            file_path: row.file_path.to_owned(),
            line_start: row.line_start,
            line_end: row.line_end,
            flags: row.flags,
        }
    }
}

impl From<NodeRecord> for Name {
    fn from(node: NodeRecord) -> Name {
        Name {
            id: node.id,
            symbol: node.symbol,
            qualified_name: node.qualified_name,
            kind: node.kind,
            file_path: node.file_path,
            line_start: node.line_start,
            line_end: node.line_end,
            flags: node.flags,
        }
    }
}

/// Look-up of nodes by name and place.
pub trait Names {
    /// The node with that id.
    fn by_id(&self, id: &str) -> Result<Option<Name>, StoreError>;
    /// Nodes that [`GraphStore::find_symbol`] finds, in its order.
    fn by_symbol(&self, name: &str) -> Result<Vec<Name>, StoreError>;
    /// Nodes that [`GraphStore::find_file`] finds, in its order.
    fn by_file(&self, path: &str) -> Result<Vec<Name>, StoreError>;
    /// Visits every node's name and place, in no particular order.
    fn visit_names(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError>;

    /// As [`Names::visit_names`], for the nodes that `visitor` wants.
    fn visit_wanted_names(&self, visitor: &mut dyn NameVisitor) -> Result<(), StoreError> {
        self.visit_names(&mut |row| {
            if visitor.wants(row.symbol) {
                visitor.visit(row);
            }
        })
    }
}

/// Selects nodes by their symbols.
pub trait NameVisitor {
    /// Whether nodes of that symbol should be visited. One call may cover many nodes.
    fn wants(&mut self, symbol: &str) -> bool;
    /// Visits a node of the symbol that was last asked for.
    fn visit(&mut self, row: NameRow<'_>);
}

impl Names for Box<dyn GraphStore> {
    fn by_id(&self, id: &str) -> Result<Option<Name>, StoreError> {
        (**self).by_id(id)
    }

    fn by_symbol(&self, name: &str) -> Result<Vec<Name>, StoreError> {
        (**self).by_symbol(name)
    }

    fn by_file(&self, path: &str) -> Result<Vec<Name>, StoreError> {
        (**self).by_file(path)
    }

    fn visit_names(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        (**self).visit_names(visit)
    }
}

impl<S: GraphStore + ?Sized> Names for S {
    fn by_id(&self, id: &str) -> Result<Option<Name>, StoreError> {
        Ok(self.node(id)?.map(Name::from))
    }

    fn by_symbol(&self, name: &str) -> Result<Vec<Name>, StoreError> {
        let found = self.find_symbol(name)?;
        Ok(found.into_iter().map(Name::from).collect())
    }

    fn by_file(&self, path: &str) -> Result<Vec<Name>, StoreError> {
        let found = self.find_file(path)?;
        Ok(found.into_iter().map(Name::from).collect())
    }

    fn visit_names(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        self.for_each_name(visit)
    }
}
