struct Point
{
    public double Length() { return 1; }
    public Point Flip() { return this; }
}

class Node
{
    public Node Next { get; set; }
    public Point? Place { get; set; }
    public void Visit() {}
    public Node Find(string name) { return this; }
}

class Main
{
    void Take(int number) {}
    void Take(int? number) {}
    void Take(string text) {}

    void Run(Node node, Point? point, int? count)
    {
        node?.Visit(); // calls :Node.Visit
        node?.Next?.Find("a")?.Visit(); // calls :Node.Find, :Node.Visit
        node?.Find("b").Next.Visit(); // calls :Node.Visit, :Node.Find
        point.Value.Length(); // calls :Point.Length
        point?.Flip().Length(); // calls :Point.Length, :Point.Flip
        point.GetValueOrDefault().Flip(); // calls :Point.Flip
        node.Place.Value.Length(); // calls :Point.Length
        (node ?? new Node()).Visit(); // calls :Node.Visit, :Node
        Take(count); // calls :Main.Take@18
        Take(count.Value); // calls :Main.Take@17
        Take(count ?? 1); // calls :Main.Take@17
        Take(null as string); // calls :Main.Take@19
        Take(node?.ToString()); // calls :Main.Take@19
        if (point.HasValue) point.Value.Flip(); // calls :Point.Flip
    }
}
