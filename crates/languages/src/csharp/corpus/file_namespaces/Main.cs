namespace Shop.App;

class Main
{
    void Run()
    {
        var product = new Product("a"); // calls Models.cs:Product.Product
        product.Sell(); // calls Models.cs:Product.Sell
        Check("b"); // calls Models.cs:Tools.Check
        var cart = new Cart(); // calls Models.cs:Basket
        cart.Add(product); // calls Models.cs:Basket.Add
        product.Double(); // calls Models.cs:Tools.Double
        Models.Tools.Check("c"); // calls Models.cs:Tools.Check
    }
}
