class Engine {
    func start() { helper(); Wheel().turn() }  // calls :helper, b.swift:Wheel, b.swift:Wheel.turn
}
private func helper() {}
