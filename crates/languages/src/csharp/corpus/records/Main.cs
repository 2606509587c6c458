using System.Collections.Generic;

record Money(decimal Amount, string Currency)
{
    public Money Add(Money other) => this with { Amount = Amount + other.Amount };
    public static Money Zero => new(0, "x"); // calls :Money.Money
}

record Order(string Id, Money Total, List<Line> Lines)
{
    public Order(string id) : this(id, Money.Zero, new List<Line>()) {} // calls :Order.Order@9
    public bool IsFree() => Total.IsZero(); // calls :MoneyTools.IsZero
}

record SpecialOrder(string Id, Money Total) : Order(Id, Total, new List<Line>()); // calls :Order.Order@9

record struct Line(int Count, Money Price)
{
    public Money Sum() => Price.Add(Price); // calls :Money.Add
}

record Empty;

static class MoneyTools
{
    public static bool IsZero(this Money money) => money.Amount == 0;
}

class Main
{
    void Run(Order order)
    {
        order.Total.Add(Money.Zero); // calls :Money.Add
        order.Lines[0].Sum().IsZero(); // calls :Line.Sum, :MoneyTools.IsZero
        var copy = order with { Total = new Money(1, "y") }; // calls :Money.Money
        copy.IsFree(); // calls :Order.IsFree
        var (id, total, lines) = order;
        total.Add(total); // calls :Money.Add
        lines[0].Sum(); // calls :Line.Sum
        new SpecialOrder("a", total).IsFree(); // calls :SpecialOrder.SpecialOrder, :Order.IsFree
        new Order("b"); // calls :Order.Order@11
        new Empty(); // calls :Empty
        if (order is SpecialOrder { Total: var t }) t.Add(t); // calls :Money.Add
        if (order is ("c", var m, _)) m.IsZero(); // calls :MoneyTools.IsZero
    }
}
