//! Learning, merging and deviations, on observations given as text.

use super::*;

/// `file:line key=value`, one a line.
fn observations(text: &str) -> Observations {
    let mut found = Observations::default();
    found.begin_source();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        let (place, choice) = line.split_once(' ').unwrap();
        let (file, at) = place.split_once(':').unwrap();
        let (key, value) = choice.split_once('=').unwrap();
        found.push(Observation {
            kind: PatternKind::ErrorHandling,
            key,
            value,
            file,
            line: at.parse().unwrap(),
            symbol: "",
        });
    }
    found
}

const NAMES: &str = "a.py:1 error:python:name=err\nb.py:2 error:python:name=err\nc.py:3 error:python:name=err\nd.py:9 error:python:name=err\ne.py:9 error:python:name=e";

#[test]
fn ct_pd_001_a_pattern_is_at_least_as_frequent_as_asked_and_in_two_files() {
    let all = observations(NAMES);
    let found = learn_patterns(&all, 3, &PatternTuning::default(), 7);
    assert_eq!(found.len(), 1);
    let one = &found[0];
    assert_eq!((one.frequency, one.exceptions, one.files), (4, 1, 4));
    assert!(
        (one.confidence - 0.8).abs() < 1e-9,
        "matches / (matches + exceptions)"
    );
    assert_eq!(one.description, "A caught error is called `err`");
    assert!(
        learn_patterns(&all, 5, &PatternTuning::default(), 7).is_empty(),
        "4 is less than 5"
    );
    let one_file = observations(
        &NAMES
            .replace("b.py", "a.py")
            .replace("c.py", "a.py")
            .replace("d.py", "a.py"),
    );
    assert!(learn_patterns(&one_file, 3, &PatternTuning::default(), 7).is_empty());
    let even =
        observations(&NAMES.replace("d.py:9 error:python:name=err", "d.py:9 error:python:name=e"));
    assert!(
        learn_patterns(&even, 3, &PatternTuning::default(), 7).is_empty(),
        "three of five are no pattern"
    );
}

#[test]
fn deviations_name_the_pattern_and_its_examples() {
    let all = observations(NAMES);
    let patterns = learn_patterns(&all, 3, &PatternTuning::default(), 7);
    let (found, total) = find_deviations(&patterns, &all, &|_| true);
    assert_eq!(total, 1);
    assert_eq!(
        find_deviations(&patterns, &all, &|file| file != "e.py").1,
        0
    );
    assert_eq!(found.len(), 1);
    assert_eq!(
        (
            found[0].file.as_str(),
            found[0].line,
            found[0].found.as_str()
        ),
        ("e.py", 9, "e")
    );
    assert_eq!(found[0].examples.len(), 3);
}

/// `classes` classes, each a file, with these supertypes and methods.
fn families(classes: usize, bases: usize, methods: usize) -> Snapshot {
    let mut builder = Snapshot::builder();
    let mut add = |id: &str, kind: &str, file: &str| {
        builder.add_node(&store::NameRow {
            id,
            symbol: id.rsplit('.').next().unwrap_or(id),
            qualified_name: None,
            kind,
            file_path: file,
            line_start: Some(1),
            line_end: Some(1),
            flags: store::NodeFlags(0),
        });
    };
    for base in 0..bases {
        add(&format!("I{base}"), "class", "base.java");
    }
    for class in 0..classes {
        let file = format!("d{class}/C{class}.java");
        add(&format!("C{class}"), "class", &file);
        for method in 0..methods {
            add(&format!("C{class}.m{method}"), "method", &file);
        }
    }
    for class in 0..classes {
        let source = format!("C{class}");
        for base in 0..bases {
            let target = format!("I{base}");
            builder.add_relation(&source, "extends", &target, base::Tier::Scoped);
        }
        for method in 0..methods {
            builder.add_edge(&store::EdgeRow {
                source: &source,
                target: &format!("C{class}.m{method}"),
                edge_type: base::EdgeType::Defines,
                file: None,
                line: Some(1),
                tier: base::Tier::Scoped,
                confidence: base::Tier::Scoped.default_confidence(),
                site: None,
                more_lines: &[],
            });
        }
    }
    builder.finish().unwrap()
}

