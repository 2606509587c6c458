class Point
{
    public Point() : this(0, 0) {} // calls :Point.Point@4
    public Point(int x, int y) {}
    public Point(Point other) : this(1, 2) {} // calls :Point.Point@4
    static Point() { Setup(); } // calls :Point.Setup
    static void Setup() {}
}

struct Size
{
    public Size(int w) {}
}

class Plain
{
    public int A;
    public Plain Inner;
    public void Touch() {}
}

class Main
{
    private readonly Point origin = new Point(); // calls :Point.Point@3

    void Run()
    {
        var p = new Point(1, 2); // calls :Point.Point@4
        new Point(p); // calls :Point.Point@5
        new Size(3); // calls :Size.Size
        new Size(); // calls :Size
        new Plain { A = 1, Inner = new Plain() }.Touch(); // calls :Plain.Touch, :Plain
        var made = new Plain(); // calls :Plain
        made.Touch(); // calls :Plain.Touch
    }
}
