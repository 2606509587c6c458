using System.Collections.Generic;

class Value
{
    public void Use() {}
}

class Parser
{
    public bool TryParse(string text, out Value value) { value = new Value(); return true; } // calls :Value
    public bool TryGet<T>(string key, out T found) { found = default(T); return true; }
    public void Swap(ref Value a, ref Value b) {}
}

class Main
{
    void Run(Parser parser, Dictionary<string, Value> map, Value a, Value b)
    {
        if (parser.TryParse("a", out var value)) value.Use(); // calls :Parser.TryParse, :Value.Use
        if (parser.TryParse("b", out Value typed)) typed.Use(); // calls :Parser.TryParse, :Value.Use
        if (map.TryGetValue("c", out var found)) found.Use(); // calls :Value.Use
        if (parser.TryGet("d", out Value other)) other.Use(); // calls :Parser.TryGet, :Value.Use
        parser.TryGet<Value>("e", out var generic); // calls :Parser.TryGet
        generic.Use(); // calls :Value.Use
        Value before;
        parser.TryParse("f", out before); // calls :Parser.TryParse
        before.Use(); // calls :Value.Use
        parser.Swap(ref a, ref b); // calls :Parser.Swap
        parser.TryParse("g", out _); // calls :Parser.TryParse
    }
}
