//! Tests of every format on a small example in its real shape.

use super::route::full_name;
use super::*;

/// Files of a fixture: each begins with a line `//- path`. The first is the lock file.
fn file(fixture: &str) -> Result<Lockfile, LockProblem> {
    let files = testkit::parse_fixture(fixture);
    let (file, others) = files.split_first().unwrap();
    let others = others.iter();
    let others = others.map(|file| (file.path.to_owned(), file.text.to_owned()));
    read(file.path, file.text, &others.collect())
}

/// Roots with their dependencies, then packages with theirs; `?` marks those for development, `~` those that are indirect.
fn shown(fixture: &str) -> Vec<String> {
    let file = file(fixture).unwrap();
    let roots = file.roots.iter().map(|root| {
        let needs = root.dependencies.iter().map(|n| {
            let marks = [(n.dev, "?"), (n.indirect, "~")];
            let marks = marks.iter().filter(|m| m.0).map(|m| m.1);
            full_name(&file, n.package) + &marks.collect::<String>()
        });
        format!("{}: {}", root.name, needs.collect::<Vec<_>>().join(" "))
    });
    let packages = file.packages.iter().zip(0..).filter_map(|(package, at)| {
        let needs = package.dependencies.iter().map(|n| full_name(&file, *n));
        let needs = needs.collect::<Vec<_>>().join(" ");
        let mark = if package.dev { "?" } else { "" };
        let name = full_name(&file, at);
        (!needs.is_empty()).then(|| format!("{name}{mark} > {needs}"))
    });
    std::iter::once(file.format.clone())
        .chain(roots)
        .chain(packages)
        .collect()
}

const PACKAGE_JSON: &str = "//- package.json\n{\"name\": \"app\", \"dependencies\": {\"express\": \"^4.17.0\"}, \"devDependencies\": {\"mocha\": \"^8.0.0\"}}\n";

#[test]
fn package_lock_1() {
    let lock = r#"//- package-lock.json
{"name": "app", "version": "1.0.0", "lockfileVersion": 1, "requires": true, "dependencies": {
  "express": {"version": "4.17.1", "resolved": "https://registry.example.org/express/-/express-4.17.1.tgz",
    "requires": {"qs": "6.7.0", "send": "0.17.1"},
    "dependencies": {"qs": {"version": "6.7.0"}}},
  "mocha": {"version": "8.0.1", "dev": true, "requires": {"qs": "^6.9.0"}},
  "qs": {"version": "6.9.4", "dev": true},
  "send": {"version": "0.17.1"}}}
"#;
    let expected = [
        "package-lock 1",
        "app: express@4.17.1 mocha@8.0.1?",
        "express@4.17.1 > qs@6.7.0 send@0.17.1",
        "mocha@8.0.1? > qs@6.9.4",
    ];
    assert_eq!(shown(&format!("{lock}{PACKAGE_JSON}")), expected);
    // Without a manifest, packages that nothing needs are the project's own dependencies.
    assert_eq!(shown(lock), expected);
}

#[test]
fn package_lock_2_and_3() {
    let lock = |version: u32| {
        format!(
            r#"//- web/package-lock.json
{{"name": "app", "lockfileVersion": {version}, "requires": true, "packages": {{
  "": {{"name": "app", "workspaces": ["packages/*"], "dependencies": {{"express": "^4.17.0", "ui": "*"}},
    "devDependencies": {{"mocha": "^8.0.0"}}}},
  "node_modules/@scope/a": {{"version": "2.0.0"}},
  "node_modules/express": {{"version": "4.17.1", "dependencies": {{"qs": "6.7.0"}}}},
  "node_modules/express/node_modules/qs": {{"version": "6.7.0", "dependencies": {{"express": "*"}}}},
  "node_modules/mocha": {{"version": "8.0.1", "dev": true, "dependencies": {{"qs": "^6.9.0"}}}},
  "node_modules/qs": {{"version": "6.9.4", "dev": true}},
  "node_modules/ui": {{"resolved": "packages/ui", "link": true}},
  "packages/ui": {{"name": "ui", "dependencies": {{"@scope/a": "^2"}}}}}}}}
"#
        )
    };
    for version in [2, 3] {
        assert_eq!(
            shown(&lock(version)),
            [
                &format!("package-lock {version}"),
                "app: express@4.17.1 mocha@8.0.1?",
                "ui: @scope/a@2.0.0",
                "express@4.17.1 > qs@6.7.0",
                "mocha@8.0.1? > qs@6.9.4",
                "qs@6.7.0 > express@4.17.1",
            ]
        );
    }
}

