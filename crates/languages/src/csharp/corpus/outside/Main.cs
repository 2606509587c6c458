using System;
using System.Collections.Generic;
using System.Text;

class Main : List<string>
{
    void Run(dynamic any, StringBuilder text, object boxed)
    {
        any.Work();
        any.Other.Work();
        text.Append("a").Append(1).ToString();
        Console.WriteLine(nameof(Run));
        Add("a");
        base.Add("b");
        this.Clear();
        boxed.ToString().Trim().Work(); // calls :Helper.Work
        string.Join(",", this).Work(); // calls :Helper.Work
        Environment.NewLine.Work(); // calls :Helper.Work
        Helper.Parse("1").Work(); // calls :Helper.Work, :Helper.Parse
        GetType().Name.Work(); // calls :Helper.Work
        typeof(Main).FullName.Work(); // calls :Helper.Work
        $"{text} {Text()}".Work(); // calls :Helper.Work, :Main.Text
        Count.ToString().Work(); // calls :Helper.Work
    }

    string Text() { return ""; }
}

static class Helper
{
    public static string Work(this string text) { return text; }
    public static string Parse(string text) { return text; }
}
