using System;
using App;

var runner = new Runner(args.Length); // calls Runner.cs:Runner.Runner
runner.Run(); // calls Runner.cs:Runner.Run
Print(runner.Name()); // calls :Print, Runner.cs:Runner.Name

foreach (var item in runner.Items())  // calls Runner.cs:Runner.Items
{
    item.Run(); // calls Runner.cs:Runner.Run
}

await using var scope = runner.Open(); // calls Runner.cs:Runner.Open
scope.Enter(); // calls Runner.cs:Scope.Enter

void Print(string text) => Console.WriteLine(text);
