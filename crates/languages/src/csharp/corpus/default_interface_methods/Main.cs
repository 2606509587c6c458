interface IGreeter
{
    string Name();
    void Greet() { Say(Name()); } // calls :IGreeter.Say, :IGreeter.Name
    private void Say(string text) {}
    static IGreeter Make() => new Greeter(); // calls :Greeter
}

class Greeter : IGreeter
{
    public string Name() => "a";
}

class Main
{
    void Run(IGreeter greeter, Greeter concrete)
    {
        greeter.Greet(); // calls :IGreeter.Greet
        concrete.Name(); // calls :Greeter.Name
        ((IGreeter)concrete).Greet(); // calls :IGreeter.Greet
        IGreeter.Make().Name(); // calls :IGreeter.Make, :IGreeter.Name
    }
}
