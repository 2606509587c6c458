using System;

delegate Item Maker(string name);

class Item
{
    public void Use() {}
    public static Item Make(string name) { return new Item(); } // calls :Item
}

class Main
{
    private Func<string, Item> field = Item.Make;
    private event Action<Item> Changed;
    private Maker maker;

    void Run(Maker maker, Action<Item> act, Func<Item> get)
    {
        maker("a").Use(); // calls :Item.Use
        act(new Item()); // calls :Item
        get().Use(); // calls :Item.Use
        field("b").Use(); // calls :Item.Use
        this.maker("c").Use(); // calls :Item.Use
        Changed(new Item()); // calls :Item
        Changed?.Invoke(new Item()); // calls :Item
        Maker other = name => new Item(); // calls :Item
        other("d").Use(); // calls :Item.Use
        Maker group = Item.Make;
        group("e").Use(); // calls :Item.Use
        Each(item => item.Use()); // calls :Main.Each, :Item.Use
        Each(Handle); // calls :Main.Each
        Each(delegate (Item item) { item.Use(); }); // calls :Main.Each, :Item.Use
        Changed += item => item.Use(); // calls :Item.Use
    }

    void Each(Action<Item> action) {}
    void Handle(Item item) {}
}
