abstract class Shape {}

class Circle : Shape
{
    public double Radius() { return 1; }
    public Circle Inner { get; set; }
}

class Square : Shape
{
    public double Side() { return 1; }
}

class Main
{
    double Run(Shape shape, object any)
    {
        if (shape is Circle circle) return circle.Radius(); // calls :Circle.Radius
        if (!(any is Square square)) return 0;
        square.Side(); // calls :Square.Side
        switch (shape)
        {
            case Circle c when c.Radius() > 1: // calls :Circle.Radius
                return c.Inner.Radius(); // calls :Circle.Radius
            case Square s:
                return s.Side(); // calls :Square.Side
        }
        var cast = any as Circle;
        cast.Radius(); // calls :Circle.Radius
        ((Square)any).Side(); // calls :Square.Side
        return any is Circle last && last.Radius() > 2 ? last.Inner.Radius() : 1; // calls :Circle.Radius
    }
}
