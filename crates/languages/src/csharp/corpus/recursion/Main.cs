class Visitor
{
    public virtual void Visit(Node node) { node.Accept(this); } // calls :Node.Accept
    public virtual void VisitLeaf(Leaf leaf) {}
    public virtual void VisitBranch(Branch branch)
    {
        foreach (var child in branch.Children) Visit(child); // calls :Visitor.Visit
    }
}

abstract class Node
{
    public abstract void Accept(Visitor visitor);
}

class Leaf : Node
{
    public override void Accept(Visitor visitor) { visitor.VisitLeaf(this); } // calls :Visitor.VisitLeaf
}

class Branch : Node
{
    public Node[] Children;
    public override void Accept(Visitor visitor) { visitor.VisitBranch(this); } // calls :Visitor.VisitBranch
}

class Counter : Visitor
{
    private int count;
    public override void VisitLeaf(Leaf leaf) { count++; base.VisitLeaf(leaf); } // calls :Visitor.VisitLeaf
    public int Count(Node node) { Visit(node); return count; } // calls :Visitor.Visit
}
