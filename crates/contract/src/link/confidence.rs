//! The confidence of a link, and its parts.

use crate::ContractType;
use serde::{Deserialize, Serialize};

/// Weights of the parts.
const WEIGHTS: (f64, f64, f64) = (0.6, 0.3, 0.1);

/// Links below this are not kept.
pub const LEAST: f64 = 0.5;

/// Links from here on are marked as high.
pub const HIGH: f64 = 0.8;

/// How well the names, or the paths, of the two ends match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NameMatch {
    /// No match.
    None,
    /// Similar by letters.
    Fuzzy,
    /// Equal except for case, or for a part before the name.
    Prefix,
    /// Equal.
    Exact,
}

impl NameMatch {
    /// The score, 0–1.
    pub fn score(self) -> f64 {
        match self {
            NameMatch::None => 0.0,
            NameMatch::Fuzzy => 0.4,
            NameMatch::Prefix => 0.7,
            NameMatch::Exact => 1.0,
        }
    }
}

/// A confidence with its parts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// How well the names match, 0–1.
    pub name: f64,
    /// How well the signatures match, 0–1.
    pub signature: f64,
    /// The contract's part, 0–0.1.
    pub contract: f64,
    /// The weighted sum, 0–1, to four digits.
    pub total: f64,
}

impl Confidence {
    /// The confidence of its parts.
    pub fn new(name: NameMatch, signature: f64, contract: ContractType) -> Confidence {
        let (name, contract) = (name.score(), contract.bonus());
        let sum = WEIGHTS.0 * name + WEIGHTS.1 * signature + WEIGHTS.2 * contract;
        Confidence {
            name,
            signature,
            contract,
            total: (sum * 1e4).round() / 1e4,
        }
    }

    /// The confidence of a link whose host is not known: it may lead to somebody else. A link that is sure otherwise stays above
    /// 0.7, from which call chains follow links by default.
    pub(super) fn without_host(self) -> Confidence {
        const LESS: f64 = 0.15;
        let total = (self.total - LESS).max(LEAST.min(self.total));
        Confidence {
            total: (total * 1e4).round() / 1e4,
            ..self
        }
    }

    /// `high`, `medium`, or `low` for a link that is not kept.
    pub fn level(&self) -> &'static str {
        match self.total {
            sure if sure >= HIGH => "high",
            known if known >= LEAST => "medium",
            _ => "low",
        }
    }
}

/// How well two lists of parameter types match: 1 for the same types, 0.6 for the same number of other types, 0.3 if one
/// has one more. If a side does not tell its parameters, one half.
pub fn signature_similarity(one: Option<&[String]>, other: Option<&[String]>) -> f64 {
    let (Some(one), Some(other)) = (one, other) else {
        return 0.5;
    };
    match one.len().abs_diff(other.len()) {
        0 if one.iter().zip(other).all(|(a, b)| is_same_type(a, b)) => 1.0,
        0 => 0.6,
        1 => 0.3,
        _ => 0.0,
    }
}

/// Whether two types have the same name, apart from packages and pointers.
fn is_same_type(one: &str, other: &str) -> bool {
    let plain = |text: &str| -> String {
        let inner = text
            .rsplit(['<', '['])
            .next()
            .unwrap_or(text)
            .trim_end_matches(['>', ']']);
        let last = inner
            .rsplit(['.', ':', '*', '&', ' '])
            .next()
            .unwrap_or(inner);
        last.to_ascii_lowercase()
    };
    let (one, other) = (plain(one), plain(other));
    !one.is_empty() && one == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::name_similarity;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|t| (*t).to_owned()).collect()
    }

    /// The example of the design: 0.7 · 0.6 + 0.6 · 0.3 + 0.1 · 0.1.
    #[test]
    fn get_user_by_id_and_its_procedure_have_a_confidence_of_61_hundredths() {
        let name = name_similarity("getUserById", "GetUserById");
        let signature = signature_similarity(
            Some(&texts(&["string"])),
            Some(&texts(&["GetUserByIdRequest"])),
        );
        let found = Confidence::new(name, signature, ContractType::Proto);
        assert_eq!(format!("{:.2}", found.total), "0.61");
        assert_eq!(
            (found.name, found.signature, found.contract),
            (0.7, 0.6, 0.1)
        );
        assert_eq!(found.level(), "medium");
    }

    #[test]
    fn parts_add_up_by_their_weights() {
        let full = Confidence::new(NameMatch::Exact, 1.0, ContractType::Proto);
        assert_eq!(full.total, 0.91);
        assert_eq!(full.level(), "high");
        let graphql = Confidence::new(NameMatch::Exact, 1.0, ContractType::GraphQl);
        assert_eq!(graphql.total, 0.908);
        let openapi = Confidence::new(NameMatch::Fuzzy, 0.5, ContractType::OpenApi);
        assert_eq!(openapi.total, 0.395);
        assert_eq!(openapi.level(), "low");
    }

    #[test]
    fn signatures_are_compared_by_number_and_by_names_of_types() {
        let of = |a: &[&str], b: &[&str]| signature_similarity(Some(&texts(a)), Some(&texts(b)));
        assert_eq!(of(&["*v1pb.GetUserRequest"], &["GetUserRequest"]), 1.0);
        assert_eq!(
            of(&["connect.Request<v1.GetUserRequest>"], &["GetUserRequest"]),
            1.0
        );
        assert_eq!(
            of(
                &["*connect.Request[v1pb.GetUserRequest]"],
                &["GetUserRequest"]
            ),
            1.0
        );
        assert_eq!(of(&["string"], &["GetUserRequest"]), 0.6);
        assert_eq!(of(&[], &["GetUserRequest"]), 0.3);
        assert_eq!(of(&[], &["A", "B"]), 0.0);
        assert_eq!(signature_similarity(None, Some(&[])), 0.5);
    }
}