#[test]
fn pnpm_5_6_and_9() {
    let five = r#"//- pnpm-lock.yaml
lockfileVersion: 5.4
specifiers:
  express: ^4.17.0
dependencies:
  express: 4.17.1_qs@6.7.0
devDependencies:
  '@scope/mocha': 8.0.1
packages:
  /express/4.17.1_qs@6.7.0:
    resolution: {integrity: sha512-x}
    dependencies:
      qs: 6.7.0
    dev: false
  /qs/6.7.0:
    resolution: {integrity: sha512-y}
    dev: false
  /@scope/mocha/8.0.1:
    resolution: {integrity: sha512-z}
    dev: true
"#;
    let six = r#"//- pnpm-lock.yaml
lockfileVersion: '6.0'
dependencies:
  express:
    specifier: ^4.17.0
    version: 4.17.1(qs@6.7.0)
devDependencies:
  '@scope/mocha':
    specifier: ^8
    version: 8.0.1
packages:
  /express@4.17.1(qs@6.7.0):
    resolution: {integrity: sha512-x}
    dependencies:
      qs: 6.7.0
  /qs@6.7.0:
    resolution: {integrity: sha512-y}
  /@scope/mocha@8.0.1:
    resolution: {integrity: sha512-z}
    dev: true
"#;
    for (version, text) in [("5.4", five), ("6.0", six)] {
        assert_eq!(
            shown(&format!("{text}{PACKAGE_JSON}")),
            [
                &format!("pnpm-lock {version}"),
                "app: @scope/mocha@8.0.1? express@4.17.1",
                "express@4.17.1 > qs@6.7.0",
            ]
        );
    }
    let nine = r#"//- pnpm-lock.yaml
lockfileVersion: '9.0'
settings:
  autoInstallPeers: true
importers:
  .:
    devDependencies:
      mocha:
        specifier: ^8.0.0
        version: 8.0.1
  packages/ui:
    dependencies:
      express:
        specifier: ^4.17.0
        version: 4.17.1(qs@6.7.0)
      local:
        specifier: workspace:*
        version: link:../local
      other-qs:
        specifier: npm:qs@6
        version: qs@6.7.0
packages:
  express@4.17.1:
    resolution: {integrity: sha512-x}
    peerDependencies:
      qs: '*'
  mocha@8.0.1:
    resolution: {integrity: sha512-z}
  qs@6.7.0:
    resolution: {integrity: sha512-y}
snapshots:
  express@4.17.1(qs@6.7.0):
    dependencies:
      qs: 6.7.0
  mocha@8.0.1: {}
  qs@6.7.0: {}
"#;
    assert_eq!(
        shown(&format!("{nine}{PACKAGE_JSON}")),
        [
            "pnpm-lock 9.0",
            "app: mocha@8.0.1?",
            "ui: express@4.17.1 qs@6.7.0",
            "express@4.17.1 > qs@6.7.0",
        ]
    );
}

