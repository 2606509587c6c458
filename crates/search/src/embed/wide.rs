//! The loops over vectors compiled a second time for processors with AVX2, chosen at run time: one of the two
//! places of this crate with `unsafe`. Both are the same safe Rust, vectorised by the compiler.
#![allow(unsafe_code)]

/// Products of a query with rows of signed bytes, times each row's scale and `scale`.
pub(super) fn block(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but the processor feature that was just found.
        return unsafe { block_avx2(query, scale, rows, scales, out) };
    }
    portable(query, scale, rows, scales, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn block_avx2(query: &[i16], scale: f32, rows: &[u8], scales: &[f32], out: &mut [f32]) {
    portable(query, scale, rows, scales, out);
}

/// Adds a row of signed bytes, times `weight`, to a sum.
pub(super) fn add(sum: &mut [f32], weight: f32, row: &[u8]) {
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
        let (mut wide, mut plain) = (vec![0.5f32; 256], vec![0.5f32; 256]);
        for row in rows.chunks(256) {
            add(&mut wide, 0.37, row);
            add_portable(&mut plain, 0.37, row);
        }
        assert_eq!(wide, plain);
    }
}
