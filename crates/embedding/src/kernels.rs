//! The loops over vectors, also compiled for processors with AVX2 and with AVX-512 and chosen at run time: the only
//! place in this crate with `unsafe`. All versions are the same safe Rust, vectorised by the compiler, and return the
//! same numbers.
#![allow(unsafe_code)]

use crate::tensors::Matrix;

/// Inputs of a layer have 14 bits and a sign: products with bytes over 1,536 inputs fit into 32 bits.
pub(crate) const STEPS: f32 = 8191.0;

/// Products of a query with rows of signed bytes, times each row's scale and `scale`.
pub(crate) fn block(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512bw") {
            // SAFETY: the function needs nothing but the processor feature that was just found.
            return unsafe { block_avx512(query, scale, rows, scales, out) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { block_avx2(query, scale, rows, scales, out) };
        }
    }
    portable(query, scale, rows, scales, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn block_avx512(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    portable(query, scale, rows, scales, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn block_avx2(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    portable(query, scale, rows, scales, out);
}

/// The sum of the values and the sum of their squares, in units of 2^-20 and 2^-40, so that the order of the values
/// does not matter. Values are clamped at 8; the squares of up to 2^16 values fit.
pub fn moments(values: &[f32]) -> (i64, i64) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but the processor feature that was just found.
        return unsafe { moments_avx2(values) };
    }
    moments_portable(values)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn moments_avx2(values: &[f32]) -> (i64, i64) {
    moments_portable(values)
}

#[inline(always)]
fn moments_portable(values: &[f32]) -> (i64, i64) {
    const UNIT: f32 = (1u32 << 20) as f32;
    let mut sums = (0, 0);
    for value in values {
        let fixed = (value.clamp(-8.0, 8.0) * UNIT) as i32;
        let wide = i64::from(fixed);
        sums = (sums.0 + wide, sums.1 + wide * wide);
    }
    sums
}

/// Adds a row of signed bytes, times `weight`, to a sum.
pub(crate) fn add(sum: &mut [f32], weight: f32, row: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but the processor feature that was just found.
        return unsafe { add_avx2(sum, weight, row) };
    }
    add_portable(sum, weight, row);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_avx2(sum: &mut [f32], weight: f32, row: &[u8]) {
    add_portable(sum, weight, row);
}

#[inline(always)]
fn add_portable(sum: &mut [f32], weight: f32, row: &[u8]) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += weight * f32::from(*value as i8);
    }
}

/// `out[t × height + o] = bias[o] + scale[t] × weights[o] · inputs[t]`, summed in whole numbers.
pub(crate) fn dense(
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
            out[t * height + o] = bias + dot_wide(&wide, input) as f32 * step * scale;
        }
    }
}

#[inline(always)]
fn dot_wide(a: &[i16], b: &[i16]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum()
}

#[inline(always)]
fn portable(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    for ((row, own), out) in rows.chunks_exact(query.len()).zip(scales).zip(out) {
        *out = dot(row, query) as f32 * own * scale;
    }
}

#[inline(always)]
fn dot(row: &[u8], query: &[i16]) -> i32 {
    row.iter()
        .zip(query)
        .map(|(a, b)| i32::from(*a as i8) * i32::from(*b))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let query: Vec<i16> = (0..256).map(|i| (i * 37 % 4095) as i16 - 2047).collect();
        let rows: Vec<u8> = (0..256 * 9).map(|i| (i * 31 % 256) as u8).collect();
        let scales: Vec<f32> = (0..9).map(|i| 0.01 + i as f32).collect();
        let (mut wide, mut plain) = (vec![0.0; 9], vec![0.0; 9]);
        block(&query, 0.5, &rows, &scales, &mut wide);
        portable(&query, 0.5, &rows, &scales, &mut plain);
        assert_eq!(wide, plain);
        assert_eq!(moments(&plain), moments_portable(&plain));
        assert_eq!(
            moments(&[0.5, -2.0, 99.0]),
            (13 << 19, (1 << 38) + (68 << 40))
        );
        let (mut wide, mut plain) = (vec![0.5f32; 256], vec![0.5f32; 256]);
        for row in rows.chunks(256) {
            add(&mut wide, 0.37, row);
            add_portable(&mut plain, 0.37, row);
        }
        assert_eq!(wide, plain);
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
