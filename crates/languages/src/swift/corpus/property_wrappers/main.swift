@propertyWrapper
struct Clamped {
    var wrappedValue: Gauge
    var projectedValue: Meter { Meter() }  // calls :Meter
    init(wrappedValue: Gauge) { self.wrappedValue = wrappedValue }
    func reset() {}
}
struct Gauge { func read() {} }
struct Meter { func calibrate() {} }
struct Panel {
    @Clamped var gauge = Gauge()  // calls :Gauge
    func run() {
        gauge.read()  // calls :Gauge.read
        $gauge.calibrate()  // calls :Meter.calibrate
        _gauge.reset()  // calls :Clamped.reset
    }
}
