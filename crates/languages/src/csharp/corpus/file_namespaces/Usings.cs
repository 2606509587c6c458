global using Shop.Models;
global using static Shop.Models.Tools;
global using Cart = Shop.Models.Basket;
