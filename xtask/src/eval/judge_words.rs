//! BM25 over whole files in its published form: words and parts of names in lower case, and nothing else.

use std::collections::{BTreeMap, HashMap};

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Texts that can be searched.
pub struct Bm25<'t> {
    files: Vec<(&'t String, HashMap<String, f64>, f64)>,
    average: f64,
}

impl<'t> Bm25<'t> {
    /// Indexes the texts, by path.
    pub fn new(texts: &'t BTreeMap<String, String>) -> Bm25<'t> {
        let files: Vec<_> = texts
            .iter()
            .map(|(path, text)| {
                let mut counts: HashMap<String, f64> = HashMap::new();
                let words = words(text);
                let length = words.len() as f64;
                for word in words {
                    *counts.entry(word).or_default() += 1.0;
                }
                (path, counts, length)
            })
            .collect();
        let average = files.iter().map(|f| f.2).sum::<f64>() / files.len().max(1) as f64;
        Bm25 { files, average }
    }

    /// Paths, best first.
    pub fn order(&self, query: &str) -> Vec<String> {
        let mut words = words(query);
        words.sort_unstable();
        words.dedup();
        let total = self.files.len() as f64;
        let mut scores = vec![0.0; self.files.len()];
        for word in &words {
            let with = self.files.iter().filter(|f| f.1.contains_key(word)).count() as f64;
            let idf = (1.0 + (total - with + 0.5) / (with + 0.5)).ln();
            for (score, (_, counts, length)) in scores.iter_mut().zip(&self.files) {
                if let Some(count) = counts.get(word) {
                    let norm = K1 * (1.0 - B + B * length / self.average.max(1.0));
                    *score += idf * count * (K1 + 1.0) / (count + norm);
                }
            }
        }
        let mut order: Vec<(f64, &String)> = scores
            .into_iter()
            .zip(self.files.iter().map(|f| f.0))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        order.into_iter().map(|(_, path)| path.clone()).collect()
    }
}

/// Words in lower case; for names their parts as well.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for name in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let parts = parts(name);
        if parts.len() > 1 {
            all.push(name.to_lowercase());
        }
        all.extend(parts);
    }
    all
}

fn parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && before.is_lowercase()) {
            parts.push(std::mem::take(&mut part));
        }
        if c != '_' {
            part.extend(c.to_lowercase());
        }
        before = c;
    }
    parts.push(part);
    parts.retain(|p| p.chars().count() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarer_word_decides() {
        let texts = [
            ("a.py", "def getUser(): open open"),
            ("b.py", "open file"),
            ("c.py", "nothing"),
        ];
        let texts = texts
            .map(|(p, t)| (p.to_owned(), t.to_owned()))
            .into_iter()
            .collect();
        let all = Bm25::new(&texts);
        assert_eq!(all.order("open user")[0], "a.py");
        assert_eq!(all.order("open a file")[0], "b.py");
        assert_eq!(
            words("HTTPServer_name x"),
            ["httpserver_name", "httpserver", "name"]
        );
    }
}
