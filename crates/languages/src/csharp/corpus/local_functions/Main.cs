class Item
{
    public void Use() {}
}

class Main
{
    Item Make() { return new Item(); } // calls :Item

    void Run(int n)
    {
        Make().Use(); // calls :Item.Use, :Main.Make
        Local(1).Use(); // calls :Item.Use, :Main.Run.Local
        Item Local(int x)
        {
            return x > 0 ? Local(x - 1) : Make(); // calls :Main.Run.Local, :Main.Make
        }
        if (n > 0)
        {
            Inner().Use(); // calls :Item.Use, :Main.Run.Inner
            Item Inner() => Local(n); // calls :Main.Run.Local
        }
        T Same<T>(T value) => value;
        Same(Make()).Use(); // calls :Item.Use, :Main.Run.Same, :Main.Make
    }

    void Local() {}

    void Other()
    {
        Local(); // calls :Main.Local
    }
}
