class Shape {
 public:
  virtual ~Shape() {}
  virtual double area() const = 0;
  virtual const char* name() const { return "shape"; }
  void show() const {
    area();  // calls :Shape.area
    name();  // calls :Shape.name
  }

 protected:
  int scale(int by) { return by; }
};

class Named {
 public:
  int id() const { return 1; }
};

class Circle : public Shape, private Named {
 public:
  explicit Circle(double radius) : radius_(radius) {}
  double area() const override { return radius_; }
  int own() {
    return scale(2) + id();  // calls :Shape.scale, :Named.id
  }
  const char* name() const override {
    return Shape::name();  // calls :Shape.name
  }

 private:
  double radius_;
};

class Ring final : public Circle {
 public:
  Ring() : Circle(1.0) {}  // calls :Circle.Circle
  int both() { return own(); }  // calls :Circle.own
};

double use(const Shape& shape, Circle* circle, Ring ring) {
  shape.show();  // calls :Shape.show
  circle->show();  // calls :Shape.show
  ring.both();  // calls :Ring.both
  ring.name();  // calls :Circle.name
  return shape.area() + circle->area();  // calls :Shape.area, :Circle.area
}
