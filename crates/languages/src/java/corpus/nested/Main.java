class Main {
    public static void main(String[] args) {
        Outer outer = new Outer(); // calls Outer.java:Outer
        Outer.Inner inner = outer.new Inner(); // calls Outer.java:Outer.Inner
        inner.go(); // calls Outer.java:Outer.Inner.go
        inner.new Deep().go(); // calls Outer.java:Outer.Inner.Deep, Outer.java:Outer.Inner.Deep.go
        new Outer.Nested().run(); // calls Outer.java:Outer.Nested, Outer.java:Base.run
        outer.local().run(); // calls Outer.java:Outer.local
        outer.all().next().name(); // calls Outer.java:Outer.all, Outer.java:Outer.Inner.name
        Outer custom = new Outer() { // calls Outer.java:Outer
            @Override
            void run() {
                super.run(); // calls Outer.java:Outer.run
                step(); // calls Outer.java:Outer.step
            }
        };
        custom.run(); // calls Outer.java:Outer.run
        new Object() {
            void hello() {}
        }.hello(); // calls :Main.main.hello (missed)
    }
}
