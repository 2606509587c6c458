import java.util.List;

abstract class Shape {
    private static int count;
    protected final String name;

    protected Shape(String name) {
        this.name = name;
        register(); // calls :Shape.register
    }

    Shape() {
        this("shape"); // calls :Shape.Shape@7
    }

    private void register() {
        count++;
    }

    static String create() {
        return "shape" + count;
    }

    abstract double area();

    String describe() {
        return label() + area(); // calls :Shape.label, :Shape.area
    }

    protected String label() {
        return name.toUpperCase();
    }

    @Override
    public String toString() {
        return describe() + super.toString(); // calls :Shape.describe
    }
}

class Circle extends Shape {
    protected final double radius;

    Circle(double radius) {
        super("circle"); // calls :Shape.Shape@7
        this.radius = radius;
    }

    static String create() {
        return Shape.create() + "!"; // calls :Shape.create
    }

    @Override
    double area() {
        return Math.PI * radius * radius;
    }

    // A private method of the parent is not overridden.
    private void register() {}

    @Override
    protected String label() {
        register(); // calls :Circle.register
        return "(" + super.label() + ")"; // calls :Shape.label
    }

    Circle scaled(double factor) {
        return new Circle(radius * factor); // calls :Circle.Circle
    }
}

class Ring extends Circle {
    Ring(double radius) {
        super(radius); // calls :Circle.Circle
    }

    @Override
    double area() {
        return super.area() / 2; // calls :Circle.area
    }

    @Override
    Ring scaled(double factor) {
        return new Ring(factor); // calls :Ring.Ring
    }

    void inner() {}

    static void main(List<Shape> shapes, Circle[] circles) {
        Ring ring = new Ring(1); // calls :Ring.Ring
        Shape shape = ring;
        shape.area(); // calls :Shape.area
        ring.area(); // calls :Ring.area
        ring.scaled(2).inner(); // calls :Ring.scaled, :Ring.inner
        ring.describe().trim(); // calls :Shape.describe
        ring.toString(); // calls :Shape.toString
        Ring.create(); // calls :Circle.create
        ((Circle) shape).scaled(3).area(); // calls :Circle.scaled, :Circle.area
        for (Shape one : shapes) one.label(); // calls :Shape.label
        circles[0].area(); // calls :Circle.area
        shape.hashCode();
    }
}
