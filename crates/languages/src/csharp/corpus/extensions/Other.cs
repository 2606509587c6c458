namespace App.Unused
{
    static class OtherExtensions
    {
        public static void Extra(this App.Item item) {}
    }
}
