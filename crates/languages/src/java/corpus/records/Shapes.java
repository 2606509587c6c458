import java.util.List;
import java.util.Objects;

sealed interface Shape permits Circle, Square, Group {
    double area();

    default Shape doubled() {
        return new Group(List.of(this, this)); // calls :Group
    }
}

record Circle(Point center, double radius) implements Shape {
    Circle {
        check(radius); // calls :Circle.check
        Objects.requireNonNull(center);
    }

    Circle(double radius) {
        this(new Point(0, 0), radius); // calls :Circle.Circle@13, :Point
    }

    private static void check(double radius) {
        if (radius < 0) throw new IllegalArgumentException();
    }

    @Override
    public double area() {
        return Math.PI * radius() * radius; // calls :Circle.radius
    }
}

record Square(Point corner, double side) implements Shape {
    // An accessor that is written out.
    @Override
    public double side() {
        return Math.abs(side);
    }

    @Override
    public double area() {
        return side() * this.side(); // calls :Square.side
    }

    static Square unit() {
        return new Square(Point.ORIGIN.moved(1), 1); // calls :Square, :Point.moved
    }
}

record Group(List<Shape> parts) implements Shape {
    @Override
    public double area() {
        return parts.stream().mapToDouble(part -> part.area()).sum() + parts().size(); // calls :Shape.area, :Group.parts
    }
}

record Point(int x, int y) {
    static final Point ORIGIN = new Point(0, 0); // calls :Point

    Point moved(int by) {
        return new Point(x() + by, this.y()); // calls :Point, :Point.x, :Point.y
    }
}

record Pair<A, B>(A first, B second) {
    static <A, B> Pair<A, B> of(A first, B second) {
        return new Pair<>(first, second); // calls :Pair
    }

    <C> Pair<A, C> with(C other) {
        return of(first, other); // calls :Pair.of
    }
}
