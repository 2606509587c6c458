fn open() {}

fn main() {
    open(); // calls :open
    println!("cargo:rerun-if-changed=build.rs");
}