#[test]
fn yarn_classic_and_berry() {
    let classic = r#"//- yarn.lock
# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


express@^4.17.0:
  version "4.17.1"
  resolved "https://registry.yarnpkg.com/express/-/express-4.17.1.tgz#4491"
  integrity sha512-x
  dependencies:
    qs "6.7.0"
    "@scope/a" "^1.0.0"

mocha@^8.0.0:
  version "8.0.1"

qs@6.7.0, qs@~6.7.0:
  version "6.7.0"

"@scope/a@^1.0.0", "@scope/a@^1.1.0":
  version "1.2.0"
"#;
    let berry = r#"//- yarn.lock
# This file is generated by running "yarn install" inside your project.

__metadata:
  version: 8
  cacheKey: 10c0

"@scope/a@npm:^1.0.0, @scope/a@npm:^1.1.0":
  version: 1.2.0
  resolution: "@scope/a@npm:1.2.0"
  checksum: 10c0/abc
  languageName: node
  linkType: hard

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    express: "npm:^4.17.0"
    mocha: "npm:^8.0.0"
  languageName: unknown
  linkType: soft

"express@npm:^4.17.0":
  version: 4.17.1
  resolution: "express@npm:4.17.1"
  dependencies:
    "@scope/a": "npm:^1.0.0"
    qs: "npm:6.7.0"
  languageName: node
  linkType: hard

"mocha@npm:^8.0.0":
  version: 8.0.1
  resolution: "mocha@npm:8.0.1"
  languageName: node
  linkType: hard

"qs@npm:6.7.0":
  version: 6.7.0
  resolution: "qs@npm:6.7.0"
  languageName: node
  linkType: hard
"#;
    for (format, text) in [("yarn 1", classic), ("yarn berry", berry)] {
        assert_eq!(
            shown(&format!("{text}{PACKAGE_JSON}")),
            [
                format,
                "app: express@4.17.1 mocha@8.0.1?",
                "express@4.17.1 > @scope/a@1.2.0 qs@6.7.0",
            ]
        );
    }
}

#[test]
fn cargo() {
    let text = r#"//- Cargo.lock
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = ["app-core", "insta", "rand 0.8.5"]

[[package]]
name = "app-core"
version = "0.1.0"
dependencies = ["rand 0.7.3"]

[[package]]
name = "insta"
version = "1.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = ["libc"]

[[package]]
name = "libc"
version = "0.2.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = ["libc"]
//- Cargo.toml
[package]
name = "app"
[dependencies]
rand = "0.8"
app-core = { path = "core" }
[dev-dependencies]
snap = { package = "insta", version = "1" }
rand = "0.8"
"#;
    assert_eq!(
        shown(text),
        [
            "Cargo.lock 4",
            "app: insta@1.0.0? rand@0.8.5",
            "app-core: rand@0.7.3",
            "insta@1.0.0? > libc@0.2.0",
            "rand@0.8.5 > libc@0.2.0",
        ]
    );
}

#[test]
fn poetry() {
    let text = r#"//- poetry.lock
[[package]]
name = "Flask"
version = "2.0.1"
description = "A micro framework"
category = "main"
optional = false
python-versions = ">=3.6"

[package.dependencies]
Jinja2 = ">=3.0"

[[package]]
name = "jinja2"
version = "3.0.1"
category = "main"

[[package]]
name = "pytest"
version = "7.0.0"
category = "dev"

[metadata]
lock-version = "1.1"
//- pyproject.toml
[tool.poetry]
name = "shop"
[tool.poetry.dependencies]
python = "^3.9"
flask = "^2.0"
[tool.poetry.group.dev.dependencies]
pytest = "*"
"#;
    assert_eq!(
        shown(text),
        [
            "poetry.lock 1.1",
            "shop: flask@2.0.1 pytest@7.0.0?",
            "flask@2.0.1 > jinja2@3.0.1"
        ]
    );
}

#[test]
fn uv() {
    let text = r#"//- uv.lock
version = 1
requires-python = ">=3.10"

[[package]]
name = "shop"
version = "0.1.0"
source = { editable = "." }
dependencies = [{ name = "flask" }]

[package.optional-dependencies]
db = [{ name = "sqlalchemy", marker = "python_version < '4'" }]

[package.dev-dependencies]
dev = [{ name = "pytest" }]

[[package]]
name = "flask"
version = "2.0.1"
source = { registry = "https://index.example.org/simple" }
dependencies = [{ name = "jinja2" }]

[[package]]
name = "jinja2"
version = "3.0.1"
source = { registry = "https://index.example.org/simple" }

[[package]]
name = "pytest"
version = "7.0.0"
source = { registry = "https://index.example.org/simple" }

[[package]]
name = "sqlalchemy"
version = "2.0.0"
source = { registry = "https://index.example.org/simple" }
"#;
    assert_eq!(
        shown(text),
        [
            "uv.lock 1",
            "shop: flask@2.0.1 pytest@7.0.0? sqlalchemy@2.0.0",
            "flask@2.0.1 > jinja2@3.0.1"
        ]
    );
}

