//! The six layers of BERT: Devlin et al., 2018, <https://arxiv.org/abs/1810.04805>. The mean over all tokens is the
//! vector of the text.

use super::{DIMENSION, LENGTH};
use crate::ModelError;
use crate::kernels::{self, STEPS};
use crate::tensors::{Matrix, Tensors};

const LAYERS: usize = 6;
const HEADS: usize = 12;
const SIZE: usize = DIMENSION / HEADS;

pub(super) struct Encoder {
    words: Matrix,
    positions: Matrix,
    norm: Norm,
    layers: Vec<Layer>,
    gelu: Gelu,
}

struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    mix: Dense,
    mix_norm: Norm,
    widen: Dense,
    narrow: Dense,
    norm: Norm,
}

struct Dense {
    weights: Matrix,
    bias: Vec<f32>,
}

struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Encoder {
    pub(super) fn read(file: &'static [u8]) -> Result<Encoder, ModelError> {
        let tensors = Tensors::parse_safetensors(file)?;
        let matrix =
            |name: &str| tensors.matrix(&format!("{name}.weight"), &format!("{name}.scale"));
        let dense = |name: &str| -> Result<Dense, ModelError> {
            let weights = matrix(name)?;
            let bias = tensors.floats(&format!("{name}.bias"))?;
            if bias.len() == weights.height() {
                Ok(Dense { weights, bias })
            } else {
                Err(ModelError(format!("{name} has another bias")))
            }
        };
        let norm = |name: &str| -> Result<Norm, ModelError> {
            Ok(Norm {
                weight: tensors.floats(&format!("{name}.weight"))?,
                bias: tensors.floats(&format!("{name}.bias"))?,
            })
        };
        let layer = |n: usize| -> Result<Layer, ModelError> {
            let at = format!("encoder.layer.{n}");
            Ok(Layer {
                query: dense(&format!("{at}.attention.self.query"))?,
                key: dense(&format!("{at}.attention.self.key"))?,
                value: dense(&format!("{at}.attention.self.value"))?,
                mix: dense(&format!("{at}.attention.output.dense"))?,
                mix_norm: norm(&format!("{at}.attention.output.LayerNorm"))?,
                widen: dense(&format!("{at}.intermediate.dense"))?,
                narrow: dense(&format!("{at}.output.dense"))?,
                norm: norm(&format!("{at}.output.LayerNorm"))?,
            })
        };
        Ok(Encoder {
            words: matrix("embeddings.word_embeddings")?,
            positions: matrix("embeddings.position_embeddings")?,
            norm: norm("embeddings.LayerNorm")?,
            layers: (0..LAYERS).map(layer).collect::<Result<_, _>>()?,
            gelu: Gelu::new(),
        })
    }

    /// The mean of the last layer over the tokens, of length 1. There may be at most as many tokens as positions.
    pub(super) fn embed(&self, ids: &[u32]) -> Vec<f32> {
        let ids = &ids[..ids.len().min(LENGTH)];
        let mut x = vec![0.0; ids.len() * DIMENSION];
        for ((at, id), out) in ids.iter().enumerate().zip(x.chunks_exact_mut(DIMENSION)) {
            self.words
                .add_row((*id as usize).min(self.words.height() - 1), out);
            self.positions.add_row(at, out);
        }
        self.norm.apply(&mut x);
        for layer in &self.layers {
            layer.apply(&mut x, &self.gelu);
        }
        let mut mean = vec![0.0; DIMENSION];
        for token in x.chunks_exact(DIMENSION) {
            mean.iter_mut().zip(token).for_each(|(m, v)| *m += v);
        }
        let length = product(&mean, &mean).sqrt().max(f32::MIN_POSITIVE);
        mean.iter_mut().for_each(|v| *v /= length);
        mean
    }
}

impl Layer {
    fn apply(&self, x: &mut [f32], gelu: &Gelu) {
        let input = Rounded::new(x, DIMENSION);
        let query = self.query.apply(&input);
        let key = self.key.apply(&input);
        let value = self.value.apply(&input);
        let mixed = attend(&query, &key, &value);
        let mixed = self.mix.apply(&Rounded::new(&mixed, DIMENSION));
        x.iter_mut().zip(mixed).for_each(|(x, m)| *x += m);
        self.mix_norm.apply(x);
        let mut inner = self.widen.apply(&Rounded::new(x, DIMENSION));
        inner.iter_mut().for_each(|v| *v = gelu.at(*v));
        let inner = self
            .narrow
            .apply(&Rounded::new(&inner, self.narrow.weights.width));
        x.iter_mut().zip(inner).for_each(|(x, v)| *x += v);
        self.norm.apply(x);
    }
}

/// Rows rounded to whole steps, with the step size of each row.
struct Rounded {
    values: Vec<i16>,
    scales: Vec<f32>,
}

