using System.Collections.Generic;
using System.Linq;

class Person
{
    public string Name() { return ""; }
    public int Age() { return 1; }
    public List<Pet> Pets { get; set; }
}

class Pet
{
    public string Sound() { return ""; }
    public Person Owner { get; set; }
}

class Main
{
    void Run(List<Person> people, List<Pet> pets)
    {
        var adults = from p in people where p.Age() > 17 orderby p.Name() select p; // calls :Person.Age, :Person.Name
        adults.First().Name(); // calls :Person.Name
        var sounds = from p in people
                     from pet in p.Pets
                     let sound = pet.Sound() // calls :Pet.Sound
                     select pet;
        foreach (var pet in sounds) pet.Sound(); // calls :Pet.Sound
        var joined = from p in people
                     join pet in pets on p.Name() equals pet.Owner.Name() // calls :Person.Name
                     select new { p, pet };
        joined.First().pet.Sound(); // calls :Pet.Sound
        foreach (var row in joined) row.p.Name(); // calls :Person.Name
        (from p in people select p.Pets).First()[0].Sound(); // calls :Pet.Sound
    }
}
