using System;
using System.Collections.Generic;

interface IHasId
{
    int Id();
}

class User : IHasId
{
    public int Id() { return 1; }
    public void Greet() {}
}

class Store<T> where T : class, IHasId, new()
{
    private readonly List<T> all = new List<T>();
    public T Get(int id) { return all.Find(x => x.Id() == id); } // calls :IHasId.Id
    public T Make() { return new T(); }
    public Store<T> With(T item) { return this; }
    public R Map<R>(Func<T, R> map) { return map(all[0]); }
    public static Store<T> Open() { return new Store<T>(); } // calls :Store
}

class Users : Store<User>
{
    public void First() { Get(0).Greet(); } // calls :User.Greet, :Store.Get
}

class Result {}

class Result<T> : Result
{
    public T Value { get; set; }
}

class Main
{
    T Same<T>(T value) { return value; }
    T Pick<T>(IList<T> list) { return list[0]; }
    Result<T> Wrap<T>(T value) { return new Result<T>(); } // calls :Result

    void Run(Store<User> store, Users users, List<User> list)
    {
        store.Get(1).Greet(); // calls :User.Greet, :Store.Get
        store.With(new User()).Make().Greet(); // calls :User.Greet, :Store.Make, :Store.With, :User
        store.Map(u => u).Greet(); // calls :User.Greet, :Store.Map
        Store<User>.Open().Get(2).Greet(); // calls :User.Greet, :Store.Get, :Store.Open
        users.Get(3).Greet(); // calls :User.Greet, :Store.Get
        users.First(); // calls :Users.First
        Same(new User()).Greet(); // calls :User.Greet, :Main.Same, :User
        Pick(list).Greet(); // calls :User.Greet, :Main.Pick
        Wrap(new User()).Value.Greet(); // calls :User.Greet, :Main.Wrap, :User
        Same<User>(null).Greet(); // calls :User.Greet, :Main.Same
        var result = new Result<User>(); // calls :Result
        result.Value.Greet(); // calls :User.Greet
        new Result(); // calls :Result
    }
}
