pub fn shared() {
    crate::start(); // calls app/src/tool_main.rs:start
}
