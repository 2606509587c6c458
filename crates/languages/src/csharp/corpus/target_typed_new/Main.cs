using System;
using System.Collections.Generic;

class Item
{
    public Item() {}
    public Item(int n) {}
    public void Use() {}
}

class Main
{
    private readonly Item field = new(); // calls :Item.Item@6
    private Item Property { get; set; } = new(1); // calls :Item.Item@7
    private Dictionary<string, Item> map = new();

    Item Make() => new(2); // calls :Item.Item@7

    Item Other(bool flag)
    {
        Item item = new(3); // calls :Item.Item@7
        field.Use(); // calls :Item.Use
        Property = new(); // calls :Item.Item@6
        map["a"] = new(4); // calls :Item.Item@7
        map["a"].Use(); // calls :Item.Use
        Item[] all = { new(), new(5) }; // calls :Item.Item@6, :Item.Item@7
        Func<Item> make = () => new Item(); // calls :Item.Item@6
        if (flag) return new(); // calls :Item.Item@6
        return flag ? new(6) : item; // calls :Item.Item@7
    }
}
