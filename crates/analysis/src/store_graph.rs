//! The graph read straight from the store, for commands that look at a few nodes and end.

use crate::graph::NodeLocation;
use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Tier, is_test_path};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use store::{GraphStore, Name, NameRow, Names, NodeFlags};

/// A store seen as a [`Graph`]; every step is a look-up by index, every node is read once.
pub struct StoreGraph<'a> {
    store: &'a dyn GraphStore,
    ids: RefCell<Interned>,
    files: RefCell<Interned>,
    rows: RefCell<FxHashMap<u32, Rc<Name>>>,
}

/// Texts by number, in the order of their first use.
#[derive(Default)]
struct Interned {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
}

impl Interned {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    fn get(&self, number: u32) -> Rc<str> {
        let text = self.texts.get(number as usize);
        text.cloned().unwrap_or_else(|| Rc::from(""))
    }
}

impl<'a> StoreGraph<'a> {
    /// The graph of a store.
    pub fn new(store: &'a dyn GraphStore) -> StoreGraph<'a> {
        StoreGraph {
            store,
            ids: RefCell::default(),
            files: RefCell::default(),
            rows: RefCell::default(),
        }
    }

    fn id_of_key(&self, key: u32) -> Rc<str> {
        self.ids.borrow().get(key)
    }

    fn intern_id(&self, id: &str) -> u32 {
        self.ids.borrow_mut().intern(id)
    }

    fn load_row(&self, key: u32) -> Result<Rc<Name>, AnalysisError> {
        if let Some(row) = self.rows.borrow().get(&key) {
            return Ok(row.clone());
        }
        let id = self.id_of_key(key);
        let row = self.store.by_id(&id)?;
        let row = row.ok_or_else(|| AnalysisError::NoNode(id.to_string()))?;
        let row = Rc::new(row);
        self.rows.borrow_mut().insert(key, row.clone());
        Ok(row)
    }
}

impl Graph for StoreGraph<'_> {
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        let Some(row) = self.store.by_id(id)? else {
            return Ok(None);
        };
        let key = self.intern_id(id);
        self.rows.borrow_mut().insert(key, Rc::new(row));
        Ok(Some(key))
    }

    fn visit_node(
        &self,
        key: u32,
        visit: &mut dyn FnMut(NameRow<'_>),
    ) -> Result<(), AnalysisError> {
        visit(self.load_row(key)?.as_row());
        Ok(())
    }

    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
        let row = self.load_row(key)?;
        Ok(NodeLocation {
            file: self.files.borrow_mut().intern(&row.file_path),
            line: row.line_start.unwrap_or(0),
            test: row.flags.contains(NodeFlags::TEST) || is_test_path(&row.file_path),
        })
    }

    fn file_path(&self, file: u32) -> Cow<'_, str> {
        Cow::Owned(self.files.borrow().get(file).to_string())
    }

    fn compare_ids(&self, a: u32, b: u32) -> Ordering {
        let ids = self.ids.borrow();
        ids.get(a).cmp(&ids.get(b))
    }

    fn visit_edges(
        &self,
        key: u32,
        way: EdgeDirection,
        types: &[EdgeType],
        visit: &mut dyn FnMut(AdjacentEdge<'_>),
    ) -> Result<(), AnalysisError> {
        let only = match types {
            [one] => Some(*one),
            _ => None,
        };
        let id = self.id_of_key(key);
        let edges = match way {
            EdgeDirection::Out => self.store.edges_from(&id, only)?,
            EdgeDirection::In => self.store.edges_to(&id, only)?,
        };
        for edge in edges.iter().filter(|e| types.contains(&e.edge_type)) {
            let to = match way {
                EdgeDirection::Out => &edge.target_id,
                EdgeDirection::In => &edge.source_id,
            };
            let file = edge.file_path.as_deref();
            visit(AdjacentEdge {
                to: self.intern_id(to),
                edge_type: edge.edge_type,
                tier: edge.tier,
                confidence: edge.confidence,
                site: edge.site,
                file: file.map(|file| self.files.borrow_mut().intern(file)),
                line: edge.line,
                more_lines: &edge.more_lines,
            });
        }
        Ok(())
    }

    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
        Ok(self.store.count_uses(&self.id_of_key(key), most)?)
    }

    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        let id = self.id_of_key(key);
        let relations = match way {
            EdgeDirection::Out => self.store.relations_from(&id)?,
            EdgeDirection::In => self.store.relations_to(&id)?,
        };
        for relation in &relations {
            let to = match way {
                EdgeDirection::Out => &relation.target_id,
                EdgeDirection::In => &relation.source_id,
            };
            visit(self.intern_id(to), &relation.kind, relation.tier);
        }
        Ok(())
    }
}
