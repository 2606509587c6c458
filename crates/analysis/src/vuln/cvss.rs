//! The base score of a CVSS vector, versions 3.0 and 3.1 (first.org/cvss/v3.1/specification-document, section 7.1).

/// The base score, 0–10; `None` for a vector of another version or with a metric missing.
pub(super) fn base_score(vector: &str) -> Option<f64> {
    let metrics = vector.strip_prefix("CVSS:3.")?.split_once('/')?.1;
    let metric = |key: &str| {
        let mut pairs = metrics.split('/').filter_map(|part| part.split_once(':'));
        pairs.find(|(k, _)| *k == key).map(|(_, value)| value)
    };
    let changed = metric("S")? == "C";
    let pick = |key: &str, values: &[(&str, f64)]| {
        let value = metric(key)?;
        values.iter().find(|(v, _)| *v == value).map(|(_, n)| *n)
    };
    let impact_values = [("H", 0.56), ("L", 0.22), ("N", 0.0)];
    let confidentiality = pick("C", &impact_values)?;
    let integrity = pick("I", &impact_values)?;
    let availability = pick("A", &impact_values)?;
    let vector = pick("AV", &[("N", 0.85), ("A", 0.62), ("L", 0.55), ("P", 0.2)])?;
    let complexity = pick("AC", &[("L", 0.77), ("H", 0.44)])?;
    let interaction = pick("UI", &[("N", 0.85), ("R", 0.62)])?;
    let privileges = if changed {
        [("N", 0.85), ("L", 0.68), ("H", 0.5)]
    } else {
        [("N", 0.85), ("L", 0.62), ("H", 0.27)]
    };
    let privileges = pick("PR", &privileges)?;
    let sub: f64 = 1.0 - (1.0 - confidentiality) * (1.0 - integrity) * (1.0 - availability);
    let impact = if changed {
        7.52 * (sub - 0.029) - 3.25 * (sub - 0.02).powi(15)
    } else {
        6.42 * sub
    };
    if impact <= 0.0 {
        return Some(0.0);
    }
    let exploitability = 8.22 * vector * complexity * privileges * interaction;
    let sum = impact + exploitability;
    let score = if changed { 1.08 * sum } else { sum };
    Some(round_up(score.min(10.0)))
}

/// Up to one decimal, without the error of binary fractions (section 7, appendix A).
fn round_up(score: f64) -> f64 {
    let hundred_thousandths = (score * 100_000.0).round() as i64;
    match hundred_thousandths % 10_000 {
        0 => hundred_thousandths as f64 / 100_000.0,
        _ => ((hundred_thousandths / 10_000) as f64 + 1.0) / 10.0,
    }
}

#[cfg(test)]
mod tests {
    use super::base_score;

    #[test]
    fn scores_are_those_of_the_calculator() {
        for (vector, score) in [
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", Some(10.0)),
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", Some(9.8)),
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", Some(7.5)),
            ("CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", Some(6.1)),
            ("CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H", Some(5.5)),
            ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", Some(0.0)),
            ("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H", None),
            ("CVSS:3.1/AV:N", None),
            ("high", None),
        ] {
            assert_eq!(base_score(vector), score, "{vector}");
        }
    }
}
