class Engine
{
    public static readonly Engine Shared = new Engine(); // calls :Engine
    public const int Limit = 3;
    public Part part = new Part(); // calls :Part
    public Engine next, last;
    public void Start() {}
}

class Part
{
    public void Turn() {}
}

class Car
{
    private readonly Engine engine = new Engine(); // calls :Engine
    private Engine Spare { get; set; } = new Engine(); // calls :Engine
    private Engine Computed => engine;
    private Engine Full { get { return Spare; } }

    void Run()
    {
        engine.Start(); // calls :Engine.Start
        this.engine.part.Turn(); // calls :Part.Turn
        Engine.Shared.part.Turn(); // calls :Part.Turn
        Spare.Start(); // calls :Engine.Start
        Computed.Start(); // calls :Engine.Start
        Full.next.last.Start(); // calls :Engine.Start
        Spare = Engine.Shared;
    }
}
