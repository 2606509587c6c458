namespace Tools
{
    static class Text
    {
        public static string Default = "";
        public static string Trim(string text) { return text; }
        public static string Join(string a, string b) { return Trim(a) + Trim(b); } // calls :Text.Trim
    }
}
