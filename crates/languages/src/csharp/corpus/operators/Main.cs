class Money
{
    public static Money operator +(Money a, Money b) { return a; }
    public static Money operator -(Money a, Money b) { return a; }
    public static Money operator -(Money a) { return a; }
    public static bool operator ==(Money a, Money b) { return true; }
    public static bool operator !=(Money a, Money b) { return false; }
    public static implicit operator Money(int n) { return new Money(); } // calls :Money
    public void Pay() {}
}

class Main
{
    void Take(Money money) {}
    void Take(string text) {}

    void Run(Money a, Money b)
    {
        (a + b).Pay(); // calls :Money.Pay
        var rest = a - b;
        rest.Pay(); // calls :Money.Pay
        (-a).Pay(); // calls :Money.Pay
        Take(1); // calls :Main.Take@14
        Take(a == b ? a : b); // calls :Main.Take@14
        a += b;
        a.Pay(); // calls :Money.Pay
    }
}
