using static Tools.Text;
using static System.Math;

class Main
{
    private static readonly Main instance = Create(); // calls :Main.Create
    static Main Create() { return new Main(); } // calls :Main
    void Run() {}

    static void Start()
    {
        Trim("a"); // calls Tools.cs:Text.Trim
        Tools.Text.Trim("b"); // calls Tools.cs:Text.Trim
        Join("a", Default); // calls Tools.cs:Text.Join
        Abs(1);
        instance.Run(); // calls :Main.Run
        Main.Create().Run(); // calls :Main.Run, :Main.Create
        Config.Load().Name.Show(); // calls :Label.Show, :Config.Load
    }
}

static class Config
{
    public static Settings Load() { return new Settings(); } // calls :Settings
}

class Settings
{
    public Label Name { get; set; }
}

class Label
{
    public void Show() {}
}