#[test]
fn requirements() {
    let text = r#"//- requirements.txt
# This file is autogenerated by pip-compile
-r base.txt
--index-url https://index.example.org/simple
flask[async]==2.0.1 ; python_version >= "3.6" \
    --hash=sha256:aaaa \
    --hash=sha256:bbbb
    # via -r requirements.in
jinja2==3.0.1
    # via
    #   flask
    #   -r requirements.in
MarkupSafe == 2.0
    # via jinja2
requests>=2.0,<3
./local
git+https://example.org/x.git
tool @ https://example.org/tool.whl
"#;
    assert_eq!(
        shown(text),
        [
            "requirements.txt",
            "project: flask@2.0.1 jinja2@3.0.1 requests tool",
            "flask@2.0.1 > jinja2@3.0.1",
            "jinja2@3.0.1 > markupsafe@2.0"
        ]
    );
    let dev = file("//- api/requirements-dev.txt\npytest==7.0\n").unwrap();
    assert!(dev.roots[0].name == "api" && dev.packages[0].dev);
}

#[test]
fn go_modules() {
    let text = r#"//- go.mod
module example.org/shop // the shop

go 1.21

require (
	github.com/gin-gonic/gin v1.7.0
	golang.org/x/text v0.3.5 // indirect
)

require example.org/own v1.0.0

replace example.org/own => ./own
replace golang.org/x/text v0.3.5 => golang.org/x/text v0.3.8
"#;
    assert_eq!(
        shown(text),
        [
            "go.mod",
            "example.org/shop: example.org/own github.com/gin-gonic/gin@v1.7.0 golang.org/x/text@v0.3.8~"
        ]
    );
    let old = "//- go.mod\nmodule m\ngo 1.13\nrequire a.b/c v1.0.0\n//- go.sum\na.b/c v1.0.0 h1:x=\nd.e/f v1.2.0 h1:x=\nd.e/f v1.10.0 h1:x=\nd.e/f v1.11.0/go.mod h1:x=\n";
    assert_eq!(shown(old), ["go.mod", "m: a.b/c@v1.0.0 d.e/f@v1.10.0~"]);
}

#[test]
fn composer() {
    let text = r#"//- composer.lock
{"_readme": ["x"], "packages": [
  {"name": "symfony/http-kernel", "version": "v5.4.0", "require": {"php": ">=7.2", "psr/log": "^1"}},
  {"name": "psr/log", "version": "1.1.4"}],
 "packages-dev": [{"name": "phpunit/phpunit", "version": "9.5.0", "require": {"psr/log": "*"}}]}
//- composer.json
{"name": "acme/shop", "require": {"php": "^8", "symfony/http-kernel": "^5"}, "require-dev": {"phpunit/phpunit": "^9"}}
"#;
    assert_eq!(
        shown(text),
        [
            "composer.lock",
            "acme/shop: phpunit/phpunit@9.5.0? symfony/http-kernel@5.4.0",
            "phpunit/phpunit@9.5.0? > psr/log@1.1.4",
            "symfony/http-kernel@5.4.0 > psr/log@1.1.4"
        ]
    );
}

#[test]
fn bundler() {
    let text = r#"//- Gemfile.lock
GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.13.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.6.0)
    rspec (3.10.0)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  nokogiri (~> 1.13)
  rspec

BUNDLED WITH
   2.3.0
//- Gemfile
source 'https://rubygems.org'
gem 'nokogiri', '~> 1.13'
group :development, :test do
  gem 'rspec'
end
"#;
    assert_eq!(
        shown(text),
        [
            "Gemfile.lock",
            "project: nokogiri@1.13.0 rspec@3.10.0?",
            "nokogiri@1.13.0 > racc@1.6.0"
        ]
    );
}

#[test]
fn maven() {
    let text = r#"//- core/pom.xml
<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.acme</groupId><artifactId>parent</artifactId><version>1.0</version></parent>
  <artifactId>core</artifactId>
  <dependencies>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>${log4j.version}</version></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>api</artifactId><version>${project.version}</version></dependency>
  </dependencies>
</project>
//- pom.xml
<project>
  <groupId>org.acme</groupId><artifactId>parent</artifactId><version>1.0</version>
  <properties><log4j.version>2.14.1</log4j.version></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version><scope>test</scope></dependency>
  </dependencies></dependencyManagement>
</project>
"#;
    assert_eq!(
        shown(text),
        [
            "pom.xml",
            "core: junit:junit@4.12? org.apache.logging.log4j:log4j-core@2.14.1"
        ]
    );
}

