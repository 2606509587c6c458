using System.Collections.Generic;

class Left
{
    public void L() {}
}

class Right
{
    public void R() {}
}

class Pair
{
    public void Deconstruct(out Left left, out Right right) { left = new Left(); right = new Right(); } // calls :Left, :Right
}

class Main
{
    (Left, Right) Plain() { return (new Left(), new Right()); } // calls :Left, :Right
    (Left left, Right right) Named() { return (new Left(), new Right()); } // calls :Left, :Right

    void Run(Pair pair, List<(Left a, Right b)> list, Dictionary<Left, Right> map)
    {
        Plain().Item1.L(); // calls :Left.L, :Main.Plain
        Named().right.R(); // calls :Right.R, :Main.Named
        var (x, y) = Plain(); // calls :Main.Plain
        x.L(); // calls :Left.L
        y.R(); // calls :Right.R
        (Left p, Right q) = Named(); // calls :Main.Named
        p.L(); // calls :Left.L
        q.R(); // calls :Right.R
        var (m, n) = pair;
        m.L(); // calls :Left.L
        n.R(); // calls :Right.R
        list[0].a.L(); // calls :Left.L
        foreach (var (a, b) in list)
        {
            a.L(); // calls :Left.L
            b.R(); // calls :Right.R
        }
        var made = (one: new Left(), two: new Right()); // calls :Left, :Right
        made.two.R(); // calls :Right.R
        made.Item1.L(); // calls :Left.L
        var left = new Left(); // calls :Left
        var implied = (left, 1);
        implied.left.L(); // calls :Left.L
    }
}
