//! Packs the grammars: the tables of each are compressed, and its lexer and scanner are compiled.
//!
//! The tables are read from the text of `parser.c`, so nothing is compiled or started for this machine, and the build works
//! for other targets as it does for this one. Grammars are packed by several threads. What they make is joined in the order
//! of the list, so two builds give the same bytes.

use grammar_tables::{GRAMMARS, GrammarSource, Numbers, ParserTables, Table, read_parser};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Higher levels take ten times as long and save a tenth of the bytes.
const COMPRESSION: i32 = 12;

/// Tables begin at multiples of this, so that numbers in them are aligned.
const ALIGNMENT: usize = 8;

/// Tables by the names of `TSLanguage`, in the order of `Layout`.
const MEMBERS: [&str; 21] = [
    "parse_table",
    "small_parse_table",
    "small_parse_table_map",
    "parse_actions",
    "symbol_names",
    "field_names",
    "field_map_slices",
    "field_map_entries",
    "symbol_metadata",
    "public_symbol_map",
    "alias_map",
    "alias_sequences",
    "lex_modes",
    "external_states",
    "external_symbol_map",
    "primary_state_ids",
    "name",
    "reserved_words",
    "supertype_symbols",
    "supertype_map_slices",
    "supertype_map_entries",
];

/// A packed grammar.
struct Packed {
    /// The Rust code that declares it.
    code: String,
    objects: Vec<PathBuf>,
}

fn main() -> Result<(), Error> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ENDIAN")? != "little" {
        return Err("the tables are packed for little-endian machines".into());
    }
    let folders = find_packages(&out)?;
    let packed = pack_all(&out, &folders)?;
    let mut code = String::new();
    let mut archive = cc::Build::new();
    for grammar in &packed {
        code.push_str(&grammar.code);
        archive.objects(&grammar.objects);
    }
    fs::write(out.join("generated.rs"), code)?;
    archive.try_compile("packed_grammars")?;
    Ok(())
}

/// The folders of the packages that `grammar-tables` depends on.
///
/// Cargo does not tell a build script where the sources of other packages are. `cargo metadata` does, but asked about this
/// workspace it wants all packages, also those of tests, which may not be there. So it is asked about a package that
/// depends on `grammar-tables` alone, with the versions of this workspace.
fn find_packages(out: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let tables = own.join("../grammar-tables");
    let asking = out.join("packages");
    fs::create_dir_all(asking.join("src"))?;
    fs::write(asking.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"packages\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\ngrammar-tables = {{ path = '{}' }}\n",
        tables.display()
    );
    fs::write(asking.join("Cargo.toml"), manifest)?;
    let lock = asking.join("Cargo.lock");
    let mut locks = own.ancestors().map(|folder| folder.join("Cargo.lock"));
    if let Some(versions) = locks.find(|lock| lock.is_file()) {
        println!("cargo::rerun-if-changed={}", versions.display());
        fs::copy(versions, &lock)?;
        if let Ok(found) = ask_cargo(&own, &asking) {
            return Ok(found);
        }
        // Another workspace, with versions of its own, may be building this crate.
        fs::remove_file(&lock)?;
    }
    ask_cargo(&own, &asking)
}

/// Asks cargo for the folders of the packages that `grammar-tables` depends on, by the manifest in `asking`.
/// It runs in this crate's folder, so that the settings of the workspace count, such as folders of vendored sources.
fn ask_cargo(own: &Path, asking: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let asked = Command::new(env::var_os("CARGO").ok_or("cargo does not say where it is")?)
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(["--filter-platform", &env::var("HOST")?])
        .arg("--manifest-path")
        .arg(asking.join("Cargo.toml"))
        .current_dir(own)
        .output()?;
    if !asked.status.success() {
        return Err(String::from_utf8_lossy(&asked.stderr).into());
    }
    let answer: Value = serde_json::from_slice(&asked.stdout)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&answer["packages"]);
    let is_asking = |package: &&Value| package["name"] == "grammar-tables";
    let asking = packages.iter().find(is_asking);
    let asking = &asking.ok_or("cargo does not know `grammar-tables`")?["id"];
    let nodes = list(&answer["resolve"]["nodes"]);
    let node = nodes.iter().find(|node| node["id"] == *asking);
    let direct: Vec<Value> = list(&node.ok_or("cargo does not say its dependencies")?["deps"]);
    let direct: Vec<&Value> = direct.iter().map(|dependency| &dependency["pkg"]).collect();
    let direct = packages
        .iter()
        .filter(|package| direct.contains(&&package["id"]));
    let folders = direct.map(|package| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
        (text(&package["name"]), folder)
    });
    Ok(folders.collect())
}

