//! Package names in manifests.

use super::{maven, parse_json, parse_toml};
use ::toml::Value;

/// The package name in a manifest; empty if it has none. `None` if the manifest makes no package: a Cargo workspace, a Maven
/// aggregator.
pub fn package_name(manifest: &str, text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}');
    match manifest {
        "Cargo.toml" => {
            let file = parse_toml(text).ok()?;
            let name = file.get("package")?.get("name").and_then(Value::as_str);
            Some(name.unwrap_or_default().to_owned())
        }
        "package.json" | "composer.json" => {
            let file = parse_json(text).ok()?;
            Some(file["name"].as_str().unwrap_or_default().to_owned())
        }
        "pyproject.toml" => {
            let file = parse_toml(text).ok()?;
            let named = |table: Option<&Value>| table?.get("name")?.as_str().map(str::to_owned);
            let poetry = file.get("tool").and_then(|tool| tool.get("poetry"));
            let name = named(file.get("project")).or_else(|| named(poetry));
            // Many such files hold settings of tools alone.
            name.or_else(|| file.get("build-system").map(|_| String::new()))
        }
        "go.mod" => {
            let module = text.lines().find_map(|l| l.trim().strip_prefix("module "));
            Some(module?.split("//").next()?.trim().to_owned())
        }
        "pom.xml" => {
            let file = maven::parse_xml(text).ok()?;
            let word = |key: &str| {
                let mut children = file.root_element().children();
                children.find(|c| c.tag_name().name() == key)?.text()
            };
            let gathers = word("packaging").is_some_and(|p| p.trim() == "pom");
            (!gathers).then(|| word("artifactId").unwrap_or_default().trim().to_owned())
        }
        _ => Some(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::package_name;

    #[test]
    fn names_of_packages() {
        for (manifest, text, expected) in [
            ("Cargo.toml", "[package]\nname = \"a\"\n", Some("a")),
            ("Cargo.toml", "[workspace]\nmembers = []\n", None),
            ("package.json", "{\"name\": \"@a/b\"}", Some("@a/b")),
            ("package.json", "{}", Some("")),
            ("package.json", "{", None),
            ("pyproject.toml", "[tool.poetry]\nname = \"p\"\n", Some("p")),
            ("pyproject.toml", "[tool.black]\nx = 1\n", None),
            ("go.mod", "// x\nmodule a.b/c // y\n", Some("a.b/c")),
            (
                "pom.xml",
                "<project><artifactId>core</artifactId></project>",
                Some("core"),
            ),
            (
                "pom.xml",
                "<project><artifactId>all</artifactId><packaging>pom</packaging></project>",
                None,
            ),
            ("build.gradle", "", Some("")),
        ] {
            assert_eq!(package_name(manifest, text).as_deref(), expected, "{text}");
        }
    }
}
