enum Kind { A, B }

abstract class Shape
{
    public abstract double Area();
    public static Shape Make(Kind kind) => kind switch
    {
        Kind.A => new Circle(), // calls :Circle
        Kind.B => new Square(2), // calls :Square.Square
        _ => throw new System.Exception(Text(kind)), // calls :Shape.Text
    };
    static string Text(Kind kind) => "";
}

class Circle : Shape
{
    public override double Area() => 1;
    public double Radius() => 1;
}

class Square : Shape
{
    public Square(double side) {}
    public override double Area() => 2;
}

class Main
{
    double Run(Shape shape, Kind kind)
    {
        var made = kind switch { Kind.A => new Circle(), _ => new Circle() }; // calls :Circle
        made.Radius(); // calls :Circle.Radius
        Shape.Make(kind).Area(); // calls :Shape.Make, :Shape.Area
        return shape switch
        {
            Circle { } c => c.Radius(), // calls :Circle.Radius
            Square s => s.Area(), // calls :Square.Area
            null => 0,
            var other => other.Area(), // calls :Shape.Area
        };
    }
}
