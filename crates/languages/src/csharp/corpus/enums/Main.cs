enum Color
{
    Red,
    Green,
}

static class Colors
{
    public static string Name(this Color color) { return ""; }
    public static bool Has(this Color color, Color other) { return true; }
}

class Main
{
    Color Color { get; set; }

    void Run(Color color)
    {
        color.Name(); // calls :Colors.Name
        Color.Red.Name(); // calls :Colors.Name
        Color.Name(); // calls :Colors.Name
        Take(Color.Green); // calls :Main.Take@30
        Take(1); // calls :Main.Take@31
        var mixed = Color.Red | Color.Green;
        mixed.Name(); // calls :Colors.Name
        color.Has(Color.Red).ToString(); // calls :Colors.Has
        color.ToString();
    }

    void Take(Color color) {}
    void Take(int number) {}
}
