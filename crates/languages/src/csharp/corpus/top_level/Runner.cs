using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace App;

class Runner
{
    public Runner(int count) {}
    public void Run() {}
    public string Name() => """
        raw "text"
        """;
    public IEnumerable<Runner> Items() { yield return this; }
    public Scope Open() => new(); // calls :Scope
}

class Scope : IAsyncDisposable
{
    public void Enter() {}
    public ValueTask DisposeAsync() => default;
}
