namespace Shop.Models;

public class Product
{
    public Product(string name) => Check(name); // calls Models.cs:Tools.Check
    public void Sell() {}
}

public class Basket
{
    public void Add(Product product) => product.Sell(); // calls :Product.Sell
}

public static class Tools
{
    public static void Check(string text) {}
    public static void Double(this Product product) {}
}
