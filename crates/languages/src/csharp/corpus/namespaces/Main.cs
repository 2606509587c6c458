using Shop.Tools;

namespace Shop.App
{
    using Lib;

    class Main
    {
        void Run()
        {
            Hammer.Hit(); // calls Tools.cs:Hammer.Hit
            Saw.Cut(); // calls Tools.cs:Saw.Cut
            Local.Here(); // calls :Local.Here
            Shop.Tools.Hammer.Hit(); // calls Tools.cs:Hammer.Hit
            Tools.Hammer.Hit(); // calls Tools.cs:Hammer.Hit
            global::Shop.Tools.Hammer.Hit(); // calls Tools.cs:Hammer.Hit
            Twin.Which(); // calls :Twin.Which
            Outer.Inner.Deep(); // calls Tools.cs:Outer.Inner.Deep
        }
    }
}

namespace Shop
{
    class Local
    {
        public static void Here() {}
    }

    namespace App
    {
        class Twin
        {
            public static void Which() {}
        }
    }
}
