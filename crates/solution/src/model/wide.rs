//! The sums of products, compiled a second time for processors with AVX2 and chosen at run time: the one place of
//! this crate with `unsafe`. Both are the same safe Rust, vectorised by the compiler, and give the same numbers.
#![allow(unsafe_code)]

use super::tensors::Matrix;

/// Inputs in 14 bits and a sign: products with bytes over 1,536 inputs stay within 32 bits.
pub(super) const STEPS: f32 = 8191.0;

/// `out[t × height + o] = bias[o] + scale[t] × weights[o] · inputs[t]`, summed in whole numbers.
pub(super) fn dense(
    weights: &Matrix,
    bias: &[f32],
    inputs: &[i16],
    scales: &[f32],
    out: &mut [f32],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but the processor feature that was just found.
        return unsafe { dense_avx2(weights, bias, inputs, scales, out) };
    }
    dense_plain(weights, bias, inputs, scales, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dense_avx2(weights: &Matrix, bias: &[f32], inputs: &[i16], scales: &[f32], out: &mut [f32]) {
    dense_plain(weights, bias, inputs, scales, out);
}

#[inline(always)]
fn dense_plain(weights: &Matrix, bias: &[f32], inputs: &[i16], scales: &[f32], out: &mut [f32]) {
    let (width, height) = (weights.width, weights.height());
    let mut wide = vec![0i16; width];
    for (o, row) in weights.rows.chunks_exact(width).enumerate() {
        for (wide, byte) in wide.iter_mut().zip(row) {
            *wide = i16::from(*byte as i8);
        }
        let (step, bias) = (weights.scales[o], bias[o]);
        for (t, (input, scale)) in inputs.chunks_exact(width).zip(scales).enumerate() {
            out[t * height + o] = bias + dot(&wide, input) as f32 * step * scale;
        }
    }
}

#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum()
}

/// The products of a direction with rows of signed bytes, each times its scale.
pub(crate) fn scan(query: &[f32], rows: &[u8], scales: &[f32], out: &mut Vec<f32>) {
    let most = query.iter().fold(0f32, |m, v| m.max(v.abs()));
    let step = if most > 0.0 { most / 2047.0 } else { 1.0 };
    let query: Vec<i16> = query.iter().map(|v| (v / step).round() as i16).collect();
    out.clear();
    out.resize(scales.len(), 0.0);
    if query.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but the processor feature that was just found.
        return unsafe { scan_avx2(&query, step, rows, scales, out) };
    }
    scan_plain(&query, step, rows, scales, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_avx2(query: &[i16], step: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    scan_plain(query, step, rows, scales, out);
}

#[inline(always)]
fn scan_plain(query: &[i16], step: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    for ((row, scale), out) in rows.chunks_exact(query.len()).zip(scales).zip(out) {
        let sum: i32 = row
            .iter()
            .zip(query)
            .map(|(a, b)| i32::from(*a as i8) * i32::from(*b))
            .sum();
        *out = sum as f32 * scale * step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let rows: Vec<u8> = (0..384 * 9).map(|i| (i * 31 % 255) as u8).collect();
        let query: Vec<f32> = (0..384)
            .map(|i| ((i * 37 % 101) as f32 - 50.0) / 700.0)
            .collect();
        let scales = [0.01; 9];
        let mut wide = Vec::new();
        scan(&query, &rows, &scales, &mut wide);
        let exact: Vec<f32> = rows
            .chunks_exact(384)
            .map(|row| {
                row.iter()
                    .zip(&query)
                    .map(|(a, b)| f32::from(*a as i8) * b)
                    .sum::<f32>()
                    * 0.01
            })
            .collect();
        for (a, b) in wide.iter().zip(&exact) {
            assert!((a - b).abs() < 0.01, "{a} {b}");
        }
    }

    #[test]
    fn sums_are_exact() {
        let rows: &'static [u8] = Vec::leak((0..2 * 32).map(|i| (i * 7 % 256) as u8).collect());
        let matrix = Matrix {
            rows,
            scales: vec![1.0, 2.0],
            width: 32,
        };
        let inputs: Vec<i16> = (0..3 * 32).map(|i| i * 5 - 200).collect();
        let mut out = vec![0.0; 6];
        dense(&matrix, &[0.5, -0.5], &inputs, &[1.0, 0.5, 0.25], &mut out);
        let sum = |t: usize, o: usize| -> i32 {
            (0..32)
                .map(|i| i32::from(rows[o * 32 + i] as i8) * i32::from(inputs[t * 32 + i]))
                .sum()
        };
        for (t, scale) in [1.0, 0.5, 0.25].into_iter().enumerate() {
            assert_eq!(out[t * 2], 0.5 + sum(t, 0) as f32 * scale);
            assert_eq!(out[t * 2 + 1], -0.5 + sum(t, 1) as f32 * 2.0 * scale);
        }
    }
}