impl Rounded {
    fn new(rows: &[f32], width: usize) -> Rounded {
        let mut values = Vec::with_capacity(rows.len());
        let mut scales = Vec::with_capacity(rows.len() / width);
        for row in rows.chunks_exact(width) {
            let most = row.iter().fold(0f32, |m, v| m.max(v.abs()));
            let scale = if most > 0.0 { most / STEPS } else { 1.0 };
            let per = 1.0 / scale;
            values.extend(row.iter().map(|v| (v * per).round_ties_even() as i16));
            scales.push(scale);
        }
        Rounded { values, scales }
    }
}

impl Dense {
    fn apply(&self, input: &Rounded) -> Vec<f32> {
        let mut out = vec![0.0; input.scales.len() * self.weights.height()];
        kernels::dense(
            &self.weights,
            &self.bias,
            &input.values,
            &input.scales,
            &mut out,
        );
        out
    }
}

impl Norm {
    fn apply(&self, x: &mut [f32]) {
        for row in x.chunks_exact_mut(DIMENSION) {
            let count = row.len() as f32;
            let mean = sum(row) / count;
            row.iter_mut().for_each(|v| *v -= mean);
            let deviation = (product(row, row) / count + 1e-12).sqrt();
            for ((v, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
                *v = *v / deviation * weight + bias;
            }
        }
    }
}

/// Attention: every token attends to every other, in each of the heads.
fn attend(query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let tokens = query.len() / DIMENSION;
    let mut out = vec![0.0; query.len()];
    let mut weights = vec![0.0f32; tokens];
    let scale = 1.0 / (SIZE as f32).sqrt();
    for head in 0..HEADS {
        let part = |x: &'_ [f32], token: usize| -> std::ops::Range<usize> {
            let from = token * DIMENSION + head * SIZE;
            from..(from + SIZE).min(x.len())
        };
        for token in 0..tokens {
            let asks = &query[part(query, token)];
            let mut most = f32::MIN;
            for (other, weight) in weights.iter_mut().enumerate() {
                *weight = product(asks, &key[part(key, other)]) * scale;
                most = most.max(*weight);
            }
            let mut total = 0.0;
            for weight in &mut weights {
                *weight = (*weight - most).exp();
                total += *weight;
            }
            let out = &mut out[part(query, token)];
            for (other, weight) in weights.iter().enumerate() {
                let share = weight / total;
                let values = &value[part(value, other)];
                out.iter_mut()
                    .zip(values)
                    .for_each(|(o, v)| *o += share * v);
            }
        }
    }
    out
}

/// Sums in eight lanes, so that the compiler can use vector instructions.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for at in 0..8 {
            lanes[at] += a[at] * b[at];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

fn sum(a: &[f32]) -> f32 {
    let mut lanes = [0f32; 8];
    let (parts, rest) = a.as_chunks::<8>();
    for part in parts {
        for at in 0..8 {
            lanes[at] += part[at];
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

/// `x · Φ(x)` from a table, interpolated linearly.
struct Gelu {
    table: Vec<f32>,
}

const REACH: f32 = 8.0;
const POINTS: usize = 8192;

impl Gelu {
    fn new() -> Gelu {
        let at = |point: usize| {
            let x = (point as f64 / POINTS as f64 * 2.0 - 1.0) * f64::from(REACH);
            (x * normal_below(x)) as f32
        };
        Gelu {
            table: (0..POINTS + 2).map(at).collect(),
        }
    }

    fn at(&self, x: f32) -> f32 {
        if x >= REACH {
            return x;
        }
        if x.is_nan() || x <= -REACH {
            return 0.0;
        }
        let place = (x + REACH) * (POINTS as f32 / (2.0 * REACH));
        let point = place as usize;
        let share = place - point as f32;
        self.table[point] * (1.0 - share) + self.table[point + 1] * share
    }
}

/// The cumulative normal distribution at `x`, by the series of Marsaglia, 2004,
/// <https://doi.org/10.18637/jss.v011.i04>.
fn normal_below(x: f64) -> f64 {
    let (mut sum, mut term, mut n) = (x, x, 1.0);
    loop {
        n += 2.0;
        term *= x * x / n;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    let density = (-0.5 * x * x - 0.918_938_533_204_672_7).exp();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_function() {
        let gelu = Gelu::new();
        for (x, y) in [
            (0.0, 0.0),
            (1.0, 0.841_345),
            (-1.0, -0.158_655),
            (2.5, 2.484_476),
            (-3.0, -0.004_05),
            (9.0, 9.0),
            (-9.0, 0.0),
        ] {
            assert!((gelu.at(x) - y).abs() < 1e-5, "{x}: {}", gelu.at(x));
        }
        assert_eq!(gelu.at(f32::NAN), 0.0);
    }
}
