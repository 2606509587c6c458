#nullable enable
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

class Node
{
    public Node? Next { get; init; }
    public List<Node?>? Children { get; set; }
    public required string Name { get; init; }
    public void Visit() {}
    public bool TryFind(string name, [NotNullWhen(true)] out Node? found) { found = this; return true; }
}

class Main
{
    private Node? cached;

    void Run(Node? node, Dictionary<string, Node?> map)
    {
        node!.Visit(); // calls :Node.Visit
        node.Next!.Next?.Visit(); // calls :Node.Visit
        node?.Children?[0]?.Visit(); // calls :Node.Visit
        (cached ??= Make()).Visit(); // calls :Main.Make, :Node.Visit
        if (node is not null) node.Visit(); // calls :Node.Visit
        if (node is { Next: { } next }) next.Visit(); // calls :Node.Visit
        if (map.TryGetValue("a", out var found)) found!.Visit(); // calls :Node.Visit
        if (node!.TryFind("b", out var other)) other.Visit(); // calls :Node.TryFind, :Node.Visit
        _ = node ?? throw new Failure("c"); // calls :Failure.Failure
    }

    static Node Make() => new() { Name = "d" }; // calls :Node
}

class Failure : System.Exception
{
    public Failure(string text) : base(text) {}
}
