using System;
using System.Collections.Generic;

namespace App.Helpers
{
    static class ItemExtensions
    {
        public static void Extra(this Item item) {}
        public static void Extra(this Item item, int count) {}
        public static void Both(this Item item) {}
        public static T FirstItem<T>(this IEnumerable<T> items) { return default(T); }
        public static T FirstOr<T>(this IList<T> items, T other) { return other; }
        public static R Convert<T, R>(this List<T> items, Func<T, R> map) { return map(items[0]); }
        public static R Pipe<T, R>(this T value, Func<T, R> map) { return map(value); }
        public static string Shout(this string text) { return text; }
        public static int Twice(this int n) { return n * 2; }
        public static void Touch(this IThing thing) {}
    }
}
