struct Wheel {
    func turn() { helper() }  // calls :helper
}
private func helper() {}
extension Engine { func stop() { start() } }  // calls a.swift:Engine.start
func drive(_ engine: Engine) { engine.stop(); engine.start() }  // calls :Engine.stop, a.swift:Engine.start
