namespace Shop.Storage
{
    public class Crate
    {
        public static Crate Make()
        {
            return new Crate(); // calls :Crate
        }

        public void Open()
        {
        }
    }
}
