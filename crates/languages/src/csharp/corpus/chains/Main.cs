using System.Collections.Generic;
using System.Linq;

class Order
{
    public Customer Buyer { get; set; }
    public List<Line> Lines { get; } = new List<Line>();
    public decimal Total() { return Lines.Sum(line => line.Price()); } // calls :Line.Price
    public bool IsOpen() { return true; }
}

class Line
{
    public decimal Price() { return 1m; }
    public string Name() { return ""; }
}

class Customer
{
    public string Mail() { return ""; }
    public int Age() { return 3; }
}

class Main
{
    void Run(IEnumerable<Order> orders, Dictionary<string, Order> named)
    {
        orders.Where(o => o.IsOpen()).First().Total(); // calls :Order.Total, :Order.IsOpen
        orders.Select(o => o.Buyer).First().Mail(); // calls :Customer.Mail
        orders.SelectMany(o => o.Lines).Last().Price(); // calls :Line.Price
        orders.OrderBy(o => o.Buyer.Age()).ThenBy(o => o.Total()).ToList()[0].IsOpen(); // calls :Order.IsOpen, :Customer.Age, :Order.Total
        orders.GroupBy(o => o.Buyer.Mail()).Select(g => g.First()).Single().IsOpen(); // calls :Order.IsOpen, :Customer.Mail
        orders.ToDictionary(o => o.Buyer.Mail()).Values.First().Total(); // calls :Order.Total, :Customer.Mail
        named["a"].Total(); // calls :Order.Total
        named.Values.First().Total(); // calls :Order.Total
        named.First().Value.Total(); // calls :Order.Total
        foreach (var pair in named) pair.Value.Total(); // calls :Order.Total
        orders.Select(o => new { o.Buyer, Sum = o.Total() }).First().Buyer.Mail(); // calls :Customer.Mail, :Order.Total
        orders.Zip(named.Values, (a, b) => a.Total() + b.Total()).First(); // calls :Order.Total
        orders.Aggregate((a, b) => a.IsOpen() ? a : b).Total(); // calls :Order.Total, :Order.IsOpen
        orders.Any(o => o.Lines.All(line => line.Name() == "x")); // calls :Line.Name
        orders.OfType<Order>().First().Total(); // calls :Order.Total
        orders.FirstOrDefault(o => o.IsOpen())?.Total(); // calls :Order.IsOpen, :Order.Total
        orders.ToArray()[0].Total(); // calls :Order.Total
        orders.Max(o => o.Total()); // calls :Order.Total
    }
}
