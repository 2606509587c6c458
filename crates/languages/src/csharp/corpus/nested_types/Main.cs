class Outer
{
    private static void Secret() {}
    public class Inner
    {
        public void Run() { Secret(); Helper.Help(); new Deep().Go(); } // calls :Outer.Secret, :Outer.Helper.Help, :Outer.Inner.Deep.Go, :Outer.Inner.Deep
        public class Deep
        {
            public void Go() { Secret(); } // calls :Outer.Secret
        }
    }
    private class Helper
    {
        public static void Help() {}
    }
    void Make()
    {
        new Inner().Run(); // calls :Outer.Inner.Run, :Outer.Inner
        new Inner.Deep().Go(); // calls :Outer.Inner.Deep.Go, :Outer.Inner.Deep
    }
}

class Derived : Outer
{
    void Run()
    {
        new Inner().Run(); // calls :Outer.Inner.Run, :Outer.Inner
        Inner.Deep deep = new Outer.Inner.Deep(); // calls :Outer.Inner.Deep
        deep.Go(); // calls :Outer.Inner.Deep.Go
    }
}
