#include <memory>
#include <utility>
struct Engine {
  void start() {}
};
class Car {
 public:
  explicit Car(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
  void go() {
    engine_->start();  // calls :Engine.start@4
    engine().start();  // calls :Engine.start@4, :Car.engine@13
  }
  Engine& engine() { return *engine_; }
 private:
  std::unique_ptr<Engine> engine_;
};
void all() {
  auto shared = std::make_shared<Engine>();
  shared->start();  // calls :Engine.start@4
  Car car(std::make_unique<Engine>());  // calls :Car.Car@8 (missed)
  car.go();  // calls :Car.go@9 (missed)
  std::unique_ptr<Car> held(new Car(nullptr));  // calls :Car.Car@8
  held->go();  // calls :Car.go@9
}
