//! The graph read straight from the store, for commands that look at a few nodes and end.

use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Tier, is_test_path};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use store::{
    EdgeRecord, GraphStore, Name, NameRow, Names, NodeFlags, NodeLocation, RelationRecord,
};

/// The most nodes that one question to a server reads ahead.
const AHEAD: usize = 256;

/// A store seen as a [`Graph`]; every step is a look-up by index, every node is read once.
///
/// A walk visits nodes in about the order in which it first saw them. So if each query travels to a server, a query about
/// one node also reads the nodes seen after it.
pub struct StoreGraph<'a> {
    store: &'a dyn GraphStore,
    ids: RefCell<Interned>,
    files: RefCell<Interned>,
    rows: RefCell<FxHashMap<u32, Rc<Name>>>,
    /// Edges that were read ahead, by direction: outgoing, then incoming.
    edges: RefCell<[ReadAhead<EdgeRecord>; 2]>,
    relations: RefCell<[ReadAhead<RelationRecord>; 2]>,
}

/// Records by node, for nodes that were asked about.
type ReadAhead<R> = FxHashMap<u32, Rc<Vec<R>>>;

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
            edges: RefCell::default(),
            relations: RefCell::default(),
        }
    }

    /// A node, and the nodes seen after it that are not yet known.
    fn keys_ahead(&self, key: u32, is_known: impl Fn(u32) -> bool) -> Vec<(u32, Rc<str>)> {
        let ids = self.ids.borrow();
        let seen = key..ids.texts.len() as u32;
        let wanted = seen.filter(|key| !is_known(*key)).take(AHEAD);
        wanted.map(|key| (key, ids.get(key))).collect()
    }

    /// Records at a node, from memory or, with those of the nodes seen after it, from the server.
    fn records_ahead<R: Clone>(
        &self,
        known: &RefCell<[ReadAhead<R>; 2]>,
        (key, way): (u32, EdgeDirection),
        read: impl Fn(&[&str]) -> Result<Vec<R>, store::StoreError>,
        end: impl Fn(&R) -> &str,
    ) -> Result<Rc<Vec<R>>, AnalysisError> {
        let side = usize::from(way == EdgeDirection::In);
        if let Some(found) = known.borrow()[side].get(&key) {
            return Ok(found.clone());
        }
        let wanted = self.keys_ahead(key, |key| known.borrow()[side].contains_key(&key));
        let ids: Vec<&str> = wanted.iter().map(|(_, id)| &**id).collect();
        let mut by_node: FxHashMap<&str, Vec<R>> = FxHashMap::default();
        let found = read(&ids)?;
        let numbers: FxHashMap<&str, &str> = ids.iter().map(|id| (*id, *id)).collect();
        for record in found {
            if let Some(id) = numbers.get(end(&record)) {
                by_node.entry(id).or_default().push(record);
            }
        }
        let mut known = known.borrow_mut();
        for (key, id) in &wanted {
            let records = by_node.remove(&**id).unwrap_or_default();
            known[side].insert(*key, Rc::new(records));
        }
        Ok(known[side].get(&key).cloned().unwrap_or_default())
    }

    fn edges_at(
        &self,
        key: u32,
        way: EdgeDirection,
        only: Option<EdgeType>,
    ) -> Result<Rc<Vec<EdgeRecord>>, AnalysisError> {
        if self.store.is_remote() {
            let at = (key, way);
            return match way {
                EdgeDirection::Out => self.records_ahead(
                    &self.edges,
                    at,
                    |ids| self.store.edges_from_all(ids),
                    |edge| &edge.source_id,
                ),
                EdgeDirection::In => self.records_ahead(
                    &self.edges,
                    at,
                    |ids| self.store.edges_to_all(ids),
                    |edge| &edge.target_id,
                ),
            };
        }
        let id = self.id_of_key(key);
        Ok(Rc::new(match way {
            EdgeDirection::Out => self.store.edges_from(&id, only)?,
            EdgeDirection::In => self.store.edges_to(&id, only)?,
        }))
    }

    fn relations_at(
        &self,
        key: u32,
        way: EdgeDirection,
    ) -> Result<Rc<Vec<RelationRecord>>, AnalysisError> {
        if self.store.is_remote() {
            let at = (key, way);
            return match way {
                EdgeDirection::Out => self.records_ahead(
                    &self.relations,
                    at,
                    |ids| self.store.relations_from_all(ids),
                    |relation| &relation.source_id,
                ),
                EdgeDirection::In => self.records_ahead(
                    &self.relations,
                    at,
                    |ids| self.store.relations_to_all(ids),
                    |relation| &relation.target_id,
                ),
            };
        }
        let id = self.id_of_key(key);
        Ok(Rc::new(match way {
            EdgeDirection::Out => self.store.relations_from(&id)?,
            EdgeDirection::In => self.store.relations_to(&id)?,
        }))
    }

    /// Reads the names of a node and of those seen after it.
    fn load_rows_ahead(&self, key: u32) -> Result<(), AnalysisError> {
        let wanted = self.keys_ahead(key, |key| self.rows.borrow().contains_key(&key));
        let ids: Vec<&str> = wanted.iter().map(|(_, id)| &**id).collect();
        let mut found: FxHashMap<String, Name> = FxHashMap::default();
        for node in self.store.nodes(&ids)? {
            found.insert(node.id.clone(), node.into());
        }
        let mut rows = self.rows.borrow_mut();
        for (key, id) in &wanted {
            if let Some(name) = found.remove(&**id) {
                rows.insert(*key, Rc::new(name));
            }
        }
        Ok(())
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
        if self.store.is_remote() {
            self.load_rows_ahead(key)?;
            if let Some(row) = self.rows.borrow().get(&key) {
                return Ok(row.clone());
            }
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
        let edges = self.edges_at(key, way, only)?;
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
        let relations = self.relations_at(key, way)?;
        for relation in relations.iter() {
            let to = match way {
                EdgeDirection::Out => &relation.target_id,
                EdgeDirection::In => &relation.source_id,
            };
            visit(self.intern_id(to), &relation.kind, relation.tier);
        }
        Ok(())
    }
}
