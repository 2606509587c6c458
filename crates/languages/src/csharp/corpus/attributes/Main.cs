using System;

[AttributeUsage(AttributeTargets.All)]
class MarkAttribute : Attribute
{
    public MarkAttribute() {}
    public MarkAttribute(string text) {}
    public int Level { get; set; }
}

class Plain : Attribute
{
}

[Mark] // calls :MarkAttribute.MarkAttribute@6
class Main
{
    [Mark("a", Level = 2)] // calls :MarkAttribute.MarkAttribute@7
    private int field;

    [MarkAttribute] // calls :MarkAttribute.MarkAttribute@6
    [Plain] // calls :Plain
    int Property { get; set; }

    [return: Mark] // calls :MarkAttribute.MarkAttribute@6
    int Run([Mark("b")] int x) // calls :MarkAttribute.MarkAttribute@7
    {
        return x;
    }
}
