import java.util.Comparator;
import java.util.function.Supplier;

class Main {
    static String use(Greeter greeter, Polite polite, Supplier<Person> people) {
        greeter.greet(); // calls Greeter.java:Greeter.greet
        polite.name(); // calls Greeter.java:Greeter.name
        polite.twice().greet(); // calls Greeter.java:Polite.twice, Greeter.java:Polite.greet
        people.get().greet(); // calls Greeter.java:Person.greet
        return new Robot().greet(); // calls Greeter.java:Robot, Greeter.java:Polite.greet
    }

    public static void main(String[] args) {
        use(() -> "a", new Person(), () -> Person.of("b")); // calls :Main.use, Greeter.java:Person, Greeter.java:Person.of
        Greeter anonymous = new Greeter() { // calls Greeter.java:Greeter
            @Override
            public String name() {
                return helper(); // calls :Main.helper
            }
        };
        anonymous.greet(); // calls Greeter.java:Greeter.greet
        Greeter shorter = Main::helper;
        shorter.name(); // calls Greeter.java:Greeter.name
        Comparator<Greeter> order = Comparator.comparing(Greeter::name);
        order.compare(anonymous, shorter);
        Comparator<Greeter> other = (a, b) -> a.name().compareTo(b.greet()); // calls Greeter.java:Greeter.name, Greeter.java:Greeter.greet
        other.reversed();
    }

    private static String helper() {
        return "helper";
    }
}