#[test]
fn members_times_supertypes_times_classes_are_not_all_observed() {
    let graph = families(40, 40, 40);
    let files: Vec<String> = (0..40).map(|n| format!("d{n}/C{n}.java")).collect();
    let code = Code {
        graph: &graph,
        uses: &ExternalCalls::default(),
        files: &files,
        tests: &[],
        tuning: &PatternTuning::default(),
    };
    let ask = |known: &[&str]| {
        let known = known.iter().map(|key| (*key).to_owned()).collect();
        observe_all(&code, Observations::default(), &known, 3)
    };
    let all = ask(&[]);
    assert!(all.len() < 12_000, "{} of 64,000", all.len());
    let patterns = learn_patterns(&all, 3, code.tuning, 7);
    let of_structure = patterns.iter().filter(|p| p.kind == PatternKind::Structure);
    assert_eq!(of_structure.count(), MOST_OF_KIND);
    // What is known is looked at, wherever it stands in the order.
    let key = "structure:subtype:I9@base.java:m9";
    let observed = ask(&[key]);
    let of_key = (0..observed.len() as u32).filter(|at| observed.get(*at).key == key);
    assert_eq!(of_key.count(), 40);
}

#[test]
fn what_somebody_else_put_in_stays() {
    let all = observations(NAMES);
    let mut old = learn_patterns(&all, 3, &PatternTuning::default(), 7);
    let mut own = old[0].clone();
    own.pattern_id = "house-rule".to_owned();
    own.source = "predefined".to_owned();
    let mut gone = old[0].clone();
    gone.pattern_id = "no-more".to_owned();
    old.extend([own.clone(), gone]);
    let merged = merge_patterns(old, learn_patterns(&all, 3, &PatternTuning::default(), 99));
    assert_eq!(merged.len(), 2);
    assert_eq!(merged[0], own);
    assert_eq!((merged[1].first_seen, merged[1].last_confirmed), (7, 99));
}

#[test]
fn what_a_pattern_says_is_not_copied_to_each_place() {
    let mut all = observations(NAMES);
    let mut pattern = learn_patterns(&all, 3, &PatternTuning::default(), 7).remove(0);
    pattern.description = "d".repeat(200_000);
    pattern.examples = vec![pattern.examples[0].clone(); 100_000];
    let pattern = pattern.from_file().unwrap();
    assert!(pattern.description.len() < 1_100 && pattern.examples.len() == EXAMPLES);
    for line in 0..299_999 {
        let odd = all.get(4);
        assert_eq!(odd.value, "e");
        let (key, file) = (odd.key.to_owned(), odd.file.to_owned());
        all.push(Observation {
            kind: PatternKind::ErrorHandling,
            key: &key,
            value: "e",
            file: &file,
            line,
            symbol: "",
        });
    }
    let (found, total) = find_deviations(&[pattern], &all, &|_| true);
    assert_eq!((found.len(), total), (MOST_DEVIATIONS, 300_000));
    assert!(Arc::ptr_eq(&found[0].description, &found[9].description));
}

#[test]
fn patterns_of_a_file_hide_secrets_and_have_short_names() {
    let pattern = learn_patterns(&observations(NAMES), 3, &PatternTuning::default(), 7).remove(0);
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxAB";
    let with = Pattern {
        description: format!("use {token}"),
        pattern_id: format!("x:{token}"),
        ..pattern.clone()
    };
    let shown = serde_json::to_string(&with.from_file().unwrap()).unwrap();
    assert!(!shown.contains(token), "{shown}");
    assert_eq!(pattern.clone().from_file().as_ref(), Some(&pattern));
    let long = Pattern {
        key: "k".repeat(5_000),
        ..pattern
    };
    assert_eq!(long.from_file(), None);
}
