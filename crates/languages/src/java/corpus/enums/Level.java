import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntBinaryOperator;

enum Level implements Named {
    LOW, // calls :Level.Level@24 (missed)
    HIGH(3) { // calls :Level.Level@28
        @Override
        int weight() {
            return base() * 2; // calls :Level.base
        }
    },
    TOP(Level.start()); // calls :Level.Level@28, :Level.start

    private static final Map<Level, Named> NAMES = new EnumMap<>(Level.class);
    private final int value;

    static {
        for (Level level : values()) {
            NAMES.put(level, level.next()); // calls :Level.next
        }
    }

    Level() {
        this(1); // calls :Level.Level@28
    }

    Level(int value) {
        this.value = value;
    }

    private static int start() {
        return 5;
    }

    int weight() {
        return base(); // calls :Level.base
    }

    int base() {
        return value;
    }

    Level next() {
        return values()[(ordinal() + 1) % values().length];
    }

    @Override
    public String label() {
        return name().toLowerCase();
    }

    static Level parse(String text) {
        Level level = Level.valueOf(text);
        return NAMES.get(level).label().isEmpty() ? LOW : level; // calls :Named.label
    }
}

interface Named {
    String label();
}

enum Operation {
    ADD("+", (a, b) -> a + b), // calls :Operation.Operation
    POWER("^", Operation::power); // calls :Operation.Operation

    private final String sign;
    private final IntBinaryOperator run;

    Operation(String sign, IntBinaryOperator run) {
        this.sign = sign;
        this.run = run;
    }

    private static int power(int a, int b) {
        return b == 0 ? 1 : a * power(a, b - 1); // calls :Operation.power
    }

    int apply(int a, int b) {
        return run.applyAsInt(a, b);
    }
}
