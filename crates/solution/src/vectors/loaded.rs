//! The store's vectors in memory, updated by changes.

use crate::error::Result;
use crate::store::Store;
use embedding::{QueryVec, dot_products};
use std::collections::HashMap;

/// All vectors of one model. Removed rows leave a gap with scale 0.
#[derive(Default)]
pub(crate) struct VectorCache {
    model: String,
    width: usize,
    seq: i64,
    rids: Vec<i64>,
    rows: Vec<u8>,
    scales: Vec<f32>,
    places: HashMap<i64, usize>,
    gaps: Vec<usize>,
}

impl VectorCache {
    pub(crate) fn new(model: &str, width: usize) -> VectorCache {
        VectorCache {
            model: model.to_owned(),
            width,
            ..VectorCache::default()
        }
    }

    /// Reads the changes since the last time.
    pub(crate) fn refresh(&mut self, store: &Store) -> Result<()> {
        let last = store.last_change_number()?;
        if last == self.seq {
            return Ok(());
        }
        if last < self.seq {
            *self = VectorCache::new(&self.model, self.width);
        }
        for (rid, vector) in store.vectors_changed_since(&self.model, self.seq)? {
            match vector.filter(|v| v.values.len() == self.width) {
                Some(vector) => self.upsert(rid, &vector.values, vector.scale),
                None => self.remove(rid),
            }
        }
        self.seq = last;
        Ok(())
    }

    fn upsert(&mut self, rid: i64, values: &[u8], scale: f32) {
        let at = match self.places.get(&rid).copied().or_else(|| self.gaps.pop()) {
            Some(at) => {
                self.rows[at * self.width..(at + 1) * self.width].copy_from_slice(values);
                self.scales[at] = scale;
                self.rids[at] = rid;
                at
            }
            None => {
                self.rows.extend_from_slice(values);
                self.scales.push(scale);
                self.rids.push(rid);
                self.rids.len() - 1
            }
        };
        self.places.insert(rid, at);
    }

    fn remove(&mut self, rid: i64) {
        if let Some(at) = self.places.remove(&rid) {
            self.scales[at] = 0.0;
            self.rids[at] = 0;
            self.gaps.push(at);
        }
    }

    /// The number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The similarity of each row to `query`, in the order of [`VectorCache::rids`].
    pub(crate) fn similarities(&self, query: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.scales.len()];
        if query.len() == self.width {
            dot_products(&QueryVec::new(query), &self.rows, &self.scales, &mut out);
        }
        out
    }

    /// The row numbers; 0 for a gap.
    pub(crate) fn rids(&self) -> &[i64] {
        &self.rids
    }

    pub(crate) fn position(&self, rid: i64) -> Option<usize> {
        self.places.get(&rid).copied()
    }
}
