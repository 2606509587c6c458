using System.Collections.Generic;

class Base {}
class Derived : Base {}

class Main
{
    void Put(object value) {}
    void Put(string text) {}
    void Put(int number) {}
    void Put(long number) {}
    void Put(double number) {}
    void Put(char one) {}
    void Put(Base value) {}
    void Put(IEnumerable<Base> all) {}
    void Put(List<Base> all) {}
    void Put<T>(T[] all) {}
    void Only(long number) {}
    void Only(decimal number) {}
    void Gen<T>(T value) {}
    void Gen(string value) {}

    void Run(byte small, short middle, float real, Derived derived, object any, uint positive)
    {
        Put("a"); // calls :Main.Put@9
        Put(1); // calls :Main.Put@10
        Put(1L); // calls :Main.Put@11
        Put(1.5); // calls :Main.Put@12
        Put('c'); // calls :Main.Put@13
        Put(small); // calls :Main.Put@10
        Put(middle); // calls :Main.Put@10
        Put(positive); // calls :Main.Put@11
        Put(real); // calls :Main.Put@12
        Put(derived); // calls :Main.Put@14
        Put(new Base()); // calls :Main.Put@14, :Base
        Put(any); // calls :Main.Put@8
        Put(true); // calls :Main.Put@8
        Put(1m); // calls :Main.Put@8
        Put(new List<Base>()); // calls :Main.Put@16
        Put(new HashSet<Base>()); // calls :Main.Put@15
        Put(new int[0]); // calls :Main.Put@17
        Put("a" + 1); // calls :Main.Put@9
        Put(small + 1); // calls :Main.Put@10
        Put(this); // calls :Main.Put@8
        Only(1); // calls :Main.Only@18
        Gen("a"); // calls :Main.Gen@21
        Gen(1); // calls :Main.Gen@20
        Gen<string>("b"); // calls :Main.Gen@20
    }
}
