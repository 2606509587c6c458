class Main {
    static double measure(Shape shape, Object other) {
        if (shape instanceof Circle circle && circle.radius() > 1) { // calls Shapes.java:Circle.radius
            return circle.center().moved(1).x(); // calls Shapes.java:Circle.center, Shapes.java:Point.moved, Shapes.java:Point.x
        }
        if (!(shape instanceof Square square)) {
            return shape.area(); // calls Shapes.java:Shape.area
        }
        square.corner().y(); // calls Shapes.java:Square.corner, Shapes.java:Point.y
        if (other instanceof String text) {
            text.trim();
        } else if (other instanceof Group group) {
            group.parts().get(0).doubled().area(); // calls Shapes.java:Group.parts, Shapes.java:Shape.doubled, Shapes.java:Shape.area
        }
        return square.side(); // calls Shapes.java:Square.side
    }

    public static void main(String[] args) {
        measure(new Circle(2), Square.unit()); // calls :Main.measure, Shapes.java:Circle.Circle@18, Shapes.java:Square.unit
        var pair = Pair.of(new Point(1, 2), Square.unit()); // calls Shapes.java:Pair.of, Shapes.java:Point, Shapes.java:Square.unit
        pair.first().x(); // calls Shapes.java:Pair.first, Shapes.java:Point.x
        pair.second().area(); // calls Shapes.java:Pair.second, Shapes.java:Square.area
        pair.with("c").second().length(); // calls Shapes.java:Pair.with, Shapes.java:Pair.second
        record Local(Point at) {
            int both() {
                return at.x() + at().y(); // calls Shapes.java:Point.x, :Main.main.Local.at, Shapes.java:Point.y
            }
        }
        new Local(Point.ORIGIN).both(); // calls :Main.main.Local, :Main.main.Local.both
        pair.equals(pair);
    }
}