/// Packs all grammars, with as many threads as cargo has jobs.
fn pack_all(out: &Path, folders: &BTreeMap<String, PathBuf>) -> Result<Vec<Packed>, Error> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    let next = AtomicUsize::new(0);
    let pack_some = || {
        let mut some = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(grammar) = GRAMMARS.get(at) else {
                return some;
            };
            let packed = pack(out, folders, grammar);
            some.push((
                at,
                packed.map_err(|error| format!("{}: {error}", grammar.name)),
            ));
        }
    };
    let mut packed = BTreeMap::new();
    std::thread::scope(|scope| -> Result<(), Error> {
        let threads: Vec<_> = (0..jobs.unwrap_or(1_usize).clamp(1, 8))
            .map(|_| scope.spawn(pack_some))
            .collect();
        for thread in threads {
            let some = thread.join().map_err(|_| "a thread ended early")?;
            packed.extend(some);
        }
        Ok(())
    })?;
    packed.into_values().map(|one| Ok(one?)).collect()
}

/// Packs one grammar.
fn pack(
    out: &Path,
    folders: &BTreeMap<String, PathBuf>,
    grammar: &GrammarSource,
) -> Result<Packed, Error> {
    let folder = folders.get(grammar.package);
    let folder = folder.ok_or("`grammar-tables` does not depend on its package")?;
    let folder = folder.join(grammar.folder);
    let text = folder.join("parser.c");
    println!("cargo::rerun-if-changed={}", text.display());
    let mut parser = read_parser(&fs::read(text)?, grammar.name)?;
    if !parser.name.is_empty() {
        let bytes = format!("{}\0", parser.name).into_bytes();
        parser.tables.push(Table {
            member: "name",
            bytes,
        });
    }
    let own = out.join(grammar.name);
    fs::create_dir_all(&own)?;
    let (bytes, layout) = join_tables(&parser.tables);
    fs::write(
        own.join("tables.zst"),
        zstd::bulk::compress(&bytes, COMPRESSION)?,
    )?;
    Ok(Packed {
        code: declaration(grammar, &parser, bytes.len(), &layout)?,
        objects: compile(&folder, &own, &parser)?,
    })
}

/// All tables in one piece, and where each is.
fn join_tables(tables: &[Table]) -> (Vec<u8>, BTreeMap<&'static str, Range<usize>>) {
    let mut bytes = Vec::new();
    let mut layout = BTreeMap::new();
    for table in tables {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        let start = bytes.len();
        bytes.extend_from_slice(&table.bytes);
        layout.insert(table.member, start..bytes.len());
    }
    (bytes, layout)
}

/// Compiles the lexer and the scanner.
fn compile(folder: &Path, own: &Path, parser: &ParserTables) -> Result<Vec<PathBuf>, Error> {
    let lexer = own.join("lexer.c");
    fs::write(&lexer, &parser.lexer)?;
    let mut build = cc::Build::new();
    build
        .std("c11")
        .include(folder)
        .file(lexer)
        .out_dir(own)
        .flag("-w")
        .cargo_metadata(false)
        .cargo_warnings(false);
    if env::var("CARGO_CFG_TARGET_ENV")? == "msvc" {
        build.flag("-utf-8");
    }
    // Without optimisation, scanners would make builds for tests slow.
    if matches!(env::var("OPT_LEVEL")?.as_str(), "0" | "1") {
        build.opt_level(2);
    }
    if parser.scanner.is_some() {
        let scanner = find_scanner(folder).ok_or("it has no `scanner.c`")?;
        println!("cargo::rerun-if-changed={}", scanner.display());
        build.file(scanner);
    }
    Ok(build.try_compile_intermediates()?)
}

/// The scanner's source: beside `parser.c`, or in the folder above.
fn find_scanner(folder: &Path) -> Option<PathBuf> {
    let folders = folder.ancestors().take(2);
    let mut files = folders.map(|folder| folder.join("scanner.c"));
    files.find(|file| file.is_file())
}

/// The Rust code that declares a grammar.
fn declaration(
    grammar: &GrammarSource,
    parser: &ParserTables,
    size: usize,
    layout: &BTreeMap<&'static str, Range<usize>>,
) -> Result<String, Error> {
    let name = grammar.name;
    let mut code = format!(
        "declare! {{\n    {}, {name:?}, {size}, [{}],\n",
        name.to_uppercase(),
        counts(&parser.numbers)
    );
    writeln!(code, "    Layout {{")?;
    for member in MEMBERS {
        writeln!(code, "        {member}: {:?},", layout.get(member))?;
    }
    writeln!(code, "    }},\n    packed_{name}_lex,")?;
    if parser.has_keywords {
        writeln!(code, "    keywords packed_{name}_lex_keywords,")?;
    }
    if let Some(scanner) = &parser.scanner {
        let of = |function: &str| format!("{scanner}{function}");
        let functions = ["create", "destroy", "scan", "serialize", "deserialize"].map(of);
        writeln!(code, "    scanner {},", functions.join(" "))?;
    }
    writeln!(code, "}}")?;
    Ok(code)
}

/// The numbers of a grammar as members of a Rust struct.
fn counts(numbers: &Numbers) -> String {
    let text = format!("{numbers:?}");
    let members = text.trim_start_matches("Numbers {").trim_end_matches('}');
    members.trim().to_owned()
}
