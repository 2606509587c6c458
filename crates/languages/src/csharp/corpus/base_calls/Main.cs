class Animal
{
    public Animal() {}
    public Animal(string name) {}
    public virtual void Speak() {}
    protected void Sleep() {}
    public override string ToString() { return ""; }
}

class Dog : Animal
{
    public Dog() : base("dog") {} // calls :Animal.Animal@4
    public Dog(int age) : this() {} // calls :Dog.Dog@12

    public override void Speak()
    {
        base.Speak(); // calls :Animal.Speak
        base.Sleep(); // calls :Animal.Sleep
        Sleep(); // calls :Animal.Sleep
        this.Sleep(); // calls :Animal.Sleep
        base.ToString(); // calls :Animal.ToString
    }
}

class Puppy : Dog
{
    public Puppy() : base(1) {} // calls :Dog.Dog@13

    public override void Speak()
    {
        base.Speak(); // calls :Dog.Speak
        Sleep(); // calls :Animal.Sleep
    }

    void Play(Dog dog)
    {
        dog.Speak(); // calls :Dog.Speak
        Speak(); // calls :Puppy.Speak
    }
}
