#if os(Linux)
func platform() -> String { "linux" }
#else
func platform() -> String { "other" }
#endif
struct Sys {
    #if os(macOS)
    func name() {}
    #else
    func name() {}
    #endif
}
func run() {
    _ = platform()  // calls :platform@2
    Sys().name()  // calls :Sys, :Sys.name@10
    #if DEBUG
    #else
    Sys().name()  // calls :Sys, :Sys.name@10
    #endif
}
