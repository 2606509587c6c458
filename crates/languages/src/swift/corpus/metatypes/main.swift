protocol Plugin { init(); static func id() -> String; func load() }
final class Basic: Plugin { init() {}; static func id() -> String { "b" }; func load() {} }
func make<P: Plugin>(_ type: P.Type) -> P { _ = type.id(); return type.init() }  // calls :Plugin.id, :Plugin.init
func run() {
    make(Basic.self).load()  // calls :make, :Basic.load
    let type: Basic.Type = Basic.self
    type.init().load()  // calls :Basic.init, :Basic.load
    _ = type.id()  // calls :Basic.id
    let types: [any Plugin.Type] = [Basic.self]
    for type in types { type.init().load() }  // calls :Plugin.init, :Plugin.load
}
