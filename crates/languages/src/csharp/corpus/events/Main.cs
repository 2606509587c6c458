using System;

class Clock
{
    public event EventHandler<TickArgs> Tick;
    public event EventHandler Stopped
    {
        add { Log("add"); } // calls :Clock.Log
        remove { Log("remove"); } // calls :Clock.Log
    }

    protected virtual void OnTick(TickArgs args)
    {
        Tick?.Invoke(this, args);
    }

    public void Advance()
    {
        OnTick(new TickArgs()); // calls :Clock.OnTick, :TickArgs
    }

    void Log(string text) {}
}

class TickArgs : EventArgs
{
    public int Count() { return 1; }
}

class Main
{
    void Run(Clock clock)
    {
        clock.Tick += OnTick;
        clock.Tick += (sender, args) => args.Count(); // calls :TickArgs.Count
        clock.Stopped += delegate { Done(); }; // calls :Main.Done
        clock.Advance(); // calls :Clock.Advance
    }

    void OnTick(object sender, TickArgs args)
    {
        args.Count(); // calls :TickArgs.Count
    }

    void Done() {}
}
