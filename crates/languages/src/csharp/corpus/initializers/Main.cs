using System.Collections.Generic;

class Options
{
    public string Name { get; set; }
    public Options Child { get; set; } = new Options(); // calls :Options
    public List<Options> Items { get; } = new List<Options>();
    public Dictionary<string, Options> Map { get; set; }
    public Options Clone() { return this; }
    public static string Text() { return ""; }
}

class Main
{
    void Run()
    {
        var options = new Options // calls :Options
        {
            Name = Options.Text(), // calls :Options.Text
            Child = { Name = Options.Text() }, // calls :Options.Text
            Items = { new Options { Name = "a" }, new Options() }, // calls :Options
            Map = new Dictionary<string, Options>
            {
                ["a"] = new Options(), // calls :Options
                ["b"] = new Options().Clone(), // calls :Options.Clone, :Options
            },
        };
        options.Child.Clone(); // calls :Options.Clone
        options.Items[0].Clone(); // calls :Options.Clone
        options.Map["a"].Clone(); // calls :Options.Clone
        var list = new List<Options> { options.Clone(), new Options() }; // calls :Options.Clone, :Options
        list[0].Clone(); // calls :Options.Clone
    }
}