#[test]
fn gradle() {
    let text = "//- app/gradle.lockfile\n# This is a Gradle generated file\ncom.google.code.gson:gson:2.8.5=compileClasspath,runtimeClasspath\njunit:junit:4.12=testCompileClasspath,testRuntimeClasspath\nempty=annotationProcessor\n";
    assert_eq!(
        shown(text),
        [
            "gradle.lockfile",
            "app: com.google.code.gson:gson@2.8.5~ junit:junit@4.12?~"
        ]
    );
}

#[test]
fn damaged_files_say_where_and_why() {
    for (fixture, line, reason) in [
        ("//- package-lock.json\n{\n  \"a\": }\n", Some(2), "no JSON"),
        ("//- package-lock.json\n[]\n", None, "no object"),
        (
            "//- pnpm-lock.yaml\nlockfileVersion: '9.0'\na: [1\nb: }\n",
            None,
            "no YAML",
        ),
        ("//- pnpm-lock.yaml\na: 1\n", None, "no lockfileVersion"),
        (
            "//- yarn.lock\n# yarn lockfile v1\nfoo@1\n",
            Some(2),
            "colon",
        ),
        (
            "//- yarn.lock\nfoo@1:\n  resolved \"x\"\n",
            Some(1),
            "no version",
        ),
        (
            "//- Cargo.lock\nversion = 4\n[[package]\n",
            Some(2),
            "no TOML",
        ),
        ("//- uv.lock\nx = = 1\n", Some(1), "no TOML"),
        (
            "//- requirements.txt\nflask==1\n<<<<<<< HEAD\n",
            Some(2),
            "no requirement: <<<<<<< HEAD",
        ),
        (
            "//- go.mod\nmodule a\nrequire (\n  x.y/z v1\n",
            Some(2),
            "has no `)`",
        ),
        (
            "//- go.mod\nmodule a\nrequire x.y/z\n",
            Some(2),
            "a module and a version",
        ),
        ("//- composer.lock\n{}\n", None, "no list of packages"),
        (
            "//- Gemfile.lock\nGEM\n  specs:\n    rails\n",
            Some(3),
            "without a version",
        ),
        (
            "//- pom.xml\n<project>\n<a>\n</project>\n",
            Some(3),
            "no XML",
        ),
        (
            "//- gradle.lockfile\na:b=c\n",
            Some(1),
            "not group:artifact:version",
        ),
    ] {
        let problem = file(fixture).unwrap_err();
        assert!(problem.reason.contains(reason), "{fixture}: {problem}");
        if line.is_some() {
            assert_eq!(problem.line, line, "{fixture}: {problem}");
        }
    }
}

#[test]
fn hostile_files_end_soon() {
    for name in [
        "package-lock.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "Cargo.lock",
        "requirements.txt",
        "go.mod",
        "composer.lock",
        "Gemfile.lock",
        "pom.xml",
        "gradle.lockfile",
    ] {
        for text in [
            "[",
            "{\"dependencies\":{\"a\":",
            "<a>",
            "a: ",
            "\u{0}\u{fffd}",
            "- ",
            "#via\n",
        ] {
            let _ = read(name, &text.repeat(20_000), &Manifests::default());
        }
    }
    let aliases = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><project>&a;</project>";
    assert!(read("pom.xml", aliases, &Manifests::default()).is_err());
}

