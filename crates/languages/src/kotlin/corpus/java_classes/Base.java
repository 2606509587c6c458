package java_classes;
public class Base {
    public Base(String text) {}
    public static Base create(String text) { return new Base(text); } // calls :Base.Base
    public String name() { return helper(0) + ""; } // calls :Base.helper
    public int helper(int n) { return n; }
}
