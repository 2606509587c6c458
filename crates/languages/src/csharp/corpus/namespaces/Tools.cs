namespace Shop.Tools
{
    class Hammer
    {
        public static void Hit() {}
    }

    class Twin
    {
        public static void Which() {}
    }

    class Outer
    {
        public class Inner
        {
            public static void Deep() {}
        }
    }
}

namespace Lib
{
    class Saw
    {
        public static void Cut() {}
    }
}

namespace Elsewhere
{
    class Saw
    {
        public static void Cut() {}
    }
}
