import static java.util.concurrent.TimeUnit.SECONDS;

class Main {
    static int name() {
        return 0;
    }

    static int use(Level level, Named named) {
        switch (level) {
            case LOW:
                return level.weight(); // calls Level.java:Level.weight
            case HIGH:
                return Level.HIGH.next().base(); // calls Level.java:Level.next, Level.java:Level.base
            default:
                named.label(); // calls Level.java:Named.label
                return level.label().length(); // calls Level.java:Level.label
        }
    }

    public static void main(String[] args) {
        use(Level.parse("LOW"), Level.TOP); // calls :Main.use, Level.java:Level.parse
        for (Operation operation : Operation.values()) {
            operation.apply(name(), 2); // calls Level.java:Operation.apply, :Main.name
        }
        Level.valueOf("TOP").weight(); // calls Level.java:Level.weight
        Level.LOW.name().trim();
        SECONDS.toMillis(1);
        int size = switch (Level.parse("TOP")) { // calls Level.java:Level.parse
            case LOW -> Level.LOW.weight(); // calls Level.java:Level.weight
            default -> name(); // calls :Main.name
        };
    }
}
