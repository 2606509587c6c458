//! Vectors with one byte for each value, and the exact scan over them.

use crate::kernels;
use rayon::prelude::*;

/// A vector as signed bytes with one scale: value = byte × scale.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QuantVec {
    /// Value of one step; 0 for a text that the model knows nothing of.
    pub scale: f32,
    /// The values.
    pub values: Box<[i8]>,
}

impl QuantVec {
    /// Rounds each value to the nearest of 255 steps between the extremes.
    pub fn new(vector: &[f32]) -> QuantVec {
        let most = vector.iter().fold(0f32, |m, v| m.max(v.abs()));
        if most == 0.0 || !most.is_finite() {
            return QuantVec {
                scale: 0.0,
                values: vec![0; vector.len()].into(),
            };
        }
        let scale = most / 127.0;
        QuantVec {
            scale,
            values: vector.iter().map(|v| (v / scale).round() as i8).collect(),
        }
    }
}

/// A query's vector in 12 bits for each value: sums of products with bytes fit into 32 bits for up to 8,192 dimensions.
pub struct QueryVec {
    values: Vec<i16>,
    scale: f32,
}

const STEPS: f32 = 2047.0;

impl QueryVec {
    /// Rounds each value to the nearest of 4,095 steps between the extremes.
    pub fn new(vector: &[f32]) -> QueryVec {
        let most = vector.iter().fold(0f32, |m, v| m.max(v.abs()));
        let scale = if most > 0.0 { most / STEPS } else { 1.0 };
        QueryVec {
            values: vector.iter().map(|v| (v / scale).round() as i16).collect(),
            scale,
        }
    }
}

/// Number of rows from which on several threads scan.
const PARALLEL_ROWS: usize = 16_384;

/// The dot products of the query with every row of `rows`, which are signed bytes. There is one scale for each row.
pub fn dot_products(query: &QueryVec, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    let width = query.values.len();
    if width == 0 {
        return;
    }
    let block = |rows: &[u8], scales: &[f32], out: &mut [f32]| {
        kernels::block(&query.values, query.scale, rows, scales, out);
    };
    if scales.len() < PARALLEL_ROWS {
        block(rows, scales, out);
        return;
    }
    const STEP: usize = 4096;
    rows.par_chunks(STEP * width)
        .zip(scales.par_chunks(STEP))
        .zip(out.par_chunks_mut(STEP))
        .for_each(|((rows, scales), out)| block(rows, scales, out));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_floats() {
        let a: Vec<f32> = (0..256)
            .map(|i| ((i * 37 % 101) as f32 - 50.0) / 700.0)
            .collect();
        let b: Vec<f32> = (0..256)
            .map(|i| ((i * 53 % 97) as f32 - 40.0) / 600.0)
            .collect();
        let exact: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        let quant = QuantVec::new(&a);
        let mut out = [0.0];
        let row: Vec<u8> = quant.values.iter().map(|v| *v as u8).collect();
        dot_products(&QueryVec::new(&b), &row, &[quant.scale], &mut out);
        assert!((out[0] - exact).abs() < 0.01, "{} {exact}", out[0]);
    }

    #[test]
    fn many_rows_in_threads_are_those_of_one() {
        let rows: Vec<u8> = (0..40_000 * 8).map(|i| (i * 31 % 255) as u8).collect();
        let scales = vec![0.01; 40_000];
        let query = QueryVec::new(&[0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.1, 0.0]);
        let (mut all, mut few) = (vec![0.0; 40_000], [0.0]);
        dot_products(&query, &rows, &scales, &mut all);
        for at in (0..40_000).step_by(1_000) {
            dot_products(&query, &rows[at * 8..(at + 1) * 8], &scales[..1], &mut few);
            assert_eq!(all[at], few[0]);
        }
    }

    #[test]
    fn nothing_has_no_direction() {
        assert_eq!(QuantVec::new(&[0.0; 4]).scale, 0.0);
        assert_eq!(QuantVec::new(&[f32::NAN; 4]).values.as_ref(), [0; 4]);
    }
}
