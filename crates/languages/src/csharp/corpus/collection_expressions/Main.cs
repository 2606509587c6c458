using System.Collections.Generic;

class Item
{
    public void Use() {}
}

class Main
{
    private readonly List<Item> field = [new Item(), new Item()]; // calls :Item

    void Run(Item[] others)
    {
        List<Item> list = [new Item(), .. others]; // calls :Item
        list[0].Use(); // calls :Item.Use
        Item[] array = [new()]; // calls :Item
        array[0].Use(); // calls :Item.Use
        foreach (var item in field) item.Use(); // calls :Item.Use
        if (others is [var first, ..]) first.Use(); // calls :Item.Use
        if (others is [Item one, Item two]) two.Use(); // calls :Item.Use
    }
}
