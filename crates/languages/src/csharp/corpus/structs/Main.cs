struct Vector
{
    public double X;
    public Vector(double x) { X = x; }
    public Vector Add(Vector other) { return new Vector(X + other.X); } // calls :Vector.Vector
    public static Vector Zero => new Vector(); // calls :Vector
    public override string ToString() { return Format(); } // calls :Vector.Format
    private string Format() { return ""; }
}

readonly struct Money
{
    public Money(decimal amount) {}
    public Money Times(int n) { return this; }
}

class Main
{
    private Vector position;

    void Run(Money money, in Vector given)
    {
        position.Add(Vector.Zero).Add(given); // calls :Vector.Add
        money.Times(2).Times(3); // calls :Money.Times
        default(Vector).Add(position); // calls :Vector.Add
        new Vector(1).ToString(); // calls :Vector.ToString, :Vector.Vector
        ref Vector here = ref position;
        here.Add(given); // calls :Vector.Add
    }
}
