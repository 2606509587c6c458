public interface Greeter {
    String name();

    default String greet() {
        return prefix() + name(); // calls :Greeter.prefix, :Greeter.name
    }

    private String prefix() {
        return "hello ";
    }

    static Greeter of(String name) {
        return () -> name;
    }
}

interface Polite extends Greeter {
    @Override
    default String greet() {
        return Greeter.super.greet() + "!"; // calls :Greeter.greet
    }

    default Polite twice() {
        return this;
    }
}

interface Loud {
    default String greet() {
        return "HEY";
    }
}

class Person implements Polite, Loud {
    @Override
    public String name() {
        return "person";
    }

    @Override
    public String greet() {
        return Polite.super.greet() + Loud.super.greet(); // calls :Polite.greet, :Loud.greet
    }

    // The name is the same, and the interface's method is static.
    static Person of(String name) {
        return new Person(); // calls :Person
    }
}

class Robot implements Polite {
    public String name() {
        return Greeter.of("robot").greet(); // calls :Greeter.of, :Greeter.greet
    }
}
