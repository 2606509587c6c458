using Box = Shop.Storage.Crate;
using Things = System.Collections.Generic.List<Shop.Storage.Crate>;
using Store = Shop.Storage;

namespace App
{
    class Main
    {
        void Run(Things things)
        {
            var box = new Box(); // calls Crate.cs:Crate
            box.Open(); // calls Crate.cs:Crate.Open
            things[0].Open(); // calls Crate.cs:Crate.Open
            Store.Crate.Make().Open(); // calls Crate.cs:Crate.Open, Crate.cs:Crate.Make
            var other = new Store.Crate(); // calls Crate.cs:Crate
            other.Open(); // calls Crate.cs:Crate.Open
        }
    }
}
