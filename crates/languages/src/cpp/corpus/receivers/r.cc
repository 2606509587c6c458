struct Engine {
  void start() {}
  Engine& faster() { return *this; }
  int power = 0;
};

struct Car {
  Engine engine;
  Engine* spare;
  Engine& get() { return engine; }
  Engine* find(int) { return spare; }
  void go() {
    engine.start();  // calls :Engine.start
    spare->start();  // calls :Engine.start
    this->engine.start();  // calls :Engine.start
    get().start();  // calls :Car.get, :Engine.start
    find(1)->faster().faster().start();  // calls :Car.find, :Engine.faster, :Engine.start
  }
};

Car global;
Car cars[3];

Car make();

void all(Car car, const Car* pointer, void* raw, Car** many) {
  car.engine.start();  // calls :Engine.start
  global.go();  // calls :Car.go
  cars[1].go();  // calls :Car.go
  auto local = make();  // calls :make
  local.go();  // calls :Car.go
  auto* found = car.find(2);  // calls :Car.find
  found->start();  // calls :Engine.start
  auto& same = local.get();  // calls :Car.get
  same.start();  // calls :Engine.start
  static_cast<Car*>(raw)->go();  // calls :Car.go
  ((Engine*)raw)->start();  // calls :Engine.start
  (*many)->go();  // calls :Car.go
  many[0]->go();  // calls :Car.go
  make().get().start();  // calls :make, :Car.get, :Engine.start
  (raw ? car : local).go();  // calls :Car.go
  Car().go();  // calls :Car, :Car.go
  decltype(local) twin = local;
  twin.go();  // calls :Car.go
  if (Engine* inner = pointer->spare) inner->start();  // calls :Engine.start
  for (Engine* each = car.spare; each; each = car.find(3)) {  // calls :Car.find
    each->start();  // calls :Engine.start
  }
}

template <typename T>
void open(T value) {
  value.start();
  T other;
  other.go();
}
