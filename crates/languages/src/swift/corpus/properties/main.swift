class Engine { func start() {} }
class Car {
    let engine = Engine()  // calls :Engine
    lazy var spare: Engine = { makeEngine() }()  // calls :Car.makeEngine
    var computed: Engine { makeEngine() }  // calls :Car.makeEngine
    var watched: Int = 0 {
        willSet { check(newValue) }  // calls :Car.check
        didSet { check(oldValue) }  // calls :Car.check
    }
    var both: Engine {
        get { makeEngine() }  // calls :Car.makeEngine
        set { newValue.start() }  // calls :Engine.start
    }
    static let shared = Car()  // calls :Car
    func makeEngine() -> Engine { Engine() }  // calls :Engine
    func check(_ value: Int) {}
}

func run() {
    let car = Car()  // calls :Car
    car.engine.start()  // calls :Engine.start
    car.spare.start()  // calls :Engine.start
    car.computed.start()  // calls :Engine.start
    car.both.start()  // calls :Engine.start
    Car.shared.engine.start()  // calls :Engine.start
}
