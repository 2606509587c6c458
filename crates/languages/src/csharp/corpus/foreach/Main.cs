using System.Collections;
using System.Collections.Generic;

class Node
{
    public void Visit() {}
}

class Tree : IEnumerable<Node>
{
    public IEnumerator<Node> GetEnumerator() { yield return new Node(); } // calls :Node
    IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); } // calls :Tree.GetEnumerator@11
}

class Plain
{
    public Walker GetEnumerator() { return new Walker(); } // calls :Walker
}

class Walker
{
    public Node Current { get { return new Node(); } } // calls :Node
    public bool MoveNext() { return false; }
}

class Nodes : List<Node> {}

class Main
{
    IEnumerable<Node> Make() { yield return new Node(); } // calls :Node

    void Run(Tree tree, Plain plain, Nodes nodes, HashSet<Node> set, Queue<Node> queue)
    {
        foreach (var node in tree) node.Visit(); // calls :Node.Visit
        foreach (var node in plain) node.Visit(); // calls :Node.Visit
        foreach (var node in nodes) node.Visit(); // calls :Node.Visit
        foreach (Node node in Make()) node.Visit(); // calls :Main.Make, :Node.Visit
        foreach (var node in set) node.Visit(); // calls :Node.Visit
        queue.Dequeue().Visit(); // calls :Node.Visit
        nodes[0].Visit(); // calls :Node.Visit
        nodes.Find(n => n != null).Visit(); // calls :Node.Visit
    }
}
