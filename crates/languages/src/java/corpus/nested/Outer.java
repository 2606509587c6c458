import java.util.Iterator;

class Outer {
    private final String name = "outer";

    String name() {
        return name;
    }

    void run() {}

    static void help() {}

    class Inner {
        String name() {
            return Outer.this.name(); // calls :Outer.name
        }

        void go() {
            name(); // calls :Outer.Inner.name
            run(); // calls :Outer.run
            help(); // calls :Outer.help
            new Deep().go(); // calls :Outer.Inner.Deep, :Outer.Inner.Deep.go
        }

        class Deep {
            void go() {
                Inner.this.go(); // calls :Outer.Inner.go
                Outer.this.run(); // calls :Outer.run
                name().trim(); // calls :Outer.Inner.name
            }
        }
    }

    static class Nested extends Base {
        // The parent's method wins over the one around the class.
        void test() {
            run(); // calls :Base.run
            Outer.help(); // calls :Outer.help
            help(); // calls :Outer.help
        }
    }

    Runnable local() {
        class Counter {
            int count() {
                run(); // calls :Outer.run
                return name().length(); // calls :Outer.name
            }
        }
        new Counter().count(); // calls :Outer.local.Counter, :Outer.local.Counter.count
        return new Runnable() {
            @Override
            public void run() {
                Outer.this.run(); // calls :Outer.run
                name(); // calls :Outer.name
                step(); // calls :Outer.local.step
            }

            private void step() {}
        };
    }

    Iterator<Inner> all() {
        return new Iterator<>() {
            private Inner next = new Inner(); // calls :Outer.Inner

            @Override
            public boolean hasNext() {
                return next.name() != null; // calls :Outer.Inner.name
            }

            @Override
            public Inner next() {
                return hasNext() ? next : null; // calls :Outer.all.hasNext
            }
        };
    }

    void step() {}
}

class Base {
    void run() {}
}
