class Address
{
    public string City { get; set; }
    public Country Country { get; set; }
    public bool IsHome() => true;
}

class Country
{
    public string Code() => "";
}

class Person
{
    public Address Address { get; set; }
    public int Age { get; set; }
    public string Greet() => "";
}

class Main
{
    string Run(object value, Person person)
    {
        if (value is Person { Address: { City: "x" } home } p) return p.Greet() + home.IsHome(); // calls :Person.Greet, :Address.IsHome
        if (person is { Address.Country: var country }) country.Code(); // calls :Country.Code
        if (value is Person { Age: > 3 and < 9 } or null) return "";
        if (value is not Address address) return "";
        address.IsHome(); // calls :Address.IsHome
        return value switch
        {
            Person { Age: 1 } one => one.Greet(), // calls :Person.Greet
            Address a when a.IsHome() => a.Country.Code(), // calls :Address.IsHome, :Country.Code
            (Country c, _) => c.Code(), // calls :Country.Code
            _ => Fallback(), // calls :Main.Fallback
        };
    }

    string Fallback() => "";
}
