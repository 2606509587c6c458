//! Implements the store's trait by calls to the other modules.

use crate::PostgresStore;
use base::EdgeType;
use std::collections::BTreeMap;
use store::{
    Batch, BatchCount, EdgeRecord, ExternalRecord, FileRecord, GraphChange, GraphStore, ImportRow,
    MarkRow, NameRow, NodeRecord, RelationRecord, SearchTexts, Snapshot, Stats, StoreError,
    UnresolvedCallRecord, VirtualEdgeRecord,
};

type StoreResult<T> = Result<T, StoreError>;

impl GraphStore for PostgresStore {
    fn put_node(&mut self, node: &NodeRecord) -> StoreResult<()> {
        self.write_node(node)
    }
    fn node(&self, id: &str) -> StoreResult<Option<NodeRecord>> {
        self.read_node(id)
    }
    fn nodes(&self, ids: &[&str]) -> StoreResult<Vec<NodeRecord>> {
        self.read_nodes(ids)
    }
    fn delete_node(&mut self, id: &str) -> StoreResult<bool> {
        self.remove_node(id)
    }
    fn put_edge(&mut self, edge: &EdgeRecord) -> StoreResult<()> {
        self.write_edge(edge)
    }
    fn edge(&self, id: &str) -> StoreResult<Option<EdgeRecord>> {
        self.read_edge(id)
    }
    fn delete_edge(&mut self, id: &str) -> StoreResult<bool> {
        self.remove_edge(id)
    }
    fn edges_from(&self, id: &str, only: Option<EdgeType>) -> StoreResult<Vec<EdgeRecord>> {
        self.read_edges("source_id", &[id], only)
    }
    fn edges_to(&self, id: &str, only: Option<EdgeType>) -> StoreResult<Vec<EdgeRecord>> {
        self.read_edges("target_id", &[id], only)
    }
    fn edges_from_all(&self, ids: &[&str]) -> StoreResult<Vec<EdgeRecord>> {
        self.read_edges("source_id", ids, None)
    }
    fn edges_to_all(&self, ids: &[&str]) -> StoreResult<Vec<EdgeRecord>> {
        self.read_edges("target_id", ids, None)
    }
    fn is_remote(&self) -> bool {
        true
    }
    fn as_texts(&self) -> Option<&dyn SearchTexts> {
        Some(self)
    }
    fn count_uses(&self, id: &str, most: usize) -> StoreResult<usize> {
        self.read_use_count(id, most)
    }
    fn find_symbol(&self, name: &str) -> StoreResult<Vec<NodeRecord>> {
        self.read_symbol(name)
    }
    fn find_file(&self, path: &str) -> StoreResult<Vec<NodeRecord>> {
        self.read_file_nodes(path)
    }
    fn orphans(&self, most: usize) -> StoreResult<(Vec<NodeRecord>, usize)> {
        self.read_orphans(most)
    }
    fn shortest_path(
        &self,
        from: &str,
        to: &str,
        max_depth: u32,
        types: &[EdgeType],
    ) -> StoreResult<Option<Vec<EdgeRecord>>> {
        self.read_path(from, to, max_depth, types)
    }
    fn batch_import(&mut self, batch: &Batch) -> StoreResult<BatchCount> {
        self.import_batch(batch)
    }
    fn apply_change(&mut self, change: &GraphChange) -> StoreResult<()> {
        self.write_change(change)
    }
    fn has_nodes(&self) -> StoreResult<bool> {
        self.read_has_nodes()
    }
    fn stats(&self) -> StoreResult<Stats> {
        self.read_stats()
    }
    fn indexed_files(&self) -> StoreResult<BTreeMap<String, FileRecord>> {
        self.read_indexed_files()
    }
    fn indexed_file(&self, path: &str) -> StoreResult<Option<FileRecord>> {
        self.read_indexed_file(path)
    }
    fn file_count(&self) -> StoreResult<usize> {
        self.read_file_count()
    }
    fn metadata(&self, key: &str) -> StoreResult<Option<String>> {
        self.read_metadata(key)
    }
    fn set_metadata(&mut self, key: &str, value: &str) -> StoreResult<()> {
        self.write_metadata(key, value)
    }
    fn relations_from(&self, id: &str) -> StoreResult<Vec<RelationRecord>> {
        self.read_relations("source_id", &[id])
    }
    fn relations_to(&self, id: &str) -> StoreResult<Vec<RelationRecord>> {
        self.read_relations("target_id", &[id])
    }
    fn relations_from_all(&self, ids: &[&str]) -> StoreResult<Vec<RelationRecord>> {
        self.read_relations("source_id", ids)
    }
    fn relations_to_all(&self, ids: &[&str]) -> StoreResult<Vec<RelationRecord>> {
        self.read_relations("target_id", ids)
    }
    fn unresolved_calls(&self, name: &str) -> StoreResult<Vec<(String, Vec<u32>)>> {
        self.read_unresolved(name)
    }
    fn unresolved_calls_in(&self, file: &str) -> StoreResult<Vec<(String, Vec<u32>)>> {
        self.read_unresolved_in(file)
    }
    fn externals_of(&self, id: &str) -> StoreResult<Vec<ExternalRecord>> {
        self.read_externals(id)
    }
    fn put_virtual_edges(&mut self, edges: &[VirtualEdgeRecord]) -> StoreResult<()> {
        self.write_virtual_edges(edges)
    }
    fn delete_virtual_edges(&mut self, ids: &[String]) -> StoreResult<usize> {
        self.remove_virtual_edges(ids)
    }
    fn virtual_edges(
        &self,
        symbol: Option<&str>,
        min_confidence: f64,
    ) -> StoreResult<Vec<VirtualEdgeRecord>> {
        self.read_virtual_edges(symbol, min_confidence)
    }
    fn snapshot(&self) -> StoreResult<Snapshot> {
        self.read_snapshot()
    }
    fn for_each_relation(&self, visit: &mut dyn FnMut(RelationRecord)) -> StoreResult<()> {
        self.visit_relations(visit)
    }
    fn for_each_external(&self, visit: &mut dyn FnMut(ExternalRecord)) -> StoreResult<()> {
        self.visit_externals(visit)
    }
    fn for_each_import(&self, visit: &mut dyn FnMut(ImportRow<'_>)) -> StoreResult<()> {
        self.visit_imports(visit)
    }
    fn for_each_mark(&self, visit: &mut dyn FnMut(MarkRow<'_>)) -> StoreResult<()> {
        self.visit_marks(visit)
    }
    fn for_each_unresolved(&self, visit: &mut dyn FnMut(UnresolvedCallRecord)) -> StoreResult<()> {
        self.visit_unresolved(visit)
    }
    fn externals_of_packages(
        &self,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> StoreResult<Vec<ExternalRecord>> {
        self.read_externals_of_packages(wanted)
    }
    fn for_each_node(&self, visit: &mut dyn FnMut(NodeRecord)) -> StoreResult<()> {
        self.visit_nodes(visit)
    }
    fn for_each_edge(&self, visit: &mut dyn FnMut(EdgeRecord)) -> StoreResult<()> {
        self.visit_edges(visit)
    }
    fn for_each_name(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> StoreResult<()> {
        self.visit_names(visit)
    }
}
