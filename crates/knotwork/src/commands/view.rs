//! `knotwork view`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::TerminalProgress;
use crate::text::format_size;
use clap::Args;
use engine::{Engine, EngineError, IndexRequest, Settings};
use guard::program::{Environment, find_program};
use serde_json::json;
use server::view::{ExportLimits, ViewOptions, export_page, serve_view};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const COMMAND: Command = Command {
    name: "view",
    aliases: &[],
    about: "Look at the code in the browser",
    examples: &[
        "knotwork view",
        "knotwork view --no-open --port 8080",
        "knotwork view --export code.html",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["layout", "symbol"],
    readme: Row {
        usage: "`view`, `view --export FILE`",
        tool: None,
        answers: "[the code base in your browser](docs/viewer.md): overview, search, callers and callees, impact, hotspots; or one HTML file for others",
    },
    readme_chinese: Some(Row {
        usage: "`view`、`view --export 文件`",
        tool: None,
        answers: "[在浏览器里看代码](docs/viewer.md)：总览、搜索、调用者与被调用者、影响、热点",
    }),
    run: &Run::in_process(open_viewer),
};

/// Look at the code in the browser: overview, search, symbols with callers and callees, impact, hotspots, cycles.
///
/// The page is served at an address of this machine that nobody can guess, until Ctrl-C.
#[derive(Debug, Args)]
struct ViewArgs {
    /// Print the address, and do not open the browser
    #[arg(long)]
    no_open: bool,
    /// The port of 127.0.0.1 [default: any free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Write one HTML file that needs neither server nor network, and serve nothing
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    export: Option<PathBuf>,
    /// How much the file may hold about single symbols
    #[arg(
        long,
        value_name = "MEGABYTES",
        default_value_t = 6,
        requires = "export"
    )]
    export_size: u16,
}

fn open_viewer(given: &GlobalArgs, args: ViewArgs, printer: &Printer) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let settings = Settings {
        long_running: true,
        ..environment::read_settings(given, &Limits::default())?
    };
    let programs = settings.environment.clone();
    let engine = Engine::open(settings, Box::new(TerminalProgress::default()))?;
    // The index is built here because its progress is shown where the user waits.
    engine.index(&IndexRequest::default())?;
    if let Some(file) = &args.export {
        return export(&engine, file, args.export_size, as_json, printer);
    }
    let root = engine.root().to_path_buf();
    let options = ViewOptions {
        engine,
        // The code can be looked at without a home folder.
        memory: environment::open_solution_memory(given).ok().map(Arc::new),
        port: args.port,
    };
    let served = serve_view(options, |addresses| {
        if as_json {
            drop(printer.print_json(&json!({ "address": addresses.page })));
        } else {
            drop(printer.print_text(&addresses.page));
        }
        printer.print_note("Ctrl-C ends it");
        if !args.no_open && !open_browser(&addresses.once, &programs, &root) {
            printer.print_note("no browser could be started: open the address yourself");
        }
    });
    served.map_err(|e| EngineError::runtime_failure(format!("the viewer ended: {e}")).into())
}

fn export(
    engine: &Engine,
    file: &Path,
    megabytes: u16,
    as_json: bool,
    printer: &Printer,
) -> CommandResult {
    let limits = ExportLimits {
        symbol_bytes: usize::from(megabytes) << 20,
        ..ExportLimits::default()
    };
    let page = export_page(engine, &limits)?;
    crate::input::write_text(engine, file, &page.html)?;
    if as_json {
        return printer.print_json(&json!({
            "file": file, "bytes": page.html.len(), "symbols": page.symbols, "left_out": page.left_out,
        }));
    }
    printer.print_text(&format!(
        "{} written, {}; {} symbols with callers and callees\nleft out: {}",
        file.display(),
        format_size(page.html.len() as u64),
        page.symbols,
        page.left_out.join("; ")
    ))
}

/// The programs that open an address in the user's browser, each with the arguments before the address.
const OPENERS: &[(&str, &[&str])] = if cfg!(target_os = "macos") {
    &[("open", &[])]
} else if cfg!(windows) {
    // This way no shell interprets the address.
    &[("rundll32.exe", &["url.dll,FileProtocolHandler"])]
} else {
    &[("xdg-open", &[]), ("wslview", &[])]
};

/// If one of these variables is set, there is a screen.
const SCREENS: [&str; 3] = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];

/// Starts the browser. Returns whether a program could be started.
fn open_browser(address: &str, environment: &Environment, project: &Path) -> bool {
    let has_screen = cfg!(any(target_os = "macos", windows))
        || SCREENS.iter().any(|name| environment.get(name).is_some());
    let found = OPENERS
        .iter()
        .find_map(|(name, before)| Some((find_program(name, environment, project)?, before)));
    let Some((program, before)) = found.filter(|_| has_screen) else {
        return false;
    };
    // The browser may become a child of this program and outlive it, so its working folder must not be the
    // project.
    let home = environment.get("HOME").or(environment.get("USERPROFILE"));
    let folder = home.map_or_else(std::env::temp_dir, PathBuf::from);
    let mut command = program.isolated_command(&folder);
    command
        .envs(environment.tool_home_variables())
        .envs(environment.desktop_variables())
        .args(*before)
        .arg(address)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    command.spawn().is_ok()
}
