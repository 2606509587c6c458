using System.Threading.Tasks;

class Reply
{
    public string Body() { return ""; }
}

class Client
{
    public async Task<Reply> Get(string path)
    {
        await Wait(); // calls :Client.Wait
        return new Reply(); // calls :Reply
    }

    public Task Wait()
    {
        return Task.Delay(1);
    }

    public ValueTask<Reply> Cached() { return new ValueTask<Reply>(new Reply()); } // calls :Reply
}

class Main
{
    async Task Run(Client client)
    {
        var reply = await client.Get("a"); // calls :Client.Get
        reply.Body(); // calls :Reply.Body
        (await client.Get("b").ConfigureAwait(false)).Body(); // calls :Reply.Body, :Client.Get
        var cached = await client.Cached(); // calls :Client.Cached
        cached.Body(); // calls :Reply.Body
        client.Get("c").Result.Body(); // calls :Reply.Body, :Client.Get
        Reply[] all = await Task.WhenAll(new[] { client.Get("d") }); // calls :Client.Get
        all[0].Body(); // calls :Reply.Body
        var started = await Task.Run(() => client.Get("e")); // calls :Client.Get
        started.Body(); // calls :Reply.Body
    }
}
