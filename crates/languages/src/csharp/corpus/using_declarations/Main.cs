using System;
using System.Collections.Generic;
using System.Threading.Tasks;

class Resource : IDisposable
{
    public static Resource Open() => new(); // calls :Resource
    public void Read() {}
    public void Dispose() {}
}

class Feed
{
    public async IAsyncEnumerable<Resource> All()
    {
        await Task.Delay(1);
        yield return Resource.Open(); // calls :Resource.Open
    }
}

class Main
{
    async Task Run(Feed feed)
    {
        using var a = Resource.Open(); // calls :Resource.Open
        a.Read(); // calls :Resource.Read
        using Resource b = new(); // calls :Resource
        b.Read(); // calls :Resource.Read
        await foreach (var item in feed.All()) // calls :Feed.All
        {
            item.Read(); // calls :Resource.Read
        }
        static void Local(Resource r) => r.Read(); // calls :Resource.Read
        Local(a); // calls :Main.Run.Local
    }
}