/// `n` items, joined.
fn many(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

#[test]
fn many_entries_are_looked_up_and_not_gone_through() {
    const N: usize = 20_000;
    let read = |path: &str, text: String| read(path, &text, &Manifests::default()).unwrap();
    let pom = format!(
        "<project><artifactId>r</artifactId><properties>{}</properties><dependencyManagement><dependencies>{}</dependencies></dependencyManagement><dependencies>{}</dependencies></project>",
        many(N, |i| format!("<p{i}>v</p{i}>")),
        many(N, |i| format!(
            "<dependency><groupId>${{p{}}}</groupId><artifactId>m{i}</artifactId></dependency>",
            N - 1
        )),
        many(N, |i| format!(
            "<dependency><groupId>${{p{i}}}</groupId><artifactId>m{i}</artifactId></dependency>"
        )),
    );
    assert_eq!(read("pom.xml", pom).packages.len(), N);
    let deep = format!(
        r#"{{"lockfileVersion":3,"packages":{{"node_modules/a{}":{{"version":"1","dependencies":{{{}"z":"1"}}}}}}}}"#,
        "/x".repeat(N),
        many(N, |i| format!("\"n{i}\":\"1\",")),
    );
    assert_eq!(read("package-lock.json", deep).packages.len(), 1);
    let poetry = many(N, |i| {
        format!("[[package]]\nname = \"p{i}\"\nversion = \"1\"\n")
    });
    assert_eq!(read("poetry.lock", poetry).packages.len(), N);
    let uv = many(N, |i| {
        format!(
            "[[package]]\nname = \"p\"\nversion = \"{i}\"\ndependencies = [{{ name = \"p\", version = \"{}\" }}]\n",
            N - 1 - i
        )
    });
    let uv = read("uv.lock", uv);
    assert!(uv.packages.iter().all(|p| p.dependencies.len() == 1));
    let go = many(N, |i| format!("require m{i} v1\nreplace m{i} => r{i} v2\n"));
    assert_eq!(
        read("go.mod", format!("module m\n{go}")).packages[7].version,
        "v2"
    );
}

#[test]
fn long_ways_are_counted_and_few_are_written_out() {
    const N: usize = 20_000;
    let packages = many(N, |i| {
        format!(
            "\"node_modules/p{i}\":{{\"version\":\"1\",\"dependencies\":{{\"p{}\":\"1\"}}}},",
            i + 1
        )
    });
    let needs = many(N, |i| format!("\"p{i}\":\"1\","));
    let text = format!(
        r#"{{"lockfileVersion":3,"packages":{{{packages}"":{{"name":"r","dependencies":{{{needs}"z":"1"}}}}}}}}"#
    );
    let file = read("package-lock.json", &text, &Manifests::default()).unwrap();
    let target = file
        .packages
        .iter()
        .position(|p| p.name == format!("p{}", N - 1));
    let (ways, total) = find_routes(&file, target.unwrap() as u32, 3);
    assert_eq!(total, N);
    let lengths: Vec<usize> = ways.iter().map(|way| way.path.len()).collect();
    assert_eq!(lengths, [2, 3, 4]);
}

#[test]
fn a_property_without_end_is_none() {
    let pom = |value: &str| {
        let text = format!(
            "<project><artifactId>r</artifactId><properties><v>{value}</v></properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${{v}}</version></dependency></dependencies></project>"
        );
        let file = read("pom.xml", &text, &Manifests::default()).unwrap();
        file.packages[0].version.clone()
    };
    assert_eq!(pom("1.2"), "1.2");
    assert_eq!(pom(&"1".repeat(2_000)), "");
}

#[test]
fn tokens_in_addresses_are_hidden() {
    let token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    let text = format!(
        r#"{{"lockfileVersion":1,"dependencies":{{"foo":{{"version":"git+https://bob:{token}@example.org/a/foo.git#1"}}}}}}"#
    );
    let file = read("package-lock.json", &text, &Manifests::default()).unwrap();
    let version = &file.packages[0].version;
    assert!(
        !version.contains("ghp_") && version.contains("example.org"),
        "{version}"
    );
    // Long versions without a number are compared as text.
    for version in [
        "git+ssh://git@example.org/a/foo.git#7d5f4b1c2a3e4f5061728394a5b6c7d8e9f00112",
        "0.0.0-20240927000941-0f3dac36c52b",
        "2.1.0+cu118.gitabcdef0123456789",
    ] {
        let text = format!(
            r#"{{"lockfileVersion":1,"dependencies":{{"foo":{{"version":"{version}"}}}}}}"#
        );
        let file = read("package-lock.json", &text, &Manifests::default()).unwrap();
        assert_eq!(file.packages[0].version, version);
    }
}

#[test]
fn namespaces_without_end_are_refused() {
    let text = format!(
        "<project>{}{}</project>",
        many(20_000, |i| format!("<a xmlns:n{i}=\"u{i}\">")),
        "</a>".repeat(20_000)
    );
    let problem = read("pom.xml", &text, &Manifests::default()).unwrap_err();
    assert!(problem.reason.contains("namespaces"), "{}", problem.reason);
}

#[test]
fn a_file_of_more_packages_than_any_has_is_said_and_not_read() {
    let lines = many(200_002, |i| format!("p{i}==1\n"));
    let problem = read("requirements.txt", &lines, &Manifests::default()).unwrap_err();
    assert_eq!(problem.reason, "more than 200000 packages");
}

#[test]
fn manifests_are_not_read_again_without_end() {
    let large = format!("{{\"name\":\"{}\"}}", "n".repeat(1 << 20));
    let manifests: Manifests = (0..20)
        .map(|i| (format!("m{i}/package.json"), large.clone()))
        .collect();
    let outcomes: Vec<bool> = (0..20)
        .map(|_| read("yarn.lock", "a@1:\n  version \"1\"\n", &manifests).is_ok())
        .collect();
    // Twelve times twenty megabytes fit.
    assert!(outcomes[..12].iter().all(|read| *read));
    assert!(outcomes[13..].iter().all(|read| !read));
    assert!(read("requirements.txt", "a==1\n", &manifests).is_ok());
}

#[test]
fn ways_are_the_shortest_and_circles_are_no_obstacle() {
    let lock = r#"//- package-lock.json
{"name": "app", "lockfileVersion": 3, "packages": {
  "": {"name": "app", "dependencies": {"a": "1", "d": "1"}, "devDependencies": {"target": "1"}},
  "node_modules/a": {"version": "1.0.0", "dependencies": {"b": "1"}},
  "node_modules/b": {"version": "1.0.0", "dependencies": {"a": "1", "c": "1"}},
  "node_modules/c": {"version": "1.0.0", "dependencies": {"target": "1", "b": "1"}},
  "node_modules/d": {"version": "1.0.0", "dependencies": {"target": "1"}},
  "node_modules/lone": {"version": "1.0.0"},
  "node_modules/target": {"version": "1.0.0", "dependencies": {"a": "1"}}}}
"#;
    let file = file(lock).unwrap();
    let number = |name: &str| file.packages.iter().position(|p| p.name == name).unwrap() as u32;
    let (found, total) = find_routes(&file, number("target"), 2);
    let ways: Vec<String> = found.iter().map(|r| r.path.join(" ")).collect();
    assert_eq!(
        ways,
        [
            "app d@1.0.0 target@1.0.0",
            "app a@1.0.0 b@1.0.0 c@1.0.0 target@1.0.0"
        ]
    );
    assert_eq!(total, 3);
    let (all, _) = find_routes(&file, number("target"), 9);
    assert!(all[2].dev && all[2].path.len() == 2);
    assert!(!file.packages[number("target") as usize].dev);
    assert_eq!(find_routes(&file, number("lone"), 9), (Vec::new(), 0));
}

#[test]
fn lock_files_that_are_not_read_are_told() {
    for (path, manager) in [
        ("bun.lock", Some("Bun")),
        ("web/bun.lockb", Some("Bun")),
        ("Pipfile.lock", Some("Pipenv")),
        ("pylock.dev.toml", Some("the pylock format")),
        ("ios/Podfile.lock", Some("CocoaPods")),
        ("packages.lock.json", Some("NuGet")),
        ("package-lock.json", None),
        ("lock", None),
    ] {
        assert_eq!(manager_of_unread(path), manager, "{path}");
        assert!(manager.is_none() || !is_lock_file(path), "{path}");
    }
}

#[test]
fn lists_of_requirements_tell_what_they_include() {
    let text = "-r base.txt\n--requirement=../common.txt  # all\n-rdev/x.in\n--require-hashes\n-r https://h/a.txt\nflask==1\n";
    let found = included_files("app/requirements.txt", text);
    let expected = [
        "app/base.txt",
        "common.txt",
        "app/dev/x.in",
        "https://h/a.txt",
    ];
    assert_eq!(found, expected);
    let file = read_requirements("app/base.txt", "flask==1.0\n").unwrap();
    assert_eq!(file.packages[0].name, "flask");
}
