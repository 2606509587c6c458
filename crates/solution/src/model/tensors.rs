//! Tensors of a safetensors file that lies in memory.

use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// The tensors by name.
pub(super) struct Tensors {
    entries: HashMap<String, Entry>,
    data: &'static [u8],
}

/// A matrix of signed bytes, one row an output, with what a step of each row is worth.
pub(super) struct Matrix {
    pub(super) rows: &'static [u8],
    pub(super) scales: Vec<f32>,
    pub(super) width: usize,
}

impl Tensors {
    pub(super) fn read(file: &'static [u8]) -> Result<Tensors, String> {
        let broken = || "no safetensors file".to_owned();
        let head = file.first_chunk::<8>().ok_or_else(broken)?;
        let length = usize::try_from(u64::from_le_bytes(*head)).map_err(|_| broken())?;
        let end = length.checked_add(8).ok_or_else(broken)?;
        let header = file.get(8..end).ok_or_else(broken)?;
        let mut fields: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|e| e.to_string())?;
        fields.remove("__metadata__");
        let entries = serde_json::from_value(serde_json::Value::Object(fields));
        Ok(Tensors {
            entries: entries.map_err(|e| e.to_string())?,
            data: &file[end..],
        })
    }

    fn find(&self, name: &str, dtype: &str) -> Result<(&Entry, &'static [u8]), String> {
        let entry = self.entries.get(name).filter(|e| e.dtype == dtype);
        let entry = entry.ok_or_else(|| format!("lacks {name}"))?;
        let (from, to) = entry.data_offsets;
        let bytes = self.data.get(from..to);
        Ok((entry, bytes.ok_or_else(|| format!("{name} is cut short"))?))
    }

    pub(super) fn floats(&self, name: &str) -> Result<Vec<f32>, String> {
        let (_, bytes) = self.find(name, "F32")?;
        let (parts, _) = bytes.as_chunks::<4>();
        Ok(parts.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    pub(super) fn matrix(&self, name: &str) -> Result<Matrix, String> {
        let (entry, rows) = self.find(&format!("{name}.weight"), "I8")?;
        let scales = self.floats(&format!("{name}.scale"))?;
        let [height, width] = entry.shape[..] else {
            return Err(format!("{name} is no matrix"));
        };
        if rows.len() != height * width || scales.len() != height {
            return Err(format!("{name} has another shape"));
        }
        Ok(Matrix {
            rows,
            scales,
            width,
        })
    }
}

impl Matrix {
    /// Adds a row to `out`.
    pub(super) fn add_row(&self, row: usize, out: &mut [f32]) {
        let from = row * self.width;
        let scale = self.scales[row];
        for (out, value) in out.iter_mut().zip(&self.rows[from..from + self.width]) {
            *out += f32::from(*value as i8) * scale;
        }
    }

    pub(super) fn height(&self) -> usize {
        self.scales.len()
    }
}
