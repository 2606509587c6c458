using System;
using System.Threading.Tasks;

class Job
{
    public int Run() { return 1; }
    public Task RunAsync() { return null; }
    public bool IsDone() { return true; }
}

class Pool
{
    public void Add(Action<Job> job) {}
    public void Add(Func<Job, int> job) {}
    public void Start(Action action) {}
    public void Start(Func<Task> action) {}
    public T Ask<T>(Func<Job, T> ask) { return default(T); }
    public void Filter(Predicate<Job> filter) {}
    public void Compare(Comparison<Job> compare) {}
    public Pool Then(Action<Pool, Job> action) { return this; }
}

class Main
{
    void Run(Pool pool, Job job)
    {
        pool.Add(j => j.Run()); // calls :Pool.Add@14, :Job.Run
        pool.Add(j => { j.Run(); }); // calls :Pool.Add@13, :Job.Run
        pool.Add(j => { return j.Run(); }); // calls :Pool.Add@14, :Job.Run
        pool.Start(() => job.Run()); // calls :Pool.Start@15, :Job.Run
        pool.Start(async () => await job.RunAsync()); // calls :Pool.Start@16, :Job.RunAsync
        pool.Start(() => { job.IsDone(); }); // calls :Pool.Start@15, :Job.IsDone
        pool.Ask(j => j).Run(); // calls :Job.Run, :Pool.Ask
        pool.Ask(j => j.Run()).ToString(); // calls :Pool.Ask, :Job.Run
        pool.Filter(j => j.IsDone()); // calls :Pool.Filter, :Job.IsDone
        pool.Compare((a, b) => a.Run() - b.Run()); // calls :Pool.Compare, :Job.Run
        pool.Then((p, j) => p.Add(x => { x.IsDone(); })).Then((p, j) => j.Run()); // calls :Pool.Then, :Pool.Add@13, :Job.IsDone, :Job.Run
        Func<Job, Job> same = j => j;
        same(job).Run(); // calls :Job.Run
        Action<Job> act = (Job j) => j.Run(); // calls :Job.Run
        Func<int, Func<int, Job>> nested = a => b => new Job(); // calls :Job
        nested(1)(2).Run(); // calls :Job.Run
    }
}
