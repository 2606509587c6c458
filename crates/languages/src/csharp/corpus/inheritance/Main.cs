abstract class Shape
{
    public abstract double Area();
    public virtual void Draw() { Prepare(); Area(); } // calls :Shape.Prepare, :Shape.Area
    protected void Prepare() {}
    public static Shape Default() { return new Circle(); } // calls :Circle
    private void Hidden() {}
}

class Circle : Shape
{
    public override double Area() { return Radius(); } // calls :Circle.Radius
    public new void Draw() {}
    private double Radius() { return 1; }
}

class Ring : Circle
{
    public override double Area() { return base.Area(); } // calls :Circle.Area
    public void Fill() { Draw(); Prepare(); Default(); } // calls :Circle.Draw, :Shape.Prepare, :Shape.Default
}

class Main
{
    void Run(Shape shape, Circle circle, Ring ring)
    {
        shape.Area(); // calls :Shape.Area
        shape.Draw(); // calls :Shape.Draw
        circle.Draw(); // calls :Circle.Draw
        circle.Area(); // calls :Circle.Area
        ring.Draw(); // calls :Circle.Draw
        ring.Area(); // calls :Ring.Area
        ring.Fill(); // calls :Ring.Fill
        Ring.Default().Draw(); // calls :Shape.Draw, :Shape.Default
        Shape other = ring;
        other.Area(); // calls :Shape.Area
    }
}
