class Account
{
    private decimal sum;
    public decimal Sum
    {
        get { return Round(sum); } // calls :Account.Round
        set { sum = Check(value); } // calls :Account.Check
    }
    public Account Parent { get; set; }
    public virtual Account Root => Parent ?? Find(); // calls :Account.Find
    public static Account Current { get; } = new Account(); // calls :Account
    private decimal Round(decimal d) { return d; }
    private decimal Check(decimal d) { return d; }
    private Account Find() { return this; }
    public void Close() {}
}

class Special : Account
{
    public override Account Root => base.Root;
}

class Main
{
    void Run(Account account, Special special)
    {
        account.Sum = account.Parent.Sum;
        account.Root.Close(); // calls :Account.Close
        special.Root.Close(); // calls :Account.Close
        special.Parent.Parent.Close(); // calls :Account.Close
        Account.Current.Close(); // calls :Account.Close
        Special.Current.Close(); // calls :Account.Close
    }
}
