//! Gives the main thread on Windows the stack that it has on Unix: 8 MB in place of one or two.
// Cargo reads what a build script prints.
#![allow(clippy::print_stdout)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of_target =
        |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if of_target("OS") == "windows" {
        let argument = match of_target("ENV").as_str() {
            "msvc" => "/STACK:8388608",
            _ => "-Wl,--stack,8388608",
        };
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
