class Query
{
    private string table;
    public Query From(string name) { table = name; return this; }
    public Query Where(string text) { return this; }
    public Plan Build() { return new Plan(); } // calls :Plan
    public static Query Start() { return new Query(); } // calls :Query
}

class Plan
{
    public void Execute() {}
}

class Main
{
    void Run()
    {
        Query.Start().From("a").Where("b").Build().Execute(); // calls :Plan.Execute, :Query.Build, :Query.Where, :Query.From, :Query.Start
        new Query().From("c").Build().Execute(); // calls :Plan.Execute, :Query.Build, :Query.From, :Query
        var query = Query.Start(); // calls :Query.Start
        query = query.Where("d"); // calls :Query.Where
        query.Build().Execute(); // calls :Plan.Execute, :Query.Build
    }
}
