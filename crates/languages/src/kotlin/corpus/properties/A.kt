package properties
class Engine { fun start() = 1 }
class Car {
    val engine = Engine() // calls :Engine
    val spare: Engine
        get() = build() // calls :Car.build
    var tuned: Engine = Engine() // calls :Engine
        set(value) { check(value); field = value } // calls :Car.check
    private fun build() = Engine() // calls :Engine
    private fun check(e: Engine) = e.start() // calls :Engine.start
}
fun use(car: Car) {
    car.engine.start() // calls :Engine.start
    car.spare.start() // calls :Engine.start
    car.tuned.start() // calls :Engine.start
}
