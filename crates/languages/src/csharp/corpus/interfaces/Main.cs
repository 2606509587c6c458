interface INamed
{
    string Name();
}

interface IEntity : INamed
{
    int Id();
}

class Person : IEntity
{
    public string Name() { return ""; }
    public int Id() { return 1; }
}

class Employee : Person
{
}

class Main
{
    void Run(INamed named, IEntity entity, Employee employee)
    {
        named.Name(); // calls :INamed.Name
        entity.Name(); // calls :INamed.Name
        entity.Id(); // calls :IEntity.Id
        employee.Name(); // calls :Person.Name
        Show(employee); // calls :Main.Show@36
        Show(named); // calls :Main.Show@35
        INamed other = employee;
        other.Name(); // calls :INamed.Name
    }

    void Show(INamed named) { named.Name(); } // calls :INamed.Name
    void Show(IEntity entity) { entity.Id(); } // calls :IEntity.Id
}
