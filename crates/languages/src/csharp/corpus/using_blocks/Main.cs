using System;
using System.IO;

class Resource : IDisposable
{
    public static Resource Open(string name) { return new Resource(); } // calls :Resource
    public void Read() {}
    public void Dispose() { Free(); } // calls :Resource.Free
    private void Free() {}
}

class Failure : Exception
{
    public Failure(string text, Exception inner) : base(text, inner) {}
    public string Code() { return ""; }
}

class Main
{
    void Run()
    {
        using (var resource = Resource.Open("a")) // calls :Resource.Open
        {
            resource.Read(); // calls :Resource.Read
        }
        using (Resource a = new Resource(), b = Resource.Open("b")) // calls :Resource, :Resource.Open
        {
            a.Read(); // calls :Resource.Read
            b.Read(); // calls :Resource.Read
        }
        try
        {
            Work(); // calls :Main.Work
        }
        catch (Failure failure) when (failure.Code() == "x") // calls :Failure.Code
        {
            failure.Code(); // calls :Failure.Code
        }
        catch (Exception e)
        {
            throw new Failure(e.Message, e); // calls :Failure.Failure
        }
        finally
        {
            Work(); // calls :Main.Work
        }
        lock (this)
        {
            Work(); // calls :Main.Work
        }
    }

    void Work() {}
}
