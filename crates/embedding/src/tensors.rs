//! Tensors of the built-in models: signed bytes with a scale for each row, and floats.

use crate::ModelError;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

/// The tensors of a file in memory.
pub(crate) struct Tensors(SafeTensors<'static>);

/// A matrix of signed bytes with one row for each output, and the step size of each row.
pub(crate) struct Matrix {
    pub(crate) rows: &'static [u8],
    pub(crate) scales: Vec<f32>,
    pub(crate) width: usize,
}

impl Tensors {
    pub(crate) fn parse_safetensors(file: &'static [u8]) -> Result<Tensors, ModelError> {
        let read = SafeTensors::deserialize(file).map_err(|e| ModelError(e.to_string()))?;
        Ok(Tensors(read))
    }

    fn find_tensor(&self, name: &str, dtype: Dtype) -> Result<TensorView<'static>, ModelError> {
        let found = self.0.tensor(name).ok();
        let found = found.filter(|tensor| tensor.dtype() == dtype);
        found.ok_or_else(|| ModelError(format!("lacks {name}")))
    }

    /// A tensor of floats.
    pub(crate) fn floats(&self, name: &str) -> Result<Vec<f32>, ModelError> {
        let tensor = self.find_tensor(name, Dtype::F32)?;
        let (parts, _) = tensor.data().as_chunks::<4>();
        Ok(parts.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    /// The matrix made from a tensor of signed bytes and one of scales.
    pub(crate) fn matrix(&self, bytes: &str, scales: &str) -> Result<Matrix, ModelError> {
        let tensor = self.find_tensor(bytes, Dtype::I8)?;
        let scales = self.floats(scales)?;
        let [height, width] = *tensor.shape() else {
            return Err(ModelError(format!("{bytes} is no matrix")));
        };
        if scales.len() != height {
            return Err(ModelError(format!("{bytes} has another shape")));
        }
        let rows = tensor.data();
        Ok(Matrix {
            rows,
            scales,
            width,
        })
    }
}

impl Matrix {
    /// Adds a row to `out`.
    pub(crate) fn add_row(&self, row: usize, out: &mut [f32]) {
        let from = row * self.width;
        let scale = self.scales[row];
        for (out, value) in out.iter_mut().zip(&self.rows[from..from + self.width]) {
            *out += f32::from(*value as i8) * scale;
        }
    }

    /// Number of rows.
    pub(crate) fn height(&self) -> usize {
        self.scales.len()
    }
}
