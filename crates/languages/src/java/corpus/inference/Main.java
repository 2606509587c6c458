import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;

class Box<T> {
    private final T value;

    Box(T value) {
        this.value = value;
    }

    T value() {
        return value;
    }

    <R> Box<R> to(java.util.function.Function<T, R> change) {
        return new Box<>(change.apply(value)); // calls :Box.Box
    }
}

class Lamp {
    boolean lit;

    Lamp on() {
        return this;
    }

    Desk desk() {
        return null;
    }
}

class Desk {
    Lamp[] lamps = {new Lamp()}; // calls :Lamp
    Map<String, Lamp> named = new HashMap<>();

    void on() {}

    Lamp lamp() {
        return lamps[0].on(); // calls :Lamp.on
    }
}

class Main {
    static final Desk DESK = new Desk(); // calls :Desk
    static List<Supplier<Lamp>> makers = new ArrayList<>();

    static <A, B> B both(A a, BiFunction<A, A, B> join) {
        return join.apply(a, a);
    }

    static <T> T call(Callable<T> work) throws Exception {
        return work.call();
    }

    static Lamp pick(int number, Object any, Lamp... more) throws Exception {
        var lamp = new Lamp(); // calls :Lamp
        var desk = lamp.desk(); // calls :Lamp.desk
        desk.on(); // calls :Desk.on
        (number > 0 ? lamp : more[0]).on().desk(); // calls :Lamp.on, :Lamp.desk
        ((Lamp) any).on(); // calls :Lamp.on
        var chosen = switch (number) {
            case 0 -> desk;
            case 1 -> {
                desk.on(); // calls :Desk.on
                yield lamp.desk(); // calls :Lamp.desk
            }
            default -> throw new IllegalStateException();
        };
        chosen.lamp().on(); // calls :Desk.lamp, :Lamp.on
        desk.lamps[1].on(); // calls :Lamp.on
        desk.named.get("a").desk().on(); // calls :Lamp.desk, :Desk.on
        Main.DESK.lamps[0].desk().lamp(); // calls :Lamp.desk, :Desk.lamp
        new Box<>(lamp).value().on(); // calls :Box.Box, :Box.value, :Lamp.on (missed)
        new Box<>(lamp).to(l -> l.desk()).value().lamp(); // calls :Box.Box, :Box.to, :Lamp.desk (missed), :Box.value, :Desk.lamp (missed)
        new Box<>(1).to(n -> DESK).to(Desk::lamp).value().desk(); // calls :Box.Box, :Box.to, :Box.value, :Lamp.desk
        both(lamp, (a, b) -> a.on().desk()).lamp(); // calls :Main.both, :Lamp.on, :Lamp.desk, :Desk.lamp
        call(() -> desk.lamp()).on(); // calls :Main.call, :Desk.lamp, :Lamp.on
        call(() -> { // calls :Main.call
            return new Desk(); // calls :Desk
        }).on(); // calls :Desk.on
        makers.get(0).get().on(); // calls :Lamp.on
        Optional.ofNullable(any).map(Lamp.class::cast).orElse(lamp).on(); // calls :Lamp.on (missed)
        Optional.of(desk).map(d -> d.lamps).get()[0].on(); // calls :Lamp.on
        Lamp assigned;
        (assigned = lamp).on(); // calls :Lamp.on
        Map.of("k", List.of(desk)).get("k").get(0).on(); // calls :Desk.on
        return call(Lamp::new); // calls :Main.call
    }
}
