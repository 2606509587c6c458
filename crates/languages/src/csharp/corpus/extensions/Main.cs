using System;
using System.Collections.Generic;
using App.Helpers;

namespace App
{
    class Item
    {
        public void Own() {}
        public void Both() {}
        public string Name() { return ""; }
    }

    interface IThing {}
    class Thing : IThing {}

    class Main
    {
        void Run(Item item, List<Item> list, string text, Thing thing, int number)
        {
            item.Own(); // calls :Item.Own
            item.Both(); // calls :Item.Both
            item.Extra(); // calls Helpers.cs:ItemExtensions.Extra@8
            item.Extra(2); // calls Helpers.cs:ItemExtensions.Extra@9
            list.FirstItem().Own(); // calls :Item.Own, Helpers.cs:ItemExtensions.FirstItem
            list.FirstOr(new Item()).Own(); // calls :Item.Own, Helpers.cs:ItemExtensions.FirstOr, :Item
            list.Convert(i => i.Name()).Shout(); // calls Helpers.cs:ItemExtensions.Shout, Helpers.cs:ItemExtensions.Convert, :Item.Name
            text.Shout(); // calls Helpers.cs:ItemExtensions.Shout
            "a".Shout().Shout(); // calls Helpers.cs:ItemExtensions.Shout
            thing.Touch(); // calls Helpers.cs:ItemExtensions.Touch
            number.Twice().Twice(); // calls Helpers.cs:ItemExtensions.Twice
            ItemExtensions.Extra(item); // calls Helpers.cs:ItemExtensions.Extra@8
            item.Pipe(i => i.Name()).Shout(); // calls Helpers.cs:ItemExtensions.Shout, Helpers.cs:ItemExtensions.Pipe, :Item.Name
            item?.Extra(); // calls Helpers.cs:ItemExtensions.Extra@8
        }
    }
}
