//! Overviews of small made-up repositories.

use super::*;

/// Files `path lines complexity heat`, then links `a -> b n`, then packages `package folder name`.
fn input(text: &str) -> OverviewInput {
    let mut input = OverviewInput::default();
    let lines = || text.lines().map(str::trim).filter(|l| !l.is_empty());
    for line in lines().filter(|l| !l.contains(" -> ") && !l.starts_with("package ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at).map_or(0.0, |w| w.parse().unwrap());
        input.files.push(OverviewFile {
            path: words[0].to_owned(),
            lines: number(1) as u32,
            complexity: number(2) as u32,
            heat: number(3),
        });
    }
    input.files.sort_by(|a, b| a.path.cmp(&b.path));
    let place = |path: &str| {
        let at = input.files.iter().position(|f| f.path == path);
        at.unwrap() as u32
    };
    input.links = lines()
        .filter_map(|l| l.split_once(" -> "))
        .map(|(from, rest)| {
            let (to, calls) = rest.split_once(' ').unwrap();
            FileLink {
                from: place(from),
                to: place(to),
                weight: UseCounts {
                    calls: calls.parse().unwrap(),
                    ..UseCounts::default()
                },
            }
        })
        .collect();
    let packages = lines().filter_map(|l| l.strip_prefix("package "));
    let packages = packages.map(|l| l.split_once(' ').unwrap());
    input.packages = packages
        .map(|(folder, name)| OverviewPackage {
            folder: folder.trim_start_matches('.').to_owned(),
            name: name.to_owned(),
            endings: if name.starts_with("js") {
                &["js"]
            } else {
                &["rs", "py"]
            },
        })
        .collect();
    input.packages.sort();
    input
}

fn options(level: u32, module: &str, limit: usize) -> OverviewOptions {
    OverviewOptions {
        level: OverviewLevel::from_number(level).unwrap(),
        module: module.to_owned(),
        limit,
        hotspots: true,
        complexity: true,
    }
}

fn shown(text: &str, options: &OverviewOptions) -> (Vec<String>, Vec<String>) {
    let d3 = overview(&input(text), options).to_d3("now");
    let nodes = d3.nodes.iter().map(|n| {
        if n.group.is_empty() {
            n.label.clone()
        } else {
            format!("{} | {}", n.group, n.label)
        }
    });
    let links = d3.links.iter();
    let links = links.map(|l| format!("{} > {} {}", l.source, l.target, l.weight));
    (nodes.collect(), links.collect())
}

const WORKSPACE: &str = "
    package crates/core core
    package crates/cli cli
    crates/core/src/lib.rs 100 10
    crates/core/src/a/x.rs 500 50
    crates/core/src/b/y.rs 300 30
    crates/cli/src/main.rs 200 20 0.9
    build.rs 5 1
    crates/cli/src/main.rs -> crates/core/src/lib.rs 3
    crates/cli/src/main.rs -> crates/core/src/a/x.rs 4
    crates/core/src/a/x.rs -> crates/core/src/b/y.rs 7
    build.rs -> crates/core/src/lib.rs 1";

#[test]
fn level_1_shows_packages_by_their_names() {
    let (nodes, links) = shown(WORKSPACE, &options(1, "", 30));
    assert_eq!(nodes, ["outside of packages", "cli", "core"]);
    assert_eq!(links, [". > crates/core 1", "crates/cli > crates/core 7"]);
}

#[test]
fn a_file_belongs_to_the_package_of_its_language() {
    let (nodes, links) = shown(
        "package . app\npackage web js-web\nsrc/main.rs 9\nweb/page.js 9\nweb/embed.rs 9\nsrc/main.rs -> web/embed.rs 1",
        &options(1, "", 30),
    );
    assert_eq!((nodes.len(), links.len()), (2, 0), "{nodes:?} {links:?}");
}

#[test]
fn level_2_shows_folders_within_packages() {
    let (nodes, links) = shown(WORKSPACE, &options(2, "", 30));
    assert_eq!(
        nodes,
        [
            "crates/cli | src",
            "crates/core | src/a",
            "crates/core | src/b",
            "crates/core | src (own files)",
            "files of the root"
        ]
        .map(str::to_owned)
    );
    assert!(links.contains(&"crates/core/src/a > crates/core/src/b 7".to_owned()));
}

#[test]
fn level_3_shows_files() {
    let (nodes, links) = shown(WORKSPACE, &options(3, "", 30));
    assert_eq!(nodes.len(), 5);
    assert!(
        nodes.contains(&"crates/core | src/a/x.rs".to_owned()),
        "{nodes:?}"
    );
    assert_eq!(links.len(), 4);
}

#[test]
fn without_packages_level_1_shows_folders() {
    let (nodes, _) = shown(
        "src/main/java/org/acme/web/A.java 10\nsrc/main/java/org/acme/db/B.java 10\nsrc/main/java/org/acme/C.java 5",
        &options(1, "", 30),
    );
    assert_eq!(
        nodes,
        [
            "src/main/java/org/acme/db",
            "src/main/java/org/acme/web",
            "src/main/java/org/acme (own files)"
        ]
    );
}

#[test]
fn a_large_graph_is_folded_and_what_is_folded_is_counted_and_named() {
    let mut text = String::new();
    for n in 0..300 {
        text.push_str(&format!("lib/m{n:03}/a.py {} 5\n", 400 - n));
    }
    for n in 1..300 {
        text.push_str(&format!("lib/m{n:03}/a.py -> lib/m000/a.py 1\n"));
    }
    for level in [1, 2, 3] {
        let d3 = overview(&input(&text), &options(level, "", 30)).to_d3("now");
        assert!(d3.nodes.len() <= 30, "{}", d3.nodes.len());
        assert!(d3.links.len() <= 60);
        let rest = d3.nodes.iter().find(|n| n.kind == "rest").unwrap();
        let folded = rest.folded.as_ref().unwrap();
        assert_eq!(folded.count + d3.nodes.len() - 1, 300);
        assert!(folded.names.contains(&"m100".to_owned()) || !folded.names.is_empty());
        assert_eq!(rest.label, format!("… {} more in lib", folded.count));
        let files: usize = d3.nodes.iter().map(|n| n.files).sum();
        assert_eq!(files, 300, "nothing is lost");
        let uses: u32 = d3.links.iter().map(|l| l.weight).sum();
        assert!(uses > 0 && uses <= 299);
    }
}

#[test]
fn a_module_shows_its_files_and_its_neighbours() {
    let (nodes, links) = shown(WORKSPACE, &options(3, "crates/core", 30));
    assert_eq!(
        nodes,
        [
            "crates/core/src/a | x.rs",
            "crates/core/src/b | y.rs",
            "crates/core/src | lib.rs",
            "build.rs",
            "crates/cli"
        ]
    );
    assert!(links.contains(&"crates/cli > crates/core/src/a/x.rs 4".to_owned()));
}

#[test]
fn neighbours_are_folded_too() {
    let mut text = String::from("core/a.py 10\n");
    for n in 0..30 {
        text.push_str(&format!("user{n:02}/u.py 10\n"));
    }
    for n in 0..30 {
        text.push_str(&format!("user{n:02}/u.py -> core/a.py {}\n", n + 1));
    }
    let d3 = overview(&input(&text), &options(3, "core", 30)).to_d3("now");
    assert_eq!(d3.nodes.len(), 1 + 8);
    let rest = d3.nodes.last().unwrap();
    assert_eq!(rest.label, "… 23 more outside");
    let uses: u32 = d3.links.iter().map(|l| l.weight).sum();
    assert_eq!(uses, (1..=30).sum::<u32>());
}

#[test]
fn an_empty_graph_is_still_a_picture() {
    let empty = overview(&OverviewInput::default(), &options(2, "", 30));
    assert!(empty.is_empty());
    assert_eq!(empty.to_mermaid(), "graph LR\n  n0[\"nothing to show\"]\n");
    assert_eq!(empty.to_d3("now").metadata.total_nodes, 0);
}

#[test]
fn ct_005_mermaid_has_colours_weights_and_complexity() {
    let drawn = overview(&input(WORKSPACE), &options(1, "", 30)).to_mermaid();
    assert_eq!(
        drawn,
        "graph LR\n  n0[\"outside of packages<br/>5 lines · complexity 1\"]\n  \
         n1[\"cli<br/>200 lines · complexity 20\"]\n  \
         n2[\"core<br/>3 files · 900 lines · complexity 90\"]\n  \
         n0 -->|1| n2\n  n1 -->|7| n2\n  classDef hot fill:#ff6b6b,color:#000\n  class n1 hot\n  \
         classDef warm fill:#ffd93d,color:#000\n"
    );
    let mut plain = options(1, "", 30);
    (plain.hotspots, plain.complexity) = (false, false);
    let drawn = overview(&input(WORKSPACE), &plain).to_mermaid();
    assert!(
        !drawn.contains("fill") && !drawn.contains("complexity"),
        "{drawn}"
    );
}

#[test]
fn ct_006_d3_has_the_shape_of_the_design() {
    let d3 = overview(&input(WORKSPACE), &options(2, "", 30)).to_d3("2024-01-01T00:00:00Z");
    let json = serde_json::to_value(&d3).unwrap();
    for node in json["nodes"].as_array().unwrap() {
        assert!(node["id"].is_string() && node["group"].is_string());
        assert!(
            node["hotspot"].is_number() && node["complexity"].is_u64(),
            "{node}"
        );
    }
    let ids: Vec<&serde_json::Value> = json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| &n["id"])
        .collect();
    for link in json["links"].as_array().unwrap() {
        assert!(ids.contains(&&link["source"]) && ids.contains(&&link["target"]));
        assert_eq!(link["type"], "CALLS");
    }
    let metadata = &json["metadata"];
    assert_eq!(metadata["generated_at"], "2024-01-01T00:00:00Z");
    assert_eq!(metadata["level"], 2);
    assert_eq!(metadata["total_nodes"], 5);
    assert_eq!(
        metadata["total_edges"],
        json["links"].as_array().unwrap().len()
    );
}
